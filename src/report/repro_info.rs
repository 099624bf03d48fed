//! The artifacts that reproduce a finding: its trace, the fewest steps, their reliability, a screenshot per step.

use super::console::near;
use super::html::finding::relative;
use super::session::{SessionRecord, WAY};
use crate::outcome::folder::RunFolder;
use crate::outcome::summary::SessionSummary;
use crate::outcome::{Minimality, Reproduction};
use crate::trace::{self, provoked_by};
use crate::util::foreign;
use std::path::{Path, PathBuf};

/// The artifacts of a finding's folder that reproduce it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReproInfo {
    /// The shortest existing trace, relative to the run's folder, with `/`; the finding's folder where the trace is too
    /// long to be written for each finding.
    pub trace: String,
    /// The arguments of `cargo droidtest replay` in the report's working folder, quoted for a shell: the suite, unless
    /// it is found without being named, the profile, unless it is the default one, and the trace.
    pub typed: String,
    /// The result of minimization, if it was tried.
    pub reproduction: Option<Reproduction>,
    /// The causes from outside the app among its steps ([`provoked_by`]): among the fewest, else among the last ones
    /// recorded.
    pub provoked_by: Vec<&'static str>,
    /// Are these the fewest steps?
    pub minimized: bool,
    /// The screen before each of the fewest steps, if there is a screenshot.
    pub images: Vec<Option<PathBuf>>,
}

/// Reads the existing files. An unreadable file counts as missing: everything can be regenerated.
pub fn read(folder: &RunFolder, session: &str, finding: &str) -> Option<ReproInfo> {
    let files = folder.session(session).finding(finding);
    let minimized = files.minimized();
    let found = [minimized.clone(), files.trace()];
    let trace = found.iter().find(|path| path.is_file());
    let whole = files.path().to_owned();
    let trace = trace.or(Some(&whole).filter(|path| path.is_dir()))?;
    let reproduction: Option<Reproduction> = foreign::read(&files.reproduction())
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok());
    let steps = reproduction.as_ref().map_or(0, |found| found.steps.len());
    let image = |number| Some(files.step_image(number)).filter(|path| path.is_file());
    let is_minimized = trace == &minimized;
    let steps_of = trace::load(trace).map(|trace| trace.steps);
    let steps_of = steps_of.unwrap_or_default();
    let recent = match is_minimized {
        true => &steps_of[..],
        false => &steps_of[steps_of.len().saturating_sub(WAY)..],
    };
    Some(ReproInfo {
        provoked_by: provoked_by(recent),
        minimized: is_minimized,
        trace: relative(folder, trace),
        typed: paths(std::slice::from_ref(trace)),
        images: match is_minimized {
            true => (1..=steps).map(image).collect(),
            false => Vec::new(),
        },
        reproduction,
    })
}

/// A path that is not taken for an option.
fn no_option(path: String) -> String {
    match path.starts_with('-') {
        true => format!("./{path}"),
        false => path,
    }
}

/// The command that replays these traces of a run.
pub fn replay(folder: &RunFolder, traces: &[PathBuf]) -> String {
    format!("cargo droidtest replay {}{}", chosen(folder), paths(traces))
}

/// Paths on a command line.
pub fn paths(all: &[PathBuf]) -> String {
    let words: Vec<_> = all.iter().map(|path| quoted(&near(path))).collect();
    words.join(" ")
}

/// The options that choose the suite, the APKs and the profile of a run, each with a blank behind it.
fn chosen(folder: &RunFolder) -> String {
    let info = folder.info().unwrap_or_default();
    let suite = info.file.map(|file| near(Path::new(&file)));
    let mut named = String::new();
    if let Some(suite) = suite.filter(|file| !is_found(file)) {
        named += &format!("--suite {} ", quoted(&suite));
    }
    for apk in &info.apks {
        named += &format!("--apk {} ", quoted(&no_option(near(Path::new(apk)))));
    }
    if let Some(profile) = info.profile {
        named += &format!("--profile {} ", quoted(&profile));
    }
    named
}

/// A cause is minimized once; the result goes to all sessions of the app that observed it.
pub fn share(folder: &RunFolder, summaries: &mut [SessionSummary], records: &mut [SessionRecord]) {
    let named = chosen(folder);
    let all = records.iter_mut().flat_map(|record| &mut record.findings);
    for repro in all.filter_map(|met| met.repro.as_mut()) {
        repro.typed.insert_str(0, &named);
    }
    let mut best: Vec<(String, String, ReproInfo)> = Vec::new();
    for (summary, record) in summaries.iter().zip(records.iter()) {
        for met in &record.findings {
            let Some(repro) = met.repro.as_ref().filter(|h| h.reproduction.is_some()) else {
                continue;
            };
            let print = &met.finding.fingerprint;
            let same = |b: &&mut (String, String, ReproInfo)| b.0 == summary.app && b.1 == *print;
            match best.iter_mut().find(same) {
                Some(known) if worth(&known.2) <= worth(repro) => {}
                Some(known) => known.2 = repro.clone(),
                None => best.push((summary.app.clone(), print.clone(), repro.clone())),
            }
        }
    }
    for (summary, record) in summaries.iter_mut().zip(records) {
        for met in &mut record.findings {
            let print = &met.finding.fingerprint;
            let known = best.iter().find(|b| b.0 == summary.app && b.1 == *print);
            if let Some((.., repro)) = known {
                met.repro = Some(repro.clone());
            }
            let provoked = met.provoked_by();
            let Some(repro) = &met.repro else { continue };
            let all = summary
                .findings
                .iter_mut()
                .chain(&mut summary.environment_findings);
            for finding in all.filter(|f| f.fingerprint == *print) {
                finding.trace = Some(repro.trace.clone());
                finding.provoked_by.clone_from(&provoked);
                let pictures = repro.images.iter().flatten();
                finding.pictures = pictures.map(|image| relative(folder, image)).collect();
                let Some(found) = &repro.reproduction else {
                    continue;
                };
                if found.minimality != Minimality::NotReproduced {
                    finding.minimized_length = Some(found.steps.len() as u64);
                }
                finding.reproduced = Some((found.reproduced, found.of));
                finding.reproduction = Some(found.clone());
            }
        }
    }
}

/// Suites that are found without being named, as a table in a manifest is.
const FOUND: [&str; 2] = [".config/droidtest.toml", "droidtest.toml"];

/// Is this suite found from here without being named?
fn is_found(file: &str) -> bool {
    let mut first = FOUND.iter().filter(|file| Path::new(file).is_file());
    first
        .next()
        .map_or_else(|| file.ends_with("Cargo.toml"), |first| *first == file)
}

/// One word of a command line. No path contains a NUL, which no shell accepts.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}

/// Smaller is better: one that reproduces before one that does not, then fewer steps.
fn worth(repro: &ReproInfo) -> (bool, usize) {
    let found = repro.reproduction.as_ref();
    (
        found.is_none_or(|f| f.minimality == Minimality::NotReproduced),
        found.map_or(usize::MAX, |f| f.steps.len()),
    )
}
