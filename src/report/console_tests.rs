//! What a person reads at the end of a run.

use super::super::fixture::{Spec, run};
use super::super::summarize;
use super::*;
use crate::outcome::summary::{CodeCoverage, Ratio};

fn record(end: Option<EndReason>) -> RunSummary {
    let base = tempfile::tempdir().unwrap();
    let spec = |seed, end| Spec {
        seed,
        end,
        events: 200,
        ..Spec::default()
    };
    let folder = run(
        base.path(),
        &[spec(1, Some(EndReason::Events)), spec(2, end)],
    );
    summarize::read(&folder).unwrap().summary
}

#[test]
fn the_end_of_a_run() {
    let files =
        ["report.html", "junit.xml"].map(|name| Path::new("target/droidtest/run").join(name));
    let text = summary(
        &record(None),
        Path::new("target/droidtest/run"),
        &files,
        Paint::default(),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn a_clean_run_says_so_in_one_line() {
    let mut run = record(Some(EndReason::Events));
    run.apps.clear();
    for session in &mut run.sessions {
        session.findings.clear();
        session.environment_findings.clear();
        session.device_failures.clear();
        session.seconds = 2.0;
    }
    let text = summary(&run, Path::new(""), &[], Paint::default());
    assert_eq!(
        text,
        "────────────\n     Summary 400 events in 2 sessions (4.0 s), nothing found\n"
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
    run.apps[0].coverage = Some(coverage);
    let text = summary(&run, Path::new(""), &[], Paint::default());
    assert!(
        text.contains("1.1 % of instructions (line numbers are missing)"),
        "{text}"
    );
    for session in &mut run.sessions {
        session.coverage = Some(coverage);
    }
    let table = crate::report::step_summary::markdown(&run);
    assert!(!table.contains("0.0 %"), "{table}");
}

#[test]
fn warnings_are_told_apart() {
    let mut run = record(Some(EndReason::Events));
    let all = run.sessions.iter_mut().flat_map(|s| &mut s.findings);
    for finding in all.filter(|f| f.kind == FindingKind::RotationLoss) {
        finding.warning = true;
    }
    let text = summary(&run, Path::new(""), &[], Paint::default());
    assert!(
        text.contains("3 findings, 1 warning, 1 of the environment"),
        "{text}"
    );
    let at = |word| text.find(word).unwrap();
    assert!(at("NullPointer") < at("State lost") && at("State lost") < at("Environment"));
}

#[test]
fn hostile_texts_cannot_move_the_cursor_or_colour_the_screen() {
    let mut run = record(None);
    let hostile = "\u{1b}[2J\r\n\u{202e}\u{9b}31mgotcha\u{7}";
    for session in &mut run.sessions {
        session.session = hostile.into();
        session.device_failures = vec![hostile.into()];
        session.damage = Some(hostile.into());
        for finding in session
            .findings
            .iter_mut()
            .chain(&mut session.environment_findings)
        {
            finding.title = hostile.into();
            finding.trace = Some(hostile.into());
            if let Some(found) = &mut finding.reproduction {
                found.steps[0] = hostile.into();
            }
            finding.activity = hostile.into();
            finding.environment = Some(hostile.into());
        }
    }
    run.apps[0].app = hostile.into();
    let text = summary(&run, Path::new(""), &[], Paint::default());
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
fn twenty_steps_are_told_in_full() {
    let mut run = record(Some(EndReason::Events));
    let all = run.sessions.iter_mut().flat_map(|s| &mut s.findings);
    for found in all.filter_map(|finding| finding.reproduction.as_mut()) {
        found.steps = (1..=20).map(|n| format!("key {n}")).collect();
    }
    let text = summary(&run, Path::new(""), &[], Paint::default());
    assert!(text.contains("key 19, key 20 · "), "{text}");
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
