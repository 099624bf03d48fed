//! How well an embedding knows that words mean the same: pairs that should be in each other's neighbourhood.

use super::{Embedding, plain};
use std::io;
use std::path::Path;

/// One pair and where its words are in each other's neighbourhood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The first word.
    pub a: String,
    /// The second.
    pub b: String,
    /// Location of `b` among the neighbours of `a`, from 1; `None`: beyond the places looked at, or one is unknown.
    pub b_for_a: Option<usize>,
    /// Location of `a` among the neighbours of `b`.
    pub a_for_b: Option<usize>,
}

impl Ranked {
    /// Is each among the first so many neighbours of the other?
    pub fn mutual(&self, top: usize) -> bool {
        let within = |place: Option<usize>| place.is_some_and(|place| place <= top);
        within(self.b_for_a) && within(self.a_for_b)
    }
}

/// Ranks pairs, looking at the first `places` neighbours (cosine, all words of the embedding).
pub fn rank(embedding: &Embedding, pairs: &[(String, String)], places: usize) -> Vec<Ranked> {
    let place = |of: &str, among: &str| {
        let wanted = embedding.listed(of)?;
        let near = embedding.nearest(among, places);
        near.iter()
            .position(|(word, _)| *word == wanted)
            .map(|at| at + 1)
    };
    let rank = |(a, b): &(String, String)| Ranked {
        a: a.clone(),
        b: b.clone(),
        b_for_a: place(b, a),
        a_for_b: place(a, b),
    };
    pairs.iter().map(rank).collect()
}

/// Reads pairs, two words per line; empty lines and lines that start with `#` are passed over.
///
/// # Errors
/// The file cannot be read, or a line is not a pair; the error names file and line.
pub fn read(path: &Path) -> io::Result<Vec<(String, String)>> {
    let place = |reason: String| io::Error::other(format!("{}{reason}", path.display()));
    let text = plain::read(path).map_err(|(line, reason)| {
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        place(format!("{line}: {reason}"))
    })?;
    let mut pairs = Vec::new();
    for (ix, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let words: Vec<_> = line.split_whitespace().collect();
        let [a, b] = words[..] else {
            return Err(place(format!(
                ":{}: not two words; write one pair on each line",
                ix + 1
            )));
        };
        pairs.push((a.to_owned(), b.to_owned()));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn places_count_from_one_and_both_ways() {
        let words = ["a", "b", "c", "d"];
        let rows = vec![1.0, 0.0, 0.9, 0.1, 0.5, 0.5, 0.8, 0.1];
        let embedding = Embedding::from_rows(words, 2, rows);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let ranked = rank(
            &embedding,
            &[pair("a", "b"), pair("c", "a"), pair("a", "x")],
            3,
        );
        assert_eq!((ranked[0].b_for_a, ranked[0].a_for_b), (Some(1), Some(2)));
        assert_eq!((ranked[1].b_for_a, ranked[1].a_for_b), (Some(3), Some(3)));
        assert_eq!((ranked[2].b_for_a, ranked[2].a_for_b), (None, None));
        assert!(ranked[0].mutual(2) && !ranked[0].mutual(1) && !ranked[2].mutual(3));
    }

    #[test]
    fn a_line_that_is_no_pair_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "# pairs\nok yes\n\nalone\n").unwrap();
        let said = read(file.path()).unwrap_err().to_string();
        assert!(said.contains(":4: not two words"), "{said}");
        fs::write(file.path(), b"ok yes\nno \xff\n").unwrap();
        let said = read(file.path()).unwrap_err().to_string();
        assert!(said.contains(":2: not UTF-8"), "{said}");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_word() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "\u{feff}ok yes\n").unwrap();
        let pairs = read(file.path()).unwrap();
        assert_eq!(pairs, [("ok".to_owned(), "yes".to_owned())]);
    }
}
