//! What a run says on the terminal, in cargo-nextest's manner: a status word right-aligned in 12 columns,
//! then the message. All text of apps and devices is cleaned of control characters first.

use super::scripts;
use super::words::short_class;
use crate::coverage::headline;
use crate::outcome::finding::FindingKind;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{FindingSummary, RunSummary, SessionSummary};
use crate::util::text::{for_terminal, shorten};
use std::path::{Path, PathBuf};

/// The colour of a status word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Things go as they should.
    Good,
    /// Worth a look.
    Warn,
    /// A failure.
    Bad,
    /// By the way.
    Quiet,
}

/// Steps of a finding shown in its line: the most that minimizing is meant to leave.
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

/// The status word for a kind of finding.
pub fn kind(kind: FindingKind) -> (Tone, &'static str) {
    match kind {
        FindingKind::JavaCrash => (Tone::Bad, "Crash"),
        FindingKind::Anr => (Tone::Bad, "ANR"),
        FindingKind::AppExit => (Tone::Bad, "App exit"),
        FindingKind::BlankPage => (Tone::Bad, "Blank page"),
        FindingKind::RotationLoss => (Tone::Bad, "State lost"),
        FindingKind::ProcessDeath => (Tone::Bad, "Died"),
        FindingKind::OutOfMemory => (Tone::Bad, "No memory"),
        FindingKind::Environment => (Tone::Quiet, "Environment"),
    }
}

/// The status word for how a session ended, and what it means where the word doesn't say.
pub fn ended(reason: EndReason) -> (Tone, &'static str, &'static str) {
    match reason {
        EndReason::Events | EndReason::Time => (Tone::Good, "Finished", ""),
        EndReason::Plateau => (Tone::Good, "Finished", "nothing new any more"),
        EndReason::Strategy => (Tone::Good, "Finished", "the strategy is done"),
        EndReason::Interrupted => (Tone::Warn, "Interrupted", ""),
        EndReason::CannotLaunch => (Tone::Bad, "Failed", "the app cannot be started"),
        EndReason::DeviceLost => (Tone::Bad, "Lost", "the device failed too often"),
        EndReason::Blocked => (
            Tone::Bad,
            "Stuck",
            "the app stays in an activity that the suite blocks",
        ),
    }
}

/// `1 event`, `2 events`.
pub fn plural(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        n if one.ends_with('y') => format!("{n} {}ies", &one[..one.len() - 1]),
        n => format!("{n} {one}s"),
    }
}

/// Seconds for people.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{} min {} s", s as u64 / 60, s as u64 % 60),
        s => format!("{} h {} min", s as u64 / 3600, s as u64 % 3600 / 60),
    }
}

/// What came of the run in this folder: findings a line each, sessions that failed, coverage, files.
pub fn summary(run: &RunSummary, folder: &Path, files: &[PathBuf], paint: Paint) -> String {
    let causes = causes(run);
    let environment = causes.iter().filter(|cause| cause.environment).count() as u64;
    let warnings = causes.iter().filter(|cause| cause.warning()).count() as u64;
    let found = causes.len() as u64 - environment - warnings;
    let mut text = "────────────\n".to_owned();
    let mut sorted: Vec<_> = causes.iter().collect();
    sorted.sort_by_key(|cause| (cause.environment, cause.warning()));
    for cause in sorted {
        text += &cause.line(run, folder, paint);
    }
    for session in &run.sessions {
        text += &trouble(session, paint);
    }
    for script in scripts::over_all(run) {
        if let Some(words) = script.trouble() {
            text += &paint.line(Tone::Warn, "Script", &words);
        }
    }
    for app in &run.apps {
        let mut parts = Vec::new();
        if let Some(code) = app.coverage {
            let (ratio, what) = headline(&code);
            parts.push(format!("{:.1} % of {what}", ratio.percent()));
        }
        if app.activities.total > 0 {
            let (declared, reachable) = (app.activities, app.reachable);
            parts.push(format!(
                "{} of {} activities ({} of {} reachable)",
                declared.covered, declared.total, reachable.covered, reachable.total
            ));
        }
        if !parts.is_empty() {
            text += &paint.line(
                Tone::Good,
                "Coverage",
                &format!("{}: {}", app.app, parts.join(", ")),
            );
        }
    }
    for file in files {
        text += &paint.line(Tone::Quiet, "Written", &near(file));
    }
    let events = run.sessions.iter().map(|s| s.events).sum();
    let time: f64 = run.sessions.iter().map(|s| s.seconds).sum();
    let mut total = format!(
        "{} in {} ({}), {}",
        plural(events, "event"),
        plural(run.sessions.len() as u64, "session"),
        seconds(time),
        if found == 0 && events == 0 {
            "nothing explored".to_owned()
        } else if found == 0 {
            "nothing found".to_owned()
        } else {
            plural(found, "finding")
        },
    );
    if warnings > 0 {
        total += &format!(", {}", plural(warnings, "warning"));
    }
    if environment > 0 {
        total += &format!(", {environment} of the environment");
    }
    let tone = if found > 0 {
        Tone::Bad
    } else if run.interrupted || warnings > 0 || events == 0 {
        Tone::Warn
    } else {
        Tone::Good
    };
    text + &paint.line(tone, "Summary", &total)
}

/// A cause over all sessions that met it.
struct Cause<'a> {
    session: &'a SessionSummary,
    finding: &'a FindingSummary,
    count: u64,
    environment: bool,
}

impl Cause<'_> {
    fn warning(&self) -> bool {
        self.finding.warning && !self.environment
    }

    fn line(&self, run: &RunSummary, folder: &Path, paint: Paint) -> String {
        let finding = self.finding;
        let mut parts = vec![shorten(&finding.title, 100).into_owned()];
        if run.apps.len() > 1 {
            parts.push(self.session.app.clone());
        }
        if !finding.activity.is_empty() {
            parts.push(short_class(&finding.activity).to_owned());
        }
        parts.push(match finding.first_event {
            0 => "at the start".to_owned(),
            event => format!("event {event}"),
        });
        parts.push(match self.count {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        });
        if let Some(rule) = &finding.environment {
            parts.push(rule.clone());
        }
        let (tone, word) = match kind(finding.kind) {
            _ if self.environment => (Tone::Quiet, "Environment"),
            (_, word) if self.warning() => (Tone::Warn, word),
            other => other,
        };
        let mut text = paint.line(tone, word, &parts.join(" · "));
        if let Some(found) = &finding.reproduction {
            let steps = found.in_words(MOST_STEPS);
            text += &paint.line(
                Tone::Quiet,
                "Steps",
                &format!("{steps} · {}", found.words()),
            );
        }
        let trace = finding.trace.iter().filter(|_| !self.environment);
        let typed = trace.map(|trace| near(&folder.join(trace)));
        text.extend(typed.map(|trace| paint.line(Tone::Quiet, "Trace", &trace)));
        text
    }
}

fn causes(run: &RunSummary) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    for session in &run.sessions {
        let app = session.findings.iter().map(|finding| (finding, false));
        let environment = session
            .environment_findings
            .iter()
            .map(|finding| (finding, true));
        for (finding, environment) in app.chain(environment) {
            let same = |cause: &&mut Cause<'_>| {
                cause.session.app == session.app
                    && cause.finding.fingerprint == finding.fingerprint
                    && cause.environment == environment
            };
            match causes.iter_mut().find(same) {
                Some(cause) => {
                    cause.count += finding.count;
                    if finding.first_event < cause.finding.first_event {
                        (cause.session, cause.finding) = (session, finding);
                    }
                }
                None => causes.push(Cause {
                    session,
                    finding,
                    count: finding.count,
                    environment,
                }),
            }
        }
    }
    causes
}

/// Lines about a session that did not go as it should.
fn trouble(session: &SessionSummary, paint: Paint) -> String {
    let name = &session.session;
    let mut text = String::new();
    if let Some(last) = session.device_failures.last() {
        let count = plural(session.device_failures.len() as u64, "device failure");
        text += &paint.line(
            Tone::Warn,
            "Device",
            &format!("{name}: {count}, the last: {}", shorten(last, 160)),
        );
    }
    if let Some(snapshots) = &session.snapshots {
        let failed = !snapshots.failures.is_empty();
        let tone = if failed { Tone::Warn } else { Tone::Quiet };
        let words = format!("{name}: {}", shorten(&snapshots.words(), 200));
        text += &paint.line(tone, "Snapshots", &words);
    }
    let (tone, word, why) = match (session.ended, &session.damage) {
        _ if !session.started => (Tone::Warn, "Not begun", ""),
        (_, Some(damage)) => (Tone::Bad, "Damaged", damage.as_str()),
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

/// A path as short as it can be typed from here.
pub fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    inside.as_deref().unwrap_or(path).display().to_string()
}

#[cfg(test)]
#[path = "console_tests.rs"]
mod tests;
