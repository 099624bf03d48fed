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
        let said = "1 of 36 sessions did not complete";
        let text = table::text(&report);
        assert!(
            text.contains(said) && text.contains("  a-fast-0, 2 events\n"),
            "{text}"
        );
        let page = html::html(&report, &all).unwrap();
        let said = "36 sessions, 35 of them completed";
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
    let place = |session: &str, entries| SessionPoint {
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

#[test]
fn one_that_had_nothing_more_to_do_sets_no_place_and_goes_on_with_what_it_had() {
    let mut all = sessions();
    all[0].ended = Some(EndReason::Plateau);
    all[0].curve.truncate(4);
    let report = report("s", &all, &[5, 40]);
    let first = |cut: &str| comparison(&report, cut).apps[0].values.clone();
    assert_eq!(first("after 5 events"), [6.0, 15.0, 20.0]);
    assert_eq!(first("after 10 events"), [6.0, 30.0, 40.0]);
    let beyond = report.beyond.as_ref().unwrap();
    assert_eq!((beyond.at.as_slice(), beyond.events), (&[40][..], 10));
    assert!(table::text(&report).contains("Not compared after 40 events: "));
    let page = html::html(&report, &all).unwrap();
    assert!(page.contains("Not compared after 40 events: "), "{page}");
    // Where all ended so, the first of them does.
    for session in &mut all {
        session.ended = Some(EndReason::Plateau);
    }
    let report = super::report("s", &all, &[]);
    assert_eq!(comparison(&report, "after 3 events").apps[0].values[0], 6.0);
}

#[test]
fn levels_are_those_of_sessions_whose_course_is_known_up_to_the_place() {
    let mut all = sessions();
    // Two of three are cut off before any level of the tenth event.
    for session in &mut all[..4] {
        if session.planned.strategy == "slow" {
            session.ended = None;
            session.curve.truncate(2);
        }
    }
    let report = report("s", &all, &[]);
    let rows = &comparison(&report, "after 10 events").apps;
    let slow = rows.iter().find(|r| r.app == "a" && r.strategy == "slow");
    let slow = slow.unwrap();
    assert_eq!(slow.values, [80.0]);
    assert_eq!(slow.events_to_level, [Some(5.0), Some(8.0), Some(10.0)]);
}

#[test]
fn what_a_start_after_the_place_brought_is_no_level_there() {
    let mut session = session("a", "fast", 0, 1, 1);
    let last = *session.curve.last().unwrap();
    // A start costs time, and no event.
    session.curve.push(Point {
        time: last.time + Duration::from_secs(3),
        probes: 60,
        ..last
    });
    let cut = Cut::Time { seconds: 10.0 };
    assert_eq!(cut.events_to(&session, Metric::Coverage, 50.0), None);
    assert_eq!(
        Cut::End.events_to(&session, Metric::Coverage, 50.0),
        Some(10)
    );
}

#[test]
fn an_app_on_two_devices_is_two_to_compare_on() {
    let mut planned: Vec<_> = sessions().into_iter().map(|s| s.planned).collect();
    for (ix, planned) in planned.iter_mut().enumerate() {
        planned.device = if ix % 4 < 2 { "old" } else { "new" }.to_owned();
    }
    let folder = tempfile::tempdir().unwrap();
    let run = RunFolder::at(folder.path());
    let all = measure_all(&run, &planned, |_| CostModel::default());
    assert!(all.iter().any(|s| s.unit == "a on old") && all.iter().any(|s| s.unit == "a on new"));
    planned
        .iter_mut()
        .for_each(|p| "old".clone_into(&mut p.device));
    let all = measure_all(&run, &planned, |_| CostModel::default());
    assert!(all.iter().all(|s| s.unit == s.planned.app));
}

#[test]
fn a_curve_goes_on_where_one_session_ended_early() {
    let far = |all: &[Measured]| {
        let chart = chart::chart(
            all,
            "a",
            &["fast".to_owned()],
            Metric::Coverage,
            chart::Axis::Events,
        );
        let chart = serde_json::to_value(chart.unwrap()).unwrap();
        let line = chart["series"][0]["line"].as_str().unwrap().to_owned();
        line.rsplit('L').next().unwrap().to_owned()
    };
    let own = |ended, length: usize| {
        let mut all: Vec<_> = sessions()
            .into_iter()
            .filter(|s| s.unit == "a" && s.planned.strategy == "fast")
            .collect();
        all[0].ended = ended;
        all[0].curve.truncate(length);
        all
    };
    let whole = far(&own(Some(EndReason::Events), 11));
    // The median of 20, 30 and 40 probes; of 2, 30 and 40; of 30 and 40.
    assert_eq!(far(&own(Some(EndReason::CannotLaunch), 2)), whole);
    assert_ne!(far(&own(None, 2)), whole);
    assert_eq!(
        far(&own(None, 2)).split(' ').next(),
        whole.split(' ').next()
    );
}
