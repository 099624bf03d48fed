//! Holm's correction for many tests at once.

/// Adjusted p-values in the order given (Holm 1979): a test is significant at a level where its adjusted value
/// is at most the level, and the chance of any false one among all is then at most the level.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut highest: f64 = 0.0;
    for (done, &ix) in order.iter().enumerate() {
        highest = highest.max((p.len() - done) as f64 * p[ix]).min(1.0);
        adjusted[ix] = highest;
    }
    adjusted
}
