//! The first line of word2vec's two formats, `WORDS DIM`, and which of the two is behind it.

use super::MOST_DIM;
use super::error::{EmbedError, In, Location, fix};
use super::write::LONGEST_WORD;

/// Some editors put it before a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How much of a file is looked at to see whether it can be text: more than a header and the longest word, so that
/// there are floats in it.
const LOOKED_AT: usize = 64 + LONGEST_WORD + 4096;

/// The first line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub words: usize,
    pub dim: usize,
    /// Where the first word starts.
    pub end: usize,
}

/// The first line, if it is word2vec's: two whole numbers. (One word and one number are no row of GloVe's: its
/// vectors have two numbers or more.)
///
/// # Errors
/// It is, and no file has so many words or numbers.
pub(super) fn header(context: In<'_>, bytes: &[u8]) -> Result<Option<Header>, EmbedError> {
    let skipped = if bytes.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let bytes = &bytes[skipped..];
    let Some(end) = bytes.iter().take(64).position(|&b| b == b'\n') else {
        return Ok(None);
    };
    let Ok(line) = std::str::from_utf8(&bytes[..end]) else {
        return Ok(None);
    };
    let mut fields = line.split_ascii_whitespace();
    let (Some(words), Some(dim), None) = (fields.next(), fields.next(), fields.next()) else {
        return Ok(None);
    };
    if !whole(words) || !whole(dim) {
        return Ok(None);
    }
    let fail = |reason| Err(context.error(Location::Line(1), reason, fix::COUNTS));
    // Rows are numbered with 32 bits.
    let Ok(count) = words.parse::<u32>() else {
        return fail(format!("{words} words; 1 to {} can be read", u32::MAX));
    };
    let dim = match dim.parse::<usize>() {
        Ok(dim) if (1..=MOST_DIM).contains(&dim) => dim,
        _ => {
            return fail(format!(
                "vectors of {dim} numbers; strategies need 1 to {MOST_DIM}"
            ));
        }
    };
    Ok(Some(Header {
        words: count as usize,
        dim,
        end: skipped + end + 1,
    }))
}

/// A whole number in digits, also one that is negative or too great.
fn whole(field: &str) -> bool {
    let digits = field.strip_prefix(['-', '+']).unwrap_or(field);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Is the first line behind the header a word and `dim` numbers in digits? Said of bytes: the word may be not UTF-8,
/// which the text reader tells. (Floats whose bytes spell a row of numbers in digits could not be distinguished from
/// it: of vectors of one number one in a hundred thousand.)
pub(super) fn is_row_of_text(bytes: &[u8], header: &Header) -> bool {
    let body = &bytes[header.end..];
    let end = body.iter().position(|&b| b == b'\n');
    let line = &body[..end.unwrap_or(body.len())];
    let fields = line.split(|b| matches!(b, b' ' | b'\t' | b'\r'));
    let mut fields = fields.rev().filter(|field| !field.is_empty());
    let number =
        |field: &[u8]| std::str::from_utf8(field).is_ok_and(|field| field.parse::<f32>().is_ok());
    let numbers = fields
        .by_ref()
        .take(header.dim)
        .filter(|f| number(f))
        .count();
    // A row without its word is a row of text, too: its reader says what is missing.
    numbers == header.dim
}

/// Could the file be text as far as its start shows? Floats are hardly ever without control characters, and
/// hardly ever UTF-8.
pub(super) fn looks_like_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // Cut within a character.
        Err(e) if e.error_len().is_none() && start.len() < bytes.len() => {
            std::str::from_utf8(&start[..e.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\t' | '\r' | '\n'))
}
