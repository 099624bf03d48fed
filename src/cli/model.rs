//! `model`: FATE models checked, drawn, changed, made.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;
use std::sync::Arc;

use super::args::Global;
use super::shell::{self, Shell};
use super::{Failure, preparation};
use crate::device::DeviceError;
use crate::device::sim::app::Project;
use crate::device::sim::app::build::Tools;
use crate::device::sim::generate::{self, Wish};
use crate::device::sim::{BUILTIN, Model, ModelError, augment, draw};
use crate::exit_code::ExitCode;
use crate::outcome::folder::write_whole;
use crate::util::console::Clean;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Report mistakes in models with line and column, or summarize the models
    Check {
        /// Model files, or `builtin:NAME`
        #[arg(required = true, value_name = "MODEL", value_hint = ValueHint::FilePath)]
        models: Vec<Utf8PathBuf>,
    },
    /// Draw a model of at most 2000 screens as SVG
    Draw {
        /// A model file, or `builtin:NAME`
        #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
        model: Utf8PathBuf,
        /// Where to write the picture [default: standard output]
        #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<Utf8PathBuf>,
    },
    /// Add buttons to the first screen that lead nowhere; with 0, only convert a model to our JSON
    Augment {
        /// A model file, or `builtin:NAME`
        #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
        model: Utf8PathBuf,
        /// The number of buttons
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(..=100_000))]
        loops: usize,
        /// Where to write the model [default: standard output]
        #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<Utf8PathBuf>,
    },
    /// Build a real Android app from a model
    Apk {
        /// A model file, or `builtin:NAME`
        #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
        model: Utf8PathBuf,
        /// Where to write the app
        #[arg(long, visible_alias = "output", short, value_name = "FILE", value_hint = ValueHint::FilePath)]
        out: Utf8PathBuf,
    },
    /// Generate a random model
    Generate(GenerateArgs),
}

#[derive(Debug, clap::Args)]
struct GenerateArgs {
    /// The number of screens, at most 100000
    #[arg(long, value_name = "N", default_value_t = Wish::default().screens)]
    screens: usize,
    /// The maximum number of children of a screen
    #[arg(long, value_name = "N", default_value_t = Wish::default().branching)]
    branching: usize,
    /// The maximum depth in screens [default: 6, or as many as the screens need]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// The number of transitions that need a user name and a password
    #[arg(long, value_name = "N", default_value_t = Wish::default().logins)]
    logins: usize,
    /// The number of transitions that need one correct text
    #[arg(long, value_name = "N", default_value_t = Wish::default().guards)]
    guards: usize,
    /// The number of transitions that need several repetitions of an action
    #[arg(long, value_name = "N", default_value_t = Wish::default().counters)]
    counters: usize,
    /// The number of buttons that crash the app
    #[arg(long, value_name = "N", default_value_t = Wish::default().crashes)]
    crashes: usize,
    /// The number of strings that can be typed, including the correct ones
    #[arg(long, value_name = "N", default_value_t = Wish::default().strings)]
    strings: usize,
    /// The seed; the same arguments and seed give the same model
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where to write the model [default: standard output]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    match &args.what {
        What::Check { models } => return check(models, shell),
        What::Draw { model, output } => {
            let picture = draw::svg(&load(model).map_err(refused)?);
            let picture = picture.map_err(|e| Failure::Other(ExitCode::Usage, e))?;
            put(output.as_deref(), &picture, shell)?;
        }
        What::Augment {
            model,
            loops,
            output,
        } => {
            let (text, file) = source(model).map_err(refused)?;
            let text = augment::augmented(&text, &file, *loops).map_err(refused)?;
            put(output.as_deref(), &text, shell)?;
        }
        What::Apk { model, out } => make_app(global, model, out, shell)?,
        What::Generate(args) => {
            let wish = Wish {
                screens: args.screens,
                branching: args.branching,
                depth: args.depth.unwrap_or_else(|| {
                    let needed =
                        generate::depth_for(args.screens.min(generate::MOST), args.branching);
                    needed.max(Wish::default().depth)
                }),
                logins: args.logins,
                guards: args.guards,
                counters: args.counters,
                crashes: args.crashes,
                strings: args.strings,
                seed: args.seed,
            };
            let text = generate::generate(&wish);
            let text = text.map_err(|e| Failure::Other(ExitCode::Usage, e))?;
            put(args.output.as_deref(), &text, shell)?;
        }
    }
    Ok(ExitCode::Ok)
}

fn make_app(
    global: &Global,
    model: &Utf8Path,
    out: &Utf8Path,
    shell: &Shell,
) -> Result<(), Failure> {
    let failed = |error: DeviceError| match error {
        DeviceError::Io(error) => Failure::Output(error),
        other => Failure::Other(ExitCode::Config, other.to_string()),
    };
    let model = load(model).map_err(refused)?;
    let project = Project::of(&model).map_err(|e| Failure::Other(ExitCode::Usage, e))?;
    let watch = preparation::watch(shell, Arc::default());
    let tools = Tools::locate(global.offline, &watch).map_err(failed)?;
    tools
        .build(&project, out.as_std_path(), &watch)
        .map_err(failed)?;
    if tools.apksigner.is_none() {
        shell.warn(
            "the app is not signed: no apksigner found; the jvm device accepts it, Android does not; install it \
             (Debian: apt install apksigner; with an SDK: sdkmanager \"build-tools;34.0.0\") and build again",
        );
    }
    shell.status(
        "Wrote",
        &format!(
            "{out}: {}, {} activities",
            project.package,
            project.activities.len()
        ),
    );
    Ok(())
}

fn refused(error: ModelError) -> Failure {
    Failure::Other(ExitCode::Config, error.to_string())
}

fn load(path: &Utf8Path) -> Result<Model, ModelError> {
    match path.as_str().strip_prefix("builtin:") {
        Some(name) => Model::builtin(name),
        None => Model::load(path.as_std_path()),
    }
}

/// The model's text, and how errors name it.
fn source(path: &Utf8Path) -> Result<(String, String), ModelError> {
    let builtin = path.as_str().strip_prefix("builtin:");
    match builtin.and_then(|name| BUILTIN.iter().find(|(known, _)| *known == name)) {
        Some((name, text)) => Ok(((*text).to_owned(), format!("built-in model {name}"))),
        None => Ok((load(path)?.source().to_owned(), path.to_string())),
    }
}

/// Reports every mistake before the command fails.
fn check(models: &[Utf8PathBuf], shell: &Shell) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::Ok;
    for path in models {
        let model = match load(path) {
            Ok(model) => model,
            Err(error) => {
                shell.error(&error.to_string());
                code = ExitCode::Config;
                continue;
            }
        };
        let fields = model
            .widgets
            .iter()
            .filter(|widget| widget.editable)
            .count();
        let guards = model
            .transitions
            .iter()
            .filter(|way| way.guard.is_some())
            .count();
        shell.print(&format!(
            "{path}: {}: {} activities, {} buttons, {fields} text fields, {} transitions, {guards} with a guard, {} globals\n",
            model.name,
            model.nodes.len(),
            model.widgets.len() - fields,
            model.transitions.len(),
            model.globals.len()
        ))?;
        let reachable = model.reachable();
        let lost = model
            .activities()
            .zip(&reachable)
            .filter(|(_, reached)| !**reached);
        for (lost, _) in lost {
            shell.warn(&format!("{path}: `{lost}` is unreachable"));
        }
    }
    Ok(code)
}

fn put(output: Option<&Utf8Path>, text: &str, shell: &Shell) -> Result<(), Failure> {
    match output {
        Some(path) => {
            write_whole(path.as_std_path(), text.as_bytes())?;
            shell.status("Wrote", path.as_str());
        }
        None => {
            let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            shell::print(&match is_json {
                true => Clean::json(text),
                false => Clean::plain(text),
            })?;
        }
    }
    Ok(())
}
