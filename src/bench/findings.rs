//! Who found what: overlap, union over runs, with and without system events.

use super::measure::Measured;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One cause, and who found it.
#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    /// The app.
    pub app: String,
    /// Equal for equal causes.
    pub fingerprint: String,
    /// One line.
    pub title: String,
    /// Was it encountered by system events alone, in all sessions?
    pub by_system_event: bool,
    /// Sessions that found it, by strategy, in the strategies' order; 0: none.
    pub sessions: Vec<usize>,
}

impl Cause {
    /// The only strategy that found it, by its place.
    pub fn only(&self) -> Option<usize> {
        let mut found = self.sessions.iter().enumerate().filter(|(_, n)| **n > 0);
        let first = found.next()?;
        found.next().is_none().then_some(first.0)
    }
}

/// How far what two strategies found is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// Causes that both found.
    pub both: usize,
    /// Causes that the first found and the second did not.
    pub only_a: usize,
    /// Causes that the second found and the first did not.
    pub only_b: usize,
}

/// Each pair of strategies.
pub fn overlaps(causes: &[Cause], strategies: &[String]) -> Vec<Overlap> {
    let count = |wanted: &dyn Fn(&Cause) -> bool| causes.iter().filter(|c| wanted(c)).count();
    let mut all = Vec::new();
    for (a, first) in strategies.iter().enumerate() {
        for (b, second) in strategies.iter().enumerate().skip(a + 1) {
            all.push(Overlap {
                a: first.clone(),
                b: second.clone(),
                both: count(&|c| c.sessions[a] > 0 && c.sessions[b] > 0),
                only_a: count(&|c| c.sessions[a] > 0 && c.sessions[b] == 0),
                only_b: count(&|c| c.sessions[a] == 0 && c.sessions[b] > 0),
            });
        }
    }
    all
}

/// What a strategy's sessions came to together.
#[derive(Clone, Debug, Serialize)]
pub struct Union {
    /// The strategy.
    pub strategy: String,
    /// Distinct findings over all its sessions.
    pub findings: usize,
    /// Of these, the ones encountered without a system event.
    pub without_system_events: usize,
    /// The ones that no other strategy found.
    pub only: usize,
    /// Probes hit by any of its sessions, summed over the apps; `None` where only their numbers were kept.
    pub probes: Option<usize>,
    /// Activities reached by any of its sessions, summed over the apps.
    pub activities: usize,
}

/// All causes, by app and title.
pub fn causes(sessions: &[Measured], strategies: &[String]) -> Vec<Cause> {
    let mut causes: BTreeMap<(&str, &str), Cause> = BTreeMap::new();
    for session in sessions {
        let place = strategies
            .iter()
            .position(|s| *s == session.planned.strategy);
        let Some(place) = place else { continue };
        for found in &session.found {
            let key = (session.planned.app.as_str(), found.fingerprint.as_str());
            let cause = causes.entry(key).or_insert_with(|| Cause {
                app: session.planned.app.clone(),
                fingerprint: found.fingerprint.clone(),
                title: found.title.clone(),
                by_system_event: true,
                sessions: vec![0; strategies.len()],
            });
            cause.sessions[place] += 1;
            cause.by_system_event &= !found.direct;
        }
    }
    let mut causes: Vec<_> = causes.into_values().collect();
    causes.sort_by(|a, b| (&a.app, &a.title).cmp(&(&b.app, &b.title)));
    causes
}

/// What each strategy came to over all its sessions.
pub fn unions(sessions: &[Measured], strategies: &[String], causes: &[Cause]) -> Vec<Union> {
    let one = |(place, strategy): (usize, &String)| {
        let mut probes: BTreeMap<&str, FxHashSet<u64>> = BTreeMap::new();
        let mut activities = BTreeSet::new();
        let mut direct = BTreeSet::new();
        let own = || sessions.iter().filter(|s| s.planned.strategy == *strategy);
        for session in own() {
            let app = session.planned.app.as_str();
            probes.entry(app).or_default().extend(&session.probes);
            activities.extend(session.activities.iter().map(|activity| (app, activity)));
            let found = session.found.iter().filter(|f| f.direct);
            direct.extend(found.map(|f| (app, &f.fingerprint)));
        }
        Union {
            strategy: strategy.clone(),
            findings: causes.iter().filter(|c| c.sessions[place] > 0).count(),
            without_system_events: direct.len(),
            only: causes.iter().filter(|c| c.only() == Some(place)).count(),
            probes: own()
                .all(Measured::has_probes)
                .then(|| probes.values().map(FxHashSet::len).sum()),
            activities: activities.len(),
        }
    };
    strategies.iter().enumerate().map(one).collect()
}
