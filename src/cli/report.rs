//! `report`: write the reports of a run again, from its folder.

use camino::{Utf8Path, Utf8PathBuf};
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
use crate::trace::record;
use std::io;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's folder, or its name below the folder of all runs
    #[arg(value_name = "RUN", default_value = "latest", value_hint = ValueHint::DirPath)]
    run: Utf8PathBuf,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// A folder of sources to show with their covered lines, besides those of the suite; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    sources: Vec<PathBuf>,
}

/// The folder of a run: a path, a name below the folder of all runs, or `latest`.
///
/// # Errors
/// There is none.
pub fn find(global: &Global, out: Option<&Utf8Path>, run: &Utf8Path) -> Result<RunFolder, Failure> {
    let base = match out {
        Some(out) => out.to_owned(),
        // A run can be reported even if its suite is missing.
        None => load(global, &Selection::default())
            .ok()
            .and_then(|suite| suite.target_dir().ok())
            .unwrap_or_else(|| "target".into())
            .join("droidtest"),
    };
    let name = Some(run.as_str()).filter(|name| *name != "latest");
    RunFolder::find(base.as_std_path(), name)
        .map_err(|e| Failure::Other(ExitCode::NothingSelected, not_found(&e, name)))
}

/// The error of a run that was not found, with the fix. Without a name it was the latest one.
pub fn not_found(e: &io::Error, name: Option<&str>) -> String {
    let first = match name {
        _ if e.kind() != io::ErrorKind::NotFound => return e.to_string(),
        None => "run `cargo droidtest run` first",
        Some(_) => "give the path of its folder",
    };
    format!("{e}: {first}, or set DROIDTEST_OUT to the folder of all runs")
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let folder = find(global, args.out.as_deref(), &args.run)?;
    // A killed session left none.
    for session in folder.info().unwrap_or_default().sessions {
        let session = folder.session(&session.session);
        if session.journal().is_file()
            && let Err(e) = record::write_all(&session)
        {
            shell.warn(&format!("no traces in {}: {e}", session.path().display()));
        }
    }
    // A run can be reported even if its suite is missing; then its sources are not shown.
    let suite = load(global, &Selection::default()).ok();
    let stop = Stop::default();
    super::run::stop_on_ctrl_c(&stop)?;
    let watch = preparation::watch(shell, stop.flag());
    finish(
        &folder,
        &Finish {
            options: Options::default(),
            coverage: Some(&LocalFiles::new(suite.as_ref(), &args.sources)),
            github: GithubSummary::Off,
            judge: None,
        },
        watch,
        shell,
    )?;
    Ok(if stop.requested() {
        ExitCode::Interrupted
    } else {
        ExitCode::Ok
    })
}
