//! Several embeddings into one: side by side, cut to the directions in which words differ most.
//!
//! Trainings on different texts err in different ways: what two words have in common in all of them is what they
//! mean. Rows side by side, reduced by singular values, are the methods CONC and SVD of Yin & Schütze 2016 ("Learning
//! Word Meta-Embeddings", section 4). Rows are made equally long, centred and made equally long again first, as in
//! Artetxe et al. 2018 ("Generalizing and Improving Bilingual Word Embedding Mappings", step 0), so that no part
//! outweighs another.

use crate::embed::Embedding;
use nalgebra::{DMatrix, SymmetricEigen};

/// Embeddings that cannot be joined.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There is none.
    #[error("no embedding to join; name one or more")]
    Nothing,
    /// More numbers are requested than there are.
    #[error(
        "{asked} numbers per word are requested, but the parts have only {there} together; request {there} or fewer \
         (--dim)"
    )]
    TooMany {
        /// Numbers requested.
        asked: usize,
        /// Numbers of all parts.
        there: usize,
    },
}

/// Joins `parts` into an embedding of the first one's words, in its order, of `dim` numbers each (1 to the sum of the
/// parts' numbers). A word that another part does not list is zero there before the last step.
///
/// Of each part rows are made one long, their mean is removed, and they are made one long again. Side by side and
/// centred they are turned into their principal components, the `dim` greatest kept, each with its variance. The sign
/// of a component is such that its greatest weight is positive.
///
/// # Errors
/// No parts, or `dim` is 0 or more than the parts have.
pub fn join(parts: &[Embedding], dim: usize) -> Result<Embedding, JoinError> {
    let first = parts.first().ok_or(JoinError::Nothing)?;
    let there: usize = parts.iter().map(Embedding::dim).sum();
    if dim == 0 || dim > there {
        return Err(JoinError::TooMany { asked: dim, there });
    }
    let mut joined = DMatrix::<f64>::zeros(first.len(), there);
    let mut column = 0;
    for part in parts {
        let rows = even(part);
        for (at, word) in first.words().enumerate() {
            if let Some(ix) = part.words.find(word) {
                let mut place = joined.view_mut((at, column), (1, part.dim()));
                place.copy_from(&rows.row(ix as usize));
            }
        }
        column += part.dim();
    }
    centre(&mut joined);
    let scores = &joined * components(&joined, dim);
    // nalgebra keeps columns together, an embedding rows.
    let rows = scores.transpose().iter().map(|&x| x as f32).collect();
    Ok(Embedding::from_rows(first.words(), dim, rows))
}

/// The rows of a part, one long, centred, one long again.
fn even(part: &Embedding) -> DMatrix<f64> {
    let mut rows = DMatrix::zeros(part.len(), part.dim());
    let mut row = vec![0.0; part.dim()];
    for ix in 0..part.len() {
        part.row(u32::try_from(ix).unwrap_or(u32::MAX), &mut row);
        for (at, &x) in row.iter().enumerate() {
            rows[(ix, at)] = f64::from(x);
        }
    }
    lengthen(&mut rows);
    centre(&mut rows);
    lengthen(&mut rows);
    rows
}

/// Makes every row one long; a row of zeros stays.
fn lengthen(rows: &mut DMatrix<f64>) {
    for mut row in rows.row_iter_mut() {
        let length = row.norm();
        if length > 0.0 {
            row /= length;
        }
    }
}

/// Takes the mean of all rows away.
fn centre(rows: &mut DMatrix<f64>) {
    let mean = rows.row_mean();
    for mut row in rows.row_iter_mut() {
        row -= &mean;
    }
}

/// The `count` directions of the greatest variance as columns, the greatest first; equal ones in the order in which
/// they are found.
fn components(rows: &DMatrix<f64>, count: usize) -> DMatrix<f64> {
    let eigen = SymmetricEigen::new(rows.tr_mul(rows));
    let mut order: Vec<usize> = (0..rows.ncols()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    order.truncate(count);
    let mut directions = eigen.eigenvectors.select_columns(&order);
    for mut direction in directions.column_iter_mut() {
        if direction[direction.iamax()] < 0.0 {
            direction.neg_mut();
        }
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedding(words: &[&str], dim: usize, rows: &[f32]) -> Embedding {
        Embedding::from_rows(words.iter().copied(), dim, rows.to_vec())
    }

    /// Four words on one axis, two on the other: the mean is zero, and the first axis has twice the variance.
    fn cross() -> Embedding {
        let rows = [
            0.0, 1.0, 0.0, -7.0, 0.0, 3.0, 0.0, -1.0, 5.0, 0.0, -2.0, 0.0,
        ];
        embedding(&["a", "b", "c", "d", "e", "f"], 2, &rows)
    }

    fn row(embedding: &Embedding, word: &str) -> Vec<f32> {
        let mut row = vec![0.0; embedding.dim()];
        assert!(embedding.vector(word, &mut row), "{word}");
        row
    }

    fn near(found: &[f32], expected: &[f32]) {
        let same = found.len() == expected.len()
            && found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(same, "{found:?} is not {expected:?}");
    }

    #[test]
    fn the_directions_of_most_variance_come_first() {
        let joined = join(&[cross(), cross()], 2).unwrap();
        let long = std::f32::consts::SQRT_2;
        near(&row(&joined, "a"), &[long, 0.0]);
        near(&row(&joined, "b"), &[-long, 0.0]);
        near(&row(&joined, "e"), &[0.0, long]);
        near(&row(&joined, "f"), &[0.0, -long]);
        let narrow = join(&[cross(), cross()], 1).unwrap();
        near(&row(&narrow, "d"), &[-long]);
        near(&row(&narrow, "f"), &[0.0]);
    }

    #[test]
    fn words_are_those_of_the_first_and_lacking_elsewhere_is_no_fault() {
        // In the second `a` and `c` differ, `b` is not there, and `z` is left out.
        let other = embedding(&["z", "c", "a", "y"], 1, &[4.0, -1.0, 2.0, -3.0]);
        let joined = join(&[cross(), other], 3).unwrap();
        assert_eq!(
            joined.words().collect::<Vec<_>>(),
            ["a", "b", "c", "d", "e", "f"]
        );
        let distance = |a: &str, b: &str| -> f32 {
            let (a, b) = (row(&joined, a), row(&joined, b));
            a.iter()
                .zip(&b)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f32>()
                .sqrt()
        };
        // All components are kept, so distances are those of the rows side by side.
        near(
            &[distance("a", "c"), distance("b", "d"), distance("a", "e")],
            &[2.0, 0.0, 3.0_f32.sqrt()],
        );
    }

    #[test]
    fn equal_parts_give_equal_bits() {
        let bits = |e: &Embedding| e.hash().to_owned();
        let join = || join(&[cross(), cross()], 4).unwrap();
        assert_eq!(bits(&join()), bits(&join()));
    }

    #[test]
    fn more_numbers_than_there_are_are_refused() {
        let said = join(&[cross()], 3).unwrap_err().to_string();
        assert!(said.starts_with("3 numbers per word are requested, but the parts have only 2"));
        assert_eq!(join(&[], 1).unwrap_err(), JoinError::Nothing);
    }
}
