//! The live lines of a run: one per session under way where there is a terminal, and one of the whole run; else plain
//! lines at the start and the end of each session, and now and then between.

mod observe;

use super::console::{Paint, Tone, Verbosity};
use super::live::now;
use super::messages::{Finish, Line, Message, VERSION};
use super::slot::{Slot, Stage, lock};
use super::whole::Whole;
use crate::explore::{Asks, Budget, Counts};
use crate::outcome::finding::Finding;
use crate::outcome::run_event::RunEvent;
use crate::outcome::summary::RunSummary;
use crate::outcome::verdict::Verdict;
use crate::util::console::Lines;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A live line is redrawn this often, in milliseconds.
const REDRAW: u64 = 100;
/// A JSON line on a session's progress comes this often.
const JSON: u64 = 1000;
/// Without a terminal, a line on a session's progress comes this often.
const PLAIN: u64 = 30_000;

/// A session as the lines name it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its app.
    pub app: String,
    /// Its device, and the kind of it.
    pub device: (String, &'static str),
    /// Its strategy.
    pub strategy: String,
    /// Its seed.
    pub seed: u64,
    /// Its budget.
    pub budget: Budget,
}

/// What the lines need to know of the run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The suite's name.
    pub suite: String,
    /// Sessions that run side by side.
    pub at_once: usize,
    /// The time that all sessions share.
    pub total: Option<Duration>,
}

/// How to show progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Colour?
    pub paint: Paint,
    /// Is there a terminal to draw on?
    pub live: bool,
    /// How much?
    pub verbosity: Verbosity,
    /// JSON lines instead of words?
    pub json: bool,
}

impl Style {
    /// Are there lines that are drawn again and again?
    fn draws(self) -> bool {
        self.live && !self.json && self.verbosity > Verbosity::Quiet
    }
}

/// What is known of a finding of a session, by its place in the plan: `known` or `accepted` if it is in a baseline.
pub type Known = dyn Fn(usize, &Finding) -> Option<&'static str> + Send + Sync;

/// Shows a run while it continues.
pub struct Live {
    style: Style,
    /// Marks findings of a baseline; by default none.
    pub known: Box<Known>,
    /// Who answers the questions of scripts.
    pub asks: Option<Arc<dyn Asks>>,
    scope: Scope,
    begin: Instant,
    /// Complete sessions of the run that is resumed.
    kept: Mutex<usize>,
    bars: MultiProgress,
    /// The line of the whole run.
    run_bar: Mutex<Option<ProgressBar>>,
    slots: Vec<Slot>,
    out: Mutex<Out>,
}

/// Words go to one stream, JSON to the other.
struct Out {
    words: Box<dyn Write + Send>,
    json: Box<dyn Write + Send>,
}

impl Live {
    /// For these sessions, in the plan's order; words on stderr, JSON lines on stdout.
    pub fn new(sessions: Vec<Named>, scope: Scope, style: Style) -> Self {
        let (words, json) = (Box::new(Lines::words()), Box::new(Lines::json()));
        Self::to(sessions, scope, style, words, json)
    }

    fn to(
        sessions: Vec<Named>,
        scope: Scope,
        style: Style,
        words: Box<dyn Write + Send>,
        json: Box<dyn Write + Send>,
    ) -> Self {
        let target = if style.draws() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            style,
            known: Box::new(|_, _| None),
            asks: None,
            begin: Instant::now(),
            kept: Mutex::new(0),
            bars: MultiProgress::with_draw_target(target),
            run_bar: Mutex::new(None),
            slots: sessions.into_iter().map(Slot::new).collect(),
            out: Mutex::new(Out { words, json }),
            scope,
        }
    }

    /// Prints the first JSON line, where JSON is wanted.
    pub fn begin(&self) {
        let name = |slot: &Slot| slot.named.name.clone();
        self.json(&Message::Run {
            version: VERSION,
            tool: env!("CARGO_PKG_VERSION"),
            suite: &self.scope.suite,
            sessions: self.slots.iter().map(name).collect(),
            at_once: self.scope.at_once,
        });
    }

    /// Prints a line above the live lines.
    pub fn say(&self, tone: Tone, word: &str, message: &str) {
        let quiet = self.style.verbosity == Verbosity::Quiet;
        if self.style.json || quiet && tone == Tone::Good {
            return;
        }
        let line = self.style.paint.line(tone, word, message);
        // A closed stderr does not stop the run.
        let _ = self
            .bars
            .suspend(|| lock(&self.out).words.write_all(line.as_bytes()));
    }

    /// A line that only `-v` shows.
    fn detail(&self, tone: Tone, word: &str, message: &str) {
        if self.style.verbosity >= Verbosity::Verbose {
            self.say(tone, word, message);
        }
    }

    /// The run is over: the results, the comparison with the baseline, the reports and the end, as JSON where that is
    /// wanted.
    pub fn finish(
        &self,
        summary: &RunSummary,
        verdict: Option<&Verdict>,
        written: &[PathBuf],
        end: &Finish,
    ) {
        let _ = self.bars.clear();
        self.json(&Message::Summary(summary));
        if let Some(verdict) = verdict {
            self.json(&Message::Gate { verdict });
        }
        let files = written.iter().map(|file| file.display().to_string());
        self.json(&Message::Written {
            files: files.collect(),
        });
        self.json(&Message::Finish(end));
    }

    fn json(&self, value: &impl Serialize) {
        if self.style.json
            && let Ok(mut line) = serde_json::to_vec(value)
        {
            line.push(b'\n');
            let mut out = lock(&self.out);
            let _ = out.json.write_all(&line).and_then(|()| out.json.flush());
        }
    }

    fn line(&self, session: usize, event: &RunEvent) {
        let session = &self.slots[session].named.name;
        self.json(&Line { session, event });
    }

    fn whole(&self) -> Whole {
        let mut whole = Whole {
            budget: (self.slots.first())
                .map_or_else(Budget::default, |slot| slot.named.budget.clone()),
            sessions: self.slots.len(),
            at_once: self.scope.at_once,
            kept: *lock(&self.kept),
            total: (self.scope.total).map(|total| total.saturating_sub(self.begin.elapsed())),
            ..Whole::default()
        };
        for slot in &self.slots {
            match *lock(&slot.stage) {
                Stage::Waiting => {}
                Stage::Running(start) => whole.running.push((start.elapsed(), *lock(&slot.latest))),
                Stage::Ended(took) => whole.ended.push(took),
            }
        }
        whole
    }

    /// Draws the line of the whole run.
    fn draw_run(&self) {
        if let Some(bar) = &*lock(&self.run_bar)
            && let Some(words) = self.whole().words()
        {
            bar.set_message(words);
        }
    }

    /// The live lines, where they are drawn.
    pub fn bars(&self) -> Option<MultiProgress> {
        self.style.draws().then(|| self.bars.clone())
    }

    fn draw(&self, slot: &Slot, counts: &Counts) {
        if let Some(bar) = &*lock(&slot.bar) {
            bar.set_position(counts.events);
            bar.set_message(now(&slot.named, counts, *lock(&slot.found)));
        }
        self.draw_run();
    }

    /// A bar above the line of the whole run, which the first session adds.
    fn add_bar(&self, slot: &Slot) -> ProgressBar {
        let mut run_bar = lock(&self.run_bar);
        let last = run_bar.get_or_insert_with(|| {
            let bar = self.bars.add(ProgressBar::no_length());
            let word = self.style.paint.word(Tone::Quiet, "Progress");
            if let Ok(style) = ProgressStyle::with_template(&format!("{word} {{wide_msg}}")) {
                bar.set_style(style);
            }
            bar
        });
        let bar = ProgressBar::new(slot.named.budget.events.unwrap_or(0));
        if self.slots.len() > 1 {
            self.bars.insert_before(last, bar)
        } else {
            self.bars.add(bar)
        }
    }
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
