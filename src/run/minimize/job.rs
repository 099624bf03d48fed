//! The findings of a run that are to be minimized, and their order.

use crate::outcome::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// App and fingerprint of a cause.
pub(super) type Cause = (String, String);

/// A finding in a session's folder.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) app: String,
    pub(super) session: String,
    pub(super) device: String,
    pub(super) seed: u64,
    pub(super) finding: Finding,
    pub(super) steps: usize,
}

impl Job {
    pub(super) fn cause(&self) -> Cause {
        (self.app.clone(), self.finding.fingerprint.clone())
    }

    /// App, device and seed: searches with equal values share devices.
    fn place(&self) -> (String, String, u64) {
        (self.app.clone(), self.device.clone(), self.seed)
    }
}

/// The shortest trace of each cause first, those that share devices one after the other, since a device takes longer to
/// start than to replay a few steps. Then the other traces, for causes that are not reproduced by their shortest.
pub(super) fn in_order(mut jobs: Vec<Job>) -> Vec<Job> {
    jobs.sort_by_key(|job| job.steps);
    let mut causes = BTreeSet::new();
    let (mut shortest, others): (Vec<_>, Vec<_>) =
        jobs.into_iter().partition(|job| causes.insert(job.cause()));
    let mut places = BTreeMap::new();
    for job in &shortest {
        let next = places.len();
        places.entry(job.place()).or_insert(next);
    }
    shortest.sort_by_cached_key(|job| places.get(&job.place()).copied());
    shortest.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::FindingKind;
    use crate::outcome::finding::Trigger;

    fn job(cause: &str, seed: u64, steps: usize) -> Job {
        let finding = Finding {
            id: cause.to_owned(),
            kind: FindingKind::JavaCrash,
            fingerprint: cause.to_owned(),
            v1: String::new(),
            title: cause.to_owned(),
            exception: None,
            frame: None,
            evidence: String::new(),
            activity: "Main".to_owned(),
            trigger: Trigger::Event,
            event: 1,
            warning: false,
            environment: None,
            provoked_by: Vec::new(),
            left: Vec::new(),
        };
        Job {
            app: "notes".to_owned(),
            session: format!("notes-jvm-random-{seed}"),
            device: "jvm".to_owned(),
            seed,
            finding,
            steps,
        }
    }

    #[test]
    fn traces_that_share_devices_follow_each_other_and_longer_ones_of_a_cause_come_last() {
        let jobs = vec![
            job("a", 1, 30),
            job("b", 2, 10),
            job("a", 2, 80),
            job("c", 1, 5),
            job("d", 2, 50),
            job("c", 2, 20),
        ];
        let order = in_order(jobs);
        let order: Vec<_> = order
            .iter()
            .map(|job| (job.finding.fingerprint.as_str(), job.seed))
            .collect();
        let shortest = [("c", 1), ("a", 1), ("b", 2), ("d", 2)];
        assert_eq!(order[..4], shortest);
        assert_eq!(order[4..], [("c", 2), ("a", 2)]);
    }
}
