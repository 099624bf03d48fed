//! Skip-gram with negative sampling: a word's vector is moved towards its contexts' and away from others'.

use super::Parameters;
use super::corpus::Indexed;
use crate::util::seed::{self, Rng};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

/// Places in the table that contexts are drawn from.
const TABLE: usize = 1 << 22;
/// A context is drawn by this power of its count (the paper's choice).
const POWER: f64 = 0.75;
/// Beyond this the sigmoid is 0 or 1.
const STEEPEST: f32 = 8.0;
/// The rate never falls below this share of the first.
const LOWEST: f64 = 1e-4;

struct Fit<'a> {
    parameters: &'a Parameters,
    words: Vec<f32>,
    contexts: Vec<f32>,
    /// Contexts, each as often as it is to be drawn.
    table: Vec<u32>,
    /// How likely each context is kept by subsampling.
    keep: Vec<f32>,
    rate: f32,
    step: Vec<f32>,
    rng: Rng,
}

/// The vectors of the corpus's words, row by row.
pub(super) fn fit(
    corpus: &Indexed,
    parameters: &Parameters,
    progress: &mut impl FnMut(f64),
) -> Vec<f32> {
    let mut rng = seed::generator(parameters.seed, "embeddings", "skip-gram", 0);
    let dim = parameters.dim;
    let spread = 0.5 / dim as f32;
    let words = (0..corpus.words.len() * dim)
        .map(|_| rng.random_range(-spread..spread))
        .collect();
    let mut fit = Fit {
        parameters,
        words,
        contexts: vec![0.0; corpus.counts.len() * dim],
        table: table(&corpus.counts),
        keep: keep(&corpus.counts, parameters.subsample),
        rate: parameters.rate,
        step: vec![0.0; dim],
        rng,
    };
    let units = corpus.lines.len() + corpus.parallel.len();
    let mut order: Vec<usize> = (0..units).collect();
    let all = (units * parameters.epochs).max(1) as f64;
    let mut done = 0_usize;
    for _ in 0..parameters.epochs {
        order.shuffle(&mut fit.rng);
        for &unit in &order {
            if done.is_multiple_of(1 << 12) {
                let share = done as f64 / all;
                fit.rate = parameters.rate * (1.0 - share).max(LOWEST) as f32;
                progress(share);
            }
            match corpus.lines.get(unit) {
                Some(line) => fit.line(line),
                None => {
                    for &(word, context) in &corpus.parallel[unit - corpus.lines.len()] {
                        fit.pair(word, context);
                    }
                }
            }
            done += 1;
        }
    }
    progress(1.0);
    centre(&mut fit.words, dim);
    fit.words
}

/// Removes what all words have in common, which says nothing about any of them and hides what does (Mu &
/// Viswanath 2018, "All-but-the-Top", without the top components: that helped no further).
fn centre(rows: &mut [f32], dim: usize) {
    let count = (rows.len() / dim).max(1) as f32;
    let mut mean = vec![0.0; dim];
    for row in rows.chunks_exact(dim) {
        for (mean, x) in mean.iter_mut().zip(row) {
            *mean += x / count;
        }
    }
    for row in rows.chunks_exact_mut(dim) {
        for (x, mean) in row.iter_mut().zip(&mean) {
            *x -= mean;
        }
    }
}

fn table(counts: &[u64]) -> Vec<u32> {
    let total: f64 = counts.iter().map(|&n| (n as f64).powf(POWER)).sum();
    let mut table = Vec::with_capacity(TABLE);
    let mut sum = 0.0;
    for (context, &count) in (0..).zip(counts) {
        sum += (count as f64).powf(POWER);
        let end = (sum / total * TABLE as f64).round() as usize;
        table.resize(end.min(TABLE), context);
    }
    table
}

/// word2vec's formula: sqrt(t / f) + t / f.
fn keep(counts: &[u64], subsample: f64) -> Vec<f32> {
    let total: u64 = counts.iter().sum();
    let chance = |&count: &u64| {
        let ratio = subsample * total as f64 / count as f64;
        if subsample > 0.0 {
            (ratio.sqrt() + ratio).min(1.0) as f32
        } else {
            1.0
        }
    };
    counts.iter().map(chance).collect()
}

impl Fit<'_> {
    fn kept(&mut self, items: &[u32]) -> Vec<u32> {
        let (keep, rng) = (&self.keep, &mut self.rng);
        let stays =
            |&&ix: &&u32| keep[ix as usize] >= 1.0 || rng.random::<f32>() < keep[ix as usize];
        items.iter().filter(stays).copied().collect()
    }

    fn line(&mut self, line: &[u32]) {
        let line = self.kept(line);
        for (at, &word) in line.iter().enumerate() {
            let reach = self.rng.random_range(1..=self.parameters.window);
            let end = line.len().min(at + reach + 1);
            for (other, &context) in line[..end]
                .iter()
                .enumerate()
                .skip(at.saturating_sub(reach))
            {
                if other != at {
                    self.pair(word, context);
                }
            }
        }
    }

    fn pair(&mut self, word: u32, context: u32) {
        let dim = self.parameters.dim;
        let word = word as usize * dim;
        self.step.fill(0.0);
        for sample in 0..=self.parameters.negative {
            let (target, label) = if sample == 0 {
                (context, 1.0)
            } else {
                let drawn = self.table[self.rng.random_range(0..self.table.len())];
                if drawn == context {
                    continue;
                }
                (drawn, 0.0)
            };
            let row = target as usize * dim;
            let vector = &self.words[word..word + dim];
            let output = &mut self.contexts[row..row + dim];
            let slope = (label - sigmoid(dot(vector, output))) * self.rate;
            for ((step, out), v) in self.step.iter_mut().zip(output).zip(vector) {
                *step += slope * *out;
                *out += slope * v;
            }
        }
        for (v, step) in self.words[word..word + dim].iter_mut().zip(&self.step) {
            *v += step;
        }
    }
}

/// In eight lanes, so that the compiler may use vector instructions: floats may not be reordered otherwise.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in a8.iter().zip(b8) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

fn sigmoid(x: f32) -> f32 {
    if x > STEEPEST {
        1.0
    } else if x < -STEEPEST {
        0.0
    } else {
        1.0 / (1.0 + (-x).exp())
    }
}
