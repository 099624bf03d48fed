//! The end of a run, and all of `report`: coverage, reports, and a summary on the terminal.

use super::Failure;
use super::shell::{MessageFormat, Shell, Verbosity};
use crate::config::GithubSummary;
use crate::device::progress::Watch;
use crate::exit_code::ExitCode;
use crate::outcome::folder::RunFolder;
use crate::report::{self, Judge, Options, Rendered, annotations, step_summary};
use crate::run;
use crate::run::local_files::LocalFiles;
use std::env;
use std::path::Path;

/// The work at the end of a run.
#[derive(Clone, Copy)]
pub struct Finish<'a> {
    /// The reports.
    pub options: Options,
    /// The files for coverage reports, if those are wanted. They take seconds, so an interrupted run leaves them to
    /// `report`.
    pub coverage: Option<&'a LocalFiles>,
    /// When to write a job summary and annotations for GitHub Actions.
    pub github: GithubSummary,
    /// Compares the run with a baseline.
    pub judge: Option<&'a Judge<'a>>,
}

/// Writes everything; prints the results and the paths, with `-q` the paths alone.
pub fn finish(
    folder: &RunFolder,
    wanted: &Finish<'_>,
    watch: Watch,
    shell: &Shell,
) -> Result<Rendered, Failure> {
    if let Some(files) = wanted.coverage {
        let info = folder.info().unwrap_or_default();
        for problem in run::coverage::report(folder, &info, files, &watch) {
            shell.warn(&problem);
        }
    }
    // The live line must be cleared before the summary.
    drop(watch);
    let rendered = report::render(folder, wanted.options, wanted.judge)
        .map_err(|e| Failure::Other(ExitCode::OutputNotWritten, e.to_string()))?;
    let run = &rendered.run;
    let is_set = |name| env::var_os(name).is_some_and(|set| !set.is_empty());
    let github = match wanted.github {
        GithubSummary::Auto => is_set("GITHUB_ACTIONS"),
        GithubSummary::On => true,
        GithubSummary::Off => false,
    };
    if github
        && let Some(path) = env::var_os("GITHUB_STEP_SUMMARY")
        && let Err(e) = step_summary::append(Path::new(&path), run)
    {
        shell.warn(&format!("cannot write the step's summary: {e}"));
    }
    if github && is_set("GITHUB_ACTIONS") {
        shell.annotate(&annotations::lines(run))?;
    }
    if shell.format() == MessageFormat::Human {
        let paint = shell.paint();
        shell.write_rendered(&match shell.verbosity() {
            Verbosity::Quiet => report::console::paths(&rendered.written, paint),
            _ => report::console::summary(run, &rendered.written, paint),
        });
    }
    Ok(rendered)
}
