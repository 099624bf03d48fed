//! Which of several candidates still leads to the finding: replays counted, remembered, spread over devices.
//!
//! Candidates are asked in an order, and the first that leads to the finding wins. With several devices
//! later ones are tried ahead of time, but what they showed is forgotten when an earlier one wins: the
//! result and the count of replays are those of one device.

use super::graph::Coarse;
use super::kind::Kind;
use super::rate::Rate;
use super::replay::Gone;
use crate::graph::PageGraph;
use crate::gui::{PageId, SketchId};
use crate::outcome::Finding;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Steps by their number; equal ones have one.
pub type Steps = Vec<u32>;

/// The result of one replay of a candidate.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The finding occurred after this many steps.
    pub fails: Option<usize>,
    /// The page before each step performed, and the last one.
    pub pages: Vec<PageId>,
    /// The sketches of these pages, as far as they are known.
    pub sketches: Vec<SketchId>,
    /// Places, from 0 and in order, of the steps left out since their widget was gone.
    pub skipped: Vec<usize>,
    /// This many steps, the last of which could not be performed; 0: the app did not start.
    pub diverged: Option<usize>,
    /// The device failed.
    pub lost: bool,
    /// Other findings, with the steps they took.
    pub others: Vec<(Finding, usize)>,
}

impl Verdict {
    /// Does it have a result? If the app did not start, it says nothing about the steps.
    pub fn tells(&self) -> bool {
        !self.lost && self.diverged != Some(0)
    }
}

/// Replays candidates; called from as many threads as it has workers.
pub trait Tester: Sync {
    /// Why a replay may be impossible.
    type Error: Send;
    /// The number of parallel replays.
    fn workers(&self) -> usize;
    /// One replay from cleared data.
    ///
    /// # Errors
    /// No further results: the device is lost, or the user interrupted.
    fn test(&self, worker: usize, steps: &[u32], gone: Gone) -> Result<Verdict, Self::Error>;
}

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Replays at most.
    pub replays: u64,
    /// Not beyond this time.
    pub until: Option<Instant>,
}

/// The winner among candidates.
#[derive(Clone, Debug)]
pub struct Won {
    /// Its place among those asked.
    pub ix: usize,
    /// Its steps up to the one with which the finding came, without those that had to be left out.
    pub steps: Steps,
    /// The places of these among the candidate's.
    pub places: Vec<usize>,
    /// The page before each of them, and the last one.
    pub pages: Vec<PageId>,
    /// Replays of it with a result, until the finding occurred.
    pub attempts: u32,
}

/// Replays candidates within a limit.
pub struct Search<'a, T: Tester> {
    tester: &'a T,
    limit: Limit,
    /// Replays so far.
    pub spent: u64,
    /// Steps performed in them.
    pub carried: u64,
    /// Those of them that a failing device cut off.
    pub lost: u64,
    /// Candidates given up with fewer replays that report them than they were to have.
    pub untold: FxHashSet<Steps>,
    /// What replays of the given steps, complete or shortened, show about how often the finding occurs.
    pub rate: Rate,
    /// Replays without the finding after which a candidate is given up.
    pub tries: u32,
    /// How to handle candidates that name a missing widget.
    pub gone: Gone,
    /// Has the limit been reached?
    pub exhausted: bool,
    /// The observed pages, and the transitions between them.
    pub graph: PageGraph,
    /// The same for the sketches of pages.
    pub sketches: Coarse,
    /// The same for the activities that sessions have seen.
    pub activities: Coarse,
    /// What the steps are like, by their number; empty if that is not known.
    pub kinds: Vec<Kind>,
    /// Other findings observed along the path, each with the steps to it.
    pub others: Vec<(Finding, Steps)>,
    missed: FxHashMap<Steps, u32>,
    /// Beginnings of candidates whose last step could not be performed, and their lengths.
    dead_ends: FxHashSet<Steps>,
    lengths: BTreeSet<usize>,
}

impl<'a, T: Tester> Search<'a, T> {
    /// A search that has tried nothing.
    pub fn new(tester: &'a T, limit: Limit) -> Self {
        Self {
            tester,
            limit,
            spent: 0,
            carried: 0,
            lost: 0,
            untold: FxHashSet::default(),
            rate: Rate::default(),
            tries: 1,
            gone: Gone::Ends,
            exhausted: false,
            graph: PageGraph::default(),
            sketches: Coarse::default(),
            activities: Coarse::default(),
            kinds: Vec::new(),
            others: Vec::new(),
            missed: FxHashMap::default(),
            dead_ends: FxHashSet::default(),
            lengths: BTreeSet::new(),
        }
    }

    /// The first candidate that leads to the finding. `None`: none does, or the limit was reached before
    /// ([`Search::exhausted`]).
    ///
    /// # Errors
    /// The tester's.
    pub fn first(&mut self, candidates: &[Steps]) -> Result<Option<Won>, T::Error> {
        let mut jobs: Vec<Job<'_>> = Vec::new();
        let mut cost = self.spent;
        let mut asked = FxHashSet::default();
        let mut short = false;
        for (ix, steps) in candidates.iter().enumerate() {
            let attempts = self.attempts(steps);
            if attempts == 0 || !asked.insert(steps) {
                continue;
            }
            // All before it have been given up when its turn comes.
            if cost >= self.limit.replays {
                short = true;
                break;
            }
            let left = self.limit.replays - cost;
            let attempts = attempts.min(u32::try_from(left).unwrap_or(u32::MAX));
            jobs.push(Job {
                ix,
                steps,
                attempts,
            });
            cost += u64::from(attempts);
        }
        let outcomes = self.run(&jobs);
        for (job, outcome) in jobs.iter().zip(outcomes) {
            // Not started: the time is up.
            let Some(outcome) = outcome else {
                self.exhausted = true;
                return Ok(None);
            };
            let tests = outcome?;
            let attempts = u32::try_from(tests.len()).unwrap_or(u32::MAX);
            self.spent += u64::from(attempts);
            let late = attempts < job.attempts;
            let mut reported = 0;
            for verdict in tests {
                self.lost += u64::from(verdict.lost);
                reported += u32::from(verdict.tells());
                if let Some(won) = self.take(job, verdict, reported) {
                    return Ok(Some(won));
                }
            }
            *self.missed.entry(job.steps.clone()).or_default() += reported;
            if reported < attempts {
                self.untold.insert(job.steps.clone());
            }
            if late {
                self.exhausted = true;
                return Ok(None);
            }
        }
        self.exhausted |= short;
        Ok(None)
    }

    /// Records the result of a replay.
    fn take(&mut self, job: &Job<'_>, verdict: Verdict, attempts: u32) -> Option<Won> {
        // What was performed is a candidate, too: each of its widgets was there.
        let of_first = |length: usize| -> Vec<usize> {
            let carried = |at: &usize| verdict.skipped.binary_search(at).is_err();
            (0..length.min(job.steps.len())).filter(carried).collect()
        };
        let steps_at = |places: &[usize]| places.iter().map(|&at| job.steps[at]).collect::<Steps>();
        let carried = steps_at(&of_first(job.steps.len()));
        self.carried += verdict.pages.len().saturating_sub(1) as u64;
        self.graph.add(&carried, &verdict.pages);
        for (page, sketch) in verdict.pages.iter().zip(&verdict.sketches) {
            self.sketches.add(*page, PageId(sketch.0));
        }
        for (step, pair) in carried.iter().zip(verdict.pages.windows(2)) {
            let known = (*step, self.family(*step));
            self.sketches.see(pair[0], known, pair[1], 1);
        }
        for (finding, after) in verdict.others {
            let known = |other: &(Finding, Steps)| other.0.fingerprint == finding.fingerprint;
            let steps = steps_at(&of_first(after));
            match self.others.iter_mut().find(|other| known(other)) {
                Some(other) if other.1.len() > steps.len() => other.1 = steps,
                Some(_) => {}
                None => self.others.push((finding, steps)),
            }
        }
        let dead_end = |length: &usize| self.tries == 1 && *length > 0;
        if let Some(length) = verdict.diverged.filter(dead_end) {
            self.dead_ends.insert(job.steps[..length].to_vec());
            self.lengths.insert(length);
        }
        let after = verdict.fails?;
        let places = of_first(after);
        let mut pages = verdict.pages;
        pages.truncate(places.len() + 1);
        Some(Won {
            ix: job.ix,
            steps: steps_at(&places),
            places,
            pages,
            attempts,
        })
    }

    /// When the time is up.
    pub const fn until(&self) -> Option<Instant> {
        self.limit.until
    }

    /// Sets when the time is up, and forgets whether it was.
    pub const fn end_at(&mut self, until: Option<Instant>) {
        self.limit.until = until;
        self.exhausted = false;
    }

    /// Replays left.
    pub fn left(&self) -> u64 {
        self.limit.replays.saturating_sub(self.spent)
    }

    /// Is there anything left to learn about this candidate?
    pub fn is_open(&self, steps: &[u32]) -> bool {
        self.attempts(steps) > 0
    }

    /// The replays left to a candidate.
    fn attempts(&self, steps: &[u32]) -> u32 {
        if self.gone == Gone::Ends && self.is_dead_end(steps) {
            return 0;
        }
        let missed = self.missed.get(steps).copied().unwrap_or(0);
        self.tries.saturating_sub(missed)
    }

    fn is_dead_end(&self, steps: &[u32]) -> bool {
        let lengths = self.lengths.range(..=steps.len());
        let mut starts = lengths.map(|&length| &steps[..length]);
        starts.any(|start| self.dead_ends.contains(start))
    }

    /// The replays of each job, until one wins; `None`: not started.
    fn run(&self, jobs: &[Job<'_>]) -> Vec<Outcome<T::Error>> {
        let results: Vec<Mutex<Outcome<T::Error>>> =
            jobs.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let best = AtomicUsize::new(usize::MAX);
        let work = |worker: usize| {
            loop {
                let at = next.fetch_add(1, Ordering::SeqCst);
                let Some(job) = jobs.get(at) else { break };
                if at > best.load(Ordering::SeqCst) || self.late() {
                    break;
                }
                let tests = self.attempt(worker, job);
                let ends = match &tests {
                    Ok(tests) => tests.last().is_some_and(|v| v.fails.is_some()),
                    Err(_) => true,
                };
                if ends {
                    best.fetch_min(at, Ordering::SeqCst);
                }
                *results[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(tests);
            }
        };
        let workers = self.tester.workers().min(jobs.len());
        if workers <= 1 {
            work(0);
        } else {
            std::thread::scope(|scope| {
                for worker in 1..workers {
                    let work = &work;
                    scope.spawn(move || work(worker));
                }
                work(0);
            });
        }
        let inner = |result: Mutex<_>| result.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().map(inner).collect()
    }

    fn attempt(&self, worker: usize, job: &Job<'_>) -> Result<Vec<Verdict>, T::Error> {
        let mut tests = Vec::new();
        for _ in 0..job.attempts {
            if !tests.is_empty() && self.late() {
                break;
            }
            let verdict = self.tester.test(worker, job.steps, self.gone)?;
            let over = verdict.fails.is_some();
            tests.push(verdict);
            if over {
                break;
            }
        }
        Ok(tests)
    }

    fn late(&self) -> bool {
        self.limit
            .until
            .is_some_and(|until| Instant::now() >= until)
    }
}

/// The replays of a candidate; `None`: none was started.
type Outcome<E> = Option<Result<Vec<Verdict>, E>>;

/// A candidate to be tried.
struct Job<'c> {
    ix: usize,
    steps: &'c Steps,
    attempts: u32,
}
