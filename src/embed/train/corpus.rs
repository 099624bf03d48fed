//! The texts to learn from, as numbers.

use super::align::{self, Pair};
use crate::embed::{endings, plain, tokenise};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Letters of a foreign word that count: most endings are behind them.
const STEM: usize = 6;

/// Texts that cannot be learned from.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The problem and the fix.
        reason: String,
    },
    /// A file is not UTF-8.
    #[error("{}:{line}: {reason}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first line that is none, counted from 1.
        line: usize,
        /// The problem and the fix.
        reason: String,
    },
    /// A parallel line is not of three fields.
    #[error("{}:{line}: not of the form `TEXT<tab>LANGUAGE<tab>TRANSLATION`; fix the line or give the file as --corpus", path.display())]
    Parallel {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// Too little text.
    #[error(
        "{words} words are left of {tokens} in the texts; give more text or a lower --min-count"
    )]
    TooSmall {
        /// Words left.
        words: usize,
        /// Words in all the texts.
        tokens: u64,
    },
    /// A single word has no neighbours.
    #[error("a single word cannot be learned; give --max-words 2 or more, or 0 for all")]
    OneWord,
    /// Nothing to learn from: every vector would stay the random one it starts as.
    #[error(
        "no line holds two of the {words} words that are left, and none of them is aligned with a word of a translation; \
         put words that go together on one line, or lower --min-count"
    )]
    NoContext {
        /// Words left.
        words: usize,
    },
}

/// Texts, word by word.
#[derive(Debug, Default)]
pub struct Corpus {
    known: FxHashMap<String, u32>,
    counts: Vec<u64>,
    foreign: FxHashMap<String, u32>,
    foreign_counts: Vec<u64>,
    units: Vec<Unit>,
}

/// One line: its words, and the words of its translation where it has one.
#[derive(Debug)]
struct Unit {
    words: Box<[u32]>,
    foreign: Box<[u32]>,
}

/// A corpus as training goes through it. Contexts are numbered on from words: first the words themselves,
/// then the foreign ones.
pub(super) struct Indexed {
    /// The most frequent first.
    pub words: Vec<String>,
    /// How often each context occurs.
    pub counts: Vec<u64>,
    /// Lines of running text.
    pub lines: Vec<Vec<u32>>,
    /// Lines with a translation, as words and their contexts.
    pub parallel: Vec<Vec<(u32, u32)>>,
    /// Words that nothing is learned of.
    pub alone: usize,
}

impl Indexed {
    /// Words of running text, and words with a link to a translation's.
    pub fn tokens(&self) -> u64 {
        let lines = self.lines.iter().map(Vec::len);
        let links = self.parallel.iter().map(Vec::len);
        lines.chain(links).map(|n| n as u64).sum()
    }

    /// How many words are in no line with another and are aligned with no translation's: nothing is learned of
    /// them.
    fn alone(&self) -> usize {
        let mut alone = vec![true; self.words.len()];
        let together = self.lines.iter().filter(|line| line.len() > 1).flatten();
        let aligned = self.parallel.iter().flatten().map(|(word, _)| word);
        for &word in together.chain(aligned) {
            alone[word as usize] = false;
        }
        alone.into_iter().filter(|&alone| alone).count()
    }
}

/// Numbers in order of first sight, and counts.
fn number(known: &mut FxHashMap<String, u32>, counts: &mut Vec<u64>, word: &str) -> u32 {
    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
    let ix = match known.get(word) {
        Some(&ix) => ix,
        None => {
            known.insert(word.to_owned(), next);
            counts.push(0);
            next
        }
    };
    counts[ix as usize] += 1;
    ix
}

impl Corpus {
    /// Adds one line of running text.
    pub fn add(&mut self, text: &str) {
        let words = self.words(text);
        if words.len() > 1 {
            self.units.push(Unit {
                words,
                foreign: Box::default(),
            });
        }
    }

    /// Adds a text and its translation. `language` keeps equal words of two languages apart.
    pub fn add_parallel(&mut self, text: &str, language: &str, translation: &str) {
        let words = self.words(text);
        let foreign: Box<[u32]> = tokenise(translation)
            .iter()
            .map(|token| {
                let stem: String = token.as_str().chars().take(STEM).collect();
                let word = format!("{language}:{stem}");
                number(&mut self.foreign, &mut self.foreign_counts, &word)
            })
            .collect();
        if !words.is_empty() && !foreign.is_empty() {
            self.units.push(Unit { words, foreign });
        }
    }

    fn words(&mut self, text: &str) -> Box<[u32]> {
        tokenise(text)
            .iter()
            .map(|token| number(&mut self.known, &mut self.counts, token.as_str()))
            .collect()
    }

    /// Adds a file of running text, a unit (sentence, label) a line.
    ///
    /// # Errors
    /// The file cannot be read as UTF-8.
    pub fn add_file(&mut self, path: &Path) -> Result<(), CorpusError> {
        for line in read(path)?.lines() {
            self.add(line);
        }
        Ok(())
    }

    /// Adds a file of `TEXT<tab>LANGUAGE<tab>TRANSLATION` lines.
    ///
    /// # Errors
    /// The file cannot be read as UTF-8, or a line has not three fields.
    pub fn add_parallel_file(&mut self, path: &Path) -> Result<(), CorpusError> {
        for (ix, line) in read(path)?.lines().enumerate() {
            let fields: Vec<_> = line.split('\t').collect();
            let [text, language, translation] = fields[..] else {
                let path = path.to_owned();
                return Err(CorpusError::Parallel { path, line: ix + 1 });
            };
            self.add_parallel(text, language, translation);
        }
        Ok(())
    }

    /// Chooses the words that get a vector. A form (`deleted`) counts as its word (`delete`) where the word is
    /// in the texts at least as often: the same rule by which an embedding looks up what it does not know.
    pub(super) fn index(&self, min_count: u64, max_words: usize) -> Result<Indexed, CorpusError> {
        let by_number = names(&self.known);
        let root: Vec<u32> = (0..)
            .zip(&by_number)
            .map(|(ix, word)| self.root(ix, word))
            .collect();
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for (&root, count) in root.iter().zip(&self.counts) {
            *counts.entry(root).or_default() += count;
        }
        let mut kept: Vec<(u32, u64)> = counts
            .into_iter()
            .filter(|&(_, n)| n >= min_count)
            .collect();
        kept.sort_by_key(|&(ix, count)| (std::cmp::Reverse(count), by_number[ix as usize]));
        if max_words == 1 {
            return Err(CorpusError::OneWord);
        }
        if kept.len() < 2 {
            return Err(CorpusError::TooSmall {
                words: kept.len(),
                tokens: self.counts.iter().sum(),
            });
        }
        if max_words > 0 {
            kept.truncate(max_words);
        }
        let mut new = vec![None; self.counts.len()];
        for (at, &(ix, _)) in (0..).zip(&kept) {
            new[ix as usize] = Some(at);
        }
        let place = |ix: &u32| new[root[*ix as usize] as usize];

        let mut next = u32::try_from(kept.len()).unwrap_or(u32::MAX);
        let mut all: Vec<u64> = kept.iter().map(|&(_, count)| count).collect();
        let foreign: Vec<Option<u32>> = self
            .foreign_counts
            .iter()
            .map(|&count| {
                (count >= min_count).then(|| {
                    all.push(count);
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let mut indexed = Indexed {
            words: kept
                .iter()
                .map(|&(ix, _)| by_number[ix as usize].to_owned())
                .collect(),
            counts: all,
            lines: Vec::new(),
            parallel: Vec::new(),
            alone: 0,
        };
        let mut pairs: Vec<Pair> = Vec::new();
        for unit in &self.units {
            let words: Vec<u32> = unit.words.iter().filter_map(place).collect();
            let contexts: Vec<u32> = unit
                .foreign
                .iter()
                .filter_map(|&ix| foreign[ix as usize])
                .collect();
            if unit.foreign.is_empty() {
                indexed.lines.push(words);
            } else if !words.is_empty() && !contexts.is_empty() {
                pairs.push((words, contexts));
            }
        }
        indexed.parallel = align::links(&pairs);
        indexed.alone = indexed.alone();
        if indexed.alone == indexed.words.len() {
            return Err(CorpusError::NoContext {
                words: indexed.words.len(),
            });
        }
        Ok(indexed)
    }

    fn root(&self, ix: u32, word: &str) -> u32 {
        let count = self.counts[ix as usize];
        endings::stems(word)
            .filter_map(|stem| self.known.get(&stem).copied())
            .find(|&stem| self.counts[stem as usize] >= count)
            .unwrap_or(ix)
    }
}

fn names(known: &FxHashMap<String, u32>) -> Vec<&str> {
    let mut names = vec![""; known.len()];
    for (word, &ix) in known {
        names[ix as usize] = word;
    }
    names
}

fn read(path: &Path) -> Result<String, CorpusError> {
    plain::read(path).map_err(|(line, reason)| {
        let path = path.to_owned();
        match line {
            Some(line) => CorpusError::NotText { path, line, reason },
            None => CorpusError::Unreadable { path, reason },
        }
    })
}
