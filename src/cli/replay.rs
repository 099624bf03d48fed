//! `replay`: perform traces and report whether their findings reproduce.

use camino::Utf8PathBuf;
use clap::ValueHint;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::args::Global;
use super::shell::{MessageFormat, Shell};
use super::traces::{Choice, Scene, read};
use super::{Failure, ask, named_finding};
use crate::device::DeviceError;
use crate::exit_code::ExitCode;
use crate::explore::{Asking, Asks, Stop};
use crate::outcome::Finding;
use crate::report::console::{Tone, near, plural};
use crate::repro::questions::Questions;
use crate::repro::replay::Gone;
use crate::repro::{End, Replay};
use crate::run::prepare::Ready;
use crate::run::replay_devices::ReplayDevices;
use crate::run::trace_targets::substitutes;
use crate::trace::find::Fit;
use crate::trace::{Trace, words};
use crate::util::text::Redactor;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Traces, folders of findings, bundles, or ids of findings of the latest run
    #[arg(value_name = "TRACE", required = true, value_hint = ValueHint::FilePath)]
    traces: Vec<Utf8PathBuf>,
    /// Ask again on this terminal for what the traces type as answers to questions of scripts
    #[arg(long)]
    ask: bool,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    #[command(flatten)]
    choice: Choice,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let unpacked = tempfile::tempdir()?;
    let files = args.traces.iter();
    let out = args.out.as_deref();
    let files = files.map(|name| named_finding::trace(global, out, name, unpacked.path()));
    let files: Vec<Utf8PathBuf> = files.collect::<Result<_, Failure>>()?;
    let traces = files.iter().map(|file| Ok((file, read(file, shell)?)));
    let traces: Vec<(&Utf8PathBuf, Trace)> = traces.collect::<Result<_, Failure>>()?;
    let stop = Stop::default();
    super::run::stop_on_ctrl_c(&stop)?;
    let all = traces.iter().map(|(_, trace)| trace);
    let scene = Scene::load(global, &args.choice, all, &stop)?;
    let redactor = scene.redactor();
    let folder = tempfile::tempdir()?;
    let watch = match args.ask {
        true => super::preparation::lines,
        false => super::preparation::watch,
    };
    let preparing = Arc::new(watch(shell, stop.flag()));
    let asks = args.ask.then(|| ask::terminal(None)).flatten();
    let mut results: BTreeMap<Rank, usize> = BTreeMap::new();
    for (file, trace) in &traces {
        if stop.requested() {
            return Ok(ExitCode::Interrupted);
        }
        let (ready, device) = scene.target(trace, file)?;
        let questions = questions(file, trace, ready, (asks.as_ref(), &stop))?;
        let watch = Arc::clone(&preparing);
        let devices = ReplayDevices {
            suite: &scene.suite,
            ready,
            device,
            seed: trace.seed,
            folder: folder.path().to_owned(),
            offline: global.offline,
            on_progress: Arc::new(move |_, done, total| {
                watch.report("preparing", "the device", done, total)
            }),
            coverage: false,
            stop: &stop,
        };
        let replay = devices
            .runner(0, 0, trace.kind())
            .and_then(|mut runner| {
                runner.questions = questions;
                runner.replay(
                    &trace.steps,
                    trace.finding.as_ref(),
                    (Fit::Loose, Gone::Ends),
                    None,
                )
            })
            .map_err(|e| match e {
                DeviceError::Interrupted => Failure::Interrupted,
                other => {
                    let said = redactor.redact(&other.to_string()).into_owned();
                    Failure::Other(ExitCode::DeviceUnavailable, said)
                }
            })?;
        *results.entry(rank(trace, &replay)).or_default() += 1;
        match shell.format() {
            MessageFormat::Human => {
                if let Some(reported) = substitutes(trace, ready, device) {
                    shell.status("On", &reported);
                }
                human(file, trace, &replay, &redactor, shell)?;
            }
            MessageFormat::Json => {
                shell.print(&to_json(file, trace, &device.name, &replay, &redactor))?;
            }
        }
    }
    Ok(match results.keys().next() {
        Some(Rank::Reproduced) => ExitCode::Findings,
        Some(Rank::Diverged) => ExitCode::Config,
        _ => ExitCode::Ok,
    })
}

/// The questions of the scripts whose answers the trace types.
fn questions(
    file: &Utf8PathBuf,
    trace: &Trace,
    ready: &Ready,
    (asks, stop): (Option<&Arc<dyn Asks>>, &Stop),
) -> Result<Option<Questions>, Failure> {
    let asked: Vec<_> = ready.guide.asked_by(trace).collect();
    let Some((script, _)) = asked.first() else {
        return Ok(None);
    };
    let Some(asks) = asks else {
        let message = format!(
            "{file} types the answer to a question of the script `{script}`: run replay with --ask on a terminal"
        );
        return Err(Failure::Other(ExitCode::Usage, message));
    };
    let asking = Asking::new(
        near(file.as_std_path()),
        vec![Arc::clone(asks)],
        stop.clone(),
    );
    Ok(Some(Questions::new(asking, asked)))
}

/// Outcomes, the one that decides the exit code first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Reproduced,
    Diverged,
    NotMet,
}

/// A trace that leads to no finding is expected to meet none.
fn rank(trace: &Trace, replay: &Replay) -> Rank {
    let fails = |(finding, _): &(Finding, usize)| finding.environment.is_none() && !finding.warning;
    match replay.end {
        End::Reproduced { .. } => Rank::Reproduced,
        End::NotMet if trace.finding.is_none() && replay.met.iter().any(fails) => Rank::Reproduced,
        End::Diverged { .. } => Rank::Diverged,
        End::NotMet => Rank::NotMet,
    }
}

fn human(
    file: &Utf8PathBuf,
    trace: &Trace,
    replay: &Replay,
    redactor: &Redactor,
    shell: &Shell,
) -> Result<(), Failure> {
    let paint = shell.paint_stdout();
    let name = near(file.as_std_path());
    let title = trace.finding.as_ref().map(|finding| {
        let kind = || finding.kind.to_string();
        finding.title.clone().unwrap_or_else(kind)
    });
    let title = title.unwrap_or_default();
    let step = |number| words::numbered(trace, number);
    let say = |tone, result, what: &str| paint.line(tone, result, &redactor.redact(what));
    // The file's name is the user's own.
    let of_file = |tone, result, what: &str| {
        let what = redactor.redact(what);
        paint.line(tone, result, &format!("{name}: {what}"))
    };
    let mut text = match &replay.end {
        End::Reproduced { after } => of_file(
            Tone::Bad,
            "Reproduced",
            &format!("{title}, with {}", step(*after)),
        ),
        End::NotMet if trace.finding.is_none() => of_file(
            Tone::Good,
            "Performed",
            &plural(trace.steps.len() as u64, "step"),
        ),
        End::NotMet => {
            let steps = plural(trace.steps.len() as u64, "step");
            of_file(
                Tone::Good,
                "Not reproduced",
                &format!("{title}, in {steps}"),
            )
        }
        End::Diverged { step: number, why } => of_file(
            Tone::Warn,
            "Diverged",
            &format!("at {}: {why}", step(*number)),
        ),
    };
    if !replay.offered.is_empty() {
        text += &say(Tone::Quiet, "Instead", &replay.offered.join("; "));
    }
    let mut reported: Vec<&str> = Vec::new();
    for (finding, after) in &replay.met {
        let again = reported.contains(&finding.fingerprint.as_str());
        reported.push(&finding.fingerprint);
        if !again && !trace.expects(finding) && finding.environment.is_none() {
            let what = format!("{}, with {}", finding.title, step(*after));
            text += &say(Tone::Warn, "Also found", &what);
        }
    }
    for guess in &replay.guesses {
        let what = format!(
            "{}: the widget was identified by {} only",
            step(guess.step),
            guess.by
        );
        text += &say(Tone::Quiet, "Guessed", &what);
    }
    shell.print(&text)?;
    Ok(())
}

fn to_json(
    file: &Utf8PathBuf,
    trace: &Trace,
    device: &str,
    replay: &Replay,
    redactor: &Redactor,
) -> String {
    let (result, step, why) = match &replay.end {
        End::Reproduced { after } => ("reproduced", Some(*after), None),
        End::NotMet if trace.finding.is_none() => ("performed", None, None),
        End::NotMet => ("not-met", None, None),
        End::Diverged { step, why } => {
            let why = redactor.redact(&why.to_string()).into_owned();
            ("diverged", Some(*step), Some(why))
        }
    };
    let met = replay.met.iter().map(|(finding, after)| {
        json!({
            "step": after,
            "id": finding.id,
            "kind": finding.kind,
            "fingerprint": finding.fingerprint,
            "title": redactor.redact(&finding.title),
            "expected": trace.expects(finding),
        })
    });
    let guesses = replay
        .guesses
        .iter()
        .map(|guess| json!({ "step": guess.step, "by": guess.by.to_string() }));
    let offered = replay.offered.iter().map(|what| redactor.redact(what));
    let line = json!({
        "trace": file,
        "app": trace.app.package,
        "device": device,
        "steps": trace.steps.len(),
        "result": result,
        "step": step,
        "why": why,
        "offered": offered.collect::<Vec<_>>(),
        "met": met.collect::<Vec<_>>(),
        "guesses": guesses.collect::<Vec<_>>(),
    });
    format!("{line}\n")
}
