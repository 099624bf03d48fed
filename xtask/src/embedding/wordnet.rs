//! WordNet's synonyms as parallel lines: a word is "translated" by each that means the same, into a language of
//! its own.

use super::read::bytes;
use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Synonyms count for so much more than one translation, which is next to those of thirty other languages.
const WEIGHT: usize = 8;

/// The words of one meaning that `known` holds, from a line `offset file type count word id ... | gloss`.
fn meaning(line: &str, known: &BTreeSet<String>) -> Vec<String> {
    let fields: Vec<_> = line.split(' ').collect();
    let count = fields
        .get(3)
        .and_then(|n| usize::from_str_radix(n, 16).ok());
    (0..count.unwrap_or(0))
        .filter_map(|n| fields.get(4 + 2 * n))
        // An adjective may say where it stands: `awake(p)`.
        .map(|word| word.split('(').next().unwrap_or(word).to_lowercase())
        .filter(|word| known.contains(word))
        .collect()
}

/// Words that at least two texts show.
fn known(running: &[String]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in running {
        for word in text
            .split(|c: char| !c.is_ascii_alphabetic())
            .filter(|w| !w.is_empty())
        {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    let twice = counts.into_iter().filter(|(_, count)| *count > 1);
    twice.map(|(word, _)| word).collect()
}

/// The synonyms among the words that `running` shows, each word among its own.
pub fn synonyms(folder: &Path, running: &[String]) -> Result<Vec<String>> {
    let known = known(running);
    let mut lines = Vec::new();
    for part in ["noun", "verb", "adj", "adv"] {
        let file = folder.join(format!("package/dict/data.{part}"));
        let text = String::from_utf8_lossy(&bytes(&file)?).into_owned();
        for line in text.lines().filter(|line| !line.starts_with(' ')) {
            let words = meaning(line, &known);
            if words.len() > 1 {
                let pairs = words.iter().flat_map(|a| words.iter().map(move |b| (a, b)));
                lines.extend(pairs.map(|(a, b)| format!("{a}\tsyn\t{b}")));
            }
        }
    }
    let count = WEIGHT * lines.len();
    Ok(lines.into_iter().cycle().take(count).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_of_a_meaning_are_those_that_interfaces_show() {
        let known = ["alter", "modify"].map(str::to_owned).into();
        let line = "00126264 30 v 03 Change 0 alter(p) 0 modify 2 002 @ 00109660 v 0000 | cause";
        assert_eq!(super::meaning(line, &known), ["alter", "modify"]);
        assert!(super::meaning("00126264 30 v", &known).is_empty());
    }
}
