//! The command line, as clap reads it.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;
use clap::{ArgAction, Args, Parser, Subcommand, ValueHint};

use super::shell::{Color, MessageFormat, Shell, Verbosity};
use super::{
    Failure, add_app, bench, bundle, comment, completions, corpus, demonstration, doctor, export,
    gate, init, inspect, list, man, merge, minimize, model, replay, report, run, schema, setup,
    show_config, train,
};
use crate::config::{Override, Request, process_env};
use crate::exit_code::ExitCode;
use crate::outcome::folder::LATEST;
use crate::run::Plan;
use crate::run::partition::Wanted;

/// Explore Android apps from a declarative suite: find their crashes, measure
/// coverage, write reports. No test to write, no emulator needed.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-droidtest",
    bin_name = "cargo droidtest",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = super::exit_codes_help()
)]
pub struct Cli {
    /// The options of every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The suite [default: .config/droidtest.toml, droidtest.toml, or
    /// metadata.droidtest in Cargo.toml]
    #[arg(long, global = true, value_name = "FILE", env = "DROIDTEST_SUITE", hide_env_values = true, value_hint = ValueHint::FilePath)]
    pub suite: Option<Utf8PathBuf>,
    /// The profile of the suite
    #[arg(
        long,
        short = 'P',
        global = true,
        value_name = "NAME",
        env = "DROIDTEST_PROFILE",
        hide_env_values = true
    )]
    pub profile: Option<String>,
    /// When to use colour
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        env = "CARGO_TERM_COLOR",
        hide_env_values = true
    )]
    pub color: Color,
    /// The output format
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "human",
        env = "DROIDTEST_MESSAGE_FORMAT",
        hide_env_values = true
    )]
    pub message_format: MessageFormat,
    /// Show devices, strategies, times and why a session ended; -vv: every step
    #[arg(long, short, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Print only findings, problems and the paths of the reports
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// The most sessions at a time [default: the number of processors]
    #[arg(
        long,
        short,
        global = true,
        value_name = "N",
        env = "DROIDTEST_JOBS",
        hide_env_values = true
    )]
    pub jobs: Option<NonZeroUsize>,
    /// Work offline: fetch nothing
    #[arg(
        long,
        global = true,
        env = "DROIDTEST_OFFLINE",
        hide_env_values = true,
        value_parser = clap::builder::FalseyValueParser::new()
    )]
    pub offline: bool,
}

impl Global {
    /// The verbosity.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Verbose,
            (false, _) => Verbosity::Steps,
        }
    }

    /// The most sessions at a time: `-j`, by default the number of processors.
    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().ok();
        self.jobs.or_else(processors).map_or(1, NonZeroUsize::get)
    }

    /// What to load.
    pub fn request(&self, selection: &Selection) -> Request {
        Request {
            suite: self.suite.clone(),
            profile: self.profile.clone(),
            overrides: selection.overrides(),
            ..Request::from_process()
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explore the apps of the suite
    #[command(visible_alias = "r")]
    Run(Box<run::Args>),
    /// Write a suite, a CI workflow and a baseline for the apps of a project
    Init(init::Args),
    /// Add apps to the suite
    AddApp(add_app::Args),
    /// List the sessions of a run without running them
    List(list::Args),
    /// Replay traces, and report whether their findings reproduce
    Replay(replay::Args),
    /// Find the fewest steps that still lead to a trace's finding, or to all findings of a run
    Minimize(minimize::Args),
    /// Print a parsed Android file as JSON: a view dump, a log, a tombstone
    Inspect(inspect::Args),
    /// Regenerate the reports of a run from its folder
    Report(report::Args),
    /// Pack a finding into one archive that `replay` takes
    Bundle(bundle::Args),
    /// Write a finding's steps as a test of another tool: adb, Maestro, UiAutomator or Espresso
    Export(export::Args),
    /// Comment on the pull request of the CI job: one comment, updated in place
    Comment(comment::Args),
    /// Show, grow and minimize a corpus: traces that a team keeps
    Corpus(corpus::Args),
    /// Keep what a person did in a run: as scripts, as traces of a corpus, or as counts for fastbot
    Demonstration(demonstration::Args),
    /// Judge runs against a baseline of known findings, and update it
    Gate(gate::Args),
    /// Merge the runs of several machines into one
    Merge(merge::Args),
    /// Compare strategies over the suite's apps and seeds, with statistics
    Bench(bench::Args),
    /// Check, draw, change and generate FATE models
    Model(model::Args),
    /// Check what the suite needs on this machine
    Doctor(doctor::Args),
    /// Fetch and prepare what the devices need
    Setup(setup::Args),
    /// Train word vectors and policies for strategies
    Train(train::Args),
    /// Show the settings in effect
    ShowConfig(show_config::Args),
    /// Print the JSON schema of a suite file
    Schema(schema::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the manual page
    Man(man::Args),
}

/// Which part of the suite, and for how long: flags that replace
/// settings of `[suite]`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Selection")]
pub struct Selection {
    /// Only this app; may be repeated
    #[arg(long = "app", value_name = "NAME", value_delimiter = ',')]
    pub apps: Vec<String>,
    /// Only this device; may be repeated
    #[arg(long = "device", value_name = "NAME", value_delimiter = ',')]
    pub devices: Vec<String>,
    /// Only this strategy; may be repeated
    #[arg(long = "strategy", value_name = "NAME", value_delimiter = ',')]
    pub strategies: Vec<String>,
    /// This seed instead of the suite's; may be repeated
    #[arg(
        long = "seed",
        value_name = "N",
        value_delimiter = ',',
        value_parser = clap::value_parser!(i64).range(0..)
    )]
    pub seeds: Vec<i64>,
    /// End a session after this many events
    #[arg(long, value_name = "N")]
    pub events: Option<u64>,
    /// End a session after this time, such as 90s or 10m
    #[arg(long, value_name = "DURATION")]
    pub time: Option<String>,
    /// The time for all sessions and for minimizing together, such as 20m
    #[arg(long, value_name = "DURATION")]
    pub total: Option<String>,
    /// End a session after this many events without new behaviour
    #[arg(long, value_name = "N")]
    pub plateau: Option<u64>,
    /// What computes networks: rust or, in a build with libtorch, torch:cpu, torch:auto, torch:cuda:0
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
}

/// Which shard of the plan.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Selection")]
pub struct Sharding {
    /// Only shard M of N: slice:M/N takes every N-th session, hash:M/N goes by their
    /// names; auto reads the variables of CI, Slurm or Kubernetes
    #[arg(
        long,
        value_name = "SHARD",
        env = "DROIDTEST_PARTITION",
        hide_env_values = true,
        value_parser = <Wanted as std::str::FromStr>::from_str
    )]
    partition: Option<Wanted>,
}

impl Sharding {
    /// The shard of the plan, reported to the user where variables name it.
    ///
    /// # Errors
    /// The variables name none.
    pub fn apply(self, plan: Plan, shell: &Shell) -> Result<Plan, Failure> {
        let Some(wanted) = self.partition else {
            return Ok(plan);
        };
        let (partition, names) = wanted
            .resolve(&process_env())
            .map_err(|why| Failure::Other(ExitCode::Usage, format!("--partition: {why}")))?;
        if !names.is_empty() {
            shell.status(
                "Partition",
                &format!("{partition} (from {})", names.join(" and ")),
            );
        }
        Ok(plan.shard(partition))
    }
}

impl Selection {
    /// The flags as settings.
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides = Vec::new();
        for (flag, key, names) in [
            ("--app", "suite.apps", &self.apps),
            ("--device", "suite.devices", &self.devices),
            ("--strategy", "suite.strategies", &self.strategies),
        ] {
            if !names.is_empty() {
                overrides.push(Override::new(flag, &names.join(","), key, names.clone()));
            }
        }
        if !self.seeds.is_empty() {
            let written: Vec<_> = self.seeds.iter().map(i64::to_string).collect();
            overrides.push(Override::new(
                "--seed",
                &written.join(","),
                "suite.seeds",
                self.seeds.clone(),
            ));
        }
        for (flag, key, number) in [
            ("--events", "suite.budget.events", self.events),
            ("--plateau", "suite.budget.plateau", self.plateau),
        ] {
            if let Some(number) = number {
                let value = i64::try_from(number).unwrap_or(i64::MAX);
                overrides.push(Override::new(flag, &number.to_string(), key, value));
            }
        }
        if let Some(engine) = &self.engine {
            let (flag, key) = ("--engine", "suite.engine");
            overrides.push(Override::new(flag, engine, key, engine.clone()));
        }
        for (flag, key, time) in [
            ("--time", "suite.budget.time", &self.time),
            ("--total", "suite.total", &self.total),
        ] {
            if let Some(time) = time {
                overrides.push(Override::new(flag, time, key, time.clone()));
            }
        }
        overrides
    }
}

/// The name of a run's folder: one in the folder of all runs, and not the link to the latest.
///
/// # Errors
/// It is none.
pub fn run_id(text: &str) -> Result<String, String> {
    let one = std::path::Path::new(text).file_name() == Some(text.as_ref());
    if one && !text.contains(['\\', ':']) && !text.contains(char::is_control) && text != LATEST {
        return Ok(text.to_owned());
    }
    Err(format!(
        "a run ID is a folder name below `--out`: it has no `/` and is not `{LATEST}`"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::config::env::PROCESS_VARIABLES;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_run_stays_in_the_folder_of_all_runs() {
        for good in ["bench", "2026-1", "a b.apk", "ü"] {
            assert_eq!(run_id(good).as_deref(), Ok(good));
        }
        for bad in [
            "", ".", "..", "../x", "/x", "a/b", "a/", "a\\b", "c:x", "a\n", "latest",
        ] {
            assert!(run_id(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn variables_that_flags_read_are_not_taken_for_settings() {
        let all = Cli::command();
        let commands = std::iter::once(&all).chain(all.get_subcommands());
        let read = commands
            .flat_map(clap::Command::get_arguments)
            .filter_map(clap::Arg::get_env)
            .map(|name| name.to_string_lossy());
        for name in read.filter(|name| name.starts_with("DROIDTEST_")) {
            assert!(PROCESS_VARIABLES.contains(&&*name), "{name}");
        }
    }
}
