//! `comment`: one comment on the pull request or merge request of the CI job, updated in place.

mod forge;
mod http;

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::Failure;
use super::args::Global;
use super::report::find;
use super::shell::{MessageFormat, Shell, Verbosity};
use crate::exit_code::ExitCode;
use crate::report::comment::comment;
use crate::report::summarize;
use forge::{Comments, Done, link};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's folder, or its name below the folder of all runs
    #[arg(value_name = "RUN", default_value = "latest", value_hint = ValueHint::DirPath)]
    run: Utf8PathBuf,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// Print the comment instead of sending it
    #[arg(long)]
    print: bool,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let folder = find(global, args.out.as_deref(), &args.run)?;
    let run = summarize::read(&folder)
        .map_err(|e| Failure::Other(ExitCode::BadInput, format!("{}: {e}", args.run)))?;
    let env = |name: &str| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    };
    let comment = comment(&run, link(&env).as_deref());
    if args.print {
        if shell.format() == MessageFormat::Human {
            shell.print(&comment.text)?;
        } else {
            let line = serde_json::json!({ "e": "comment", "body": comment.text });
            shell.print(&format!("{line}\n"))?;
        }
        return Ok(ExitCode::Ok);
    }
    // Without a token, as on forks, the job's summary has the same.
    let skipped = |why: &str| {
        if shell.verbosity() >= Verbosity::Verbose {
            shell.status("Skipped", &format!("no comment: {why}"));
        }
        Ok(ExitCode::Ok)
    };
    if global.offline {
        return skipped("`--offline` allows no request");
    }
    let comments = match Comments::of_job(&env) {
        Ok(comments) => comments,
        Err(why) => return skipped(&why),
    };
    match comments.put(&comment.marker, &comment.text, comment.matters) {
        Ok(Done::Unchanged) => skipped("nothing changed"),
        Ok(Done::Created) => {
            shell.status("Commented", "on the pull request");
            Ok(ExitCode::Ok)
        }
        Ok(Done::Updated) => {
            shell.status("Updated", "the comment on the pull request");
            Ok(ExitCode::Ok)
        }
        Err(e) if comments.fork && matches!(e.status, 401 | 403 | 404) => {
            skipped(&format!("a fork's job may not comment: {e}"))
        }
        Err(e) => {
            let help = match e.status {
                401 | 403 | 404 => format!("; {}", comments.needs),
                _ => String::new(),
            };
            let message = format!("cannot comment: {e}{help}");
            Err(Failure::Other(ExitCode::OutputNotWritten, message))
        }
    }
}
