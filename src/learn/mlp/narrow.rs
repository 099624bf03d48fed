//! Products with matrices of few columns (an output layer, an action's numbers), row by row.
//!
//! A general product lays both matrices out anew and pads them to its own tiles: for one column that costs many times
//! the sums.

use ndarray::{Array2, ArrayView2, Axis};

/// Adds to `into` (rows x columns) `left` (rows x n) times `right` (n x columns).
pub fn add_product(left: &Array2<f32>, right: &ArrayView2<'_, f32>, into: &mut Array2<f32>) {
    for (column, weights) in right.axis_iter(Axis(1)).enumerate() {
        let weights = weights.to_vec();
        for (row, of) in rows(left).enumerate() {
            into[[row, column]] += dot(of, &weights);
        }
    }
}

/// Adds to `into` (n x columns, row-major) `left` (rows x n) transposed times `right` (rows x columns).
pub fn add_transposed(left: &Array2<f32>, right: &Array2<f32>, into: &mut [f32]) {
    let columns = right.ncols();
    let mut sums = vec![0.0; left.ncols()];
    for column in 0..columns {
        sums.fill(0.0);
        for (of, &factor) in rows(left).zip(right.column(column)) {
            add(&mut sums, factor, of);
        }
        for (into, sum) in into.iter_mut().skip(column).step_by(columns).zip(&sums) {
            *into += sum;
        }
    }
}

/// Adds to `into` (rows x n) `left` (rows x columns) times `right` (n x columns) transposed.
pub fn add_back(left: &ArrayView2<'_, f32>, right: &ArrayView2<'_, f32>, into: &mut Array2<f32>) {
    for (factors, weights) in left.axis_iter(Axis(1)).zip(right.axis_iter(Axis(1))) {
        let weights = weights.to_vec();
        for (into, &factor) in rows_mut(into).zip(factors) {
            add(into, factor, &weights);
        }
    }
}

/// Adds `factor` times `of`.
pub fn add(into: &mut [f32], factor: f32, of: &[f32]) {
    for (into, of) in into.iter_mut().zip(of) {
        *into += factor * of;
    }
}

/// The rows of a matrix, which must be row-major: one that is not would have none, and all that is summed over them
/// would be 0.
pub fn rows(of: &Array2<f32>) -> impl Iterator<Item = &[f32]> {
    let columns = of.ncols().max(1);
    of.as_slice().expect(ROW_MAJOR).chunks_exact(columns)
}

/// The same, to be changed.
pub fn rows_mut(of: &mut Array2<f32>) -> impl Iterator<Item = &mut [f32]> {
    let columns = of.ncols().max(1);
    let numbers = of.as_slice_mut().expect(ROW_MAJOR);
    numbers.chunks_exact_mut(columns)
}

const ROW_MAJOR: &str = "a row-major matrix";

/// The sum of the products, in eight parts, so that they are formed beside each other.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    let (left, right) = (left.chunks_exact(8), right.chunks_exact(8));
    let rest: f32 = left
        .remainder()
        .iter()
        .zip(right.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (left, right) in left.zip(right) {
        for ((sum, a), b) in sums.iter_mut().zip(left).zip(right) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + rest
}
