//! Strings of a compiled Android resource table, by language. Only well-formed tables of Android's build
//! come here; what does not fit is left out.

use super::NAME;
use std::collections::BTreeMap;

const POOL: u16 = 0x0001;
const PACKAGE: u16 = 0x0200;
const TYPE: u16 = 0x0201;
const SPARSE: u8 = 0x01;
const OFFSET16: u8 = 0x02;
/// Entries of many values, and entries in short form, which framework builds do not use for strings.
const NOT_SIMPLE: u16 = 0x0001 | 0x0008;
const STRING: u8 = 0x03;

/// Resource (type and entry) to its text by language; the default is under the empty name, the resource's own
/// name under [`NAME`].
pub type Strings = BTreeMap<(u8, u32), BTreeMap<String, String>>;

/// Where a package's header says at which byte of the package the names of its resources start.
const NAMES: usize = 276;

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn u8(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn u16(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.0.get(at..at + 2)?.try_into().ok()?))
    }

    fn size(&self, at: usize) -> Option<usize> {
        let raw = u32::from_le_bytes(self.0.get(at..at + 4)?.try_into().ok()?);
        usize::try_from(raw).ok()
    }
}

/// The chunks inside `bytes` from `at` on: kind, header's length, bytes.
fn chunks(bytes: &[u8], mut at: usize) -> Vec<(u16, usize, &[u8])> {
    let mut found = Vec::new();
    while let Some(head) = bytes.get(at..).map(Bytes) {
        let (Some(kind), Some(header), Some(size)) = (head.u16(0), head.u16(2), head.size(4))
        else {
            break;
        };
        let Some(chunk) = head.0.get(..size).filter(|_| size >= 8) else {
            break;
        };
        found.push((kind, usize::from(header), chunk));
        at += size;
    }
    found
}

/// All strings of the table.
pub fn read(table: &[u8]) -> Strings {
    let mut strings = Strings::new();
    let Some(header) = Bytes(table).u16(2) else {
        return strings;
    };
    let mut pool: &[u8] = &[];
    for (kind, header, chunk) in chunks(table, header.into()) {
        match kind {
            POOL if pool.is_empty() => pool = chunk,
            PACKAGE => {
                let names = Bytes(chunk).size(NAMES).and_then(|at| chunk.get(at..));
                for (kind, header, chunk) in chunks(chunk, header) {
                    if kind == TYPE {
                        let pools = (pool, names.unwrap_or_default());
                        read_type(chunk, header, pools, &mut strings);
                    }
                }
            }
            _ => {}
        }
    }
    strings
}

fn read_type(
    chunk: &[u8],
    header: usize,
    (pool, names): (&[u8], &[u8]),
    strings: &mut Strings,
) -> Option<()> {
    let bytes = Bytes(chunk);
    let (id, flags) = (bytes.u8(8)?, bytes.u8(9)?);
    let (count, start) = (bytes.size(12)?, bytes.size(16)?);
    let language = chunk.get(28..30)?;
    let language = match language {
        [0, 0] => String::new(),
        letters if letters.iter().all(u8::is_ascii_lowercase) => {
            String::from_utf8(letters.to_vec()).ok()?
        }
        _ => return None,
    };
    for n in 0..count {
        let (entry, offset) = if flags & SPARSE != 0 {
            let at = header + 4 * n;
            (
                usize::from(bytes.u16(at)?),
                usize::from(bytes.u16(at + 2)?) * 4,
            )
        } else if flags & OFFSET16 != 0 {
            match bytes.u16(header + 2 * n)? {
                u16::MAX => continue,
                offset => (n, usize::from(offset) * 4),
            }
        } else {
            match bytes.size(header + 4 * n)? {
                0xffff_ffff => continue,
                offset => (n, offset),
            }
        };
        let at = start + offset;
        if bytes.u16(at + 2)? & NOT_SIMPLE != 0 || bytes.u8(at + 11)? != STRING {
            continue;
        }
        if let Some(text) = string(pool, bytes.size(at + 12)?) {
            let entry = u32::try_from(entry).ok()?;
            let texts = strings.entry((id, entry)).or_default();
            if let Some(name) = string(names, bytes.size(at + 4)?) {
                texts.entry(NAME.to_owned()).or_insert(name);
            }
            texts.entry(language.clone()).or_insert(text);
        }
    }
    Some(())
}

/// A string of a pool in UTF-8.
fn string(pool: &[u8], number: usize) -> Option<String> {
    let bytes = Bytes(pool);
    let utf8 = bytes.size(16)? & 0x100 != 0;
    let at = bytes.size(20)? + bytes.size(28 + 4 * number)?;
    if !utf8 {
        return None;
    }
    let (_, at) = length(&bytes, at)?;
    let (size, at) = length(&bytes, at)?;
    String::from_utf8(pool.get(at..at + size)?.to_vec()).ok()
}

fn length(bytes: &Bytes<'_>, at: usize) -> Option<(usize, usize)> {
    let first = usize::from(bytes.u8(at)?);
    Some(if first & 0x80 == 0 {
        (first, at + 1)
    } else {
        ((first & 0x7f) << 8 | usize::from(bytes.u8(at + 1)?), at + 2)
    })
}
