//! Intervals for medians, by drawing again from what was drawn.

use super::median;
use crate::util::seed::Rng;
use rand::RngExt as _;
use serde::Serialize;

/// Samples drawn.
const SAMPLES: usize = 10_000;
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

/// The percentile bootstrap of the median (Efron 1979). `None` of nothing.
pub fn median_interval(values: &[f64], rng: &mut Rng) -> Option<Interval> {
    let middle = median(values)?;
    if values.len() < 2 {
        return Some(Interval {
            median: middle,
            low: None,
            high: None,
        });
    }
    let mut drawn = vec![0.0; values.len()];
    let mut medians: Vec<f64> = (0..SAMPLES)
        .filter_map(|_| {
            drawn.fill_with(|| values[rng.random_range(0..values.len())]);
            median(&drawn)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Some(Interval {
        median: middle,
        low: Some(quantile(&medians, tail)),
        high: Some(quantile(&medians, 1.0 - tail)),
    })
}

/// Between the two nearest of sorted values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * at.fract()
}
