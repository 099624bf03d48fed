//! Scripts: where a certain screen is met, certain steps are taken.

use super::GuideError;
use super::names;
use crate::config;
use crate::explore::follow::{Texts, decision};
use crate::gui::{Page, XPath};
use crate::outcome::run_event::{Reset, RunEvent};
use crate::step::Decision;
use crate::trace::find::Fit;
use crate::trace::{Step, words};
use crate::util::intern::Interner;

/// The scripts of an app, and the one that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts {
    scripts: Vec<Script>,
    texts: Vec<(String, String)>,
    /// Index of the script and of its next step.
    running: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Script {
    name: String,
    when: Option<XPath>,
    activity: Option<String>,
    times: u32,
    steps: Vec<Step>,
    /// Runs since the app last started with cleared data.
    runs: u32,
}

impl Scripts {
    pub(super) fn new(scripts: &[config::Script], texts: &Texts) -> Result<Self, GuideError> {
        Ok(Self {
            scripts: scripts.iter().map(Script::new).collect::<Result<_, _>>()?,
            texts: texts.to_vec(),
            running: None,
        })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.scripts.iter().map(|s| s.name.clone()).collect()
    }

    pub(super) fn launched(&mut self, how: Reset) {
        self.running = None;
        if how != Reset::Relaunch {
            self.scripts.iter_mut().for_each(|script| script.runs = 0);
        }
    }

    /// The next step of the script that runs, or of one that begins here, with its name.
    pub(super) fn next(
        &mut self,
        page: &Page,
        number: u64,
        interner: &Interner,
        lines: &mut Vec<RunEvent>,
    ) -> Option<(Decision, String)> {
        loop {
            let (ix, at) = match self.running {
                Some(running) => running,
                None => {
                    let ix = self.scripts.iter().position(|s| s.begins(page, interner))?;
                    self.scripts[ix].runs += 1;
                    lines.push(RunEvent::Script {
                        name: self.scripts[ix].name.clone(),
                        before: number,
                        lost: None,
                    });
                    (ix, 0)
                }
            };
            let script = &self.scripts[ix];
            self.running = Some((ix, at + 1)).filter(|_| at + 1 < script.steps.len());
            let Some(step) = script.steps.get(at) else {
                continue;
            };
            if let Some(decision) = decision(step, page, interner, &self.texts, Fit::Loose) {
                return Some((decision, script.name.clone()));
            }
            self.running = None;
            lines.push(RunEvent::Script {
                name: script.name.clone(),
                before: number,
                lost: Some(format!(
                    "step {}, {}: no such widget is on the page",
                    at + 1,
                    words::step(step)
                )),
            });
        }
    }
}

impl Script {
    fn new(script: &config::Script) -> Result<Self, GuideError> {
        let when = script.when.as_ref().map(|text| {
            text.parse().map_err(|why| GuideError::Path {
                text: text.clone(),
                why,
            })
        });
        let steps = script.step.iter().enumerate().map(|(at, raw)| {
            raw.step().map_err(|fault| GuideError::Step {
                script: script.name.clone(),
                number: at + 1,
                why: fault.message,
            })
        });
        Ok(Self {
            name: script.name.clone(),
            when: when.transpose()?,
            activity: script.activity.clone(),
            times: script.times,
            steps: steps.collect::<Result<_, _>>()?,
            runs: 0,
        })
    }

    fn begins(&self, page: &Page, interner: &Interner) -> bool {
        let in_front = |wanted: &String| names::matches(wanted, interner.get(page.activity));
        self.runs < self.times
            && (self.when.is_some() || self.activity.is_some())
            && self.activity.as_ref().is_none_or(in_front)
            && self
                .when
                .as_ref()
                .is_none_or(|when| when.matches(page, interner))
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
