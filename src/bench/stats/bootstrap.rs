//! Intervals for medians, by drawing again from what was drawn.

use super::median;
use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF as _};
use statrs::function::factorial::ln_binomial;

/// How reliable the interval is.
const CONFIDENCE: f64 = 0.95;

/// A median and an interval that holds the true one with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The median.
    pub median: f64,
    /// Lower end; `None` of one value, which tells nothing of how far others would be.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// The percentile bootstrap of the median, exact: which values the medians of samples have, and how likely, follows from
/// the ranks, so none is drawn (Efron, "Bootstrap methods: another look at the jackknife", 1979, section 3). `None` of
/// nothing.
pub fn median_interval(values: &[f64]) -> Option<Interval> {
    let middle = median(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut medians = match sorted.len() {
        1 => Vec::new(),
        n if n % 2 == 1 => (sorted.into_iter()).zip(of_rank(n, n / 2 + 1)).collect(),
        n => between(&sorted, &of_rank(n, n / 2)),
    };
    medians.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Some(Interval {
        median: middle,
        low: quantile(&medians, tail),
        high: quantile(&medians, 1.0 - tail),
    })
}

/// How likely each of `n` values is the one at `rank` (from 1) of a sample of `n`: at most the k-th is it if at least
/// `rank` draws are among the first k.
fn of_rank(n: usize, rank: usize) -> Vec<f64> {
    let up_to = |k: usize| match Binomial::new(k as f64 / n as f64, n as u64) {
        Ok(draws) => draws.sf(rank as u64 - 1),
        Err(_) => unreachable!("a share of at most 1"),
    };
    let all: Vec<f64> = (0..=n).map(up_to).collect();
    all.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The middle of each two values, with how likely they are the two in the middle of a sample: half of the draws are at
/// most the lower one, which is among them, and the other half likewise. `lower`: see `of_rank`.
fn between(sorted: &[f64], lower: &[f64]) -> Vec<(f64, f64)> {
    let n = sorted.len();
    let half = n as f64 / 2.0;
    let ways = ln_binomial(n as u64, n as u64 / 2);
    // Logarithms: powers and numbers of ways leave the range of numbers above 1,000 values.
    let last = |k: usize| {
        let below = k as f64 / (k + 1) as f64;
        half * ((k + 1) as f64 / n as f64).ln() + (1.0 - below.powf(half)).ln()
    };
    let last: Vec<f64> = (0..n).map(last).collect();
    let mut medians = Vec::new();
    for (at, low) in sorted.iter().enumerate() {
        let mut same = lower[at];
        for (beyond, high) in sorted.iter().enumerate().skip(at + 1) {
            let chance = (ways + last[at] + last[n - 1 - beyond]).exp();
            same -= chance;
            // What never comes would only be sorted.
            if chance > f64::EPSILON {
                medians.push((f64::midpoint(*low, *high), chance));
            }
        }
        medians.push((*low, same.max(0.0)));
    }
    medians
}

/// The first of sorted values that, with those before it, has at least this share of the chances.
fn quantile(sorted: &[(f64, f64)], share: f64) -> Option<f64> {
    let mut sum = 0.0;
    let reached = |(_, chance): &&(f64, f64)| {
        sum += chance;
        sum >= share
    };
    let last = sorted.last();
    sorted
        .iter()
        .find(reached)
        .or(last)
        .map(|(value, _)| *value)
}
