//! Vectors as text: a word and its numbers a line; word2vec's text format has a line `WORDS DIM` before, GloVe's
//! has none. A word may hold spaces (GloVe's largest files have some): the last DIM fields are the numbers.

use super::error::{EmbedError, In, Place, mend};
use super::word2vec::Header;
use super::words::Words;
use super::{Embedding, Rows};
use std::io::{self, Write};

pub(super) fn read(
    context: In<'_>,
    bytes: &[u8],
    header: Option<&Header>,
) -> Result<Embedding, EmbedError> {
    let mut lines = bytes.split(|&b| b == b'\n').enumerate();
    if header.is_some() {
        lines.next();
    }
    let mut dim = header.map(|h| h.dim);
    if dim == Some(0) {
        return Err(context.error(Place::Line(1), "vectors of 0 numbers", mend::FORMATS));
    }
    let mut words = Words::default();
    let mut rows = Vec::new();
    for (ix, line) in lines {
        let place = Place::Line(ix + 1);
        let Ok(line) = std::str::from_utf8(line) else {
            return Err(context.error(place, "no UTF-8", mend::FORMATS));
        };
        let line = line.trim_end_matches(['\r', ' ', '\t']);
        if line.is_empty() {
            continue;
        }
        let known = dim;
        let dim = match dim {
            Some(dim) => dim,
            None => *dim.insert(first_dim(line).ok_or_else(|| {
                context.error(place, "no word with numbers behind it", mend::FORMATS)
            })?),
        };
        // A word with a space in it whose end is a number is no word: the row is longer than the others.
        let whole = |word: &str| {
            let end = word.rsplit_once([' ', '\t']).map(|(_, end)| end);
            known.is_none() || !end.is_some_and(|end| end.parse::<f32>().is_ok_and(f32::is_finite))
        };
        let parts = split(line, dim).filter(|(word, _)| whole(word));
        let (word, numbers) = parts.ok_or_else(|| {
            let count = line.split([' ', '\t']).count().saturating_sub(1);
            let reason = format!("{count} numbers where {dim} are wanted");
            context.error(place, reason, mend::AGAIN)
        })?;
        for (column, number) in numbers.split([' ', '\t']).enumerate() {
            let value: f32 = number.parse().map_err(|_| {
                let shown = crate::util::text::shorten(number, 40);
                context.error(place, format!("`{shown}` is no number"), mend::AGAIN)
            })?;
            if !value.is_finite() {
                return Err(context.not_finite(place, word, column, value));
            }
            rows.push(value);
        }
        words.push(word);
    }
    if let Some(header) = header
        && header.words != words.len()
    {
        let reason = format!(
            "{} words where the first line says {}",
            words.len(),
            header.words
        );
        return Err(context.error(Place::File, reason, mend::AGAIN));
    }
    Ok(Embedding::new(words, dim.unwrap_or(0), Rows::Floats(rows)))
}

/// The numbers behind the first word of a file without header: all fields from the end that are numbers,
/// but the first field, which is the word even where it looks like one. A single number is no vector.
fn first_dim(line: &str) -> Option<usize> {
    let fields: Vec<_> = line.split([' ', '\t']).collect();
    let number = |field: &&&str| field.parse::<f32>().is_ok();
    let count = fields.iter().skip(1).rev().take_while(number).count();
    (count > 1).then_some(count)
}

/// A line's word and its last `dim` fields.
fn split(line: &str, dim: usize) -> Option<(&str, &str)> {
    let (at, _) = line.rmatch_indices([' ', '\t']).nth(dim.checked_sub(1)?)?;
    (at > 0).then(|| (&line[..at], &line[at + 1..]))
}

impl Embedding {
    /// Writes word2vec's text format.
    ///
    /// # Errors
    /// `to` does not take it.
    pub fn write_text(&self, to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "{} {}", self.len(), self.dim())?;
        let mut row = vec![0.0; self.dim()];
        for (ix, word) in (0..).zip(self.words()) {
            self.row(ix, &mut row);
            write!(to, "{word}")?;
            for number in &row {
                write!(to, " {number}")?;
            }
            writeln!(to)?;
        }
        Ok(())
    }
}
