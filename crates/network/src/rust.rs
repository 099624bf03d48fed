//! The network in Rust: forward, gradient, and Adam over all weights.
//!
//! Weights lie as inputs x outputs, so that a product runs along the outputs, which have no order among them; callers
//! see outputs x inputs, as policies hold them.

mod filters;
mod gradient;
mod tanh;

use crate::engine::{Lesson, Moments, Network};
use crate::layout::{Rows, Texts, Tower, dense_len};
use crate::product::{Columns, Strided, add_product, transpose};
use crate::shape::{Layer, Sizes, layers};
use filters::{Windows, Words};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use tanh::tanh;

/// Where a layer's weights and biases lie.
#[derive(Clone, Debug)]
struct Place {
    weights: Range<usize>,
    biases: Range<usize>,
}

/// The network.
#[derive(Clone, Debug)]
pub struct RustNetwork {
    towers: Vec<Tower>,
    places: Vec<Place>,
    /// Layer by layer: inputs x outputs, then biases.
    flat: Vec<f32>,
    steps: i32,
    mean: Vec<f32>,
    square: Vec<f32>,
    /// What each tower's filters give for a text, by the text's number, until the weights change.
    known: RefCell<Vec<FxHashMap<u32, Vec<f32>>>>,
}

/// What the layers give for a batch.
struct Forward {
    /// Rows x all outputs of the towers.
    joined: Vec<f32>,
    /// Rows x outputs of each hidden layer, after tanh.
    hidden: [Vec<f32>; 2],
    /// One a row.
    values: Vec<f32>,
}

impl RustNetwork {
    /// A network with these weights.
    ///
    /// # Panics
    /// There are fewer than the layers have.
    pub fn new(towers: &[Tower], sizes: Sizes, weights: &[f32]) -> Self {
        let mut end = 0;
        let place = |layer: &Layer| {
            let start = end;
            let behind = start + layer.inputs * layer.outputs;
            end = behind + layer.outputs;
            Place {
                weights: start..behind,
                biases: behind..end,
            }
        };
        let mut network = Self {
            towers: towers.to_vec(),
            places: layers(towers, sizes).iter().map(place).collect(),
            flat: Vec::new(),
            steps: 0,
            mean: vec![0.0; weights.len()],
            square: vec![0.0; weights.len()],
            known: RefCell::default(),
        };
        network.set_weights(weights);
        network
    }

    fn set_weights(&mut self, weights: &[f32]) {
        self.flat = self.inward(weights);
        self.forget();
    }

    fn forget(&mut self) {
        self.known = RefCell::new(vec![FxHashMap::default(); self.towers.len()]);
    }

    /// From outputs x inputs to inputs x outputs, layer by layer.
    fn inward(&self, numbers: &[f32]) -> Vec<f32> {
        self.turned(numbers, |weights, outputs| weights / outputs)
    }

    /// From inputs x outputs to outputs x inputs.
    fn outward(&self, numbers: &[f32]) -> Vec<f32> {
        self.turned(numbers, |_, outputs| outputs)
    }

    fn turned(&self, numbers: &[f32], columns: impl Fn(usize, usize) -> usize) -> Vec<f32> {
        let mut all = Vec::with_capacity(numbers.len());
        for Place { weights, biases } in &self.places {
            let columns = columns(weights.len(), biases.len());
            all.extend(transpose(&numbers[weights.clone()], columns));
            all.extend_from_slice(&numbers[biases.clone()]);
        }
        all
    }

    /// Weights and biases of a layer.
    fn layer(&self, ix: usize) -> (&[f32], &[f32]) {
        let Place { weights, biases } = &self.places[ix];
        (&self.flat[weights.clone()], &self.flat[biases.clone()])
    }

    /// A dense layer: rows x outputs.
    fn dense(&self, ix: usize, inputs: &[f32], rows: usize) -> Vec<f32> {
        let (weights, bias) = self.layer(ix);
        let mut sums = bias.repeat(rows);
        let left = Strided::rows(inputs, inputs.len().checked_div(rows).unwrap_or(0));
        let columns = bias.len();
        add_product(left, weights, columns, Columns::all(&mut sums, columns));
        sums
    }

    /// Numbers that all towers give for a row.
    fn width(&self) -> usize {
        let towers = &self.places[..self.towers.len()];
        towers.iter().map(|place| place.biases.len()).sum()
    }

    /// All towers. `words` writes what a tower of words gives, to the columns that begin at that number.
    fn joined(
        &self,
        rows: &Rows,
        mut words: impl FnMut(usize, Words, usize, &mut [f32]),
    ) -> Vec<f32> {
        let (width, dense) = (self.width(), dense_len(&self.towers));
        let mut joined = vec![0.0; rows.len * width];
        let (mut read, mut first) = (0, 0);
        for (ix, tower) in self.towers.iter().enumerate() {
            let (weights, bias) = self.layer(ix);
            match tower {
                Tower::Vector { len, .. } => {
                    for row in joined.chunks_exact_mut(width) {
                        row[first..first + bias.len()].copy_from_slice(bias);
                    }
                    let left = Strided {
                        numbers: &rows.dense[read..],
                        row: dense,
                        column: 1,
                    };
                    let sums = Columns {
                        numbers: &mut joined[first..],
                        row: width,
                        rows: rows.len,
                    };
                    add_product(left, weights, bias.len(), sums);
                    read += len;
                }
                Tower::Words { count, dim, .. } => {
                    let shape = Words {
                        count: *count,
                        dim: *dim,
                    };
                    words(ix, shape, first, &mut joined);
                }
            }
            first += bias.len();
        }
        joined
    }

    /// What is behind the towers.
    fn forward(&self, joined: Vec<f32>, rows: usize) -> Forward {
        let behind = self.towers.len();
        let hidden = |ix: usize, inputs: &[f32]| {
            let mut sums = self.dense(ix, inputs, rows);
            sums.iter_mut().for_each(|x| *x = tanh(*x));
            sums
        };
        let first = hidden(behind, &joined);
        let second = hidden(behind + 1, &first);
        Forward {
            values: self.dense(behind + 2, &second, rows),
            joined,
            hidden: [first, second],
        }
    }

    /// What a tower's filters give for the texts of these rows, each text computed once until the weights change.
    fn known(
        &self,
        tower: usize,
        numbers: &[u32],
        texts: &Texts,
        words: Words,
        mut with: impl FnMut(usize, &[f32]),
    ) {
        let (weights, bias) = self.layer(tower);
        let known = &mut self.known.borrow_mut()[tower];
        let mut new: Vec<u32> = Vec::new();
        for &text in numbers {
            known.entry(text).or_insert_with(|| {
                new.push(text);
                Vec::new()
            });
        }
        let filtered = Windows::of_texts(&new, texts, words).filtered(weights, bias);
        for (text, values) in new
            .into_iter()
            .zip(filtered.values.chunks_exact(bias.len()))
        {
            known.insert(text, values.to_vec());
        }
        for (row, text) in numbers.iter().enumerate() {
            with(row, &known[text]);
        }
    }
}

impl Network for RustNetwork {
    fn values(&self, rows: &Rows, texts: &Texts) -> Vec<f32> {
        if rows.len == 0 {
            return Vec::new();
        }
        let width = self.width();
        let joined = self.joined(rows, |tower, words, first, joined| {
            self.known(tower, &rows.texts, texts, words, |row, values| {
                joined[row * width + first..][..values.len()].copy_from_slice(values);
            });
        });
        self.forward(joined, rows.len).values
    }

    fn learn(&mut self, lesson: &Lesson<'_>, rate: f64) -> f32 {
        let (error, gradient) = self.error(lesson);
        self.steps = self.steps.saturating_add(1);
        let rate = Moments::rate(rate, self.steps) as f32;
        let (keep, take) = (Moments::BETA1 as f32, (1.0 - Moments::BETA1) as f32);
        let (keep_square, take_square) = (Moments::BETA2 as f32, (1.0 - Moments::BETA2) as f32);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, gradient), (mean, square)) in self.flat.iter_mut().zip(gradient).zip(moments)
        {
            *mean = *mean * keep + gradient * take;
            *square = *square * keep_square + gradient * gradient * take_square;
            *weight -= *mean / (square.sqrt() + Moments::EPSILON as f32) * rate;
        }
        self.forget();
        error
    }

    fn gradient(&self, lesson: &Lesson<'_>) -> (f32, Vec<f32>) {
        let (error, gradient) = self.error(lesson);
        (error, self.outward(&gradient))
    }

    fn weights(&self) -> Vec<f32> {
        self.outward(&self.flat)
    }

    fn moments(&self) -> Moments {
        Moments {
            steps: self.steps,
            mean: self.outward(&self.mean),
            square: self.outward(&self.square),
        }
    }

    fn set_moments(&mut self, moments: &Moments) {
        self.steps = moments.steps;
        self.mean = self.inward(&moments.mean);
        self.square = self.inward(&moments.square);
        assert_eq!(self.mean.len(), self.flat.len(), "one mean a weight");
        assert_eq!(self.square.len(), self.flat.len(), "one square a weight");
    }

    fn twin(&self) -> Box<dyn Network> {
        Box::new(self.clone())
    }

    fn follow(&mut self, weights: &[f32]) {
        assert_eq!(weights.len(), self.flat.len(), "one number a weight");
        self.set_weights(weights);
    }
}
