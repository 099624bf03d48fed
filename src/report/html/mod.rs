//! `report.html`: one self-contained page. The content is computed here, the template defines the look.

mod activities;
pub mod app;
pub mod chart;
mod evidence;
pub mod finding;
mod gate;
pub mod graph;
pub mod image;
pub mod route;
mod script;
mod steps;
mod team;
pub mod text;

use super::causes::{Session, causes, sessions};
use super::console::{Tone, device_limitations, plural};
use super::gate_lines;
use super::session::Sort;
use super::summarize::RunRecord;
use super::totals::Totals;
use crate::coverage::{has_lines, headline};
use crate::outcome::folder::RunFolder;
use crate::report::title::title;
use app::AppView;
use data_encoding::BASE64;
use finding::{FindingView, StatusView};
use gate::GateView;
use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use text::{anchor, duration, grouped, line, percent};

const TEMPLATE: &str = include_str!("../../../templates/report.html");

/// The only script: the page works without it.
const SCRIPT: &str = include_str!("../../../templates/report.js");

/// A figure at the top of the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Tile {
    name: &'static str,
    value: String,
    note: String,
    tone: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct FailureView {
    session: String,
    event: u64,
    message: String,
}

/// What the page can be filtered by: the values that occur, sorted.
#[derive(Default, Serialize)]
struct Choices {
    apps: BTreeSet<String>,
    kinds: BTreeSet<String>,
    strategies: BTreeSet<String>,
    statuses: BTreeSet<&'static str>,
}

#[derive(Serialize)]
struct View {
    suite: String,
    run: String,
    started: Option<String>,
    tool: String,
    verdict: String,
    tone: &'static str,
    gate: Option<GateView>,
    tiles: Vec<Tile>,
    choices: Choices,
    /// How many sessions there are.
    sessions: usize,
    /// More than one session: the page starts with an overview of them, and details are folded.
    several: bool,
    findings: Vec<FindingView>,
    warnings: Vec<FindingView>,
    environment: Vec<FindingView>,
    apps: Vec<AppView>,
    failures: Vec<FailureView>,
    script: &'static str,
    script_hash: String,
}

/// The page of a run.
///
/// # Errors
/// The template's, which a test rules out.
pub fn html(folder: &RunFolder, run: &RunRecord) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    // The name's ending turns escaping on.
    environment.add_template("report.html", TEMPLATE)?;
    environment
        .get_template("report.html")?
        .render(Serde(view(folder, run, image::ALL)))
}

/// The content of the page; its screenshots take at most `allowance` together.
fn view(folder: &RunFolder, run: &RunRecord, mut allowance: u64) -> View {
    let summary = &run.summary;
    let all: Vec<Session<'_>> = sessions(run).collect();
    let of_app = |name: &str| -> Vec<Session<'_>> {
        all.iter().filter(|(s, _)| s.app == name).copied().collect()
    };
    let causes = causes(all.iter().copied());
    let views: Vec<_> = causes
        .iter()
        .map(|cause| FindingView::new(folder, cause, &all, &mut allowance))
        .collect();
    let (mut findings, mut warnings, mut environment) = (Vec::new(), Vec::new(), Vec::new());
    // The steps' screenshots come last: those of one long trace must not displace those of other findings.
    let mut anchors = BTreeSet::new();
    let mut choices = Choices::default();
    for (mut view, cause) in views.into_iter().zip(&causes) {
        let (session, met) = cause.chief;
        let named = format!("finding-{}-{}", session.app, met.finding.fingerprint);
        view.anchor = anchor(&named, &mut anchors);
        view.add_fewest(folder, cause, &mut allowance);
        view.add_evidence(cause, causes.len());
        let judged = run.verdict.as_ref();
        let judged = judged.and_then(|v| v.find(&session.app, &met.finding.fingerprint));
        view.status = judged.map(StatusView::new);
        view.add_to(&mut choices);
        match cause.sort() {
            Sort::Finding => findings.push(view),
            Sort::Warning => warnings.push(view),
            Sort::Environment => environment.push(view),
        }
    }
    // Stable: findings of a status keep their order.
    findings.sort_by_key(|f| f.status.as_ref().map(|status| status.rank));
    let failures = all
        .iter()
        .flat_map(|(s, record)| {
            record
                .failures
                .iter()
                .map(move |(event, text)| (s, event, text))
        })
        .map(|(s, event, text)| FailureView {
            session: line(&s.session, 120),
            event: *event,
            message: line(text, 500),
        })
        .collect();
    let totals = Totals::new(summary, &causes);
    let apps: Vec<_> = (summary.apps.iter().enumerate())
        .map(|(number, app)| AppView::new(folder, number, app, &of_app(&app.app)))
        .collect();
    for (session, _) in &all {
        choices.apps.insert(line(&session.app, app::NAME));
        choices
            .strategies
            .insert(line(&session.strategy, app::STRATEGY));
    }
    View {
        suite: line(&title(summary), 80),
        run: line(&summary.run, 80),
        started: run
            .info
            .started
            .map(|time| time.strftime("%Y-%m-%d %H:%M UTC").to_string()),
        tool: line(&summary.tool, 40),
        verdict: match &run.verdict {
            Some(verdict) => format!("{}: {}", verdict.outcome(), verdict.words()),
            None => totals.headline(),
        },
        gate: run.verdict.as_ref().map(GateView::new),
        tone: match run.verdict.as_ref().map_or(totals.tone(), gate_lines::tone) {
            Tone::Good => "good",
            Tone::Warn => "warn",
            Tone::Bad => "bad",
            Tone::Quiet => "mute",
        },
        tiles: tiles(run, &totals),
        choices,
        sessions: all.len(),
        several: all.len() > 1,
        findings,
        warnings,
        environment,
        apps,
        failures,
        script: SCRIPT,
        script_hash: BASE64.encode(&Sha256::digest(SCRIPT.as_bytes())),
    }
}

fn tiles(run: &RunRecord, totals: &Totals) -> Vec<Tile> {
    let sessions = &run.summary.sessions;
    let unchanged: u64 = sessions.iter().map(|s| s.unchanged).sum();
    let failures: usize = sessions.iter().map(|s| s.device_failures.len()).sum();
    let warnings = plural(totals.warnings, "warning");
    let mut tiles = vec![
        Tile {
            name: "Findings",
            value: totals.findings.to_string(),
            note: match (totals.warnings, totals.environment) {
                (0, 0) => "no device limitations".to_owned(),
                (0, n) => format!("and {}", device_limitations(n)),
                (_, 0) => format!("and {warnings}"),
                (_, n) => format!("{warnings}, {}", device_limitations(n)),
            },
            tone: if totals.findings > 0 { "bad" } else { "good" },
        },
        Tile {
            name: "Events",
            value: grouped(totals.events),
            note: format!("{} % had no effect", percent(unchanged, totals.events)),
            tone: "",
        },
        Tile {
            name: "Time",
            value: duration(totals.seconds),
            note: match totals.events {
                0 => "no event performed".to_owned(),
                events => format!(
                    "{} events/s",
                    grouped((events as f64 / totals.seconds.max(1e-6)).round() as u64)
                ),
            },
            tone: "",
        },
        Tile {
            name: "Sessions",
            value: totals.of_sessions(),
            note: match failures {
                0 => "no device failure".to_owned(),
                n => plural(n as u64, "device failure"),
            },
            tone: match failures > 0 || totals.incomplete > 0 {
                true => "warn",
                false => "",
            },
        },
    ];
    // Figures of one app; several have theirs further down.
    if let [app] = &run.summary.apps[..] {
        if app.activities.total > 0 {
            tiles.push(Tile {
                name: "Activities",
                value: format!("{} of {}", app.activities.covered, app.activities.total),
                note: format!(
                    "{} of {} reachable",
                    app.reachable.covered, app.reachable.total
                ),
                tone: "",
            });
        }
        if app.places > 0 {
            tiles.push(Tile {
                name: "Places",
                value: grouped(app.places),
                note: "within activities".to_owned(),
                tone: "",
            });
        }
        if let Some(code) = app.coverage {
            let (ratio, _) = headline(&code);
            tiles.push(Tile {
                name: match has_lines(&code) {
                    true => "Lines",
                    false => "Instructions",
                },
                value: format!("{:.1} %", ratio.percent()),
                note: format!("{:.1} % of methods", code.method.percent()),
                tone: "",
            });
        }
    }
    tiles
}

#[cfg(test)]
#[path = "browser_tests.rs"]
mod browser_tests;
#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
