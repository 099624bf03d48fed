//! Jars of class files.
//!
//! A jar of a large app has more than 100,000 entries. What this keeps in memory of each is its record in the directory
//! at the end of the file, and the entries of one dex file are one run of bytes there and in the directory, which a later
//! translation copies as a whole. (The format: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16.)

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;

const ENTRY: u32 = 0x0403_4b50;
const RECORD: u32 = 0x0201_4b50;
/// Bytes of a record before its name, and where in it the length of the name and the entry's place are.
const RECORD_HEAD: usize = 46;
const NAME_LENGTH: usize = 28;
const PLACE: usize = 42;
/// Version 1.0 suffices to read an entry that is not compressed.
const VERSION: u16 = 10;
const VERSION_64: u16 = 45;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// 1 January 1980, the earliest date of the format.
const DATE: u16 = 0x21;

/// A jar that is being written. Entries are not compressed: that would take longer than the translation.
pub struct Jar {
    out: BufWriter<File>,
    /// Bytes written.
    at: u64,
    directory: Vec<u8>,
    entries: u64,
    name: &'static str,
}

/// A place in a jar, while it is written.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// Bytes before it.
    bytes: u64,
    /// Bytes of the directory before it.
    directory: u64,
    /// Entries before it.
    entries: u64,
}

/// A finished jar.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Whole {
    /// Where its directory begins.
    directory: u64,
    /// Its bytes.
    length: u64,
}

impl Jar {
    /// Begins a jar in a folder.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(folder: &Path, name: &'static str) -> Result<Self, String> {
        let file = File::create(folder.join(name)).map_err(|why| format!("{name}: {why}"))?;
        Ok(Self {
            out: BufWriter::with_capacity(1 << 18, file),
            at: 0,
            directory: Vec::new(),
            entries: 0,
            name,
        })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// The jar cannot be written, or has no room for the entry.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        self.add(name, bytes)
            .map_err(|why| format!("{}: {name}: {why}", self.name))
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let large = |_| io::Error::other("it is too large");
        let length = u16::try_from(name.len()).map_err(large)?;
        let size = u32::try_from(bytes.len()).map_err(large)?;
        let place = u32::try_from(self.at).map_err(large)?;
        // What an entry and its record in the directory have in common.
        let mut shared = Vec::with_capacity(26);
        for number in [VERSION, UTF8, 0, 0, DATE] {
            shared.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(bytes), size, size] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(length.to_le_bytes());
        shared.extend([0; 2]);
        self.directory.extend(RECORD.to_le_bytes());
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend_from_slice(&shared);
        self.directory.extend([0; 10]);
        self.directory.extend(place.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.entries += 1;
        let head = ENTRY.to_le_bytes();
        for part in [&head, &shared[..], name.as_bytes(), bytes] {
            self.out.write_all(part)?;
            self.at += part.len() as u64;
        }
        Ok(())
    }

    /// Where the next entry will be.
    pub fn mark(&self) -> Mark {
        Mark {
            bytes: self.at,
            directory: self.directory.len() as u64,
            entries: self.entries,
        }
    }

    /// Copies the entries between two places of another jar.
    ///
    /// # Errors
    /// That jar is damaged, or this one cannot be written.
    pub fn copy(&mut self, old: &mut OldJar, [from, to]: [Mark; 2]) -> Result<(), String> {
        self.copy_entries(old, from, to)
            .map_err(|why| format!("an earlier {}: {why}", self.name))
    }

    fn copy_entries(&mut self, old: &mut OldJar, from: Mark, to: Mark) -> io::Result<()> {
        let damaged = || io::Error::other("it is damaged");
        let length = to.bytes.checked_sub(from.bytes).ok_or_else(damaged)?;
        let records = to.directory.checked_sub(from.directory);
        let mut records = old.records(from.directory, records.ok_or_else(damaged)?)?;
        let mut rest = &mut records[..];
        let mut count = 0;
        while !rest.is_empty() {
            let head = rest.get(..RECORD_HEAD).ok_or_else(damaged)?;
            let name = usize::from(u16::from_le_bytes([
                head[NAME_LENGTH],
                head[NAME_LENGTH + 1],
            ]));
            let place: &mut [u8; 4] = rest[PLACE..].first_chunk_mut().ok_or_else(damaged)?;
            let before = u64::from(u32::from_le_bytes(*place)).checked_sub(from.bytes);
            let new = before
                .filter(|before| *before < length)
                .ok_or_else(damaged)?
                + self.at;
            let new = u32::try_from(new).map_err(|_| io::Error::other("it is too large"))?;
            *place = new.to_le_bytes();
            rest = rest.get_mut(RECORD_HEAD + name..).ok_or_else(damaged)?;
            count += 1;
        }
        if from.entries + count != to.entries {
            return Err(damaged());
        }
        old.file.seek(SeekFrom::Start(from.bytes))?;
        let copied = io::copy(&mut (&mut old.file).take(length), &mut self.out)?;
        if copied != length {
            return Err(damaged());
        }
        self.at += length;
        self.entries += count;
        self.directory.extend_from_slice(&records);
        Ok(())
    }

    /// Ends the jar.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> Result<Whole, String> {
        self.end().map_err(|why| format!("{}: {why}", self.name))
    }

    fn end(&mut self) -> io::Result<Whole> {
        self.out.write_all(&self.directory)?;
        let length = self.directory.len() as u64;
        let few = u16::try_from(self.entries);
        let short = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut end = Vec::new();
        if few.is_err() || self.at + length > u64::from(u32::MAX) {
            // The larger form, and where it is.
            end.extend(0x0606_4b50_u32.to_le_bytes());
            end.extend(44_u64.to_le_bytes());
            end.extend(VERSION_64.to_le_bytes());
            end.extend(VERSION_64.to_le_bytes());
            end.extend([0; 8]);
            for number in [self.entries, self.entries, length, self.at] {
                end.extend(number.to_le_bytes());
            }
            end.extend(0x0706_4b50_u32.to_le_bytes());
            end.extend([0; 4]);
            end.extend((self.at + length).to_le_bytes());
            end.extend(1_u32.to_le_bytes());
        }
        end.extend(0x0605_4b50_u32.to_le_bytes());
        end.extend([0; 4]);
        for _ in 0..2 {
            end.extend(few.unwrap_or(u16::MAX).to_le_bytes());
        }
        end.extend(short(length).to_le_bytes());
        end.extend(short(self.at).to_le_bytes());
        end.extend([0; 2]);
        self.out.write_all(&end)?;
        self.out.flush()?;
        Ok(Whole {
            directory: self.at,
            length: self.at + length + end.len() as u64,
        })
    }
}

/// A jar of an earlier translation.
pub struct OldJar {
    file: File,
    whole: Whole,
}

impl OldJar {
    /// Opens a jar; none if it cannot be read, or is no longer as it was finished.
    pub fn open(file: &Path, whole: Whole) -> Option<Self> {
        let found = file.symlink_metadata().ok()?;
        let complete = found.is_file() && found.len() == whole.length;
        let file = File::open(file).ok().filter(|_| complete)?;
        Some(Self { file, whole })
    }

    /// A run of records of the directory.
    fn records(&mut self, from: u64, length: u64) -> io::Result<Vec<u8>> {
        let damaged = || io::Error::other("it is damaged");
        let from = self.whole.directory.checked_add(from).ok_or_else(damaged)?;
        let end = from.checked_add(length).ok_or_else(damaged)?;
        if end > self.whole.length {
            return Err(damaged());
        }
        self.file.seek(SeekFrom::Start(from))?;
        let mut records = vec![0; usize::try_from(length).map_err(|_| damaged())?];
        self.file.read_exact(&mut records)?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use zip::ZipArchive;

    /// Names and contents of a jar, as the zip library reads it.
    fn read(file: &Path) -> Vec<(String, Vec<u8>)> {
        let mut zip = ZipArchive::new(File::open(file).unwrap()).unwrap();
        let mut all = Vec::new();
        for ix in 0..zip.len() {
            let mut entry = zip.by_index(ix).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            all.push((entry.name().to_owned(), bytes));
        }
        all
    }

    #[test]
    fn entries_are_read_as_they_were_put_however_many_there_are() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0, 3, 70_000] {
            let mut jar = Jar::create(folder.path(), "a.jar").unwrap();
            let entries: Vec<(String, Vec<u8>)> = (0..count)
                .map(|n| (format!("p/é{n}.class"), vec![b'x'; n % 5]))
                .collect();
            for (name, bytes) in &entries {
                jar.put(name, bytes).unwrap();
            }
            jar.finish().unwrap();
            assert!(read(&folder.path().join("a.jar")) == entries, "{count}");
        }
    }

    #[test]
    fn a_run_of_entries_is_copied_to_another_place() {
        let folder = tempfile::tempdir().unwrap();
        let mut jar = Jar::create(folder.path(), "a.jar").unwrap();
        jar.put("one", b"1").unwrap();
        let from = jar.mark();
        jar.put("two", b"22").unwrap();
        jar.put("three", b"333").unwrap();
        let to = jar.mark();
        jar.put("four", b"4444").unwrap();
        let finished = jar.finish().unwrap();
        let file = folder.path().join("a.jar");
        let mut old = OldJar::open(&file, finished).unwrap();
        let mut jar = Jar::create(folder.path(), "b.jar").unwrap();
        jar.put("zero, longer", b"").unwrap();
        jar.copy(&mut old, [from, to]).unwrap();
        jar.put("five", b"5").unwrap();
        jar.finish().unwrap();
        let expected = [
            ("zero, longer", ""),
            ("two", "22"),
            ("three", "333"),
            ("five", "5"),
        ];
        let expected = expected.map(|(name, bytes)| (name.to_owned(), bytes.as_bytes().to_vec()));
        assert_eq!(read(&folder.path().join("b.jar")), expected);

        let whole = fs::read(&file).unwrap();
        fs::write(&file, &whole[1..]).unwrap();
        assert!(OldJar::open(&file, finished).is_none());
        // A damaged one of the same length is refused by what its directory says.
        for at in finished.directory as usize..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            fs::write(&file, &damaged).unwrap();
            let mut old = OldJar::open(&file, finished).unwrap();
            let mut jar = Jar::create(folder.path(), "c.jar").unwrap();
            let _ = jar.copy(&mut old, [from, to]);
        }
        let mut jar = Jar::create(folder.path(), "c.jar").unwrap();
        fs::write(&file, &whole).unwrap();
        let mut old = OldJar::open(&file, finished).unwrap();
        assert!(jar.copy(&mut old, [to, from]).is_err());
        assert!(
            jar.copy(&mut old, [from, Mark { entries: 9, ..to }])
                .is_err()
        );
    }
}
