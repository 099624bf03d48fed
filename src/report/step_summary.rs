//! The summary of a job on GitHub: Markdown appended to the file that `GITHUB_STEP_SUMMARY` names.

use super::causes::{Cause, Session, causes, fewest, sessions};
use super::changed;
use super::console::plural;
use super::gate_lines;
use super::html::text::duration;
use super::markdown::{cell, escaped};
use super::session::{Met, Sort};
use super::summarize::RunRecord;
use super::totals::Totals;
use super::words::{self, short_class, short_frame};
use crate::coverage::has_lines;
use crate::outcome::verdict::{Judged, Status, Verdict};
use crate::report::title::title;
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

/// The summary as Markdown. With a verdict its counts are the headline, and known findings are folded.
pub fn markdown(run: &RunRecord) -> String {
    let causes = causes(sessions(run));
    let totals = Totals::new(&run.summary, &causes);
    let headline = match &run.verdict {
        Some(verdict) => format!("{}: {}", verdict.outcome(), verdict.words()),
        None => totals.headline(),
    };
    let mut text = format!(
        "## droidtest: {}\n\n**{headline}**, {} ({}).\n\n",
        cell(&title(&run.summary)),
        totals.work(),
        duration(totals.seconds),
    );
    text += &match &run.verdict {
        Some(verdict) => judged(&causes, verdict),
        None => table(&all(&causes)),
    };
    text += "| App | Device | Strategy | Seed | Events | Activities | Lines | Findings | Ended |\n";
    text += "|---|---|---|--:|--:|--:|--:|--:|---|\n";
    for session in sessions(run) {
        text += &row(session);
    }
    text.push('\n');
    for app in &run.summary.apps {
        if let Some(counted) = &app.counted {
            let words = cell(&counted.words());
            text += &format!("Code coverage of {} counts {words}.\n\n", cell(&app.app));
        }
    }
    text + &changed::markdown(&run.summary)
}

/// A cause, and how it compares with the baseline.
type Listed<'a, 'r> = (&'a Cause<'r>, Option<&'a Judged>);

/// The causes of the app.
fn all<'a, 'r>(causes: &'a [Cause<'r>]) -> Vec<Listed<'a, 'r>> {
    let reported = causes.iter().filter(|c| c.sort() != Sort::Environment);
    reported.map(|cause| (cause, None)).collect()
}

/// What needs attention first, then known findings, folded, then fixed ones, limits and incomplete sessions.
fn judged(causes: &[Cause<'_>], verdict: &Verdict) -> String {
    let mut listed = all(causes);
    for (cause, judged) in &mut listed {
        let (session, met) = cause.chief;
        *judged = verdict.find(&session.app, &met.finding.fingerprint);
    }
    let status = |judged: Option<&Judged>| judged.map_or(Status::New, |judged| judged.status);
    // Stable: findings of a status keep their order.
    listed.sort_by_key(|(cause, judged)| (status(*judged), cause.sort()));
    let is_known = |judged| matches!(status(judged), Status::Known | Status::Accepted);
    let (known, open): (Vec<_>, Vec<_>) = listed.into_iter().partition(|l| is_known(l.1));
    let mut text = table(&open);
    if !known.is_empty() {
        let count = plural(known.len() as u64, "known finding");
        text += &format!("<details><summary>{count}</summary>\n\n");
        text += &table(&known);
        text += "</details>\n\n";
    }
    let entry = |judged: &Judged| {
        let reason = judged.reason.as_ref();
        let reason = reason.map(|reason| format!(" ({reason})"));
        format!("{}{}", judged.name, reason.unwrap_or_default())
    };
    let limit = |(app, what): (Option<&String>, &str)| match app {
        Some(app) => format!("{app}: {what}"),
        None => what.to_owned(),
    };
    let exceeded = verdict.exceeded.iter();
    let exceeded = exceeded.map(|e| limit((e.app.as_ref(), &e.what)));
    text += &list(
        "Reproduced by their traces",
        verdict.replayed().map(entry).collect(),
    );
    text += &list("Fixed", verdict.of(Status::Fixed).map(entry).collect());
    text += &list("Limits exceeded", exceeded.collect());
    text += &list("Incomplete", verdict.incomplete.clone());
    text += &list("Stale entries of the baseline", verdict.stale.clone());
    text + &list("Notes", verdict.notices.clone())
}

/// A list under a heading; nothing without entries.
fn list(heading: &str, entries: Vec<String>) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut text = format!("**{heading}**\n\n");
    for entry in entries.iter().take(MOST) {
        text += &format!("- {}\n", escaped(entry, 400));
    }
    if entries.len() > MOST {
        text += &format!("- and {} more\n", entries.len() - MOST);
    }
    text + "\n"
}

/// One row per cause, its code line first.
fn table(causes: &[Listed<'_, '_>]) -> String {
    if causes.is_empty() {
        return String::new();
    }
    let is_judged = causes.iter().any(|(_, judged)| judged.is_some());
    let (status, rule) = match is_judged {
        true => ("| Status ", "|---"),
        false => ("", ""),
    };
    let mut text = format!(
        "{status}| Code line | What | Finding | Where | First at event | Minimized steps |\n\
         {rule}|---|---|---|---|--:|---|\n"
    );
    for (cause, judged) in causes.iter().take(MOST) {
        let (session, met) = cause.chief;
        let finding = &met.finding;
        if is_judged {
            let status = judged.map(gate_lines::status).unwrap_or_default();
            text += &format!("| {} ", cell(&status));
        }
        text += &format!(
            "| {} | {} | {} | {}, {} | {} | {} |\n",
            finding
                .frame
                .as_deref()
                .map_or_else(|| "–".to_owned(), |frame| cell(&short_frame(frame))),
            cell(&finding.title),
            match cause.sort() {
                Sort::Warning => format!("{} (warning)", finding.kind),
                _ => finding.kind.to_string(),
            },
            cell(&session.app),
            cell(short_class(&finding.activity)),
            finding.event,
            steps(met)
        );
    }
    if causes.len() > MOST {
        text += &format!("\nand {} more\n", causes.len() - MOST);
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
    let activities = words::activities(s);
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

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::super::fixture_verdict::verdict;
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
    fn with_a_verdict_new_findings_come_first_and_known_ones_are_folded() {
        let mut run = record();
        run.verdict = Some(verdict(&run));
        let text = markdown(&run);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(
            text.contains("**failed: 1 new, 3 known, 1 fixed**"),
            "{text}"
        );
        let order = [
            at("| Status | Code line |"),
            at("| new |"),
            at("<details><summary>3 known findings</summary>"),
            at("| known&#58; first seen 2026-01-02 |"),
            at("</details>"),
            at("**Fixed**\n\n- Error at Main.run \\[v2"),
            at("**Limits exceeded**\n\n- notes&#58; 30.0 % of lines"),
            at("**Incomplete**\n\n- session"),
        ];
        assert!(order.is_sorted(), "{order:?} {text}");
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
