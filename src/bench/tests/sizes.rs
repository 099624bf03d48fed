//! Apps by their size, and what is shown of a comparison.

use super::*;
use crate::outcome::summary::Ratio;

#[test]
fn apps_alone_in_their_third_are_named_and_one_app_has_no_sizes() {
    let mut all = sessions();
    all.retain(|s| s.planned.app.len() <= 4);
    let report = report("s", &all, &[]);
    assert_eq!(report.alone, ["abc", "abcd"]);
    let said = "by size of app, without abc, abcd: a size with only one app or an unknown size is not compared";
    assert!(table::text(&report).contains(said));
    let page = html::html(&report, &all).unwrap();
    let said =
        "only one of its size, or of none that is known: <span class=\"text\">abc, abcd</span>";
    assert!(page.contains(said));
    all.retain(|s| s.planned.app == "a");
    assert_eq!(super::report("s", &all, &[]).alone, [""; 0]);
}

#[test]
fn apps_whose_size_nobody_knows_are_in_no_group() {
    let mut all = sessions();
    for session in all.iter_mut().filter(|s| s.planned.app.len() > 4) {
        session.probes_total = 0;
    }
    let report = report("s", &all, &[]);
    let groups: Vec<&str> = report.apps.iter().map(|app| app.group).collect();
    let unknown = "unknown";
    assert_eq!(
        groups,
        ["small", "small", "medium", "large", unknown, unknown]
    );
    assert_eq!(report.alone, ["abc", "abcd", "abcde", "abcdef"]);
    assert!(report.groups.iter().all(|group| group.group == "small"));
}

#[test]
fn sizes_are_lines_only_where_those_of_all_apps_are_known() {
    let mut all = sessions();
    // The smallest by probes has the most lines.
    let lines = |app: &str| Ratio {
        covered: 1,
        total: 10_000 / app.len() as u64,
    };
    for session in all.iter_mut().filter(|s| s.planned.app != "abcdef") {
        session.lines = Some(lines(&session.planned.app));
    }
    let first = |all: &[Measured]| {
        let first = super::report("s", all, &[]).apps.swap_remove(0);
        (first.size, first.unit, first.group)
    };
    assert_eq!(first(&all), (100, "probes", "small"));
    for session in all.iter_mut().filter(|s| s.planned.app == "abcdef") {
        session.lines = Some(lines("abcdef"));
    }
    assert_eq!(first(&all), (10_000, "lines", "large"));
}

#[test]
fn a_strategy_that_is_surely_behind_is_not_shown_as_ahead() {
    let mut all = sessions();
    // Which of the two is the first.
    let classes = |all: &[Measured]| {
        let page = html::html(&super::report("s", all, &[]), all).unwrap();
        ["sure", "worse"].map(|class| page.contains(&format!("<td class=\"{class}\">")))
    };
    all.retain(|s| s.planned.seed == 0);
    for session in &mut all {
        session
            .curve
            .iter_mut()
            .for_each(|p| (p.time, p.pages) = (Duration::ZERO, 1));
    }
    assert_eq!(classes(&all), [false, true]);
    all.reverse();
    assert_eq!(classes(&all), [true, false]);
}

#[test]
fn apps_of_one_size_are_in_one_group() {
    let mut all = sessions();
    all.iter_mut().for_each(|session| session.probes_total = 7);
    let report = report("s", &all, &[]);
    assert!(report.apps.iter().all(|app| app.group == "small"));
}

#[test]
fn a_table_counts_apps_that_tell_something_and_spreadsheets_meet_no_formula() {
    let mut all = sessions();
    // On five of six apps there is nothing to find, and the second strategy has no value.
    for session in &mut all {
        let last = session.curve.last_mut().unwrap();
        if session.unit == "a" {
            last.findings = 1;
            session.found = vec![Found {
                fingerprint: "f".into(),
                title: "=HYPERLINK(1)\u{1b}[2J".into(),
                direct: true,
                event: 10,
            }];
        }
    }
    let report = report("s", &all, &[]);
    let text = table::text(&report);
    let found = text.split("\nfindings at the end").nth(1).unwrap();
    let fast: Vec<_> = found
        .lines()
        .find(|l| l.contains("fast"))
        .unwrap()
        .split_whitespace()
        .collect();
    assert_eq!(
        fast,
        ["fast", "6", "0", "0", "to", "0.5", "10", "10", "10", "10"]
    );
    assert!(csv::findings(&report).contains("a,f,'=HYPERLINK(1) [2J,false,3,3"));
    assert!(csv::strategies(&report).contains("\nfindings,union,,all,fast,,1,,\n"));
    assert!(csv::strategies(&report).contains("\ncoverage,end,,small,slow,2,70,"));
    assert!(!html::html(&report, &all).unwrap().contains('\u{1b}'));
}
