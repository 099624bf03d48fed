//! What is known of one session while it goes on: the sum of its journal so far, and its last steps.

use super::light::{Light, Pages};
use crate::explore::Counts;
use crate::explore::hand::Control;
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::{LedBy, RunEvent, StepRecord};
use crate::report::console;
use crate::report::words::{self, Definitions};
use crate::run::screen::Screen;
use crate::util::text::shorten;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Steps that are kept. Who falls further behind gets the sums without the steps between.
pub const RECENT: usize = 500;
/// Findings, and activities, that are listed.
const LISTED: usize = 200;
/// Longest text of a finding, in characters.
const EVIDENCE: usize = 4000;

/// A session.
#[derive(Debug)]
pub struct Sight {
    name: String,
    /// Most events, by its budget.
    most: Option<u64>,
    /// What it is doing, in words.
    phase: String,
    over: bool,
    counts: Counts,
    steps: u64,
    recent: VecDeque<StepRecord>,
    activities: Vec<String>,
    findings: Vec<Finding>,
    definitions: Definitions,
    member: Option<String>,
    explained: Option<Explanation>,
    pages: Pages,
    /// Did a finding come since the last step?
    found: bool,
    /// When something new came last.
    news: Option<Instant>,
    screen: Option<Screen>,
    coming: Option<Words>,
    picture: Option<Arc<Vec<u8>>>,
    screens: u64,
    version: u64,
}

/// A step, or the event that comes next.
#[derive(Clone, Debug, Serialize)]
struct Words {
    what: String,
    /// Who leads it.
    by: String,
    /// Is it a person's?
    person: bool,
    /// Why the strategy chose it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Finding {
    word: &'static str,
    title: String,
    event: u64,
    evidence: String,
}

/// A step with its place in the journal's steps, from 1.
#[derive(Serialize)]
struct Line {
    n: u64,
    i: u64,
    changed: bool,
    #[serde(flatten)]
    words: Words,
    findings: usize,
    toasts: Vec<String>,
}

/// One session among all.
#[derive(Serialize)]
pub struct Card<'a> {
    name: &'a str,
    phase: &'a str,
    over: bool,
    control: &'static str,
    events: u64,
    most: Option<u64>,
    pages: u64,
    activities: u64,
    code: [u64; 2],
    findings: usize,
    light: Light,
    expected: f64,
    /// Events, and whole seconds, since the last news.
    idle: u64,
    quiet: Option<u64>,
}

/// All about a session, with the steps after some step.
#[derive(Serialize)]
pub struct Message<'a> {
    #[serde(flatten)]
    card: Card<'a>,
    /// Steps in all.
    steps: u64,
    lines: Vec<Line>,
    found: &'a [Finding],
    reached: &'a [String],
    coming: Option<&'a Words>,
    screens: u64,
    /// The screen, if it is another than before.
    screen: Option<&'a Screen>,
}

impl Sight {
    /// A session that has not started.
    pub fn new(name: String, most: Option<u64>) -> Self {
        Self {
            name,
            most,
            phase: "waits for its turn".to_owned(),
            over: false,
            counts: Counts::default(),
            steps: 0,
            recent: VecDeque::with_capacity(RECENT),
            activities: Vec::new(),
            findings: Vec::new(),
            definitions: Definitions::default(),
            member: None,
            explained: None,
            pages: Pages::default(),
            found: false,
            news: None,
            screen: None,
            coming: None,
            picture: None,
            screens: 0,
            version: 1,
        }
    }

    /// Grows with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What it is doing now.
    pub fn phase(&mut self, phase: String) {
        (self.phase, self.version) = (phase, self.version + 1);
    }

    /// It has ended.
    pub fn end(&mut self, phase: String) {
        (self.over, self.coming) = (true, None);
        self.phase(phase);
    }

    /// New totals.
    pub fn counts(&mut self, counts: Counts) {
        self.counts = counts;
    }

    /// A line of its journal.
    pub fn take(&mut self, event: &RunEvent) {
        self.version += 1;
        match event {
            RunEvent::Event { k, kind, at } => self.definitions.define(*k, *kind, at.clone()),
            RunEvent::Member { name } => self.member = Some(name.clone()),
            RunEvent::Explain(why) => self.explained = Some(why.as_ref().clone()),
            RunEvent::Launch {
                activities, probes, ..
            }
            | RunEvent::Restore {
                activities, probes, ..
            } => {
                self.reached(activities, !probes.is_empty());
                if self.steps == 0 {
                    "explores".clone_into(&mut self.phase);
                }
            }
            RunEvent::Page { .. } => self.news = Some(Instant::now()),
            RunEvent::Finding(finding) => {
                self.found = true;
                self.news = Some(Instant::now());
                if self.findings.len() < LISTED {
                    self.findings.push(Finding {
                        word: console::word(finding).1,
                        title: finding.title.clone(),
                        event: finding.event,
                        evidence: shorten(&finding.evidence, EVIDENCE).into_owned(),
                    });
                }
            }
            RunEvent::Step(step) => self.step(step),
            RunEvent::Session(_)
            | RunEvent::Exchange(_)
            | RunEvent::Place(_)
            | RunEvent::Screen { .. }
            | RunEvent::Class { .. }
            | RunEvent::Script { .. }
            | RunEvent::Corpus { .. }
            | RunEvent::Save { .. }
            | RunEvent::DeviceFailure { .. }
            | RunEvent::End { .. } => {}
        }
    }

    fn step(&mut self, step: &StepRecord) {
        let new = self.reached(&step.activities, !step.probes.is_empty());
        let found = std::mem::take(&mut self.found);
        self.pages.event(step.to, new || found);
        self.steps += 1;
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(StepRecord {
            probes: Vec::new(),
            activities: Vec::new(),
            ..step.clone()
        });
    }

    /// Notes what was reached, and whether any of it is new.
    fn reached(&mut self, activities: &[String], code: bool) -> bool {
        let room = LISTED.saturating_sub(self.activities.len());
        let listed = activities.iter().take(room).cloned();
        self.activities.extend(listed);
        let new = code || !activities.is_empty();
        if new {
            self.news = Some(Instant::now());
        }
        new
    }

    /// What is on its screen.
    pub fn shown(&mut self, mut screen: Screen, picture: Option<Arc<Vec<u8>>>) {
        self.coming = screen.coming.take().map(|coming| {
            let mut definitions = Definitions::default();
            if let Some(RunEvent::Event { k, kind, at }) = coming.event {
                definitions.define(k, kind, at);
            }
            let number = self.counts.events + 1;
            let explained = self.explained.as_ref().filter(|why| why.i == number);
            let explained = explained.filter(|_| coming.led.is_none());
            let why = explained.map_or_else(Vec::new, words::why);
            self.words(definitions.words(&coming.did), coming.led.as_ref(), why)
        });
        (self.screen, self.picture) = (Some(screen), picture);
        self.screens += 1;
        self.version += 1;
    }

    fn words(&self, what: String, led: Option<&LedBy>, why: Vec<String>) -> Words {
        let member = || self.member.as_deref().unwrap_or("the strategy").to_owned();
        Words {
            what,
            by: led.map_or_else(member, words::led),
            person: led == Some(&LedBy::Person),
            why,
        }
    }

    /// The picture of its screen.
    pub fn picture(&self) -> Option<Arc<Vec<u8>>> {
        self.picture.clone()
    }

    /// The session among all.
    pub fn card(&self, control: Control) -> Card<'_> {
        let (expected, idle) = self.pages.expected();
        Card {
            name: &self.name,
            phase: &self.phase,
            over: self.over,
            control: match control {
                Control::Strategy => "strategy",
                Control::Asked => "asked",
                Control::Person => "person",
                Control::Acting => "acting",
                Control::Over => "over",
            },
            events: self.counts.events,
            most: self.most,
            pages: self.counts.pages,
            activities: self.counts.activities,
            code: [self.counts.probes_hit, self.counts.probes_total],
            findings: self.findings.len(),
            light: self.pages.light(),
            expected,
            idle,
            quiet: self.news.map(|at| at.elapsed().as_secs()),
        }
    }

    /// All about it, for a browser that has seen this many steps and screens.
    pub fn message(&self, control: Control, steps: u64, screens: u64) -> Message<'_> {
        let first = self.steps - self.recent.len() as u64;
        let missing = usize::try_from(steps.saturating_sub(first)).unwrap_or(RECENT);
        let lines = self.recent.iter().enumerate().skip(missing);
        let line = |(at, step): (usize, &StepRecord)| Line {
            n: first + at as u64 + 1,
            i: step.i,
            changed: step.changed,
            words: self.words(
                self.definitions.words(&step.did),
                step.led.as_ref(),
                Vec::new(),
            ),
            findings: step.findings.len(),
            toasts: step.toasts.clone(),
        };
        Message {
            card: self.card(control),
            steps: self.steps,
            lines: lines.map(line).collect(),
            found: &self.findings,
            reached: &self.activities,
            coming: self.coming.as_ref(),
            screens: self.screens,
            screen: self.screen.as_ref().filter(|_| screens != self.screens),
        }
    }

    /// Steps and screens so far.
    pub fn seen(&self) -> (u64, u64) {
        (self.steps, self.screens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn step(i: u64) -> RunEvent {
        let id = format!("{i:016x}");
        serde_json::from_value(json!({
            "e": "step", "i": i, "t": "system", "event": { "do": "rotate" }, "led": "person",
            "from": id, "to": id, "exact": id, "changed": true, "reward": 0.0,
        }))
        .unwrap()
    }

    fn message(sight: &Sight, steps: u64) -> Value {
        serde_json::to_value(sight.message(Control::Strategy, steps, 0)).unwrap()
    }

    #[test]
    fn who_is_too_far_behind_gets_the_sums_and_the_last_steps() {
        let mut sight = Sight::new("s".into(), None);
        (1..=600).for_each(|i| sight.take(&step(i)));
        let now = message(&sight, 10);
        let lines = now["lines"].as_array().unwrap();
        assert_eq!((lines.len(), &lines[0]["n"]), (RECENT, &json!(101)));
        assert_eq!(
            (&now["steps"], &lines[499]["n"]),
            (&json!(600), &json!(600))
        );
        assert_eq!(lines[0]["by"], "by a person");
        let now = message(&sight, 598);
        assert_eq!(now["lines"].as_array().unwrap().len(), 2);
        assert_eq!(message(&sight, 600)["lines"], json!([]));
        // A number from another run.
        assert_eq!(message(&sight, u64::MAX)["lines"], json!([]));
    }
}
