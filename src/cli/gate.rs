//! `gate`: judge finished runs against a baseline, and keep the baseline up to date.

mod flags;

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::args::{Global, Selection};
use super::finish::{Finish, finish};
use super::report::not_found;
use super::shell::{MessageFormat, Shell};
use super::{Failure, load, preparation, traces};
use crate::config::{Gate, GithubSummary, Suite};
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::gate::{self, Baseline, BaselineError};
use crate::outcome::folder::{RunFolder, RunInfo};
use crate::outcome::summary::RunSummary;
use crate::outcome::verdict::Verdict;
use crate::report::console::near;
use crate::report::progress;
use crate::report::{self, Options};
use crate::run::Plan;
use crate::run::gate::{Known, Replays};
use crate::util::text::for_terminal;
pub use flags::{GateFlags, ReplayFlags};
use serde_json::json;
use std::path::Path;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// The folders of the runs, or their names below the folder of all runs [default: latest]
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    runs: Vec<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    #[command(flatten)]
    flags: GateFlags,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What to do with the baseline.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Create the baseline from a run; without a run, an empty one
    Init(BaselineArgs),
    /// Rewrite the tool's entries of the baseline from a run
    Update(BaselineArgs),
}

/// A run and a baseline.
#[derive(Debug, clap::Args)]
struct BaselineArgs {
    /// The run's folder, or its name below the folder of all runs [default for `update`: latest]
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    run: Option<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// The baseline's file [default: the suite's]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    baseline: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let scene = Scene::load(global)?;
    match &args.command {
        None => judge_all(&scene, args, shell),
        Some(Command::Init(args)) => scene.write(args, shell, true),
        Some(Command::Update(args)) => scene.write(args, shell, false),
    }
}

/// Judges runs; the worst one decides the exit code.
fn judge_all(scene: &Scene, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let latest = ["latest".into()];
    let runs = if args.runs.is_empty() {
        &latest
    } else {
        &args.runs[..]
    };
    let mut worst = ExitCode::Ok;
    for name in runs {
        let folder = scene.find(args.out.as_deref(), Some(name))?;
        let gate = args.flags.over(scene.settings(&folder)?);
        // A run may be anyone's: what is in a file that only it names is not shown.
        let is_own = scene.suite.is_some() || args.flags.baseline.is_some();
        let baseline = scene.baseline(&gate.baseline).map_err(|failure| match is_own {
            true => failure,
            false => {
                let path = plain(gate.baseline.as_str());
                let message = format!(
                    "{path}, which the run names as its baseline, is none: name one with --baseline"
                );
                Failure::Other(ExitCode::Config, message)
            }
        })?;
        let judge = |run: &RunSummary| judge(run, &folder, &baseline, &gate);
        let stop = Stop::default();
        let wanted = Finish {
            options: Options::default(),
            coverage: None,
            github: scene.github(),
            judge: Some(&judge),
        };
        let watch = preparation::watch(shell, stop.flag());
        let Some(verdict) = finish(&folder, &wanted, watch, shell)?.run.verdict else {
            continue;
        };
        if shell.format() == MessageFormat::Json {
            let line = json!({ "e": "gate", "run": folder.path(), "verdict": verdict });
            shell.print(&format!("{line}\n"))?;
        }
        let code = code(&verdict);
        if rank(code) > rank(worst) {
            worst = code;
        }
    }
    Ok(worst)
}

/// How much a code outweighs others.
fn rank(code: ExitCode) -> u8 {
    match code {
        ExitCode::Findings => 3,
        ExitCode::LimitExceeded => 2,
        ExitCode::Incomplete => 1,
        _ => 0,
    }
}

/// The exit code of a verdict.
pub fn code(verdict: &Verdict) -> ExitCode {
    let all = ExitCode::ALL.iter();
    let code = all.copied().find(|code| code.code() == verdict.exit_code);
    code.unwrap_or(ExitCode::Internal)
}

/// A run in its folder, judged today.
pub fn judge(run: &RunSummary, folder: &RunFolder, baseline: &Baseline, gate: &Gate) -> Verdict {
    let today = jiff::Zoned::now().date();
    gate::judge(run, baseline, &crate::run::gate::read(folder), gate, today)
}

/// Reads a baseline; errors name the file, the line and the fix.
pub fn read_baseline(path: &Utf8Path) -> Result<Baseline, Failure> {
    // The file of a pull request may be a stranger's: its text starts no line.
    let config = |e: BaselineError| Failure::Other(ExitCode::Config, plain(&e.to_string()));
    Baseline::read(path.as_std_path()).map_err(config)
}

/// Text without control characters and line ends.
fn plain(text: &str) -> String {
    for_terminal(text).into_owned()
}

/// `[gate]` of the suite and its flags; of the earlier run where the run continues one, and neither sets it.
///
/// # Errors
/// The earlier run's cannot be understood.
pub fn of_run(suite: &Suite, earlier: Option<&RunFolder>) -> Result<Option<Gate>, Failure> {
    if let Some(gate) = &suite.settings.gate {
        return Ok(Some(gate.clone()));
    }
    match earlier {
        Some(earlier) => stored(earlier),
        None => Ok(None),
    }
}

/// `[gate]` that a run was made with.
fn stored(folder: &RunFolder) -> Result<Option<Gate>, Failure> {
    let unreadable = |e: String| Failure::Other(ExitCode::BadInput, e);
    let info: RunInfo = folder.info().map_err(|e| unreadable(e.to_string()))?;
    let gate = info.gate.map(serde_json::from_value).transpose();
    gate.map_err(|e| unreadable(format!("{}: `gate`: {e}", folder.info_path().display())))
}

/// The suite of the working folder, if there is one.
struct Scene {
    suite: Option<Suite>,
}

impl Scene {
    fn load(global: &Global) -> Result<Self, Failure> {
        match load(global, &Selection::default()) {
            Ok(suite) => Ok(Self { suite: Some(suite) }),
            // A run can be judged where its suite is missing, not where it is wrong.
            Err(problems) if problems.no_suite() => Ok(Self { suite: None }),
            Err(problems) => Err(problems.into()),
        }
    }

    fn find(
        &self,
        out: Option<&Utf8Path>,
        run: Option<&Utf8PathBuf>,
    ) -> Result<RunFolder, Failure> {
        let suite = self.suite.as_ref();
        let base = match out {
            Some(out) => out.to_owned(),
            None => suite
                .and_then(|suite| suite.target_dir().ok())
                .unwrap_or_else(|| "target".into())
                .join("droidtest"),
        };
        let name = run.map(|name| name.as_str()).filter(|n| *n != "latest");
        RunFolder::find(base.as_std_path(), name)
            .map_err(|e| Failure::Other(ExitCode::BadInput, not_found(&e, name)))
    }

    /// Whether GitHub Actions shows the result: as the suite says.
    fn github(&self) -> GithubSummary {
        let suite = self.suite.as_ref();
        suite.map_or(GithubSummary::Auto, |suite| suite.settings.report.github)
    }

    /// `[gate]` of the suite, else of the run.
    fn settings(&self, folder: &RunFolder) -> Result<Gate, Failure> {
        match self
            .suite
            .as_ref()
            .and_then(|suite| suite.settings.gate.clone())
        {
            Some(gate) => Ok(gate),
            None => Ok(stored(folder)?.unwrap_or_default()),
        }
    }

    fn on_disk(&self, path: &Utf8Path) -> Utf8PathBuf {
        let suite = self.suite.as_ref();
        suite.map_or_else(|| path.to_owned(), |suite| suite.on_disk(path))
    }

    fn baseline(&self, path: &Utf8Path) -> Result<Baseline, Failure> {
        read_baseline(&self.on_disk(path))
    }

    /// Creates or updates the baseline.
    fn write(&self, args: &BaselineArgs, shell: &Shell, new: bool) -> Result<ExitCode, Failure> {
        let run = match (&args.run, new) {
            (None, true) => None,
            (run, _) => Some(self.find(args.out.as_deref(), run.as_ref())?),
        };
        let mut gate = match (&run, &self.suite) {
            (Some(folder), _) => self.settings(folder)?,
            (None, Some(suite)) => suite.settings.gate.clone().unwrap_or_default(),
            (None, None) => Gate::default(),
        };
        match &args.baseline {
            Some(file) => gate.baseline.clone_from(file),
            // A run's folder may be a stranger's: it does not decide what is written.
            None if self.suite.is_none() => {
                let message = "there is no suite that names the baseline: name it with --baseline";
                return Err(Failure::Other(ExitCode::Config, message.into()));
            }
            None => {}
        }
        let path = self.on_disk(&gate.baseline);
        if new && path.exists() {
            let message = format!("{path} exists: `cargo droidtest gate update` rewrites it");
            return Err(Failure::Other(ExitCode::Config, message));
        }
        let baseline = read_baseline(&path)?;
        let today = jiff::Zoned::now().date();
        let (summary, verdict, folder) = match &run {
            Some(folder) => {
                let record = report::summarize::read(folder)
                    .map_err(|e| Failure::Other(ExitCode::BadInput, e.to_string()))?;
                let verdict = judge(&record.summary, folder, &baseline, &gate);
                (record.summary, verdict, folder.path())
            }
            None => {
                let nothing = RunSummary::default();
                let verdict = gate::judge(&nothing, &baseline, &[], &gate, today);
                (nothing, verdict, Path::new(""))
            }
        };
        let shard = run.as_ref().and_then(|run| run.info().ok()?.whole?.shard);
        let is_shard = shard.is_some_and(|shard| shard.index.is_some());
        let updated = gate::update(&baseline, &summary, folder, &verdict, (today, is_shard))
            .map_err(|e| Failure::Other(ExitCode::OutputNotWritten, plain(&e.to_string())))?;
        for name in &updated.added {
            shell.status("Added", name);
        }
        for name in &updated.removed {
            shell.status("Removed", name);
        }
        let entries = match updated.kept + updated.added.len() {
            1 => "1 entry".to_owned(),
            count => format!("{count} entries"),
        };
        shell.status(
            "Written",
            &format!("{}: {entries}", near(path.as_std_path())),
        );
        for why in &verdict.incomplete {
            shell.warn(&format!("the run is incomplete: {why}"));
        }
        Ok(ExitCode::Ok)
    }
}

/// Creates an empty baseline.
pub fn create_empty(baseline: Utf8PathBuf, shell: &Shell) -> Result<(), Failure> {
    let args = BaselineArgs {
        run: None,
        out: None,
        baseline: Some(baseline),
    };
    Scene { suite: None }.write(&args, shell, true).map(drop)
}

/// Marks the findings that are in a baseline.
pub fn known(plan: &Plan, baseline: &Baseline) -> Box<progress::Known> {
    let apps: Vec<String> = plan.entries.iter().map(|s| s.app.name.clone()).collect();
    let baseline = baseline.clone();
    let today = jiff::Zoned::now().date();
    Box::new(move |session, finding| {
        let app = apps.get(session)?;
        let status = baseline.status(app, &finding.fingerprint, today)?;
        Some(status.name())
    })
}

/// What the gate of a run replays.
///
/// # Errors
/// A trace of the baseline cannot be understood, or is of another app.
pub fn replays(
    suite: &Suite,
    gate: &Gate,
    baseline: &Baseline,
    shell: &Shell,
) -> Result<Replays, Failure> {
    let mut known = Vec::new();
    for (app, fingerprint, file) in baseline.traces() {
        let file = match file {
            Ok(file) => file,
            Err(why) => {
                shell.warn(&plain(&format!("{why}: the known finding is not replayed")));
                continue;
            }
        };
        let file = Utf8PathBuf::from_path_buf(file).map_err(|file| {
            Failure::Other(ExitCode::Config, format!("{} is not UTF-8", file.display()))
        })?;
        let trace = traces::read(&file, shell)?;
        if !trace.app.name.is_empty() && trace.app.name != app {
            let message = format!(
                "{file} is a trace of the app `{}`, and the baseline {} has it for `{app}`: run `cargo droidtest gate update`, or delete `trace` there",
                trace.app.name,
                baseline.path.display()
            );
            return Err(Failure::Other(ExitCode::Config, plain(&message)));
        }
        if trace.finding.is_none() {
            let message = format!(
                "{file} has no [finding], and the baseline {} names it for {fingerprint}: run `cargo droidtest gate update`, or delete `trace` there",
                baseline.path.display()
            );
            return Err(Failure::Other(ExitCode::Config, plain(&message)));
        }
        known.push(Known {
            app: app.to_owned(),
            fingerprint: fingerprint.to_owned(),
            trace,
        });
    }
    Ok(Replays {
        known,
        listed: baseline.listed(),
        base: gate.base.iter().map(|file| suite.on_disk(file)).collect(),
        base_mapping: gate.base_mapping.clone(),
        confirm: gate.confirm.clone(),
        replays: gate.replays,
    })
}
