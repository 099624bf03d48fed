//! Scripts: where a certain screen is met, certain steps are taken.

use super::GuideError;
use crate::config;
use crate::explore::asks::Asking;
use crate::explore::follow::{Hindrance, Texts, decision};
use crate::gui::{ExactId, Page, ScreenMatch};
use crate::outcome::run_event::{Reset, RunEvent};
use crate::step::Decision;
use crate::trace::find::Fit;
use crate::trace::{Step, words};
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use rand::RngExt as _;
use std::collections::BTreeSet;
use std::time::Duration;

/// The scripts of an app, and the one that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts {
    scripts: Vec<Script>,
    /// Texts by key; the answers to scripts' questions by the scripts' names.
    texts: Texts,
    asking: Option<Asking>,
    /// Index of the script and of its next step.
    running: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Script {
    name: String,
    screen: ScreenMatch,
    times: u32,
    probability: f64,
    ask: Option<String>,
    steps: Vec<Step>,
    /// Runs since the app last started with cleared data.
    runs: u32,
    /// The page on which its last run began, until the page behind that run is known.
    began_on: Option<ExactId>,
    /// Pages that a run left as they were, since the app last started with cleared data.
    unchanged: BTreeSet<ExactId>,
}

impl Scripts {
    pub(super) fn new(
        scripts: &[config::Script],
        texts: &[(String, String)],
    ) -> Result<Self, GuideError> {
        Ok(Self {
            scripts: scripts.iter().map(Script::new).collect::<Result<_, _>>()?,
            texts: Texts::new(texts.to_vec()),
            asking: None,
            running: None,
        })
    }

    /// From now on scripts ask their questions.
    pub(super) fn ask_with(&mut self, asking: Asking) {
        self.asking = Some(asking);
    }

    pub(super) fn may_ask(&self, page: &Page, interner: &Interner) -> bool {
        let asks = |script: &&Script| script.ask.is_some();
        let mut asking = self.scripts.iter().filter(asks);
        self.asking.is_some()
            && self.running.is_none()
            && asking.any(|script| script.fits(page, interner))
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.scripts.iter().map(|s| s.name.clone()).collect()
    }

    pub(super) fn launched(&mut self, how: Reset) {
        self.running = None;
        for script in &mut self.scripts {
            script.began_on = None;
            if how != Reset::Relaunch {
                script.runs = 0;
                script.unchanged.clear();
            }
        }
    }

    /// The next step of the script that runs, or of one that begins here, with its name.
    pub(super) fn next(
        &mut self,
        page: &Page,
        number: u64,
        interner: &Interner,
        rng: &mut Rng,
        lines: &mut Vec<RunEvent>,
    ) -> Option<(Decision, String)> {
        loop {
            let (ix, at) = match self.running {
                Some(running) => running,
                None => {
                    self.scripts
                        .iter_mut()
                        .for_each(|script| script.ended(page));
                    let asks = self.asking.is_some();
                    let ix = (self.scripts.iter())
                        .position(|s| (s.ask.is_none() || asks) && s.begins(page, interner, rng))?;
                    self.scripts[ix].runs += 1;
                    self.scripts[ix].began_on = Some(page.exact);
                    let lost = self.unanswered(ix);
                    let begins = lost.is_none();
                    lines.push(RunEvent::Script {
                        name: self.scripts[ix].name.clone(),
                        before: number,
                        lost,
                    });
                    if !begins {
                        continue;
                    }
                    (ix, 0)
                }
            };
            let script = &self.scripts[ix];
            self.running = Some((ix, at + 1)).filter(|_| at + 1 < script.steps.len());
            let Some(step) = script.steps.get(at) else {
                continue;
            };
            let why = match decision(step, page, interner, &self.texts, Fit::Loose) {
                Ok(decision) => return Some((decision, script.name.clone())),
                Err(Hindrance::Gone) => "no such widget is on the page".to_owned(),
                Err(why) => why.to_string(),
            };
            self.running = None;
            lines.push(RunEvent::Script {
                name: script.name.clone(),
                before: number,
                lost: Some(format!("step {}, {}: {why}", at + 1, words::step(step))),
            });
        }
    }

    /// Asks the script's question, if it has one, and keeps the answer for its steps; why there is none.
    fn unanswered(&mut self, ix: usize) -> Option<String> {
        let Script { name, ask, .. } = &self.scripts[ix];
        let (question, asking) = (ask.as_ref()?, self.asking.as_mut()?);
        let Some(answer) = asking.ask(question) else {
            return Some("its question was not answered".to_owned());
        };
        self.texts.set(name, Some(answer));
        None
    }

    pub(super) fn question(&self, script: &str) -> Option<&str> {
        let found = self.scripts.iter().find(|one| one.name == script)?;
        found.ask.as_deref()
    }

    /// How long the session has waited for answers since the last call.
    pub(super) fn take_waited(&mut self) -> Duration {
        (self.asking.as_mut()).map_or(Duration::ZERO, Asking::take_waited)
    }
}

impl Script {
    fn new(script: &config::Script) -> Result<Self, GuideError> {
        let screen = ScreenMatch::new(script.when.as_deref(), script.activity.as_deref());
        let steps = script.step.iter().enumerate().map(|(at, raw)| {
            raw.step().map_err(|fault| GuideError::Step {
                script: script.name.clone(),
                number: at + 1,
                why: fault.message,
            })
        });
        Ok(Self {
            name: script.name.clone(),
            screen: screen.map_err(|why| GuideError::Path {
                text: script.when.clone().unwrap_or_default(),
                why,
            })?,
            // Without steps nothing would change between two runs.
            times: if script.step.is_empty() {
                1
            } else {
                script.times
            },
            probability: script.probability,
            ask: script.ask.clone(),
            steps: steps.collect::<Result<_, _>>()?,
            runs: 0,
            began_on: None,
            unchanged: BTreeSet::new(),
        })
    }

    /// If a run has just ended on this page, and began there, the script does nothing on it.
    fn ended(&mut self, page: &Page) {
        if self.began_on.take() == Some(page.exact) {
            self.unchanged.insert(page.exact);
        }
    }

    fn fits(&self, page: &Page, interner: &Interner) -> bool {
        self.runs < self.times
            && !self.unchanged.contains(&page.exact)
            && self.began_on != Some(page.exact)
            && self.screen.is_on(page, interner)
    }

    fn begins(&self, page: &Page, interner: &Interner, rng: &mut Rng) -> bool {
        self.fits(page, interner) && (self.probability >= 1.0 || rng.random_bool(self.probability))
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
