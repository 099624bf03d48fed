//! The convolution over a text's words: each filter looks at three words at a time, and its largest value is kept.

use super::tanh::tanh;
use crate::layout::Texts;
use crate::product::{Columns, Strided, add_product};
use crate::shape::KERNEL;

/// Words of one text.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Their number.
    pub count: usize,
    /// Numbers of one.
    pub dim: usize,
}

/// The windows of some texts, three words each. Windows without any word are not kept: what a filter gives for them is
/// its bias.
#[derive(Debug, Default)]
pub struct Windows {
    /// Window by window, 3 x `dim` numbers.
    cells: Vec<f32>,
    /// For each text how many of its windows are kept, and how many are empty.
    texts: Vec<(usize, usize)>,
}

/// What the filters give for each text.
#[derive(Debug)]
pub struct Filtered {
    /// tanh of the largest sum: texts x filters.
    pub values: Vec<f32>,
    /// The sums of each window: windows x filters.
    sums: Vec<f32>,
}

impl Windows {
    /// Those of these texts, each with a row of zeros before and after its words.
    pub fn of_texts(numbers: &[u32], texts: &Texts, words: Words) -> Self {
        let Words { count, dim } = words;
        let mut all = Self::default();
        for &number in numbers {
            let matrix = texts.get(number).unwrap_or_default();
            let there: Vec<bool> = matrix
                .chunks_exact(dim.max(1))
                .map(|word| word.iter().any(|&x| x != 0.0))
                .collect();
            let is_there = |word: Option<usize>| word.and_then(|at| there.get(at)) == Some(&true);
            let mut kept = 0;
            for middle in 0..count {
                let window = (0..KERNEL).map(|k| (middle + k).checked_sub(KERNEL / 2));
                if !window.clone().any(is_there) {
                    continue;
                }
                kept += 1;
                for word in window {
                    let row = word.and_then(|at| matrix.get(at * dim..(at + 1) * dim));
                    match row {
                        Some(row) => all.cells.extend_from_slice(row),
                        None => all.cells.resize(all.cells.len() + dim, 0.0),
                    }
                }
            }
            all.texts.push((kept, count - kept));
        }
        all
    }

    /// What the filters give: `weights` are 3 x `dim` rows of filters.
    pub fn filtered(&self, weights: &[f32], bias: &[f32]) -> Filtered {
        let filters = bias.len();
        let width = weights.len() / filters;
        let kept: usize = self.texts.iter().map(|(kept, _)| kept).sum();
        let mut sums = bias.repeat(kept);
        let left = Strided::rows(&self.cells, width);
        add_product(left, weights, filters, Columns::all(&mut sums, filters));
        let mut values = Vec::with_capacity(self.texts.len() * filters);
        self.each(&sums, bias, |_, best| {
            values.extend(best.iter().map(|&x| tanh(x)))
        });
        Filtered { values, sums }
    }

    /// Adds to the gradients of weights and biases what follows from the gradient by each text's values.
    pub fn add_gradient(
        &self,
        filtered: &Filtered,
        by_values: &[f32],
        bias: &[f32],
        (by_weights, by_bias): (&mut [f32], &mut [f32]),
    ) {
        let filters = bias.len();
        let width = by_weights.len() / filters;
        let mut by_sums = vec![0.0; filtered.sums.len()];
        let mut first = 0;
        self.each(&filtered.sums, bias, |text, best| {
            let (kept, empty) = self.texts[text];
            let windows = first * filters..(first + kept) * filters;
            let sums = &filtered.sums[windows.clone()];
            for filter in 0..filters {
                let at = text * filters + filter;
                let value = filtered.values[at];
                let gradient = by_values[at] * (1.0 - value * value);
                by_bias[filter] += gradient;
                // Windows that give the same share it, as libtorch's `amax` has it.
                let is_best = |sum: &f32| *sum == best[filter];
                let column = sums.iter().skip(filter).step_by(filters);
                let mut sharing = column.filter(|sum| is_best(sum)).count();
                if is_best(&bias[filter]) {
                    sharing += empty;
                }
                let share = gradient / sharing.max(1) as f32;
                let by_column = by_sums[windows.clone()].iter_mut().skip(filter);
                let column = sums.iter().skip(filter).step_by(filters);
                for (by, sum) in by_column.step_by(filters).zip(column) {
                    if is_best(sum) {
                        *by = share;
                    }
                }
            }
            first += kept;
        });
        let left = Strided::transposed(&self.cells, width);
        add_product(left, &by_sums, filters, Columns::all(by_weights, filters));
    }

    /// Each text's number, and the largest sum of each filter over its windows. A sum that is no number stays.
    fn each(&self, sums: &[f32], bias: &[f32], mut with: impl FnMut(usize, &[f32])) {
        let mut sums = sums.chunks_exact(bias.len());
        let mut best = vec![0.0; bias.len()];
        for (text, &(kept, empty)) in self.texts.iter().enumerate() {
            best.fill(f32::NEG_INFINITY);
            let empty = (empty > 0).then_some(bias);
            for sums in sums.by_ref().take(kept).chain(empty) {
                for (best, &sum) in best.iter_mut().zip(sums) {
                    if sum > *best || sum.is_nan() {
                        *best = sum;
                    }
                }
            }
            with(text, &best);
        }
    }
}
