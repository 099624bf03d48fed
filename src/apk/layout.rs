//! How a zip archive is in its file, as its central directory says: how many entries there are, and that each has
//! separate bytes. A directory of a few bytes can name one packed entry hundreds of times, and unpacks to as much.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

/// More entries no APK has: the signature of an APK allows no ZIP64, whose directory alone can name more.
const ENTRIES: u64 = 65_535;
/// A directory of so many entries with long names is shorter.
const DIRECTORY: u64 = 64 << 20;
/// The end of a directory, without its comment.
const END: usize = 22;

/// Where an entry lies.
struct Entry {
    /// Of its local header, in the file.
    start: u64,
    /// Packed bytes.
    packed: u64,
    name: Vec<u8>,
}

/// Refuses an archive with more entries than an APK can have, two of one name, or entries that share bytes.
///
/// # Errors
/// What is wrong, in words that continue after "it".
pub fn check(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|e| unread(&e))?;
    let mut entries = entries(&file)?;
    let mut names: Vec<&[u8]> = entries.iter().map(|entry| entry.name.as_slice()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("has two entries named {}", shown(twice[0])));
    }
    entries.sort_by_key(|entry| entry.start);
    let mut file = BufReader::with_capacity(64, file);
    let mut before: Option<(u64, &Entry)> = None;
    for entry in &entries {
        let end = end_of(&mut file, entry)?;
        if let Some((_, other)) = before.filter(|(end, _)| entry.start < *end) {
            return Err(format!(
                "has overlapping entries ({} and {}), so it would unpack to more data than it holds",
                shown(&other.name),
                shown(&entry.name)
            ));
        }
        before = Some((end, entry));
    }
    Ok(())
}

/// The first byte behind an entry, as its local header says.
fn end_of(file: &mut BufReader<File>, entry: &Entry) -> Result<u64, String> {
    let lost = || {
        format!(
            "has no {} at the position that its directory gives",
            shown(&entry.name)
        )
    };
    let mut header = [0; 30];
    file.seek(SeekFrom::Start(entry.start))
        .and_then(|_| file.read_exact(&mut header))
        .map_err(|_| lost())?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(lost());
    }
    let behind = u64::from(short(&header, 26)) + u64::from(short(&header, 28)) + 30;
    Ok(entry
        .start
        .saturating_add(behind)
        .saturating_add(entry.packed))
}

fn entries(mut file: &File) -> Result<Vec<Entry>, String> {
    let length = file.metadata().map_err(|e| unread(&e))?.len();
    // A comment has at most 65,535 bytes; before it the end of a ZIP64 directory may stand.
    let tail_from = length.saturating_sub(65_535 + END as u64 + 20 + 56);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(tail_from))
        .and_then(|_| file.take(1 << 20).read_to_end(&mut tail))
        .map_err(|e| unread(&e))?;
    let at = end(&tail).ok_or("has no end")?;
    let (count, size, first, end) = match large(file, &tail, at)? {
        Some(found) => found,
        None => (
            u64::from(short(&tail, at + 10)),
            u64::from(long(&tail, at + 12)),
            u64::from(long(&tail, at + 16)),
            tail_from + at as u64,
        ),
    };
    if count > ENTRIES {
        return Err(format!(
            "has {count} entries, but an APK can have at most {ENTRIES}"
        ));
    }
    let start = end
        .checked_sub(size)
        .filter(|_| size <= DIRECTORY)
        .ok_or_else(|| format!("claims a directory of {size} bytes"))?;
    // Something may be before the archive; its offsets start behind it.
    let shift = start
        .checked_sub(first)
        .ok_or("has its directory at an impossible position")?;
    let mut directory = Vec::new();
    file.seek(SeekFrom::Start(start))
        .and_then(|_| file.take(size).read_to_end(&mut directory))
        .map_err(|e| unread(&e))?;
    let mut rest = directory.as_slice();
    let mut entries = Vec::new();
    while !rest.is_empty() {
        if entries.len() as u64 == count {
            return Err(format!("has more entries than the {count} it claims"));
        }
        let (mut entry, behind) = named(rest).ok_or_else(|| {
            format!("has a directory that is damaged or cut off (it claims {count} entries)")
        })?;
        entry.start = entry.start.saturating_add(shift);
        entries.push(entry);
        rest = behind;
    }
    match entries.len() as u64 == count {
        true => Ok(entries),
        false => Err(format!("has {} entries but claims {count}", entries.len())),
    }
}

/// Where the end of the directory starts: the last one whose comment ends with the file, as Android and Java look for
/// it.
fn end(tail: &[u8]) -> Option<usize> {
    (0..=tail.len().checked_sub(END)?).rev().find(|&at| {
        tail[at..].starts_with(b"PK\x05\x06")
            && at + END + usize::from(short(tail, at + 20)) == tail.len()
    })
}

/// Count, size, offset of the first entry, and end of a ZIP64 directory, if there is one.
fn large(mut file: &File, tail: &[u8], end: usize) -> Result<Option<(u64, u64, u64, u64)>, String> {
    let locator = end.checked_sub(20).map(|at| &tail[at..]);
    let Some(locator) = locator.filter(|bytes| bytes.starts_with(b"PK\x06\x07")) else {
        return Ok(None);
    };
    let at = longer(locator, 8);
    let mut record = [0; 56];
    file.seek(SeekFrom::Start(at))
        .and_then(|_| file.read_exact(&mut record))
        .map_err(|e| unread(&e))?;
    if !record.starts_with(b"PK\x06\x06") {
        return Err("has no ZIP64 directory at the position that it gives".to_owned());
    }
    Ok(Some((
        longer(&record, 32),
        longer(&record, 40),
        longer(&record, 48),
        at,
    )))
}

/// The first entry of a directory, and what follows it.
fn named(directory: &[u8]) -> Option<(Entry, &[u8])> {
    let header = directory
        .get(..46)
        .filter(|bytes| bytes.starts_with(b"PK\x01\x02"))?;
    let lengths = [28, 30, 32].map(|at| usize::from(short(header, at)));
    let name = directory.get(46..46 + lengths[0])?.to_vec();
    let extra = directory.get(46 + lengths[0]..46 + lengths[0] + lengths[1])?;
    let behind = directory.get(46 + lengths.iter().sum::<usize>()..)?;
    let (mut packed, unpacked, mut start) = (
        u64::from(long(header, 20)),
        long(header, 24),
        u64::from(long(header, 42)),
    );
    // The wide numbers are in this order, each only where its place was too small.
    let mut wide = zip64(extra).unwrap_or_default().chunks_exact(8);
    if unpacked == u32::MAX {
        wide.next();
    }
    for number in [&mut packed, &mut start] {
        if *number == u64::from(u32::MAX)
            && let Some(bytes) = wide.next()
        {
            *number = longer(bytes, 0);
        }
    }
    let entry = Entry {
        start,
        packed,
        name,
    };
    Some((entry, behind))
}

/// The ZIP64 part of an entry's extra data.
fn zip64(mut extra: &[u8]) -> Option<&[u8]> {
    loop {
        let length = usize::from(short(extra.get(..4)?, 2));
        let data = extra.get(4..4 + length)?;
        if short(extra, 0) == 1 {
            return Some(data);
        }
        extra = &extra[4 + length..];
    }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let found = bytes.get(at..).and_then(<[u8]>::first_chunk::<N>);
    found.copied().unwrap_or([0; N])
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(number(bytes, at))
}

fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(number(bytes, at))
}

fn longer(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(number(bytes, at))
}

fn unread(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

fn shown(name: &[u8]) -> String {
    use crate::util::text::{for_terminal, shorten};
    let name = String::from_utf8_lossy(name);
    shorten(&for_terminal(&name), 80).into_owned()
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
