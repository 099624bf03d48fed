//! What is known of one session while it goes on: the sum of its journal so far, and its last steps.

use super::light::{Light, Pages};
use crate::explore::Counts;
use crate::explore::asks::Question;
use crate::explore::hand::Control;
use crate::gui::EventKey;
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::{Did, LedBy, RunEvent, StepRecord};
use crate::report::console;
use crate::report::words::{self, Definitions};
use crate::run::screen::Screen;
use crate::util::text::shorten;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Steps that are kept. Who falls further behind gets the sums without the steps between.
pub const RECENT: usize = 500;
/// Findings, and activities, that are listed.
const LISTED: usize = 200;
/// Events whose steps are counted.
const COUNTED: usize = 200_000;
/// Longest text of a finding, in characters.
const EVIDENCE: usize = 4000;

/// A session.
#[derive(Debug, Default)]
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
    /// How often each event was performed.
    done: FxHashMap<EventKey, u64>,
    /// Did a finding come since the last step?
    found: bool,
    /// When something new came last, and a new page.
    news: Option<Instant>,
    paged: Option<Instant>,
    /// Steps of a person.
    acted: u64,
    /// The question that waits for an answer, with its number.
    question: Option<(u64, Arc<Question>)>,
    questions: u64,
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
    /// Whole seconds since the last new page.
    paged: Option<u64>,
    /// Steps of a person.
    acted: u64,
    question: Option<Asked<'a>>,
}

/// A question that waits for an answer.
#[derive(Serialize)]
struct Asked<'a> {
    number: u64,
    text: &'a str,
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
            version: 1,
            ..Self::default()
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// It waits for the answer to this question, or no longer.
    pub fn asks(&mut self, question: Option<Arc<Question>>) {
        self.questions += u64::from(question.is_some());
        self.question = question.map(|question| (self.questions, question));
        self.version += 1;
    }

    /// The question of this number, if it still waits.
    pub fn question(&self, number: u64) -> Option<Arc<Question>> {
        let (_, question) = self.question.as_ref().filter(|(n, _)| *n == number)?;
        Some(Arc::clone(question))
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
            RunEvent::Page { .. } => {
                self.news = Some(Instant::now());
                self.paged = self.news;
            }
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
        if let Did::Event { k, .. } = &step.did
            && (self.done.len() < COUNTED || self.done.contains_key(k))
        {
            *self.done.entry(*k).or_default() += 1;
        }
        self.acted += u64::from(step.led == Some(LedBy::Person));
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
            let mut why = explained.map_or_else(Vec::new, words::why);
            if let (Did::Event { k, .. }, None) = (&coming.did, &coming.led) {
                why.extend(match self.done.get(k) {
                    // Further ones are not counted.
                    None if self.done.len() >= COUNTED => None,
                    None => Some("not done before".to_owned()),
                    Some(1) => Some("done once before".to_owned()),
                    Some(times) => Some(format!("done {times} times before")),
                });
            }
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
            paged: self.paged.map(|at| at.elapsed().as_secs()),
            acted: self.acted,
            question: self.question.as_ref().map(|(number, question)| Asked {
                number: *number,
                text: question.text(),
            }),
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
#[path = "sight_tests.rs"]
mod tests;
