//! The code that changed since an earlier build, in reports: what was reached of it, and what was not.

use super::console::{Paint, Tone};
use super::html::text::line as html_line;
use super::markdown::{cell, escaped};
use crate::outcome::changed::{ChangedCoverage, Unreached};
use crate::outcome::summary::{AppSummary, RunSummary};
use crate::util::text::shorten;
use serde::Serialize;

/// Methods that a terminal lists for an app.
const ON_TERMINAL: usize = 10;
/// Methods that the summary of a job lists for an app.
const IN_SUMMARY: usize = 50;
/// Methods that the HTML report lists for an app; `summary.json` has all.
const IN_HTML: usize = 1000;
/// The length of a line about a method.
const LENGTH: usize = 300;

fn apps(run: &RunSummary) -> impl Iterator<Item = (&AppSummary, &ChangedCoverage)> {
    run.apps
        .iter()
        .filter_map(|app| Some((app, app.changed.as_ref()?)))
}

/// What was reached of each app's changed code, in a line.
pub fn each_app(run: &RunSummary) -> impl Iterator<Item = String> {
    apps(run).map(|(app, changed)| format!("{}: {}", app.app, changed.words()))
}

/// How many more there are than shown, in words.
fn more(changed: &ChangedCoverage, shown: usize) -> Option<String> {
    let hidden = changed.unreached.len().checked_sub(shown)?;
    (hidden > 0).then(|| format!("{hidden} more are in summary.json"))
}

/// Lines for a terminal.
pub fn lines(run: &RunSummary, paint: Paint) -> String {
    let mut text = String::new();
    for (app, changed) in apps(run) {
        let line = format!("{}: {}", app.app, changed.words());
        text += &paint.line(Tone::Good, "Changed", &line);
        for method in changed.unreached.iter().take(ON_TERMINAL) {
            let line = shorten(&method.words(), LENGTH).into_owned();
            text += &paint.line(Tone::Quiet, "Not reached", &line);
        }
        if let Some(more) = more(changed, ON_TERMINAL) {
            text += &paint.line(Tone::Quiet, "Not reached", &more);
        }
    }
    text
}

/// Markdown for the summary of a CI job.
pub fn markdown(run: &RunSummary) -> String {
    let mut text = String::new();
    for (app, changed) in apps(run) {
        text += &format!(
            "Changed code of {}: {}.\n\n",
            cell(&app.app),
            changed.words()
        );
        if changed.unreached.is_empty() {
            continue;
        }
        text += "<details><summary>Changed methods that nothing reached</summary>\n\n";
        text += "| Method | Source | Nearest activity |\n|---|---|---|\n";
        for method in changed.unreached.iter().take(IN_SUMMARY) {
            let or_none = |text: &Option<String>, none: &str| {
                text.as_deref()
                    .map_or_else(|| none.to_owned(), |text| escaped(text, LENGTH))
            };
            text += &format!(
                "| {} | {} | {} |\n",
                escaped(&method.method, LENGTH),
                or_none(&method.place, "–"),
                or_none(&method.activity, "none known"),
            );
        }
        if let Some(more) = more(changed, IN_SUMMARY) {
            text += &format!("\n{more}\n");
        }
        text += "\n</details>\n\n";
    }
    text
}

/// The changed code of an app for the HTML report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChangedView {
    words: String,
    removed: u64,
    unreached: Vec<Unreached>,
    more: Option<String>,
}

impl ChangedView {
    /// The view of an app's changed code, if that was measured.
    pub fn new(app: &AppSummary) -> Option<Self> {
        let changed = app.changed.as_ref()?;
        let short = |text: &String| html_line(text, LENGTH);
        let methods = changed.unreached.iter().take(IN_HTML);
        Some(Self {
            words: changed.words(),
            removed: changed.removed,
            unreached: methods
                .map(|method| Unreached {
                    method: short(&method.method),
                    place: method.place.as_ref().map(short),
                    activity: method.activity.as_ref().map(short),
                })
                .collect(),
            more: more(changed, IN_HTML),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::comment::comment;
    use super::super::fixture::{Spec, run};
    use super::super::junit::junit;
    use super::super::summarize::{self, RunRecord};
    use super::*;
    use crate::outcome::summary::Ratio;

    const PLAIN: Paint = Paint { color: false };

    /// A run that reached all but so many of 100 changed methods.
    fn record(unreached: usize) -> RunRecord {
        let base = tempfile::tempdir().unwrap();
        let mut record = summarize::read(&run(base.path(), &[Spec::default()])).unwrap();
        let method = |number| Unreached {
            method: format!("a.<b>|c{number}()"),
            place: Some("B.java:12".into()),
            activity: None,
        };
        record.summary.apps[0].changed = Some(ChangedCoverage {
            methods: Ratio {
                covered: 100 - unreached as u64,
                total: 100,
            },
            lines: Ratio {
                covered: 20,
                total: 80,
            },
            removed: 0,
            unreached: (0..unreached).map(method).collect(),
        });
        record
    }

    #[test]
    fn each_report_has_the_coverage_of_changed_lines() {
        let line = "97 of 100 changed methods reached, 20 of 80 changed lines covered (25.0 %)";
        let run = record(3);
        let escaped_line = escaped(line, LENGTH);
        let xml = String::from_utf8(junit(&run).unwrap()).unwrap();
        for (text, line) in [
            (lines(&run.summary, PLAIN), line),
            (markdown(&run.summary), line),
            (comment(&run, None).text, &escaped_line),
            (xml, line),
        ] {
            assert_eq!(text.matches(line).count(), 1, "{text}");
        }
        let mut none = record(3);
        none.summary.apps[0].changed = None;
        assert_eq!(lines(&none.summary, PLAIN) + &markdown(&none.summary), "");
        assert!(!comment(&none, None).text.contains("Changed code"));
    }

    #[test]
    fn methods_are_listed_up_to_a_number_and_stay_text() {
        let table = |unreached| markdown(&record(unreached).summary);
        let hostile = "| a.&lt;b&gt;\\|c0\\(\\) | B.java&#58;12 | none known |";
        assert!(table(1).contains(hostile), "{}", table(1));
        assert!(!table(IN_SUMMARY).contains("in summary.json"));
        assert!(table(IN_SUMMARY + 2).contains("2 more are in summary.json"));
        assert_eq!(table(IN_SUMMARY + 2).matches("B.java").count(), IN_SUMMARY);
        assert!(!table(0).contains("<details>"));
    }
}
