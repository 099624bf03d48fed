//! The classes of a class path: jars with class files.

use super::class_file::ClassFile;
use super::{ClassInfo, Hierarchy};
use rustc_hash::FxHashMap;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use zip::ZipArchive;
use zip::result::ZipError;

/// Class files are smaller; a larger entry of a jar is no class.
const LARGEST: u64 = 64 << 20;

/// A jar cannot be read.
#[derive(Debug)]
pub struct JarError {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub cause: ZipError,
}

impl fmt::Display for JarError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for JarError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Where a class is, and what is known of it once it was asked for.
#[derive(Debug)]
struct Slot {
    jar: usize,
    entry: usize,
    class: OnceLock<Option<ClassFile>>,
}

/// The classes of jars. Of two with one name the first counts.
pub struct Jars {
    jars: Vec<Mutex<ZipArchive<BufReader<File>>>>,
    slots: FxHashMap<Box<[u8]>, Slot>,
}

impl fmt::Debug for Jars {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Jars({} classes)", self.slots.len())
    }
}

impl Jars {
    /// Reads the directories of jars. A class is read when it is first asked for.
    ///
    /// # Errors
    /// If a file cannot be opened, or is no jar.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, JarError> {
        let mut made = Self {
            jars: Vec::new(),
            slots: FxHashMap::default(),
        };
        for path in paths {
            let path = path.as_ref();
            made.add(path).map_err(|cause| JarError {
                path: path.to_owned(),
                cause,
            })?;
        }
        Ok(made)
    }

    fn add(&mut self, path: &Path) -> Result<(), ZipError> {
        let archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
        let jar = self.jars.len();
        for entry in 0..archive.len() {
            let name = archive
                .name_for_index(entry)
                .and_then(|name| name.strip_suffix(".class"));
            // Classes for certain versions of Java lie in folders that no class can be named after.
            if let Some(name) = name.filter(|name| !name.starts_with("META-INF/")) {
                self.slots.entry(name.as_bytes().into()).or_insert(Slot {
                    jar,
                    entry,
                    class: OnceLock::new(),
                });
            }
        }
        self.jars.push(Mutex::new(archive));
        Ok(())
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    fn find(&self, name: &[u8]) -> Option<&ClassFile> {
        let slot = self.slots.get(name)?;
        let class = slot.class.get_or_init(|| {
            let class = ClassFile::read(&self.bytes(slot)?)?;
            // A class under another name cannot be loaded.
            (class.name() == name).then_some(class)
        });
        class.as_ref()
    }

    fn bytes(&self, slot: &Slot) -> Option<Vec<u8>> {
        let mut jar = self.jars[slot.jar]
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut bytes = Vec::new();
        let entry = jar.by_index(slot.entry).ok()?;
        entry.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

impl Hierarchy for Jars {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        Some(self.find(name)?.info())
    }

    fn contains(&self, name: &[u8]) -> bool {
        self.find(name).is_some()
    }

    fn method(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<u16> {
        self.find(class)?.method(name, descriptor)
    }
}

#[cfg(test)]
#[path = "jars_tests.rs"]
mod tests;
