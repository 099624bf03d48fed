//! The live lines of a run: one per session under way where there is a terminal, else a plain line now and then.

use super::causes::fewest;
use super::console::{self, Paint, Tone, ended, plural, when, word};
use super::live::{Found, Line, Out, now, totals};
use super::words::short_class;
use crate::explore::{Asks, Budget, Counts};
use crate::outcome::finding::Finding;
use crate::outcome::run_event::{EndReason, RunEvent};
use crate::outcome::summary::RunSummary;
use crate::outcome::verdict::{GateReplay, Purpose, Verdict};
use crate::outcome::{Capability, Reproduction};
use crate::run::observer::{Observer, Phase};
use crate::trace::Trace;
use crate::util::console::Lines;
use crate::util::text::{for_terminal, shorten};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A live line is redrawn this often.
const REDRAW: u64 = 100;
/// Without a terminal, a line on a session's progress comes this often.
const PLAIN: u64 = 30_000;

/// A session as the lines name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its budget.
    pub budget: Budget,
}

/// How to show progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Colour?
    pub paint: Paint,
    /// Is there a terminal to draw on?
    pub live: bool,
    /// Only findings and failures?
    pub quiet: bool,
    /// JSON lines instead of words?
    pub json: bool,
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
    bars: MultiProgress,
    slots: Vec<Slot>,
    out: Mutex<Out>,
}

struct Slot {
    named: Named,
    /// When the line is due again, in milliseconds of the session.
    due: AtomicU64,
    latest: Mutex<Counts>,
    found: Mutex<Found>,
    bar: Mutex<Option<ProgressBar>>,
    /// The current preparation, to print each once.
    preparing: Mutex<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// For these sessions, in the plan's order; words on stderr, JSON lines on stdout.
    pub fn new(sessions: Vec<Named>, style: Style) -> Self {
        Self::to(
            sessions,
            style,
            Box::new(Lines::words()),
            Box::new(Lines::json()),
        )
    }

    fn to(
        sessions: Vec<Named>,
        style: Style,
        words: Box<dyn Write + Send>,
        json: Box<dyn Write + Send>,
    ) -> Self {
        let target = if style.live && !style.json && !style.quiet {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let slot = |named| Slot {
            named,
            due: AtomicU64::new(0),
            latest: Mutex::default(),
            found: Mutex::default(),
            bar: Mutex::default(),
            preparing: Mutex::default(),
        };
        Self {
            style,
            known: Box::new(|_, _| None),
            asks: None,
            bars: MultiProgress::with_draw_target(target),
            slots: sessions.into_iter().map(slot).collect(),
            out: Mutex::new(Out { words, json }),
        }
    }

    /// Prints a line above the live lines.
    pub fn say(&self, tone: Tone, word: &str, message: &str) {
        if self.style.json || self.style.quiet && tone == Tone::Good {
            return;
        }
        let line = self.style.paint.line(tone, word, message);
        // A closed stdout does not stop the run.
        let _ = self
            .bars
            .suspend(|| lock(&self.out).words.write_all(line.as_bytes()));
    }

    /// The run is over: the summary's JSON line, where JSON is wanted.
    pub fn finish(&self, summary: &RunSummary) {
        let _ = self.bars.clear();
        #[derive(Serialize)]
        struct Last<'a> {
            e: &'static str,
            #[serde(flatten)]
            summary: &'a RunSummary,
        }
        self.json(&Last {
            e: "summary",
            summary,
        });
    }

    /// Emits how the run compares with its baseline.
    pub fn judged(&self, verdict: &Verdict) {
        self.json(&serde_json::json!({ "e": "gate", "verdict": verdict }));
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

    fn event(&self, session: usize, event: &RunEvent) {
        let session = &self.slots[session].named.name;
        self.json(&Line { session, event });
    }

    /// The live lines, where they are drawn.
    pub fn bars(&self) -> Option<MultiProgress> {
        self.drawn().then(|| self.bars.clone())
    }

    fn drawn(&self) -> bool {
        self.style.live && !self.style.json && !self.style.quiet
    }

    fn draw(&self, slot: &Slot, counts: &Counts) {
        let bar = lock(&slot.bar);
        if let Some(bar) = &*bar {
            bar.set_position(counts.events);
            bar.set_message(now(&slot.named, counts, *lock(&slot.found)));
        }
    }
}

impl Observer for Live {
    fn asks(&self) -> Option<Arc<dyn Asks>> {
        self.asks.clone()
    }

    fn app(&self, app: &str, phase: Phase<'_>) {
        match phase {
            Phase::Building => self.say(Tone::Good, "Building", app),
            Phase::Preparing { what, done: 0, .. } => {
                self.say(Tone::Good, "Preparing", &format!("{app}: {what}"))
            }
            Phase::Preparing { .. } | Phase::Starting => {}
        }
    }

    fn capability(&self, app: &str, found: &Capability) {
        self.json(&serde_json::json!({ "e": "capability", "app": app, "found": found }));
        let (tone, word) = console::support(found);
        self.say(tone, word, &shorten(&format!("{app}: {found}"), 300));
    }

    fn resumed(&self, complete: usize, sessions: usize) {
        let all = plural(sessions as u64, "session");
        self.say(
            Tone::Good,
            "Resuming",
            &format!("{complete} of {all} complete"),
        );
    }

    fn started(&self, session: usize) {
        let slot = &self.slots[session];
        if !self.drawn() {
            return;
        }
        let bar = self
            .bars
            .add(ProgressBar::new(slot.named.budget.events.unwrap_or(0)));
        let meter = if slot.named.budget.events.is_some() {
            "{bar:10} "
        } else {
            ""
        };
        let word = self.style.paint.word(Tone::Good, "Exploring");
        let template = format!("{word} {meter}{{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        bar.set_message(for_terminal(&slot.named.name).into_owned());
        *lock(&slot.bar) = Some(bar);
    }

    fn phase(&self, session: usize, phase: Phase<'_>) {
        let slot = &self.slots[session];
        let (text, fresh) = match phase {
            Phase::Building => ("building the app".to_owned(), false),
            Phase::Starting => ("starting the device".to_owned(), false),
            Phase::Preparing { what, done, total } => {
                let text = match total {
                    0 => what.to_owned(),
                    total => format!("{what}, {} %", 100 * done.min(total) / total),
                };
                let mut said = lock(&slot.preparing);
                let fresh = *said != what;
                what.clone_into(&mut said);
                (text, fresh)
            }
        };
        let line = format!("{}: {text}", slot.named.name);
        // A constant number is not useful.
        let plain = line.split(", 0 %").next().unwrap_or(&line);
        if self.drawn() {
            if let Some(bar) = &*lock(&slot.bar) {
                bar.set_message(for_terminal(&line).into_owned());
            }
        } else if fresh {
            self.say(Tone::Good, "Preparing", plain);
        } else if phase == Phase::Starting {
            self.say(Tone::Good, "Exploring", &slot.named.name);
        }
    }

    fn counts(&self, session: usize, counts: &Counts) {
        let slot = &self.slots[session];
        *lock(&slot.latest) = *counts;
        let elapsed = u64::try_from(counts.elapsed.as_millis()).unwrap_or(u64::MAX);
        if elapsed < slot.due.load(Ordering::Relaxed) {
            return;
        }
        let drawn = self.drawn();
        let first = slot.due.load(Ordering::Relaxed) == 0;
        let pause = if drawn { REDRAW } else { PLAIN };
        slot.due
            .store(elapsed.saturating_add(pause).max(1), Ordering::Relaxed);
        if drawn {
            self.draw(slot, counts);
        } else if !first {
            let line = now(&slot.named, counts, *lock(&slot.found));
            self.say(Tone::Good, "Exploring", &line);
        }
    }

    fn finding(&self, session: usize, finding: &Finding) {
        self.event(session, &RunEvent::Finding(Box::new(finding.clone())));
        let slot = &self.slots[session];
        lock(&slot.found).take(finding);
        let (tone, word) = word(finding);
        let place = match short_class(&finding.activity) {
            "" => String::new(),
            activity => format!(" in {activity}"),
        };
        let (name, when) = (&slot.named.name, when(finding.event));
        let title = shorten(&finding.title, 120);
        let known = (self.known)(session, finding);
        let tone = known.map_or(tone, |_| Tone::Quiet);
        let known = known.map_or_else(String::new, |known| format!(", {known}"));
        self.say(
            tone,
            word,
            &format!("{title}{place} ({name}, {when}{known})"),
        );
    }

    fn note(&self, session: usize, text: &str) {
        let slot = &self.slots[session];
        let at = lock(&slot.latest).events;
        let message = shorten(text, 2000).into_owned();
        self.event(session, &RunEvent::DeviceFailure { at, message });
        let text = shorten(text, 200);
        self.say(
            Tone::Warn,
            "Warning",
            &format!("{}: {text}", slot.named.name),
        );
    }

    fn minimizing(&self, finding: &Finding, steps: usize) {
        let steps = plural(steps as u64, "step");
        self.say(
            Tone::Good,
            "Minimizing",
            &format!("{}: {steps}", finding.id),
        );
    }

    fn minimized(&self, finding: &Finding, result: &Reproduction) {
        let id = finding.id.as_str();
        self.json(&serde_json::json!({ "e": "minimized", "id": id, "result": result }));
        let words = result.words();
        match fewest(result) {
            Some(_) => self.say(Tone::Good, "Minimized", &format!("{id}: {words}")),
            None => self.say(
                Tone::Warn,
                "Warning",
                &format!("{id}: not minimized, {words}"),
            ),
        }
    }

    fn replayed(&self, trace: &Trace, result: &GateReplay) {
        self.json(&serde_json::json!({ "e": "replayed", "replay": result }));
        let title = trace.title().unwrap_or("a finding");
        let build = match result.purpose {
            Purpose::Known | Purpose::Confirm => "",
            Purpose::Base => " on the base build",
        };
        let words = match (&result.problem, result.reproduced) {
            (_, 1..) => "reproduced".to_owned(),
            (Some(problem), 0) => format!("not replayed, {problem}"),
            (None, 0) => format!("not reproduced, {}", plural(result.of, "replay")),
        };
        let line = format!(
            "{} on `{}`{build}: {words}",
            shorten(title, 80),
            result.device
        );
        self.say(Tone::Good, "Replayed", &line);
    }

    fn warn(&self, text: &str) {
        self.say(Tone::Warn, "Warning", text);
    }

    fn ended(&self, session: usize, reason: Result<EndReason, &str>) {
        let slot = &self.slots[session];
        if let Some(bar) = lock(&slot.bar).take() {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
        let counts = *lock(&slot.latest);
        let (tone, word, why) = match reason {
            Ok(reason) => {
                let events = counts.events;
                self.event(session, &RunEvent::End { reason, events });
                ended(reason)
            }
            Err(why) => (Tone::Bad, "Failed", why),
        };
        let found = *lock(&slot.found);
        let totals = (counts.events > 0 || why.is_empty()).then(|| totals(&counts, found));
        let why = (!why.is_empty()).then(|| shorten(why, 400).into_owned());
        let parts: Vec<_> = totals.into_iter().chain(why).collect();
        let line = format!("{}: {}", slot.named.name, parts.join(", "));
        self.say(tone, word, &line);
    }
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
