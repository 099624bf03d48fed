//! The summary of a job on GitHub: Markdown appended to the file that `GITHUB_STEP_SUMMARY` names.

use super::console::{plural, seconds};
use super::words::short_class;
use crate::coverage::has_lines;
use crate::outcome::summary::{FindingSummary, RunSummary, SessionSummary};
use crate::util::text::{for_terminal, shorten};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Findings listed at most; GitHub takes one megabyte, and nobody reads even that.
const MOST: usize = 50;
/// Steps of a finding that are told, and characters of them; the trace's file has all.
const STEPS: usize = 20;
const STEPS_LENGTH: usize = 1000;

/// Appends the summary to a file.
///
/// # Errors
/// The file cannot be written.
pub fn append(path: &Path, run: &RunSummary) -> io::Result<()> {
    let mut file = File::options().append(true).create(true).open(path)?;
    file.write_all(markdown(run).as_bytes())
}

/// The summary as Markdown.
pub fn markdown(run: &RunSummary) -> String {
    let warnings = run.app_warnings() as u64;
    let found = run.app_findings() as u64 - warnings;
    let events = run.sessions.iter().map(|s| s.events).sum();
    let time: f64 = run.sessions.iter().map(|s| s.seconds).sum();
    let mut text = format!(
        "## droidtest: {}\n\n{}{}, {} in {} ({}).{}\n\n",
        cell(&run.suite),
        if found == 0 {
            "Nothing found".to_owned()
        } else {
            format!("**{}**", plural(found, "finding"))
        },
        match warnings {
            0 => String::new(),
            n => format!(", {}", plural(n, "warning")),
        },
        plural(events, "event"),
        plural(run.sessions.len() as u64, "session"),
        seconds(time),
        if run.interrupted {
            " The run was interrupted."
        } else {
            ""
        },
    );
    text += &findings(run);
    text += "| App | Device | Strategy | Seed | Events | Activities | Lines | Findings | Ended |\n";
    text += "|---|---|---|--:|--:|--:|--:|--:|---|\n";
    for session in &run.sessions {
        text += &row(session);
    }
    text.push('\n');
    text
}

fn findings(run: &RunSummary) -> String {
    let mut seen: Vec<(&SessionSummary, &FindingSummary)> = Vec::new();
    for session in &run.sessions {
        for finding in &session.findings {
            let same = |(s, f): &(&SessionSummary, &FindingSummary)| {
                s.app == session.app && f.fingerprint == finding.fingerprint
            };
            if !seen.iter().any(same) {
                seen.push((session, finding));
            }
        }
    }
    if seen.is_empty() {
        return String::new();
    }
    let mut text =
        "| Finding | What | Where | First at event | Minimized steps |\n|---|---|---|--:|---|\n"
            .to_owned();
    for (session, finding) in seen.iter().take(MOST) {
        text += &format!(
            "| {} | {} | {}, {} | {} | {} |\n",
            match finding.warning {
                true => format!("{} (warning)", finding.kind),
                false => finding.kind.to_string(),
            },
            cell(&finding.title),
            cell(&session.app),
            cell(short_class(&finding.activity)),
            finding.first_event,
            fewest(finding)
        );
    }
    if seen.len() > MOST {
        text += &format!("\nand {} more\n", seen.len() - MOST);
    }
    text + "\n"
}

/// The steps in words, how often they lead there, and the trace's file in the run's folder.
fn fewest(finding: &FindingSummary) -> String {
    finding
        .reproduction
        .as_ref()
        .map_or_else(String::new, |found| {
            let steps = escaped(&found.in_words(STEPS), STEPS_LENGTH);
            let trace = finding.trace.as_ref();
            let trace = trace.map_or_else(String::new, |trace| format!("; {}", cell(trace)));
            format!(
                "{}: {steps} ({} of {}{trace})",
                found.steps.len(),
                found.reproduced,
                found.of
            )
        })
}

fn row(s: &SessionSummary) -> String {
    let activities = match s.activities_declared {
        0 => s.activities_reached.len().to_string(),
        declared => format!("{} of {declared}", s.activities_reached.len()),
    };
    let lines = s.coverage.filter(has_lines);
    let lines = lines.map_or_else(|| "–".to_owned(), |c| format!("{:.1} %", c.line.percent()));
    let (ended, _) = super::html::app::status(s);
    format!(
        "| {} | {} | {} | {} | {} | {activities} | {lines} | {} | {ended} |\n",
        cell(&s.app),
        cell(&s.device),
        cell(&s.strategy),
        s.seed,
        s.events,
        s.findings.len()
    )
}

/// Text that stays text in a cell of a Markdown table.
fn cell(text: &str) -> String {
    escaped(text, 200)
}

/// At most so many characters of a text: what means something in Markdown is escaped or made an entity.
fn escaped(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in for_terminal(&shorten(text, most)).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            // Mentions and references would call for people and issues; a word joiner, which nobody sees, parts them.
            '@' | '#' => out.extend([c, '\u{2060}']),
            // A scheme is made a link without any mark.
            ':' => out += "&#58;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' | '!' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::super::summarize;
    use super::*;

    fn record() -> RunSummary {
        let base = tempfile::tempdir().unwrap();
        let spec = Spec {
            events: 200,
            ..Spec::default()
        };
        summarize::read(&run(base.path(), &[spec])).unwrap().summary
    }

    #[test]
    fn the_summary_of_a_job() {
        insta::assert_snapshot!(markdown(&record()));
    }

    #[test]
    fn hostile_texts_stay_text() {
        let hostile = "<img src=x>|@team #1 [a](https://x) `b`\n| x | **bold** https://evil";
        let mut run = record();
        run.suite = hostile.into();
        run.sessions[0].findings[0].title = hostile.into();
        let text = markdown(&run);
        for bad in ["<img", "@team", "#1", "](", "https://", "**bold"] {
            assert!(!text.contains(bad), "{bad}");
        }
        let plain = markdown(&record());
        assert_eq!(
            text.lines().count(),
            plain.lines().count(),
            "no line is added"
        );
    }

    #[test]
    fn what_stands_in_the_file_already_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.md");
        std::fs::write(&path, "before\n").unwrap();
        append(&path, &record()).unwrap();
        assert!(
            std::fs::read_to_string(path)
                .unwrap()
                .starts_with("before\n## droidtest")
        );
    }
}
