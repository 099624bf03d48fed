//! `merge`: one run of the runs of several machines.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::args::{Global, Selection};
use super::finish::{Finish, finish};
use super::shell::Shell;
use super::{Failure, load, preparation};
use crate::config::GithubSummary;
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::RunFolder;
use crate::report::Options;
use crate::run::local_files::LocalFiles;
use crate::run::merge::{MergeError, Missing, merge};
use crate::util::text::for_terminal;
use std::env;
use std::path::PathBuf;

/// Most sessions named in a message.
const NAMED: usize = 5;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The runs: their folders, or their names below the folder of all runs
    #[arg(value_name = "RUN", required = true, value_hint = ValueHint::DirPath)]
    runs: Vec<Utf8PathBuf>,
    /// The folder of the merged run; it must not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Utf8PathBuf,
    /// A folder of sources to show with their covered lines, besides those of the suite; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    sources: Vec<PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    // Runs can be merged even if their suite is missing.
    let suite = load(global, &Selection::default()).ok();
    let base = match env::var("DROIDTEST_OUT") {
        Ok(base) => base.into(),
        Err(_) => suite
            .as_ref()
            .and_then(|suite| suite.target_dir().ok())
            .unwrap_or_else(|| "target".into())
            .join("droidtest"),
    };
    let find = |run: &Utf8PathBuf| {
        RunFolder::find(base.as_std_path(), Some(run.as_str()))
            .map_err(|e| Failure::Other(ExitCode::BadInput, format!("{run} is not a run: {e}")))
    };
    let runs = args.runs.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let files = LocalFiles::new(suite.as_ref(), &args.sources);
    let merged = merge(&runs, args.out.as_std_path(), &files).map_err(|error| {
        let code = match &error {
            MergeError::Runs(_) => ExitCode::BadInput,
            MergeError::Output { .. } => ExitCode::OutputNotWritten,
        };
        Failure::Other(code, error.to_string())
    })?;
    for warning in &merged.warnings {
        shell.warn(warning);
    }
    let stop = Stop::default();
    super::run::stop_on_ctrl_c(&stop)?;
    let wanted = Finish {
        options: Options::default(),
        coverage: Some(&files),
        github: GithubSummary::Off,
        judge: None,
    };
    let watch = preparation::watch(shell, stop.flag());
    finish(&merged.folder, &wanted, watch, shell)?;
    let runs = match merged.runs {
        1 => "1 run".to_owned(),
        several => format!("{several} runs"),
    };
    shell.status("Merged", &format!("{runs} into {}", args.out));
    for missing in &merged.missing {
        shell.warn(&words(missing));
    }
    Ok(if stop.requested() {
        ExitCode::Interrupted
    } else if !merged.missing.is_empty() {
        ExitCode::Incomplete
    } else {
        ExitCode::Ok
    })
}

/// What is missing, and the command that runs it.
fn words(missing: &Missing) -> String {
    let list = |names: &[String]| {
        let shown: Vec<_> = names
            .iter()
            .take(NAMED)
            .map(|name| for_terminal(name))
            .collect();
        match names.len().saturating_sub(NAMED) {
            0 => shown.join(", "),
            more => format!("{}, and {more} more", shown.join(", ")),
        }
    };
    let mut parts = Vec::new();
    if !missing.absent.is_empty() {
        parts.push(format!("missing: {}", list(&missing.absent)));
    }
    if !missing.cut.is_empty() {
        parts.push(format!("cut off: {}", list(&missing.cut)));
    }
    let parts = parts.join("; ");
    match missing.shard {
        Some(shard) => {
            let (by, count) = (shard.by, shard.count);
            let index = shard.index.unwrap_or_default();
            format!(
                "shard {index} of {count} is incomplete; {parts}; run it with `--partition {by}:{index}/{count}`, and merge again"
            )
        }
        None => format!("the run is incomplete; {parts}"),
    }
}
