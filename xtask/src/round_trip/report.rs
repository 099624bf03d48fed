//! A result as a row of JSON, as a text with every difference, and as a line of a table.

use super::outcomes::{Comparison, Difference};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How many lines of a stack trace are shown.
const FRAMES: usize = 25;

/// What one library and mode gave.
pub struct Trip<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub mode: &'a str,
    pub translator: &'a str,
    pub build: &'a str,
    /// What it was compared with.
    pub reference: &'a str,
    pub found: &'a Comparison,
    /// Whether the tests ended by themselves.
    pub complete: bool,
    /// Whether the translator translated every method.
    pub whole: bool,
    /// Classes that the JVM rejects and those of the reference it does not, with the reason.
    pub rejected: &'a [(String, String)],
    /// What `Measure` printed.
    pub sizes: Value,
    /// Seconds that the translator took.
    pub seconds: f64,
}

impl Trip<'_> {
    /// The row that is kept.
    pub fn row(&self) -> Value {
        let found = self.found;
        let ids = |all: &[Difference]| all.iter().map(|d| d.id.clone()).collect::<Vec<_>>();
        json!({
            "library": self.name,
            "version": self.version,
            "mode": self.mode,
            "translator": self.translator,
            "build": self.build,
            "reference": self.reference,
            "tests": found.tests,
            "passing": found.passing,
            "equal": found.equal,
            "different": ids(&found.different),
            "otherwise": found.otherwise.len(),
            "extra": found.extra.len(),
            "flaky": found.flaky.len(),
            "unsteady": found.unsteady,
            "complete": self.complete,
            "whole": self.whole,
            "rejected": self.rejected.iter().map(|(class, _)| class).collect::<Vec<_>>(),
            "sizes": self.sizes,
            "seconds": (self.seconds * 10.0).round() / 10.0,
        })
    }

    /// All differences with their stack traces.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", line(&self.row()));
        let found = self.found;
        let head = |text: &mut String, what: &str, count: usize| {
            let _ = writeln!(text, "\n== {what} ({count})");
        };
        head(
            &mut text,
            "classes that the JVM rejects",
            self.rejected.len(),
        );
        for (class, reason) in self.rejected {
            let _ = writeln!(text, "{class}: {reason}");
        }
        head(&mut text, "tests that differ", found.different.len());
        for one in &found.different {
            let now = one.is.as_ref().map_or("does not run", |is| &is.status);
            let _ = writeln!(text, "\n{} -> {now}  {}", one.was, one.id);
            let trace = one.is.as_ref().map_or("", |is| &is.text);
            for frame in trace.lines().take(FRAMES) {
                let _ = writeln!(text, "    {frame}");
            }
        }
        head(
            &mut text,
            "the same status with another exception",
            found.otherwise.len(),
        );
        for (id, was, is) in &found.otherwise {
            let _ = writeln!(text, "{was} -> {is}  {id}");
        }
        for (what, ids) in [
            ("tests of the translated form alone", &found.extra),
            ("differed once and not in a second run", &found.unsteady),
            ("differ between two runs of the reference", &found.flaky),
        ] {
            head(&mut text, what, ids.len());
            for id in ids {
                let _ = writeln!(text, "{id}");
            }
        }
        text
    }
}

/// The head of the table of [`line`].
pub const HEAD: &str = "\
| library | mode | tests | pass before | equal | different | flaky | classes | rejected | bytes | code | code without initializers |
|---|---|---|---|---|---|---|---|---|---|---|---|";

/// A row as a line of a Markdown table; sizes relative to the reference.
pub fn line(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    if let Some(failed) = row["failed"].as_str() {
        let reason = failed.lines().next().unwrap_or_default();
        let (library, mode) = (text("library"), text("mode"));
        return format!("| {library} | {mode} | fails: {reason} |");
    }
    let count = |key: &str| match &row[key] {
        Value::Array(all) => all.len() as u64,
        number => number.as_u64().unwrap_or(0),
    };
    let sizes = &row["sizes"];
    let size = |side: &str, key: &str| sizes[side][key].as_f64().unwrap_or(0.0);
    let bytes = size("translated", "bytes") / size("original", "bytes").max(1.0);
    let code = |over: &str| size(over, "translated_code") / size(over, "original_code").max(1.0);
    let incomplete = match (&row["complete"], &row["whole"]) {
        (Value::Bool(false), _) => " (stopped)",
        (_, Value::Bool(false)) => " (not all is translated)",
        _ => "",
    };
    format!(
        "| {} | {} | {} | {} | {} | {}{incomplete} | {} | {} | {} | {bytes:.2} | {:.2} | {:.2} |",
        text("library"),
        text("mode"),
        count("tests"),
        count("passing"),
        count("equal"),
        count("different"),
        count("flaky"),
        size("translated", "classes"),
        count("rejected"),
        code("common"),
        code("bodies"),
    )
}

/// All rows together. Each mode of a library has classes of its own, which the JVM verifies anew.
pub fn total(rows: &[Value]) -> String {
    let sum = |count: &dyn Fn(&Value) -> u64| rows.iter().map(count).sum::<u64>();
    let tests = sum(&|row| row["tests"].as_u64().unwrap_or(0));
    let equal = sum(&|row| row["equal"].as_u64().unwrap_or(0));
    let classes = sum(&|row| row["sizes"]["translated"]["classes"].as_u64().unwrap_or(0));
    let rejected = sum(&|row| row["rejected"].as_array().map_or(0, |all| all.len() as u64));
    format!("{equal} of {tests} tests are equal; {rejected} of {classes} classes are rejected")
}

/// Whether a row shows that the translated form behaves as the reference.
pub fn is_equal(row: &Value) -> bool {
    let none = |key: &str| row[key].as_array().is_some_and(Vec::is_empty);
    // A comparison of nothing proves nothing.
    let some = row["tests"].as_u64().is_some_and(|n| n > 0);
    some && row["complete"] == true && row["whole"] == true && none("different") && none("rejected")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_trip::outcomes::Outcome;

    fn trip(found: &Comparison, complete: bool) -> Trip<'_> {
        let size = |bytes: u64| json!({"classes": 2, "bytes": bytes});
        let code = json!({"original_code": 100, "translated_code": 105});
        Trip {
            name: "a",
            version: "1",
            mode: "debug",
            translator: "t",
            build: "0",
            reference: "original",
            found,
            complete,
            whole: true,
            rejected: &[],
            sizes: json!({"original": size(200), "translated": size(180), "common": code, "bodies": code}),
            seconds: 1.26,
        }
    }

    #[test]
    fn only_a_complete_comparison_without_a_difference_is_equal() {
        let mut found = Comparison {
            tests: 3,
            equal: 3,
            ..Comparison::default()
        };
        assert!(is_equal(&trip(&found, true).row()));
        assert!(!is_equal(&trip(&found, false).row()));
        found.different.push(Difference {
            id: "x".to_owned(),
            was: "SUCCESSFUL".to_owned(),
            is: None,
        });
        assert!(!is_equal(&trip(&found, true).row()));
        assert!(!is_equal(&trip(&Comparison::default(), true).row()));
        assert!(!is_equal(&json!({"failed": "no dex"})));
    }

    #[test]
    fn a_line_has_sizes_relative_to_the_reference() {
        let found = Comparison::default();
        let row = trip(&found, true).row();
        assert!(
            line(&row).ends_with("| 0.90 | 1.05 | 1.05 |"),
            "{}",
            line(&row)
        );
        let columns = |text: &str| text.matches('|').count();
        assert_eq!(columns(&line(&row)), columns(HEAD.lines().next().unwrap()));
    }

    #[test]
    fn the_total_counts_each_mode_and_skips_failures() {
        let found = Comparison {
            tests: 3,
            equal: 2,
            ..Comparison::default()
        };
        let row = trip(&found, true).row();
        let rows = [row.clone(), row, json!({"failed": "no dex"})];
        assert_eq!(
            total(&rows),
            "4 of 6 tests are equal; 0 of 4 classes are rejected"
        );
    }

    #[test]
    fn the_text_has_the_stack_trace_of_each_difference() {
        let is = Outcome {
            status: "FAILED".to_owned(),
            text: "java.lang.VerifyError: Bad type\n\tat a.B".to_owned(),
            ..Outcome::default()
        };
        let found = Comparison {
            different: vec![Difference {
                id: "[method:x]".to_owned(),
                was: "SUCCESSFUL".to_owned(),
                is: Some(is),
            }],
            ..Comparison::default()
        };
        let text = trip(&found, true).text();
        assert!(text.contains("SUCCESSFUL -> FAILED  [method:x]"), "{text}");
        assert!(text.contains("VerifyError: Bad type"), "{text}");
    }
}
