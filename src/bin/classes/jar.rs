//! Jars of class files.

use crate::reuse::OldJar;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A jar that is being written. Entries are not compressed: that would take longer than the translation.
pub struct Jar {
    zip: ZipWriter<BufWriter<File>>,
    name: &'static str,
}

impl Jar {
    /// Begins a jar in a folder.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(folder: &Path, name: &'static str) -> Result<Self, String> {
        let file = File::create(folder.join(name)).map_err(|why| format!("{name}: {why}"))?;
        let zip = ZipWriter::new(BufWriter::with_capacity(1 << 18, file));
        Ok(Self { zip, name })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// The jar cannot be written, or has such an entry.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.zip
            .start_file(name, options)
            .map_err(io::Error::from)
            .and_then(|()| self.zip.write_all(bytes))
            .map_err(|why| format!("{}: {name}: {why}", self.name))
    }

    /// Copies classes from the jar of an earlier translation.
    ///
    /// # Errors
    /// That jar is damaged, or this one cannot be written.
    pub fn copy(&mut self, old: &mut OldJar, classes: &[String]) -> Result<(), String> {
        let damaged = |why: &dyn std::fmt::Display| format!("an earlier {}: {why}", self.name);
        for class in classes {
            let entry = old.index_for_name(class);
            let entry = entry.ok_or_else(|| damaged(&class))?;
            let entry = old.by_index_raw(entry).map_err(|why| damaged(&why))?;
            self.zip.raw_copy_file(entry).map_err(|why| damaged(&why))?;
        }
        Ok(())
    }

    /// Ends the jar.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> Result<(), String> {
        let name = self.name;
        let flushed = self.zip.finish().map_err(io::Error::from);
        let flushed = flushed.and_then(|mut out| out.flush());
        flushed.map_err(|why| format!("{name}: {why}"))
    }
}
