//! The device's files: a tree in memory with a limit.

use std::collections::BTreeMap;

/// One file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Unix mode bits, kind included.
    pub mode: u32,
    /// Seconds since 1970.
    pub time: u32,
    /// Contents.
    pub data: Vec<u8>,
}

/// All files by path.
#[derive(Debug)]
pub struct Files {
    files: BTreeMap<String, File>,
    /// Bytes that fit.
    pub room: usize,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            files: BTreeMap::new(),
            room: 512 << 20,
        }
    }
}

/// Folders that every device has.
const FOLDERS: [&str; 6] = [
    "/",
    "/sdcard",
    "/data/local/tmp",
    "/data",
    "/data/local",
    "/storage/emulated/0",
];

/// One name for a file however it is reached.
pub fn path(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let whole = format!("/{}", parts.join("/"));
    match whole.strip_prefix("/storage/emulated/0") {
        Some(rest) => format!("/sdcard{rest}"),
        None => whole,
    }
}

impl Files {
    /// Writes a file.
    ///
    /// # Errors
    /// The system's words.
    pub fn write(&mut self, name: &str, file: File) -> Result<(), &'static str> {
        let name = path(name);
        let used: usize = self
            .files
            .iter()
            .filter(|(n, _)| **n != name)
            .map(|(_, f)| f.data.len())
            .sum();
        if used + file.data.len() > self.room {
            return Err("No space left on device");
        }
        if name.starts_with("/system") || name.starts_with("/proc") {
            return Err("Read-only file system");
        }
        self.files.insert(name, file);
        Ok(())
    }

    /// Does so much fit next to what is there?
    pub fn has_room(&self, bytes: usize) -> bool {
        let used: usize = self.files.values().map(|file| file.data.len()).sum();
        used + bytes <= self.room
    }

    /// A file.
    pub fn get(&self, name: &str) -> Option<&File> {
        self.files.get(&path(name))
    }

    /// All of them, by their paths.
    pub fn all(&self) -> impl Iterator<Item = (&String, &File)> {
        self.files.iter()
    }

    /// Removes a file, or a folder with all in it.
    pub fn remove(&mut self, name: &str) -> bool {
        let name = path(name);
        let below = format!("{name}/");
        let before = self.files.len();
        self.files
            .retain(|n, _| *n != name && !n.starts_with(&below));
        before != self.files.len()
    }

    /// Is it a folder?
    pub fn is_folder(&self, name: &str) -> bool {
        let name = path(name);
        FOLDERS.contains(&name.as_str())
            || self
                .files
                .keys()
                .any(|n| n.starts_with(&format!("{name}/")))
    }

    /// Names directly in a folder.
    pub fn list(&self, name: &str) -> Vec<(String, File)> {
        let below = format!("{}/", path(name).trim_end_matches('/'));
        let direct = |n: &String| {
            n.strip_prefix(&below)
                .is_some_and(|rest| !rest.contains('/'))
        };
        self.files
            .iter()
            .filter(|(n, _)| direct(n))
            .map(|(n, f)| (n[below.len()..].to_owned(), f.clone()))
            .collect()
    }
}
