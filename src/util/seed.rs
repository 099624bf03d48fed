//! One seeded generator per (app, strategy, attempt): everything random in a session comes from it.

use rand::SeedableRng;

/// The generator of a session. ChaCha is portable: the same seed gives the same numbers everywhere.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The generator for one attempt at one session.
///
/// `seed` is the suite's; app, device and strategy names are mixed in, so that two
/// sessions with one seed do not walk in step.
pub fn generator(seed: u64, app: &str, strategy: &str, attempt: u32) -> Rng {
    let mut hash = super::hash::mix(seed, super::hash::of_bytes(app.as_bytes()));
    hash = super::hash::mix(hash, super::hash::of_bytes(strategy.as_bytes()));
    Rng::seed_from_u64(super::hash::mix(hash, u64::from(attempt)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn sessions_differ_and_repeat() {
        let draw = |app, attempt| generator(7, app, "random", attempt).next_u64();
        assert_eq!(draw("a", 0), draw("a", 0));
        assert_ne!(draw("a", 0), draw("b", 0));
        assert_ne!(draw("a", 0), draw("a", 1));
    }
}
