//! How two measures of the same things go together.

/// Pearson's correlation of pairs, -1 to 1; 0 if one side does not vary.
pub fn pearson(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mx = pairs.iter().map(|p| p.0).sum::<f64>() / n;
    let my = pairs.iter().map(|p| p.1).sum::<f64>() / n;
    let cov: f64 = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let sx: f64 = pairs.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    let sy: f64 = pairs.iter().map(|(_, y)| (y - my).powi(2)).sum();
    let both = (sx * sy).sqrt();
    if both > 0.0 { cov / both } else { 0.0 }
}

/// Spearman's rank correlation, ties at their mean rank.
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| -> Vec<f64> {
        values
            .iter()
            .map(|v| {
                let below = values.iter().filter(|w| *w < v).count() as f64;
                let equal = values.iter().filter(|w| *w == v).count() as f64;
                below + (equal + 1.0) / 2.0
            })
            .collect()
    };
    let x = ranks(pairs.iter().map(|p| p.0).collect());
    let y = ranks(pairs.iter().map(|p| p.1).collect());
    pearson(&x.into_iter().zip(y).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_of_orders() {
        assert!((spearman(&[(1.0, 10.0), (2.0, 20.0), (3.0, 25.0)]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]) + 1.0).abs() < 1e-12);
        // SciPy's spearmanr([1,2,3,4,5],[5,6,7,8,7]) = 0.8207826816681233
        let pairs = [(1.0, 5.0), (2.0, 6.0), (3.0, 7.0), (4.0, 8.0), (5.0, 7.0)];
        assert!((spearman(&pairs) - 0.820_782_681_668_123_3).abs() < 1e-12);
    }

    #[test]
    fn correlation_of_values() {
        // SciPy's pearsonr([1,2,3,4],[1,4,9,16]) = 0.9843740386976972
        let pairs = [(1.0, 1.0), (2.0, 4.0), (3.0, 9.0), (4.0, 16.0)];
        assert!((pearson(&pairs) - 0.984_374_038_697_697_2).abs() < 1e-12);
        assert_eq!(pearson(&[(1.0, 1.0), (1.0, 2.0)]), 0.0);
    }
}
