//! Terminal output of a run, in cargo-nextest's style: a status word right-aligned in 12 columns,
//! then the message. All text of apps and devices is cleaned of control characters first.

use super::causes::{Cause, causes, fewest, sessions};
use super::changed;
use super::gate_lines;
use super::html::text::duration;
use super::scripts;
use super::session::Sort;
use super::summarize::RunRecord;
use super::totals::Totals;
use super::words::{short_class, short_frame};
use crate::coverage::headline;
use crate::outcome::capability::{Capability, Support};
use crate::outcome::finding::{Finding, FindingKind};
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::SessionSummary;
use crate::outcome::verdict::Verdict;
use crate::util::text::{for_terminal, shorten};
use std::path::{Path, PathBuf};

/// The colour of a status word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Success.
    Good,
    /// Needs attention.
    Warn,
    /// A failure.
    Bad,
    /// Additional information.
    Quiet,
}

/// How much is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Findings, problems and the paths of reports.
    Quiet,
    /// The usual.
    #[default]
    Normal,
    /// Also devices, strategies, times and why a session ended.
    Verbose,
    /// Also every step.
    Steps,
}

/// Maximum steps shown in a finding's line.
const MOST_STEPS: usize = 20;

/// Writes status lines, with colour or without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paint {
    /// Colour?
    pub color: bool,
}

impl Paint {
    /// A status word in its 12 columns.
    pub fn word(self, tone: Tone, word: &str) -> String {
        if !self.color {
            return format!("{word:>12}");
        }
        let code = match tone {
            Tone::Good => "32;1",
            Tone::Warn => "33;1",
            Tone::Bad => "31;1",
            Tone::Quiet => "2",
        };
        format!("\x1b[{code}m{word:>12}\x1b[0m")
    }

    /// A line.
    pub fn line(self, tone: Tone, word: &str, message: &str) -> String {
        format!("{} {}\n", self.word(tone, word), for_terminal(message))
    }
}

/// The status word for a finding.
pub fn word(finding: &Finding) -> (Tone, &'static str) {
    let word = match finding.kind {
        FindingKind::JavaCrash => "Crash",
        FindingKind::Anr => "ANR",
        FindingKind::AppExit => "App exit",
        FindingKind::BlankPage => "Blank page",
        FindingKind::RotationLoss => "State lost",
        FindingKind::Assertion => "Assertion",
        FindingKind::ProcessDeath => "Died",
        FindingKind::OutOfMemory => "No memory",
        FindingKind::Environment => "Environment",
    };
    match Sort::of(finding) {
        Sort::Finding => (Tone::Bad, word),
        Sort::Warning => (Tone::Warn, word),
        Sort::Environment => (Tone::Quiet, "Environment"),
    }
}

/// The status word for how a session ended, and an explanation if the word alone is unclear.
pub fn ended(reason: EndReason) -> (Tone, &'static str, &'static str) {
    match reason {
        EndReason::Events | EndReason::Time => (Tone::Good, "Finished", ""),
        EndReason::Plateau => (Tone::Good, "Finished", "no new behaviour found"),
        EndReason::Strategy => (Tone::Good, "Finished", "the strategy has finished"),
        EndReason::Interrupted => (Tone::Warn, "Interrupted", ""),
        EndReason::CannotLaunch => (Tone::Bad, "Failed", "the app cannot be started"),
        EndReason::ClosesAtStart => (
            Tone::Bad,
            "Failed",
            "the app closes its window at start, as one without screens does: there is nothing to explore",
        ),
        EndReason::DeviceLost => (Tone::Bad, "Lost", "the device failed too often"),
        EndReason::Blocked => (
            Tone::Bad,
            "Stuck",
            "the app stays in an activity that the suite blocks",
        ),
    }
}

/// Why a session ended, in words.
pub fn why(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Events => "all events of its budget performed",
        EndReason::Time => "its time is used up",
        EndReason::Interrupted => "interrupted by the user",
        EndReason::Plateau
        | EndReason::Strategy
        | EndReason::CannotLaunch
        | EndReason::ClosesAtStart
        | EndReason::DeviceLost
        | EndReason::Blocked => ended(reason).2,
    }
}

/// The status word for the capability check.
pub fn support(found: &Capability) -> (Tone, &'static str) {
    match found.verdict {
        Support::Supported | Support::Limited => (Tone::Good, "Checked"),
        Support::UseAnEmulator => (Tone::Warn, "Checked"),
    }
}

/// `1 event`, `2 events`.
pub fn plural(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        n if one.ends_with('y') && !one.ends_with("ay") => {
            format!("{n} {}ies", &one[..one.len() - 1])
        }
        n if one.ends_with("ch") => format!("{n} {one}es"),
        n => format!("{n} {one}s"),
    }
}

/// `1 device limitation (not your app)`, `2 device limitations (not your app)`.
pub fn device_limitations(count: u64) -> String {
    format!("{} (not your app)", plural(count, "device limitation"))
}

/// `once`, `0 times`, `3 times`.
pub fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}

/// `at the start`, `event 12`.
pub fn when(event: u64) -> String {
    match event {
        0 => "at launch".to_owned(),
        event => format!("event {event}"),
    }
}

/// The results of a run: one line per finding, failed sessions, coverage, files.
pub fn summary(run: &RunRecord, files: &[PathBuf], paint: Paint) -> String {
    let causes = causes(sessions(run));
    let totals = Totals::new(&run.summary, &causes);
    let verdict = run.verdict.as_ref();
    let run = &run.summary;
    let mut text = "────────────\n".to_owned();
    for cause in &causes {
        text += &found(cause, run.apps.len() > 1, verdict, paint);
    }
    for session in &run.sessions {
        text += &trouble(session, paint);
    }
    for script in scripts::over_all(run) {
        if let Some(words) = script.trouble() {
            text += &paint.line(Tone::Warn, "Script", &words);
        }
    }
    for session in &run.sessions {
        if let Some(corpus) = session.corpus.as_ref().filter(|c| !c.lost.is_empty()) {
            let words = format!("{}: {}", session.session, scripts::corpus(corpus));
            text += &paint.line(Tone::Warn, "Corpus", &words);
        }
    }
    for app in &run.apps {
        let mut parts = Vec::new();
        if let Some(code) = app.coverage {
            let (ratio, what) = headline(&code);
            let counted = app.counted.as_ref();
            let counted = counted.map(|counted| format!(" ({})", counted.words()));
            let counted = counted.unwrap_or_default();
            parts.push(format!("{:.1} % of {what}{counted}", ratio.percent()));
        }
        if app.activities.total > 0 {
            let (declared, reachable) = (app.activities, app.reachable);
            let mut words = format!(
                "{} of {} activities visited",
                declared.covered, declared.total
            );
            if reachable.total != declared.total {
                words += &format!(" ({} of {} reachable)", reachable.covered, reachable.total);
            }
            parts.push(words);
        }
        if app.places > 0 {
            parts.push(plural(app.places, "place"));
        }
        if !parts.is_empty() {
            text += &paint.line(
                Tone::Good,
                "Coverage",
                &format!("{}: {}", app.app, parts.join(", ")),
            );
        }
    }
    for app in &run.apps {
        if let Some(tests) = &app.tests {
            let line = format!("{}: {}", app.app, tests.words());
            text += &paint.line(Tone::Good, "Tests", &line);
        }
    }
    text += &changed::lines(run, paint);
    text += &paths(files, paint);
    let (work, result) = (totals.work(), totals.verdict());
    let total = format!("{work} ({}), {result}", duration(totals.seconds));
    text += &paint.line(totals.tone(), "Summary", &total);
    match verdict {
        Some(verdict) => text + &gate_lines::lines(verdict, paint),
        None => text,
    }
}

/// The paths of the reports, a line each.
pub fn paths(files: &[PathBuf], paint: Paint) -> String {
    let line = |file: &PathBuf| paint.line(Tone::Quiet, "Written", &near(file));
    files.iter().map(line).collect()
}

/// Lines about a cause; if the run has several apps, they name its app.
fn found(cause: &Cause<'_>, several: bool, verdict: Option<&Verdict>, paint: Paint) -> String {
    let (session, met) = cause.chief;
    let finding = &met.finding;
    let mut parts: Vec<_> = finding
        .frame
        .as_deref()
        .map(short_frame)
        .into_iter()
        .collect();
    parts.push(shorten(&finding.title, 100).into_owned());
    let judged = verdict.and_then(|v| v.find(&session.app, &finding.fingerprint));
    parts.extend(judged.map(gate_lines::status));
    if several {
        parts.push(session.app.clone());
    }
    if !finding.activity.is_empty() {
        parts.push(short_class(&finding.activity).to_owned());
    }
    parts.push(when(finding.event));
    parts.push(times(cause.count()));
    parts.extend(finding.environment.iter().map(|blame| blame.rule.clone()));
    parts.extend(met.provoked());
    let (tone, word) = word(finding);
    let mut text = paint.line(tone, word, &parts.join(" · "));
    let Some(repro) = &met.repro else {
        return text;
    };
    if let Some(found) = &repro.reproduction {
        let steps = match fewest(found) {
            Some(_) => found.in_words(MOST_STEPS),
            None => "not minimized".to_owned(),
        };
        let line = format!("{steps} · {}", found.words());
        text += &paint.line(Tone::Quiet, "Steps", &line);
    }
    if !met.is_environment() {
        let command = format!("cargo droidtest replay {}", repro.typed);
        text += &paint.line(Tone::Quiet, "Replay", &command);
    }
    text
}

/// Lines about a session with problems.
fn trouble(session: &SessionSummary, paint: Paint) -> String {
    let name = &session.session;
    let mut text = String::new();
    if let Some(last) = session.device_failures.last() {
        let count = plural(session.device_failures.len() as u64, "device failure");
        let which = if session.device_failures.len() > 1 {
            ", the last"
        } else {
            ""
        };
        text += &paint.line(
            Tone::Warn,
            "Device",
            &format!("{name}: {count}{which}: {}", shorten(last, 160)),
        );
    }
    if let Some(snapshots) = &session.snapshots {
        let failed = !snapshots.failures.is_empty();
        let tone = if failed { Tone::Warn } else { Tone::Quiet };
        let words = format!("{name}: {}", shorten(&snapshots.words(), 200));
        text += &paint.line(tone, "Snapshots", &words);
    }
    for note in &session.notes {
        let words = format!("{name}: {}", shorten(note, 200));
        text += &paint.line(Tone::Quiet, "Note", &words);
    }
    if let Some(restores) = &session.restores {
        let words = format!("{name}: {}", restores.words());
        text += &paint.line(Tone::Quiet, "Restores", &words);
    }
    let broken = session.failed.as_ref().map(|why| ("Failed", why));
    let broken = broken.or(session.damage.as_ref().map(|what| ("Damaged", what)));
    let (tone, word, why) = match (session.ended, broken) {
        _ if !session.started => (Tone::Warn, "Not started", ""),
        (_, Some((word, why))) => (Tone::Bad, word, why.as_str()),
        (None, None) => (Tone::Bad, "Killed", ""),
        (Some(reason), None) => match ended(reason) {
            (Tone::Good, ..) => return text,
            other => other,
        },
    };
    let why = if why.is_empty() {
        String::new()
    } else {
        format!(": {why}")
    };
    text + &paint.line(tone, word, &format!("{name}{why}"))
}

/// The shortest form of a path, relative to the current folder.
pub fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    inside.as_deref().unwrap_or(path).display().to_string()
}

#[cfg(test)]
#[path = "console_tests.rs"]
mod tests;
