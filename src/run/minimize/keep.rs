//! Saves the result of a minimization in the finding's folder; never replaces a better earlier result.

use crate::outcome::folder::{FindingFolder, SessionFolder, pretty, write_whole};
use crate::outcome::{Minimality, Reproduction};
use crate::repro::Minimized;
use crate::trace::{self, SessionTraces, Step, Trace, TraceError, write};
use crate::util::foreign;
use crate::util::text::Redactor;
use std::fs;
use std::io;
use std::path::Path;

/// What the finding's folder contains now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saved {
    /// The new result.
    Result,
    /// No minimized trace: the finding was not reproduced.
    Nothing,
    /// The earlier result with this many steps: the new one reached its limit and is longer.
    Shorter(usize),
    /// The earlier result: nothing was replayed.
    Earlier,
    /// The given trace, though the finding was not reproduced.
    Given,
}

impl Saved {
    /// The message about an earlier result that stays.
    pub fn words(self) -> Option<String> {
        match self {
            Self::Result | Self::Nothing => None,
            Self::Shorter(steps) => Some(format!(
                "kept the earlier result, which is shorter ({steps} steps)"
            )),
            Self::Earlier => Some("kept the earlier result".to_owned()),
            Self::Given => Some("kept the given trace".to_owned()),
        }
    }
}

/// Saves a result in the finding's folder and replaces the earlier one. If the finding was not reproduced, removes the
/// minimized trace, unless it was the input. `pictures` contains the new screenshots.
///
/// # Errors
/// A file cannot be written or deleted.
pub fn save(
    folder: &FindingFolder,
    given: &Path,
    pictures: &FindingFolder,
    minimized: &Minimized,
) -> io::Result<Saved> {
    let earlier = folder.minimized();
    let is_given = is_same(&earlier, given);
    let result = &minimized.reproduction;
    let saved = match &minimized.trace {
        Some(trace) => {
            // The search ends by time; an earlier one may have had more.
            let known = (result.minimality == Minimality::Budget)
                .then(|| steps_of(&earlier, trace))
                .flatten();
            if let Some(steps) = known.filter(|steps| *steps < trace.steps.len()) {
                return Ok(Saved::Shorter(steps));
            }
            write_whole(&earlier, write(trace).as_bytes())?;
            Saved::Result
        }
        None if result.of == 0 && earlier.is_file() => return Ok(Saved::Earlier),
        None if is_given => Saved::Given,
        None => {
            folder.forget_minimized()?;
            Saved::Nothing
        }
    };
    let steps = minimized.trace.as_ref().map_or(0, |t| t.steps.len());
    for number in 1..=steps {
        let picture = pictures.step_image(number);
        if picture.is_file() {
            fs::copy(picture, folder.step_image(number))?;
        }
    }
    folder.forget_step_images(steps)?;
    write_whole(&folder.reproduction(), &pretty(result)?)?;
    Ok(saved)
}

/// The trace of a finding: its file, or, of one that is too long to be written for each finding, what the journal has.
/// `last` keeps a session's traces for its next finding.
pub(super) fn given(
    session: &SessionFolder,
    id: &str,
    last: &mut Option<SessionTraces>,
) -> io::Result<Result<Trace, Box<TraceError>>> {
    let file = session.finding(id).trace();
    if !file.is_file()
        && let Some(trace) = SessionTraces::cached(last, session)?.trace(id)
    {
        return Ok(Ok(trace));
    }
    Ok(trace::load(&file))
}

/// Did an earlier process minimize and confirm this finding?
pub(super) fn is_done(folder: &FindingFolder) -> bool {
    let found = foreign::read(&folder.reproduction()).ok();
    let found = found.and_then(|text| serde_json::from_slice::<Reproduction>(&text).ok());
    let minimal = |found: Reproduction| {
        let short = [Minimality::OneMinimal, Minimality::Likely].contains(&found.minimality);
        // A result that was not yet confirmed has no replays.
        short && found.of > 0
    };
    folder.minimized().is_file() && found.is_some_and(minimal)
}

/// The steps of the trace in this file, if it leads to the same finding.
fn steps_of(file: &Path, to: &Trace) -> Option<usize> {
    let known = trace::load(file).ok()?;
    let print = |of: &Trace| of.finding.clone().and_then(|finding| finding.fingerprint);
    let same = print(&known).is_some()
        && print(&known) == print(to)
        && known.app.package == to.app.package;
    same.then_some(known.steps.len())
}

/// Are both paths the same file?
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Redacts the app's secrets in a result. A finding's title is the app's text, and apps put typed text into messages.
pub fn conceal(minimized: &mut Minimized, secrets: &[String]) {
    let exact = Redactor::new(secrets.iter().cloned());
    // A replay's fields may contain a secret in any form.
    let for_reader = exact.clone().and_words();
    let clean = |text: &mut String| *text = for_reader.redact(text).into_owned();
    let result = &mut minimized.reproduction;
    result.steps.iter_mut().for_each(clean);
    result.diverged.iter_mut().for_each(clean);
    for (finding, trace) in &mut minimized.others {
        clean(&mut finding.title);
        for step in &mut trace.steps {
            unname(step, &exact);
        }
    }
    let others = minimized.others.iter_mut().map(|(_, trace)| trace);
    for trace in others.chain(&mut minimized.trace) {
        let Some(said) = &mut trace.finding else {
            continue;
        };
        said.title.iter_mut().for_each(clean);
        for name in [&mut said.exception, &mut said.frame, &mut said.activity] {
            name.iter_mut()
                .for_each(|name| *name = exact.redact(name).into_owned());
        }
    }
}

/// Removes names of a step's widget that contain a secret, if another name is left.
fn unname(step: &mut Step, redactor: &Redactor) {
    let Step::On(target, _) = step else { return };
    let mut bare = target.clone();
    for said in [&mut bare.text, &mut bare.desc, &mut bare.caption] {
        if redactor.redact(said) != *said {
            said.clear();
        }
    }
    if !bare.is_empty() {
        *target = bare;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_widget_whose_name_holds_a_secret_keeps_its_other_names() {
        let redactor = Redactor::new(["adalovelace".to_owned()]);
        let text = "version = 1\n[app]\npackage = \"a\"\n[finding]\nkind = \"java-crash\"\n\
            [[step]]\ndo = \"click\"\nid = \"go\"\ntext = \"Go, adalovelace\"\n\
            [[step]]\ndo = \"click\"\ntext = \"adalovelace\"\n";
        let mut trace = trace::read(text, Path::new("t.toml")).unwrap();
        for step in &mut trace.steps {
            unname(step, &redactor);
        }
        let names = trace.steps.iter().map(|step| match step {
            Step::On(target, _) => (target.id.as_str(), target.text.as_str()),
            _ => ("", ""),
        });
        let names: Vec<_> = names.collect();
        assert_eq!(names, [("go", ""), ("", "adalovelace")]);
    }
}
