//! A pool of devices that replay steps of one trace, and of others with the same app.

use super::act::Hindrance;
use super::kind::Kind;
use super::minimize;
use super::replay::{End, Gone, Hindered, Onlooker, Replay, Runner};
use super::search::{Steps, Tester, Verdict};
use super::spare::Spare;
use super::task::Make;
use crate::device::{Device, DeviceError};
use crate::outcome::Finding;
use crate::trace::find::Fit;
use crate::trace::{Expected, Step, Trace, words};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Steps by number; equal ones have one.
#[derive(Default)]
pub struct Stock {
    steps: Vec<Step>,
    /// By the text form of a step: its places are floats and have no hash.
    numbers: FxHashMap<String, u32>,
}

impl Stock {
    /// The kind of each step, by number.
    pub fn kinds(&self) -> Vec<Kind> {
        self.steps.iter().map(Kind::of).collect()
    }

    /// The step's number.
    pub fn number(&mut self, step: &Step) -> u32 {
        let next = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(format!("{step:?}")).or_insert(next);
        if number == next {
            self.steps.push(step.clone());
        }
        number
    }
}

/// A pool of devices that replay steps of one trace, and of others with the same app.
pub struct ReplayPool<'a> {
    trace: &'a Trace,
    stock: Vec<Step>,
    make: &'a Make<'a>,
    runners: Vec<Mutex<Option<Runner>>>,
    /// Where the complete trace last diverged.
    diverged: Mutex<Option<(usize, Hindered)>>,
    /// The first matching finding, if the trace does not identify one exactly.
    first: OnceLock<Expected>,
}

impl<'a> ReplayPool<'a> {
    /// This number of devices, created on demand, for these steps.
    pub fn new(trace: &'a Trace, stock: Stock, make: &'a Make<'a>, workers: usize) -> Self {
        Self {
            trace,
            stock: stock.steps,
            make,
            runners: (0..workers.max(1)).map(|_| Mutex::new(None)).collect(),
            diverged: Mutex::new(None),
            first: OnceLock::new(),
        }
    }

    /// The expected finding. After the first match no other is accepted, even if the trace is vague.
    pub fn wanted(&self) -> Option<&Expected> {
        self.first.get().or(self.trace.finding.as_ref())
    }

    /// The fingerprint of the expected finding, if it is known.
    pub fn fingerprint(&self) -> Option<&String> {
        self.wanted().and_then(|wanted| wanted.fingerprint.as_ref())
    }

    fn is_wanted(&self, finding: &Finding) -> bool {
        self.wanted().is_some_and(|wanted| wanted.is(finding))
    }

    /// The trace with these steps.
    pub fn part(&self, steps: &[u32]) -> Trace {
        let step = |&at: &u32| self.stock[at as usize].clone();
        Trace {
            finding: self.wanted().cloned(),
            steps: steps.iter().map(step).collect(),
            ..self.trace.clone()
        }
    }

    /// Where the complete trace no longer fits the app, in words.
    pub fn diverged(&self) -> Option<String> {
        let at = lock(&self.diverged);
        let (number, why) = at.as_ref()?;
        Some(format!("{}: {why}", words::numbered(self.trace, *number)))
    }

    /// Moves all remaining devices to `spare`.
    pub fn retire(&self, spare: &Spare) {
        for (number, runner) in self.runners.iter().enumerate() {
            if let Some(runner) = lock(runner).take() {
                spare.keep(number, runner);
            }
        }
    }

    /// Ends all devices.
    pub fn release(&self) {
        for runner in &self.runners {
            *lock(runner) = None;
        }
    }

    /// The complete trace, which diverged for want of a widget, with the names of the widgets that are the likeliest ones;
    /// none if the finding does not come with those either.
    ///
    /// # Errors
    /// As a replay's.
    pub fn guessed(&self) -> Result<Option<Trace>, DeviceError> {
        let gone = Hindered::Step(Hindrance::Gone);
        if !matches!(&*lock(&self.diverged), Some((_, why)) if *why == gone) {
            return Ok(None);
        }
        let steps: Vec<&Step> = self.trace.steps.iter().collect();
        let mut slot = lock(&self.runners[0]);
        let replay = self.play(&mut slot, (0, 0), &steps, (Fit::Loose, Gone::Ends), None)?;
        let Some(replay) = replay.filter(Replay::reproduced) else {
            return Ok(None);
        };
        let mut trace = Trace {
            finding: self.wanted().cloned(),
            ..self.trace.clone()
        };
        for guess in replay.guesses {
            if let Some(Step::On(target, _)) = trace.steps.get_mut(guess.step - 1) {
                *target = guess.name;
            }
        }
        Ok(Some(trace))
    }

    /// One replay; a device that fails is replaced once. None: it failed again.
    fn play(
        &self,
        slot: &mut Option<Runner>,
        (worker, turn): (usize, u64),
        steps: &[&Step],
        how: (Fit, Gone),
        mut onlooker: Option<&mut Onlooker<'_>>,
    ) -> Result<Option<Replay>, DeviceError> {
        for _ in 0..2 {
            let runner = match slot {
                Some(runner) => runner,
                None => slot.insert((self.make)(worker, turn)?),
            };
            // The second closure's borrow ends with the call.
            let onlooker = onlooker
                .as_mut()
                .map(|onlooker| &mut **onlooker as &mut Onlooker<'_>);
            let steps = steps.iter().copied();
            match runner.replay(steps, self.wanted(), how, onlooker) {
                Ok(replay) => {
                    self.settle(&replay, runner);
                    return Ok(Some(replay));
                }
                Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted),
                Err(_) => *slot = None,
            }
        }
        Ok(None)
    }

    /// Determines the expected finding if the trace is vague and one has occurred. The trace itself is
    /// replayed first, by one device alone.
    fn settle(&self, replay: &Replay, runner: &Runner) {
        if self.fingerprint().is_some() || !replay.reproduced() {
            return;
        }
        let mut met = replay.met.iter();
        if let Some((finding, _)) = met.find(|(finding, _)| self.is_wanted(finding)) {
            let found = Expected::of(finding);
            self.first.get_or_init(|| Expected {
                title: found.title.filter(|title| !runner.hides(title)),
                ..found
            });
        }
    }

    /// One replay of a candidate, in which no other widget is taken for one that is gone.
    fn replay(
        &self,
        slot: &mut Option<Runner>,
        whose: (usize, u64),
        steps: &[u32],
        gone: Gone,
        onlooker: Option<&mut Onlooker<'_>>,
    ) -> Result<Verdict, DeviceError> {
        let chosen: Vec<&Step> = steps.iter().map(|&at| &self.stock[at as usize]).collect();
        let Some(replay) = self.play(slot, whose, &chosen, (Fit::Strict, gone), onlooker)? else {
            // That is no information about these or other steps.
            return Ok(Verdict {
                lost: true,
                ..Verdict::default()
            });
        };
        let (fails, diverged) = match &replay.end {
            End::Reproduced { after } => (Some(*after), None),
            End::Diverged { step, .. } => (None, Some(*step)),
            End::NotMet => (None, None),
        };
        if steps.len() == self.trace.steps.len() {
            let at = match (&replay.end, replay.skipped.first()) {
                (End::Diverged { step, why }, _) => Some((*step, why.clone())),
                (End::NotMet, Some(&step)) => Some((step, Hindrance::Gone.into())),
                (End::NotMet | End::Reproduced { .. }, _) => None,
            };
            if at.is_some() {
                *lock(&self.diverged) = at;
            }
        }
        let is_other = |(finding, _): &(Finding, usize)| {
            finding.environment.is_none() && !self.is_wanted(finding)
        };
        Ok(Verdict {
            fails,
            pages: replay.pages,
            sketches: replay.sketches,
            skipped: replay.skipped.iter().map(|number| number - 1).collect(),
            diverged,
            lost: false,
            others: replay.met.into_iter().filter(is_other).collect(),
        })
    }

    /// How many of so many fresh processes show the finding, and how many of them tell: the first with the seed of the
    /// trace, the others each with a separate seed, for what the app draws at random is to be no part of the steps.
    /// Then the first round, from 0, that shows it; its number is what its seed is greater by. `picture` names the file
    /// for the screen before a step of that round.
    ///
    /// # Errors
    /// As a replay's.
    pub fn confirm(
        &self,
        steps: &Steps,
        of: u32,
        picture: &dyn Fn(usize) -> Option<PathBuf>,
    ) -> Result<((u64, u64), Option<u32>), DeviceError> {
        let mut shown = None;
        let confirmed = minimize::confirm(of, |round| {
            let mut look = |number: usize, device: &mut dyn Device| {
                if device.caps().screenshots
                    && let Some(path) = picture(number)
                {
                    // A screenshot is only informative; ignore its failure.
                    let _ = device.screenshot(&path);
                }
            };
            let onlooker: Option<&mut Onlooker<'_>> = match shown {
                None => Some(&mut look),
                Some(_) => None,
            };
            let whose = (0, u64::from(round));
            let verdict = self.replay(&mut None, whose, steps, Gone::Ends, onlooker)?;
            if verdict.fails.is_some() {
                shown.get_or_insert(round);
            }
            Ok::<_, DeviceError>(verdict)
        })?;
        Ok((confirmed, shown))
    }
}

impl Tester for ReplayPool<'_> {
    type Error = DeviceError;

    fn workers(&self) -> usize {
        self.runners.len()
    }

    fn test(&self, worker: usize, steps: &[u32], gone: Gone) -> Result<Verdict, DeviceError> {
        // A trace that takes any finding of a kind is to lead to the one that it leads to whole.
        let exact = self.fingerprint().is_some();
        let gone = if exact { gone } else { Gone::Ends };
        let mut slot = lock(&self.runners[worker]);
        self.replay(&mut slot, (worker, 0), steps, gone, None)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
