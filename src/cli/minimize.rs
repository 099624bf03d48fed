//! `minimize`: the fewest steps to a trace's finding, or to every finding of a run.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;
use serde_json::json;
use std::fs;
use std::sync::Arc;

use super::Failure;
use super::args::Global;
use super::finish::{Finish, finish};
use super::shell::{self, MessageFormat, Shell};
use super::traces::{Choice, Scene, read, stand_ins};
use crate::device::DeviceError;
use crate::device::progress::Watch as Preparing;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::{FindingFolder, RunFolder};
use crate::outcome::{Finding, Minimality, Reproduction};
use crate::report::console::Tone;
use crate::repro::Minimized;
use crate::run;
use crate::run::minimize::{MinimizeError, Task, minimize, save};
use crate::run::stage::{Stage, Told};
use crate::trace::{Moves, write};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Traces, or the folder of a run
    #[arg(value_name = "TRACE|RUN", required = true, value_hint = ValueHint::AnyPath)]
    what: Vec<Utf8PathBuf>,
    #[command(flatten)]
    choice: Choice,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let stop = Stop::default();
    super::run::stop_on_ctrl_c(&stop)?;
    let jobs = global.jobs.map_or(1, std::num::NonZeroUsize::get);
    let work = Work {
        global,
        args,
        shell,
        stop: &stop,
        jobs,
    };
    let mut codes = Vec::new();
    for what in &args.what {
        codes.push(if what.is_dir() {
            work.run(what)?
        } else {
            work.trace(what)?
        });
        if stop.requested() {
            return Ok(ExitCode::Interrupted);
        }
    }
    // As `replay` has it: what came counts first, then what no longer fits.
    let grave = [ExitCode::Findings, ExitCode::Config];
    let grave = grave.into_iter().find(|code| codes.contains(code));
    Ok(grave.unwrap_or(ExitCode::Ok))
}

struct Work<'a> {
    global: &'a Global,
    args: &'a Args,
    shell: &'a Shell,
    stop: &'a Stop,
    jobs: usize,
}

impl Work<'_> {
    fn preparing(&self) -> (Arc<Preparing>, Told) {
        let watch = Arc::new(super::preparation::watch(self.shell, self.stop.flag()));
        let told = Arc::clone(&watch);
        (
            watch,
            Arc::new(move |_, done, total| told.report("preparing", "the device", done, total)),
        )
    }

    /// One trace: did its finding come, or does it no longer fit the app?
    fn trace(&self, file: &Utf8Path) -> Result<ExitCode, Failure> {
        let trace = read(file, self.shell)?;
        let scene = Scene::load(self.global, &self.args.choice, [&trace])?;
        let (ready, device) = scene.cast(&trace, file)?;
        if let Some(told) = stand_ins(&trace, ready, device) {
            self.shell.status("On", &told);
        }
        let scratch = tempfile::tempdir()?;
        let (_live, told) = self.preparing();
        let stage = Stage {
            suite: &scene.suite,
            ready,
            device,
            seed: trace.seed,
            folder: scratch.path().to_owned(),
            offline: self.global.offline,
            told,
            stop: self.stop,
        };
        let folder = place(file);
        folder.create()?;
        let mut moves = Moves::default();
        if let Some(session) = folder.session() {
            moves.add(&session);
        }
        let minimized = match minimize(&stage, &trace, &moves, self.jobs, &folder) {
            Err(DeviceError::Interrupted) => return Ok(ExitCode::Interrupted),
            done => done.map_err(unavailable)?,
        };
        save(&folder, &minimized)?;
        for (finding, trace) in &minimized.others {
            fs::write(
                folder.path().join(format!("other-{}.toml", finding.id)),
                write(trace),
            )?;
        }
        self.tell(file, &folder, &minimized)?;
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
                    text += &paint.line(Tone::Warn, "Also met", &finding.title);
                }
                if done.trace.is_some() {
                    let written = crate::report::console::near(&folder.minimized());
                    text += &paint.line(Tone::Quiet, "Written", &written);
                }
                text
            }
        };
        Ok(shell::print(&text)?)
    }

    /// All findings of a run: are there any?
    fn run(&self, path: &Utf8Path) -> Result<ExitCode, Failure> {
        let folder = RunFolder::find(path.as_std_path(), None)
            .or_else(|_| RunFolder::find(".".as_ref(), Some(path.as_str())))
            .map_err(|e| Failure::Other(ExitCode::NothingSelected, e.to_string()))?;
        let info = folder.info().map_err(|e| {
            let message = format!("{path} is no run's folder: {e}");
            Failure::Other(ExitCode::NothingSelected, message)
        })?;
        let apps = info.sessions.iter().map(|session| session.app.clone());
        let scene = Scene::of_apps(self.global, &self.args.choice, apps)?;
        let (_live, told) = self.preparing();
        let words = Words(*self.shell);
        let task = Task {
            suite: &scene.suite,
            folder: &folder,
            apps: &scene.ready,
            jobs: self.jobs,
            offline: self.global.offline,
            watch: &words,
            told,
            stop: self.stop,
        };
        task.run().map_err(|e| match e {
            MinimizeError::Device(e) => unavailable(e),
            other => Failure::Other(ExitCode::OutputNotWritten, other.to_string()),
        })?;
        let wanted = Finish {
            options: crate::report::Options::default(),
            coverage: false,
            github: false,
        };
        let silent = Preparing::silent();
        let summary = finish(&folder, &wanted, silent, self.shell)?;
        Ok(match summary.app_findings() {
            0 => ExitCode::Ok,
            _ => ExitCode::Findings,
        })
    }
}

fn unavailable(error: DeviceError) -> Failure {
    Failure::Other(ExitCode::DeviceUnavailable, error.to_string())
}

/// A finding's own folder for its trace; for any other trace a folder beside it.
fn place(file: &Utf8Path) -> FindingFolder {
    let parent = file.parent().unwrap_or(Utf8Path::new(""));
    if parent.join("finding.json").is_file() {
        return FindingFolder::at(parent);
    }
    let stem = file.file_stem().unwrap_or("trace");
    FindingFolder::at(parent.join(format!("{stem}-minimized")))
}

/// Says what goes on, a line a finding.
struct Words(Shell);

impl run::Watch for Words {
    fn minimizing(&self, finding: &Finding, steps: usize) {
        self.0
            .status("Minimizing", &format!("{}: {steps} steps", finding.id));
    }

    fn warn(&self, text: &str) {
        self.0.warn(text);
    }

    fn minimized(&self, finding: &Finding, result: &Reproduction) {
        self.0
            .status("Minimized", &format!("{}: {}", finding.id, result.words()));
    }
}
