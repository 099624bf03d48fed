//! A small network of two hidden layers, computed without the tensor engine.
//!
//! The ARES family's networks have 2 x 64 units and batches of 64 to 128: an engine's calls cost more than the sums
//! in them. Here the sums are matrix products of `ndarray`, the first layer's input is a list of the places that are
//! on (an observation is nearly all zeros) and a few numbers (an action), and it grows as new places are met.

use crate::util::seed::Rng;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis};
use rand::RngExt as _;

/// What a network reads, one item a row.
///
/// Rows of one observation share it: a screen is met again and again, and may have thousands of widgets, so that its
/// part of the first layer is computed once a batch.
#[derive(Clone, Debug, Default)]
pub struct Batch<'a> {
    /// The observations, each once: the places that are 1.
    seen: Vec<&'a [u32]>,
    /// By row: which of them.
    rows: Vec<usize>,
    /// Further numbers, row by row: as many a row as the network has `dense` inputs.
    pub dense: Vec<f32>,
}

impl<'a> Batch<'a> {
    /// Adds a row with these places; the same slice as an earlier row's is shared with it.
    pub fn push(&mut self, bits: &'a [u32]) {
        let known = self.seen.iter().position(|&seen| std::ptr::eq(seen, bits));
        self.rows.push(known.unwrap_or(self.seen.len()));
        if known.is_none() {
            self.seen.push(bits);
        }
    }

    /// Rows.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Is there no row?
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The same rows with these further numbers.
    pub fn with(&self, dense: Vec<f32>) -> Self {
        Self {
            dense,
            ..self.clone()
        }
    }
}

impl<'a> FromIterator<&'a [u32]> for Batch<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u32]>>(rows: I) -> Self {
        let mut batch = Self::default();
        rows.into_iter().for_each(|bits| batch.push(bits));
        batch
    }
}

/// Sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Numbers beside the places.
    pub dense: usize,
    /// Units of the two hidden layers.
    pub hidden: [usize; 2],
    /// Outputs.
    pub outputs: usize,
}

/// The network. All weights lie in one vector: output and hidden layers first, places behind, so that it grows at
/// its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    shape: Shape,
    weights: Vec<f32>,
}

/// What a forward pass leaves for the backward one.
#[derive(Debug)]
pub struct Pass {
    first: Array2<f32>,
    second: Array2<f32>,
    /// Rows x outputs.
    pub out: Array2<f32>,
}

/// Where each layer's weights begin.
struct Parts {
    w3: usize,
    b3: usize,
    w2: usize,
    b2: usize,
    w1: usize,
    b1: usize,
    places: usize,
}

impl Mlp {
    /// Weights of hidden layers drawn evenly within 1 / sqrt(inputs) (as a dense layer that sees about ten places),
    /// the last layer's within `last` (small, so that first outputs are near 0); biases 0.
    pub fn new(shape: Shape, last: f32, rng: &mut Rng) -> Self {
        let h1 = shape.hidden[0];
        let parts = parts(shape);
        let mut weights = vec![0.0; parts.places];
        let mut fill = |range: std::ops::Range<usize>, limit: f32| {
            for weight in &mut weights[range] {
                *weight = (rng.random::<f32>() * 2.0 - 1.0) * limit;
            }
        };
        fill(parts.w3..parts.b3, last);
        fill(parts.w2..parts.b2, (3.0 / h1 as f32).sqrt());
        fill(parts.w1..parts.b1, SEEN.sqrt().recip() * 3.0_f32.sqrt());
        Self { shape, weights }
    }

    /// A network with these weights, as [`Mlp::weights`] gave them; `None`: their number does not fit the shape.
    pub fn with(shape: Shape, weights: Vec<f32>) -> Option<Self> {
        let rest = weights.len().checked_sub(parts(shape).places)?;
        (rest % shape.hidden[0] == 0).then_some(Self { shape, weights })
    }

    /// All weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// All weights, for an optimiser.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Its shape.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Places it has weights for.
    pub fn places(&self) -> usize {
        (self.weights.len() - parts(self.shape).places) / self.shape.hidden[0]
    }

    /// Makes room for so many places; new weights are drawn as the first ones.
    pub fn grow(&mut self, places: usize, rng: &mut Rng) {
        let h1 = self.shape.hidden[0];
        let wanted = parts(self.shape).places + places * h1;
        let limit = SEEN.sqrt().recip() * 3.0_f32.sqrt();
        while self.weights.len() < wanted {
            self.weights.push((rng.random::<f32>() * 2.0 - 1.0) * limit);
        }
    }

    /// Moves the share `tau` of the way to the other's weights (Polyak averaging).
    ///
    /// # Panics
    /// It is of another shape.
    pub fn follow(&mut self, other: &Self, tau: f32) {
        assert_eq!(self.shape, other.shape, "one shape");
        // What the other has grown by since is taken over.
        let own = self.weights.len();
        self.weights.extend_from_slice(&other.weights[own..]);
        for (own, other) in self.weights.iter_mut().zip(&other.weights) {
            *own += tau * (other - *own);
        }
    }

    fn matrix(&self, at: usize, rows: usize, columns: usize) -> ArrayView2<'_, f32> {
        view(&self.weights[at..at + rows * columns], rows, columns)
    }

    /// The outputs of each row. A place that the network has no weights for counts for nothing.
    ///
    /// # Panics
    /// `batch.dense` is not as long as it must be.
    pub fn forward(&self, batch: &Batch<'_>) -> Pass {
        let Shape {
            dense,
            hidden: [h1, h2],
            outputs,
        } = self.shape;
        let parts = parts(self.shape);
        let rows = batch.len();
        assert_eq!(batch.dense.len(), rows * dense, "dense inputs of each row");
        let mut seen = self.biased(batch.seen.len(), parts.b1, h1);
        for (mut sums, bits) in seen.axis_iter_mut(Axis(0)).zip(&batch.seen) {
            let sums = sums.as_slice_mut().unwrap_or_default();
            for &bit in *bits {
                let at = parts.places + bit as usize * h1;
                if let Some(weights) = self.weights.get(at..at + h1) {
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum += weight;
                    }
                }
            }
        }
        let mut first = seen.select(Axis(0), &batch.rows);
        if dense > 0 {
            let numbers = view(&batch.dense, rows, dense);
            let weights = self.matrix(parts.w1, dense, h1);
            general_mat_mul(1.0, &numbers, &weights, 1.0, &mut first);
        }
        first.mapv_inplace(relu);
        let mut second = self.biased(rows, parts.b2, h2);
        general_mat_mul(
            1.0,
            &first,
            &self.matrix(parts.w2, h1, h2),
            1.0,
            &mut second,
        );
        second.mapv_inplace(relu);
        let mut out = self.biased(rows, parts.b3, outputs);
        general_mat_mul(
            1.0,
            &second,
            &self.matrix(parts.w3, h2, outputs),
            1.0,
            &mut out,
        );
        Pass { first, second, out }
    }

    fn biased(&self, rows: usize, at: usize, columns: usize) -> Array2<f32> {
        let mut all = Array2::zeros((rows, columns));
        let bias = &self.weights[at..at + columns];
        for mut row in all.axis_iter_mut(Axis(0)) {
            row.as_slice_mut().unwrap_or_default().copy_from_slice(bias);
        }
        all
    }

    /// Adds to `grads` (one number a weight) the gradient of a loss whose gradient by the outputs is `by_out`, and
    /// gives its gradient by the dense inputs, row by row.
    ///
    /// # Panics
    /// Shapes do not fit.
    pub fn backward(
        &self,
        batch: &Batch<'_>,
        pass: &Pass,
        by_out: &Array2<f32>,
        grads: &mut [f32],
    ) -> Vec<f32> {
        let Shape {
            dense,
            hidden: [h1, h2],
            outputs,
        } = self.shape;
        let parts = parts(self.shape);
        let rows = batch.len();
        assert_eq!(grads.len(), self.weights.len(), "one number a weight");
        product(
            &pass.second,
            by_out,
            &mut grads[parts.w3..parts.b3],
            h2,
            outputs,
        );
        sums(by_out, &mut grads[parts.b3..parts.b3 + outputs]);
        let mut by_second = by_out.dot(&self.matrix(parts.w3, h2, outputs).t());
        gate(&mut by_second, &pass.second);
        product(
            &pass.first,
            &by_second,
            &mut grads[parts.w2..parts.b2],
            h1,
            h2,
        );
        sums(&by_second, &mut grads[parts.b2..parts.b2 + h2]);
        let mut by_first = by_second.dot(&self.matrix(parts.w2, h1, h2).t());
        gate(&mut by_first, &pass.first);
        sums(&by_first, &mut grads[parts.b1..parts.b1 + h1]);
        let mut by_seen = Array2::<f32>::zeros((batch.seen.len(), h1));
        for (by, &seen) in by_first.axis_iter(Axis(0)).zip(&batch.rows) {
            by_seen.row_mut(seen).scaled_add(1.0, &by);
        }
        for (by, bits) in by_seen.axis_iter(Axis(0)).zip(&batch.seen) {
            let by = by.as_slice().unwrap_or_default();
            for &bit in *bits {
                let at = parts.places + bit as usize * h1;
                if let Some(grads) = grads.get_mut(at..at + h1) {
                    for (grad, by) in grads.iter_mut().zip(by) {
                        *grad += by;
                    }
                }
            }
        }
        if dense == 0 {
            return Vec::new();
        }
        let numbers = view(&batch.dense, rows, dense).to_owned();
        product(
            &numbers,
            &by_first,
            &mut grads[parts.w1..parts.b1],
            dense,
            h1,
        );
        let by_dense = by_first.dot(&self.matrix(parts.w1, dense, h1).t());
        by_dense.iter().copied().collect()
    }
}

/// Places that an observation has about: what the first layer's weights are scaled for.
const SEEN: f32 = 10.0;

fn parts(shape: Shape) -> Parts {
    let [h1, h2] = shape.hidden;
    let w3 = 0;
    let b3 = w3 + h2 * shape.outputs;
    let w2 = b3 + shape.outputs;
    let b2 = w2 + h1 * h2;
    let w1 = b2 + h2;
    let b1 = w1 + shape.dense * h1;
    Parts {
        w3,
        b3,
        w2,
        b2,
        w1,
        b1,
        places: b1 + h1,
    }
}

const fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// `rows` x `columns` numbers as a matrix.
fn view(numbers: &[f32], rows: usize, columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((rows, columns), numbers).expect("rows x columns numbers")
}

/// Adds `left` transposed times `right` to `into`.
fn product(left: &Array2<f32>, right: &Array2<f32>, into: &mut [f32], rows: usize, columns: usize) {
    if let Ok(mut into) = ArrayViewMut2::from_shape((rows, columns), into) {
        general_mat_mul(1.0, &left.t(), right, 1.0, &mut into);
    }
}

/// Adds each column's sum.
fn sums(of: &Array2<f32>, into: &mut [f32]) {
    for row in of.axis_iter(Axis(0)) {
        for (sum, value) in into.iter_mut().zip(row) {
            *sum += value;
        }
    }
}

/// No gradient passes where a unit was off.
fn gate(gradient: &mut Array2<f32>, units: &Array2<f32>) {
    gradient.zip_mut_with(units, |gradient, &unit| {
        if unit <= 0.0 {
            *gradient = 0.0;
        }
    });
}

#[cfg(test)]
mod tests;
