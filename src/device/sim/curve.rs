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

/// The same area, point by point as they come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Area {
    points: usize,
    last: f64,
    sum: f64,
}

impl Area {
    /// Adds the next point.
    #[inline]
    pub fn push(&mut self, point: u32) {
        let point = f64::from(point);
        if (1..POINTS).contains(&self.points) {
            self.sum += f64::midpoint(self.last, point);
        }
        self.points += 1;
        self.last = point;
    }

    /// The area so far.
    pub const fn value(&self) -> f64 {
        self.sum
    }

    /// The last point.
    pub const fn last(&self) -> f64 {
        self.last
    }
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
    fn the_area_is_the_same_point_by_point() {
        for len in [0, 1, 2, 3998, 3999, 4000, 5000] {
            let curve: Vec<u32> = (0..len).map(|n| n / 7 + 1).collect();
            let mut area = Area::default();
            curve.iter().for_each(|&point| area.push(point));
            let whole: Vec<f64> = curve.iter().copied().map(f64::from).collect();
            assert!((area.value() - auc(&whole)).abs() < 1e-6, "{len}");
        }
    }

    #[test]
    fn the_mean_is_taken_point_by_point() {
        assert_eq!(mean(&[vec![1, 2, 3], vec![3, 4]]), [2.0, 3.0]);
        assert!(mean(&[]).is_empty());
    }
}
