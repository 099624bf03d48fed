//! `bench`: what strategies are worth, with statistics. All of it is a function of a run's folder and of what the
//! suite reckons events to cost; sessions are run by [`crate::run`] as any others.

mod chart;
pub mod compare;
pub mod csv;
pub mod fate;
pub mod findings;
pub mod html;
pub mod kept;
pub mod measure;
pub mod metric;
pub mod stats;
pub mod table;

#[cfg(test)]
mod tests;

use crate::coverage::at::SessionPoint;
use crate::explore::CostModel;
use crate::outcome::folder::{PlannedSession, RunFolder};
use compare::Comparison;
use findings::{Cause, Overlap, Union};
use measure::{Measured, measure};
use metric::{Cut, Lines, Metric};
use serde::Serialize;

/// Version of `bench.json`.
pub const BENCH_VERSION: u32 = 1;

/// An app and how large it is.
#[derive(Clone, Debug, Serialize)]
pub struct AppSize {
    /// Its name, with the device where it runs on several.
    pub app: String,
    /// Lines of code where they are known of every app, else probes of the classes observed.
    pub size: u64,
    /// What the size counts: `lines` or `probes`, the same for all apps.
    pub unit: &'static str,
    /// `small`, `medium` or `large`: a third each of the apps whose size is known, equal ones in one; else `unknown`.
    pub group: &'static str,
}

/// Each strategy's median over the apps of one size, at the end.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Which size.
    pub group: &'static str,
    /// How many apps.
    pub apps: usize,
    /// The comparison of these apps alone.
    pub comparison: Comparison,
}

/// One session in short.
#[derive(Clone, Debug, Serialize)]
pub struct SessionRow {
    /// Its name.
    pub session: String,
    /// App.
    pub app: String,
    /// Strategy.
    pub strategy: String,
    /// Device.
    pub device: String,
    /// Seed.
    pub seed: u64,
    /// Why it ended; `None`: it did not.
    pub ended: Option<crate::outcome::run_event::EndReason>,
    /// It was cut off, or never started: where sessions are compared after equally many events or equal time, it counts
    /// only if it came so far.
    pub cut_off: bool,
    /// Events performed.
    pub events: u64,
    /// Modelled seconds.
    pub modelled_seconds: f64,
    /// Percent of lines covered.
    pub lines: Option<f64>,
    /// Probes hit.
    pub probes: u64,
    /// Activities reached.
    pub activities: u64,
    /// Pages seen.
    pub pages: u64,
    /// Findings.
    pub findings: u64,
    /// Why it failed, or what is wrong with its journal.
    pub damage: Option<String>,
}

/// Places requested that are not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Beyond {
    /// Numbers of events.
    pub at: Vec<u64>,
    /// The session that ended first; `None`: none completed.
    pub session: Option<String>,
    /// After how many events it ended.
    pub events: u64,
}

impl Beyond {
    /// In words.
    pub fn words(&self) -> String {
        let places: Vec<String> = self.at.iter().map(u64::to_string).collect();
        let why = match &self.session {
            Some(session) => format!("{session} ended after {}", self.events),
            None => "no session completed".to_owned(),
        };
        format!("Not compared after {} events: {why}", places.join(", "))
    }
}

/// All that `bench` says.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// [`BENCH_VERSION`].
    pub version: u32,
    /// Version of the tool.
    pub tool: String,
    /// The suite's name.
    pub suite: String,
    /// Apps by size.
    pub apps: Vec<AppSize>,
    /// Strategies in the plan's order.
    pub strategies: Vec<String>,
    /// The fractions of the best value, in percent, that `events_to_level` reports.
    pub levels: [u32; 3],
    /// Places of `bench.at` that are not compared.
    pub beyond: Option<Beyond>,
    /// Every metric at every place.
    pub comparisons: Vec<Comparison>,
    /// By size of app.
    pub groups: Vec<Group>,
    /// Apps in none of the groups, for each is the only one of its size, or of none that is known.
    pub alone: Vec<String>,
    /// Every cause, and who found it.
    pub causes: Vec<Cause>,
    /// How far what two strategies found is the same.
    pub overlaps: Vec<Overlap>,
    /// What each strategy came to over all its sessions.
    pub unions: Vec<Union>,
    /// Every session.
    pub sessions: Vec<SessionRow>,
}

/// What a run's sessions came to. `cost` says what events cost under a strategy.
pub fn measure_all(
    run: &RunFolder,
    planned: &[PlannedSession],
    cost: impl Fn(&str) -> CostModel,
) -> Vec<Measured> {
    let several = |app: &String| {
        let of_app = planned.iter().filter(|other| other.app == *app);
        distinct(of_app.map(|other| &other.device)).len() > 1
    };
    let apps = distinct(planned.iter().map(|session| &session.app));
    let several: Vec<String> = apps.into_iter().filter(several).collect();
    planned
        .iter()
        .map(|session| {
            let mut measured = measure(run, session, cost(&session.strategy));
            if several.contains(&session.app) {
                measured.unit = format!("{} on {}", session.app, session.device);
            }
            measured
        })
        .collect()
}

/// Compares what was measured. Sessions that were cut off are named: at the end they count with what they reached,
/// after equally many events and equal time only if they came so far. `at`: numbers of events after which they are
/// compared, too.
pub fn report(suite: &str, sessions: &[Measured], at: &[u64]) -> Report {
    let apps = distinct(sessions.iter().map(|s| &s.unit));
    let strategies = distinct(sessions.iter().map(|s| &s.planned.strategy));
    let mut comparisons = Vec::new();
    for cut in cuts(sessions, at) {
        for metric in Metric::ALL {
            // Of some sessions alone it would be another comparison than the others at this place.
            if metric == Metric::Lines && !open(sessions, cut).is_empty() {
                continue;
            }
            comparisons.extend(compare::compare(sessions, &apps, &strategies, metric, cut));
        }
    }
    let sizes = sizes(sessions, &apps);
    let causes = findings::causes(sessions, &strategies);
    Report {
        version: BENCH_VERSION,
        tool: env!("CARGO_PKG_VERSION").into(),
        suite: suite.to_owned(),
        groups: groups(sessions, &sizes, &strategies),
        alone: alone(&sizes),
        overlaps: findings::overlaps(&causes, &strategies),
        unions: findings::unions(sessions, &strategies, &causes),
        levels: compare::LEVELS,
        beyond: beyond(sessions, at),
        apps: sizes,
        comparisons,
        causes,
        sessions: sessions.iter().map(session_row).collect(),
        strategies,
    }
}

/// Places where line coverage is compared and JaCoCo has not been asked yet ([`crate::coverage::at`]).
pub fn open_places(sessions: &[Measured], at: &[u64]) -> Vec<SessionPoint> {
    let mut all = Vec::new();
    for place in cuts(sessions, at)
        .into_iter()
        .flat_map(|cut| open(sessions, cut))
    {
        if !all.contains(&place) {
            all.push(place);
        }
    }
    all
}

fn open(sessions: &[Measured], cut: Cut) -> Vec<SessionPoint> {
    let place = |session: &Measured| match cut.lines(session)? {
        Lines::Known(_) => None,
        Lines::After(entries) => Some(SessionPoint {
            session: session.planned.session.clone(),
            entries,
        }),
    };
    sessions.iter().filter_map(place).collect()
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

/// The sessions that say how far strategies are compared: those that spent their budget; where none did, those that
/// completed. One that was cut off, or had nothing more to do, would make the others' comparison one of their
/// first steps.
fn measures<'a>(sessions: &[&'a Measured]) -> Vec<&'a Measured> {
    let ended = |early: bool| {
        let own = sessions.iter().copied();
        let own = own.filter(|s| !s.cut_off() && (early || !s.early()));
        own.filter(|s| s.last().events > 0).collect::<Vec<_>>()
    };
    let spent = ended(false);
    if spent.is_empty() { ended(true) } else { spent }
}

/// The end, and as far as every session of [`measures`] came: in events and in modelled time. Of the places requested,
/// those that all of them came to.
fn cuts(sessions: &[Measured], at: &[u64]) -> Vec<Cut> {
    let lasts = measures(&sessions.iter().collect::<Vec<_>>());
    let lasts: Vec<_> = lasts.into_iter().map(Measured::last).collect();
    let events = lasts.iter().map(|p| p.events).min();
    let time = lasts
        .iter()
        .map(|p| p.time)
        .min()
        .filter(|time| !time.is_zero());
    let mut asked: Vec<u64> = at.to_vec();
    asked.retain(|at| events.is_some_and(|events| *at < events));
    asked.sort_unstable();
    asked.dedup();
    let mut cuts = vec![Cut::End];
    cuts.extend(asked.into_iter().map(|events| Cut::Events { events }));
    cuts.extend(events.map(|events| Cut::Events { events }));
    cuts.extend(time.map(|time| Cut::Time {
        seconds: time.as_secs_f64(),
    }));
    cuts
}

/// The places requested that are not compared, and why.
fn beyond(sessions: &[Measured], at: &[u64]) -> Option<Beyond> {
    let measures = measures(&sessions.iter().collect::<Vec<_>>());
    let first = measures.iter().min_by_key(|s| s.last().events);
    let reached = first.map_or(0, |s| s.last().events);
    let mut at: Vec<u64> = at.iter().copied().filter(|at| *at > reached).collect();
    at.sort_unstable();
    at.dedup();
    (!at.is_empty()).then(|| Beyond {
        at,
        session: first.map(|s| s.planned.session.clone()),
        events: reached,
    })
}

fn sizes(sessions: &[Measured], apps: &[String]) -> Vec<AppSize> {
    let largest = |app: &String, size: &dyn Fn(&Measured) -> Option<u64>| {
        let own = sessions.iter().filter(|s| s.unit == *app);
        own.filter_map(size).max()
    };
    let lines = |app| largest(app, &|s| s.lines.map(|lines| lines.total));
    // Lines of one app and probes of another cannot be put in one order.
    let (unit, all) = match apps.iter().map(lines).collect::<Option<Vec<u64>>>() {
        Some(lines) => ("lines", lines),
        None => {
            let probes = |app| largest(app, &|s| Some(s.probes_total)).unwrap_or(0);
            ("probes", apps.iter().map(probes).collect())
        }
    };
    let mut order: Vec<(u64, usize)> = all.into_iter().zip(0..).collect();
    order.sort_unstable();
    let unknown = order.iter().take_while(|(size, _)| *size == 0).count();
    let third = |size: u64| {
        if size == 0 {
            return "unknown";
        }
        let rank = order.partition_point(|(smaller, _)| *smaller < size) - unknown;
        ["small", "medium", "large"][rank * 3 / (order.len() - unknown)]
    };
    let mut sizes: Vec<_> = order
        .iter()
        .map(|&(size, app)| {
            (
                app,
                AppSize {
                    app: apps[app].clone(),
                    size,
                    unit,
                    group: third(size),
                },
            )
        })
        .collect();
    sizes.sort_by_key(|(app, _)| *app);
    sizes.into_iter().map(|(_, size)| size).collect()
}

/// Apps that are alone in their third, where there are others to compare them with, or of no size that is known: they
/// make no group.
fn alone(sizes: &[AppSize]) -> Vec<String> {
    let of = |group| sizes.iter().filter(move |size| size.group == group);
    let alone =
        |size: &&AppSize| sizes.len() > 1 && (size.size == 0 || of(size.group).count() == 1);
    sizes
        .iter()
        .filter(alone)
        .map(|size| size.app.clone())
        .collect()
}

/// Groups mean something from two apps each on.
fn groups(sessions: &[Measured], sizes: &[AppSize], strategies: &[String]) -> Vec<Group> {
    let mut groups = Vec::new();
    for group in ["small", "medium", "large"] {
        let apps: Vec<String> = sizes
            .iter()
            .filter(|s| s.group == group)
            .map(|s| s.app.clone())
            .collect();
        if apps.len() < 2 {
            continue;
        }
        for metric in Metric::ALL {
            let comparison = compare::compare(sessions, &apps, strategies, metric, Cut::End);
            groups.extend(comparison.map(|comparison| Group {
                group,
                apps: apps.len(),
                comparison,
            }));
        }
    }
    groups
}

fn session_row(session: &Measured) -> SessionRow {
    let last = session.last();
    let planned = &session.planned;
    SessionRow {
        session: planned.session.clone(),
        app: planned.app.clone(),
        strategy: planned.strategy.clone(),
        device: planned.device.clone(),
        seed: planned.seed,
        ended: session.ended,
        cut_off: session.cut_off(),
        events: last.events,
        modelled_seconds: last.time.as_secs_f64(),
        lines: session.lines.map(|lines| lines.percent()),
        probes: last.probes,
        activities: last.activities,
        pages: last.pages,
        findings: last.findings,
        damage: session.damage.clone(),
    }
}
