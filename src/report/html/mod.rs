//! `report.html`: one self-contained page. What it shows is computed here, how it looks is the template's.

pub mod app;
pub mod chart;
pub mod finding;
pub mod graph;
pub mod image;
pub mod route;
mod script;
mod steps;
pub mod text;

use super::causes::{Session, causes};
use super::console::plural;
use super::summarize::RunRecord;
use crate::coverage::{has_lines, headline};
use crate::outcome::folder::RunFolder;
use crate::outcome::run_event::EndReason;
use app::AppView;
use finding::FindingView;
use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use serde::Serialize;
use sha2::{Digest, Sha256};
use text::{duration, grouped, line, percent};

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

#[derive(Serialize)]
struct View {
    suite: String,
    run: String,
    started: Option<String>,
    tool: String,
    verdict: String,
    tone: &'static str,
    tiles: Vec<Tile>,
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
        .render(Serde(view(folder, run)))
}

fn view(folder: &RunFolder, run: &RunRecord) -> View {
    let summary = &run.summary;
    let all: Vec<Session<'_>> = summary.sessions.iter().zip(&run.sessions).collect();
    let of_app = |name: &str| -> Vec<Session<'_>> {
        all.iter().filter(|(s, _)| s.app == name).copied().collect()
    };
    let mut allowance = image::ALL;
    let (mut findings, mut warnings, mut environment) = (Vec::new(), Vec::new(), Vec::new());
    let mut number = 0;
    for app in &summary.apps {
        for meetings in causes(&of_app(&app.app)) {
            let mut view = FindingView::new(folder, &meetings, &all, &mut allowance);
            number += 1;
            view.anchor = format!("finding-{number}");
            if meetings.iter().all(|(_, met)| met.is_environment()) {
                environment.push(view);
            } else if meetings.iter().all(|(_, met)| met.finding.warning) {
                warnings.push(view);
            } else {
                findings.push(view);
            }
        }
    }
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
    let found = Found {
        findings: findings.len(),
        warnings: warnings.len(),
        environment: environment.len(),
    };
    let (verdict, tone) = verdict(run, &found);
    View {
        suite: line(&summary.suite, 80),
        run: line(&summary.run, 80),
        started: run
            .info
            .started
            .map(|time| time.strftime("%Y-%m-%d %H:%M UTC").to_string()),
        tool: line(&summary.tool, 40),
        verdict,
        tone,
        tiles: tiles(run, &found),
        findings,
        warnings,
        environment,
        apps: (summary.apps.iter().enumerate())
            .map(|(number, app)| AppView::new(folder, number, app, &of_app(&app.app)))
            .collect(),
        failures,
        script: SCRIPT,
        script_hash: image::base64(&Sha256::digest(SCRIPT.as_bytes())),
    }
}

/// Causes of each sort.
struct Found {
    findings: usize,
    warnings: usize,
    environment: usize,
}

/// What came of it, in a few words.
fn verdict(run: &RunRecord, found: &Found) -> (String, &'static str) {
    let unfinished = |reason: Option<EndReason>| {
        matches!(
            reason,
            None | Some(
                EndReason::Interrupted
                    | EndReason::DeviceLost
                    | EndReason::CannotLaunch
                    | EndReason::Blocked
            )
        )
    };
    let sessions = &run.summary.sessions;
    let incomplete = sessions
        .iter()
        .filter(|s| unfinished(s.ended) || s.damage.is_some())
        .count();
    let mut words = match found.findings {
        0 => "Nothing found".to_owned(),
        n => plural(n as u64, "finding"),
    };
    if found.warnings > 0 {
        words += &format!(", {}", plural(found.warnings as u64, "warning"));
    }
    if found.findings == 0 && incomplete > 0 {
        words += &format!(", {incomplete} of {} sessions incomplete", sessions.len());
    }
    let tone = match (found.findings, found.warnings + incomplete) {
        (0, 0) => "good",
        (0, _) => "warn",
        _ => "bad",
    };
    (words, tone)
}

fn tiles(run: &RunRecord, found: &Found) -> Vec<Tile> {
    let sessions = &run.summary.sessions;
    let events: u64 = sessions.iter().map(|s| s.events).sum();
    let unchanged: u64 = sessions.iter().map(|s| s.unchanged).sum();
    let seconds: f64 = sessions.iter().map(|s| s.seconds).sum();
    let failures: usize = sessions.iter().map(|s| s.device_failures.len()).sum();
    let mut tiles = vec![
        Tile {
            name: "Findings",
            value: found.findings.to_string(),
            note: match (found.warnings, found.environment) {
                (0, 0) => "none of the environment".to_owned(),
                (0, n) => format!("and {n} of the environment"),
                (n, 0) => format!("and {}", plural(n as u64, "warning")),
                (n, m) => format!("{}, {m} of the environment", plural(n as u64, "warning")),
            },
            tone: if found.findings > 0 { "bad" } else { "good" },
        },
        Tile {
            name: "Events",
            value: grouped(events),
            note: format!("{} % changed nothing", percent(unchanged, events)),
            tone: "",
        },
        Tile {
            name: "Time",
            value: duration(seconds),
            note: match events {
                0 => "no event performed".to_owned(),
                _ => format!(
                    "{} events/s",
                    grouped((events as f64 / seconds.max(1e-6)).round() as u64)
                ),
            },
            tone: "",
        },
        Tile {
            name: "Sessions",
            value: sessions.len().to_string(),
            note: match failures {
                0 => "no device failure".to_owned(),
                1 => "1 device failure".to_owned(),
                n => format!("{n} device failures"),
            },
            tone: if failures > 0 { "warn" } else { "" },
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
#[path = "html_tests.rs"]
mod tests;
