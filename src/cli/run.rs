//! `run`: explore the apps of the suite.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::args::{Global, Selection};
use super::finish::{Finish, finish};
use super::run_console::Console;
use super::shell::Shell;
use super::{Failure, load};
use crate::config::GithubSummary;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{FindingSummary, RunSummary};
use crate::report;
use crate::run::execute::SessionFailed;
use crate::run::prepare::PrepareError;
use crate::run::{self, Inputs, Options, Outcome, Plan, RunError};
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// The name of this run's folder [default: the time]
    #[arg(
        long,
        value_name = "NAME",
        env = "DROIDTEST_RUN_ID",
        hide_env_values = true
    )]
    run_id: Option<String>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let suite = load(global, &args.selection)?;
    let plan = Plan::new(&suite)?;
    let inputs = Inputs::gather(&suite, &plan, &crate::config::process_env())?;
    let base = match &args.out {
        Some(out) => out.clone(),
        None => suite.target_dir()?.join("droidtest"),
    };
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let options = Options {
        base: base.into_std_path_buf(),
        run_id: args.run_id.clone(),
        jobs: global.jobs.map_or(processors, std::num::NonZeroUsize::get),
        offline: global.offline,
    };
    let stop = Stop::default();
    listen_for_ctrl_c(&stop, *shell)?;
    let console = Arc::new(Console::new(*shell, &plan));
    let watch: Arc<dyn run::Watch> = console;
    let outcome = run::execute(&suite, &plan, &inputs, &options, &watch, &stop).map_err(|e| {
        let code = match &e {
            RunError::Prepare(PrepareError::Build { .. }) => ExitCode::BuildFailed,
            RunError::Prepare(PrepareError::Unreadable { .. }) => ExitCode::Config,
            RunError::Folder { .. } => ExitCode::OutputNotWritten,
            RunError::Worker(_) => ExitCode::Internal,
        };
        Failure::Other(code, e.to_string())
    })?;
    let reports = &suite.settings.report;
    let github = match reports.github {
        GithubSummary::Auto => std::env::var_os("GITHUB_ACTIONS").is_some(),
        GithubSummary::On => true,
        GithubSummary::Off => false,
    };
    let wanted = Finish {
        options: report::Options {
            junit: reports.junit,
            html: reports.html,
        },
        coverage: !outcome.interrupted,
        github,
    };
    let preparing = super::preparation::watch(shell, stop.flag());
    let summary = finish(&outcome.folder, &wanted, &preparing, shell)?;
    Ok(exit_code(&outcome, &summary))
}

/// What the run means to whoever waits for it.
fn exit_code(outcome: &Outcome, summary: &RunSummary) -> ExitCode {
    let counts = |f: &FindingSummary| !f.warning;
    let ended = || outcome.ended.iter().flatten();
    let unwritten = |done: &Result<_, _>| matches!(done, Err(SessionFailed::Output(_)));
    let failed = |done: &Result<_, _>| matches!(done, Err(_) | Ok(EndReason::DeviceLost));
    if outcome.interrupted {
        ExitCode::Interrupted
    } else if ended().any(unwritten) {
        ExitCode::OutputNotWritten
    } else if summary
        .sessions
        .iter()
        .flat_map(|s| &s.findings)
        .any(counts)
    {
        ExitCode::Findings
    } else if ended().any(failed) {
        ExitCode::DeviceUnavailable
    } else {
        ExitCode::Ok
    }
}

/// The first Ctrl-C ends all sessions in good order, the second the program at once.
fn listen_for_ctrl_c(stop: &Stop, shell: Shell) -> Result<(), Failure> {
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.requested() {
            std::process::exit(i32::from(ExitCode::Interrupted.code()));
        }
        asked.request();
        shell.status("Stopping", "after this event; once more to end at once");
    })
    .map_err(|e| Failure::Other(ExitCode::Internal, format!("cannot listen for Ctrl-C: {e}")))
}
