//! Where the sources of an app lie, so that reports name files that a reader can open.

use crate::outcome::RunInfo;
use std::path::{Path, PathBuf};

/// The suite's file where a run does not name it.
const SUITE: &str = "droidtest.toml";

/// A run's repository: the nearest folder above the suite's file that has a `.git`, else the suite's folder.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    root: PathBuf,
    suite: PathBuf,
}

impl Repository {
    /// Of a run.
    pub fn of(info: &RunInfo) -> Self {
        let suite = PathBuf::from(info.file.as_deref().unwrap_or(SUITE));
        let folder = suite.parent().unwrap_or(Path::new(""));
        let folder = match folder.ends_with(".config") {
            true => folder.parent().unwrap_or(folder),
            false => folder,
        };
        let mut above = folder.ancestors();
        let root = above.find(|folder| folder.join(".git").exists());
        let root = root.unwrap_or(folder).to_owned();
        Self { root, suite }
    }

    /// The suite's file, relative to it.
    pub fn suite(&self) -> String {
        self.relative(&self.suite)
            .unwrap_or_else(|| SUITE.to_owned())
    }

    /// The path of a file in it, relative to it, with `/`.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let path = path.strip_prefix(&self.root).ok()?;
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        (!parts.is_empty()).then(|| parts.join("/"))
    }
}

/// Folders of an app's sources, each the root of its packages.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    folders: Vec<PathBuf>,
    repository: Repository,
}

impl Sources {
    /// The sources of a run's app, as the run names them. It may be anyone's: for names only, no file of them is shown.
    pub fn of(info: &RunInfo, app: &str) -> Self {
        let folders = info.sources.get(app).into_iter().flatten();
        Self::in_folders(info, folders.map(PathBuf::from))
    }

    /// The sources in these folders of a run's app; those folders that exist.
    pub fn in_folders(info: &RunInfo, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            folders: folders
                .into_iter()
                .filter_map(|folder| std::path::absolute(folder).ok())
                .filter(|folder| folder.is_dir())
                .collect(),
            repository: Repository::of(info),
        }
    }

    /// The folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// A source file that exists: below its package, or, as Kotlin allows, without the package's first parts. Names that
    /// lead out of the folders or are no source file's are not looked for, and links are not followed: the app names the
    /// file.
    pub fn find(&self, package: &str, file: &str) -> Option<PathBuf> {
        let is_name = |part: &str| !part.is_empty() && !part.contains(['/', '\\', ':', '\0']);
        let parts: Vec<_> = package.split('.').filter(|part| !part.is_empty()).collect();
        if !parts.iter().copied().chain([file]).all(is_name) || !is_source(file) {
            return None;
        }
        let paths = (0..=parts.len()).flat_map(|left_out| {
            let inner: Vec<&str> = parts[left_out..].iter().copied().chain([file]).collect();
            let below = move |folder: &PathBuf| plain_file(folder, &inner);
            self.folders.iter().map(below)
        });
        paths.into_iter().flatten().next()
    }

    /// The path of a source file of a package (with `.` between its parts), relative to the repository if it is in it;
    /// of a file that does not exist, the path below its package.
    pub fn path(&self, package: &str, file: &str) -> String {
        let Some(found) = self.find(package, file) else {
            return match package {
                "" => file.to_owned(),
                package => format!("{}/{file}", package.replace('.', "/")),
            };
        };
        let relative = self.repository.relative(&found);
        relative.unwrap_or_else(|| found.to_string_lossy().into_owned())
    }
}

/// Extensions of the languages that are compiled to class files.
const LANGUAGES: [&str; 8] = ["java", "kt", "kts", "scala", "groovy", "clj", "aj", "xtend"];

fn is_source(file: &str) -> bool {
    let name = file.rsplit_once('.');
    name.is_some_and(|(stem, extension)| !stem.is_empty() && LANGUAGES.contains(&extension))
}

/// The path of a file below a folder, if no part of it is a link.
fn plain_file(folder: &Path, parts: &[&str]) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for (at, part) in parts.iter().enumerate() {
        path.push(part);
        let found = path.symlink_metadata().ok()?;
        let last = at + 1 == parts.len();
        (if last {
            found.is_file()
        } else {
            found.is_dir()
        })
        .then_some(())?;
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_relative_to_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for file in ["repo/app/a/b/C.java", "other/D.java"] {
            std::fs::create_dir_all(path(file).parent().unwrap()).unwrap();
            std::fs::write(path(file), "").unwrap();
        }
        std::fs::create_dir_all(path("repo/.git")).unwrap();
        let text = |name: &str| path(name).to_str().unwrap().to_owned();
        let folders = ["no/such", "repo/app", "other"].map(text).to_vec();
        let info = RunInfo {
            file: Some(text("repo/ci/droidtest.toml")),
            sources: [("x".to_owned(), folders)].into(),
            ..RunInfo::default()
        };
        let sources = Sources::of(&info, "x");
        assert_eq!(sources.folders(), [path("repo/app"), path("other")]);
        assert_eq!(sources.path("a.b", "C.java"), "app/a/b/C.java");
        assert_eq!(sources.path("k.a.b", "C.java"), "app/a/b/C.java");
        assert_eq!(sources.path("", "D.java"), text("other/D.java"));
        assert_eq!(sources.path("a.b", "E.java"), "a/b/E.java");
        assert_eq!(sources.path("a.b", "../b/C.java"), "a/b/../b/C.java");
        assert!(Sources::of(&info, "y").folders().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn only_source_files_are_found_and_no_link_is_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("home/keys")).unwrap();
        std::fs::create_dir_all(path("app/a")).unwrap();
        for file in [
            "home/id_rsa",
            "home/keys/K.java",
            "app/id_rsa",
            "app/.env.java",
            "app/a/C.java",
        ] {
            std::fs::write(path(file), "secret").unwrap();
        }
        std::fs::write(path("app/local.properties"), "key=secret").unwrap();
        symlink(path("home/id_rsa"), path("app/a/Key.java")).unwrap();
        symlink(path("home/keys"), path("app/keys")).unwrap();
        let sources = Sources::in_folders(&RunInfo::default(), [path("app")]);
        assert_eq!(sources.find("a", "C.java"), Some(path("app/a/C.java")));
        for (package, file) in [
            ("", "id_rsa"),
            ("", "./id_rsa"),
            (".", "id_rsa"),
            ("", "local.properties"),
            ("", ".java"),
            ("a", "Key.java"),
            ("keys", "K.java"),
            ("", "../home/keys/K.java"),
            ("", "a/C.java"),
            ("", "a\\C.java"),
        ] {
            assert_eq!(sources.find(package, file), None, "{package} {file}");
        }
    }
}
