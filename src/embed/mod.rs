//! Words as vectors: text of widgets into tokens, tokens into numbers that say what they mean.
//!
//! An [`Embedding`] is read from word2vec (text or binary, Mikolov et al. 2013, the format of Google's tool),
//! GloVe text (Pennington et al. 2014), finalfusion, or the compact form that ships with the crate.
//!
//! **Words listed twice.** The first counts; the others are left out as the file is read.
//!
//! **Unknown words.** A token is looked up as it is, then in lower case, then without an English ending
//! (`deleted`, `deletes`, `deleting` find `delete`); what is still not found is unknown: its vector is zero.

mod bytes;
mod compact;
mod endings;
mod error;
mod finalfusion;
mod header;
pub mod pairs;
mod plain;
mod shipped;
mod text_format;
mod tokenise;
pub mod train;
mod word2vec;
mod words;
mod write;

pub use error::{EmbedError, Location};
pub use shipped::shipped;
pub use tokenise::{Class, Token, tokenise};
pub use write::Form;

use crate::util::sha256;
use bytes::Bytes;
use error::{In, fix};
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::sync::OnceLock;
use words::Words;

/// Most numbers in a vector.
pub const MOST_DIM: usize = 4096;

/// Word vectors: `len` words, `dim` numbers each, all finite.
#[derive(Debug)]
pub struct Embedding {
    words: Words,
    dim: usize,
    rows: Rows,
    hash: OnceLock<String>,
}

/// Where the numbers are.
#[derive(Debug)]
enum Rows {
    /// Row by row.
    Floats(Vec<f32>),
    /// Little-endian floats in a file, each row at its byte.
    File { bytes: Bytes, at: Vec<usize> },
    /// Row by row; a cell times its row's scale is the number.
    Small { scales: Vec<f32>, cells: Vec<i8> },
}

impl Rows {
    /// Leaves out all rows but these, which come in order.
    fn keep(&mut self, kept: &[u32], dim: usize) {
        fn some<T: Copy>(rows: &mut Vec<T>, width: usize, kept: &[u32]) {
            for (to, &from) in kept.iter().enumerate() {
                let from = from as usize * width;
                rows.copy_within(from..from + width, to * width);
            }
            rows.truncate(kept.len() * width);
        }
        match self {
            Self::Floats(rows) => some(rows, dim, kept),
            Self::File { at, .. } => some(at, 1, kept),
            Self::Small { scales, cells } => {
                some(scales, 1, kept);
                some(cells, dim, kept);
            }
        }
    }
}

impl Embedding {
    /// Reads a file in whichever of the known formats it is. Large files are mapped, not read.
    ///
    /// # Errors
    /// The file cannot be read, is of no known format, is truncated, its rows differ in length, its counts do not
    /// fit what is there, a word is empty (word2vec, GloVe) or not UTF-8, or it holds a number that is not finite; the
    /// error says where.
    pub fn open(path: &Path) -> Result<Self, EmbedError> {
        let context = In(path);
        let bytes = Bytes::open(path).map_err(|e| {
            context.error(Location::File, format!("cannot read it: {e}"), fix::PATH)
        })?;
        let embedding = if bytes.starts_with(finalfusion::MAGIC) {
            finalfusion::read(context, bytes)
        } else if bytes.starts_with(compact::MAGIC) {
            compact::read(context, &bytes)
        } else {
            match header::header(context, &bytes)? {
                Some(header) => word2vec::read(context, bytes, &header),
                None => text_format::read(context, &bytes, None),
            }
        }?;
        if embedding.is_empty() {
            return Err(context.error(Location::File, "it holds no words", fix::FORMATS));
        }
        if !(1..=MOST_DIM).contains(&embedding.dim) {
            let reason = format!(
                "vectors of {} numbers; strategies need 1 to {MOST_DIM}",
                embedding.dim
            );
            return Err(context.error(Location::File, reason, fix::FORMATS));
        }
        Ok(embedding)
    }

    /// Makes an embedding of words and their vectors, row by row. Of equal words the first counts.
    ///
    /// # Panics
    /// Not one row of `dim` numbers for each word.
    pub fn from_rows<'w>(
        words: impl IntoIterator<Item = &'w str>,
        dim: usize,
        rows: Vec<f32>,
    ) -> Self {
        let mut list = Words::default();
        for word in words {
            list.push(word);
        }
        assert_eq!(list.len() * dim, rows.len(), "a row of {dim} for each word");
        Self::new(list, dim, Rows::Floats(rows))
    }

    fn new(mut words: Words, dim: usize, mut rows: Rows) -> Self {
        if let Some(kept) = words.finish() {
            rows.keep(&kept, dim);
        }
        Self {
            words,
            dim,
            rows,
            hash: OnceLock::new(),
        }
    }

    /// The vector size.
    pub const fn dim(&self) -> usize {
        self.dim
    }

    /// How many words it knows, each counted once.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Does it know no word?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words in the file's order, each once.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter()
    }

    /// Writes the vector of `token` into `out` and says whether the token is known; zeros if it is not.
    /// Looked up as it is, in lower case, then without an English ending.
    ///
    /// # Panics
    /// `out` does not hold [`dim`](Self::dim) numbers.
    pub fn vector(&self, token: &str, out: &mut [f32]) -> bool {
        assert_eq!(out.len(), self.dim, "a vector has {} numbers", self.dim);
        let found = self.find(token);
        match found {
            Some(ix) => self.row(ix, out),
            None => out.fill(0.0),
        }
        found.is_some()
    }

    /// The word of the list that stands for `token`; `None` if it is unknown.
    pub fn listed(&self, token: &str) -> Option<&str> {
        Some(self.words.get(self.find(token)?))
    }

    fn find(&self, token: &str) -> Option<u32> {
        let find = |word: &str| self.words.find(word);
        if let Some(found) = find(token) {
            return Some(found);
        }
        let lower = token.to_lowercase();
        find(&lower).or_else(|| endings::stems(&lower).find_map(|stem| find(&stem)))
    }

    fn row(&self, ix: u32, out: &mut [f32]) {
        let ix = ix as usize;
        let start = ix * self.dim;
        match &self.rows {
            Rows::Floats(rows) => out.copy_from_slice(&rows[start..start + self.dim]),
            Rows::File { bytes, at } => {
                let row = &bytes[at[ix]..at[ix] + 4 * self.dim];
                for (number, raw) in out.iter_mut().zip(row.as_chunks::<4>().0) {
                    *number = f32::from_le_bytes(*raw);
                }
            }
            Rows::Small { scales, cells } => {
                let row = &cells[start..start + self.dim];
                for (number, &cell) in out.iter_mut().zip(row) {
                    *number = f32::from(cell) * scales[ix];
                }
            }
        }
    }

    /// A digest (SHA-256, in hexadecimal) of the words in order and their numbers: equal for equal contents in
    /// whichever format they came. Reads all of it the first time.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let mut digest = Sha256::new();
            digest.update((self.dim as u64).to_le_bytes());
            let mut row = vec![0.0; self.dim];
            let mut raw = Vec::with_capacity(4 * self.dim);
            for (ix, word) in (0..).zip(self.words()) {
                digest.update((word.len() as u64).to_le_bytes());
                digest.update(word.as_bytes());
                self.row(ix, &mut row);
                raw.clear();
                raw.extend(row.iter().flat_map(|number| number.to_le_bytes()));
                digest.update(&raw);
            }
            sha256::hex(&digest.finalize())
        })
    }

    /// The `count` words most like `token` by cosine, the best first, without the token itself; equal ones in
    /// the file's order. Empty if the token is unknown.
    pub fn nearest(&self, token: &str, count: usize) -> Vec<(&str, f32)> {
        let Some(own) = self.find(token) else {
            return Vec::new();
        };
        let unit = |ix: u32, row: &mut Vec<f32>| {
            row.resize(self.dim, 0.0);
            self.row(ix, row);
            let norm = row.iter().map(|x| x * x).sum::<f32>().sqrt();
            if norm > 0.0 {
                row.iter_mut().for_each(|x| *x /= norm);
            }
        };
        let (mut mine, mut other) = (Vec::new(), Vec::new());
        unit(own, &mut mine);
        let mut near: Vec<(u32, f32)> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX))
            .filter(|&ix| ix != own)
            .map(|ix| {
                unit(ix, &mut other);
                (ix, mine.iter().zip(&other).map(|(a, b)| a * b).sum())
            })
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(count);
        near.into_iter()
            .map(|(ix, cosine)| (self.words.get(ix), cosine))
            .collect()
    }
}

#[cfg(test)]
mod tests;
