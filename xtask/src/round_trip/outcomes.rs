//! What tests and programs did, and how it compares with what they did before.

use crate::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The status of a test that ran longer than its limit, or ended the process of all.
const STOPPED: &str = "STOPPED";
/// The status of a test that passes.
pub const SUCCESSFUL: &str = "SUCCESSFUL";
/// How many digits make a text behind `@` an address, as `Object.toString` writes it.
const ADDRESS: usize = 4;

/// What a test, or a run of a program, ended with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// The test's class.
    pub class: String,
    /// JUnit's word for it; the hash of a file that a program wrote.
    pub status: String,
    /// The class of the exception.
    pub error: String,
    /// Its stack trace.
    pub text: String,
}

/// What all of a library's tests ended with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    pub tests: BTreeMap<String, Outcome>,
    /// Whether the tests ended, and not their process.
    pub complete: bool,
}

impl Outcomes {
    /// Reads the lines that `RunTests` wrote; the last may be cut off.
    pub fn read(file: &Path) -> Result<Self> {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            let Ok(row) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            all.complete |= row["end"] == true;
            let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let Some(id) = row["id"].as_str() else {
                continue;
            };
            let stopped = row["stopped"].as_str();
            let outcome = Outcome {
                class: stopped.map_or_else(|| word("class"), str::to_owned),
                status: stopped.map_or_else(|| word("status"), |_| STOPPED.to_owned()),
                error: word("error"),
                text: word("text"),
            };
            all.tests.insert(without_addresses(id), outcome);
        }
        all
    }

    /// How many pass.
    pub fn passing(&self) -> usize {
        let passing = |o: &&Outcome| o.status == SUCCESSFUL;
        self.tests.values().filter(passing).count()
    }

    /// The classes of the tests that did not end, or ended all others.
    pub fn stopped(&self) -> BTreeSet<&str> {
        let all = self.tests.values().filter(|o| o.status == STOPPED);
        all.map(|o| o.class.as_str()).collect()
    }
}

/// A test's name may hold the default text of an object, with its address.
fn without_addresses(id: &str) -> String {
    let mut parts = id.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        text.push('@');
        text += if digits >= ADDRESS {
            &part[digits..]
        } else {
            part
        };
    }
    text
}

/// One test that ended in another way than before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub id: String,
    pub was: String,
    /// None: it did not run.
    pub is: Option<Outcome>,
}

/// The translated form compared with the reference.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// Tests that end the same way in both runs of the reference.
    pub tests: usize,
    /// Those among them that pass there.
    pub passing: usize,
    pub equal: usize,
    pub different: Vec<Difference>,
    /// Equal, with another class of exception: the test, what was thrown, what is thrown.
    pub otherwise: Vec<(String, String, String)>,
    /// Tests that only the translated form has.
    pub extra: Vec<String>,
    /// Tests that differ between the two runs of the reference.
    pub flaky: Vec<String>,
    /// Tests that differed from the reference once, and not in a second run.
    pub unsteady: Vec<String>,
}

/// Compares the outcomes of the translated form with two runs of the reference.
pub fn compare(reference: &[Outcomes; 2], translated: &Outcomes) -> Comparison {
    let [first, second] = reference;
    let mut found = Comparison::default();
    let status = |outcomes: &Outcomes, id: &str| outcomes.tests.get(id).map(|o| o.status.clone());
    for id in first.tests.keys().chain(second.tests.keys()) {
        if status(first, id) != status(second, id) && !found.flaky.contains(id) {
            found.flaky.push(id.clone());
        }
    }
    for (id, was) in &first.tests {
        if found.flaky.contains(id) {
            continue;
        }
        found.tests += 1;
        found.passing += usize::from(was.status == SUCCESSFUL);
        let is = translated.tests.get(id);
        if is.is_none_or(|is| is.status != was.status) {
            found.different.push(Difference {
                id: id.clone(),
                was: was.status.clone(),
                is: is.cloned(),
            });
            continue;
        }
        found.equal += 1;
        if let Some(is) = is.filter(|is| is.error != was.error) {
            let other = (id.clone(), was.error.clone(), is.error.clone());
            found.otherwise.push(other);
        }
    }
    let known = |id: &&String| !first.tests.contains_key(*id) && !found.flaky.contains(*id);
    found.extra = translated.tests.keys().filter(known).cloned().collect();
    found
}

impl Comparison {
    /// The classes of the tests that ran and differ.
    pub fn classes_that_differ(&self) -> BTreeSet<String> {
        let ran = self.different.iter().filter_map(|d| d.is.as_ref());
        ran.map(|o| o.class.clone()).collect()
    }

    /// Takes the tests for equal that a second run of the translated form ended like the reference.
    pub fn settle(&mut self, again: &Outcomes) {
        let steady = |d: &Difference| {
            let second = again.tests.get(&d.id).map(|o| &o.status);
            d.is.is_none() || second != Some(&d.was)
        };
        let all = std::mem::take(&mut self.different);
        let (different, unsteady): (Vec<_>, Vec<_>) = all.into_iter().partition(steady);
        self.different = different;
        self.equal += unsteady.len();
        self.unsteady = unsteady.into_iter().map(|d| d.id).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(rows: &[(&str, &str, &str)]) -> Outcomes {
        let text: Vec<String> = rows
            .iter()
            .map(|(id, status, error)| {
                format!(r#"{{"id":"{id}","class":"C","status":"{status}","error":"{error}"}}"#)
            })
            .collect();
        Outcomes::parse(&text.join("\n"))
    }

    #[test]
    fn equal_runs_have_no_difference() {
        let run = outcomes(&[("a", "SUCCESSFUL", ""), ("b", "FAILED", "E")]);
        let found = compare(&[run.clone(), run.clone()], &run);
        let sums = (found.tests, found.passing, found.equal);
        assert_eq!(sums, (2, 1, 2));
        assert!(found.different.is_empty() && found.otherwise.is_empty());
    }

    #[test]
    fn a_flaky_test_counts_on_no_side() {
        let first = outcomes(&[("a", "SUCCESSFUL", ""), ("b", "SUCCESSFUL", "")]);
        let second = outcomes(&[("a", "SUCCESSFUL", ""), ("b", "FAILED", "E")]);
        let found = compare(&[first, second.clone()], &second);
        assert_eq!((found.tests, found.equal), (1, 1));
        assert_eq!(found.flaky, ["b"]);
    }

    #[test]
    fn a_test_that_does_not_run_or_ends_in_another_way_is_different() {
        let rows = [
            ("a", "SUCCESSFUL", ""),
            ("b", "FAILED", "E"),
            ("c", "FAILED", "E"),
        ];
        let before = outcomes(&rows);
        let now = outcomes(&[
            ("b", "SUCCESSFUL", ""),
            ("c", "FAILED", "VerifyError"),
            ("d", "FAILED", ""),
        ]);
        let found = compare(&[before.clone(), before], &now);
        let ids: Vec<&str> = found.different.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert!(found.different[0].is.is_none());
        let other = ("c".to_owned(), "E".to_owned(), "VerifyError".to_owned());
        assert_eq!(found.otherwise, [other]);
        assert_eq!(found.extra, ["d"]);
    }

    #[test]
    fn a_difference_that_a_second_run_does_not_have_is_unsteady() {
        let before = outcomes(&[("a", "SUCCESSFUL", ""), ("b", "SUCCESSFUL", "")]);
        let now = outcomes(&[("a", "FAILED", "E"), ("b", "FAILED", "E")]);
        let again = outcomes(&[("a", "FAILED", "E"), ("b", "SUCCESSFUL", "")]);
        let mut found = compare(&[before.clone(), before], &now);
        found.settle(&again);
        assert_eq!(found.unsteady, ["b"]);
        assert_eq!((found.equal, found.different.len()), (1, 1));
    }

    #[test]
    fn a_test_that_does_not_end_has_a_status_of_its_own() {
        let text = "{\"stopped\":\"a.B\",\"id\":\"x\",\"text\":\"at main\"}\n{\"id\":\"cut o";
        let read = Outcomes::parse(text);
        assert_eq!(read.tests["x"].status, STOPPED);
        assert_eq!(read.stopped().into_iter().collect::<Vec<_>>(), ["a.B"]);
        assert!(!read.complete);
    }

    #[test]
    fn addresses_do_not_make_tests_different() {
        assert_eq!(without_addresses("[x.Y@1a2b3c] n@b"), "[x.Y@] n@b");
        assert_eq!(without_addresses("plain"), "plain");
    }
}
