//! word2vec's binary format: a line `WORDS DIM`, then for each word its text, a space, and DIM little-endian
//! floats, with or without a line feed behind. (Its text format is read by `text_format`.)

use super::error::{EmbedError, In, Place, mend};
use super::words::Words;
use super::{Bytes, Embedding, Rows};
use std::io::{self, Write};

/// No word of a sane file is longer; where one seems to be, the file is cut or the dimension is wrong.
const LONGEST_WORD: usize = 4096;

/// The first line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub words: usize,
    pub dim: usize,
    /// Where the first word starts.
    pub end: usize,
}

/// The first line, if it is word2vec's: two whole numbers.
pub(super) fn header(bytes: &[u8]) -> Option<Header> {
    let end = bytes.iter().take(64).position(|&b| b == b'\n')? + 1;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut fields = line.split_ascii_whitespace();
    let words = fields.next()?.parse().ok()?;
    let dim = fields.next()?.parse().ok()?;
    fields
        .next()
        .is_none()
        .then_some(Header { words, dim, end })
}

/// Is what stands behind the first word anything but numbers in digits?
pub(super) fn is_binary(bytes: &[u8], header: &Header) -> bool {
    let body = &bytes[header.end..];
    let end = body.iter().position(|&b| b == b'\n');
    let line = std::str::from_utf8(&body[..end.unwrap_or(body.len())]);
    let number = |field: &str| field.parse::<f32>().is_ok();
    !line.is_ok_and(|line| line.split_ascii_whitespace().skip(1).all(number))
}

pub(super) fn read(
    context: In<'_>,
    bytes: Bytes,
    header: &Header,
) -> Result<Embedding, EmbedError> {
    let cut = |place, reason: String| context.error(Place::Byte(place), reason, mend::AGAIN);
    let size = header
        .dim
        .checked_mul(4)
        .filter(|_| header.dim > 0)
        .ok_or_else(|| cut(0, format!("vectors of {} numbers", header.dim)))?;
    let mut words = Words::default();
    let mut starts = Vec::new();
    let mut at = header.end;
    for number in 1..=header.words {
        while bytes.get(at) == Some(&b'\n') {
            at += 1;
        }
        let rest = &bytes[at.min(bytes.len())..];
        if rest.is_empty() {
            let reason = format!("it ends after {} of {} words", number - 1, header.words);
            return Err(cut(at, reason));
        }
        let space = rest
            .iter()
            .take(LONGEST_WORD)
            .position(|&b| b == b' ')
            .ok_or_else(|| {
                let reason = format!(
                    "no end of word {number}: cut short, or vectors are not of {} numbers",
                    header.dim
                );
                cut(at, reason)
            })?;
        let word = String::from_utf8_lossy(&rest[..space]);
        let start = at + space + 1;
        let row = bytes.get(start..start + size).ok_or_else(|| {
            cut(
                start,
                format!(
                    "it ends within the vector of word {number} of {}",
                    header.words
                ),
            )
        })?;
        check(context, row, &word, start)?;
        words.push(&word);
        starts.push(start);
        at = start + size;
    }
    if bytes[at..].iter().any(|b| !b.is_ascii_whitespace()) {
        let reason = format!(
            "bytes behind the last of {} words: the header is wrong",
            header.words
        );
        return Err(cut(at, reason));
    }
    Ok(Embedding::new(
        words,
        header.dim,
        Rows::File { bytes, at: starts },
    ))
}

/// Little-endian floats that start at byte `start` of the file: are all finite?
pub(super) fn check(
    context: In<'_>,
    row: &[u8],
    word: &str,
    start: usize,
) -> Result<(), EmbedError> {
    for (column, raw) in row.as_chunks::<4>().0.iter().enumerate() {
        let value = f32::from_le_bytes(*raw);
        if !value.is_finite() {
            return Err(context.not_finite(Place::Byte(start + 4 * column), word, column, value));
        }
    }
    Ok(())
}

impl Embedding {
    /// Writes word2vec's binary format.
    ///
    /// # Errors
    /// `to` does not take it.
    pub fn write_word2vec(&self, to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "{} {}", self.len(), self.dim())?;
        let mut row = vec![0.0; self.dim()];
        for (ix, word) in (0..).zip(self.words()) {
            self.row(ix, &mut row);
            write!(to, "{word} ")?;
            for number in &row {
                to.write_all(&number.to_le_bytes())?;
            }
            writeln!(to)?;
        }
        Ok(())
    }
}
