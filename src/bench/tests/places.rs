//! Where sessions are compared, and which of them.

use super::*;
use crate::outcome::summary::Ratio;

#[test]
fn sessions_that_were_cut_off_ruin_no_comparison_and_are_named() {
    for ended in [
        None,
        Some(EndReason::Interrupted),
        Some(EndReason::DeviceLost),
    ] {
        let mut all = sessions();
        all[0].ended = ended;
        all[0].curve.truncate(3);
        // The app of this one fell for good: more than its four events would have brought no more.
        all[1].ended = Some(EndReason::CannotLaunch);
        all[1].curve.truncate(5);
        let report = report("s", &all, &[]);
        let first = |cut| {
            let rows = &comparison(&report, cut).apps;
            let of = |strategy| rows.iter().find(|r| r.app == "a" && r.strategy == strategy);
            [of("fast"), of("slow")].map(|row| row.unwrap().values.clone())
        };
        assert_eq!(
            first("10 events"),
            [vec![30.0, 40.0], vec![16.0, 60.0, 80.0]]
        );
        assert_eq!(
            first("10 s of modelled"),
            [vec![30.0, 40.0], vec![8.0, 12.0, 16.0]]
        );
        assert_eq!(first("end")[0], [4.0, 30.0, 40.0]);
        let said = "1 of 36 sessions did not come to their end";
        let text = table::text(&report);
        assert!(
            text.contains(said) && text.contains("  a-fast-0, 2 events\n"),
            "{text}"
        );
        let page = html::html(&report, &all).unwrap();
        let said = "36 sessions, 35 of them came to their end";
        assert!(page.contains(said) && page.contains("a-fast-0</span> (2 events)."));
    }
    // One that came as far as the others before it was cut off counts with them.
    let mut all = sessions();
    all[0].ended = None;
    let report = report("s", &all, &[]);
    assert_eq!(
        comparison(&report, "10 events").apps[0].values,
        [20.0, 30.0, 40.0]
    );
}

#[test]
fn lines_are_compared_at_equal_events_once_they_are_known_there() {
    let lines = |covered| Ratio {
        covered,
        total: 200,
    };
    let mut all = sessions();
    for session in &mut all {
        session.lines = Some(lines(100));
        // Of sessions that hit nothing new after it the lines are those of the end.
        if session.planned.strategy == "slow" {
            session.curve.truncate(6);
        }
    }
    let at = |report: &Report, cut: &str| {
        let wanted = |c: &&Comparison| c.metric == Metric::Lines && c.cut.title().contains(cut);
        let found = report.comparisons.iter().find(wanted);
        found.map(|c| [&c.apps[0].values, &c.apps[1].values].map(Clone::clone))
    };
    let before = report("s", &all, &[]);
    assert!(at(&before, "end").is_some() && at(&before, "5 events").is_none());
    let open = open_places(&all, &[]);
    // `fast` after 5 events; `slow` has had all its probes then, and in the least time, 10 s, two events.
    let place = |session: &str, entries| Place {
        session: session.into(),
        entries,
    };
    assert_eq!(open.len(), 36, "{open:?}");
    assert!(open.contains(&place("a-fast-0", 15)) && open.contains(&place("a-slow-0", 12)));
    for session in &mut all {
        session.lines_at = match session.planned.strategy.as_str() {
            "fast" => [(15, lines(20 + session.planned.seed))].into(),
            _ => [(12, lines(10))].into(),
        };
    }
    assert_eq!(open_places(&all, &[]), []);
    let after = report("s", &all, &[]);
    let known = at(&after, "after 5 events").unwrap();
    assert_eq!(known, [vec![10.0, 10.5, 11.0], vec![50.0; 3]]);
    assert_eq!(at(&after, "10 s").unwrap()[1], [5.0; 3]);
    // In every form of the report.
    assert!(table::text(&after).contains("line coverage, % after 5 events"));
    assert!(
        html::html(&after, &all)
            .unwrap()
            .contains("line coverage, %, after 5 events")
    );
    assert!(csv::apps(&after).contains("lines,events,5,a,"));
    assert!(csv::pairs(&after).contains("lines,events,5,all,fast,slow,6,0,0,"));
}

#[test]
fn places_asked_for_are_compared_as_far_as_all_came() {
    let report = report("s", &sessions(), &[40, 4, 10, 2, 4]);
    let mut events = Vec::new();
    for comparison in &report.comparisons {
        if let Cut::Events { events: at } = comparison.cut
            && comparison.metric == Metric::Coverage
        {
            events.push(at);
        }
    }
    assert_eq!(events, [2, 4, 10]);
}
