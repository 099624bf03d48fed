use super::*;
use crate::apk::ChangedMethod;
use crate::graph::{By, Move, Sighting};
use crate::util::seed;

/// The changed method `a/Other.save()`, nearest to `a.Other`, which `a.Main` starts; its probes are 2 and 3.
fn toward() -> Toward {
    let changed = Changed {
        methods: vec![ChangedMethod {
            class: "a/Other".into(),
            name: "save".into(),
            descriptor: "()V".into(),
            activity: Some("a.Other".into()),
            ..ChangedMethod::default()
        }],
        starts: [
            ("a.Main".to_owned(), ["a.Other".to_owned()].into()),
            ("a.Other".to_owned(), [].into()),
        ]
        .into(),
        ..Changed::default()
    };
    let probes = MethodProbes::parse("a/Other\tsave\t()V\t2\t4\n", &changed);
    Toward::new(Target {
        changed: Arc::new(changed),
        probes: Arc::new(probes),
    })
}

/// `a.Main` is state 0: event 0 leads to `a.Other`, event 1 was never performed. That is state 1: event 2 was performed,
/// event 3 was not.
fn graph() -> StateGraph {
    let mut graph = StateGraph::default();
    for at in [0, 1] {
        graph.sighted(&sighting(at));
    }
    for (from, event, to) in [(0, 0, 1), (1, 2, 0)] {
        graph.note(Move {
            from: StateId(from),
            event: EventId(event),
            to: Some(StateId(to)),
            by: By::Strategy,
        });
    }
    graph
}

fn sighting(state: u32) -> Sighting {
    Sighting {
        state: StateId(state),
        events: vec![EventId(2 * state), EventId(2 * state + 1)],
    }
}

/// What it does on pages of these states, one after the other.
fn walk(toward: &mut Toward, graph: &StateGraph, states: &[u32]) -> Vec<Option<u32>> {
    let mut rng = seed::generator(1, "a", "s", 0);
    let mut next = |state: &u32| {
        let sighting = sighting(*state);
        let map = Map {
            graph,
            sighting: &sighting,
        };
        let activity = ["a.Main", "a.Other", "a.Other"][*state as usize];
        toward.next(map, activity, 2, &mut rng).map(|event| event.0)
    };
    states.iter().map(&mut next).collect()
}

/// What is seen where these probes are hit, of the class with this number.
fn seen(class: u32, probes: &[u32]) -> Observation {
    Observation {
        classes: vec![(class, "a/Other".into(), 0)],
        probes: probes.iter().map(|probe| (class, *probe)).collect(),
        ..Observation::default()
    }
}

#[test]
fn after_three_events_of_the_strategy_it_goes_to_an_untried_event_near_changed_code() {
    let done = walk(&mut toward(), &graph(), &[1, 0, 0, 0, 1, 0, 0, 0, 0]);
    let free = None;
    let expected = [
        free,
        free,
        free,
        Some(0),
        Some(3),
        free,
        free,
        free,
        Some(0),
    ];
    assert_eq!(done, expected);
}

#[test]
fn a_way_that_leads_elsewhere_is_left() {
    // Everything was performed in state 1; event 3 leads from there to state 2.
    let mut graph = graph();
    graph.sighted(&sighting(2));
    graph.note(Move {
        from: StateId(1),
        event: EventId(3),
        to: Some(StateId(2)),
        by: By::Strategy,
    });
    let expected = [None, None, None, Some(0), Some(3)];
    assert_eq!(walk(&mut toward(), &graph, &[2, 0, 0, 0, 1]), expected);
    let elsewhere = walk(&mut toward(), &graph, &[2, 0, 0, 0, 0, 0, 0, 0, 0]);
    let expected = [None, None, None, Some(0), None, None, None, None, Some(0)];
    assert_eq!(elsewhere, expected);
}

#[test]
fn what_is_reached_is_no_longer_worth_a_way() {
    let mut toward = toward();
    toward.saw(&seen(7, &[1, 4]), "a.Other");
    assert_eq!(toward.new_probes(), 0, "these lie in no changed method");
    toward.saw(&seen(7, &[2, 3]), "a.Other");
    assert_eq!(toward.new_probes(), 2);
    let done = walk(&mut toward, &graph(), &[1, 0, 0, 0, 0, 1]);
    assert_eq!(done, [None; 6]);
    toward.saw(&seen(8, &[]), "a.Other");
    assert_eq!(toward.new_probes(), 0);
}

#[test]
fn an_activity_without_new_changed_code_is_worth_less_and_less() {
    // `a.Main` counts half of what `a.Other` does; from 15 events on the other one is worth no more.
    let mut toward = toward();
    for _ in 0..15 {
        toward.saw(&seen(7, &[]), "a.Other");
    }
    let done = walk(&mut toward, &graph(), &[1, 0, 0, 0]);
    assert_eq!(done, [None, None, None, Some(1)]);
    toward.saw(&seen(7, &[2]), "a.Other");
    assert_eq!(toward.now("a.Other"), 0.0);
}
