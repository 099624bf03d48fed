//! Observations of replay memories, each kept once.
//!
//! An app shows the same screens again and again, and a screen may have thousands of places that are on: 50,000
//! steps of one such screen took a gigabyte while each had its own.

use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Fewest that are kept before those are looked for that nobody needs any more.
const FEW: usize = 256;

/// Those that a memory still holds, and a few more.
#[derive(Debug)]
pub struct Observations {
    kept: FxHashSet<Arc<[u32]>>,
    limit: usize,
}

impl Default for Observations {
    fn default() -> Self {
        Self {
            kept: FxHashSet::default(),
            limit: FEW,
        }
    }
}

impl Observations {
    /// The one kept observation with these places.
    pub fn share(&mut self, bits: &[u32]) -> Arc<[u32]> {
        if let Some(known) = self.kept.get(bits) {
            return Arc::clone(known);
        }
        if self.kept.len() >= self.limit {
            // Twice what is needed, so that looking costs little a step.
            self.kept.retain(|bits| Arc::strong_count(bits) > 1);
            self.limit = (2 * self.kept.len()).max(FEW);
        }
        let new: Arc<[u32]> = bits.into();
        self.kept.insert(Arc::clone(&new));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_are_one_and_what_nobody_needs_is_dropped() {
        let mut all = Observations::default();
        let first = all.share(&[1, 2]);
        assert!(Arc::ptr_eq(&first, &all.share(&[1, 2])));
        assert!(!Arc::ptr_eq(&first, &all.share(&[2, 1])));
        for n in 0..100_000 {
            all.share(&[n]);
            assert!(all.kept.len() <= FEW);
        }
        assert!(Arc::ptr_eq(&first, &all.share(&[1, 2])));
        let held: Vec<_> = (0..1000).map(|n| all.share(&[n, n])).collect();
        assert!(all.kept.len() > held.len());
    }
}
