//! A small network of two hidden layers, computed without the tensor engine.
//!
//! The ARES family's networks have 2 x 64 units and batches of 64 to 128: an engine's calls cost more than the sums
//! in them. Here the sums are matrix products in one order, the first layer's input is a list of the places that are
//! on (an observation is nearly all zeros) and a few numbers (an action), and it grows as new places are met: only
//! those that were ever on have weights in memory ([`places`]).

mod batch;
mod narrow;
mod places;

pub use batch::Batch;

use crate::util::seed::Rng;
use droidtest_network::product::{Columns, Strided, add_product, transpose};
use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use places::{Places, Width};
use rand::RngExt as _;

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

/// The network. All weights lie in one vector: output and hidden layers first, places behind in the order in which
/// they were first on, so that it grows at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    shape: Shape,
    weights: Vec<f32>,
    at: Places,
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
        fill(parts.w1..parts.b1, limit());
        Self {
            shape,
            weights,
            at: Places::default(),
        }
    }

    /// A network with these weights, as [`Mlp::all`] gave them; `None`: their number does not fit the shape.
    pub fn with(shape: Shape, weights: Vec<f32>) -> Option<Self> {
        let rest = weights.len().checked_sub(parts(shape).places)?;
        (rest % shape.hidden[0] == 0).then(|| Self {
            shape,
            weights,
            at: Places::all(rest / shape.hidden[0]),
        })
    }

    /// The weights of all places, in the order of places: what a policy keeps.
    pub fn all(&self) -> Vec<f32> {
        let (own, rows) = self.weights.split_at(parts(self.shape).places);
        let mut all = own.to_vec();
        for place in 0..u32::try_from(self.places()).unwrap_or(u32::MAX) {
            if let Some(row) = self.at.weights(place, self.width(), rows) {
                all.extend_from_slice(&row);
            }
        }
        all
    }

    fn width(&self) -> Width {
        Width {
            len: self.shape.hidden[0],
            limit: limit(),
        }
    }

    /// The weights in memory.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights in memory, for an optimiser. Those of places that were never on stay as they were drawn.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Its shape.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Places it has weights for, in memory or drawn.
    pub const fn places(&self) -> usize {
        self.at.len()
    }

    /// Makes room for all places up to the highest of these, which are on; new weights are drawn as the first ones.
    pub fn grow(&mut self, on: &[u32], rng: &mut Rng) {
        let places = on.iter().max().map_or(0, |&highest| highest as usize + 1);
        let width = self.width();
        self.at.extend(places, width, rng);
        for &place in on {
            if self.at.row(place).is_none()
                && let Some(row) = self.at.drawn(place, width)
            {
                self.at.give(place);
                self.weights.extend(row);
            }
        }
    }

    /// Moves the share `tau` of the way to the other's weights (Polyak averaging).
    ///
    /// The other is the one that it was copied from, or has followed from the first.
    ///
    /// # Panics
    /// It is of another shape.
    pub fn track(&mut self, other: &Self, tau: f32) {
        assert_eq!(self.shape, other.shape, "one shape");
        let (width, known) = (self.width(), self.places());
        self.at.extend_as(&other.at);
        // The other's rows are this one's and those that it was given since. Places that are new to this one it takes
        // over as they are; those that it knew are here what was drawn.
        let rows = &other.weights[parts(self.shape).places..];
        let own = self.at.order().len();
        for (&place, row) in other.at.order()[own..]
            .iter()
            .zip(rows[own * width.len..].chunks(width.len))
        {
            let drawn = ((place as usize) < known)
                .then(|| self.at.drawn(place, width))
                .flatten();
            self.at.give(place);
            match drawn {
                Some(drawn) => self.weights.extend(drawn),
                None => self.weights.extend_from_slice(row),
            }
        }
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
        let (width, places) = (self.width(), &self.weights[parts.places..]);
        let mut seen = self.biased(batch.seen.len(), parts.b1, h1);
        for (sums, bits) in narrow::rows_mut(&mut seen).zip(&batch.seen) {
            for &bit in *bits {
                if let Some(weights) = self.at.weights(bit, width, places) {
                    for (sum, weight) in sums.iter_mut().zip(&*weights) {
                        *sum += weight;
                    }
                }
            }
        }
        let mut first = Array2::zeros((rows, h1));
        for (mut row, &seen_at) in first.axis_iter_mut(Axis(0)).zip(&batch.rows) {
            row.assign(&seen.row(seen_at));
        }
        if dense > 0 {
            let numbers = view(&batch.dense, rows, dense);
            let weights = self.matrix(parts.w1, dense, h1);
            narrow::add_back(&numbers, &weights.t(), &mut first);
        }
        first.mapv_inplace(relu);
        let mut second = self.biased(rows, parts.b2, h2);
        let w2 = &self.weights[parts.w2..parts.b2];
        add_product(rows_of(&first), w2, h2, columns_of(&mut second));
        second.mapv_inplace(relu);
        let mut out = self.biased(rows, parts.b3, outputs);
        narrow::add_product(&second, &self.matrix(parts.w3, h2, outputs), &mut out);
        Pass { first, second, out }
    }

    fn biased(&self, rows: usize, at: usize, columns: usize) -> Array2<f32> {
        let mut all = Array2::zeros((rows, columns));
        let bias = &self.weights[at..at + columns];
        for row in narrow::rows_mut(&mut all) {
            row.copy_from_slice(bias);
        }
        all
    }

    /// Adds to `grads` (one number a weight) the gradient of a loss whose gradient by the outputs is `by_out`, and
    /// gives its gradient by the dense inputs, row by row.
    ///
    /// # Panics
    /// Shapes do not fit, or `by_out` is not row-major.
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
        narrow::add_transposed(&pass.second, by_out, &mut grads[parts.w3..parts.b3]);
        sums(by_out, &mut grads[parts.b3..parts.b3 + outputs]);
        let mut by_second = Array2::zeros((rows, h2));
        narrow::add_back(
            &by_out.view(),
            &self.matrix(parts.w3, h2, outputs),
            &mut by_second,
        );
        gate(&mut by_second, &pass.second);
        let into = Columns::all(&mut grads[parts.w2..parts.b2], h2);
        let first = Strided::transposed(numbers(&pass.first), h1);
        add_product(first, numbers(&by_second), h2, into);
        sums(&by_second, &mut grads[parts.b2..parts.b2 + h2]);
        let mut by_first = Array2::zeros((rows, h1));
        let w2 = transpose(&self.weights[parts.w2..parts.b2], h2);
        add_product(rows_of(&by_second), &w2, h1, columns_of(&mut by_first));
        gate(&mut by_first, &pass.first);
        sums(&by_first, &mut grads[parts.b1..parts.b1 + h1]);
        let mut by_seen = Array2::<f32>::zeros((batch.seen.len(), h1));
        for (by, &seen) in narrow::rows(&by_first).zip(&batch.rows) {
            by_seen.row_mut(seen).scaled_add(1.0, &ArrayView1::from(by));
        }
        for (by, bits) in narrow::rows(&by_seen).zip(&batch.seen) {
            for &bit in *bits {
                let Some(row) = self.at.row(bit) else {
                    continue;
                };
                let at = parts.places + row * h1;
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
        let w1 = &mut grads[parts.w1..parts.b1];
        for (by, numbers) in narrow::rows(&by_first).zip(batch.dense.chunks(dense)) {
            for (grads, &number) in w1.chunks_mut(h1).zip(numbers) {
                narrow::add(grads, number, by);
            }
        }
        let mut by_dense = Array2::zeros((rows, dense));
        let weights = self.matrix(parts.w1, dense, h1);
        narrow::add_product(&by_first, &weights.t(), &mut by_dense);
        by_dense.into_raw_vec_and_offset().0
    }
}

/// Places that an observation has about: what the first layer's weights are scaled for.
const SEEN: f32 = 10.0;

/// Limit of the first layer's first weights.
fn limit() -> f32 {
    SEEN.sqrt().recip() * 3.0_f32.sqrt()
}

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

/// A matrix's numbers, row by row: all of ours lie so.
fn numbers(of: &Array2<f32>) -> &[f32] {
    of.as_slice().expect("row by row")
}

fn rows_of(of: &Array2<f32>) -> Strided<'_> {
    Strided::rows(numbers(of), of.ncols())
}

fn columns_of(into: &mut Array2<f32>) -> Columns<'_> {
    let columns = into.ncols();
    Columns::all(into.as_slice_mut().expect("row by row"), columns)
}

/// Adds each column's sum.
fn sums(of: &Array2<f32>, into: &mut [f32]) {
    for row in narrow::rows(of) {
        narrow::add(into, 1.0, row);
    }
}

/// No gradient passes where a unit was off.
fn gate(gradient: &mut Array2<f32>, units: &Array2<f32>) {
    // Written in both cases: a jump that is taken half of the time costs more.
    gradient.zip_mut_with(units, |gradient, &unit| {
        *gradient = if unit <= 0.0 { 0.0 } else { *gradient };
    });
}

#[cfg(test)]
mod tests;
