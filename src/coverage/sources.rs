//! Where the sources of an app lie, so that reports name files that a reader can open.

use std::path::PathBuf;

/// Folders of sources, each the root of its packages.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<PathBuf>);

impl Sources {
    /// Sources in these folders.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self(folders)
    }

    /// The folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.0
    }

    /// A source file that exists: below its package, or, as Kotlin allows, without the package's first parts. Names that
    /// lead out of the folders are not looked for.
    pub fn find(&self, package: &str, file: &str) -> Option<PathBuf> {
        let is_name = |part: &str| !part.is_empty() && !part.contains(['/', '\\', ':', '\0']);
        let parts: Vec<_> = package.split('.').filter(|part| !part.is_empty()).collect();
        if !parts.iter().copied().chain([file]).all(is_name) || file.starts_with('.') {
            return None;
        }
        let paths = (0..=parts.len()).flat_map(|left_out| {
            let inner: PathBuf = parts[left_out..].iter().chain([&file]).collect();
            self.0.iter().map(move |folder| folder.join(&inner))
        });
        paths.into_iter().find(|path| path.is_file())
    }

    /// The path of a source file: in the first folder that holds it, else below its package.
    pub fn path(&self, package: &str, file: &str) -> String {
        let relative = if package.is_empty() {
            file.to_owned()
        } else {
            format!("{package}/{file}")
        };
        // Names come from the app: one that leads out of the folder is only ever shown, never looked for.
        let inside = relative.split('/').all(|part| part != "..") && !relative.starts_with('/');
        let found = self.0.iter().map(|folder| folder.join(&relative));
        found
            .filter(|_| inside)
            .find(|path| path.is_file())
            .map_or(relative.clone(), |path| path.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_where_it_lies() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        std::fs::write(folder.path().join("a/b/C.java"), "").unwrap();
        let sources = Sources::new(vec!["no/such".into(), folder.path().to_owned()]);
        assert_eq!(
            sources.path("a/b", "C.java"),
            folder.path().join("a/b/C.java").to_string_lossy()
        );
        assert_eq!(sources.path("a/b", "D.java"), "a/b/D.java");
        assert_eq!(sources.path("", "D.java"), "D.java");
        assert_eq!(
            sources.path("a/b", "../../a/b/C.java"),
            "a/b/../../a/b/C.java"
        );
    }
}
