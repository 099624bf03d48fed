//! Sessions of a portfolio that run side by side: after each segment of events every session gets the steps of the
//! others, enters them into its state graph, and its strategy learns who found what.
//!
//! Everything here is a function of what the sessions gave, in their order, so that each comes to the same conclusions
//! and the result does not depend on who came first.

use super::{Session, SessionError, Stop};
use crate::device::Observation;
use crate::explore::group::{Given, Seat};
use crate::graph::By;
use crate::graph::tracker::Ended;
use crate::gui::{Carried, Page};
use crate::outcome::RunEvent;
use crate::outcome::exchange::{self, Turn};
use crate::strategy::Round;
use crate::util::hash::{mix, of_bytes};
use crate::util::intern::Interner;
use crate::util::sha256;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a session waits for the others at the end of a segment. A device has deadlines of its own, so that only a
/// session that a person has paused takes longer.
const PATIENCE: Duration = Duration::from_secs(600);

/// A step as the other sessions get it.
#[derive(Debug)]
struct Walked {
    /// The page before, and the page that was shown then: places in the offer's pages.
    from: usize,
    to: Option<usize>,
    event: Option<usize>,
    ended: Ended,
    /// Keys of what it showed.
    shown: Vec<u64>,
    /// The member that chose it.
    member: Option<Arc<str>>,
}

/// What a session gives the others.
#[derive(Debug, Default)]
pub struct Offer {
    pages: Vec<Carried>,
    steps: Vec<Walked>,
    /// Keys of what starts of the app and restored states showed.
    shown: Vec<u64>,
}

/// A session's part in its group.
pub(super) struct Exchange {
    seat: Seat<Offer>,
    segment: u64,
    /// Events at the last exchange.
    last: u64,
    member: Arc<str>,
    offer: Offer,
    /// Keys of what the last observation showed.
    shown: Vec<u64>,
    /// By class: the hash of its name.
    classes: FxHashMap<u32, u64>,
    /// Keys of all that the group has seen.
    known: FxHashSet<u64>,
}

impl Exchange {
    pub fn new(seat: Seat<Offer>, segment: u64) -> Self {
        Self {
            seat,
            segment,
            last: 0,
            member: Arc::from(""),
            offer: Offer::default(),
            shown: Vec::new(),
            classes: FxHashMap::default(),
            known: FxHashSet::default(),
        }
    }

    /// It is the turn of this member.
    pub fn turn(&mut self, member: &str) {
        self.member = Arc::from(member);
    }

    /// An observation with this page and these new activities.
    pub fn saw(&mut self, after: &Observation, page: &Page, activities: &[String]) {
        for (ix, name, _) in &after.classes {
            self.classes.insert(*ix, of_bytes(name.as_bytes()));
        }
        let class = |ix| self.classes.get(ix).copied().unwrap_or_default();
        let probes = after.probes.iter();
        let probes = probes.map(|(ix, probe)| mix(class(ix), u64::from(*probe)));
        self.shown.extend(probes);
        self.shown.extend(activities.iter().map(|name| key(name)));
        self.shown.extend(after.alive.then_some(page.id.0));
    }

    /// Findings of the last observation, by fingerprint.
    pub fn found(&mut self, fingerprints: &[String]) {
        self.shown
            .extend(fingerprints.iter().map(|print| key(print)));
    }

    /// The last observation was of no step.
    pub fn no_step(&mut self) {
        self.offer.shown.append(&mut self.shown);
    }

    /// A step was performed on this page.
    pub fn walked(
        &mut self,
        from: &Arc<Page>,
        event: Option<usize>,
        (ended, led): (Ended, bool),
        interner: &Interner,
    ) {
        let step = Walked {
            from: self.page(from, interner),
            to: None,
            event,
            ended,
            shown: std::mem::take(&mut self.shown),
            member: (!led).then(|| Arc::clone(&self.member)),
        };
        self.offer.steps.push(step);
    }

    /// This page is shown.
    pub fn arrived(&mut self, page: &Arc<Page>, interner: &Interner) {
        if self
            .offer
            .steps
            .last()
            .is_some_and(|step| step.to.is_none())
        {
            let to = self.page(page, interner);
            if let Some(last) = self.offer.steps.last_mut() {
                last.to = Some(to);
            }
        }
    }

    fn page(&mut self, page: &Arc<Page>, interner: &Interner) -> usize {
        let pages = &mut self.offer.pages;
        if !pages.last().is_some_and(|last| last.is(page)) {
            pages.push(Carried::new(page, interner));
        }
        pages.len() - 1
    }

    /// The turns of all sessions; what several found counts for the first of them.
    fn turns(&mut self, given: &Given<Offer>) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for (at, offer) in given.iter().enumerate() {
            let Some(offer) = offer else { continue };
            self.known.extend(&offer.shown);
            for step in &offer.steps {
                let before = self.known.len();
                self.known.extend(&step.shown);
                let Some(member) = &step.member else { continue };
                let seat = at + 1;
                let news = u64::from(self.known.len() > before);
                match turns.last_mut() {
                    Some(turn) if turn.seat == seat && turn.member == **member => {
                        turn.events += 1;
                        turn.news += news;
                    }
                    _ => turns.push(Turn {
                        seat,
                        member: member.as_ref().to_owned(),
                        events: 1,
                        news,
                    }),
                }
            }
        }
        turns
    }
}

fn key(text: &str) -> u64 {
    of_bytes(text.as_bytes())
}

impl Session<'_> {
    /// The session runs side by side with the others of its group: after so many events they exchange what they saw.
    #[must_use]
    pub fn with_group(self, seat: Seat<Offer>, segment: u64) -> Self {
        Self {
            exchange: Some(Exchange::new(seat, segment)),
            ..self
        }
    }

    /// Waits for the others before the first event. Their devices may take long to start; that is no time of this one.
    pub(super) fn join(&mut self, stop: &Stop) -> Result<(), SessionError> {
        self.meet(None, stop)
    }

    /// Exchanges what was seen if the segment is over; `last`: it is, even if it is shorter.
    pub(super) fn exchange(&mut self, last: bool, stop: &Stop) -> Result<(), SessionError> {
        let events = self.seen.counts.events;
        let due = |group: &Exchange| match events - group.last {
            0 => false,
            new => last || new >= group.segment,
        };
        if self.exchange.as_ref().is_some_and(due) {
            self.arrive();
            self.meet(Some(PATIENCE), stop)?;
            self.arrive();
        }
        Ok(())
    }

    fn meet(&mut self, patience: Option<Duration>, stop: &Stop) -> Result<(), SessionError> {
        let Some(group) = &mut self.exchange else {
            return Ok(());
        };
        group.last = self.seen.counts.events;
        let offer = std::mem::take(&mut group.offer);
        let since = Instant::now();
        let given = group.seat.meet(offer, patience, stop);
        // Time for which others are awaited is none of this session's budget.
        self.started += since.elapsed();
        let Some(given) = given else {
            self.exchange = None;
            self.strategy.exchanged(None);
            return Ok(());
        };
        let here: Vec<bool> = given.iter().map(Option::is_some).collect();
        let (seat, turns) = (group.seat.number(), group.turns(&given));
        let (steps, sha256) = self.enter(seat, &given);
        self.strategy.exchanged(Some(&Round {
            seat,
            here: &here,
            turns: &turns,
        }));
        let ended = (1..).zip(&here).filter(|(_, here)| !**here);
        let line = exchange::Exchange {
            before: self.seen.counts.events + 1,
            steps,
            sha256,
            turns,
            ended: ended.map(|(seat, _)| seat).collect(),
        };
        Ok(self.recorder.event(&RunEvent::Exchange(line))?)
    }

    /// Enters the others' steps into the state graph. Gives how many, and a hash of them.
    fn enter(&mut self, own: usize, given: &Given<Offer>) -> (u64, String) {
        let (mut count, mut lines) = (0, String::new());
        for (at, offer) in given.iter().enumerate() {
            let Some(offer) = offer.as_ref().filter(|_| at != own) else {
                continue;
            };
            let pages = offer.pages.iter();
            let pages: Vec<Page> = pages.map(|page| page.read(&mut self.interner)).collect();
            for step in &offer.steps {
                let (Some(map), Some(to)) = (&mut self.map, step.to) else {
                    continue;
                };
                let (from, to) = (&pages[step.from], &pages[to]);
                map.enter(from, step.event, (to, step.ended), &self.interner);
                count += 1;
                let Ended { by, leads, new } = step.ended;
                let by = u8::from(by == By::Strategy);
                let _ = writeln!(
                    lines,
                    "{at} {:x} {:?} {:x} {by} {leads} {new} {:?}",
                    from.exact.0, step.event, to.exact.0, step.shown
                );
            }
        }
        (count, sha256::of_bytes(lines.as_bytes()))
    }
}

#[cfg(test)]
mod tests;
