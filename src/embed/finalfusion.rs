//! finalfusion's format, version 0: chunks for the vocabulary and the matrix. Words and float matrices are read;
//! n-gram rows behind the words' are left out, quantized matrices are refused.

use super::error::{EmbedError, In, Location, fix};
use super::word2vec::check;
use super::words::Words;
use super::{Bytes, Embedding, Rows};

pub(super) const MAGIC: &[u8] = b"FiFu";
const VERSION: u32 = 0;

const SIMPLE_VOCAB: u32 = 1;
const ARRAY: u32 = 2;
const BUCKET_VOCAB: u32 = 3;
const QUANTIZED: u32 = 4;
const FASTTEXT_VOCAB: u32 = 7;
const EXPLICIT_VOCAB: u32 = 8;
const FLORET_VOCAB: u32 = 9;
/// The number of the type `f32`.
const F32: u32 = 10;

const CONVERT: &str = "convert it with finalfusion's own tool, for example to word2vec";

/// Reads numbers one after the other, up to the end of the file or of a chunk.
struct Cursor<'a> {
    context: In<'a>,
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], EmbedError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.end);
        let Some(end) = end else {
            let left = self.end - self.at;
            return Err(self.error(
                format!("{count} bytes are expected here, but only {left} are left"),
                fix::AGAIN,
            ));
        };
        let part = &self.bytes[self.at..end];
        self.at = end;
        Ok(part)
    }

    /// The next so many bytes as a separate cursor, which knows its place in the file.
    fn part(&mut self, count: usize) -> Result<Self, EmbedError> {
        let at = self.at;
        self.take(count)?;
        Ok(Self {
            at,
            end: self.at,
            ..*self
        })
    }

    fn u32(&mut self) -> Result<u32, EmbedError> {
        let raw = self.take(4)?;
        Ok(u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]))
    }

    fn size(&mut self) -> Result<usize, EmbedError> {
        let low = u64::from(self.u32()?);
        let all = low | (u64::from(self.u32()?) << 32);
        usize::try_from(all)
            .map_err(|_| self.error(format!("an impossible size of {all}"), fix::AGAIN))
    }

    /// Nothing is left of what this part was to hold.
    fn finish(&self, what: &str) -> Result<(), EmbedError> {
        let left = self.end - self.at;
        if left == 0 {
            return Ok(());
        }
        Err(self.error(format!("{left} extra bytes after {what}"), fix::AGAIN))
    }

    fn error(&self, reason: impl Into<String>, fix: &'static str) -> EmbedError {
        self.context.error(Location::Byte(self.at), reason, fix)
    }
}

pub(super) fn read(context: In<'_>, bytes: Bytes) -> Result<Embedding, EmbedError> {
    let mut cursor = Cursor {
        context,
        bytes: &bytes,
        at: MAGIC.len(),
        end: bytes.len(),
    };
    let version = cursor.u32()?;
    if version != VERSION {
        return Err(cursor.error(
            format!(
                "version {version} of finalfusion's format; only version {VERSION} is supported"
            ),
            CONVERT,
        ));
    }
    let chunks = cursor.u32()? as usize;
    let mut kinds = cursor.part(chunks.saturating_mul(4))?;
    let mut vocabulary = None;
    let mut matrix = None;
    for _ in 0..chunks {
        let start = cursor.at;
        let (said, kind) = (kinds.u32()?, cursor.u32()?);
        let fail = |reason: String| Err(context.error(Location::Byte(start), reason, fix::AGAIN));
        if kind != said {
            return fail(format!(
                "a chunk of kind {kind}, but the header says {said}"
            ));
        }
        let length = cursor.size()?;
        let mut chunk = cursor.part(length)?;
        match kind {
            SIMPLE_VOCAB | BUCKET_VOCAB | FASTTEXT_VOCAB | EXPLICIT_VOCAB | FLORET_VOCAB => {
                if vocabulary.is_some() {
                    return fail("a second vocabulary".to_owned());
                }
                vocabulary = Some((kind, words(&mut chunk, kind)?));
            }
            ARRAY if matrix.is_some() => return fail("a second matrix".to_owned()),
            ARRAY => matrix = Some(array(&mut chunk)?),
            QUANTIZED => {
                return Err(chunk.error("a quantized matrix, which is not supported", CONVERT));
            }
            // Norms and metadata are not needed.
            _ => {}
        }
    }
    cursor.finish("the last chunk")?;
    let missing = |what| context.error(Location::File, format!("it holds no {what}"), fix::AGAIN);
    let (kind, words): (u32, Words) = vocabulary.ok_or_else(|| missing("vocabulary"))?;
    let Matrix { start, rows, dim } = matrix.ok_or_else(|| missing("matrix"))?;
    // Rows of n-grams are behind those of words.
    let fits = match kind {
        SIMPLE_VOCAB => rows == words.len(),
        _ => rows >= words.len(),
    };
    if !fits {
        let reason = format!("a matrix of {rows} rows for {} words", words.len());
        return Err(context.error(Location::Byte(start), reason, fix::AGAIN));
    }
    let at: Vec<usize> = (0..words.len()).map(|ix| start + 4 * dim * ix).collect();
    for (word, &start) in words.iter().zip(&at) {
        check(context, &bytes[start..start + 4 * dim], word, start)?;
    }
    Ok(Embedding::new(words, dim, Rows::File { bytes, at }))
}

/// The words of a vocabulary.
fn words(cursor: &mut Cursor<'_>, kind: u32) -> Result<Words, EmbedError> {
    let count = cursor.size()?;
    // What says how n-grams are found is between the count and the words.
    match kind {
        EXPLICIT_VOCAB => drop(cursor.take(8 + 4 + 4)?),
        BUCKET_VOCAB | FASTTEXT_VOCAB => drop(cursor.take(3 * 4)?),
        FLORET_VOCAB => {
            return Err(cursor.error("floret's vocabulary, which has no words", CONVERT));
        }
        _ => {}
    }
    let mut words = Words::default();
    for _ in 0..count {
        let length = cursor.u32()? as usize;
        let start = cursor.at;
        let word = std::str::from_utf8(cursor.take(length)?).map_err(|_| {
            cursor.context.error(
                Location::Byte(start),
                "a word that is not UTF-8",
                fix::AGAIN,
            )
        })?;
        words.push(word);
    }
    // The n-grams that are listed are not read.
    if kind != EXPLICIT_VOCAB {
        cursor.finish(&format!("the {count} words of the vocabulary"))?;
    }
    Ok(words)
}

struct Matrix {
    start: usize,
    rows: usize,
    dim: usize,
}

fn array(cursor: &mut Cursor<'_>) -> Result<Matrix, EmbedError> {
    let rows = cursor.size()?;
    let dim = cursor.u32()? as usize;
    let kind = cursor.u32()?;
    if kind != F32 {
        return Err(cursor.error(
            format!("a matrix of type {kind}; only floats of 32 bits ({F32}) are supported"),
            CONVERT,
        ));
    }
    // Aligned to four bytes, with four of padding where it is aligned already.
    cursor.take(4 - cursor.at % 4)?;
    let start = cursor.at;
    let size = rows.checked_mul(dim).and_then(|n| n.checked_mul(4));
    let size = size.filter(|_| dim > 0).ok_or_else(|| {
        cursor.error(
            format!("a matrix of {rows} rows of {dim} numbers"),
            fix::AGAIN,
        )
    })?;
    cursor.take(size)?;
    cursor.finish(&format!("the {rows} rows of the matrix"))?;
    Ok(Matrix { start, rows, dim })
}
