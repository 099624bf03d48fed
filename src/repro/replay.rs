//! Performs the steps of a trace on a device, and checks whether its finding reproduces.

use super::act::{Act, Hindrance, act, decision};
use super::questions::Questions;
use crate::corpus::Gain;
use crate::device::{Device, DeviceError, Observation, Reset};
use crate::explore::evidence_of;
use crate::explore::follow::Texts;
use crate::gui::{EventKind, Page, PageId, SketchId, caption, page, sketch};
use crate::oracle::Oracle;
use crate::outcome::Finding;
use crate::step::{Decision, Step as Seen};
use crate::trace::find::{By, Fit};
use crate::trace::name::name;
use crate::trace::{Expected, Step, Target, words};
use crate::util::intern::Interner;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum events to list where a replay diverged.
const OFFERED: usize = 40;

/// Makes the oracles of one replay; they remember what they have seen.
pub type Judges = dyn Fn() -> Vec<Box<dyn Oracle>> + Send + Sync;

/// A device with the app, and what a replay needs besides the steps.
pub struct Runner {
    /// The device.
    pub device: Box<dyn Device>,
    /// Texts that traces name by their key only.
    pub texts: Arc<Texts>,
    /// Asks a person for what a step types, where that is wanted.
    pub questions: Option<Questions>,
    /// Makes oracles.
    pub judges: Arc<Judges>,
    /// Texts behind the pages' symbols.
    pub interner: Interner,
    /// Names of the classes observed, by the device's numbers.
    pub classes: FxHashMap<u32, String>,
}

/// How a replay handles a step whose widget is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gone {
    /// It ends there.
    Ends,
    /// It continues with the next step.
    Skipped,
}

/// How a replay ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The finding came with this step (from 1; 0 is the start of the app).
    Reproduced {
        /// Steps it took.
        after: usize,
    },
    /// All steps were performed without the finding.
    NotMet,
    /// A step could not be performed.
    Diverged {
        /// Its number, from 1; 0 is the start of the app.
        step: usize,
        /// Why.
        why: Hindered,
    },
}

/// Why a replay went no further.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Hindered {
    /// The step names something that is not there.
    #[error(transparent)]
    Step(#[from] Hindrance),
    /// The app does not run any more and cannot be started.
    #[error("the app does not start")]
    Dead,
}

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct Replay {
    /// How it ended.
    pub end: End,
    /// The page before each step performed, and the last one.
    pub pages: Vec<PageId>,
    /// Their sketches.
    pub sketches: Vec<SketchId>,
    /// Numbers, from 1, of the steps skipped because their widget was missing.
    pub skipped: Vec<usize>,
    /// What was reached first, each with the number of steps it took.
    pub reached: BTreeMap<Gain, usize>,
    /// Every finding encountered, with the number of steps it took; the one looked for is the last if it came.
    pub met: Vec<(Finding, usize)>,
    /// The possible events where it diverged, in words.
    pub offered: Vec<String>,
    /// Widgets that did not match the trace exactly.
    pub guesses: Vec<Guess>,
}

/// A widget used for the one that a step names.
#[derive(Clone, PartialEq, Debug)]
pub struct Guess {
    /// Number of the step, from 1.
    pub step: usize,
    /// How the widget was identified.
    pub by: By,
    /// The name for the trace.
    pub name: Target,
}

impl Replay {
    /// Did the finding come?
    pub const fn reproduced(&self) -> bool {
        matches!(self.end, End::Reproduced { .. })
    }
}

/// Receives each page before a step (numbered from 1) is performed on it.
pub type Onlooker<'a> = dyn FnMut(usize, &mut dyn Device) + 'a;

impl Runner {
    /// Starts the app with cleared data and performs the steps until the finding occurs, if one is wanted.
    ///
    /// # Errors
    /// Failures of the device that are unrelated to the app.
    pub fn replay<'s>(
        &mut self,
        steps: impl IntoIterator<Item = &'s Step>,
        wanted: Option<&Expected>,
        (fit, gone): (Fit, Gone),
        mut onlooker: Option<&mut Onlooker<'_>>,
    ) -> Result<Replay, DeviceError> {
        let mut play = Play {
            oracles: (self.judges)(),
            runner: self,
            wanted,
            replay: Replay {
                end: End::NotMet,
                pages: Vec::new(),
                sketches: Vec::new(),
                skipped: Vec::new(),
                reached: BTreeMap::new(),
                met: Vec::new(),
                offered: Vec::new(),
                guesses: Vec::new(),
            },
            page: Arc::new(page::none()),
            number: 0,
        };
        let done = play.start(Reset::ClearData, None)?;
        play.note_page();
        if done {
            return Ok(play.replay);
        }
        for step in steps {
            if let Some(onlooker) = onlooker.as_deref_mut() {
                onlooker(play.number + 1, play.runner.device.as_mut());
            }
            let Some(done) = play.step(step, fit, gone)? else {
                play.replay.skipped.push(play.number);
                continue;
            };
            play.note_page();
            if done {
                break;
            }
        }
        Ok(play.replay)
    }

    /// Does this text contain a possible secret, which must not be written into a trace?
    pub fn hides(&self, text: &str) -> bool {
        let mut texts = self.texts.values();
        texts.any(|hidden| !hidden.is_empty() && text.contains(hidden))
    }

    /// A widget's name in a trace.
    fn name(&self, page: &Page, widget: u32, kind: EventKind) -> Target {
        let mut name = name(page, &self.interner, widget, kind);
        for said in [&mut name.text, &mut name.desc, &mut name.caption] {
            if self.hides(said) {
                said.clear();
            }
        }
        name
    }
}

/// A running replay.
struct Play<'a> {
    runner: &'a mut Runner,
    oracles: Vec<Box<dyn Oracle>>,
    wanted: Option<&'a Expected>,
    replay: Replay,
    page: Arc<Page>,
    /// Steps performed.
    number: usize,
}

impl Play<'_> {
    fn note_page(&mut self) {
        let sketch = sketch::of(&self.page, &self.runner.interner);
        self.replay.pages.push(self.page.id);
        self.replay.sketches.push(sketch);
    }

    /// A step that leads to another page.
    fn note_transition(&mut self, after: &Observation) {
        let to = after.page.as_ref().filter(|_| after.alive);
        let to = to.map(|page| sketch::of(page, &self.runner.interner));
        let from = self.replay.sketches.last().copied();
        if let Some((from, to)) = from.zip(to).filter(|(from, to)| from != to) {
            self.reach(Gain::Transition(from, to));
        }
    }

    fn reach(&mut self, gain: Gain) {
        self.replay.reached.entry(gain).or_insert(self.number);
    }

    /// One step; true: the replay is over; none: it was skipped.
    fn step(&mut self, step: &Step, fit: Fit, gone: Gone) -> Result<Option<bool>, DeviceError> {
        self.number += 1;
        self.runner.ask(step);
        let runner = &*self.runner;
        let act = match act(step, &self.page, &runner.interner, &runner.texts, fit) {
            Ok(act) => act,
            Err(Hindrance::Gone) if gone == Gone::Skipped => return Ok(None),
            Err(why) => {
                self.replay.offered = offered(&self.page, &runner.interner);
                self.replay.end = End::Diverged {
                    step: self.number,
                    why: why.into(),
                };
                return Ok(Some(true));
            }
        };
        let done = match act {
            Act::Relaunch => {
                let over = self.start(Reset::Relaunch, Some(decision(step)))?;
                return Ok(Some(over));
            }
            Act::Perform(action, known) => {
                if let (Step::On(_, deed), Some((n, by))) = (step, known)
                    && by != By::All
                {
                    let name = runner.name(&self.page, n, deed.kind());
                    let step = self.number;
                    self.replay.guesses.push(Guess { step, by, name });
                }
                match self.runner.device.perform(&action) {
                    Ok(()) | Err(DeviceError::StaleWidget) => self.look(),
                    Err(error) => Err(error),
                }
            }
        };
        let after = done.or_else(evidence_of)?;
        let alive = after.alive;
        self.note_transition(&after);
        if self.judge(Some(&decision(step)), &after) {
            return Ok(Some(true));
        }
        // As in a session: the app is restarted, and its files stay.
        Ok(Some(!alive && self.start(Reset::Relaunch, None)?))
    }

    /// Starts the app; true: the replay is over.
    fn start(&mut self, how: Reset, decision: Option<Decision>) -> Result<bool, DeviceError> {
        let reset = self.runner.device.reset(how);
        let after = reset.and_then(|()| self.look()).or_else(evidence_of)?;
        self.page = Arc::new(page::none());
        if self.judge(decision.as_ref(), &after) {
            return Ok(true);
        }
        // As in a session: it is restarted where it can run.
        if how == Reset::ClearData && after.crashed_offline() {
            return self.start(Reset::Unanswered, decision);
        }
        if !after.alive {
            self.replay.end = End::Diverged {
                step: self.number,
                why: Hindered::Dead,
            };
        }
        Ok(!after.alive)
    }

    fn look(&mut self) -> Result<Observation, DeviceError> {
        self.runner.device.observe(&mut self.runner.interner)
    }

    /// Asks the oracles, and takes the page in. True: this is the finding.
    fn judge(&mut self, decision: Option<&Decision>, after: &Observation) -> bool {
        let page = after.page();
        let seen = Seen {
            number: self.number as u64,
            decision,
            ..Seen::to(&self.page, after, &page, &self.runner.interner)
        };
        let mut reproduced = false;
        let mut findings = Vec::new();
        for oracle in &mut self.oracles {
            for finding in oracle.inspect(&seen) {
                reproduced |= self.wanted.is_some_and(|wanted| wanted.is(&finding));
                findings.push(finding);
            }
        }
        self.page = page;
        for (ix, name, _) in &after.classes {
            self.runner.classes.insert(*ix, name.clone());
        }
        for (class, probe) in &after.probes {
            if let Some(class) = self.runner.classes.get(class).cloned() {
                self.reach(Gain::Probe(class, *probe));
            }
        }
        for finding in findings {
            if finding.environment.is_none() {
                self.reach(Gain::Finding(finding.fingerprint.clone()));
            }
            self.replay.met.push((finding, self.number));
        }
        if reproduced {
            self.replay.end = End::Reproduced { after: self.number };
        }
        reproduced
    }
}

/// The distinct events of a page's widgets in words.
fn offered(page: &Page, interner: &Interner) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for event in &page.events {
        let known = |n| Some((n, page.widgets.get(n as usize)?));
        let Some((n, widget)) = event.widget.and_then(known) else {
            continue;
        };
        let get = |sym| interner.get(sym);
        let (id, text, desc) = (widget.resource_id, widget.text, widget.description);
        let said = caption::of_nameless(page, n, interner);
        let place = words::place(get(id), [get(text), get(desc), &said], get(widget.class));
        let words = format!("{} {place}", event.kind);
        if all.len() < OFFERED && !all.contains(&words) {
            all.push(words);
        }
    }
    all
}
