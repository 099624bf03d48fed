//! word2vec's binary format: a line `WORDS DIM`, then for each word its text, a space, and DIM little-endian
//! floats, with or without a line feed behind. (Its text format is read by `text_format`.)

use super::error::{EmbedError, In, Location, fix};
use super::header::{Header, is_row_of_text, looks_like_text};
use super::words::Words;
use super::write::LONGEST_WORD;
use super::{Bytes, Embedding, Rows, text_format};

/// From so many bytes on a file that looks like text is text. In a shorter one a few floats may look so at random;
/// it is text if it cannot be read as floats.
const SURE: usize = 256;

/// Reads what is behind a header, text or floats. Where the first row is not a row of text but the file looks like
/// text, the text reader says what is wrong with it.
pub(super) fn read(
    context: In<'_>,
    bytes: Bytes,
    header: &Header,
) -> Result<Embedding, EmbedError> {
    let text = || text_format::read(context, &bytes, Some(header));
    let looks = looks_like_text(&bytes);
    if is_row_of_text(&bytes, header) || (looks && bytes.len() >= SURE) {
        return text();
    }
    match rows(context, &bytes, header) {
        Ok((words, at)) => Ok(Embedding::new(words, header.dim, Rows::File { bytes, at })),
        Err(_) if looks => text(),
        Err(error) => Err(error),
    }
}

/// The words, and at which byte the floats of each start.
fn rows(context: In<'_>, bytes: &[u8], header: &Header) -> Result<(Words, Vec<usize>), EmbedError> {
    let fail = |at, reason: String| context.error(Location::Byte(at), reason, fix::AGAIN);
    let size = 4 * header.dim;
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
            return Err(fail(at, reason));
        }
        let space = rest
            .iter()
            .take(LONGEST_WORD + 1)
            .position(|&b| b == b' ')
            .ok_or_else(|| {
                let reason = format!(
                    "word {number} has no end: the file is cut off, or its vectors do not have {} numbers",
                    header.dim
                );
                fail(at, reason)
            })?;
        if space == 0 {
            let reason = format!("word {number} of {} is empty", header.words);
            return Err(context.error(Location::Byte(at), reason, fix::NO_WORD));
        }
        let word = std::str::from_utf8(&rest[..space]).map_err(|_| {
            let shown = String::from_utf8_lossy(&rest[..space]).into_owned();
            let shown = crate::util::text::shorten(&shown, 40).into_owned();
            let reason = format!("word {number} of {}, `{shown}`, is not UTF-8", header.words);
            context.error(Location::Byte(at), reason, fix::UTF_8)
        })?;
        let start = at + space + 1;
        let row = bytes.get(start..start + size).ok_or_else(|| {
            let reason = format!(
                "it ends in the middle of the vector of word {number} of {}",
                header.words
            );
            fail(start, reason)
        })?;
        check(context, row, word, start)?;
        words.push(word);
        starts.push(start);
        at = start + size;
    }
    if bytes[at..].iter().any(|b| !b.is_ascii_whitespace()) {
        let reason = format!(
            "extra bytes after the last of {} words: the header is wrong",
            header.words
        );
        return Err(fail(at, reason));
    }
    Ok((words, starts))
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
            return Err(context.not_finite(
                Location::Byte(start + 4 * column),
                word,
                column,
                value,
            ));
        }
    }
    Ok(())
}
