use super::measure::{Found, Point};
use super::*;
use crate::outcome::run_event::EndReason;
use std::time::Duration;

mod journals;
mod places;
mod sizes;

/// A session that hits `rate` probes an event, for ten events of `cost` seconds each.
fn session(app: &str, strategy: &str, seed: u64, rate: u64, cost: u64) -> Measured {
    let point = |events| Point {
        events,
        time: Duration::from_secs(events * cost),
        probes: events * rate,
        activities: 1,
        pages: events,
        findings: 0,
        direct: 0,
        entries: 10 + events,
    };
    Measured {
        planned: PlannedSession {
            session: format!("{app}-{strategy}-{seed}"),
            app: app.into(),
            strategy: strategy.into(),
            seed,
            ..PlannedSession::default()
        },
        unit: app.into(),
        ended: Some(EndReason::Events),
        curve: (0..=10).map(point).collect(),
        probes: (0..10 * rate).collect(),
        probes_total: 100 * (app.len() as u64),
        ..Measured::default()
    }
}

/// On six apps `fast` costs 1 s an event, `slow` 4 s but hits twice as much.
pub(super) fn sessions() -> Vec<Measured> {
    let mut all = Vec::new();
    for (number, app) in ["a", "ab", "abc", "abcd", "abcde", "abcdef"]
        .into_iter()
        .enumerate()
    {
        for seed in 0..3 {
            let rate = 2 + number as u64 + seed;
            all.push(session(app, "fast", seed, rate, 1));
            all.push(session(app, "slow", seed, 2 * rate, 4));
        }
    }
    all
}

fn comparison<'a>(report: &'a Report, cut: &str) -> &'a Comparison {
    let wanted = |c: &&Comparison| c.metric == Metric::Coverage && c.cut.title().contains(cut);
    report.comparisons.iter().find(wanted).unwrap()
}

#[test]
fn equal_events_and_equal_time_tell_different_stories() {
    let report = report("s", &sessions(), &[]);
    assert_eq!(report.strategies, ["fast", "slow"]);
    let events = &comparison(&report, "10 events").pairs[0];
    assert_eq!((events.wins, events.ties, events.apps), (0, 0, 6));
    assert_eq!(events.p, 0.031_25);
    assert!(events.a12 < 0.2, "{}", events.a12);
    // In ten seconds `slow` has had two events: four times its rate against ten.
    let time = &comparison(&report, "10 s of modelled time").pairs[0];
    assert_eq!((time.wins, time.apps), (6, 6));
    assert!(time.a12 > 0.8);
}

#[test]
fn levels_count_events_and_never_is_never() {
    let all = sessions();
    let report = report("s", &all, &[]);
    let rows = &comparison(&report, "end").apps;
    // The best on `a` is 2 * 4 * 10 = 80 probes; half of that is 40.
    let fast = rows
        .iter()
        .find(|r| r.app == "a" && r.strategy == "fast")
        .unwrap();
    assert_eq!(fast.values, [20.0, 30.0, 40.0]);
    assert_eq!(fast.events_to_level, [None, None, None]);
    assert_eq!(fast.events_to_peak, Some(10.0));
    let slow = rows
        .iter()
        .find(|r| r.app == "a" && r.strategy == "slow")
        .unwrap();
    assert_eq!(slow.events_to_level[0], Some(7.0));
    assert_eq!(Cut::End.events_to(&all[0], Metric::Pages, 3.0), Some(3));
}

/// In ten seconds `slow` has had two events, 16 probes at most, and `fast` ten.
#[test]
fn what_came_after_the_place_compared_is_no_level_there() {
    let report = report("s", &sessions(), &[]);
    let rows = &comparison(&report, "10 s of modelled time").apps;
    let row = |strategy| {
        let there = |r: &&compare::AppRow| r.app == "a" && r.strategy == strategy;
        rows.iter().find(there).unwrap()
    };
    let (fast, slow) = (row("fast"), row("slow"));
    // The best there is 4 * 10 = 40, half of it 20: seeds come to it after 10, 7 and 5 events.
    assert_eq!(fast.events_to_level, [Some(7.0), None, None]);
    assert_eq!(slow.events_to_level, [None, None, None]);
    assert_eq!(slow.events_to_peak, Some(2.0));
}

#[test]
fn apps_without_probes_are_equal_to_nothing() {
    let mut all = sessions();
    for session in all.iter_mut().filter(|s| s.planned.app == "ab") {
        session.curve.iter_mut().for_each(|point| point.probes = 0);
    }
    let report = report("s", &all, &[]);
    let pair = &comparison(&report, "end").pairs[0];
    assert_eq!((pair.apps, pair.ties), (5, 0));
}

#[test]
fn findings_are_told_apart_by_who_found_them_and_how() {
    let mut all = sessions();
    let found = |fingerprint: &str, direct| Found {
        fingerprint: fingerprint.into(),
        title: fingerprint.into(),
        direct,
        event: 1,
    };
    // 0: a fast 0, 1: a slow 0, 2: a fast 1
    all[0].found = vec![found("both", true), found("mine", false)];
    all[1].found = vec![found("both", false)];
    all[2].found = vec![found("mine", false)];
    let report = report("s", &all, &[]);
    let causes: Vec<_> = report
        .causes
        .iter()
        .map(|c| {
            (
                c.title.as_str(),
                c.sessions.clone(),
                c.by_system_event,
                c.only(),
            )
        })
        .collect();
    assert_eq!(
        causes,
        [
            ("both", vec![1, 1], false, None),
            ("mine", vec![2, 0], true, Some(0)),
        ]
    );
    let fast = &report.unions[0];
    assert_eq!(
        (fast.findings, fast.without_system_events, fast.only),
        (2, 1, 1)
    );
    let overlap = &report.overlaps[0];
    assert_eq!((overlap.a.as_str(), overlap.b.as_str()), ("fast", "slow"));
    assert_eq!((overlap.both, overlap.only_a, overlap.only_b), (1, 1, 0));
    let text = table::text(&report);
    let line = "fast and slow: 1 findings by both, 1 by the first only, 0 by the second only";
    assert!(text.contains(line), "{text}");
    let slow = &report.unions[1];
    assert_eq!(
        (slow.findings, slow.without_system_events, slow.only),
        (1, 0, 0)
    );
}

#[test]
fn apps_are_grouped_by_thirds_of_their_size() {
    let report = report("s", &sessions(), &[]);
    let groups: Vec<_> = report.apps.iter().map(|a| a.group).collect();
    assert_eq!(
        groups,
        ["small", "small", "medium", "medium", "large", "large"]
    );
    let text = table::text(&report);
    let table: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with("code branches reached by size of app"))
        .skip(1)
        .take(4)
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    // The rates of `fast` are 2 + number + seed: the medians over the seeds 3 to 8, ten events each.
    let wanted = [
        "apps fast slow",
        "small (2 apps) 35 70",
        "medium (2 apps) 55 110",
        "large (2 apps) 75 150",
    ];
    assert_eq!(table, wanted);
    assert!(
        report
            .groups
            .iter()
            .all(|g| g.apps == 2 && !g.comparison.pairs.is_empty())
    );
}

#[test]
fn a_report_of_nothing_and_of_hostile_names_can_be_written() {
    let empty = report("s", &[], &[]);
    assert!(html::html(&empty, &[]).unwrap().contains("<h1"));
    assert!(table::text(&empty).trim().starts_with("over") || table::text(&empty).is_empty());
    let mut hostile = session("a,\"<script>", "x\ny", 1, 2, 1);
    hostile.ended = None;
    let report = report("<b>", std::slice::from_ref(&hostile), &[]);
    let page = html::html(&report, &[hostile]).unwrap();
    assert!(!page.contains("<script>") && !page.contains("<b>"));
    assert!(page.contains("class=\"curve\""));
    assert!(csv::sessions(&report).contains("\"a,\"\"<script>\""));
    assert!(table::text(&report).contains("1 of 1 sessions did not complete"));
}

#[test]
fn the_tables_say_all_that_the_comparisons_do() {
    let report = report("s", &sessions(), &[]);
    let rows = |table: &str| -> Vec<Vec<String>> {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        table.lines().map(cells).collect()
    };
    let apps = rows(&csv::apps(&report));
    let metrics = report.comparisons.len();
    assert_eq!(apps.len(), 1 + metrics * 6 * 2);
    assert!(apps.iter().all(|row| row.len() == apps[0].len()));
    let at = |row: &Vec<String>, name: &str| {
        let place = apps[0].iter().position(|head| head == name).unwrap();
        row[place].clone()
    };
    let row = apps
        .iter()
        .find(|row| row[..8] == ["coverage", "end", "", "a", "100", "probes", "small", "slow"])
        .unwrap();
    assert_eq!(
        (at(row, "sessions"), at(row, "median")),
        ("3".into(), "60".into())
    );
    assert_eq!(
        (at(row, "events_to_50"), at(row, "events_to_95")),
        ("7".into(), String::new())
    );
    assert_eq!(at(row, "events_to_peak"), "10");

    let pairs = rows(&csv::pairs(&report));
    assert!(pairs.iter().all(|row| row.len() == pairs[0].len()));
    let of = |of: &str| {
        let wanted = ["coverage", "end", "", of, "fast", "slow"];
        pairs.iter().find(|row| row[..6] == wanted).unwrap()[6..].to_vec()
    };
    assert_eq!(of("all")[..6], ["6", "0", "0", "-55", "0.03125", "0.03125"]);
    assert_eq!(of("small")[..3], ["2", "0", "0"]);
    assert_eq!(of("app a")[..6], ["1", "", "", "", "", ""]);
    let a12: f64 = of("app a")[6].parse().unwrap();
    // 2 3 4 against 4 6 8: one tie among nine pairs.
    assert!((a12 - 0.5 / 9.0).abs() < 1e-12, "{a12}");
    let page = html::html(&report, &sessions()).unwrap();
    assert!(
        page.contains("A12 by app") && page.contains("0.056"),
        "A12 of app a"
    );
}

#[test]
fn findings_are_counted_with_and_without_system_events() {
    let mut all = sessions();
    for session in &mut all {
        let last = session.curve.last_mut().unwrap();
        (last.findings, last.direct) = (3, 1);
    }
    let report = report("s", &all, &[]);
    let median = |metric: Metric| {
        let wanted = |c: &&Comparison| c.metric == metric && c.cut == Cut::End;
        let comparison = report.comparisons.iter().find(wanted).unwrap();
        comparison.overall[0].interval.unwrap().median
    };
    assert_eq!(
        (median(Metric::Findings), median(Metric::DirectFindings)),
        (3.0, 1.0)
    );
}

#[test]
fn equal_records_give_equal_reports() {
    let json = || serde_json::to_string(&report("s", &sessions(), &[])).unwrap();
    assert_eq!(json(), json());
}
