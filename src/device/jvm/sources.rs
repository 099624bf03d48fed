//! The Java sources of the agent and the list of its parts, embedded in this program.

use crate::util::hash;
use crate::util::sha256;
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
    short(&sha256::of_bytes(pom()))
}

/// The project file of the web view engine.
pub fn web_pom() -> &'static [u8] {
    AGENT.get_file("web/pom.xml").map_or(b"", |f| f.contents())
}

/// A name for this engine.
pub fn web_pom_key() -> String {
    short(&sha256::of_bytes(web_pom()))
}

/// A name for all sources.
pub fn java_key() -> String {
    key_below("")
}

/// A name for the translator alone, so that a change of the agent leaves translated apps valid.
pub fn translator_key() -> String {
    key_below("droidtest/tool")
}

/// A name for everything that decides which methods of the framework are called directly: the tool's sources, the
/// shadows' sources, and the libraries' entry.
pub fn framework_key(libraries: &str) -> String {
    let mut files = java_files();
    files.retain(|(path, content)| {
        path.starts_with("droidtest/framework")
            || path.ends_with("tool/Waits.java")
            || path.ends_with("Shadowing.java")
            || std::str::from_utf8(content).is_ok_and(|text| text.contains("@Implements("))
    });
    short(&sha256::of_bytes(
        format!("{}{libraries}", key_of(&files)).as_bytes(),
    ))
}

/// A name for the scheduler and the tool that applies it to Java's threads.
pub fn scheduler_key() -> String {
    let mut files = java_files();
    files.retain(|(path, _)| {
        path.starts_with("droidtest/sched")
            || path.starts_with("droidtest/framework")
            || path.ends_with("tool/Waits.java")
    });
    key_of(&files)
}

/// A name for the agent's classes that an app can see, and for the tool that lists them with the platform's, so that
/// another change of the agent leaves the list and translated apps valid.
pub fn platform_key() -> String {
    let mut files = java_files();
    files.retain(|(path, _)| {
        path.starts_with("droidtest/host/box")
            || path.ends_with("host/AndroidApi.java")
            || path.ends_with("host/android-api.txt")
            || path.ends_with("host/AppClassLoader.java")
            || path.ends_with("host/Probes.java")
            || path.ends_with("sched/Hooks.java")
            || path.ends_with("tool/PlatformIndex.java")
    });
    key_of(&files)
}

/// A name for the sources of the agent for devices.
pub fn device_key() -> String {
    key_of(&device_files())
}

/// Writes the sources of the agent for devices below `to`; returns the files to compile.
///
/// # Errors
/// The folder cannot be written.
pub fn write_device(to: &Path) -> io::Result<Vec<PathBuf>> {
    write(to, device_files())
}

/// Files below `device/`, and the JSON that both agents speak.
fn device_files() -> Vec<(&'static Path, &'static [u8])> {
    let shared = Path::new("droidtest/host/Json.java");
    let mut files = files_below("device");
    files.extend(java_files().into_iter().filter(|(path, _)| *path == shared));
    files
}

fn key_below(folder: &str) -> String {
    let mut files = java_files();
    files.retain(|(path, _)| path.starts_with(folder));
    key_of(&files)
}

fn key_of(files: &[(&Path, &[u8])]) -> String {
    let mut all = 0;
    for (path, content) in files {
        all = hash::mix(all, hash::of_bytes(path.as_os_str().as_encoded_bytes()));
        all = hash::mix(all, hash::of_bytes(content));
    }
    format!("{all:016x}")
}

/// Writes the sources below `to`; returns the files to compile.
pub fn write_java(to: &Path) -> io::Result<Vec<PathBuf>> {
    write(to, java_files())
}

fn write(to: &Path, files: Vec<(&'static Path, &'static [u8])>) -> io::Result<Vec<PathBuf>> {
    let mut compile = Vec::new();
    for (path, content) in files {
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
    files_below("java")
}

/// Files below a folder of the agent's, by their path there.
fn files_below(root: &str) -> Vec<(&'static Path, &'static [u8])> {
    fn walk(dir: &'static Dir<'static>, root: &str, to: &mut Vec<(&'static Path, &'static [u8])>) {
        for file in dir.files() {
            if let Ok(path) = file.path().strip_prefix(root) {
                to.push((path, file.contents()));
            }
        }
        for dir in dir.dirs() {
            walk(dir, root, to);
        }
    }
    let mut files = Vec::new();
    walk(&AGENT, root, &mut files);
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

    #[test]
    fn the_sources_inside_are_those_of_the_tree() {
        let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/device/agent/java");
        let inside: Vec<_> = java_files()
            .iter()
            .map(|(path, _)| path.to_string_lossy().into_owned())
            .collect();
        assert_eq!(
            inside,
            sha256::files_below(&tree).unwrap(),
            "touch src/device/jvm/sources.rs"
        );
        assert!(pom().starts_with(b"<?xml"));
        assert!(web_pom().starts_with(b"<?xml"));
    }
}
