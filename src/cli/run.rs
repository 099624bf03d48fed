//! `run`: explore the apps of the suite.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::Failure;
use super::args::{Global, Selection, Sharding, run_id};
use super::ask;
use super::changed::ChangedFlags;
use super::corpus;
use super::ending;
use super::finish::{Finish, finish};
use super::gate::{self, GateFlags, ReplayFlags};
use super::live::LiveFlags;
use super::run_apps;
use super::shell::{MessageFormat, Shell};
use crate::config::Suite;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::RunFolder;
use crate::outcome::summary::RunSummary;
use crate::report::console::Tone;
use crate::report::progress::{Live, Named, Scope, Style};
use crate::report::{self, Rendered};
use crate::run::both::Both;
use crate::run::local_files::LocalFiles;
use crate::run::prepare::PrepareError;
use crate::run::{self, Inputs, Options, Plan, RunError, Slots};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Apps to explore instead of the suite's: APKs, sets (.apks, .xapk, .apkm), bundles (.aab), folders, or patterns in
    /// quotes. No suite is required then
    #[arg(value_name = "APK", value_hint = ValueHint::AnyPath)]
    apks: Vec<Utf8PathBuf>,
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
    /// Ask the questions of scripts, on this terminal and in the live view: `ask` of [[app.script]]
    #[arg(long)]
    ask: bool,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// The name of this run's folder [default: the time]
    #[arg(
        long,
        value_name = "NAME",
        env = RUN_ID,
        hide_env_values = true,
        value_parser = run_id
    )]
    run_id: Option<String>,
    /// Continue a run that was killed or interrupted: its folder, its name below the folder of
    /// all runs, or latest
    #[arg(long, value_name = "RUN", value_hint = ValueHint::DirPath)]
    resume: Option<Utf8PathBuf>,
}

/// Names the folders of new runs.
const RUN_ID: &str = "DROIDTEST_RUN_ID";

impl Args {
    /// The name of a new run's folder. A run that continues has its own: it takes no name but the environment's, which is
    /// for new runs.
    fn new_run_id(&self) -> Result<Option<&String>, Failure> {
        let of_environment = || std::env::var(RUN_ID).ok();
        match (&self.run_id, &self.resume) {
            (Some(id), Some(_)) if of_environment().as_ref() != Some(id) => Err(Failure::Other(
                ExitCode::Usage,
                "--resume continues a run under its own name: leave out --run-id".to_owned(),
            )),
            (_, Some(_)) => Ok(None),
            (id, None) => Ok(id.as_ref()),
        }
    }
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let mut request = global.request(&args.selection);
    request.overrides.extend(args.gate.overrides());
    request.overrides.extend(args.replays.overrides());
    request.overrides.extend(args.changed.overrides());
    let suite = run_apps::load(request, &args.apks, global.offline, shell)?;
    shell.notices(&suite.notices);
    let base = match &args.out {
        Some(out) => out.clone(),
        None => suite.target_dir()?.join("droidtest"),
    };
    let run_id = args.new_run_id()?;
    if let Some(id) = run_id {
        unused(base.join(id).as_std_path(), id)?;
    }
    let mut plan = args.sharding.apply(Plan::new(&suite)?, shell)?;
    plan.has_devices(&suite)?;
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
    let options = Options {
        base: base.into_std_path_buf(),
        run_id: run_id.cloned(),
        jobs: global.jobs(),
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
    let mut live = live(&suite, &plan, shell, options.jobs, false);
    live.begin();
    if let Some((_, baseline, _)) = &gate {
        live.known = gate::known(&plan, baseline);
    }
    let asks = ask::of_run(args.ask, args.live.live.is_some(), &plan, shell);
    if asks {
        live.asks = ask::terminal(live.bars());
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
    let watch = args.live.start(named(&suite, &plan, false), asks, shell)?;
    if let Some(watch) = &watch {
        observer = Arc::new(Both(observer, Arc::clone(watch) as _));
    }
    let outcome = run::execute(&suite, &plan, &inputs, &options, &observer, &stop);
    let outcome = outcome.map_err(refused).inspect_err(|failure| {
        if matches!(failure, Failure::Interrupted) {
            shell.warn("interrupted before a session started; the same command starts again");
        }
    })?;
    corpus::tell_added(&options, &outcome, shell);
    let reports = &suite.settings.report;
    let judge = gate.as_ref().map(|(gate, baseline, _)| {
        |run: &RunSummary| gate::judge(run, &outcome.folder, baseline, gate)
    });
    let files = LocalFiles::new(Some(&suite), &[]);
    let wanted = Finish {
        judge: judge.as_ref().map(|judge| judge as &report::Judge<'_>),
        options: report::Options {
            junit: reports.junit,
            html: reports.html,
            sarif: reports.sarif,
        },
        coverage: (!outcome.interrupted).then_some(&files),
        github: reports.github,
    };
    let preparing = super::preparation::watch(shell, stop.flag());
    let Rendered {
        run: record,
        written,
    } = finish(&outcome.folder, &wanted, preparing, shell)?;
    let summary = &record.summary;
    let code = if stop.requested() {
        ExitCode::Interrupted
    } else {
        ending::exit_code(&outcome, &record)
    };
    let end = ending::of(&plan, &outcome, code);
    live.finish(summary, record.verdict.as_ref(), &written, &end);
    if outcome.interrupted {
        shell.notices(&ending::interrupted(&end));
    }
    ending::left_over(&suite, &outcome, summary, &stop, shell);
    Ok(code)
}

/// Refuses a run ID that a folder has, before anything starts.
///
/// # Errors
/// The folder exists.
fn unused(folder: &Path, id: &str) -> Result<(), Failure> {
    if folder.symlink_metadata().is_err() {
        return Ok(());
    }
    let continues = if folder.join("run.json").is_file() {
        format!(", or continue that run with `--resume {id}`")
    } else {
        String::new()
    };
    Err(Failure::Other(
        ExitCode::Usage,
        format!(
            "--run-id {id}: {} exists already; choose another name{continues}",
            report::console::near(folder)
        ),
    ))
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
    let slots = Slots::new(global.jobs());
    let at_once = slots.at_once(&plan.entries);
    let jobs = global.jobs.map_or(0, NonZeroUsize::get);
    if jobs > at_once && plan.entries.len() > at_once {
        let devices = plan.entries.iter().map(|s| (&s.device.name, &s.device));
        let limits = devices
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .map(|(name, device)| match slots.reason(device) {
                Some(why) => format!("{} on `{name}` ({why})", slots.of(device)),
                None => format!("`count` limits the number of `{name}`"),
            });
        let limits: Vec<_> = limits.collect();
        shell.warn(&format!(
            "{at_once} at a time, not {jobs}: {}",
            limits.join(", ")
        ));
    }
}

/// The live lines of the plan's sessions. `jobs`: `-j`.
pub fn live(suite: &Suite, plan: &Plan, shell: &Shell, jobs: usize, bench: bool) -> Live {
    let style = Style {
        paint: shell.paint(),
        live: std::io::stderr().is_terminal(),
        verbosity: shell.verbosity(),
        json: shell.format() == MessageFormat::Json,
    };
    let total = suite.settings.suite.total.filter(|_| !bench);
    let scope = Scope {
        suite: suite.name().to_owned(),
        at_once: Slots::new(jobs).at_once(&plan.entries),
        total: total.map(|total| total.0),
    };
    Live::new(named(suite, plan, bench), scope, style)
}

/// The plan's sessions as the live lines and the live view name them.
fn named(suite: &Suite, plan: &Plan, bench: bool) -> Vec<Named> {
    let named = |session: &run::plan::Session| Named {
        name: session.name.clone(),
        app: session.app.name.clone(),
        device: (session.device.name.clone(), session.device.kind_name()),
        strategy: session.strategy.name().to_owned(),
        seed: session.seed,
        budget: run::budget::budget(suite, session, bench),
    };
    plan.entries.iter().map(named).collect()
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

/// Exits immediately, without the libraries' exit handlers: one may take down there what other threads still compute
/// with (libtorch, in a build with it).
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
