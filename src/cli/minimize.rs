//! `minimize`: the fewest steps to a trace's finding, or to every finding of a run.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;
use serde_json::json;
use std::sync::Arc;

use super::args::{Global, Selection};
use super::finish::{Finish, finish};
use super::shell::{MessageFormat, Shell};
use super::traces::{Choice, Scene, read};
use super::{Failure, load};
use crate::config::GithubSummary;
use crate::device::DeviceError;
use crate::device::progress::Watch as Preparing;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::{FindingFolder, RunFolder, write_whole};
use crate::outcome::{Finding, Minimality, Reproduction};
use crate::report::console::{Tone, near, plural};
use crate::repro::Minimized;
use crate::run;
use crate::run::minimize::{How, MinimizeError, Saved, Task, conceal, minimize, save};
use crate::run::replay_devices::{OnProgress, ReplayDevices};
use crate::run::trace_targets::substitutes;
use crate::trace::{Moves, Trace, write};
use crate::util::redact::Redactor;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Traces, or runs: a run's folder, or its name below the folder of all runs
    #[arg(value_name = "TRACE|RUN", required = true, value_hint = ValueHint::AnyPath)]
    what: Vec<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    #[command(flatten)]
    choice: Choice,
}

/// Something to minimize.
enum Given {
    Trace(Utf8PathBuf, Box<Trace>),
    Run(RunFolder),
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    // The first may take minutes, so unreadable files are reported before it.
    let all = args
        .what
        .iter()
        .map(|what| given(global, args, what, shell));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let stop = Stop::default();
    super::run::stop_on_ctrl_c(&stop)?;
    let scene = scene(global, args, &all, &stop)?;
    let work = Work {
        global,
        choice: &args.choice,
        scene: &scene,
        shell,
        stop: &stop,
        jobs: global.jobs.map_or(1, std::num::NonZeroUsize::get),
    };
    let mut codes = Vec::new();
    for given in &all {
        let done = match given {
            Given::Trace(file, trace) => work.trace(file, trace),
            Given::Run(folder) => work.run(folder),
        };
        codes.push(done.unwrap_or_else(|failure| {
            work.say(&failure);
            failure.exit_code()
        }));
        if stop.requested() {
            return Ok(ExitCode::Interrupted);
        }
    }
    Ok(gravest(&codes))
}

/// As in `run` and `replay`: a finding takes precedence over a failure.
fn gravest(codes: &[ExitCode]) -> ExitCode {
    let first = [
        ExitCode::OutputNotWritten,
        ExitCode::Internal,
        ExitCode::Findings,
        ExitCode::Config,
        ExitCode::DeviceUnavailable,
    ];
    let mut grave = first.into_iter().filter(|code| codes.contains(code));
    let other = codes.iter().find(|code| **code != ExitCode::Ok);
    grave.next().or(other.copied()).unwrap_or(ExitCode::Ok)
}

/// The input: the folder of a run, a run's name, or a trace.
fn given(
    global: &Global,
    args: &Args,
    what: &Utf8PathBuf,
    shell: &Shell,
) -> Result<Given, Failure> {
    if what.is_dir()
        && let Ok(folder) = RunFolder::find(what.as_std_path(), None)
            .or_else(|_| RunFolder::find(".".as_ref(), Some(what.as_str())))
    {
        return Ok(Given::Run(folder));
    }
    if !what.is_file() {
        let found = RunFolder::find(runs(global, args).as_std_path(), Some(what.as_str()));
        match found {
            Ok(folder) => return Ok(Given::Run(folder)),
            Err(e) if what.is_dir() => {
                let message = format!("{what} is not a run folder: {e}");
                return Err(Failure::Other(ExitCode::NothingSelected, message));
            }
            Err(_) => {}
        }
    }
    let trace = read(what, shell)?;
    if trace.finding.is_none() {
        let message = format!(
            "{what} has no [finding] to minimize for: add one, or shorten a corpus with `cargo droidtest corpus min`"
        );
        return Err(Failure::Other(ExitCode::Config, message));
    }
    Ok(Given::Trace(what.clone(), Box::new(trace)))
}

/// The folder of all runs.
fn runs(global: &Global, args: &Args) -> Utf8PathBuf {
    args.out.clone().unwrap_or_else(|| {
        load(global, &Selection::default())
            .ok()
            .and_then(|suite| suite.target_dir().ok())
            .unwrap_or_else(|| "target".into())
            .join("droidtest")
    })
}

/// The suite with the apps of all these, and the device that was requested.
fn scene(global: &Global, args: &Args, all: &[Given], stop: &Stop) -> Result<Scene, Failure> {
    let mut choice = args.choice.clone();
    let mut apps = Vec::new();
    for given in all {
        if let (Given::Run(folder), true) = (given, args.choice.apks.is_empty()) {
            let info = folder.info().unwrap_or_default();
            choice
                .apks
                .extend(info.apks.into_iter().map(Utf8PathBuf::from));
        }
        match (given, &choice.app) {
            (_, Some(app)) => apps.push(app.clone()),
            (Given::Trace(_, trace), None) => apps.push(trace.app.name.clone()),
            (Given::Run(folder), None) => {
                let info = folder
                    .info()
                    .map_err(|e| Failure::Other(ExitCode::NothingSelected, e.to_string()))?;
                apps.extend(info.sessions.into_iter().map(|session| session.app));
            }
        }
    }
    Scene::of_apps(global, &choice, apps, stop)
}

struct Work<'a> {
    global: &'a Global,
    choice: &'a Choice,
    scene: &'a Scene,
    shell: &'a Shell,
    stop: &'a Stop,
    jobs: usize,
}

impl Work<'_> {
    /// Reports a failure that does not stop the others.
    fn say(&self, failure: &Failure) {
        match failure {
            Failure::Suite(problems) => self.shell.problems(problems),
            Failure::Rendered(_, text) => {
                self.shell.write_rendered(&format!("{}\n", text.trim_end()))
            }
            other => self.shell.error(&other.to_string()),
        }
    }

    fn unavailable(&self, error: &DeviceError) -> Failure {
        let said = self
            .scene
            .redactor()
            .redact(&error.to_string())
            .into_owned();
        Failure::Other(ExitCode::DeviceUnavailable, said)
    }

    fn preparing(&self) -> (Arc<Preparing>, OnProgress) {
        let watch = Arc::new(super::preparation::watch(self.shell, self.stop.flag()));
        let reported = Arc::clone(&watch);
        (
            watch,
            Arc::new(move |_, done, total| reported.report("preparing", "the device", done, total)),
        )
    }

    /// One trace: did its finding reproduce, or does it no longer fit the app?
    fn trace(&self, file: &Utf8Path, trace: &Trace) -> Result<ExitCode, Failure> {
        let scene = self.scene;
        let (ready, device) = scene.target(trace, file)?;
        if let Some((script, _)) = ready.guide.asked_by(trace).next() {
            let message = format!(
                "{file} types the answer to a question of the script `{script}`, which minimizing would ask for again and again; `replay --ask` replays it"
            );
            return Err(Failure::Other(ExitCode::Config, message));
        }
        if let Some(reported) = substitutes(trace, ready, device) {
            self.shell.status("On", &reported);
        }
        let scratch = tempfile::tempdir()?;
        let (_live, reported) = self.preparing();
        let devices = ReplayDevices {
            suite: &scene.suite,
            ready,
            device,
            seed: trace.seed,
            folder: scratch.path().to_owned(),
            offline: self.global.offline,
            on_progress: reported,
            coverage: false,
            stop: self.stop,
        };
        let folder = place(file);
        folder.create()?;
        let mut moves = Moves::default();
        if let Some(session) = folder.session() {
            moves.add(&session);
        }
        let pictures = FindingFolder::at(scratch.path().join("pictures"));
        pictures.create()?;
        let how = How {
            jobs: self.jobs,
            ..How::default()
        };
        let mut minimized = match minimize(&devices, trace, &moves, how, &pictures) {
            Err(DeviceError::Interrupted) => return Ok(ExitCode::Interrupted),
            done => done.map_err(|e| self.unavailable(&e))?,
        };
        conceal(&mut minimized, &ready.secrets);
        let saved = save(&folder, file.as_std_path(), &pictures, &minimized)?;
        for (finding, trace) in &minimized.others {
            let other = folder.path().join(format!("other-{}.toml", finding.id));
            write_whole(&other, write(trace).as_bytes())?;
        }
        self.tell(file, &folder, &minimized, saved)?;
        let result = &minimized.reproduction;
        Ok(match result.minimality {
            Minimality::NotReproduced if result.diverged.is_some() => ExitCode::Config,
            Minimality::NotReproduced => ExitCode::Ok,
            _ => ExitCode::Findings,
        })
    }

    fn tell(
        &self,
        file: &Utf8Path,
        folder: &FindingFolder,
        done: &Minimized,
        saved: Saved,
    ) -> Result<(), Failure> {
        let result = &done.reproduction;
        let text = match self.shell.format() {
            MessageFormat::Json => {
                let others: Vec<_> = done.others.iter().map(|(finding, _)| &finding.id).collect();
                format!(
                    "{}\n",
                    json!({ "trace": file, "result": result, "others": others })
                )
            }
            MessageFormat::Human => {
                let paint = self.shell.paint_stdout();
                let tone = match result.minimality {
                    Minimality::NotReproduced => Tone::Warn,
                    _ => Tone::Good,
                };
                let mut text =
                    paint.line(tone, "Minimized", &format!("{file}: {}", result.words()));
                for (number, step) in result.steps.iter().enumerate() {
                    text += &paint.line(Tone::Quiet, &format!("{}.", number + 1), step);
                }
                for (finding, _) in &done.others {
                    text += &paint.line(Tone::Warn, "Also found", &finding.title);
                }
                if saved == Saved::Result {
                    text += &paint.line(Tone::Quiet, "Written", &near(&folder.minimized()));
                }
                text
            }
        };
        self.shell.print(&text)?;
        if let Some(said) = saved.words() {
            self.shell
                .warn(&format!("{}: {said}", near(&folder.minimized())));
        }
        Ok(())
    }

    /// All findings of a run: are there any?
    fn run(&self, folder: &RunFolder) -> Result<ExitCode, Failure> {
        let scene = self.scene;
        if let Some(app) = &self.choice.app {
            self.has_app(folder, app)?;
        }
        let (_live, reported) = self.preparing();
        let words = Words(*self.shell, scene.redactor());
        let task = Task {
            suite: &scene.suite,
            folder,
            apps: &scene.ready,
            skip: std::collections::BTreeSet::new(),
            jobs: self.jobs,
            offline: self.global.offline,
            observer: &words,
            on_progress: reported,
            stop: self.stop,
            again: true,
            until: None,
        };
        task.run_only(&self.choice.only()).map_err(|e| match e {
            MinimizeError::Device(e) => self.unavailable(&e),
            other => Failure::Other(ExitCode::OutputNotWritten, other.to_string()),
        })?;
        let wanted = Finish {
            options: crate::report::Options::default(),
            coverage: None,
            github: GithubSummary::Off,
            judge: None,
        };
        let silent = Preparing::silent();
        let run = finish(folder, &wanted, silent, self.shell)?.run;
        Ok(match run.summary.app_findings() {
            0 => ExitCode::Ok,
            _ => ExitCode::Findings,
        })
    }

    /// Has the run sessions with this app of the suite, or with one that the suite does not have under its name?
    fn has_app(&self, folder: &RunFolder, app: &str) -> Result<(), Failure> {
        let wrong = |message| Failure::Other(ExitCode::NothingSelected, message);
        let sessions = folder.info().map_err(|e| wrong(e.to_string()))?.sessions;
        let apps = &self.scene.suite.settings.apps;
        let is_known = |name: &str| apps.iter().any(|app| app.name == name);
        if sessions.iter().any(|s| s.app == app || !is_known(&s.app)) {
            return Ok(());
        }
        let path = near(folder.path());
        Err(wrong(format!(
            "{path} holds no session with the app `{app}`"
        )))
    }
}

/// A finding's folder for its trace; for any other trace a folder next to it.
fn place(file: &Utf8Path) -> FindingFolder {
    let parent = file.parent().unwrap_or(Utf8Path::new(""));
    if parent.join("finding.json").is_file() {
        return FindingFolder::at(parent);
    }
    let stem = file.file_stem().unwrap_or("trace");
    FindingFolder::at(parent.join(format!("{stem}-minimized")))
}

/// Prints progress, one line per finding.
struct Words(Shell, Redactor);

impl run::Observer for Words {
    fn minimizing(&self, finding: &Finding, steps: usize) {
        self.0
            .status("Minimizing", &format!("{}: {steps} steps", finding.id));
    }

    fn confirming(&self, findings: usize, times: u32) {
        let findings = plural(findings as u64, "finding");
        let times = plural(u64::from(times), "replay");
        self.0.status(
            "Confirming",
            &format!("{findings}, {times} each in new processes"),
        );
    }

    fn warn(&self, text: &str) {
        self.0.warn(&self.1.redact(text));
    }

    fn minimized(&self, finding: &Finding, result: &Reproduction) {
        self.0
            .status("Minimized", &format!("{}: {}", finding.id, result.words()));
    }
}
