//! The gradient of the mean squared error by every weight, layer by layer from the last to the first.

use super::filters::{Filtered, Windows, Words};
use super::{Forward, Place, RustNetwork};
use crate::engine::Lesson;
use crate::layout::{Texts, Tower, dense_len};
use crate::product::{Columns, Strided, add_product, transpose};
use rustc_hash::FxHashMap;

/// A tower of words: the texts of the batch, each once.
struct FilteredTexts {
    windows: Windows,
    filtered: Filtered,
    /// The place of each row's text among them.
    places: Vec<usize>,
}

impl RustNetwork {
    /// What a tower's filters give for the texts of these rows, with what a gradient needs.
    fn filtered_texts(
        &self,
        tower: usize,
        numbers: &[u32],
        texts: &Texts,
        words: Words,
    ) -> FilteredTexts {
        let (weights, bias) = self.layer(tower);
        let mut found = FxHashMap::default();
        let mut each = Vec::new();
        let places = numbers
            .iter()
            .map(|&text| {
                *found.entry(text).or_insert_with(|| {
                    each.push(text);
                    each.len() - 1
                })
            })
            .collect();
        let windows = Windows::of_texts(&each, texts, words);
        FilteredTexts {
            filtered: windows.filtered(weights, bias),
            windows,
            places,
        }
    }

    /// The mean squared error, and its gradient in the order that the weights lie in here.
    pub(super) fn error(&self, lesson: &Lesson<'_>) -> (f32, Vec<f32>) {
        let Lesson {
            rows,
            texts,
            wanted,
            masks,
        } = *lesson;
        let mut passes = Vec::new();
        let width = self.width();
        let joined = self.joined(rows, |tower, words, first, joined| {
            let pass = self.filtered_texts(tower, &rows.texts, texts, words);
            let filters = self.layer(tower).1.len();
            let mask = masks.get(passes.len());
            for (row, joined) in joined.chunks_exact_mut(width).enumerate() {
                let text = pass.places[row];
                let values = &pass.filtered.values[text * filters..][..filters];
                let joined = &mut joined[first..first + filters];
                joined.copy_from_slice(values);
                if let Some(mask) = mask {
                    let mask = &mask[row * filters..][..filters];
                    joined.iter_mut().zip(mask).for_each(|(x, mask)| *x *= mask);
                }
            }
            passes.push(pass);
        });
        let forward = self.forward(joined, rows.len);
        let count = rows.len as f32;
        let differences = forward
            .values
            .iter()
            .zip(wanted)
            .map(|(value, wanted)| value - wanted);
        let error = differences.clone().map(|x| x * x).sum::<f32>() / count;
        let by_values: Vec<f32> = differences.map(|x| 2.0 * x / count).collect();
        let mut gradient = vec![0.0; self.flat.len()];
        let by_joined = self.back(&forward, by_values, &mut gradient);
        self.towers_back(lesson, &passes, &by_joined, &mut gradient);
        (error, gradient)
    }

    /// Adds the gradient of the layers behind the towers, and returns that by what the towers gave.
    fn back(&self, forward: &Forward, by_values: Vec<f32>, gradient: &mut [f32]) -> Vec<f32> {
        let behind = self.towers.len();
        let mut by_outputs = by_values;
        let inputs = [&forward.joined, &forward.hidden[0], &forward.hidden[1]];
        for (number, inputs) in inputs.into_iter().enumerate().rev() {
            let ix = behind + number;
            let (weights, bias) = self.layer(ix);
            let (width, outputs) = (weights.len() / bias.len(), bias.len());
            let (by_weights, by_bias) = self.part(ix, gradient);
            let left = Strided::transposed(inputs, width);
            add_product(
                left,
                &by_outputs,
                outputs,
                Columns::all(by_weights, outputs),
            );
            add_rows(&by_outputs, by_bias);
            let mut by_inputs = vec![0.0; inputs.len()];
            let turned = transpose(weights, outputs);
            let left = Strided::rows(&by_outputs, outputs);
            add_product(left, &turned, width, Columns::all(&mut by_inputs, width));
            if number > 0 {
                for (by, value) in by_inputs.iter_mut().zip(inputs) {
                    *by *= 1.0 - value * value;
                }
            }
            by_outputs = by_inputs;
        }
        by_outputs
    }

    /// Adds the gradient of the towers.
    fn towers_back(
        &self,
        lesson: &Lesson<'_>,
        passes: &[FilteredTexts],
        by_joined: &[f32],
        gradient: &mut [f32],
    ) {
        let (width, dense) = (self.width(), dense_len(&self.towers));
        let mut passes = passes.iter().enumerate();
        let (mut read, mut first) = (0, 0);
        for (ix, tower) in self.towers.iter().enumerate() {
            let bias = self.layer(ix).1;
            let outputs = bias.len();
            let columns = by_joined
                .chunks_exact(width)
                .map(|row| &row[first..first + outputs]);
            let (by_weights, by_bias) = self.part(ix, gradient);
            match tower {
                Tower::Vector { len, .. } => {
                    let by_outputs: Vec<f32> = columns.flatten().copied().collect();
                    let left = Strided {
                        numbers: &lesson.rows.dense[read..],
                        row: 1,
                        column: dense,
                    };
                    add_product(
                        left,
                        &by_outputs,
                        outputs,
                        Columns::all(by_weights, outputs),
                    );
                    add_rows(&by_outputs, by_bias);
                    read += len;
                }
                Tower::Words { .. } => {
                    let Some((number, pass)) = passes.next() else {
                        continue;
                    };
                    let mut by_texts = vec![0.0; pass.filtered.values.len()];
                    for (row, by) in columns.enumerate() {
                        let texts = &mut by_texts[pass.places[row] * outputs..][..outputs];
                        let mask = lesson
                            .masks
                            .get(number)
                            .map(|m| &m[row * outputs..][..outputs]);
                        for (filter, (sum, by)) in texts.iter_mut().zip(by).enumerate() {
                            *sum += by * mask.map_or(1.0, |mask| mask[filter]);
                        }
                    }
                    let into = (by_weights, by_bias);
                    pass.windows
                        .add_gradient(&pass.filtered, &by_texts, bias, into);
                }
            }
            first += outputs;
        }
    }

    /// A layer's part of a gradient: by its weights, and by its biases.
    fn part<'g>(&self, ix: usize, gradient: &'g mut [f32]) -> (&'g mut [f32], &'g mut [f32]) {
        let Place { weights, biases } = &self.places[ix];
        gradient[weights.start..biases.end].split_at_mut(weights.len())
    }
}

/// Adds each row of a matrix.
fn add_rows(rows: &[f32], sums: &mut [f32]) {
    for row in rows.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
}
