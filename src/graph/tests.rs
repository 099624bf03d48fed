use super::fixed::{Fixed, Limits, Restart};
use super::generations::{BUCKETS, GENERATIONS, LOOKED_AT, Scale, Walk};
use super::tracker::Ended;
use super::ways::Reach;
use super::*;
use crate::gui::Page;
use crate::util::intern::Interner;
use proptest::prelude::*;

fn page(activity: &str, texts: &[&str], interner: &mut Interner) -> Page {
    scene::page(
        activity,
        texts.iter().map(|text| scene::button(text)),
        interner,
    )
}

fn states() -> Box<Fixed> {
    Box::new(Fixed::new(Limits {
        restart: Restart::Never,
        ..Limits::default()
    }))
}

fn chosen(from: u32, event: u32, to: u32) -> Move {
    Move {
        from: StateId(from),
        event: EventId(event),
        to: Some(StateId(to)),
        by: By::Strategy,
    }
}

fn walk() -> Walk {
    Walk::new(512, Scale::Growing)
}

/// State 0 has the events 0, 1 and 2, state 1 the events 3, 4 and 5, state 2 the events 6 and 7.
fn three_states() -> StateGraph {
    let mut graph = StateGraph::default();
    for (state, events) in [(0, 0..3), (1, 3..6), (2, 6..8)] {
        graph.sighted(&Sighting {
            state: StateId(state),
            events: events.map(EventId).collect(),
        });
    }
    graph
}

#[test]
fn generations_count_children_by_how_often_they_were_chosen() {
    let mut graph = three_states();
    for (from, event, to) in [(0, 0, 1), (1, 3, 2), (1, 3, 2), (1, 5, 0)] {
        graph.note(chosen(from, event, to));
    }
    let [first, second, third] = graph.generations(EventId(0), &mut walk());
    // State 1: event 4 never, 5 once, 3 twice.
    assert_eq!((first[0], first[1], first[2]), (1, 1, 1));
    // Both of state 2, and 1 and 2 of state 0, whose own event 0 is where we started.
    assert_eq!(second.iter().sum::<u32>(), 4);
    assert_eq!(second[0], 4);
    assert_eq!(third.iter().sum::<u32>(), 0);
    let none = graph.generations(EventId(1), &mut walk());
    assert_eq!(none, [[0; BUCKETS]; GENERATIONS]);
}

#[test]
fn what_is_chosen_often_falls_into_the_last_bucket() {
    let mut graph = three_states();
    graph.note(chosen(0, 0, 1));
    for _ in 0..125 {
        graph.note(Move {
            to: None,
            ..chosen(1, 3, 0)
        });
    }
    assert_eq!(graph.count(EventId(3)), 125);
    let led = graph.results(StateId(1), EventId(3));
    assert!(led.is_empty(), "{led:?}");
    assert_eq!(graph.tried(StateId(1), EventId(3)), 125);
    let [children, ..] = graph.generations(EventId(0), &mut walk());
    assert_eq!(children[BUCKETS - 1], 1);
}

#[test]
fn buckets_hold_one_count_each_or_grow() {
    let buckets = |scale: Scale, counts: [u32; 12]| counts.map(|count| scale.bucket(count));
    let counts = [0, 1, 2, 3, 4, 5, 6, 8, 9, 15, 99, 100];
    assert_eq!(
        buckets(Scale::Counts, counts),
        [0, 1, 2, 3, 4, 5, 6, 8, 9, 9, 9, 9]
    );
    assert_eq!(
        buckets(Scale::Growing, counts),
        [0, 1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 9]
    );
}

#[test]
fn the_steps_of_others_show_ways_and_count_as_no_choice() {
    let mut graph = three_states();
    let led = Move {
        by: By::Others,
        ..chosen(0, 0, 1)
    };
    graph.note(led);
    assert_eq!(
        (graph.count(EventId(0)), graph.performed(EventId(0))),
        (0, 1)
    );
    assert_eq!(graph.results(StateId(0), EventId(0)), [(StateId(1), 1)]);
    assert!(graph.leads(EventId(0)).is_empty());
    let behind = graph.generations(EventId(0), &mut walk());
    assert_eq!(behind, [[0; BUCKETS]; GENERATIONS]);
    graph.note(chosen(0, 0, 1));
    assert_eq!(
        (graph.count(EventId(0)), graph.performed(EventId(0))),
        (1, 2)
    );
    assert_eq!(graph.results(StateId(0), EventId(0)), [(StateId(1), 2)]);
    assert_eq!(graph.leads(EventId(0)), [StateId(1)]);
}

#[test]
fn lists_keep_the_first_ones_or_lose_the_rarest() {
    let bounds = Bounds {
        width: 2,
        results: 3,
    };
    let mut graph = StateGraph::new(bounds);
    graph.sighted(&Sighting {
        state: StateId(0),
        events: [4, 4, 5, 6].map(EventId).to_vec(),
    });
    assert_eq!(graph.events(StateId(0)), [4, 5].map(EventId));
    // State 2 came once, 3 and 1 twice: 4 takes its place.
    for to in [1, 2, 3, 1, 3, 4] {
        graph.note(chosen(0, 4, to));
    }
    let results = [(1, 2), (3, 2), (4, 1)].map(|(to, times)| (StateId(to), times));
    assert_eq!(graph.results(StateId(0), EventId(4)), results);
    assert_eq!(graph.leads(EventId(4)), [1, 2].map(StateId));
    // A third event of the state is counted, and its moves are not kept.
    graph.note(chosen(0, 5, 1));
    graph.note(chosen(0, 6, 1));
    assert_eq!(graph.outs(StateId(0)).len(), 2);
    assert_eq!(graph.count(EventId(6)), 1);
    for to in 0..4 {
        graph.started(StateId(to));
    }
    let starts: Vec<_> = graph.starts().iter().map(|start| start.0.0).collect();
    assert_eq!(starts, [1, 2, 3]);
}

/// A hundred thousand states, each of as many events as are kept, each of which led to as many of them as are kept: what
/// the graph looks at for one event does not depend on it. Items are counted, not time.
#[test]
fn a_walk_and_a_step_look_at_no_more_than_their_bounds_in_a_graph_of_any_size() {
    const STATES: u32 = 100_000;
    const EVENTS: u32 = 2_000;
    let width = 64;
    let bounds = Bounds {
        width: width as usize,
        results: 4,
    };
    let mut graph = StateGraph::new(bounds);
    // Each state has a window of the events, so that neighbours have nearly all in common: what is looked at most often
    // has been counted before.
    for state in 0..STATES {
        let events = (0..width).map(|n| EventId((state + n) % EVENTS)).collect();
        graph.sighted(&Sighting {
            state: StateId(state),
            events,
        });
    }
    for n in 0..EVENTS * (width + 8) {
        let (event, to) = (n % EVENTS, n.wrapping_mul(2_654_435_761) % STATES);
        graph.note(chosen(n % 7, event, to));
    }
    assert_eq!(graph.size(), (STATES as usize, EVENTS as usize));
    let mut most = 0;
    for event in (0..EVENTS).step_by(400) {
        // The paper's preset bounds no generation.
        let mut walk = Walk::new(usize::MAX, Scale::Counts);
        let all = graph.generations(EventId(event), &mut walk);
        assert!(all[0].iter().sum::<u32>() > 0);
        most = most.max(walk.looked_at());
    }
    assert_eq!(most, LOOKED_AT, "the bound is reached, and never passed");
    // The lists that a step is looked up in.
    let lists = (0..STATES).map(StateId).map(|state| {
        let outs = graph.outs(state);
        let results = outs.iter().map(|out| out.to.len()).max().unwrap_or(0);
        (graph.events(state).len(), outs.len(), results)
    });
    let longest = lists.fold((0, 0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1), a.2.max(b.2)));
    assert_eq!(longest, (bounds.width, bounds.width, bounds.results));
    let led = (0..EVENTS).map(|event| graph.leads(EventId(event)).len());
    assert_eq!(led.max(), Some(bounds.width));
    // A search for ways ends as well.
    let mut reach = Reach::default();
    graph.reach([StateId(0)], 1_000, &mut reach);
    assert!(reach.states().count() <= 1_001);
}

#[test]
fn a_generation_holds_no_more_events_than_it_may() {
    let mut graph = StateGraph::default();
    for state in 0..200 {
        let events = (0..3).map(|n| EventId(1 + 3 * state + n)).collect();
        graph.sighted(&Sighting {
            state: StateId(state),
            events,
        });
        graph.note(chosen(0, 0, state));
        graph.note(chosen(state, 1 + 3 * state, (state + 1) % 200));
    }
    let all = graph.generations(EventId(0), &mut Walk::new(50, Scale::Growing));
    assert_eq!(all[0].iter().sum::<u32>(), 50);
    assert!(all.iter().all(|g| g.iter().sum::<u32>() <= 50));
}

#[test]
fn a_step_is_noted_with_the_page_behind_it() {
    let mut interner = Interner::default();
    let [a, b] = [("A", "one"), ("B", "two")].map(|(at, text)| page(at, &[text], &mut interner));
    let mut tracker = Tracker::new(states());
    assert!(tracker.map().is_none());
    let ended = Ended {
        by: By::Strategy,
        leads: true,
        new: false,
    };
    tracker.started();
    tracker.arrive(&a, &interner);
    let first = tracker.map().unwrap().sighting.clone();
    tracker.performed(Some(0), ended);
    assert_eq!(tracker.map().unwrap().graph.count(first.events[0]), 0);
    tracker.arrive(&b, &interner);
    let map = tracker.map().unwrap();
    let (second, graph) = (map.sighting.clone(), map.graph);
    assert_eq!(graph.count(first.events[0]), 1);
    assert_eq!(
        graph.results(first.state, first.events[0]),
        [(second.state, 1)]
    );
    assert_eq!(graph.starts(), [(first.state, 1)]);
    // The app dies: the page it is started at again is no result.
    tracker.performed(
        Some(1),
        Ended {
            leads: false,
            ..ended
        },
    );
    tracker.started();
    tracker.arrive(&a, &interner);
    // What is no event of the page is not noted; neither is a step twice.
    tracker.performed(Some(99), ended);
    tracker.arrive(&b, &interner);
    tracker.performed(None, ended);
    tracker.arrive(&b, &interner);
    let graph = tracker.map().unwrap().graph;
    assert_eq!(graph.count(second.events[1]), 1);
    assert_eq!(graph.moves().count(), 1);
    assert_eq!(graph.starts(), [(first.state, 2)]);
}

/// The least number of moves between states, from all to all (Floyd and Warshall).
fn all_distances(graph: &StateGraph, states: usize) -> Vec<Vec<Option<u32>>> {
    let mut known = vec![vec![None; states]; states];
    (0..states).for_each(|state| known[state][state] = Some(0));
    for (from, _, to, _) in graph.moves().filter(|(from, _, to, _)| from != to) {
        known[from.index()][to.index()] = Some(1);
    }
    for over in 0..states {
        let onward = known[over].clone();
        for row in &mut known {
            let Some(first) = row[over] else { continue };
            for (now, rest) in row.iter_mut().zip(&onward) {
                let by_way = rest.map(|rest: u32| first + rest);
                *now = (*now).into_iter().chain(by_way).min();
            }
        }
    }
    known
}

proptest! {
    #[test]
    fn ways_are_the_shortest_and_lead_where_they_say(
        moves in proptest::collection::vec((0..12_u32, 0..5_u32, 0..12_u32), 1..40),
    ) {
        let mut graph = StateGraph::default();
        for (from, event, to) in &moves {
            graph.note(chosen(*from, *event, *to));
        }
        let states = graph.size().0;
        let known = all_distances(&graph, states);
        let mut reach = Reach::default();
        for (from, known) in known.iter().enumerate() {
            graph.reach([StateId::at(from)], usize::MAX, &mut reach);
            for (to, &known) in known.iter().enumerate() {
                let goal = StateId::at(to);
                prop_assert_eq!(reach.distance(goal), known);
                let Some(way) = reach.way(goal) else {
                    prop_assert_eq!(known, None);
                    continue;
                };
                prop_assert_eq!(Some(way.len()), known.map(|way| way as usize));
                let stops = way.iter().map(|(state, _)| *state).chain([goal]);
                let stops: Vec<_> = stops.collect();
                prop_assert_eq!(stops[0], StateId::at(from));
                for ((state, event), next) in way.iter().zip(&stops[1..]) {
                    let results = graph.results(*state, *event);
                    prop_assert!(results.iter().any(|(to, _)| to == next));
                }
                // The search back from the goal agrees.
                let ways = graph.ways(StateId::at(from), &graph.distances(goal), usize::MAX, 1);
                prop_assert_eq!(ways.first().map(Vec::len), Some(way.len()));
            }
        }
    }
}
