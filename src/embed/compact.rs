//! The compact form: one byte a number. It is what ships with the crate.
//!
//! ```text
//! droidtest-words 1\n      magic and version
//! WORDS DIM\n
//! word\n                   WORDS times
//! f32 x WORDS              little-endian; a row's scale
//! i8  x WORDS x DIM        a number is its row's scale times its cell
//! SHA-256 of all before    32 bytes
//! ```

use super::error::{EmbedError, In, Location, fix};
use super::words::Words;
use super::{Embedding, Rows};
use sha2::{Digest as _, Sha256};

pub(super) const MAGIC: &[u8] = b"droidtest-words ";
pub(super) const VERSION: &[u8] = b"1";
const DIGEST: usize = 32;

pub(super) fn read(context: In<'_>, bytes: &[u8]) -> Result<Embedding, EmbedError> {
    let fail = |at, reason: String| context.error(Location::Byte(at), reason, fix::AGAIN);
    let mut at = MAGIC.len();
    let mut line = || {
        let length = bytes[at..].iter().position(|&b| b == b'\n');
        let length =
            length.ok_or_else(|| fail(at, "it ends in the middle of its words".to_owned()))?;
        let start = at;
        at += length + 1;
        Ok::<_, EmbedError>((start, &bytes[start..start + length]))
    };
    let (start, version) = line()?;
    if version != VERSION {
        let version = String::from_utf8_lossy(version).into_owned();
        let reason =
            format!("version `{version}` of the compact format; this tool reads version 1");
        return Err(context.error(Location::Byte(start), reason, fix::RETRAIN));
    }
    let (start, sizes) = line()?;
    let sizes = std::str::from_utf8(sizes)
        .ok()
        .and_then(|s| s.split_once(' '));
    let sizes = sizes.and_then(|(w, d)| Some((w.parse::<usize>().ok()?, d.parse::<usize>().ok()?)));
    let (count, dim) = sizes.ok_or_else(|| fail(start, "no `WORDS DIM`".to_owned()))?;
    let mut words = Words::default();
    for _ in 0..count {
        let (start, word) = line()?;
        let word = std::str::from_utf8(word)
            .map_err(|_| fail(start, "a word that is not UTF-8".to_owned()))?;
        words.push(word);
    }
    let scales_end = count.checked_mul(4).and_then(|n| n.checked_add(at));
    let end = count
        .checked_mul(dim)
        .and_then(|n| n.checked_add(scales_end?));
    let (Some(scales_end), Some(end)) = (scales_end, end.filter(|_| dim > 0)) else {
        return Err(fail(start, format!("{count} words of {dim} numbers")));
    };
    if end.checked_add(DIGEST) != Some(bytes.len()) {
        let reason = format!(
            "{} bytes where {count} words of {dim} numbers make {}",
            bytes.len(),
            end.saturating_add(DIGEST)
        );
        return Err(fail(bytes.len(), reason));
    }
    if Sha256::digest(&bytes[..end])[..] != bytes[end..] {
        return Err(fail(
            end,
            "its checksum does not match its contents".to_owned(),
        ));
    }
    let mut scales = Vec::with_capacity(count);
    for (row, raw) in bytes[at..scales_end].as_chunks::<4>().0.iter().enumerate() {
        let scale = f32::from_le_bytes(*raw);
        if !scale.is_finite() {
            let word = words.get(u32::try_from(row).unwrap_or(u32::MAX));
            return Err(context.not_finite(Location::Byte(at + 4 * row), word, 0, scale));
        }
        scales.push(scale);
    }
    let cells: Vec<i8> = bytes[scales_end..end]
        .iter()
        .map(|&b| b.cast_signed())
        .collect();
    for (row, (cells, &scale)) in cells.chunks_exact(dim).zip(&scales).enumerate() {
        let number = |cell: &i8| f32::from(*cell) * scale;
        if let Some(column) = cells.iter().position(|cell| !number(cell).is_finite()) {
            let word = words.get(u32::try_from(row).unwrap_or(u32::MAX));
            let place = Location::Byte(scales_end + row * dim + column);
            return Err(context.not_finite(place, word, column, number(&cells[column])));
        }
    }
    Ok(Embedding::new(words, dim, Rows::Small { scales, cells }))
}
