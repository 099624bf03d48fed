//! `demonstration`: what a person did in a run, kept as scripts, as traces of a corpus or as counts for `fastbot`.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::args::Global;
use super::shell::Shell;
use super::traces::{Choice, Scene, unreadable};
use super::{Failure, corpus, report};
use crate::corpus::folder;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::graph::fastbot::StaticTexts;
use crate::learn::event_model::EventModel;
use crate::report::console::{near, plural};
use crate::run::demonstration::{Demonstration, Stretch, scripts};
use crate::trace::maestro;
use crate::util::durable::{self, Lasting};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run: its folder, its name below the folder of all runs, or latest; or a Maestro flow
    #[arg(value_name = "RUN", value_hint = ValueHint::AnyPath)]
    run: Utf8PathBuf,
    /// What to make of it
    #[arg(long, value_name = "FORM")]
    to: Form,
    /// The file, of traces the folder of the corpus [default: standard output; the suite's corpus]
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    output: Option<Utf8PathBuf>,
    /// An APK to use instead of the suite's apps, as in `run APK`; may be repeated. No suite is required then
    #[arg(long = "apk", value_name = "APK", value_hint = ValueHint::AnyPath)]
    apks: Vec<Utf8PathBuf>,
    /// Only what was done in this app; of a flow the app's name in the suite
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
}

/// The forms of a demonstration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Form {
    /// `[[app.script]]` tables: each time that a person was in control, for the screen on which it began
    Script,
    /// Traces of a corpus, from cleared data to the person's last step
    Corpus,
    /// An event model, which `fastbot` starts from: `model = { load = FILE }`
    Model,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let shown = match maestro::is_flow(args.run.as_std_path()) {
        true => vec![of_flow(args, shell)?],
        false => of_run(global, args)?,
    };
    match args.to {
        Form::Script => to_script(&shown, args, shell),
        Form::Corpus => to_corpus(global, shown, args, shell),
        Form::Model => to_model(global, &shown, args, shell),
    }
}

fn of_run(global: &Global, args: &Args) -> Result<Vec<Demonstration>, Failure> {
    let run = report::find(global, args.out.as_deref(), &args.run)?;
    let mut shown = Vec::new();
    for name in run.sessions()? {
        let session = run.session(&name);
        if !session.journal().exists() {
            // It never started.
            continue;
        }
        let found = Demonstration::read(&session)
            .map_err(|e| Failure::Other(ExitCode::BadInput, e.to_string()))?;
        let wanted = args.app.as_ref().is_none_or(|app| *app == found.header.app);
        shown.extend(Some(found).filter(|found| wanted && !found.is_empty()));
    }
    if shown.is_empty() {
        let run = near(run.path());
        let message = format!(
            "no person did anything in {run}: `run --live` shows each session on a page, where one can be paused and taken over"
        );
        return Err(Failure::Other(ExitCode::NothingSelected, message));
    }
    Ok(shown)
}

/// What a flow of Maestro does; what cannot be in a trace is printed.
fn of_flow(args: &Args, shell: &Shell) -> Result<Demonstration, Failure> {
    let flow = maestro::load(args.run.as_std_path()).map_err(|e| unreadable(&e, shell))?;
    for left_out in &flow.left_out {
        shell.warn(left_out);
    }
    if flow.trace.steps.is_empty() {
        let message = format!("{}: the flow has no steps", args.run);
        return Err(Failure::Other(ExitCode::NothingSelected, message));
    }
    if args.to == Form::Model {
        let message = "a flow names no activities, which a model counts: keep it with --to corpus, perform it with `run --corpus`, and name that run";
        return Err(Failure::Other(ExitCode::Usage, message.to_owned()));
    }
    let mut trace = flow.trace;
    trace.app.name = args.app.clone().unwrap_or_default();
    Ok(Demonstration::of_trace(trace))
}

fn to_script(shown: &[Demonstration], args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let stretches: Vec<&Stretch> = shown.iter().flat_map(|one| &one.stretches).collect();
    let text = scripts(stretches.iter().copied());
    match &args.output {
        None => shell.print(&text)?,
        Some(file) => {
            write(file, text.as_bytes())?;
            let count = plural(stretches.len() as u64, "script");
            shell.status(
                "Written",
                &format!("{count} to {}", near(file.as_std_path())),
            );
        }
    }
    Ok(ExitCode::Ok)
}

fn to_corpus(
    global: &Global,
    shown: Vec<Demonstration>,
    args: &Args,
    shell: &Shell,
) -> Result<ExitCode, Failure> {
    let to = match &args.output {
        Some(to) => to.clone(),
        None => of_suite(global)?,
    };
    let traces = shown.into_iter().flat_map(|one| one.traces);
    let mut added = 0;
    for trace in traces {
        let (entry, new) =
            folder::add(to.as_std_path(), trace).map_err(|e| corpus::refused(e, shell))?;
        if new {
            shell.status("Added", &near(&to.as_std_path().join(&entry.file)));
            added += 1;
        }
    }
    if added == 0 {
        let to = near(to.as_std_path());
        shell.status("Unchanged", &format!("{to} has the demonstration"));
    }
    Ok(ExitCode::Ok)
}

/// The suite's corpus.
fn of_suite(global: &Global) -> Result<Utf8PathBuf, Failure> {
    let suite = super::load(global, &super::args::Selection::default())?;
    let set = suite.settings.suite.corpus.as_deref();
    set.map(|set| suite.on_disk(set)).ok_or_else(|| {
        let message = "the suite has no `corpus`: name a folder with --output DIR";
        Failure::Other(ExitCode::Usage, message.to_owned())
    })
}

fn to_model(
    global: &Global,
    shown: &[Demonstration],
    args: &Args,
    shell: &Shell,
) -> Result<ExitCode, Failure> {
    let Some(file) = &args.output else {
        let message = "name the file of the model with --output FILE";
        return Err(Failure::Other(ExitCode::Usage, message.to_owned()));
    };
    let first = &shown[0].header;
    if let Some(other) = (shown.iter()).find(|one| one.header.package != first.package) {
        let message = format!(
            "the run has demonstrations of {} and {}: name one with --app",
            first.app, other.header.app
        );
        return Err(Failure::Other(ExitCode::Usage, message));
    }
    let stop = Stop::default();
    super::run::stop_on_ctrl_c(&stop)?;
    let choice = Choice {
        apks: args.apks.clone(),
        app: Some(first.app.clone()),
        device: None,
    };
    let scene = Scene::of_apps(global, &choice, [first.app.clone()], &stop)?;
    let texts: StaticTexts = scene.ready[&first.app].static_texts()?;
    let mut model = EventModel::new(&first.package);
    for one in shown {
        model.add(&one.model(&texts));
    }
    write(file, &model.to_bytes()?)?;
    let (events, _) = model.size();
    let count = plural(events as u64, "event");
    shell.status(
        "Written",
        &format!("{count} to {}", near(file.as_std_path())),
    );
    Ok(ExitCode::Ok)
}

fn write(file: &Utf8Path, bytes: &[u8]) -> Result<(), Failure> {
    durable::write(file.as_std_path(), bytes, Lasting::Sure)
        .map_err(|e| Failure::Other(ExitCode::OutputNotWritten, format!("{file}: {e}")))
}
