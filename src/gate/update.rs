//! `gate update`: rewrites the tool's sections of a baseline. What people wrote stays: `[[accepted]]`, comments, order.

use super::baseline::{BYTE_ORDER_MARK, Baseline, BaselineError, VERSION};
use crate::outcome::summary::RunSummary;
use crate::outcome::verdict::{Judged, Status, Verdict};
use crate::trace::record;
use crate::util::durable::{self, Lasting};
use crate::util::foreign;
use crate::util::text::for_file_name;
use jiff::civil::Date;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

/// The head of a new file.
const HEAD: &str = "\
# Findings that are known to droidtest. `cargo droidtest gate update` rewrites [[current]] and [[coverage]].
# To accept a finding, change its header to [[accepted]] and add `reason`, `owner` and, if it is for a time, `until`.
";
const SECTIONS: [&str; 3] = ["current", "coverage", "accepted"];

/// What an update changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Updated {
    /// Names of entries added.
    pub added: Vec<String>,
    /// Names of entries removed, as their findings are fixed.
    pub removed: Vec<String>,
    /// Entries that stay.
    pub kept: usize,
}

/// Why a baseline could not be written.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The present file is wrong.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Updates the baseline with a run in this folder: new, known and pre-existing findings are its entries, fixed ones leave.
/// Flaky ones, those of the device and warnings never fail, so they have no entry. Traces are copied beside the file.
/// `is_shard`: the run is a part of a plan, so its coverage stays out of the baseline.
///
/// # Errors
/// The file is wrong, or cannot be written.
pub fn update(
    baseline: &Baseline,
    run: &RunSummary,
    folder: &Path,
    verdict: &Verdict,
    (today, is_shard): (Date, bool),
) -> Result<Updated, UpdateError> {
    let path = &baseline.path;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| UpdateError::Write { path, source }
    };
    let mut text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(failed(path)(e)),
    };
    let mark = if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0).to_string()
    } else {
        String::new()
    };
    // The caller read it before: a syntax error would have ended there.
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| {
        failed(path)(io::Error::other(e.message().to_owned()))
    })?;
    if !document.contains_key("version") {
        document.insert("version", value(i64::from(VERSION)));
        if let Some(mut key) = document.key_mut("version") {
            key.leaf_decor_mut().set_prefix(format!("{HEAD}{text}"));
        }
        document.set_trailing("");
    }
    let mut updated = Updated::default();
    let mut current = take(&mut document, "current");
    current.retain(|table| {
        let (app, print) = (text_of(table, "app"), text_of(table, "fingerprint"));
        let found = verdict.find(app, print);
        let leaves = found.is_some_and(|f| f.status == Status::Fixed);
        if leaves {
            updated
                .removed
                .push(found.map_or_else(String::new, |f| f.name.clone()));
        }
        !leaves
    });
    let kept = [Status::New, Status::Known, Status::PreExisting];
    for finding in verdict
        .findings
        .iter()
        .filter(|f| !f.warning && kept.contains(&f.status))
    {
        // An expired acceptance is new, and stays with its owner.
        let (app, print) = (&finding.app, &finding.fingerprint);
        if baseline.accepted.iter().any(|e| e.is_of(app, print)) {
            continue;
        }
        let known = current.iter().position(|table| {
            text_of(table, "app") == finding.app
                && text_of(table, "fingerprint") == finding.fingerprint
        });
        let mut table = match known {
            Some(at) => current.remove(at),
            None => {
                updated.added.push(finding.name.clone());
                new_entry(finding, today)
            }
        };
        // An entry that exploration did not observe keeps what it has.
        if finding.observed {
            let kind = finding
                .kind
                .and_then(|kind| serde_json::to_value(kind).ok());
            set(
                &mut table,
                "kind",
                kind.as_ref().and_then(|kind| kind.as_str()),
            );
            set(&mut table, "exception", finding.exception.as_deref());
            set(&mut table, "at", finding.frame.as_deref());
            // A run does not minimize what the baseline has a trace of.
            let shorter = !finding.steps.is_empty() || text_of(&table, "trace").is_empty();
            if shorter && let Some(trace) = copy_trace(finding, folder, path)? {
                set(&mut table, "trace", Some(&trace));
            }
        }
        current.push(table);
    }
    updated.kept = current.len() - updated.added.len();
    let key = |table: &Table| {
        let text = |key| text_of(table, key).to_owned();
        (text("app"), text("fingerprint"))
    };
    current.sort_by_key(key);
    let mut coverage = take(&mut document, "coverage");
    // A part of the plan covers less than all of it.
    let complete = verdict.incomplete.is_empty() && !is_shard;
    for app in run.apps.iter().filter(|_| complete) {
        let Some(lines) = app.coverage.map(|c| c.line).filter(|line| line.total > 0) else {
            continue;
        };
        let known = coverage.iter().position(|t| text_of(t, "app") == app.app);
        let mut table = known.map_or_else(Table::new, |at| coverage.remove(at));
        set(&mut table, "app", Some(&app.app));
        table["lines"] = value((lines.percent() * 10.0).floor() / 10.0);
        table["events"] = value(i64::try_from(app.events).unwrap_or(i64::MAX));
        coverage.push(table);
    }
    coverage.sort_by_key(key);
    let accepted = take(&mut document, "accepted");
    let traces: BTreeSet<String> = (current.iter().chain(&accepted))
        .map(|table| text_of(table, "trace").to_owned())
        .collect();
    lay_out(&mut document, [current, coverage, accepted]);
    let mut written = document.to_string();
    if text.contains("\r\n") {
        written = written.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    written.insert_str(0, &mark);
    durable::write(path, written.as_bytes(), Lasting::Sure).map_err(failed(path))?;
    remove_traces(baseline, &traces);
    Ok(updated)
}

fn new_entry(finding: &Judged, today: Date) -> Table {
    let mut table = Table::new();
    set(&mut table, "app", Some(&finding.app));
    set(&mut table, "fingerprint", Some(&finding.fingerprint));
    set(&mut table, "exception", finding.exception.as_deref());
    set(&mut table, "at", finding.frame.as_deref());
    set(&mut table, "first-seen", Some(&today.to_string()));
    table.decor_mut().set_prefix("\n");
    table
}

/// Copies the finding's trace beside the baseline; its name there, relative to the baseline.
fn copy_trace(
    finding: &Judged,
    run: &Path,
    baseline: &Path,
) -> Result<Option<String>, UpdateError> {
    let Some(trace) = &finding.trace else {
        return Ok(None);
    };
    let trace = Path::new(trace);
    if !trace
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return Ok(None);
    }
    let file = record::named(run.join(trace));
    let Ok(content) = file.and_then(|file| foreign::read(&file)) else {
        return Ok(None);
    };
    let folder = traces_folder(baseline);
    let print = finding.fingerprint.rsplit(':').next().unwrap_or_default();
    let name = format!("{}-{print}.toml", for_file_name(&finding.app));
    let to = baseline.with_file_name(&folder).join(&name);
    let failed = |source| UpdateError::Write {
        path: to.clone(),
        source,
    };
    fs::create_dir_all(baseline.with_file_name(&folder)).map_err(failed)?;
    durable::write(&to, &content, Lasting::Sure).map_err(failed)?;
    Ok(Some(format!("{folder}/{name}")))
}

/// The folder of a baseline's traces: its file's name without the extension.
fn traces_folder(baseline: &Path) -> String {
    let stem = baseline.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Removes the copies that no entry names any more.
fn remove_traces(before: &Baseline, named: &BTreeSet<String>) {
    let folder = format!("{}/", traces_folder(&before.path));
    let current = before.current.iter().filter_map(|e| e.trace.as_ref());
    for trace in current.filter(|t| t.starts_with(&folder) && !named.contains(*t)) {
        let plain = |part| matches!(part, Component::Normal(_));
        if Path::new(trace).components().all(plain) {
            // A file that stays does no harm.
            let _ = fs::remove_file(before.path.with_file_name("").join(trace));
        }
    }
}

fn take(document: &mut DocumentMut, section: &str) -> Vec<Table> {
    // An array of inline tables has the same meaning.
    let tables = document.remove(section).map(Item::into_array_of_tables);
    match tables {
        Some(Ok(tables)) => tables.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Puts the sections back in the order of the file; a new one comes last.
fn lay_out(document: &mut DocumentMut, tables: [Vec<Table>; 3]) {
    let mut sections: Vec<_> = SECTIONS.into_iter().zip(tables).collect();
    sections.sort_by_key(|(_, tables)| {
        let first = tables.iter().filter_map(Table::position).min();
        first.unwrap_or(isize::MAX)
    });
    let mut position = 0;
    for (section, tables) in sections {
        let mut array = ArrayOfTables::new();
        for mut table in tables {
            position += 1;
            table.set_position(Some(position));
            array.push(table);
        }
        if !array.is_empty() {
            document.insert(section, Item::ArrayOfTables(array));
        }
    }
}

fn text_of<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Item::as_str).unwrap_or_default()
}

/// Sets a text and keeps the comments around it; an equal one is not touched.
fn set(table: &mut Table, key: &str, text: Option<&str>) {
    match text {
        None => {
            table.remove(key);
        }
        Some(text) if text_of(table, key) == text => {}
        Some(text) => {
            let decor = table
                .get(key)
                .and_then(Item::as_value)
                .map(|v| v.decor().clone());
            table.insert(key, value(text));
            let new = table.get_mut(key).and_then(Item::as_value_mut);
            if let Some((new, decor)) = new.zip(decor) {
                *new.decor_mut() = decor;
            }
        }
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
