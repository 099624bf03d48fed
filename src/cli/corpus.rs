//! `corpus`: traces that a team keeps, what they are worth, and the fewest that are worth as much.

mod worth;

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::args::Global;
use super::shell::Shell;
use super::traces::Choice;
use super::{Failure, report, traces};
use crate::config::{HumanDuration, Suite};
use crate::corpus::worth::Kind;
use crate::corpus::{CorpusError, folder};
use crate::exit_code::ExitCode;
use crate::outcome::folder::RunFolder;
use crate::report::console::{near, plural};
use crate::run::corpus::{Source, add};
use crate::run::{Options, Outcome, Plan};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What to do with the corpus.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add what runs have reached beyond the corpus
    Add(AddArgs),
    /// Show what each trace is worth; traces and apps that have changed are measured again
    Show(ReplayArgs),
    /// Keep the fewest traces, and the fewest steps of them, that reach the same probes,
    /// transitions and findings
    Min(MinArgs),
}

/// A corpus, and how its traces are replayed.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The folder of the corpus [default: the suite's]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub corpus: Option<Utf8PathBuf>,
    /// Replays of each trace: it is worth what all of them reach
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub replays: u32,
    #[command(flatten)]
    pub choice: Choice,
}

/// How a corpus is minimized.
#[derive(Debug, clap::Args)]
pub struct MinArgs {
    #[command(flatten)]
    pub replay: ReplayArgs,
    /// The longest time for cutting the steps of an app's traces, such as 90s or 10m
    #[arg(long, value_name = "DURATION", default_value = "10m")]
    pub time: HumanDuration,
    /// What the result must reach; a device without coverage has no probes
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        default_value = "probes,transitions,findings"
    )]
    pub keep: Vec<Kind>,
}

/// A corpus and runs.
#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The folder of the corpus
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    corpus: Utf8PathBuf,
    /// The runs: their folders, or their names below the folder of all runs
    #[arg(value_name = "RUN", required = true, value_hint = ValueHint::DirPath)]
    runs: Vec<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Add(args) => grow(global, args, shell),
        Command::Show(args) => worth::show(global, args, shell),
        Command::Min(args) => worth::minimize(global, args, shell),
    }
}

fn grow(global: &Global, args: &AddArgs, shell: &Shell) -> Result<ExitCode, Failure> {
    let find = |run: &Utf8PathBuf| report::find(global, args.out.as_deref(), run);
    let runs = args.runs.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let added = add(args.corpus.as_std_path(), &runs).map_err(|e| refused(e, shell))?;
    for file in &added {
        shell.status("Added", &near(&args.corpus.as_std_path().join(file)));
    }
    if added.is_empty() {
        shell.status("Unchanged", "the runs reach nothing beyond the corpus");
    }
    Ok(ExitCode::Ok)
}

/// Why a corpus cannot be used, as an exit code and words.
pub fn refused(error: CorpusError, shell: &Shell) -> Failure {
    match error {
        CorpusError::Trace(error) => traces::unreadable(&error, shell),
        CorpusError::Misplaced(_) => Failure::Other(ExitCode::Config, error.to_string()),
        CorpusError::Io { .. } => Failure::Other(ExitCode::OutputNotWritten, error.to_string()),
    }
}

/// The corpus that a run starts from: the flag's, else the suite's. A run that continues starts from what it started from
/// before. A shard adds no traces, so that all shards start from the same ones.
///
/// # Errors
/// A trace cannot be read, or does not belong there.
pub fn of_run(
    suite: &Suite,
    flag: Option<&Utf8Path>,
    earlier: Option<&RunFolder>,
    plan: &Plan,
    shell: &Shell,
) -> Result<Option<Source>, Failure> {
    let set = suite.settings.suite.corpus.as_deref();
    let Some(folder) = flag
        .map(Utf8Path::to_owned)
        .or_else(|| set.map(|set| suite.on_disk(set)))
    else {
        if earlier.is_some_and(|run| run.corpus().is_dir()) {
            let message =
                "the run started from a corpus: name its folder with --corpus DIR to continue it";
            return Err(Failure::Other(ExitCode::Config, message.to_owned()));
        }
        return Ok(None);
    };
    let folder = folder.into_std_path_buf();
    let entries = match earlier {
        Some(earlier) => Source::of_run(earlier),
        None => folder::load_all(&folder),
    };
    let entries = entries.map_err(|e| refused(e, shell))?;
    let grows = plan.shard.is_none();
    if grows {
        // What cannot be read now could not be added to at the end.
        folder::load_all(&folder).map_err(|e| refused(e, shell))?;
    }
    let found = match entries.len() as u64 {
        0 => "no traces yet".to_owned(),
        count => plural(count, "trace"),
    };
    shell.status("Corpus", &format!("{}: {found}", near(&folder)));
    Ok(Some(Source {
        folder,
        entries,
        grows,
    }))
}

/// Reports what a run added to its corpus.
pub fn tell_added(options: &Options, outcome: &Outcome, shell: &Shell) {
    let Some(corpus) = &options.corpus else {
        return;
    };
    let folder = near(&corpus.folder);
    match &outcome.added {
        Ok(added) if added.is_empty() => {}
        Ok(added) => {
            let count = plural(added.len() as u64, "trace");
            shell.status("Added", &format!("{count} to {folder}"));
        }
        Err(error) => shell.warn(&format!(
            "nothing was added to the corpus: {error}; `cargo droidtest corpus add {folder} {}` tries again",
            near(outcome.folder.path())
        )),
    }
}
