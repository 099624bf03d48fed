//! One finding from its trace to the fewest steps, confirmed in fresh processes.

use super::graph::{Activities, Graph};
use super::minimize::{Fewest, chance_of_minimal};
use super::replay::{End, Hindered, Onlooker, Runner};
use super::search::{Limit, Search, Steps, Tester, Verdict};
use crate::device::DeviceError;
use crate::outcome::Finding;
use crate::outcome::reproduction::{Minimality, REPRODUCTION_VERSION, Reproduction};
use crate::trace::find::Fit;
use crate::trace::{Expected, Moves, Step, Trace, words};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What may be spent on a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Replays at most, confirmation left out.
    pub replays: u64,
    /// Time at most, confirmation left out.
    pub time: Duration,
    /// Replays in fresh processes that confirm the result.
    pub confirm: u32,
    /// Replays at once.
    pub workers: usize,
}

/// Makes a fresh device with the app on it; two at a time never have the same number.
pub type Make<'a> = dyn Fn(usize) -> Result<Runner, DeviceError> + Sync + 'a;

/// What came of a finding.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The trace with the fewest steps; none where the finding did not come again.
    pub trace: Option<Trace>,
    /// The rest.
    pub reproduction: Reproduction,
    /// Other findings met on the way, each with a trace.
    pub others: Vec<(Finding, Trace)>,
}

/// Minimizes and confirms the finding of a trace. `moves` are what sessions with the app have seen lead from
/// page to page: a stretch of the trace may give way to a shorter one of theirs. `picture` names the file for
/// the screen before a step.
///
/// # Errors
/// A device that cannot be made, or the user's wish to stop.
pub fn minimize(
    trace: &Trace,
    moves: &Moves,
    make: &Make<'_>,
    means: &Means,
    picture: &dyn Fn(usize) -> Option<PathBuf>,
) -> Result<Minimized, DeviceError> {
    let mut stock = Stock::default();
    let all: Steps = trace.steps.iter().map(|step| stock.number(step)).collect();
    let mut graph = Graph::default();
    let mut activities = Activities::default();
    for seen in moves.all() {
        for page in [seen.from, seen.to] {
            if let Some(activity) = moves.activity(page) {
                activities.add(page, activity);
            }
        }
        let step = stock.number(&seen.step);
        graph.see(seen.from, step, seen.to, seen.times);
        activities.see(seen.from, step, seen.to, seen.times);
    }
    let crew = Crew {
        trace,
        stock: stock.steps,
        make,
        runners: (0..means.workers.max(1))
            .map(|_| Mutex::new(None))
            .collect(),
        diverged: Mutex::new(None),
    };
    let limit = Limit {
        replays: means.replays,
        until: Instant::now().checked_add(means.time),
    };
    let mut search = Search::new(&crew, limit);
    search.graph = graph;
    search.activities = activities;
    let first = search.minimize(all)?;
    let mut found = first.clone().unwrap_or(Fewest {
        steps: Vec::new(),
        minimal: false,
    });
    // Replays that were cut off, or never begun, say nothing.
    let (mut confirmed, mut rate) = ((0, search.spent - search.lost), 0.0);
    if first.is_some() {
        // A fresh process is a device of its own; there is room for only so many.
        crew.release();
        confirmed = crew.confirm(&found.steps, means.confirm, picture)?;
        rate = share(confirmed);
        if rate > 0.0 && rate < 1.0 && !search.exhausted {
            let shorter = search.refine(found.steps.clone(), rate)?;
            if shorter.steps != found.steps {
                crew.release();
                confirmed = crew.confirm(&shorter.steps, means.confirm, picture)?;
                rate = share(confirmed);
            }
            found = shorter;
        }
    }
    let shortest = first.is_some().then(|| crew.part(&found.steps));
    let told = shortest.as_ref().unwrap_or(trace);
    let chance = chance_of_minimal(found.steps.len(), search.tries, rate);
    let reproduction = Reproduction {
        version: REPRODUCTION_VERSION,
        fingerprint: trace.finding.fingerprint.clone().unwrap_or_default(),
        given: trace.steps.len() as u64,
        steps: told.steps.iter().map(words::step).collect(),
        minimality: match () {
            () if shortest.is_none() => Minimality::NotReproduced,
            () if !found.minimal => Minimality::Budget,
            () if rate >= 1.0 && search.tries == 1 => Minimality::OneMinimal,
            () => Minimality::Likely,
        },
        chance: if found.minimal { chance } else { 0.0 },
        replays: search.spent,
        reproduced: confirmed.0,
        of: confirmed.1,
        diverged: crew.diverged().filter(|_| shortest.is_none()),
    };
    let others = search.others.iter().map(|(finding, steps)| {
        let mut other = crew.part(steps);
        other.finding = Expected::of(finding);
        (finding.clone(), other)
    });
    Ok(Minimized {
        others: others.collect(),
        trace: shortest,
        reproduction,
    })
}

fn share((reproduced, of): (u64, u64)) -> f64 {
    if of == 0 {
        return 1.0;
    }
    reproduced as f64 / of as f64
}

/// Steps by number; equal ones have one.
#[derive(Default)]
struct Stock {
    steps: Vec<Step>,
    /// By all that can be said of a step, whose places are floats and have no hash.
    numbers: FxHashMap<String, u32>,
}

impl Stock {
    fn number(&mut self, step: &Step) -> u32 {
        let next = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(format!("{step:?}")).or_insert(next);
        if number == next {
            self.steps.push(step.clone());
        }
        number
    }
}

/// Devices that replay steps of one trace, and of others with the same app.
struct Crew<'a> {
    trace: &'a Trace,
    stock: Vec<Step>,
    make: &'a Make<'a>,
    runners: Vec<Mutex<Option<Runner>>>,
    /// Where the whole trace last diverged.
    diverged: Mutex<Option<(usize, Hindered)>>,
}

impl Crew<'_> {
    /// The trace with these steps.
    fn part(&self, steps: &[u32]) -> Trace {
        Trace {
            steps: steps
                .iter()
                .map(|&at| self.stock[at as usize].clone())
                .collect(),
            ..self.trace.clone()
        }
    }

    /// Where the whole trace no longer fits the app, in words.
    fn diverged(&self) -> Option<String> {
        let at = self.diverged.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, why) = at.as_ref()?;
        Some(format!("{}: {why}", words::numbered(self.trace, *number)))
    }

    /// Ends all devices.
    fn release(&self) {
        for runner in &self.runners {
            *runner.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// One replay; a device that fails is replaced once.
    fn replay(
        &self,
        slot: &mut Option<Runner>,
        worker: usize,
        steps: &[u32],
        mut onlooker: Option<&mut Onlooker<'_>>,
    ) -> Result<Verdict, DeviceError> {
        for _ in 0..2 {
            let runner = match slot {
                Some(runner) => runner,
                None => slot.insert((self.make)(worker)?),
            };
            let chosen = steps.iter().map(|&at| &self.stock[at as usize]);
            // The second closure's borrow ends with the call.
            let onlooker = onlooker
                .as_mut()
                .map(|onlooker| &mut **onlooker as &mut Onlooker<'_>);
            let replay = match runner.replay(chosen, &self.trace.finding, Fit::Strict, onlooker) {
                Ok(replay) => replay,
                Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted),
                Err(_) => {
                    *slot = None;
                    continue;
                }
            };
            let (fails, diverged) = match &replay.end {
                End::Reproduced { after } => (Some(*after), None),
                End::Diverged { step, why } => {
                    if steps.len() == self.trace.steps.len() {
                        let mut at = self.diverged.lock().unwrap_or_else(PoisonError::into_inner);
                        *at = Some((*step, why.clone()));
                    }
                    (None, Some(*step))
                }
                End::NotMet => (None, None),
            };
            let is_other = |(finding, _): &(Finding, usize)| {
                finding.environment.is_none() && !self.trace.finding.is(finding)
            };
            return Ok(Verdict {
                fails,
                pages: replay.pages,
                diverged,
                lost: false,
                others: replay.met.into_iter().filter(is_other).collect(),
            });
        }
        // That says nothing of these steps, nor of others.
        Ok(Verdict {
            lost: true,
            ..Verdict::default()
        })
    }

    /// How many of so many fresh processes show the finding.
    fn confirm(
        &self,
        steps: &Steps,
        of: u32,
        picture: &dyn Fn(usize) -> Option<PathBuf>,
    ) -> Result<(u64, u64), DeviceError> {
        let mut reproduced = 0;
        for round in 0..of {
            let mut look = |number: usize, device: &mut dyn crate::device::Device| {
                if device.caps().screenshots
                    && let Some(path) = picture(number)
                {
                    // A picture is a help to the reader; its failure changes nothing.
                    let _ = device.screenshot(&path);
                }
            };
            let onlooker: Option<&mut Onlooker<'_>> =
                if round == 0 { Some(&mut look) } else { None };
            let mut fresh = None;
            let verdict = self.replay(&mut fresh, 0, steps, onlooker)?;
            reproduced += u64::from(verdict.fails.is_some());
        }
        Ok((reproduced, u64::from(of)))
    }
}

impl Tester for Crew<'_> {
    type Error = DeviceError;

    fn workers(&self) -> usize {
        self.runners.len()
    }

    fn test(&self, worker: usize, steps: &[u32]) -> Result<Verdict, DeviceError> {
        let mut slot = self.runners[worker]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.replay(&mut slot, worker, steps, None)
    }
}
