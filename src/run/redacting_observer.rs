//! Redacts the apps' secrets in a run's progress: messages of devices contain output of processes and apps.

use super::demonstration::Keeper;
use super::observer::{Observer, Phase};
use super::screen::Screen;
use crate::explore::{Asks, Counts, Hand};
use crate::outcome::run_event::EndReason;
use crate::outcome::verdict::GateReplay;
use crate::outcome::{Capability, Finding, Reproduction, RunEvent};
use crate::trace::Trace;
use crate::util::redact::Redactor;
use std::sync::Arc;
use std::time::Duration;

/// Passes everything to another observer, with secrets redacted.
pub struct RedactingObserver {
    inner: Arc<dyn Observer>,
    secrets: Redactor,
}

impl RedactingObserver {
    /// Passes to `inner`; the secrets are those of all apps.
    pub fn new(inner: &Arc<dyn Observer>, secrets: Redactor) -> Self {
        let inner = Arc::clone(inner);
        Self { inner, secrets }
    }

    fn redact_phase(&self, phase: Phase<'_>, send: impl Fn(Phase<'_>)) {
        match phase {
            Phase::Preparing { what, done, total } => {
                let what = &self.secrets.redact(what);
                send(Phase::Preparing { what, done, total });
            }
            phase => send(phase),
        }
    }
}

impl Observer for RedactingObserver {
    fn app(&self, app: &str, phase: Phase<'_>) {
        self.redact_phase(phase, |phase| self.inner.app(app, phase));
    }

    fn prepared(&self, app: &str, took: Duration) {
        self.inner.prepared(app, took);
    }

    fn capability(&self, app: &str, found: &Capability) {
        self.inner.capability(app, found);
    }

    fn resumed(&self, complete: usize, sessions: usize) {
        self.inner.resumed(complete, sessions);
    }

    fn started(&self, session: usize) {
        self.inner.started(session);
    }

    fn phase(&self, session: usize, phase: Phase<'_>) {
        self.redact_phase(phase, |phase| self.inner.phase(session, phase));
    }

    fn counts(&self, session: usize, counts: &Counts) {
        self.inner.counts(session, counts);
    }

    fn keeper(&self, session: usize, keeper: Keeper) {
        self.inner.keeper(session, keeper);
    }

    fn hand(&self, session: usize) -> Option<Arc<Hand>> {
        self.inner.hand(session)
    }

    // The recorder has redacted lines, screens and findings.
    fn event(&self, session: usize, event: &RunEvent) {
        self.inner.event(session, event);
    }

    fn shown(&self, session: usize, screen: Screen) {
        self.inner.shown(session, screen);
    }

    fn finding(&self, session: usize, finding: &Finding) {
        self.inner.finding(session, finding);
    }

    fn note(&self, session: usize, text: &str) {
        self.inner.note(session, &self.secrets.redact(text));
    }

    fn minimizing(&self, finding: &Finding, steps: usize) {
        self.inner.minimizing(finding, steps);
    }

    fn confirming(&self, findings: usize, times: u32) {
        self.inner.confirming(findings, times);
    }

    fn minimized(&self, finding: &Finding, result: &Reproduction) {
        self.inner.minimized(finding, result);
    }

    fn replayed(&self, trace: &Trace, result: &GateReplay) {
        let problem = result.problem.as_ref();
        let result = GateReplay {
            problem: problem.map(|text| self.secrets.redact(text).into_owned()),
            ..result.clone()
        };
        self.inner.replayed(trace, &result);
    }

    fn asks(&self) -> Vec<Arc<dyn Asks>> {
        self.inner.asks()
    }

    fn warn(&self, text: &str) {
        self.inner.warn(&self.secrets.redact(text));
    }

    fn ended(&self, session: usize, done: Result<EndReason, &str>) {
        match done {
            Err(why) => self.inner.ended(session, Err(&self.secrets.redact(why))),
            done => self.inner.ended(session, done),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Observer for Heard {
        fn phase(&self, _: usize, phase: Phase<'_>) {
            self.0.lock().unwrap().push(format!("{phase:?}"));
        }

        fn note(&self, _: usize, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }

        fn ended(&self, _: usize, done: Result<EndReason, &str>) {
            self.0.lock().unwrap().push(format!("{done:?}"));
        }
    }

    #[test]
    fn nothing_that_is_observed_contains_a_secret() {
        let heard = Arc::new(Heard::default());
        let inner: Arc<dyn Observer> = heard.clone();
        let redacting_observer =
            RedactingObserver::new(&inner, Redactor::new(["hunter2".to_owned()]));
        let what = "retrying: it printed aHVudGVyMg==";
        let (done, total) = (0, 0);
        redacting_observer.phase(0, Phase::Preparing { what, done, total });
        redacting_observer.note(0, "coverage data: hunter2");
        redacting_observer.ended(0, Err("the Java process ended at its start: hunter2"));
        let heard = heard.0.lock().unwrap().join("\n");
        assert_eq!(heard.matches("***").count(), 3, "{heard}");
        assert!(
            !heard.contains("hunter2") && !heard.contains("aHVu"),
            "{heard}"
        );
    }
}
