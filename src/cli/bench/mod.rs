//! `bench`: compare strategies over apps and seeds.

mod compare;
mod fate;

use camino::Utf8PathBuf;
use clap::ValueHint;
use std::path::Path;
use std::sync::Arc;

use crate::bench::{self, measure::Measured};
use crate::cli::args::{Global, Selection, run_id};
use crate::cli::shell::{MessageFormat, Shell};
use crate::cli::{Failure, load};
use crate::config::Suite;
use crate::device::progress::Watch;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::{PlannedSession, RunFolder, RunInfo, pretty, write_whole};
use crate::outcome::run_event::EndReason;
use crate::run::local_files::LocalFiles;
use crate::run::{self, Inputs, Options, Plan};

/// Findings are counted by a comparison; they are not a verdict on the app.
const EXIT_CODES: &str = "Exit codes:\n    0  the strategies are compared, whatever their sessions found \
    (`run` ends with 100 where there are findings)\n  106  the total time ended before all sessions started; the same \
    command runs the others\n  107  no session could run\n  130  interrupted; the same \
    command continues where it stopped\n       The others are those of `cargo droidtest --help`";

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    selection: Selection,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// The name of the bench's folder; finished sessions in it are not run again [default: bench-<suite>]
    #[arg(long, value_name = "NAME", value_parser = run_id)]
    run_id: Option<String>,
    /// Explore nothing: compare the sessions in the folder
    #[arg(long)]
    no_run: bool,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Compare strategies on FATE models, thousands of steps in milliseconds
    Fate(Box<fate::Args>),
    /// Compare the sessions of several benches, of one machine or several
    Compare(compare::Args),
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    match &args.what {
        Some(What::Fate(args)) => return fate::main(global, args, shell),
        Some(What::Compare(args)) => return compare::main(args, shell),
        None => {}
    }
    let suite = load(global, &args.selection)?;
    shell.notices(&suite.notices);
    let plan = Plan::new(&suite)?;
    plan.has_no_group(&suite, "`bench`")?;
    let base = match &args.out {
        Some(out) => out.clone(),
        None => suite.target_dir()?.join("droidtest"),
    };
    let id = args
        .run_id
        .clone()
        .unwrap_or_else(|| format!("bench-{}", suite.name()));
    let stop = Stop::default();
    crate::cli::run::stop_on_ctrl_c(&stop)?;
    let (mut lost, mut open) = (false, false);
    let folder = if args.no_run {
        let folder = RunFolder::find(base.as_std_path(), Some(&id))
            .map_err(|e| Failure::Other(ExitCode::NothingSelected, e.to_string()))?;
        run::of_a_bench(&folder, &suite).map_err(crate::cli::run::refused)?;
        folder
    } else {
        let options = Options {
            base: base.into_std_path_buf(),
            run_id: Some(id),
            jobs: global.jobs(),
            offline: global.offline,
            corpus: None,
            gate: None,
            bench: true,
            resume: None,
            reuse: suite.settings.suite.reuse.unwrap_or(false),
        };
        crate::cli::run::tell_jobs(global, &plan, shell);
        let outcome = explore(&suite, &plan, &options, shell, &stop)?;
        let failed = |end: &_| matches!(end, Some(Err(_) | Ok(EndReason::DeviceLost)));
        open = left_over(&suite, &outcome, shell);
        lost = !plan.entries.is_empty() && outcome.ended.iter().all(failed);
        outcome.folder
    };
    let mut info = folder
        .info()
        .map_err(|e| Failure::Other(ExitCode::BadInput, e.to_string()))?;
    if args.no_run {
        chosen(&mut info, &plan)?;
    }
    let watch = crate::cli::preparation::watch(shell, stop.flag());
    if !stop.requested() && !args.no_run {
        let files = LocalFiles::new(Some(&suite), &[]);
        for problem in run::coverage::report(&folder, &info, &files, &watch) {
            shell.warn(&problem);
        }
    }
    compare(&suite, &folder, &info, &watch, shell)?;
    Ok(if stop.requested() {
        ExitCode::Interrupted
    } else if lost {
        ExitCode::DeviceUnavailable
    } else if open {
        ExitCode::Incomplete
    } else {
        ExitCode::Ok
    })
}

/// Did the total time end before all sessions started? Reported to the user.
fn left_over(suite: &Suite, outcome: &run::Outcome, shell: &Shell) -> bool {
    let open = outcome.ended.iter().filter(|ended| ended.is_none()).count();
    let total = suite.settings.suite.total;
    let total = total.filter(|_| outcome.used_up && !outcome.interrupted && open > 0);
    if let Some(total) = total {
        let all = outcome.ended.len();
        shell.warn(&format!(
            "the total time ({total}) was used up before {open} of {all} sessions started; the same command runs them"
        ));
    }
    total.is_some()
}

fn explore(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    shell: &Shell,
    stop: &Stop,
) -> Result<run::Outcome, Failure> {
    let inputs = Inputs::gather(suite, plan, &crate::config::process_env())?;
    let live = Arc::new(crate::cli::run::live(
        suite,
        plan,
        shell,
        options.jobs,
        true,
    ));
    let watch: Arc<dyn run::Observer> = Arc::clone(&live) as _;
    run::execute(suite, plan, &inputs, options, &watch, stop).map_err(crate::cli::run::refused)
}

/// Removes all sessions that are not in the plan; those that the folder has no record of count as never started.
fn chosen(info: &mut RunInfo, plan: &Plan) -> Result<(), Failure> {
    let planned = |s: &PlannedSession| plan.entries.iter().any(|e| e.name == s.session);
    info.sessions.retain(planned);
    if info.sessions.is_empty() {
        let why = format!("run {:?} has none of the selected sessions", info.run);
        return Err(Failure::Other(ExitCode::NothingSelected, why));
    }
    for entry in &plan.entries {
        if info.sessions.iter().all(|s| s.session != entry.name) {
            info.sessions.push(PlannedSession {
                session: entry.name.clone(),
                app: entry.app.name.clone(),
                device: entry.device.name.clone(),
                strategy: entry.strategy.name().to_owned(),
                seed: entry.seed,
                ..PlannedSession::default()
            });
        }
    }
    Ok(())
}

/// The sessions, with the lines that were covered where they are to be compared.
fn measured(
    suite: &Suite,
    folder: &RunFolder,
    info: &RunInfo,
    watch: &Watch,
    shell: &Shell,
) -> Vec<Measured> {
    let cost = |strategy: &str| run::budget::cost(suite, strategy);
    let measured = bench::measure_all(folder, &info.sessions, cost);
    let places = bench::open_places(&measured, &suite.settings.bench.at);
    if places.is_empty() || watch.interrupted() {
        return measured;
    }
    for problem in run::coverage::lines_at(folder, info, &places, watch) {
        shell.warn(&problem);
    }
    bench::measure_all(folder, &info.sessions, cost)
}

/// Writes the report in all its forms, and prints the table.
fn compare(
    suite: &Suite,
    folder: &RunFolder,
    info: &RunInfo,
    watch: &Watch,
    shell: &Shell,
) -> Result<(), Failure> {
    let measured = measured(suite, folder, info, watch, shell);
    for session in &measured {
        if let Some(damage) = &session.damage {
            shell.warn(&format!("{}: {damage}", session.planned.session));
        }
    }
    let report = bench::report(suite.name(), &measured, &suite.settings.bench.at);
    let kept = bench::kept::write(&measured)
        .map_err(|e| Failure::Other(ExitCode::Internal, format!("bench.jsonl: {e}")))?;
    let path = folder.path().join("bench.jsonl");
    write_whole(&path, kept.as_bytes())?;
    shell.status("Wrote", &path.display().to_string());
    show(&report, &measured, folder.path(), shell)
}

/// Writes a comparison to a folder in all its forms, and prints the table.
fn show(
    report: &bench::Report,
    measured: &[Measured],
    folder: &Path,
    shell: &Shell,
) -> Result<(), Failure> {
    let html = bench::html::html(report, measured)
        .map_err(|e| Failure::Other(ExitCode::Internal, format!("bench.html: {e}")))?;
    let json = pretty(report)?;
    let [csv, apps, strategies, pairs, findings] = [
        bench::csv::sessions,
        bench::csv::apps,
        bench::csv::strategies,
        bench::csv::pairs,
        bench::csv::findings,
    ]
    .map(|table| table(report));
    for (name, content) in [
        ("bench.json", json.as_slice()),
        ("bench.csv", csv.as_bytes()),
        ("bench-apps.csv", apps.as_bytes()),
        ("bench-strategies.csv", strategies.as_bytes()),
        ("bench-pairs.csv", pairs.as_bytes()),
        ("bench-findings.csv", findings.as_bytes()),
        ("bench.html", html.as_bytes()),
    ] {
        let path = folder.join(name);
        write_whole(&path, content)?;
        shell.status("Wrote", &path.display().to_string());
    }
    shell.print(&match shell.format() {
        // One line, as each message is.
        MessageFormat::Json => {
            let line = serde_json::json!({"e": "bench", "report": report});
            format!("{line}\n")
        }
        MessageFormat::Human => bench::table::text(report),
    })?;
    Ok(())
}
