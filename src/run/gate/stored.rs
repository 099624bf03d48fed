//! `replays.json`: the replays of a run's gate.

use crate::outcome::folder::{RunFolder, pretty, write_whole};
use crate::outcome::verdict::{GateReplay, Purpose};
use crate::util::foreign;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The replays of the gate in a run's folder; none if it had no gate.
pub fn read(folder: &RunFolder) -> Vec<GateReplay> {
    let text = foreign::read(&folder.replays()).ok();
    text.and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default()
}

/// App and fingerprint of the known findings that their traces reproduced.
pub(in crate::run) fn reproduced(folder: &RunFolder) -> BTreeSet<(String, String)> {
    let known = |r: &GateReplay| r.purpose == Purpose::Known && r.reproduced > 0;
    let replays = read(folder).into_iter().filter(known);
    replays.map(|r| (r.app, r.fingerprint)).collect()
}

/// Writes the replays of several runs into one: a replay that showed its finding counts, else the one with most results.
pub(in crate::run) fn merge<'r>(
    runs: impl Iterator<Item = &'r RunFolder>,
    to: &RunFolder,
) -> io::Result<()> {
    let mut best: BTreeMap<_, GateReplay> = BTreeMap::new();
    for replay in runs.flat_map(read) {
        let key = (
            replay.purpose,
            replay.app.clone(),
            replay.fingerprint.clone(),
        );
        let worth = |r: &GateReplay| (r.reproduced > 0, r.of, r.device.clone(), r.problem.clone());
        let known = best.get(&key);
        if known.is_none_or(|known| worth(known) < worth(&replay)) {
            best.insert(key, replay);
        }
    }
    let replays: Vec<_> = best.into_values().collect();
    match replays.is_empty() {
        true => Ok(()),
        false => write(to, &replays),
    }
}

pub(super) fn write(folder: &RunFolder, replays: &[GateReplay]) -> io::Result<()> {
    write_whole(&folder.replays(), &pretty(&replays)?)
}
