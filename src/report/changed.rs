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
