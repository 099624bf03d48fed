//! One finding from its trace to the fewest steps, confirmed in fresh processes.

use super::graph::Coarse;
use super::kind::Kind;
use super::minimize::Fewest;
use super::replay::Runner;
use super::replay_pool::{ReplayPool, Stock};
use super::search::{Limit, Search, Steps};
use super::spare::Spare;
use crate::device::DeviceError;
use crate::graph::PageGraph;
use crate::gui::PageId;
use crate::outcome::Finding;
use crate::outcome::reproduction::{Minimality, REPRODUCTION_VERSION, Reproduction};
use crate::trace::{Expected, Moves, Trace, words};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The budget per finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Replays at most, confirmation left out.
    pub replays: u64,
    /// Time at most, confirmation left out.
    pub time: Duration,
    /// Replays in fresh processes that confirm the result.
    pub confirm: u32,
    /// Parallel replays.
    pub workers: usize,
    /// What has come each time is left for the caller to confirm (`of` is 0 then), and the devices are left to `spare`.
    pub later: bool,
}

/// Makes a fresh device with the app on it; two at a time never have the same first number. The second is added to the
/// seed of the app's chance: 0 is the trace's.
pub type Make<'a> = dyn Fn(usize, u64) -> Result<Runner, DeviceError> + Sync + 'a;

/// The result of a finding.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The trace with the fewest steps; none if the finding did not reproduce.
    pub trace: Option<Trace>,
    /// The rest.
    pub reproduction: Reproduction,
    /// Other findings observed along the path, each with a trace.
    pub others: Vec<(Finding, Trace)>,
}

/// Minimizes and confirms the finding of a trace. `moves` are what sessions with the app have seen lead from
/// page to page: a stretch of the trace may give way to a shorter one of theirs. `picture` names the file for
/// the screen before a step.
///
/// # Errors
/// A device that cannot be made, or the user's interrupt.
pub fn minimize(
    trace: &Trace,
    moves: &Moves,
    make: &Make<'_>,
    means: &Means,
    picture: &dyn Fn(usize) -> Option<PathBuf>,
    spare: &Spare,
) -> Result<Minimized, DeviceError> {
    let started = Instant::now();
    let (mut done, guessed) = attempt(trace, moves, make, means, picture, spare)?;
    if let Some(trace) = guessed {
        let (spent, carried) = (done.reproduction.replays, done.reproduction.carried);
        let left = Means {
            replays: means.replays.saturating_sub(spent),
            time: means.time.saturating_sub(started.elapsed()),
            ..*means
        };
        let mut met = std::mem::take(&mut done.others);
        (done, _) = attempt(&trace, moves, make, &left, picture, spare)?;
        met.retain(|(met, _)| {
            let mut others = done.others.iter();
            others.all(|(other, _)| other.fingerprint != met.fingerprint)
        });
        done.others.append(&mut met);
        done.reproduction.replays += spent;
        done.reproduction.carried += carried;
        if let Some(at) = &mut done.reproduction.diverged {
            at.push_str(", though `replay` guesses one: name it by its id");
        }
    }
    Ok(done)
}

/// The same for the widgets that the trace names and no others. Where one of them is gone, and the finding comes with
/// those that are the likeliest ones and not without, the trace that names these is given, too.
fn attempt(
    trace: &Trace,
    moves: &Moves,
    make: &Make<'_>,
    means: &Means,
    picture: &dyn Fn(usize) -> Option<PathBuf>,
    spare: &Spare,
) -> Result<(Minimized, Option<Trace>), DeviceError> {
    let mut stock = Stock::default();
    let all: Steps = trace.steps.iter().map(|step| stock.number(step)).collect();
    let (mut graph, mut sketches, mut activities) =
        (PageGraph::default(), Coarse::default(), Coarse::default());
    for (page, seen) in moves.pages() {
        activities.add_activity(page, &seen.activity);
        if let Some(sketch) = seen.sketch {
            sketches.add(page, PageId(sketch.0));
        }
    }
    for seen in moves.all() {
        let step = stock.number(&seen.step);
        graph.see(seen.from, step, seen.to, seen.times);
        let known = (step, Kind::of(&seen.step).family);
        sketches.see(seen.from, known, seen.to, seen.times);
        activities.see(seen.from, known, seen.to, seen.times);
    }
    let kinds = stock.kinds();
    let pool = ReplayPool::new(trace, stock, make, means.workers);
    let limit = Limit {
        replays: means.replays,
        until: Instant::now().checked_add(means.time),
    };
    let mut search = Search::new(&pool, limit);
    search.graph = graph;
    search.sketches = sketches;
    search.activities = activities;
    search.kinds = kinds;
    // If the trace does not identify its finding, the complete trace decides.
    let walk = moves.walk(trace).filter(|_| pool.fingerprint().is_some());
    let first = search.minimize_walk(all.clone(), &walk.unwrap_or_default())?;
    let mut found = first.clone().unwrap_or(Fewest {
        steps: Vec::new(),
        minimal: false,
    });
    // Replays that were cut off, or never started, carry no information.
    let mut confirmed = (0, search.spent - search.lost);
    let mut shown = None;
    let later = means.later && first.is_some() && search.rate.missed == 0;
    if later {
        pool.retire(spare);
        confirmed = (0, 0);
    } else if first.is_some() {
        let confirm = |steps: &Steps| {
            // A fresh process is a separate device; there is room for only so many.
            pool.release();
            pool.confirm(steps, means.confirm, picture)
        };
        (confirmed, shown) = confirm(&found.steps)?;
        search.rate.note(confirmed);
        if confirmed.0 > 0 && search.rate.tries() > search.tries && !search.exhausted {
            let shorter = search.refine(found.steps.clone())?;
            if shorter.steps != found.steps {
                (confirmed, shown) = confirm(&shorter.steps)?;
                search.rate.note(confirmed);
            }
            found = shorter;
        }
        // Steps that reproduce only during the search are useless; the complete trace may reproduce.
        if none_of(confirmed) && found.steps != all {
            (confirmed, shown) = confirm(&all)?;
            found = Fewest {
                steps: all,
                minimal: false,
            };
        }
    }
    let guessed = match first.is_none() && !search.exhausted {
        true => pool.guessed()?,
        false => None,
    };
    let came = first.is_some() && !none_of(confirmed);
    let shortest = came.then(|| Trace {
        // A finding that depends on the app's randomness needs a seed that has shown it.
        seed: trace.seed.wrapping_add(shown.map_or(0, u64::from)),
        ..pool.part(&found.steps)
    });
    let reported = shortest.as_ref().unwrap_or(trace);
    let chance = search.rate.minimal(found.steps.len(), search.tries);
    let reproduction = Reproduction {
        version: REPRODUCTION_VERSION,
        fingerprint: pool.fingerprint().cloned().unwrap_or_default(),
        given: trace.steps.len() as u64,
        steps: words::steps(&reported.steps),
        minimality: match () {
            () if shortest.is_none() => Minimality::NotReproduced,
            () if !found.minimal => Minimality::Budget,
            () if search.rate.missed == 0 => Minimality::OneMinimal,
            () => Minimality::Likely,
        },
        chance: if found.minimal { chance } else { 0.0 },
        replays: search.spent + u64::from(guessed.is_some()),
        carried: search.carried,
        reproduced: confirmed.0,
        of: confirmed.1,
        diverged: pool.diverged().filter(|_| shortest.is_none()),
    };
    let others = search.others.iter().map(|(finding, steps)| {
        let mut other = pool.part(steps);
        other.finding = Some(Expected::of(finding));
        (finding.clone(), other)
    });
    let minimized = Minimized {
        others: others.collect(),
        trace: shortest,
        reproduction,
    };
    Ok((minimized, guessed))
}

/// Did replays have a result, and none of them show the finding?
const fn none_of((reproduced, of): (u64, u64)) -> bool {
    of > 0 && reproduced == 0
}
