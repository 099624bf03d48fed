//! The app's APK: its dex files, mapped into memory, and the plain files that its code reads.

use memmap2::Mmap;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

/// No single entry of an app is this large; a header that reports it is a bomb.
const ENTRY_LIMIT: u64 = 512 << 20;
/// Where the tool puts the resources of an app's splits.
const SPLITS: &str = "droidtest-splits/";
/// Files that only a package installer reads.
const SIGNATURES: [&str; 5] = [".SF", ".RSA", ".DSA", ".EC", ".MF"];

/// An open APK. Sizes are counted while reading, never taken from a header.
pub struct Package {
    zip: ZipArchive<BufReader<File>>,
    file: File,
}

impl Package {
    /// Opens an APK.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|why| format!("it cannot be read ({why})"))?;
        let again = file
            .try_clone()
            .map_err(|why| format!("it cannot be read ({why})"))?;
        let zip = ZipArchive::new(BufReader::new(file))
            .map_err(|why| format!("not a zip file ({why})"))?;
        Ok(Self { zip, file: again })
    }

    /// Maps the dex files, in the order in which Android loads them. Compressed ones are unpacked into files without a
    /// name, so that their pages need not stay in memory.
    pub fn dex_files(&mut self, scratch: &Path) -> Result<Vec<(String, Mapped)>, String> {
        let mut found = Vec::new();
        for number in 1.. {
            let name = match number {
                1 => "classes.dex".to_owned(),
                _ => format!("classes{number}.dex"),
            };
            if self.zip.index_for_name(&name).is_none() {
                break;
            }
            let mapped = self
                .map(&name, scratch)
                .map_err(|why| format!("{name} cannot be read: {why}"))?;
            found.push((name, mapped));
        }
        match found.is_empty() {
            true => Err("no dex code inside".to_owned()),
            false => Ok(found),
        }
    }

    fn map(&mut self, name: &str, scratch: &Path) -> io::Result<Mapped> {
        let mut entry = self.zip.by_name(name)?;
        if entry.size() > ENTRY_LIMIT {
            return Err(io::Error::other(format!(
                "it claims {} bytes",
                entry.size()
            )));
        }
        let stored = entry.compression() == CompressionMethod::Stored && !entry.encrypted();
        if let (true, Some(from)) = (stored, entry.data_start()) {
            return Mapped::part(&self.file, from, entry.compressed_size());
        }
        let mut unpacked = tempfile::tempfile_in(scratch)?;
        let size = io::copy(&mut (&mut entry).take(ENTRY_LIMIT + 1), &mut unpacked)?;
        if size > ENTRY_LIMIT {
            return Err(io::Error::other("it is too large"));
        }
        unpacked.seek(SeekFrom::Start(0))?;
        Mapped::part(&unpacked, 0, size)
    }

    /// Names of the plain files that app code reads through its class loader (`META-INF/services`, properties and so on).
    pub fn java_resources(&self) -> BTreeSet<String> {
        let names = self.zip.file_names();
        names
            .filter(|name| is_resource(name))
            .map(str::to_owned)
            .collect()
    }

    /// The bytes of an entry.
    pub fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let damaged = |why: &dyn std::fmt::Display| format!("{name} cannot be read: {why}");
        let entry = self.zip.by_name(name).map_err(|why| damaged(&why))?;
        let mut bytes = Vec::new();
        entry
            .take(ENTRY_LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(|why| damaged(&why))?;
        match bytes.len() as u64 > ENTRY_LIMIT {
            true => Err(format!("{name} is too large")),
            false => Ok(bytes),
        }
    }
}

fn is_resource(name: &str) -> bool {
    let android = name.starts_with("res/")
        || name.starts_with("assets/")
        || name.starts_with("lib/")
        || name.ends_with(".dex")
        || name.ends_with(".class")
        || name.starts_with(SPLITS)
        || name == "resources.arsc"
        || name == "AndroidManifest.xml";
    let signature = name.strip_prefix("META-INF/").is_some_and(|rest| {
        !rest.contains('/') && SIGNATURES.iter().any(|suffix| rest.ends_with(suffix))
    });
    let leads_out = name.starts_with('/')
        || name.contains(['\\', '\0'])
        || name.split('/').any(|part| part == ".." || part.is_empty());
    !android && !signature && !leads_out
}

/// A part of a file in memory. Its pages are read when they are used, and given back under pressure.
pub struct Mapped {
    map: Option<Mmap>,
    skipped: usize,
}

impl Mapped {
    /// All of a file.
    pub fn whole(file: &File) -> io::Result<Self> {
        Self::part(file, 0, file.metadata()?.len())
    }

    fn part(file: &File, from: u64, length: u64) -> io::Result<Self> {
        // Mappings begin at pages.
        let begin = from & !0xffff;
        let skipped = usize::try_from(from - begin).map_err(io::Error::other)?;
        let length = usize::try_from(length).map_err(io::Error::other)?;
        if file.metadata()?.len() < from.saturating_add(length as u64) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if length == 0 {
            return Ok(Self {
                map: None,
                skipped: 0,
            });
        }
        // Safety: a file that somebody cuts off while it is mapped ends this process, which only translates it.
        #[allow(unsafe_code)]
        let map = unsafe {
            memmap2::MmapOptions::new()
                .offset(begin)
                .len(skipped + length)
                .map(file)?
        };
        Ok(Self {
            map: Some(map),
            skipped,
        })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |map| &map[self.skipped..])
    }
}

#[cfg(test)]
mod tests {
    use super::is_resource;

    #[test]
    fn resources_are_what_class_loaders_give() {
        for name in [
            "META-INF/services/a.B",
            "kotlin/kotlin.kotlin_builtins",
            "a.properties",
        ] {
            assert!(is_resource(name), "{name}");
        }
        for name in [
            "classes.dex",
            "res/a.xml",
            "assets/x",
            "lib/x86/a.so",
            "resources.arsc",
            "META-INF/CERT.RSA",
            "../x",
            "/x",
            "a/../b",
            "a\\b",
            "droidtest-splits/x",
            "folder/",
        ] {
            assert!(!is_resource(name), "{name}");
        }
    }
}
