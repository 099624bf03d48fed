//! The output at the end of a run.

use super::super::fixture::{Spec, run};
use super::super::session::Met;
use super::super::summarize;
use super::*;
use crate::outcome::Minimality;
use crate::outcome::summary::{CodeCoverage, Ratio};

fn record_in(base: &Path, end: Option<EndReason>) -> RunRecord {
    let spec = |seed, end| Spec {
        seed,
        end,
        events: 200,
        ..Spec::default()
    };
    let folder = run(base, &[spec(1, Some(EndReason::Events)), spec(2, end)]);
    summarize::read(&folder).unwrap()
}

fn record(end: Option<EndReason>) -> RunRecord {
    record_in(tempfile::tempdir().unwrap().path(), end)
}

fn findings(run: &mut RunRecord) -> impl Iterator<Item = &mut Met> {
    run.sessions.iter_mut().flat_map(|s| &mut s.findings)
}

#[test]
fn the_end_of_a_run() {
    let files =
        ["report.html", "junit.xml"].map(|name| Path::new("target/droidtest/run").join(name));
    let base = tempfile::tempdir().unwrap();
    let run = record_in(base.path(), None);
    let text = summary(&run, &files, Paint::default());
    // Paths as printed, independent of this test's folder.
    let base = base.path().display().to_string();
    insta::assert_snapshot!(text.replace(&base, "[base]"));
}

#[test]
fn a_clean_run_says_so_in_one_line() {
    let mut run = record(Some(EndReason::Events));
    run.summary.apps.clear();
    for session in &mut run.sessions {
        session.findings.clear();
    }
    for session in &mut run.summary.sessions {
        session.device_failures.clear();
        session.seconds = 2.0;
    }
    let text = summary(&run, &[], Paint::default());
    assert_eq!(
        text,
        "────────────\n     Summary 400 events in 2 sessions (4.0 s), no findings\n"
    );
}

#[test]
fn the_few_lines_of_a_library_do_not_stand_for_an_app_without_any() {
    let mut run = record(Some(EndReason::Events));
    let of = |covered, total| Ratio { covered, total };
    let coverage = CodeCoverage {
        line: of(0, 42),
        method: of(86, 3316),
        instruction: of(1331, 117_319),
        ..CodeCoverage::default()
    };
    run.summary.apps[0].coverage = Some(coverage);
    let text = summary(&run, &[], Paint::default());
    assert!(
        text.contains("1.1 % of instructions (line numbers are missing)"),
        "{text}"
    );
    for session in &mut run.summary.sessions {
        session.coverage = Some(coverage);
    }
    let table = crate::report::step_summary::markdown(&run);
    assert!(!table.contains("0.0 %"), "{table}");
}

#[test]
fn warnings_are_told_apart() {
    let mut run = record(Some(EndReason::Events));
    for met in findings(&mut run) {
        met.finding.warning = met.finding.kind == FindingKind::RotationLoss;
    }
    let text = summary(&run, &[], Paint::default());
    assert!(
        text.contains("3 findings, 1 warning, 1 device limitation (not your app)"),
        "{text}"
    );
    let at = |word| text.find(word).unwrap();
    assert!(at("NullPointer") < at("State lost") && at("State lost") < at("Environment"));
}

#[test]
fn hostile_texts_cannot_move_the_cursor_or_colour_the_screen() {
    let mut run = record(None);
    let hostile = "\u{1b}[2J\r\n\u{202e}\u{9b}31mgotcha\u{7}";
    for session in &mut run.summary.sessions {
        session.session = hostile.into();
        session.device_failures = vec![hostile.into()];
        session.damage = Some(hostile.into());
    }
    for met in findings(&mut run) {
        met.finding.title = hostile.into();
        met.finding.activity = hostile.into();
        if let Some(blame) = &mut met.finding.environment {
            blame.rule = hostile.into();
        }
        if let Some(repro) = &mut met.repro {
            repro.typed = hostile.into();
            if let Some(found) = &mut repro.reproduction {
                found.steps[0] = hostile.into();
            }
        }
    }
    run.summary.apps[0].app = hostile.into();
    let text = summary(&run, &[], Paint::default());
    assert!(text.contains("gotcha"));
    assert!(
        text.chars()
            .all(|c| c == '\n' || !c.is_control() && c != '\u{202e}')
    );
    for line in text.lines().skip(1) {
        assert!(line.len() > 13 && line.starts_with(' '), "{line:?}");
    }
}

#[test]
fn twenty_steps_are_told_in_full_and_none_that_were_not_minimized() {
    let mut run = record(Some(EndReason::Events));
    let reproductions = |run: &mut RunRecord, minimality: Minimality| {
        for repro in findings(run).filter_map(|met| met.repro.as_mut()) {
            if let Some(found) = &mut repro.reproduction {
                found.steps = (1..=20).map(|n| format!("key {n}")).collect();
                (found.minimality, found.reproduced) = (minimality, 0);
            }
        }
    };
    reproductions(&mut run, Minimality::OneMinimal);
    let text = summary(&run, &[], Paint::default());
    assert!(text.contains("key 19, key 20 · "), "{text}");
    reproductions(&mut run, Minimality::NotReproduced);
    let text = summary(&run, &[], Paint::default());
    assert!(!text.contains("key 1"), "{text}");
    let reported = "Steps not minimized · did not reproduce: 0 of 5 replays";
    assert!(text.contains(reported), "{text}");
}

#[test]
fn a_run_that_was_cut_off_is_no_whole_one_though_it_found_something() {
    let mut run = record(Some(EndReason::Events));
    let cut = &mut run.summary.sessions[1];
    (cut.started, cut.ended, cut.events) = (false, None, 0);
    run.sessions[1].findings.clear();
    let text = summary(&run, &[], Paint::default());
    let last = text.lines().last().unwrap();
    assert!(last.contains("200 events in 1 of 2 sessions ("), "{text}");
    assert!(last.contains(" findings, ") && last.ends_with(", 1 of 2 sessions incomplete"));
}

#[test]
fn words_fill_their_columns_with_colour_too() {
    assert_eq!(
        Paint { color: true }.word(Tone::Bad, "Crash"),
        "\u{1b}[31;1m       Crash\u{1b}[0m"
    );
    assert_eq!(
        plural(1, "activity") + &plural(2, "activity"),
        "1 activity2 activities"
    );
}
