//! The zip archive behind an APK. Sizes are counted while reading, never believed; nothing is written to disk.

use super::error::Problem;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// The largest AndroidManifest.xml read.
pub(super) const MANIFEST_LIMIT: u64 = 8 << 20;
/// The largest resources.arsc read.
pub(super) const TABLE_LIMIT: u64 = 128 << 20;
/// The largest dex file read. A dex file refers to at most 65,536 methods; 30 MB is rare.
pub(super) const DEX_LIMIT: u64 = 128 << 20;

/// An open APK.
pub(super) struct Archive {
    zip: ZipArchive<BufReader<File>>,
}

impl Archive {
    pub fn open(path: &Path) -> Result<Self, Problem> {
        // Opening a pipe would wait for its writer.
        let meta = std::fs::metadata(path)?;
        if !meta.is_file() {
            return Err(Problem::Unreadable(io::Error::other("it is not a file")));
        }
        let mut file = File::open(path)?;
        if meta.len() == 0 {
            return Err(Problem::Empty);
        }
        let mut magic = [0; 4];
        let begins_like_zip = file.read_exact(&mut magic).is_ok() && magic == *b"PK\x03\x04";
        file.rewind()?;
        let zip = ZipArchive::new(BufReader::new(file)).map_err(|error| match error {
            ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                Problem::Unreadable(error)
            }
            _ if begins_like_zip => Problem::CutOff,
            _ => Problem::NotZip,
        })?;
        super::layout::check(path).map_err(Problem::Layout)?;
        let archive = Self { zip };
        if let Some(name) = archive.zip.file_names().find(|name| leads_out(name)) {
            return Err(Problem::UnsafeName(
                crate::util::text::for_terminal(name).into_owned(),
            ));
        }
        Ok(archive)
    }

    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The names of all entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.zip.file_names()
    }

    /// The dex files in the order Android loads them.
    pub fn dex_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if self.has("classes.dex") {
            names.push("classes.dex".to_owned());
            let more = (2..).map(|n| format!("classes{n}.dex"));
            names.extend(more.take_while(|name| self.has(name)));
        }
        names
    }

    /// The app's XML resources, wherever a tool that shortens paths put them.
    pub fn xml_names(&self) -> Vec<String> {
        let names = self.zip.file_names();
        let resources = names.filter(|n| n.ends_with(".xml") && *n != "AndroidManifest.xml");
        resources.map(str::to_owned).collect()
    }

    /// What kind of app archive this is when it is no APK.
    pub fn bundle_kind(&self) -> Option<&'static str> {
        if self.has("BundleConfig.pb") {
            Some("an app bundle (.aab)")
        } else if self.zip.file_names().any(|name| name.ends_with(".apk")) {
            Some("a set of APKs (.apks, .xapk or .apkm)")
        } else {
            None
        }
    }

    /// One entry, unpacked; `None` when there is none of the name.
    pub fn read(&mut self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, Problem> {
        let damaged = |why: String| Problem::Damaged {
            entry: name.to_owned(),
            why,
        };
        let too_large = |claimed| Problem::TooLarge {
            entry: name.to_owned(),
            claimed,
            limit,
        };
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(Problem::Encrypted {
                    entry: name.to_owned(),
                });
            }
            Err(error) => return Err(damaged(error.to_string())),
        };
        if entry.size() > limit {
            return Err(too_large(entry.size()));
        }
        let mut bytes = Vec::new();
        entry
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| damaged(error.to_string()))?;
        let size = bytes.len() as u64;
        if size > limit {
            return Err(too_large(size));
        }
        Ok(Some(bytes))
    }
}

/// Would unpacking this name write outside the folder?
fn leads_out(name: &str) -> bool {
    name.starts_with('/')
        || name.contains('\0')
        || name.split(['/', '\\']).any(|part| part == "..")
        || name.as_bytes().get(1) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_known() {
        for name in [
            "../x",
            "a/../../x",
            "/etc/x",
            "..\\x",
            "a\\..\\x",
            "C:\\x",
            "a\0b",
        ] {
            assert!(leads_out(name), "{name}");
        }
        for name in ["a/b", "res/..9.png", "assets/a..b/c"] {
            assert!(!leads_out(name), "{name}");
        }
    }
}
