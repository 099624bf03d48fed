//! How a run ended, in words and for programs: what finished, what did not, and the command that continues it.

use super::gate;
use super::shell::Shell;
use crate::config::{HumanDuration, Suite};
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{FindingSummary, RunSummary, SessionSummary};
use crate::report::console::{near, plural};
use crate::report::messages::Finish;
use crate::report::summarize::RunRecord;
use crate::run::failed::SessionFailed;
use crate::run::{Outcome, Plan};
use std::collections::BTreeSet;

/// The sessions of the plan by how they ended, and the command that performs those that are left.
pub fn of(plan: &Plan, outcome: &Outcome, code: ExitCode) -> Finish {
    let mut end = Finish {
        code: code.code(),
        ..Finish::default()
    };
    for (session, ended) in plan.entries.iter().zip(&outcome.ended) {
        let group = match ended {
            None => &mut end.not_started,
            Some(Ok(EndReason::Interrupted)) => &mut end.interrupted,
            Some(Ok(EndReason::DeviceLost) | Err(_)) => &mut end.failed,
            Some(Ok(_)) => &mut end.finished,
        };
        group.push(session.name.clone());
    }
    if !end.interrupted.is_empty() || !end.not_started.is_empty() {
        let words = std::env::args_os().skip(1);
        let words = words.map(|word| word.to_string_lossy().into_owned());
        end.resume = Some(resume(words, &near(outcome.folder.path())));
    }
    end
}

/// The lines about an interrupted run.
pub fn interrupted(end: &Finish) -> Vec<String> {
    let all = [
        &end.finished,
        &end.interrupted,
        &end.failed,
        &end.not_started,
    ];
    let all: usize = all.iter().map(|group| group.len()).sum();
    let parts = [
        ("interrupted", &end.interrupted),
        ("failed", &end.failed),
        ("not started", &end.not_started),
    ];
    let mut words = format!(
        "interrupted: {} of {} finished",
        end.finished.len(),
        plural(all as u64, "session")
    );
    for (what, names) in parts.iter().filter(|(_, names)| !names.is_empty()) {
        let shown: Vec<_> = names.iter().take(NAMED).map(String::as_str).collect();
        let rest = match names.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        words += &format!("; {} {what}: {}{rest}", names.len(), shown.join(", "));
    }
    let resume = end.resume.as_ref();
    let resume = resume.map(|command| format!("`{command}` continues the run"));
    std::iter::once(words).chain(resume).collect()
}

/// Sessions that a line names.
const NAMED: usize = 4;

/// The command of this run, with `--resume FOLDER` instead of the folder that it names.
fn resume(words: impl Iterator<Item = String>, folder: &str) -> String {
    let mut words = words.peekable();
    words.next_if(|word| word == "droidtest");
    let mut command = vec!["cargo".to_owned(), "droidtest".to_owned()];
    // What follows `--` are no options.
    while let Some(word) = words.next_if(|word| word != "--") {
        match word.as_str() {
            "--run-id" | "--resume" => drop(words.next()),
            word if word.starts_with("--run-id=") || word.starts_with("--resume=") => {}
            _ => command.push(word),
        }
    }
    command.extend(["--resume".to_owned(), folder.to_owned()]);
    command.extend(words);
    shlex::try_join(command.iter().map(String::as_str)).unwrap_or_else(|_| command.join(" "))
}

/// The exit code of the run: by its gate, or of any finding that is more than a warning.
pub fn exit_code(outcome: &Outcome, run: &RunRecord) -> ExitCode {
    let sessions = &run.summary.sessions;
    let ended = || outcome.ended.iter().flatten();
    let unwritten = |done: &Result<_, _>| matches!(done, Err(SessionFailed::Output(_)));
    let unlearned = |done: &Result<_, _>| matches!(done, Err(SessionFailed::Strategy(_)));
    let broken = |done: &Result<_, _>| matches!(done, Err(SessionFailed::Tool(_)));
    let no_device = |done: &Result<_, _>| matches!(done, Err(SessionFailed::Device(_)));
    // A device that was lost before the first event was never available.
    let never_there = |s: &SessionSummary| s.ended == Some(EndReason::DeviceLost) && s.events == 0;
    if ended().any(unwritten) {
        return ExitCode::OutputNotWritten;
    }
    if ended().any(broken) {
        return ExitCode::Internal;
    }
    let judged = match &run.verdict {
        Some(verdict) => gate::code(verdict),
        None if sessions
            .iter()
            .flat_map(|s| &s.findings)
            .any(|f| !f.warning) =>
        {
            ExitCode::Findings
        }
        None => ExitCode::Ok,
    };
    if matches!(judged, ExitCode::Findings | ExitCode::LimitExceeded) {
        judged
    } else if ended().any(unlearned) {
        ExitCode::Config
    } else if ended().any(no_device) || sessions.iter().any(never_there) {
        ExitCode::DeviceUnavailable
    } else if sessions.iter().any(|s| s.incomplete().is_some()) {
        ExitCode::Incomplete
    } else {
        ExitCode::Ok
    }
}

/// Reports findings and sessions that the run has left over, which are not in the sessions' results.
pub fn left_over(
    suite: &Suite,
    outcome: &Outcome,
    summary: &RunSummary,
    stop: &Stop,
    shell: &Shell,
) {
    let open = unminimized(summary);
    if outcome.interrupted && !summary.interrupted && open > 0 {
        shell.warn(&format!(
            "interrupted while minimizing: {open} findings keep their original steps; `cargo droidtest minimize {}` continues",
            outcome.folder.path().display()
        ));
    }
    // Other ends say why themselves.
    let nothing = |s: &&SessionSummary| {
        use EndReason::{Events, Plateau, Strategy, Time};
        let by_itself = matches!(s.ended, Some(Events | Time | Plateau | Strategy));
        by_itself && s.events == 0 && s.incomplete().is_some()
    };
    for session in summary.sessions.iter().filter(nothing) {
        shell.warn(&format!(
            "{}: nothing was explored, so the run is incomplete",
            session.session
        ));
    }
    let total = suite.settings.suite.total.filter(|_| outcome.used_up);
    if let Some(total) = total.filter(|_| !stop.requested()) {
        let open = if suite.settings.minimize.enabled {
            open
        } else {
            0
        };
        used_up(total, outcome, open, shell);
    }
}

/// Different findings of the apps that minimizing has not reached; warnings are not minimized.
fn unminimized(summary: &RunSummary) -> usize {
    let open =
        |f: &&FindingSummary| f.environment.is_none() && f.reproduction.is_none() && !f.warning;
    let of = |session: &SessionSummary| -> Vec<(String, String)> {
        let open = session.findings.iter().filter(open);
        open.map(|f| (session.app.clone(), f.fingerprint.clone()))
            .collect()
    };
    summary
        .sessions
        .iter()
        .flat_map(of)
        .collect::<BTreeSet<_>>()
        .len()
}

/// Reports what the total time was too short for. `open`: findings that are not minimized.
fn used_up(total: HumanDuration, outcome: &Outcome, open: usize, shell: &Shell) {
    let unstarted = outcome.ended.iter().filter(|ended| ended.is_none()).count();
    if unstarted > 0 {
        let all = outcome.ended.len();
        shell.warn(&format!(
            "the total time ({total}) was used up before {unstarted} of {all} sessions started; `--resume latest` runs them"
        ));
    }
    if open > 0 {
        shell.warn(&format!(
            "the total time ({total}) was used up before {open} findings were minimized; `cargo droidtest minimize {}` \
             continues",
            outcome.folder.path().display()
        ));
    }
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
