//! Activities reached, of those declared and of those that can be reached at all.

use crate::outcome::summary::Ratio;

/// How many of an app's activities a session, or several, reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActivityCoverage {
    /// Reached of all that the manifest declares.
    pub of_declared: Ratio,
    /// Reached of those that code, resources and manifest can reach.
    pub of_reachable: Ratio,
    /// Reachable ones that were not reached, in the manifest's order.
    pub missed: Vec<String>,
}

impl ActivityCoverage {
    /// From the names of activities. What was reached counts as reachable, whatever the search in the code found;
    /// what was reached but is not declared (an activity of the device itself) does not count.
    pub fn new(reached: &[String], declared: &[String], reachable: &[String]) -> Self {
        let mut coverage = Self::default();
        for name in declared {
            let hit = reached.contains(name);
            coverage.of_declared.total += 1;
            coverage.of_declared.covered += u64::from(hit);
            if hit || reachable.contains(name) {
                coverage.of_reachable.total += 1;
                coverage.of_reachable.covered += u64::from(hit);
                if !hit {
                    coverage.missed.push(name.clone());
                }
            }
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn both_shares_are_given() {
        let coverage = ActivityCoverage::new(
            &names("Main Hidden Resolver"),
            &names("Main Second Hidden Dead"),
            &names("Main Second"),
        );
        assert_eq!(
            coverage.of_declared,
            Ratio {
                covered: 2,
                total: 4
            }
        );
        // Hidden was reached, so the search missed a way to it.
        assert_eq!(
            coverage.of_reachable,
            Ratio {
                covered: 2,
                total: 3
            }
        );
        assert_eq!(coverage.missed, ["Second"]);
    }
}
