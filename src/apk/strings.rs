//! String pools of binary XML and resource tables.

use super::bytes::{Bytes, Chunk};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// `RES_STRING_POOL_TYPE`.
pub(super) const STRING_POOL: u16 = 0x0001;

const UTF8: u32 = 0x100;
/// More text than any manifest holds; pools may point many entries at one long string.
const BUDGET: usize = 32 << 20;

/// A pool whose strings are decoded when requested, each once, and together at most a budget.
pub(super) struct StringPool<'a> {
    bytes: Bytes<'a>,
    index: usize,
    count: usize,
    start: usize,
    utf8: bool,
    known: RefCell<HashMap<u32, Arc<str>>>,
    budget: Cell<usize>,
}

impl<'a> StringPool<'a> {
    pub fn read(chunk: Chunk<'a>) -> Option<Self> {
        let bytes = chunk.bytes;
        Some(Self {
            bytes,
            index: chunk.header,
            count: bytes.size(8)?,
            utf8: bytes.u32(16)? & UTF8 != 0,
            start: bytes.size(20)?,
            known: RefCell::default(),
            budget: Cell::new(BUDGET),
        })
    }

    /// The string of this number, where there is one.
    pub fn get(&self, number: u32) -> Option<Arc<str>> {
        if let Some(known) = self.known.borrow().get(&number) {
            return Some(known.clone());
        }
        let ix = usize::try_from(number).ok().filter(|&ix| ix < self.count)?;
        let offset = self
            .bytes
            .size(self.index.checked_add(ix.checked_mul(4)?)?)?;
        let text = self.bytes.from(self.start.checked_add(offset)?)?;
        let text = if self.utf8 {
            self.decode_utf8(text)?
        } else {
            self.decode_utf16(text)?
        };
        let text: Arc<str> = text.into();
        self.known.borrow_mut().insert(number, text.clone());
        Some(text)
    }

    fn spend(&self, bytes: usize) -> Option<()> {
        self.budget.set(self.budget.get().checked_sub(bytes)?);
        Some(())
    }

    fn decode_utf8(&self, text: Bytes<'_>) -> Option<String> {
        // The length in UTF-16 units comes first, then the one in bytes.
        let (_, at) = utf8_length(text, 0)?;
        let (length, at) = utf8_length(text, at)?;
        self.spend(length)?;
        let bytes = text.part(at, length)?;
        Some(String::from_utf8_lossy(bytes.0).into_owned())
    }

    fn decode_utf16(&self, text: Bytes<'_>) -> Option<String> {
        let first = usize::from(text.u16(0)?);
        let (length, at) = if first & 0x8000 != 0 {
            ((first & 0x7fff) << 16 | usize::from(text.u16(2)?), 4)
        } else {
            (first, 2)
        };
        let size = length.checked_mul(2)?;
        self.spend(size)?;
        let bytes = text.part(at, size)?;
        let units = bytes
            .0
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        Some(
            char::decode_utf16(units)
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        )
    }
}

/// Goes through the texts of a resource file: a binary XML document or a resource table.
pub(super) fn each(file: &[u8], see: &mut dyn FnMut(&str)) {
    let root = Chunk::read(Bytes(file), 0);
    let mut chunks = root.into_iter().flat_map(Chunk::children);
    let pool = chunks.find(|chunk| chunk.kind == STRING_POOL);
    if let Some(pool) = pool.and_then(StringPool::read) {
        // Not more than there is room for in the index, whatever is claimed.
        let count = pool.count.min(file.len() / 4);
        for number in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            if let Some(text) = pool.get(number) {
                see(&text);
            }
        }
    }
}

fn utf8_length(text: Bytes<'_>, at: usize) -> Option<(usize, usize)> {
    let first = usize::from(text.u8(at)?);
    if first & 0x80 != 0 {
        Some(((first & 0x7f) << 8 | usize::from(text.u8(at + 1)?), at + 2))
    } else {
        Some((first, at + 1))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A UTF-16 pool of these strings, as old tools write it.
    pub fn pool(strings: &[&str]) -> Vec<u8> {
        let mut offsets = Vec::new();
        let mut data = Vec::new();
        for text in strings {
            offsets.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
            let units: Vec<u16> = text.encode_utf16().collect();
            data.extend(u16::try_from(units.len()).unwrap().to_le_bytes());
            data.extend(units.into_iter().flat_map(u16::to_le_bytes));
            data.extend([0, 0]);
        }
        while data.len() % 4 != 0 {
            data.push(0);
        }
        let start = 28 + offsets.len();
        let mut chunk = vec![1, 0, 28, 0];
        for number in [start + data.len(), strings.len(), 0, 0, start, 0] {
            chunk.extend(u32::try_from(number).unwrap().to_le_bytes());
        }
        chunk.extend(offsets);
        chunk.extend(data);
        chunk
    }

    #[test]
    fn strings_come_back() {
        let bytes = pool(&["manifest", "", "übung"]);
        let pool = StringPool::read(Chunk::read(Bytes(&bytes), 0).unwrap()).unwrap();
        assert_eq!(pool.get(0).as_deref(), Some("manifest"));
        assert_eq!(pool.get(1).as_deref(), Some(""));
        assert_eq!(pool.get(2).as_deref(), Some("übung"));
        assert_eq!(pool.get(3), None);
        assert_eq!(pool.get(u32::MAX), None);
    }

    #[test]
    fn a_pool_that_points_everything_at_one_long_string_runs_dry() {
        let long = "x".repeat(30_000);
        let mut bytes = pool(&[&long]);
        // Claim many entries; their offsets are read from the text itself and fail, or cost.
        bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let pool = StringPool::read(Chunk::read(Bytes(&bytes), 0).unwrap()).unwrap();
        let total: usize = (0..100_000)
            .filter_map(|ix| pool.get(ix))
            .map(|s| s.len())
            .sum();
        assert!(total <= BUDGET);
    }
}
