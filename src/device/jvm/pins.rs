//! Downloads must equal those that this version was built with, so a repository, proxy or mirror cannot replace a file
//! under the same name.

use super::native;
use crate::device::DeviceError;
use crate::util::sha256;
use std::fs;
use std::path::Path;

/// One line per file: the hash, two spaces, the name.
const PINS: &str = include_str!("pins.txt");

/// Compares each jar and archive of a folder with its pin.
pub fn check(folder: &Path) -> Result<(), DeviceError> {
    against(PINS, folder)
}

/// The pinned hash of a file of a downloaded entry; none for files that are rewritten after the download.
///
/// # Errors
/// It is an unknown jar.
pub fn of(path: &str) -> Result<Option<&'static str>, String> {
    if !path.ends_with(".jar") || path.starts_with(native::JAR) {
        return Ok(None);
    }
    let pinned = hash_of(PINS, path);
    pinned
        .map(Some)
        .ok_or_else(|| format!("{path} is unknown to this version"))
}

fn hash_of<'a>(pins: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = pins.lines().filter_map(|line| line.split_once("  "));
    lines.find_map(|(hash, pinned)| (pinned == name).then_some(hash))
}

fn against(pins: &str, folder: &Path) -> Result<(), DeviceError> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "jar" && e != "aar") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(pinned) = hash_of(pins, &name) else {
            return Err(DeviceError::Setup(format!(
                "Maven fetched {name}, which is unknown to this version, so it is not used. Check settings.xml and the mirrors in it"
            )));
        };
        let found = sha256::of_file(&path)?;
        if found != pinned {
            return Err(DeviceError::Setup(format!(
                "Maven fetched another {name} than this version was built with (SHA-256 {found}, expected {pinned}), so it is not used. Remove it from Maven's local repository and check the mirrors in settings.xml"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_another_or_not_known_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a-1.jar");
        fs::write(&jar, "abc").unwrap();
        fs::write(folder.path().join("notes.txt"), "not looked at").unwrap();
        let pins = format!("# why\n{}  a-1.jar\n", sha256::of_bytes(b"abc"));
        against(&pins, folder.path()).unwrap();
        fs::write(&jar, "abd").unwrap();
        let error = against(&pins, folder.path()).unwrap_err().to_string();
        assert!(error.contains("another a-1.jar"), "{error}");
        fs::remove_file(&jar).unwrap();
        fs::write(folder.path().join("b-1.aar"), "abc").unwrap();
        let error = against(&pins, folder.path()).unwrap_err().to_string();
        assert!(error.contains("b-1.aar, which"), "{error}");
    }

    #[test]
    fn what_is_laid_out_anew_has_no_pin_and_what_is_unknown_is_refused() {
        assert_eq!(of("fonts/Roboto-Regular.ttf"), Ok(None));
        assert_eq!(of("nativeruntime-dist-compat-1.0.18.jar"), Ok(None));
        assert_eq!(of("annotations-4.16.1.jar").unwrap().unwrap().len(), 64);
        assert!(of("strange-1.jar").is_err() && of("fonts/strange.jar").is_err());
    }

    #[test]
    fn the_jar_in_each_archive_is_pinned_like_it() {
        for line in PINS.lines().filter(|line| line.ends_with(".aar")) {
            let (_, name) = line.split_once("  ").unwrap();
            let jar = name.replace(".aar", ".jar");
            assert!(hash_of(PINS, &jar).is_some(), "{jar}");
        }
    }

    #[test]
    fn every_android_version_is_pinned() {
        for sdk in super::super::parts::SDKS {
            let name = super::super::parts::jar_name(sdk);
            assert!(PINS.lines().any(|line| line.ends_with(&name)), "{name}");
        }
    }
}
