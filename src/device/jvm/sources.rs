//! The Java sources of the agent and the list of its parts, carried inside this program.

use super::cache::hash_bytes;
use crate::util::hash;
use include_dir::{Dir, include_dir};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

static AGENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/device/agent");

/// The project file that names the parts.
pub fn pom() -> &'static [u8] {
    AGENT.get_file("pom.xml").map_or(b"", |f| f.contents())
}

/// A name for this set of parts.
pub fn pom_key() -> String {
    short(&hash_bytes(pom()))
}

/// A name for all sources.
pub fn java_key() -> String {
    key_below("")
}

/// A name for the translator alone, so that a change of the agent leaves translated apps valid.
pub fn translator_key() -> String {
    key_below("droidtest/tool")
}

fn key_below(folder: &str) -> String {
    let mut all = 0;
    for (path, content) in java_files() {
        if !path.starts_with(folder) {
            continue;
        }
        all = hash::mix(all, hash::of_bytes(path.as_os_str().as_encoded_bytes()));
        all = hash::mix(all, hash::of_bytes(content));
    }
    format!("{all:016x}")
}

/// Writes the sources below `to`; gives the files to compile.
pub fn write_java(to: &Path) -> io::Result<Vec<PathBuf>> {
    let mut compile = Vec::new();
    for (path, content) in java_files() {
        let target = to.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&target, content)?;
        if target.extension().is_some_and(|e| e == "java") {
            compile.push(target);
        }
    }
    Ok(compile)
}

/// Files below `java/`, by their path there.
fn java_files() -> Vec<(&'static Path, &'static [u8])> {
    fn walk(dir: &'static Dir<'static>, to: &mut Vec<(&'static Path, &'static [u8])>) {
        for file in dir.files() {
            if let Ok(path) = file.path().strip_prefix("java") {
                to.push((path, file.contents()));
            }
        }
        for dir in dir.dirs() {
            walk(dir, to);
        }
    }
    let mut files = Vec::new();
    walk(&AGENT, &mut files);
    files.sort_unstable_by_key(|(path, _)| *path);
    files
}

/// Enough of a hash to name a folder.
pub fn short(hash: &str) -> String {
    hash.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::jvm::cache::files_below;

    #[test]
    fn the_sources_inside_are_those_of_the_tree() {
        let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/device/agent/java");
        let inside: Vec<_> = java_files()
            .iter()
            .map(|(path, _)| path.to_string_lossy().into_owned())
            .collect();
        assert_eq!(
            inside,
            files_below(&tree).unwrap(),
            "touch src/device/jvm/sources.rs"
        );
        assert!(pom().starts_with(b"<?xml"));
    }
}
