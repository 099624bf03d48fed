//! What the live lines make of the reports of a run.

use super::{JSON, Live, PLAIN, REDRAW, Style};
use crate::explore::{Asks, Counts};
use crate::outcome::finding::Finding;
use crate::outcome::run_event::{EndReason, RunEvent};
use crate::outcome::verdict::{GateReplay, Purpose};
use crate::outcome::{Capability, Reproduction};
use crate::report::causes::fewest;
use crate::report::console::{self, Tone, Verbosity, ended, plural, when, why, word};
use crate::report::html::text::duration;
use crate::report::live::{left, now, totals};
use crate::report::messages::Message;
use crate::report::slot::{Stage, lock};
use crate::report::words::short_class;
use crate::run::observer::{Observer, Phase};
use crate::trace::Trace;
use crate::util::text::{for_terminal, shorten};
use indicatif::ProgressStyle;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Observer for Live {
    fn asks(&self) -> Vec<Arc<dyn Asks>> {
        self.asks.iter().cloned().collect()
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

    fn prepared(&self, app: &str, took: Duration) {
        let seconds = took.as_secs_f64();
        self.json(&Message::Prepared { app, seconds });
        self.detail(
            Tone::Good,
            "Prepared",
            &format!("{app} in {}", duration(seconds)),
        );
    }

    fn capability(&self, app: &str, found: &Capability) {
        self.json(&Message::Capability { app, found });
        let (tone, word) = console::support(found);
        self.say(tone, word, &shorten(&format!("{app}: {found}"), 300));
    }

    fn resumed(&self, complete: usize, sessions: usize) {
        *lock(&self.kept) = complete;
        self.json(&Message::Resumed { complete, sessions });
        let all = plural(sessions as u64, "session");
        self.say(
            Tone::Good,
            "Resuming",
            &format!("{complete} of {all} complete"),
        );
    }

    fn started(&self, session: usize) {
        let slot = &self.slots[session];
        *lock(&slot.stage) = Stage::Running(Instant::now());
        let named = &slot.named;
        let (device, kind) = &named.device;
        self.json(&Message::Start {
            session: &named.name,
            app: &named.app,
            device,
            device_kind: kind,
            strategy: &named.strategy,
            seed: named.seed,
            budget: (&named.budget).into(),
        });
        let words = format!(
            "{}: app `{}`, device `{device}` ({kind}), strategy `{}`, seed {}",
            named.name, named.app, named.strategy, named.seed
        );
        self.detail(Tone::Good, "Starting", &words);
        if !self.style.draws() {
            return;
        }
        let bar = self.add_bar(slot);
        let meter = if named.budget.events.is_some() {
            "{bar:10} "
        } else {
            ""
        };
        let word = self.style.paint.word(Tone::Good, "Exploring");
        let template = format!("{word} {meter}{{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        bar.set_message(for_terminal(&named.name).into_owned());
        *lock(&slot.bar) = Some(bar);
        self.draw_run();
    }

    fn phase(&self, session: usize, phase: Phase<'_>) {
        let slot = &self.slots[session];
        if phase == Phase::Starting {
            *lock(&slot.prepared) = Some(slot.elapsed());
        }
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
        if self.style.draws() {
            if let Some(bar) = &*lock(&slot.bar) {
                bar.set_message(for_terminal(&line).into_owned());
            }
        } else if fresh {
            self.say(Tone::Good, "Preparing", plain);
        } else if phase == Phase::Starting {
            self.say(Tone::Good, "Exploring", &slot.named.name);
        }
    }

    fn event(&self, session: usize, event: &RunEvent) {
        if self.style.verbosity < Verbosity::Steps {
            return;
        }
        let slot = &self.slots[session];
        if !self.style.json {
            if let Some(words) = lock(&slot.steps).take(event) {
                self.say(Tone::Quiet, "Step", &format!("{} {words}", slot.named.name));
            }
            return;
        }
        match event {
            // These have lines without `-vv`, too.
            RunEvent::Finding(_) | RunEvent::DeviceFailure { .. } | RunEvent::End { .. } => {}
            // It names its session itself.
            RunEvent::Session(_) => self.json(event),
            event => self.line(session, event),
        }
    }

    fn counts(&self, session: usize, counts: &Counts) {
        let slot = &self.slots[session];
        *lock(&slot.latest) = *counts;
        if let Some(prepared) = lock(&slot.prepared).take() {
            let words = format!(
                "{}: prepared in {}, the first event after {}",
                slot.named.name,
                duration(prepared.as_secs_f64()),
                duration(slot.elapsed().as_secs_f64())
            );
            self.detail(Tone::Good, "Started", &words);
        }
        let pause = match self.style {
            Style { json: true, .. } => JSON,
            style if style.draws() => REDRAW,
            _ => PLAIN,
        };
        if !slot.is_due(counts, pause) {
            return;
        }
        if self.style.json {
            let whole = self.whole();
            let left = [left(&slot.named.budget, counts), whole.left()];
            let name = &slot.named.name;
            self.json(&Message::progress(name, counts, whole.done(), left));
        } else if self.style.draws() {
            self.draw(slot, counts);
        } else if counts.elapsed.as_millis() >= u128::from(PLAIN) {
            let line = now(&slot.named, counts, *lock(&slot.found));
            self.say(Tone::Good, "Exploring", &line);
        }
    }

    fn finding(&self, session: usize, finding: &Finding) {
        self.line(session, &RunEvent::Finding(Box::new(finding.clone())));
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
        self.line(session, &RunEvent::DeviceFailure { at, message });
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

    fn confirming(&self, findings: usize, times: u32) {
        let findings = plural(findings as u64, "finding");
        let times = plural(u64::from(times), "replay");
        self.say(
            Tone::Good,
            "Confirming",
            &format!("{findings}, {times} each in new processes"),
        );
    }

    fn minimized(&self, finding: &Finding, result: &Reproduction) {
        let id = finding.id.as_str();
        self.json(&Message::Minimized { id, result });
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
        self.json(&Message::Replayed { replay: result });
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
        self.json(&Message::Warning { message: text });
        self.say(Tone::Warn, "Warning", text);
    }

    fn ended(&self, session: usize, reason: Result<EndReason, &str>) {
        let slot = &self.slots[session];
        let took = slot.elapsed();
        *lock(&slot.stage) = Stage::Ended(took);
        if let Some(bar) = lock(&slot.bar).take() {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
        let counts = *lock(&slot.latest);
        let name = &slot.named.name;
        let (tone, word, why) = match reason {
            Ok(reason) => {
                let events = counts.events;
                self.line(session, &RunEvent::End { reason, events });
                let (tone, word, short) = ended(reason);
                let verbose = self.style.verbosity >= Verbosity::Verbose;
                (tone, word, if verbose { why(reason) } else { short })
            }
            Err(why) => {
                self.json(&Message::Failed { session: name, why });
                (Tone::Bad, "Failed", why)
            }
        };
        let found = *lock(&slot.found);
        let totals = (counts.events > 0 || why.is_empty()).then(|| totals(&counts, found));
        let why = (!why.is_empty()).then(|| shorten(why, 400).into_owned());
        let parts: Vec<_> = totals.into_iter().chain(why).collect();
        let whole = self.whole().words();
        let whole = whole.map_or_else(String::new, |whole| format!(" ({whole})"));
        self.say(tone, word, &format!("{name}: {}{whole}", parts.join(", ")));
        self.draw_run();
    }
}
