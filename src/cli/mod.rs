//! The command line: one file per command. Arguments are read, the suite is
//! loaded, and the work is passed to the layers below; what they return becomes
//! an exit code here.

mod add_app;
pub mod args;
mod ask;
mod bench;
mod bundle;
mod capability;
mod changed;
mod comment;
mod completions;
mod corpus;
mod demonstration;
mod doctor;
mod ending;
mod export;
mod finish;
mod gate;
mod init;
mod inspect;
mod list;
mod live;
mod man;
mod merge;
mod minimize;
mod model;
mod named_finding;
mod preparation;
mod replay;
mod report;
mod run;
mod run_apps;
mod schema;
mod setup;
pub mod shell;
mod show_config;
mod traces;
mod train;

use std::ffi::OsString;
use std::io;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _};

use crate::config::{self, Problem, Problems, Suite};
use crate::exit_code::ExitCode;
use args::{Cli, Command, Global, Selection};
use shell::Shell;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The suite is at fault.
    #[error(transparent)]
    Suite(#[from] Problems),
    /// The output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// The user interrupted; no message is needed.
    #[error("interrupted")]
    Interrupted,
    /// Anything else, with its exit code.
    #[error("{1}")]
    Other(ExitCode, String),
    /// The same, with a text that is ready to be shown.
    #[error("{1}")]
    Rendered(ExitCode, String),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Suite(problem.into())
    }
}

impl Failure {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Suite(problems) => problems.exit_code(),
            Self::Output(_) => ExitCode::OutputNotWritten,
            Self::Interrupted => ExitCode::Interrupted,
            Self::Other(code, _) | Self::Rendered(code, _) => *code,
        }
    }
}

/// Runs the program. Works as `cargo droidtest ...`, where cargo passes
/// `droidtest` as the first argument, and as `cargo-droidtest ...`.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|first| first == "droidtest") {
        args.remove(1);
    }
    crate::util::console::take_panics();
    let command = Cli::command().color(color_of_messages(&args));
    let parsed = command
        .try_get_matches_from(&args)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return match error.exit_code() {
                0 => ExitCode::Ok,
                _ => ExitCode::Usage,
            };
        }
    };
    let global = &cli.global;
    let shell = Shell::new(global.color, global.message_format, global.verbosity());
    let done = dispatch(&cli, &shell);
    // Sessions keep their emulators for the next one; this was the last.
    crate::device::avd::end_all();
    match done {
        Ok(code) => code,
        Err(failure) => {
            match &failure {
                Failure::Interrupted => {}
                Failure::Suite(problems) => shell.problems(problems),
                Failure::Rendered(_, text) => {
                    shell.write_rendered(&format!("{}\n", text.trim_end()))
                }
                other => shell.error(&other.to_string()),
            }
            failure.exit_code()
        }
    }
}

fn dispatch(cli: &Cli, shell: &Shell) -> Result<ExitCode, Failure> {
    let global = &cli.global;
    match &cli.command {
        Command::Run(args) => run::main(global, args, shell),
        Command::Init(args) => init::main(global, args, shell),
        Command::AddApp(args) => add_app::main(global, args, shell),
        Command::List(args) => list::main(global, args, shell),
        Command::Merge(args) => merge::main(global, args, shell),
        Command::Minimize(args) => minimize::main(global, args, shell),
        Command::Replay(args) => replay::main(global, args, shell),
        Command::Inspect(args) => inspect::main(global, args, shell),
        Command::Gate(args) => gate::main(global, args, shell),
        Command::Bundle(args) => bundle::main(global, args, shell),
        Command::Export(args) => export::main(global, args, shell),
        Command::Corpus(args) => corpus::main(global, args, shell),
        Command::Demonstration(args) => demonstration::main(global, args, shell),
        Command::Comment(args) => comment::main(global, args, shell),
        Command::Report(args) => report::main(global, args, shell),
        Command::Model(args) => model::main(global, args, shell),
        Command::Bench(args) => bench::main(global, args, shell),
        Command::Doctor(args) => doctor::main(global, args, shell),
        Command::Setup(args) => setup::main(global, args, shell),
        Command::ShowConfig(args) => show_config::main(global, args, shell),
        Command::Schema(args) => schema::main(args),
        Command::Train(args) => train::main(global, args, shell),
        Command::Completions(args) => completions::main(args),
        Command::Man(args) => man::main(args),
    }
}

/// The colour of clap's messages, which come before the arguments are read.
fn color_of_messages(args: &[OsString]) -> ColorChoice {
    let mut choice = std::env::var("CARGO_TERM_COLOR").unwrap_or_default();
    let mut args = args.iter().map(|arg| arg.to_string_lossy());
    while let Some(arg) = args.next() {
        if let Some(value) = arg.strip_prefix("--color=") {
            choice = value.to_owned();
        } else if arg == "--color" {
            choice = args.next().unwrap_or_default().into_owned();
        }
    }
    match choice.as_str() {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// The suite that the arguments request.
fn load(global: &Global, selection: &Selection) -> Result<Suite, Problems> {
    config::load(&global.request(selection))
}

/// The exit codes, for the help and the manual.
fn exit_codes_help() -> String {
    let mut text = "Exit codes:\n".to_owned();
    for code in ExitCode::ALL {
        text += &format!("  {:>3}  {}\n", code.code(), code.meaning());
    }
    text
}
