//! The fewest traces, and the fewest steps of them, that are worth as much as a corpus.

use super::measure::Player;
use crate::corpus::cover::{cover, sole};
use crate::corpus::folder::{self, CorpusError, Entry};
use crate::corpus::index::{Index, Measured};
use crate::corpus::shorten::{Played, shorten};
use crate::corpus::worth::{Gain, Kind, Worth};
use crate::device::DeviceError;
use crate::repro::Replay;
use crate::trace::find::Fit;
use crate::trace::{Step, Trace};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Why a corpus cannot be minimized. It was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// A device failed, or the user interrupts.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The corpus cannot be written.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// No trace reaches anything of what is to be kept in each replay, so that none would be left.
    #[error("no trace reaches anything of what `--keep` names in each of its replays")]
    NothingKept,
}

/// How the traces of an app are minimized.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Replays of each trace: it is worth what all of them reach.
    pub replays: u32,
    /// When to stop cutting steps.
    pub until: Instant,
    /// What the result must reach.
    pub keep: &'a [Kind],
}

impl Means<'_> {
    fn kept(&self, worth: &Worth) -> Worth {
        let kept = |gain: &&Gain| self.keep.contains(&gain.kind());
        worth.iter().filter(kept).cloned().collect()
    }
}

/// The result for the traces of an app.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduced {
    /// Traces and their steps before.
    pub before: (usize, usize),
    /// The same after.
    pub after: (usize, usize),
    /// What every replay reached before.
    pub worth: Worth,
    /// What every replay reaches now.
    pub reached: Worth,
    /// Files whose replays differ, with the number of things that only some of their replays reach.
    pub unstable: Vec<(PathBuf, usize)>,
    /// Was there time to try all steps?
    pub complete: bool,
    /// Replays made.
    pub replays: u64,
}

/// A chosen trace as it becomes shorter.
struct Chosen {
    entry: Entry,
    measured: Measured,
    /// Has it lost steps?
    cut: bool,
}

/// Minimizes the traces of an app and writes the result: new files first, then superfluous ones are removed.
///
/// # Errors
/// A device fails, the user interrupts, or the corpus cannot be written.
pub fn reduce(
    corpus: &Path,
    entries: &[&Entry],
    player: &mut Player<'_>,
    index: &mut Index,
    means: Means<'_>,
) -> Result<Reduced, ReduceError> {
    let measured = player.measure_all(entries, means.replays, index)?;
    let steps = |entries: &mut dyn Iterator<Item = &Entry>| {
        entries.map(|entry| entry.trace.steps.len()).sum::<usize>()
    };
    let worth: Worth = measured.iter().flat_map(|m| m.worth.clone()).collect();
    let given: Vec<_> = entries.iter().zip(&measured).collect();
    let kept: Vec<Worth> = measured.iter().map(|m| means.kept(&m.worth)).collect();
    if kept.iter().all(Worth::is_empty) {
        return Err(ReduceError::NothingKept);
    }
    let costs: Vec<_> = (kept.iter().zip(entries))
        .map(|(worth, entry)| (worth, entry.trace.steps.len()))
        .collect();
    let chosen = cover(&costs).into_iter().map(|ix| Chosen {
        entry: entries[ix].clone(),
        measured: measured[ix].clone(),
        cut: false,
    });
    let mut chosen: Vec<Chosen> = chosen.collect();
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by_key(|ix| std::cmp::Reverse(chosen[*ix].entry.trace.steps.len()));
    let mut complete = true;
    for ix in order {
        let kept: Vec<Worth> = (chosen.iter())
            .map(|one| means.kept(&one.measured.worth))
            .collect();
        let goal = sole(kept.iter()).swap_remove(ix);
        complete &= chosen[ix].shorten(&goal, player, means)?;
    }
    chosen.retain(|one| !means.kept(&one.measured.worth).is_empty());
    let reached = chosen.iter().flat_map(|one| one.measured.worth.clone());
    let reached: Worth = reached.collect();
    let unstable = given.iter().filter(|(_, m)| !m.unstable.is_empty());
    let reduced = Reduced {
        before: (entries.len(), steps(&mut entries.iter().copied())),
        after: (
            chosen.len(),
            steps(&mut chosen.iter().map(|one| &one.entry)),
        ),
        worth,
        reached,
        unstable: unstable
            .map(|(entry, m)| (entry.file.clone(), m.unstable.len()))
            .collect(),
        complete,
        replays: player.replays,
    };
    write(corpus, entries, chosen, index)?;
    Ok(reduced)
}

impl Chosen {
    /// Cuts steps that the goal does not need, and measures what is left; false if the time was too short for all.
    fn shorten(
        &mut self,
        goal: &Worth,
        player: &mut Player<'_>,
        means: Means<'_>,
    ) -> Result<bool, DeviceError> {
        let Trace { seed, steps, .. } = self.entry.trace.clone();
        let whole = player.play(seed, &steps, Fit::Strict)?;
        let all: Vec<usize> = (0..steps.len()).collect();
        let whole = played(&whole, &all, goal);
        if !whole.reached {
            return Ok(true);
        }
        let mut complete = true;
        let kept = shorten(whole, |places| -> Result<_, DeviceError> {
            if Instant::now() >= means.until {
                complete = false;
                return Ok(None);
            }
            let some: Vec<&Step> = places.iter().map(|place| &steps[*place]).collect();
            let replay = player.play(seed, some, Fit::Strict)?;
            Ok(Some(played(&replay, places, goal)))
        })?;
        if kept.len() == steps.len() {
            return Ok(complete);
        }
        let shorter = Entry {
            trace: Trace {
                steps: kept.iter().map(|place| steps[*place].clone()).collect(),
                ..self.entry.trace.clone()
            },
            ..self.entry.clone()
        };
        let measured = player.measure(&shorter, means.replays)?;
        // What one replay reached, others may not.
        if measured.worth.is_superset(goal) {
            (self.entry, self.measured, self.cut) = (shorter, measured, true);
        }
        Ok(complete)
    }
}

/// A replay of the steps at these places of a trace.
fn played(replay: &Replay, places: &[usize], goal: &Worth) -> Played {
    let skipped: BTreeSet<usize> = replay.skipped.iter().copied().collect();
    let performed = replay.sketches.len().saturating_sub(1);
    let first = |gain: &Gain| replay.reached.get(gain).copied();
    let needed: BTreeSet<usize> = goal.iter().filter_map(first).collect();
    let numbers = 1..=needed.last().copied().unwrap_or_default();
    let numbers = numbers.filter(|number| !skipped.contains(number));
    let numbers: Vec<usize> = numbers.take(performed).collect();
    let kept: Vec<usize> = numbers.iter().map(|number| places[number - 1]).collect();
    Played {
        reached: goal.iter().all(|gain| replay.reached.contains_key(gain)),
        needed: numbers.iter().map(|n| needed.contains(n)).collect(),
        sketches: replay.sketches[..=kept.len().min(performed)].to_vec(),
        kept,
    }
}

fn write(
    corpus: &Path,
    before: &[&Entry],
    chosen: Vec<Chosen>,
    index: &mut Index,
) -> Result<(), CorpusError> {
    let mut files = BTreeSet::new();
    for one in chosen {
        let entry = match one.cut {
            true => folder::add(corpus, one.entry.trace)?.0,
            false => one.entry,
        };
        index.measure(&entry, one.measured);
        files.insert(entry.file);
    }
    let mut superfluous = before.iter().filter(|entry| !files.contains(&entry.file));
    superfluous.try_for_each(|entry| folder::remove(corpus, entry))
}
