//! How often a finding comes, as far as some replays tell.

/// Replays in a row without the finding after which steps are given up, at most.
const MOST_TRIES: u32 = 12;
/// How reliable a candidate's rejection must be if a finding is intermittent.
const DOUBT: f64 = 0.05;

/// Replays of steps that lead to a finding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rate {
    /// Those that showed it.
    pub came: u64,
    /// Those that did not.
    pub missed: u64,
}

impl Rate {
    /// Takes up more of them: so many that showed it of so many that tell.
    pub const fn note(&mut self, (came, of): (u64, u64)) {
        self.came += came;
        self.missed += of - came;
    }

    /// The chance that so many replays in a row miss a finding which is there. What never missed is taken to come each
    /// time; else the rate is not known but from these few replays, and the chance is the one expected over all rates
    /// that they leave likely: with each rate as likely as another at first, a beta distribution with the mean of
    /// (1 - rate)^tries in closed form.
    pub fn misses(self, tries: u32) -> f64 {
        if self.missed == 0 {
            return if self.came == 0 { 1.0 } else { 0.0 };
        }
        let (came, missed) = (self.came as f64, self.missed as f64);
        let one_more = |before: u32| {
            let before = f64::from(before);
            (missed + 1.0 + before) / (came + missed + 2.0 + before)
        };
        (0..tries).map(one_more).product()
    }

    /// How often a candidate is replayed, so that a good one is given up by mistake in one of twenty cases.
    pub fn tries(self) -> u32 {
        let enough = |tries: &u32| self.misses(*tries) <= DOUBT;
        (1..MOST_TRIES).find(enough).unwrap_or(MOST_TRIES)
    }

    /// The least chance that no single one of so many steps can be left out, each of them tried so often: what can go
    /// wrong is added up (Boole's inequality).
    pub fn minimal(self, steps: usize, tries: u32) -> f64 {
        (1.0 - steps as f64 * self.misses(tries)).max(0.0)
    }
}

/// How often a candidate is replayed in the first search, where all that is known is after how many replays the finding
/// came: as if it came with just that rate. What is left is tried more often when more is known ([`Rate::tries`]).
pub fn tries_at_first(attempts: u32) -> u32 {
    if attempts <= 1 {
        return 1;
    }
    let rate = 1.0 / f64::from(attempts);
    let tries = (DOUBT.ln() / (1.0 - rate).ln()).ceil();
    // In range by the clamp.
    tries.clamp(1.0, f64::from(MOST_TRIES)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_findings_are_tried_more_often() {
        assert_eq!([1, 2, 5, 12].map(tries_at_first), [1, 5, 12, 12]);
        let rate = |came, missed| Rate { came, missed };
        let tries = [(6, 0), (5, 1), (3, 3), (1, 5), (0, 5)].map(|(c, m)| rate(c, m).tries());
        assert_eq!(tries, [1, 3, 6, 12, 12]);
        assert_eq!(rate(6, 0).minimal(7, 1), 1.0);
        assert_eq!(rate(0, 5).minimal(7, 1), 0.0);
        assert_eq!(Rate::default().minimal(1, 12), 0.0);
        // The mean of (1 - p)^2 under Beta(5, 2) is 2/7 · 3/8.
        assert!((rate(4, 1).misses(2) - 6.0 / 56.0).abs() < 1e-12);
    }
}
