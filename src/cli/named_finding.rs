//! What a user names a finding by: a trace, its folder, a bundle, or its id in a run.

use camino::{Utf8Path, Utf8PathBuf};

use super::Failure;
use super::args::Global;
use super::bundle;
use crate::exit_code::ExitCode;
use crate::outcome::folder::{FindingFolder, RunFolder};
use crate::outcome::summary::FindingSummary;
use crate::report::summarize;
use crate::trace::record;
use std::path::Path;

/// Hex digits of a fingerprint that name a finding, as the names in reports have them.
const DIGITS: usize = 8;
/// Ids that an error lists.
const LISTED: usize = 10;

/// A finding of a run.
pub struct Named {
    /// The run.
    pub run: RunFolder,
    /// The finding.
    pub finding: FindingSummary,
    /// App.
    pub app: String,
    /// Device.
    pub device: String,
    /// Its folder.
    pub folder: FindingFolder,
}

/// The trace that an argument of `replay` names: a trace's file, a bundle, a finding's folder, or a finding of the latest
/// run below `out`, the folder of all runs. A bundle's trace is unpacked below `unpacked`.
///
/// # Errors
/// There is no such finding, or the bundle has no trace.
pub fn trace(
    global: &Global,
    out: Option<&Utf8Path>,
    name: &Utf8Path,
    unpacked: &Path,
) -> Result<Utf8PathBuf, Failure> {
    if name.is_dir() {
        return of_folder(name);
    }
    if name.is_file() && name.extension() == Some("zip") {
        return bundle::unpack(name, unpacked);
    }
    let is_path = name.components().count() > 1 || name.extension().is_some();
    if name.is_file() || is_path {
        // Reading a missing file has its own error.
        return Ok(name.to_owned());
    }
    of_run(global, out, Utf8Path::new("latest"), name.as_str())
}

/// The trace of a finding of a run, by what [`find`] takes.
///
/// # Errors
/// There is no such run or finding, or it has no trace.
pub fn of_run(
    global: &Global,
    out: Option<&Utf8Path>,
    run: &Utf8Path,
    name: &str,
) -> Result<Utf8PathBuf, Failure> {
    let named = find(global, out, run, name)?;
    let trace = named.finding.trace.as_ref();
    let trace = trace.map(|trace| named.run.path().join(trace));
    let trace = trace.ok_or_else(|| {
        let message =
            format!("the finding {name} has no trace: `cargo droidtest report` writes it");
        Failure::Other(ExitCode::BadInput, message)
    })?;
    let trace = utf8(trace)?;
    match trace.is_dir() {
        // A trace that is too long to be written for each finding.
        true => of_folder(&trace),
        false => Ok(trace),
    }
}

fn of_folder(name: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let folder = FindingFolder::at(name.as_std_path());
    let found = [folder.minimized(), folder.trace()];
    let found = match found.into_iter().find(|path| path.is_file()) {
        Some(found) => Some(found),
        // It may be too long to be written for each finding.
        None => Some(record::named(name.into())?).filter(|path| path.is_file()),
    };
    let found = found.ok_or_else(|| {
        let message = format!(
            "{name} has no minimized.toml and no trace.toml: name the folder of a finding, such as target/droidtest/latest/sessions/SESSION/findings/ID"
        );
        Failure::Other(ExitCode::BadInput, message)
    })?;
    utf8(found)
}

fn utf8(path: std::path::PathBuf) -> Result<Utf8PathBuf, Failure> {
    Utf8PathBuf::from_path_buf(path).map_err(|path| {
        Failure::Other(
            ExitCode::BadInput,
            format!("{} is not UTF-8", path.display()),
        )
    })
}

/// A finding of a run by its id, its fingerprint, or the fingerprint's start as names have it (`v2:e55c2e3f`); of several
/// sessions the first that has it minimized.
///
/// # Errors
/// There is no such run or finding, or several apps have it.
pub fn find(
    global: &Global,
    out: Option<&Utf8Path>,
    run: &Utf8Path,
    name: &str,
) -> Result<Named, Failure> {
    let folder = super::report::find(global, out, run)?;
    let bad = |message: String| Failure::Other(ExitCode::BadInput, message);
    let record =
        summarize::read(&folder).map_err(|e| bad(format!("{}: {e}", folder.path().display())))?;
    let (rules, digits) = name.split_once(':').unwrap_or(("", name));
    let is_short = digits.len() >= DIGITS && (!rules.is_empty() || digits.len() == DIGITS);
    let is_named = |f: &FindingSummary| {
        let print = &f.fingerprint;
        let start = print.starts_with(name) || rules.is_empty() && print.ends_with(name);
        f.id == name || *print == name || is_short && start
    };
    let mut found: Vec<Named> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    for session in &record.summary.sessions {
        for finding in session.findings.iter().chain(&session.environment_findings) {
            ids.push(&finding.id);
            if is_named(finding) {
                found.push(Named {
                    folder: folder.session(&session.session).finding(&finding.id),
                    run: folder.clone(),
                    app: session.app.clone(),
                    device: session.device.clone(),
                    finding: finding.clone(),
                });
            }
        }
    }
    if let [first, others @ ..] = &found[..]
        && let Some(other) = others
            .iter()
            .find(|o| o.app != first.app || o.finding.fingerprint != first.finding.fingerprint)
    {
        return Err(bad(format!(
            "{name} names several findings: {} of `{}` and {} of `{}`; give the path of a trace",
            first.finding.fingerprint, first.app, other.finding.fingerprint, other.app
        )));
    }
    let best = found
        .iter()
        .position(|named| named.folder.minimized().is_file());
    if !found.is_empty() {
        return Ok(found.swap_remove(best.unwrap_or(0)));
    }
    ids.sort_unstable();
    ids.dedup();
    let more = ids.len().saturating_sub(LISTED);
    ids.truncate(LISTED);
    let known = match (ids.is_empty(), more) {
        (true, _) => "it has none".to_owned(),
        (_, 0) => format!("it has {}", ids.join(", ")),
        _ => format!("it has {} and {more} more", ids.join(", ")),
    };
    Err(bad(format!(
        "there is no file {name}, and the run {} has no finding of that id or fingerprint: {known}",
        folder.path().display()
    )))
}
