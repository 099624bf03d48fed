//! Coverage curves and the area under them, as the published figures measure it.

/// Points of a curve that count.
pub const POINTS: usize = 3999;

/// The area under a curve's first 3999 points by trapezoids: 3998 for a walk that never leaves its first activity.
pub fn auc(curve: &[f64]) -> f64 {
    curve[..curve.len().min(POINTS)]
        .windows(2)
        .map(|pair| f64::midpoint(pair[0], pair[1]))
        .sum()
}

/// The mean of several curves, point by point, as long as the shortest.
pub fn mean(curves: &[Vec<u32>]) -> Vec<f64> {
    let len = curves.iter().map(Vec::len).min().unwrap_or(0);
    let count = f64::from(u32::try_from(curves.len()).unwrap_or(u32::MAX));
    (0..len)
        .map(|at| curves.iter().map(|c| f64::from(c[at])).sum::<f64>() / count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_curve_has_the_published_floor() {
        assert!((auc(&[1.0; 4000]) - 3998.0).abs() < 1e-9);
        assert!((auc(&[23.0; 4000]) - 3998.0 * 23.0).abs() < 1e-9);
        assert!(auc(&[]).abs() < 1e-9 && auc(&[5.0]).abs() < 1e-9);
        assert!((auc(&[1.0, 3.0, 3.0]) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn the_mean_is_taken_point_by_point() {
        assert_eq!(mean(&[vec![1, 2, 3], vec![3, 4]]), [2.0, 3.0]);
        assert!(mean(&[]).is_empty());
    }
}
