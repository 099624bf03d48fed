//! The files of flows inside a flow. All of them lie below the folder of the flow that is read: it may be anybody's, and
//! what it names must not show another file of this machine.

use super::LARGEST;
use crate::util::untrusted::Folder;
use std::path::{Component, Path, PathBuf};

/// Flows inside each other at most.
const DEPTH: usize = 16;

/// Where files are found.
#[derive(Debug)]
pub struct Files {
    /// The folder of the flow.
    root: PathBuf,
    /// Folders of the files that are being read, below it.
    folders: Vec<PathBuf>,
}

impl Files {
    /// Those beside the flow in this file.
    pub fn beside(flow: &Path) -> Self {
        let folder = flow.parent().unwrap_or(Path::new(""));
        Self {
            root: match folder.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => folder.to_owned(),
            },
            folders: vec![PathBuf::new()],
        }
    }

    /// Reads the file that the current one names; it is the current one until [`Self::leave`].
    ///
    /// # Errors
    /// What is wrong, and the fix.
    pub fn enter(&mut self, name: &str) -> Result<String, (String, &'static str)> {
        if self.folders.len() > DEPTH {
            let message = format!("more than {DEPTH} flows inside each other");
            return Err((message, "does a flow run itself?"));
        }
        let current = self.folders.last().cloned().unwrap_or_default();
        let inside = below(&current, name).ok_or_else(|| {
            let message = format!("the flow `{name}` is not below the folder of the flow");
            (message, "move it there, or put its commands here")
        })?;
        let unread = |why: &dyn std::fmt::Display| {
            let message = format!("the flow `{name}` cannot be read: {why}");
            (message, "check the path, or put its commands here")
        };
        // The user's own path of the folder may be a link; below it none is followed.
        let root = self.root.canonicalize().map_err(|e| unread(&e))?;
        let read = Folder::open(&root).and_then(|folder| folder.read(&inside, LARGEST));
        let bytes = read.map_err(|e| unread(&e))?;
        let text = String::from_utf8(bytes).map_err(|_| unread(&"it is not UTF-8"))?;
        let folder = inside.parent().unwrap_or(Path::new(""));
        self.folders.push(folder.to_owned());
        Ok(text)
    }

    /// The file was read.
    pub fn leave(&mut self) {
        self.folders.pop();
    }
}

/// The path of a name in a folder, both below the root; `None`: it leads out.
fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in Path::new(name).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => path.push(part),
            Component::ParentDir => path.pop().then_some(())?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let of = |folder: &str, name: &str| below(Path::new(folder), name);
        assert_eq!(of("", "a/b.yaml"), Some("a/b.yaml".into()));
        assert_eq!(of("a", "./b.yaml"), Some("a/b.yaml".into()));
        assert_eq!(of("a", "../b.yaml"), Some("b.yaml".into()));
        for name in ["/etc/passwd", "../../b.yaml", "../../etc/passwd", "../.."] {
            assert_eq!(of("a", name), None, "{name}");
        }
        assert_eq!(of("", "."), None);
        assert_eq!(of("", "../b.yaml"), None);
        assert_eq!(of("a", "../../a/b.yaml"), None);
    }
}
