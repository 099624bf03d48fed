//! Training word vectors: skip-gram with negative sampling and subsampling (Mikolov et al. 2013,
//! "Distributed Representations of Words and Phrases and their Compositionality"), on one thread, so that equal
//! texts, settings and seeds give equal vectors bit for bit on one machine.
//!
//! Next to running text it learns from *parallel* lines, a text and its translation: a word's context is then the word
//! that stands for it in the translation (a context of another kind than neighbours, as in Levy & Goldberg 2014,
//! "Dependency-Based Word Embeddings"). Two words that other languages translate by one and the same word come to lie
//! close together, which neighbours in sentences teach far less surely. Words of translations are contexts only, by
//! their first letters, so that most endings go; they get no vector.

mod align;
mod corpus;
mod join;
mod skip_gram;

pub use corpus::{Corpus, CorpusError};
pub use join::{JoinError, join};

use super::Embedding;

/// What training depends on next to the texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// The vector size, 1 or more.
    pub dim: usize,
    /// The context window size, in words, 1 or more. Each time a window of 1 to so many is drawn.
    pub window: usize,
    /// Negative samples for each positive one (k in the paper), 1 or more: with none all vectors become one.
    pub negative: usize,
    /// Words more frequent than this share of the text are left out more often the more frequent they are
    /// (t in the paper); 0 keeps all.
    pub subsample: f64,
    /// The number of passes over the texts, 1 or more.
    pub epochs: usize,
    /// The initial learning rate; it falls linearly to a ten-thousandth of it.
    pub rate: f32,
    /// Words rarer than this are left out, 1 or more.
    pub min_count: u64,
    /// At most so many words, the most frequent, 2 or more; 0: all.
    pub max_words: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            dim: 100,
            window: 5,
            negative: 5,
            subsample: 1e-3,
            epochs: 5,
            rate: 0.025,
            min_count: 5,
            max_words: 0,
            seed: 1,
        }
    }
}

/// What was trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingStats {
    /// Words in the running text and on the left of parallel lines, rare ones left out.
    pub tokens: u64,
    /// Words that have a vector.
    pub words: usize,
    /// Words of translations that served as contexts.
    pub foreign: usize,
    /// Of `words`, those that are in no line with another word that is kept and are aligned with no translation's:
    /// nothing is learned of them, their vectors are random.
    pub alone: usize,
}

/// Trains vectors. `progress` receives the share done (0 to 1) periodically. Words come the most frequent first,
/// equally frequent ones in alphabetical order.
///
/// # Errors
/// Fewer than two words are left, or none of them is in a line with another or is aligned with a translation's.
pub fn train(
    corpus: &Corpus,
    parameters: &Parameters,
    mut progress: impl FnMut(f64),
) -> Result<(Embedding, TrainingStats), CorpusError> {
    let indexed = corpus.index(parameters.min_count, parameters.max_words)?;
    let rows = skip_gram::fit(&indexed, parameters, &mut progress);
    let seen = TrainingStats {
        tokens: indexed.tokens(),
        words: indexed.words.len(),
        foreign: indexed.counts.len() - indexed.words.len(),
        alone: indexed.alone,
    };
    let words = indexed.words.iter().map(String::as_str);
    Ok((Embedding::from_rows(words, parameters.dim, rows), seen))
}

#[cfg(test)]
mod tests;
