//! Wilcoxon's signed-rank test for pairs.

use super::ranks;
use statrs::distribution::{ContinuousCDF as _, Normal};

/// Up to so many pairs the distribution is computed exactly, where no differences are equal or zero,
const EXACT: usize = 50;
/// and up to so many where some are: SciPy's limits.
const EXACT_WITH_TIES: usize = 13;

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// Pairs that differ.
    pub pairs: usize,
    /// Sum of the ranks of differences above zero.
    pub above: f64,
    /// Sum of the ranks of differences below zero.
    pub below: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// The two-sided test on the differences `a[i] - b[i]` (Wilcoxon 1945). Pairs without a difference are left out.
/// Exact up to 50 pairs (13 where differences are equal or zero: the distribution is then the one of the signs,
/// given the ranks), else by the normal approximation with correction for ties and none for continuity, as SciPy
/// does it. Where no pair differs, p is 1.
///
/// # Panics
/// `a` and `b` differ in length.
pub fn wilcoxon(a: &[f64], b: &[f64]) -> Wilcoxon {
    assert_eq!(a.len(), b.len(), "pairs");
    let all: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let differences: Vec<f64> = all.iter().copied().filter(|d| *d != 0.0).collect();
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let (ranks, groups) = ranks(&sizes);
    let sum = |wanted: &dyn Fn(f64) -> bool| {
        let chosen = differences.iter().zip(&ranks).filter(|(d, _)| wanted(**d));
        chosen.map(|(_, rank)| rank).sum::<f64>()
    };
    let (above, below) = (sum(&|d| d > 0.0), sum(&|d| d < 0.0));
    let pairs = differences.len();
    let plain = pairs == all.len() && groups.iter().all(|&size| size == 1);
    let p = if pairs == 0 {
        1.0
    } else if all.len() <= if plain { EXACT } else { EXACT_WITH_TIES } {
        exact(&ranks, above.min(below))
    } else {
        approximate(pairs, above.min(below), &groups)
    };
    Wilcoxon {
        pairs,
        above,
        below,
        p,
    }
}

/// Twice the chance of a rank sum of at most `least`, each sign being as likely as the other. Counted in halves:
/// equal differences share the mean of their ranks.
fn exact(ranks: &[f64], least: f64) -> f64 {
    let halves: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let most: usize = halves.iter().sum();
    let mut chances = vec![0.0; most + 1];
    chances[0] = 1.0;
    for &rank in &halves {
        for sum in (0..=most).rev() {
            let with = if sum >= rank {
                chances[sum - rank]
            } else {
                0.0
            };
            chances[sum] = (chances[sum] + with) / 2.0;
        }
    }
    let tail: f64 = chances.iter().take((2.0 * least) as usize + 1).sum();
    (2.0 * tail).min(1.0)
}

fn approximate(pairs: usize, least: f64, groups: &[usize]) -> f64 {
    let n = pairs as f64;
    let mean = n * (n + 1.0) / 4.0;
    let ties: f64 = groups.iter().map(|&t| (t as f64).powi(3) - t as f64).sum();
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    let z = (least - mean) / variance.sqrt();
    (2.0 * Normal::standard().cdf(z)).min(1.0)
}
