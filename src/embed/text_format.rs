//! Vectors as text: a word and its numbers per line; word2vec's text format has a line `WORDS DIM` before, GloVe's
//! has none. A word may hold spaces (GloVe's largest files have some): the last DIM fields are the numbers.

use super::error::{EmbedError, In, Location, fix};
use super::header::{BYTE_ORDER_MARK, Header};
use super::words::Words;
use super::{Embedding, Rows};

/// What is between a word and its numbers. (Other spaces belong to the word.)
const BETWEEN: [char; 3] = [' ', '\t', '\r'];

pub(super) fn read(
    context: In<'_>,
    bytes: &[u8],
    header: Option<&Header>,
) -> Result<Embedding, EmbedError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut lines = bytes.split(|&b| b == b'\n').enumerate();
    if header.is_some() {
        lines.next();
    }
    let mut dim = header.map(|h| h.dim);
    let mut words = Words::default();
    let mut rows = Vec::new();
    let mut fields = Vec::new();
    let mut longer = Longer::default();
    for (ix, line) in lines {
        let place = Location::Line(ix + 1);
        let Ok(line) = std::str::from_utf8(line) else {
            return Err(context.error(place, "not UTF-8", fix::UTF_8));
        };
        let line = line.trim_end_matches(BETWEEN);
        if line.is_empty() {
            continue;
        }
        let known = dim.is_some();
        let dim = match dim {
            Some(dim) => dim,
            None => *dim.insert(first_dim(line).ok_or_else(|| {
                context.error(place, "no word followed by numbers", fix::FORMATS)
            })?),
        };
        let word =
            split(line, dim, &mut fields).ok_or_else(|| wrong_length(context, place, line, dim))?;
        if word.is_empty() {
            let reason = format!("no word before its {dim} numbers");
            return Err(context.error(place, reason, fix::NO_WORD));
        }
        let ends = ends_in_number(word);
        if header.is_none() && known && ends {
            return Err(wrong_length(context, place, line, dim));
        }
        longer.note(ends, place, line);
        for (column, number) in fields.iter().rev().enumerate() {
            let value: f32 = number.parse().map_err(|_| {
                let shown = crate::util::text::shorten(number, 40);
                context.error(place, format!("`{shown}` is not a number"), fix::AGAIN)
            })?;
            if !value.is_finite() {
                return Err(context.not_finite(place, word, column, value));
            }
            rows.push(value);
        }
        words.push(word);
    }
    if let Some(header) = header {
        if let Some((place, line)) = longer.all() {
            return Err(wrong_length(context, place, line, header.dim));
        }
        if header.words != words.len() {
            let reason = format!(
                "{} words, but the first line says {}",
                words.len(),
                header.words
            );
            return Err(context.error(Location::File, reason, fix::AGAIN));
        }
    }
    Ok(Embedding::new(words, dim.unwrap_or(0), Rows::Floats(rows)))
}

/// Rows that may be longer than they should be: their words end in a number.
///
/// Without a header only the other rows say how long a row is, and such a row is taken for one that is too long. With
/// one its word is what is before the last DIM fields (`area 51`), unless all rows are so: then the header is
/// wrong.
#[derive(Default)]
struct Longer<'a> {
    first: Option<(Location, &'a str)>,
    others: bool,
}

impl<'a> Longer<'a> {
    fn note(&mut self, longer: bool, place: Location, line: &'a str) {
        if longer {
            self.first.get_or_insert((place, line));
        }
        self.others |= !longer;
    }

    /// The first row where all are longer.
    fn all(&self) -> Option<(Location, &'a str)> {
        self.first.filter(|_| !self.others)
    }
}

fn ends_in_number(word: &str) -> bool {
    let end = word.rsplit_once(BETWEEN).map(|(_, end)| end);
    end.is_some_and(|end| end.parse::<f32>().is_ok_and(f32::is_finite))
}

fn wrong_length(context: In<'_>, place: Location, line: &str, dim: usize) -> EmbedError {
    let fields = line.split(BETWEEN).filter(|field| !field.is_empty());
    let count = fields.count().saturating_sub(1);
    let reason = format!("{count} numbers instead of {dim}");
    context.error(place, reason, fix::AGAIN)
}

/// The numbers behind the first word of a file without header: all fields from the end that are numbers,
/// but the first field, which is the word even where it looks like one. A single number is not a vector.
fn first_dim(line: &str) -> Option<usize> {
    // A line that starts with a space has no word: all its fields are numbers.
    let worded = usize::from(!line.starts_with(BETWEEN));
    let fields: Vec<_> = line.split(BETWEEN).filter(|f| !f.is_empty()).collect();
    let number = |field: &&&str| field.parse::<f32>().is_ok();
    let count = fields.iter().skip(worded).rev().take_while(number).count();
    (count > 1).then_some(count)
}

/// A line's word, and its last `dim` fields into `fields`, the last first; `None` if there are fewer.
fn split<'a>(line: &'a str, dim: usize, fields: &mut Vec<&'a str>) -> Option<&'a str> {
    fields.clear();
    let mut rest = line;
    for _ in 0..dim {
        rest = rest.trim_end_matches(BETWEEN);
        let at = rest.rfind(BETWEEN)?;
        // Every one of them is one byte long.
        fields.push(&rest[at + 1..]);
        rest = &rest[..at];
    }
    Some(rest.trim_matches(BETWEEN))
}
