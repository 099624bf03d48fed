//! Two observers of one run.

use super::demonstration::Keeper;
use super::observer::{Observer, Phase};
use super::screen::Screen;
use crate::explore::{Asks, Counts, Hand};
use crate::outcome::run_event::EndReason;
use crate::outcome::verdict::GateReplay;
use crate::outcome::{Capability, Finding, Reproduction, RunEvent};
use crate::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// Passes everything to both.
pub struct Both(pub Arc<dyn Observer>, pub Arc<dyn Observer>);

impl Both {
    fn each(&self, tell: impl Fn(&dyn Observer)) {
        tell(self.0.as_ref());
        tell(self.1.as_ref());
    }
}

impl Observer for Both {
    fn app(&self, app: &str, phase: Phase<'_>) {
        self.each(|one| one.app(app, phase.clone()));
    }

    fn prepared(&self, app: &str, took: Duration) {
        self.each(|one| one.prepared(app, took));
    }

    fn capability(&self, app: &str, found: &Capability) {
        self.each(|one| one.capability(app, found));
    }

    fn resumed(&self, complete: usize, sessions: usize) {
        self.each(|one| one.resumed(complete, sessions));
    }

    fn started(&self, session: usize) {
        self.each(|one| one.started(session));
    }

    fn phase(&self, session: usize, phase: Phase<'_>) {
        self.each(|one| one.phase(session, phase.clone()));
    }

    fn counts(&self, session: usize, counts: &Counts) {
        self.each(|one| one.counts(session, counts));
    }

    fn event(&self, session: usize, event: &RunEvent) {
        self.each(|one| one.event(session, event));
    }

    fn shown(&self, session: usize, screen: Screen) {
        self.0.shown(session, screen.clone());
        self.1.shown(session, screen);
    }

    fn keeper(&self, session: usize, keeper: Keeper) {
        self.each(|one| one.keeper(session, keeper.clone()));
    }

    fn hand(&self, session: usize) -> Option<Arc<Hand>> {
        self.0.hand(session).or_else(|| self.1.hand(session))
    }

    fn asks(&self) -> Vec<Arc<dyn Asks>> {
        [self.0.asks(), self.1.asks()].concat()
    }

    fn finding(&self, session: usize, finding: &Finding) {
        self.each(|one| one.finding(session, finding));
    }

    fn note(&self, session: usize, text: &str) {
        self.each(|one| one.note(session, text));
    }

    fn minimizing(&self, finding: &Finding, steps: usize) {
        self.each(|one| one.minimizing(finding, steps));
    }

    fn confirming(&self, findings: usize, times: u32) {
        self.each(|one| one.confirming(findings, times));
    }

    fn minimized(&self, finding: &Finding, result: &Reproduction) {
        self.each(|one| one.minimized(finding, result));
    }

    fn replayed(&self, trace: &Trace, result: &GateReplay) {
        self.each(|one| one.replayed(trace, result));
    }

    fn warn(&self, text: &str) {
        self.each(|one| one.warn(text));
    }

    fn ended(&self, session: usize, done: Result<EndReason, &str>) {
        self.each(|one| one.ended(session, done));
    }
}
