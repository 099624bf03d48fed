//! The bytes of a file: in memory where it is small, mapped where it is large.
//!
//! The only unsafe code of this layer. A map is sound as long as nobody changes the file while it is open;
//! nothing here writes to one, the map is private and read-only, and no reference to its bytes leaves with
//! another lifetime than the map's. A file truncated by another program while it is mapped ends this process
//! with a signal, as it does for every program that maps files; that is why small files are read instead.

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Deref;
use std::path::Path;

/// Files up to this many bytes are read into memory.
const READ_UP_TO: u64 = 64 << 20;

/// The bytes of a file.
#[derive(Debug)]
pub(super) enum Bytes {
    Read(Vec<u8>),
    Mapped(memmap2::Mmap),
}

impl Bytes {
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::open_with(path, READ_UP_TO)
    }

    fn open_with(path: &Path, read_up_to: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() > read_up_to {
            // SAFETY: see the top of this file.
            #[allow(unsafe_code)]
            return Ok(Self::Mapped(unsafe { memmap2::Mmap::map(&file)? }));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::Read(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_file_reads_like_a_small_one() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"words").unwrap();
        let small = Bytes::open_with(file.path(), 5).unwrap();
        let large = Bytes::open_with(file.path(), 4).unwrap();
        assert!(matches!(
            (&small, &large),
            (Bytes::Read(_), Bytes::Mapped(_))
        ));
        assert_eq!(&*small, &*large);
    }
}
