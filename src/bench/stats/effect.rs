//! The size of a difference.

use super::ranks;

/// Vargha and Delaney's A12 (2000): the chance that a value of `a` is above one of `b`, equal ones counting half.
/// 0.5: no difference; 0.56, 0.64 and 0.71 are their marks for small, medium and large. `None` if one is empty.
pub fn a12(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (n, m) = (a.len() as f64, b.len() as f64);
    let (ranks, _) = ranks(&[a, b].concat());
    let sum: f64 = ranks[..a.len()].iter().sum();
    Some((sum / n - (n + 1.0) / 2.0) / m)
}
