//! `bench compare`: sessions of several benches, by the files that each of them wrote.

use camino::Utf8PathBuf;
use clap::ValueHint;

use crate::bench::{self, kept};
use crate::cli::Failure;
use crate::cli::shell::Shell;
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The `bench.jsonl` of each bench
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<Utf8PathBuf>,
    /// Numbers of events after which the sessions are compared, too
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    at: Vec<u64>,
    /// Only these strategies
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    strategies: Vec<String>,
    /// The folder of the report
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Utf8PathBuf,
}

pub fn main(args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let bad = |why: String| Failure::Other(ExitCode::BadInput, why);
    let mut sessions = kept::read(&args.files).map_err(|e| bad(e.to_string()))?;
    for name in &args.strategies {
        if sessions.iter().all(|s| s.planned.strategy != *name) {
            return Err(bad(format!("the files contain no session of {name}")));
        }
    }
    if !args.strategies.is_empty() {
        sessions.retain(|s| args.strategies.contains(&s.planned.strategy));
    }
    std::fs::create_dir_all(&args.out)
        .map_err(|e| bad(format!("cannot make the folder {}: {e}", args.out)))?;
    let report = bench::report("compare", &sessions, &args.at);
    super::show(&report, &sessions, args.out.as_std_path(), shell)?;
    Ok(ExitCode::Ok)
}
