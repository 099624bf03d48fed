//! `run`: explore the apps of the suite.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::Failure;
use super::args::{Global, Selection, Sharding, run_id};
use super::changed::ChangedFlags;
use super::corpus;
use super::finish::{Finish, finish};
use super::gate::{self, GateFlags, ReplayFlags};
use super::live::LiveFlags;
use super::shell::{MessageFormat, Shell, Verbosity};
use crate::config::{self, HumanDuration, Suite};
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::RunFolder;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{FindingSummary, RunSummary, SessionSummary};
use crate::report;
use crate::report::console::Tone;
use crate::report::progress::{Live, Named, Style};
use crate::report::summarize::RunRecord;
use crate::run::both::Both;
use crate::run::failed::SessionFailed;
use crate::run::prepare::PrepareError;
use crate::run::{self, Inputs, Options, Outcome, Plan, RunError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal as _;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    gate: GateFlags,
    #[command(flatten)]
    replays: ReplayFlags,
    #[command(flatten)]
    changed: ChangedFlags,
    #[command(flatten)]
    sharding: Sharding,
    #[command(flatten)]
    live: LiveFlags,
    /// Perform the traces of this corpus first, and add what the run finds beyond them [default: the suite's]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    corpus: Option<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// The name of this run's folder [default: the time]
    #[arg(
        long,
        value_name = "NAME",
        env = "DROIDTEST_RUN_ID",
        hide_env_values = true,
        value_parser = run_id
    )]
    run_id: Option<String>,
    /// Continue a run that was killed or interrupted: its folder, its name below the folder of
    /// all runs, or latest
    #[arg(long, value_name = "RUN", conflicts_with = "run_id", value_hint = ValueHint::DirPath)]
    resume: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let mut request = global.request(&args.selection);
    request.overrides.extend(args.gate.overrides());
    request.overrides.extend(args.replays.overrides());
    request.overrides.extend(args.changed.overrides());
    let suite = config::load(&request)?;
    shell.notices(&suite.notices);
    let base = match &args.out {
        Some(out) => out.clone(),
        None => suite.target_dir()?.join("droidtest"),
    };
    let mut plan = args.sharding.apply(Plan::new(&suite)?, shell)?;
    let earlier = args.resume.as_ref().map(|run| {
        RunFolder::find(base.as_std_path(), Some(run.as_str()))
            .map_err(|e| Failure::Other(ExitCode::BadInput, format!("{run} is not a run: {e}")))
    });
    let earlier = earlier.transpose()?;
    let gate = match gate::of_run(&suite, earlier.as_ref())? {
        None => None,
        Some(gate) => {
            let baseline = gate::read_baseline(&suite.on_disk(&gate.baseline))?;
            let replays = gate::replays(&suite, &gate, &baseline, shell)?;
            Some((gate, baseline, replays))
        }
    };
    if let Some(earlier) = &earlier {
        plan = run::resumed(earlier, plan).map_err(refused)?;
    }
    let corpus = corpus::of_run(
        &suite,
        args.corpus.as_deref(),
        earlier.as_ref(),
        &plan,
        shell,
    )?;
    if plan.entries.is_empty() {
        shell.warn("this shard has no sessions: there are more shards than sessions");
    }
    let inputs = Inputs::gather(&suite, &plan, &crate::config::process_env())?;
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let options = Options {
        base: base.into_std_path_buf(),
        run_id: args.run_id.clone(),
        jobs: global.jobs.map_or(processors, std::num::NonZeroUsize::get),
        offline: global.offline,
        corpus,
        gate: gate.as_ref().map(|(.., replays)| replays.clone()),
        bench: false,
        resume: earlier,
        // Shards of one plan must not depend on what each machine has seen before.
        reuse: suite.settings.suite.reuse.unwrap_or(plan.shard.is_none()),
    };
    let stop = Stop::default();
    tell_jobs(global, &plan, shell);
    let mut live = live(&suite, &plan, shell, false);
    if let Some((_, baseline, _)) = &gate {
        live.known = gate::known(&plan, baseline);
    }
    let live = Arc::new(live);
    let reported = Arc::clone(&live);
    on_ctrl_c(&stop, move || {
        reported.say(
            Tone::Warn,
            "Stopping",
            "after this event; press Ctrl-C again to stop immediately",
        );
    })?;
    let mut observer: Arc<dyn run::Observer> = Arc::clone(&live) as _;
    let watch = args.live.start(named(&suite, &plan, false), shell)?;
    if let Some(watch) = &watch {
        observer = Arc::new(Both(observer, Arc::clone(watch) as _));
    }
    let outcome =
        run::execute(&suite, &plan, &inputs, &options, &observer, &stop).map_err(refused)?;
    corpus::tell_added(&options, &outcome, shell);
    let reports = &suite.settings.report;
    let judge = gate.as_ref().map(|(gate, baseline, _)| {
        |run: &RunSummary| gate::judge(run, &outcome.folder, baseline, gate)
    });
    let wanted = Finish {
        judge: judge.as_ref().map(|judge| judge as &report::Judge<'_>),
        options: report::Options {
            junit: reports.junit,
            html: reports.html,
            sarif: reports.sarif,
        },
        coverage: !outcome.interrupted,
        github: reports.github,
    };
    let preparing = super::preparation::watch(shell, stop.flag());
    let record = finish(&outcome.folder, &wanted, preparing, shell)?;
    let summary = &record.summary;
    live.finish(summary);
    if let Some(verdict) = &record.verdict {
        live.judged(verdict);
    }
    let open = unminimized(summary);
    // Errors that are not in the sessions' results.
    if outcome.interrupted && !summary.interrupted && open > 0 {
        shell.warn(&format!(
            "interrupted while minimizing: {open} findings keep their original steps; `cargo droidtest minimize {}` continues",
            outcome.folder.path().display()
        ));
    }
    let total = suite.settings.suite.total.filter(|_| outcome.used_up);
    if let Some(total) = total.filter(|_| !stop.requested()) {
        let open = if suite.settings.minimize.enabled {
            open
        } else {
            0
        };
        used_up(total, &outcome, open, shell);
    }
    Ok(if stop.requested() {
        ExitCode::Interrupted
    } else {
        exit_code(&outcome, &record)
    })
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

/// Why a run could not be performed, as an exit code and words.
pub fn refused(error: RunError) -> Failure {
    let code = match &error {
        RunError::Prepare(PrepareError::Interrupted) => return Failure::Interrupted,
        RunError::Prepare(PrepareError::Build { .. }) => ExitCode::BuildFailed,
        RunError::Prepare(
            PrepareError::Unreadable { .. } | PrepareError::Base { .. } | PrepareError::Changed(_),
        ) => ExitCode::Config,
        RunError::Folder { .. } => ExitCode::OutputNotWritten,
        RunError::NoBench { .. } | RunError::NotResumed { .. } => ExitCode::BadInput,
        RunError::Worker(_) => ExitCode::Internal,
        RunError::Learned(_) | RunError::Model { .. } => ExitCode::Config,
    };
    if let RunError::Learned(problems) = error {
        return problems.into();
    }
    Failure::Other(code, error.to_string())
}

/// Says where fewer sessions run side by side than the user requested.
pub fn tell_jobs(global: &Global, plan: &Plan, shell: &Shell) {
    let counts = plan
        .entries
        .iter()
        .map(|s| (&s.device.name, s.device.at_once()));
    let counts: BTreeMap<_, _> = counts.collect();
    let at_once: u64 = counts.values().map(|count| u64::from(*count)).sum();
    let jobs = global.jobs.map_or(0, |jobs| jobs.get() as u64);
    if jobs > at_once && plan.entries.len() as u64 > at_once {
        let names: Vec<_> = counts.keys().map(|name| format!("`{name}`")).collect();
        shell.warn(&format!(
            "{at_once} at a time, not {jobs}: `count` limits the number of {}",
            names.join(", ")
        ));
    }
}

/// The live lines of the plan's sessions.
pub fn live(suite: &Suite, plan: &Plan, shell: &Shell, bench: bool) -> Live {
    let style = Style {
        paint: shell.paint(),
        live: std::io::stderr().is_terminal(),
        quiet: shell.verbosity() == Verbosity::Quiet,
        json: shell.format() == MessageFormat::Json,
    };
    Live::new(named(suite, plan, bench), style)
}

/// The plan's sessions with their budgets.
fn named(suite: &Suite, plan: &Plan, bench: bool) -> Vec<Named> {
    let named = |session: &run::plan::Session| Named {
        name: session.name.clone(),
        budget: run::budget::budget(suite, session, bench),
    };
    plan.entries.iter().map(named).collect()
}

/// The exit code of the run: by its gate, or of any finding that is more than a warning.
fn exit_code(outcome: &Outcome, run: &RunRecord) -> ExitCode {
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

/// The first Ctrl-C ends the work cleanly, the second exits immediately.
pub fn stop_on_ctrl_c(stop: &Stop) -> Result<(), Failure> {
    on_ctrl_c(stop, || {})
}

/// The same, with words at the first.
fn on_ctrl_c(stop: &Stop, tell: impl Fn() + Send + 'static) -> Result<(), Failure> {
    let asked = stop.clone();
    let heard = move || {
        if asked.requested() {
            leave();
        }
        asked.request();
        tell();
    };
    ctrlc::set_handler(heard)
        .map_err(|e| Failure::Other(ExitCode::Internal, format!("cannot listen for Ctrl-C: {e}")))
}

/// Exits immediately, without the libraries' exit handlers: libtorch takes down there what other threads still
/// compute with.
#[cfg(unix)]
fn leave() -> ! {
    // SAFETY: the C library's own `_exit`, which takes any number and touches no memory of ours.
    #[allow(unsafe_code)]
    unsafe extern "C" {
        safe fn _exit(code: std::ffi::c_int) -> !;
    }
    _exit(ExitCode::Interrupted.code().into())
}

/// The same, where no other thread is left when libraries are taken down.
#[cfg(not(unix))]
fn leave() -> ! {
    std::process::exit(ExitCode::Interrupted.code().into())
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
