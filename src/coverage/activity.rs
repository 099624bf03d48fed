//! Activities reached, of those declared and of those that can be reached at all.

use crate::outcome::run_event::SessionHeader;
use crate::outcome::summary::Ratio;
use std::collections::BTreeSet;

/// How many of an app's activities a session, or several, reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActivityCoverage {
    /// Reached of all that the manifest declares.
    pub of_declared: Ratio,
    /// Reached of those that code, resources and manifest can reach.
    pub of_reachable: Ratio,
}

impl ActivityCoverage {
    /// Of sessions of one app: what each reached, and its header. What was reached counts as reachable, whatever the
    /// search in the code found.
    pub fn new<'a>(sessions: impl IntoIterator<Item = (&'a [String], &'a SessionHeader)>) -> Self {
        let (mut reached, mut declared, mut reachable) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (names, header) in sessions {
            reached.extend(names);
            declared.extend(&header.activities_declared);
            reachable.extend(&header.activities_reachable);
        }
        let mut coverage = Self::default();
        for name in declared {
            let hit = u64::from(reached.contains(name));
            coverage.of_declared.total += 1;
            coverage.of_declared.covered += hit;
            if hit > 0 || reachable.contains(name) {
                coverage.of_reachable.total += 1;
                coverage.of_reachable.covered += hit;
            }
        }
        coverage
    }
}

/// Does an activity count as one of the app's? One that its manifest does not declare belongs to the device; where
/// nothing is declared, each counts.
pub fn counts(name: &String, declared: &[String]) -> bool {
    declared.is_empty() || declared.contains(name)
}
