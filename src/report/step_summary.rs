//! The summary of a job on GitHub: Markdown appended to the file that `GITHUB_STEP_SUMMARY` names.

use super::causes::{Cause, Session, causes, fewest, sessions};
use super::console::plural;
use super::html::text::duration;
use super::session::{Met, Sort};
use super::summarize::RunRecord;
use super::totals::Totals;
use super::words::short_class;
use crate::coverage::has_lines;
use crate::util::text::{for_terminal, shorten};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Maximum findings listed; GitHub accepts one megabyte.
const MOST: usize = 50;
/// Maximum steps and characters to list for a finding; the trace file has all.
const STEPS: usize = 20;
const STEPS_LENGTH: usize = 1000;

/// Appends the summary to a file.
///
/// # Errors
/// The file cannot be written.
pub fn append(path: &Path, run: &RunRecord) -> io::Result<()> {
    let mut file = File::options().append(true).create(true).open(path)?;
    file.write_all(markdown(run).as_bytes())
}

/// The summary as Markdown.
pub fn markdown(run: &RunRecord) -> String {
    let causes = causes(sessions(run));
    let totals = Totals::new(&run.summary, &causes);
    let mut text = format!(
        "## droidtest: {}\n\n**{}**, {} ({}).\n\n",
        cell(&run.summary.suite),
        totals.headline(),
        totals.work(),
        duration(totals.seconds),
    );
    text += &findings(&causes);
    text += "| App | Device | Strategy | Seed | Events | Activities | Lines | Findings | Ended |\n";
    text += "|---|---|---|--:|--:|--:|--:|--:|---|\n";
    for session in sessions(run) {
        text += &row(session);
    }
    text.push('\n');
    text
}

fn findings(causes: &[Cause<'_>]) -> String {
    let reported = causes.iter().filter(|c| c.sort() != Sort::Environment);
    let reported: Vec<_> = reported.collect();
    if reported.is_empty() {
        return String::new();
    }
    let mut text =
        "| Finding | What | Where | First at event | Minimized steps |\n|---|---|---|--:|---|\n"
            .to_owned();
    for cause in reported.iter().take(MOST) {
        let (session, met) = cause.chief;
        let finding = &met.finding;
        text += &format!(
            "| {} | {} | {}, {} | {} | {} |\n",
            match cause.sort() {
                Sort::Warning => format!("{} (warning)", finding.kind),
                _ => finding.kind.to_string(),
            },
            cell(&finding.title),
            cell(&session.app),
            cell(short_class(&finding.activity)),
            finding.event,
            steps(met)
        );
    }
    if reported.len() > MOST {
        text += &format!("\nand {} more\n", reported.len() - MOST);
    }
    text + "\n"
}

/// The fewest steps in words, how often they lead there, and the trace's file in the run's folder.
fn steps(met: &Met) -> String {
    let Some(repro) = &met.repro else {
        return String::new();
    };
    let Some(found) = &repro.reproduction else {
        return String::new();
    };
    let trace = cell(&repro.trace);
    match fewest(found) {
        Some(steps) => format!(
            "{}: {} ({} of {}; {trace})",
            steps.len(),
            escaped(&found.in_words(STEPS), STEPS_LENGTH),
            found.reproduced,
            found.of
        ),
        None => format!("not minimized: {}; {trace}", cell(&found.words())),
    }
}

fn row((s, record): Session<'_>) -> String {
    let activities = match s.activities_declared {
        0 => s.activities_reached.len().to_string(),
        declared => format!("{} of {declared}", s.activities_reached.len()),
    };
    let activities = match s.places.len() as u64 {
        0 => activities,
        places => format!("{activities}, {}", plural(places, "place")),
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
        record.count(Sort::Finding)
    )
}

/// Text that stays text in a cell of a Markdown table.
fn cell(text: &str) -> String {
    escaped(text, 200)
}

/// A text, shortened; Markdown syntax is escaped or replaced with entities.
fn escaped(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in for_terminal(&shorten(text, most)).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            // Mentions and references would notify people and link issues; an invisible word joiner splits them.
            '@' | '#' => out.extend([c, '\u{2060}']),
            // A scheme is made a link without any mark.
            ':' => out += "&#58;",
            // The same for text that looks like a host name.
            '.' if is_www(&out) => out += "&#46;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' | '!' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

fn is_www(before: &str) -> bool {
    let last = before.len().checked_sub(3).and_then(|at| before.get(at..));
    last.is_some_and(|last| last.eq_ignore_ascii_case("www"))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::super::summarize;
    use super::*;
    use crate::outcome::Minimality;
    use crate::outcome::finding::FindingKind;

    fn record() -> RunRecord {
        of(&[1])
    }

    fn of(seeds: &[u64]) -> RunRecord {
        let base = tempfile::tempdir().unwrap();
        let spec = |seed: &u64| Spec {
            seed: *seed,
            events: 200,
            ..Spec::default()
        };
        let specs: Vec<_> = seeds.iter().map(spec).collect();
        summarize::read(&run(base.path(), &specs)).unwrap()
    }

    #[test]
    fn the_summary_of_a_job() {
        insta::assert_snapshot!(markdown(&record()));
    }

    #[test]
    fn the_earliest_meeting_is_told_and_warnings_stand_last() {
        let mut run = of(&[1, 2]);
        let all = run.sessions.iter_mut().flat_map(|s| &mut s.findings);
        for met in all.filter(|met| met.finding.kind == FindingKind::Anr) {
            met.finding.warning = true;
        }
        let text = markdown(&run);
        let row = |what: &str| text.lines().position(|line| line.contains(what)).unwrap();
        let crash = text.lines().nth(row("NullPointerException")).unwrap();
        assert!(crash.contains("DetailActivity | 20 | 2: click"), "{text}");
        assert!(
            row("NullPointerException") < row("| ANR (warning) |"),
            "{text}"
        );
        assert!(text.contains("**3 findings, 1 warning, 1 device limitation (not your app)**"));
        assert!(
            text.contains("| 1 | 200 | 10 of 11 | 57.1 % | 3 |"),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_was_cut_off_says_so_with_findings_too() {
        let mut run = of(&[1, 2]);
        (
            run.summary.sessions[1].started,
            run.summary.sessions[1].ended,
        ) = (false, None);
        let text = markdown(&run);
        assert!(text.contains(", 1 of 2 sessions incomplete**"), "{text}");
        assert!(text.contains(" events in 1 of 2 sessions ("), "{text}");
    }

    #[test]
    fn what_did_not_come_again_has_no_fewest_steps() {
        let mut run = record();
        for met in &mut run.sessions[0].findings {
            if let Some(found) = met.repro.as_mut().and_then(|h| h.reproduction.as_mut()) {
                (found.minimality, found.of) = (Minimality::NotReproduced, 0);
            }
        }
        let text = markdown(&run);
        assert!(!text.contains("Skip"), "{text}");
        assert!(
            text.contains("| not minimized: not replayed&#58; time budget"),
            "{text}"
        );
    }

    #[test]
    fn hostile_texts_stay_text() {
        let hostile = "<img src=x>|@team #1 [a](https://x) `b`\n| x | **bold** https://evil www.evil.org (WWW.evil.org";
        let mut run = record();
        run.summary.suite = hostile.into();
        run.sessions[0].findings[0].finding.title = hostile.into();
        let text = markdown(&run);
        for bad in [
            "<img", "@team", "#1", "](", "https://", "**bold", "www.", "WWW.",
        ] {
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
