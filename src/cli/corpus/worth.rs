//! `corpus show` and `corpus min`: the traces of a corpus, replayed.

use super::{MinArgs, ReplayArgs, refused};
use crate::cli::args::{Global, Selection};
use crate::cli::shell::{MessageFormat, Shell};
use crate::cli::traces::Scene;
use crate::cli::{Failure, load, preparation, run};
use crate::config::Device;
use crate::corpus::cover::sole;
use crate::corpus::index::{Index, Measured};
use crate::corpus::worth::{Tally, Worth};
use crate::corpus::{Entry, folder};
use crate::device::DeviceError;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::report::console::{Tone, near, plural};
use crate::run::corpus::measure::Player;
use crate::run::corpus::reduce::{Means, ReduceError, Reduced, reduce};
use crate::run::prepare::Ready;
use crate::run::replay_devices::ReplayDevices;
use crate::util::text::for_terminal;
use camino::Utf8PathBuf;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The traces of an app on a device of the suite.
struct Group<'a> {
    ready: &'a Ready,
    device: &'a Device,
    entries: Vec<&'a Entry>,
}

pub fn show(global: &Global, args: &ReplayArgs, shell: &Shell) -> Result<ExitCode, Failure> {
    let work = |group: &Group<'_>, player: &mut Player<'_>, corpus: &PathBuf| {
        let package = &group.ready.app.package;
        let mut index = Index::load(corpus, package);
        let measured = player.measure_all(&group.entries, args.replays, &mut index);
        index.save(corpus, package).map_err(|e| refused(e, shell))?;
        let measured = measured.map_err(unavailable)?;
        print(group, &measured, shell)
    };
    each_group(global, args, shell, work)
}

pub fn minimize(global: &Global, args: &MinArgs, shell: &Shell) -> Result<ExitCode, Failure> {
    let work = |group: &Group<'_>, player: &mut Player<'_>, corpus: &PathBuf| {
        let package = &group.ready.app.package;
        let mut index = Index::load(corpus, package);
        let means = Means {
            replays: args.replay.replays,
            until: Instant::now() + args.time.0,
            keep: &args.keep,
        };
        let reduced = reduce(corpus, &group.entries, player, &mut index, means);
        index.save(corpus, package).map_err(|e| refused(e, shell))?;
        let reduced = reduced.map_err(|error| match error {
            ReduceError::Device(error) => unavailable(error),
            ReduceError::Corpus(error) => refused(error, shell),
            ReduceError::NothingKept => {
                let fix = "nothing was changed; is it the right build of the app? a device without coverage needs `transitions`";
                Failure::Other(ExitCode::NothingSelected, format!("{error}: {fix}"))
            }
        })?;
        tell(group, &reduced, shell)
    };
    each_group(global, &args.replay, shell, work)
}

/// Does this with the traces of each app of the suite.
fn each_group(
    global: &Global,
    args: &ReplayArgs,
    shell: &Shell,
    work: impl Fn(&Group<'_>, &mut Player<'_>, &PathBuf) -> Result<(), Failure>,
) -> Result<ExitCode, Failure> {
    let corpus = match &args.corpus {
        Some(folder) => folder.clone(),
        None => of_the_suite(global)?,
    };
    let corpus = corpus.into_std_path_buf();
    let entries = folder::load_all(&corpus).map_err(|e| refused(e, shell))?;
    if entries.is_empty() {
        let message = format!(
            "{} has no traces: `cargo droidtest run --corpus {}` adds the first",
            near(&corpus),
            near(&corpus)
        );
        return Err(Failure::Other(ExitCode::NothingSelected, message));
    }
    let stop = Stop::default();
    run::stop_on_ctrl_c(&stop)?;
    let traces = entries.iter().map(|entry| &entry.trace);
    let scene = Scene::load(global, &args.choice, traces, &stop)?;
    let mut groups: BTreeMap<(&str, &str), Group<'_>> = BTreeMap::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &entries {
        let file = Utf8PathBuf::from(near(&corpus.join(&entry.file)));
        match scene.target(&entry.trace, &file) {
            Ok((ready, device)) => groups
                .entry((&ready.app.name, &device.name))
                .or_insert_with(|| Group {
                    ready,
                    device,
                    entries: Vec::new(),
                })
                .entries
                .push(entry),
            Err(why) => *others.entry(why.to_string()).or_default() += 1,
        }
    }
    for why in others.keys() {
        shell.warn(&for_terminal(why));
    }
    if groups.is_empty() {
        let message = "no trace of the corpus is of an app of the suite".to_owned();
        return Err(Failure::Other(ExitCode::NothingSelected, message));
    }
    let scratch = tempfile::tempdir()?;
    for group in groups.values() {
        let watch = preparation::watch(shell, stop.flag());
        let devices = ReplayDevices {
            suite: &scene.suite,
            ready: group.ready,
            device: group.device,
            seed: 0,
            folder: scratch.path().to_owned(),
            offline: global.offline,
            on_progress: Arc::new(move |_, done, total| {
                watch.report("preparing", "the device", done, total);
            }),
            coverage: true,
            stop: &stop,
        };
        work(group, &mut Player::new(devices), &corpus).map_err(|failure| match failure {
            Failure::Other(code, text) => {
                Failure::Other(code, scene.redactor().redact(&text).into_owned())
            }
            other => other,
        })?;
    }
    Ok(ExitCode::Ok)
}

fn of_the_suite(global: &Global) -> Result<Utf8PathBuf, Failure> {
    let suite = load(global, &Selection::default())?;
    let folder = suite.settings.suite.corpus.as_ref();
    folder.map(|folder| suite.on_disk(folder)).ok_or_else(|| {
        let message = "the suite has no corpus: name its folder, or set `corpus` in [suite]";
        Failure::Other(ExitCode::NothingSelected, message.to_owned())
    })
}

fn unavailable(error: DeviceError) -> Failure {
    match error {
        DeviceError::Interrupted => Failure::Interrupted,
        other => Failure::Other(ExitCode::DeviceUnavailable, other.to_string()),
    }
}

fn print(group: &Group<'_>, measured: &[Measured], shell: &Shell) -> Result<(), Failure> {
    let own = sole(measured.iter().map(|m| &m.worth));
    let mut text = String::new();
    if shell.format() == MessageFormat::Human {
        text = format!(
            "{} on {}\n  {:<40} {:>6} {:>7} {:>7} {:>11} {:>8} {:>8}  {}\n",
            for_terminal(&group.ready.app.name),
            for_terminal(&group.device.name),
            "trace",
            "events",
            "probes",
            "only it",
            "transitions",
            "findings",
            "unstable",
            "measured"
        );
    }
    for ((entry, measured), own) in group.entries.iter().zip(measured).zip(&own) {
        let (all, own) = (Tally::of(&measured.worth), Tally::of(own));
        let file = entry.file.display().to_string();
        let steps = entry.trace.steps.len();
        text += &match shell.format() {
            MessageFormat::Human => format!(
                "  {:<40} {steps:>6} {:>7} {:>7} {:>11} {:>8} {:>8}  {}\n",
                for_terminal(&file),
                all.probes,
                own.probes,
                all.transitions,
                all.findings,
                measured.unstable.len(),
                measured.at.strftime("%Y-%m-%d"),
            ),
            MessageFormat::Json => {
                let line = json!({
                    "trace": file,
                    "app": group.ready.app.name,
                    "device": group.device.name,
                    "events": steps,
                    "probes": all.probes,
                    "transitions": all.transitions,
                    "findings": all.findings,
                    "sole": { "probes": own.probes, "transitions": own.transitions, "findings": own.findings },
                    "unstable": measured.unstable.len(),
                    "lost-steps": measured.lost,
                    "replays": measured.replays,
                    "measured": measured.at,
                });
                format!("{line}\n")
            }
        };
        if shell.format() == MessageFormat::Human && !measured.lost.is_empty() {
            let lost = plural(measured.lost.len() as u64, "step");
            text += &format!(
                "    {lost} cannot be performed, the first is {}\n",
                measured.lost[0]
            );
        }
    }
    shell.print(&text)?;
    Ok(())
}

fn tell(group: &Group<'_>, reduced: &Reduced, shell: &Shell) -> Result<(), Failure> {
    let kept: Worth = reduced
        .worth
        .intersection(&reduced.reached)
        .cloned()
        .collect();
    let (all, kept) = (Tally::of(&reduced.worth), Tally::of(&kept));
    let (app, device) = (&group.ready.app.name, &group.device.name);
    let text = match shell.format() {
        MessageFormat::Json => {
            let tally = |of: Tally| json!({ "probes": of.probes, "transitions": of.transitions, "findings": of.findings });
            let sizes =
                |(traces, events): (usize, usize)| json!({ "traces": traces, "events": events });
            let line = json!({
                "app": app,
                "device": device,
                "before": sizes(reduced.before),
                "after": sizes(reduced.after),
                "worth": tally(all),
                "kept": tally(kept),
                "unstable": reduced.unstable,
                "complete": reduced.complete,
                "replays": reduced.replays,
            });
            format!("{line}\n")
        }
        MessageFormat::Human => {
            let paint = shell.paint_stdout();
            let sizes = |(traces, events): (usize, usize)| {
                format!(
                    "{} of {}",
                    plural(traces as u64, "trace"),
                    plural(events as u64, "event")
                )
            };
            let what = format!(
                "{app} on {device}: {} instead of {}; kept {} of {} probes, {} of {} transitions, {} of {} findings",
                sizes(reduced.after),
                sizes(reduced.before),
                kept.probes,
                all.probes,
                kept.transitions,
                all.transitions,
                kept.findings,
                all.findings,
            );
            let mut text = paint.line(Tone::Good, "Minimized", &what);
            for (file, count) in &reduced.unstable {
                let what = format!(
                    "{}: its replays differ in {count} probes, transitions and findings, which do not count",
                    file.display()
                );
                text += &paint.line(Tone::Warn, "Unstable", &what);
            }
            if !reduced.complete {
                let what =
                    "the time ended before all steps were tried; run it again, or use --time";
                text += &paint.line(Tone::Warn, "Incomplete", what);
            }
            text
        }
    };
    shell.print(&text)?;
    Ok(())
}
