//! One app over all its sessions, as the page shows it.

use super::super::causes::Session;
use super::super::changed::ChangedView;
use super::super::session::{Point, SessionRecord, Sort};
use super::super::{members, scripts, words};
use super::activities::{ActivityRow, activities};
use super::chart::{Chart, Curve, chart, sparkline};
use super::finding::relative;
use super::graph::{Graph, graph};
use super::script::{self, ScriptView};
use super::steps::{StepView, steps};
use super::team::Team;
use super::text::{duration, grouped, line, percent};
use crate::coverage::{has_lines, headline};
use crate::outcome::folder::RunFolder;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{AppSummary, CodeCoverage, Ratio, SessionSummary};
use crate::outcome::tests_coverage::TestsCoverage;
use crate::outcome::{RestoreSummary, SnapshotSummary};
use crate::util::text::for_file_name;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of an app's name at most.
pub const NAME: usize = 80;

/// Characters of a strategy's name at most.
pub const STRATEGY: usize = 60;

/// Sessions with a separate colour; beyond that, a strategy's share one.
const COLOURS: usize = 6;

/// A coverage bar.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bar {
    name: String,
    covered: String,
    total: String,
    percent: f64,
}

/// What the overview sorts sessions by, where their texts do not say it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Keys {
    events: u64,
    seconds: f64,
    activities: usize,
    /// Percent of the code that was reached; -1 where it is unknown.
    code: f64,
}

/// One session.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SessionView {
    /// Anchor within the page.
    anchor: String,
    keys: Keys,
    device: String,
    strategy: String,
    seed: u64,
    tone: &'static str,
    status: &'static str,
    damage: Option<String>,
    events: String,
    rate: String,
    time: String,
    unchanged: f64,
    pages: String,
    activities: String,
    probes: Ratio,
    line: Option<f64>,
    findings: u64,
    warnings: u64,
    failures: usize,
    snapshots: Option<String>,
    restores: Option<String>,
    notes: Vec<String>,
    capability: Option<String>,
    confinement: Option<String>,
    colour: usize,
    coverage_curve: (String, String),
    activity_curve: (String, String),
    folder: String,
}

/// One app.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AppView {
    anchor: String,
    name: String,
    package: String,
    sessions: Vec<SessionView>,
    bars: Vec<Bar>,
    /// Does the coverage come from source lines? (Apps without line numbers have none.)
    lines: bool,
    coverage_link: Option<String>,
    /// The classes that coverage counts, in words.
    counted: Option<String>,
    charts: Vec<Chart>,
    graph: Option<Graph>,
    activities: Vec<ActivityRow>,
    /// How many of them the sessions reached, in words.
    visited: String,
    packages: Vec<Bar>,
    scripts: Vec<ScriptView>,
    changed: Option<ChangedView>,
    tests: Option<TestsCoverage>,
    /// The automation degree.
    degree: Option<String>,
    /// What each member of a portfolio brought, by session.
    teams: Vec<Team>,
    /// What the corpus did in each session, and what sessions side by side brought.
    said: Vec<String>,
    /// How sessions ended, as many as have a colour.
    last: Vec<LastView>,
}

/// The last steps of a session.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LastView {
    session: String,
    steps: Vec<StepView>,
}

impl AppView {
    /// The view of an app with its sessions.
    pub fn new(
        folder: &RunFolder,
        number: usize,
        app: &AppSummary,
        sessions: &[Session<'_>],
    ) -> Self {
        let records: Vec<&SessionRecord> = sessions.iter().map(|(_, record)| *record).collect();
        let colours = colours(sessions);
        let html = folder.coverage(&app.app).join("html").join("index.html");
        Self {
            anchor: format!("app-{number}"),
            name: line(&app.app, NAME),
            package: line(&app.package, 120),
            sessions: sessions
                .iter()
                .zip(&colours)
                .map(|(session, (_, colour))| session_view(folder, *session, *colour))
                .collect(),
            bars: bars(app, sessions),
            lines: app.coverage.as_ref().is_none_or(has_lines),
            coverage_link: html.is_file().then(|| relative(folder, &html)),
            counted: app.counted.as_ref().map(|c| line(&c.words(), 1000)),
            charts: charts(app, sessions, &colours),
            graph: graph(&records),
            visited: match app.activities {
                Ratio { total: 0, .. } => String::new(),
                Ratio { covered, total } => format!("{covered} of {total} visited"),
            },
            activities: activities(&records),
            packages: packages(&records),
            scripts: script::views(sessions),
            changed: ChangedView::new(app),
            tests: app.tests,
            degree: (app.tests.as_ref())
                .and_then(TestsCoverage::degree)
                .map(|degree| format!("{degree:.1} %")),
            teams: (sessions.iter())
                .filter_map(|(session, _)| Team::of(session))
                .collect(),
            said: sessions.iter().flat_map(said).collect(),
            last: last(sessions),
        }
    }
}

fn said((summary, _): &Session<'_>) -> impl Iterator<Item = String> {
    let corpus = summary.corpus.as_ref().map(scripts::corpus);
    let group = (!summary.group.is_empty()).then(|| members::group_line(&summary.group));
    let session = summary.session.as_str();
    corpus
        .into_iter()
        .chain(group)
        .map(move |words| line(&format!("{session}: {words}"), 1000))
}

fn last(sessions: &[Session<'_>]) -> Vec<LastView> {
    sessions
        .iter()
        .filter(|(_, record)| !record.last.is_empty())
        .take(COLOURS)
        .map(|(summary, record)| LastView {
            session: line(&summary.session, 120),
            steps: steps(&record.last, record),
        })
        .collect()
}

/// A name and a colour for each session's curve: individual if there are few, else its strategy's.
fn colours(sessions: &[Session<'_>]) -> Vec<(String, usize)> {
    let strategies: BTreeSet<&str> = sessions.iter().map(|(s, _)| s.strategy.as_str()).collect();
    let devices: BTreeSet<&str> = sessions.iter().map(|(s, _)| s.device.as_str()).collect();
    let name = |(s, _): &Session<'_>| {
        let mut name = s.strategy.clone();
        if devices.len() > 1 {
            name += &format!(" on {}", s.device);
        }
        if sessions.len() <= COLOURS {
            name += &format!(", seed {}", s.seed);
        }
        line(&name, 60)
    };
    let own = |at: usize, s: &SessionSummary| {
        if sessions.len() <= COLOURS {
            at
        } else {
            strategies
                .iter()
                .position(|name| *name == s.strategy)
                .unwrap_or(0)
                % COLOURS
        }
    };
    let colour = |(at, session): (usize, &Session<'_>)| (name(session), own(at, session.0));
    sessions.iter().enumerate().map(colour).collect()
}

fn charts(app: &AppSummary, sessions: &[Session<'_>], colours: &[(String, usize)]) -> Vec<Chart> {
    let curves: Vec<Curve<'_>> = sessions
        .iter()
        .zip(colours)
        .filter(|((_, record), _)| record.events > 0)
        .map(|((_, record), (name, colour))| (name.clone(), *colour, &record.curve[..]))
        .collect();
    let any = |value: fn(&Point) -> u64| curves.iter().any(|c| c.2.iter().any(|p| value(p) > 0));
    let mut charts = Vec::new();
    if curves.is_empty() {
        return charts;
    }
    if any(|p| p.probes) {
        let probes = sessions
            .iter()
            .map(|(s, _)| s.probes.total)
            .max()
            .unwrap_or(0);
        let limit = Some((probes, "of the loaded classes"));
        charts.push(Chart {
            marked: any(|p| p.findings),
            ..chart(
                "Coverage: code branches reached",
                &curves,
                |p| p.probes,
                limit,
            )
        });
    }
    if any(|p| p.activities) {
        let limit = Some((app.activities.total, "declared"));
        charts.push(chart(
            "Activities visited",
            &curves,
            |p| p.activities,
            limit,
        ));
    }
    charts.push(chart(
        "Distinct page structures",
        &curves,
        |p| p.pages,
        None,
    ));
    if any(|p| p.findings) {
        charts.push(chart("Findings", &curves, |p| p.findings, None));
    }
    charts
}

fn bar(name: &str, ratio: Ratio) -> Option<Bar> {
    (ratio.total > 0).then(|| Bar {
        name: line(name, 120),
        covered: grouped(ratio.covered),
        total: grouped(ratio.total),
        percent: percent(ratio.covered, ratio.total),
    })
}

fn bars(app: &AppSummary, sessions: &[Session<'_>]) -> Vec<Bar> {
    let code = app.coverage.unwrap_or_default();
    // The live measure is used if code coverage is not computed.
    let live = sessions
        .iter()
        .map(|(s, _)| s.probes)
        .max_by_key(|probes| probes.covered);
    let live = live.filter(|_| app.coverage.is_none()).unwrap_or_default();
    let CodeCoverage {
        line,
        branch,
        method,
        class,
        instruction,
    } = code;
    [
        ("Activities declared", app.activities),
        ("Activities reachable", app.reachable),
        ("Code branches, best session", live),
        ("Lines", line),
        ("Branches", branch),
        ("Methods", method),
        ("Classes", class),
        ("Instructions", instruction),
    ]
    .into_iter()
    .filter_map(|(name, ratio)| bar(name, ratio))
    .collect()
}

/// How a session ended: words and their tone.
pub fn status(summary: &SessionSummary) -> (&'static str, &'static str) {
    match (summary.ended, &summary.damage) {
        _ if !summary.started => ("not started", "mute"),
        _ if summary.failed.is_some() => ("failed", "bad"),
        (_, Some(_)) => ("record damaged", "bad"),
        (None, _) => ("killed", "bad"),
        (Some(EndReason::Events), _) => ("event budget used", "good"),
        (Some(EndReason::Time), _) => ("time budget used", "good"),
        (Some(EndReason::Plateau), _) => ("no new behaviour found", "good"),
        (Some(EndReason::Strategy), _) => ("strategy finished", "good"),
        (Some(EndReason::Interrupted), _) => ("interrupted", "warn"),
        (Some(EndReason::CannotLaunch), _) => ("cannot be started", "bad"),
        (Some(EndReason::ClosesAtStart), _) => ("closes its window at start", "bad"),
        (Some(EndReason::DeviceLost), _) => ("device lost", "bad"),
        (Some(EndReason::Blocked), _) => ("stuck in a blocked activity", "bad"),
    }
}

fn session_view(folder: &RunFolder, (s, record): Session<'_>, colour: usize) -> SessionView {
    let (status, tone) = status(s);
    let rate = s.events as f64 / s.seconds.max(1e-6);
    let code = s.coverage.as_ref().map(|c| headline(c).0);
    let line_percent = code.map(|ratio| percent(ratio.covered, ratio.total));
    let reached = Some(s.probes).filter(|probes| probes.total > 0);
    let reached = reached.map(|probes| percent(probes.covered, probes.total));
    SessionView {
        anchor: for_file_name(&format!("session-{}", s.session)),
        keys: Keys {
            events: s.events,
            seconds: s.seconds,
            activities: s.activities_reached.len(),
            code: line_percent.or(reached).unwrap_or(-1.0),
        },
        device: line(&s.device, 60),
        strategy: line(&s.strategy, STRATEGY),
        seed: s.seed,
        tone,
        status,
        damage: s
            .failed
            .as_ref()
            .or(s.damage.as_ref())
            .map(|text| line(text, 300)),
        events: grouped(s.events),
        rate: if s.seconds > 0.0 {
            grouped(rate.round() as u64)
        } else {
            "–".to_owned()
        },
        time: duration(s.seconds),
        unchanged: percent(s.unchanged, s.events),
        pages: grouped(s.pages),
        activities: words::activities(s),
        probes: s.probes,
        line: line_percent,
        findings: record.count(Sort::Finding),
        warnings: record.count(Sort::Warning),
        failures: s.device_failures.len(),
        snapshots: s.snapshots.as_ref().map(SnapshotSummary::words),
        notes: s.notes.iter().map(|note| line(note, 300)).collect(),
        restores: s.restores.as_ref().map(RestoreSummary::words),
        capability: s.capability.as_ref().map(|c| line(&c.to_string(), 300)),
        confinement: s.confinement.as_ref().map(|c| line(c, 300)),
        colour,
        coverage_curve: sparkline(&record.curve, |p| p.probes),
        activity_curve: sparkline(&record.curve, |p| p.activities),
        folder: relative(folder, folder.session(&s.session).path()),
    }
}

/// Probes by package, of the session that hit most in each.
fn packages(records: &[&SessionRecord]) -> Vec<Bar> {
    let mut best: BTreeMap<&str, Ratio> = BTreeMap::new();
    for (name, ratio) in records.iter().flat_map(|record| &record.packages) {
        let known = best.entry(name).or_default();
        if ratio.covered >= known.covered {
            *known = *ratio;
        }
    }
    let named = |name: &str| match name {
        "" => "(no package)".to_owned(),
        name => name.replace('/', "."),
    };
    best.iter()
        .filter_map(|(name, ratio)| bar(&named(name), *ratio))
        .collect()
}
