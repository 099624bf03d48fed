//! What came of minimizing a finding, put into its folder: nothing that is known is lost to a result that knows less.

use crate::outcome::Minimality;
use crate::outcome::folder::{FindingFolder, pretty, write_whole};
use crate::repro::Minimized;
use crate::trace::{self, Step, Trace, write};
use crate::util::text::Redactor;
use std::fs;
use std::io;
use std::path::Path;

/// What is in the finding's folder now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saved {
    /// The result.
    Result,
    /// Nothing short: the finding did not come again.
    Nothing,
    /// What came of it before, of so many steps: the result ended at its budget and is longer.
    Shorter(usize),
    /// What came of it before: nothing was replayed.
    Earlier,
    /// The trace as given, though the finding did not come again.
    Given,
}

impl Saved {
    /// What is to be said of an earlier result that stays.
    pub fn words(self) -> Option<String> {
        match self {
            Self::Result | Self::Nothing => None,
            Self::Shorter(steps) => Some(format!(
                "the earlier result of {steps} steps is shorter and stays"
            )),
            Self::Earlier => Some("the earlier result stays".to_owned()),
            Self::Given => Some("the trace stays as given".to_owned()),
        }
    }
}

/// Writes what came of a finding into its folder, in place of what came of it before: where it did not come again,
/// nothing short is left there, except what was given to be minimized. `pictures` holds the new screens.
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
            // The search is cut off by the clock; what an earlier one had time for is better.
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

/// The steps of the trace in this file, if it leads to the same finding.
fn steps_of(file: &Path, to: &Trace) -> Option<usize> {
    let known = trace::load(file).ok()?;
    let same = known.finding.fingerprint.is_some()
        && known.finding.fingerprint == to.finding.fingerprint
        && known.app.package == to.app.package;
    same.then_some(known.steps.len())
}

/// Is it one file, however it is called?
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Takes the app's secrets out of all that is written or said of a result. A finding's title is the app's own text,
/// and apps put into messages what was typed.
pub fn conceal(minimized: &mut Minimized, secrets: &[String]) {
    let exact = Redactor::new(secrets.iter().cloned());
    // Nothing says what a replay's fields kept of them.
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
        let said = &mut trace.finding;
        said.title.iter_mut().for_each(clean);
        for name in [&mut said.exception, &mut said.frame, &mut said.activity] {
            name.iter_mut()
                .for_each(|name| *name = exact.redact(name).into_owned());
        }
    }
}

/// Takes away the names of a step's widget that hold a secret, where another is left.
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
