//! The statistics of comparisons, each checked against published examples and SciPy's recorded output
//! (`tests/fixtures/bench`).

mod bootstrap;
mod effect;
mod holm;
mod wilcoxon;

pub use bootstrap::{Interval, median_interval};
pub use effect::a12;
pub use holm::holm;
pub use wilcoxon::{Wilcoxon, wilcoxon};

/// The median; between the middle two where their number is even. `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.is_empty() {
        None
    } else if sorted.len() % 2 == 1 {
        Some(sorted[middle])
    } else {
        Some(f64::midpoint(sorted[middle - 1], sorted[middle]))
    }
}

/// Ranks from 1, equal values at the mean of their ranks; and the sizes of the groups of equal ones.
fn ranks(values: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut groups = Vec::new();
    let mut first = 0;
    while first < order.len() {
        let same = |&&ix: &&usize| values[ix] == values[order[first]];
        let count = order[first..].iter().take_while(same).count();
        let rank = first as f64 + (count as f64 + 1.0) / 2.0;
        for &ix in &order[first..first + count] {
            ranks[ix] = rank;
        }
        groups.push(count);
        first += count;
    }
    (ranks, groups)
}

#[cfg(test)]
mod tests;
