use super::event::EventKind;
use super::flow_graph::*;
use super::{Flags, Page, RawNode, Rect};
use crate::util::intern::Interner;

fn button(text: &str) -> RawNode {
    RawNode {
        parent: 0,
        class: "android.widget.Button".into(),
        text: text.into(),
        bounds: Rect::from([0, 0, 9, 9]),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
        ..RawNode::default()
    }
}

fn root(class: &str) -> RawNode {
    RawNode {
        parent: -1,
        class: class.into(),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU,
        ..button("")
    }
}

fn page(activity: &str, class: &str, texts: &[&str], interner: &mut Interner) -> Page {
    let mut nodes = vec![root(class)];
    nodes.extend(texts.iter().map(|t| button(t)));
    Page::build(&nodes, activity, 0, (9, 9), interner)
}

fn graph() -> FlowGraph {
    FlowGraph::new(Limits {
        restart: Restart::Never,
        ..Limits::default()
    })
}

/// Pages `A` (one, two), `B` (three, four), `C` (five): one leads to B, three leads to C.
fn three_pages() -> (FlowGraph, [Sighting; 3]) {
    let mut interner = Interner::default();
    let mut graph = graph();
    let mut see = |activity, texts: &[&str]| {
        let page = page(activity, "Frame", texts, &mut interner);
        graph.observe(&page, &interner)
    };
    let seen = [
        see("A", &["one", "two"]),
        see("B", &["three", "four"]),
        see("C", &["five"]),
    ];
    (graph, seen)
}

#[test]
fn generations_count_children_by_how_often_they_were_performed() {
    let (mut graph, [a, b, c]) = three_pages();
    let (one, two, three, back) = (a.events[0], a.events[1], b.events[0], b.events[2]);
    graph.performed(one, Some(b.node), false);
    graph.performed(three, Some(c.node), false);
    graph.performed(three, Some(c.node), false);
    graph.performed(back, Some(a.node), false);
    let [first, second, third] = graph.generations(one);
    // B: four never, back once, three twice.
    assert_eq!((first[0], first[1], first[2]), (1, 1, 1));
    // C's five and back, A's two and back; A's own `one` was where we started.
    assert_eq!(second.iter().sum::<u32>(), 4);
    assert_eq!(second[0], 4);
    assert_eq!(third.iter().sum::<u32>(), 0);
    assert_eq!(graph.generations(two), [[0; BUCKETS]; GENERATIONS]);
}

#[test]
fn what_is_performed_often_falls_into_the_last_bucket() {
    let (mut graph, [a, b, _]) = three_pages();
    graph.performed(a.events[0], Some(b.node), false);
    for _ in 0..125 {
        graph.performed(b.events[0], None, false);
    }
    assert_eq!(graph.count(b.events[0]), 125);
    assert_eq!(graph.generations(a.events[0])[0][BUCKETS - 1], 1);
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
fn equal_texts_of_one_activity_are_one_event_and_keys_are_each_pages_own() {
    let mut interner = Interner::default();
    let mut graph = graph();
    let mut see = |activity, texts: &[&str]| {
        let page = page(activity, "Frame", texts, &mut interner);
        let keys: Vec<_> = page.events.iter().map(|e| e.kind).collect();
        assert_eq!(keys.last(), Some(&EventKind::Back));
        graph.observe(&page, &interner)
    };
    let small = see("A", &["Help", "One"]);
    let large = see("A", &["Two", "Three", "Four", "Help"]);
    let other = see("B", &["Help", "One"]);
    assert_ne!(small.node, large.node);
    assert_eq!(small.events[0], large.events[3]);
    assert_ne!(small.events[2], large.events[4], "back");
    assert_ne!(small.events[0], other.events[0]);
}

#[test]
fn a_list_may_change_and_a_counter_may_count_without_making_another_node() {
    let mut interner = Interner::default();
    let mut graph = graph();
    let list = "android.widget.ListView";
    let mut see = |class, texts: &[&str]| {
        let page = page("A", class, texts, &mut interner);
        graph.observe(&page, &interner)
    };
    let short = see(list, &["milk", "bread"]);
    let long = see(list, &["milk", "eggs", "tea", "salt"]);
    assert_eq!(short.node, long.node);
    assert_eq!(short.events[0], long.events[0]);
    assert_ne!(short.events[1], long.events[1]);
    let before = see("Frame", &["Clicked 3 times"]);
    let after = see("Frame", &["Clicked 17 times"]);
    assert_eq!(before, after);
}

#[test]
fn numbers_make_no_new_event_but_the_keys_of_a_keypad_are_told_apart() {
    let different = |numbers, texts: [&str; 2]| {
        let mut interner = Interner::default();
        let mut graph = FlowGraph::new(Limits {
            numbers,
            restart: Restart::Never,
            ..Limits::default()
        });
        let page = page("A", "Frame", &texts, &mut interner);
        let events = graph.observe(&page, &interner).events;
        events[0] != events[1]
    };
    assert!(!different(Numbers::Merged, ["12 new", "13 new"]));
    assert!(!different(Numbers::Merged, ["10:59", "11:00"]));
    assert!(different(Numbers::Merged, ["1", "2"]));
    assert!(different(Numbers::Apart, ["12 new", "13 new"]));
    assert!(!different(Numbers::Apart, ["12 new", "12 new"]));
}

#[test]
fn pages_nearly_alike_are_one_node() {
    let mut interner = Interner::default();
    let mut graph = graph();
    let mut see = |texts: &[&str]| {
        let page = page("A", "Frame", texts, &mut interner);
        graph.observe(&page, &interner).node
    };
    let all = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let whole = see(&all);
    assert_eq!(see(&all[1..]), whole);
    assert_ne!(see(&all[5..]), whole);
}

#[test]
fn what_is_asked_costs_no_more_than_its_limits_however_many_pages_there_are() {
    let mut interner = Interner::default();
    let mut graph = FlowGraph::new(Limits {
        generation: 50,
        novelty_patience: u32::MAX,
        ..Limits::default()
    });
    let mut first = None;
    let mut before: Option<Sighting> = None;
    for ix in 0..200_u32 {
        let name = |n: u32| char::from_u32(0x4e00 + 3 * ix + n).unwrap().to_string();
        let texts = [name(0), name(1), name(2)];
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let page = page("A", "Frame", &texts, &mut interner);
        let seen = graph.observe(&page, &interner);
        let hub = *first.get_or_insert(seen.events[0]);
        graph.performed(hub, Some(seen.node), false);
        if let Some(before) = before {
            graph.performed(before.events[1], Some(seen.node), false);
        }
        before = Some(seen);
    }
    let all = graph.generations(first.unwrap());
    assert_eq!(all[0].iter().sum::<u32>(), 50);
    assert!(all.iter().all(|g| g.iter().sum::<u32>() <= 50));
}

#[test]
fn texts_with_nothing_new_behind_them_are_one_event_from_some_text_on() {
    let mut interner = Interner::default();
    let mut graph = FlowGraph::new(Limits {
        novelty_patience: 3,
        restart: Restart::Never,
        ..Limits::default()
    });
    // The first event of each page is a button with a text, the second is back.
    let mut names = ('a'..='z').map(String::from);
    let mut next = |graph: &mut FlowGraph, news: [bool; 2]| {
        let name = names.next().unwrap();
        let page = page("A", "Frame", &[&name], &mut interner);
        let seen = graph.observe(&page, &interner);
        for (event, new) in seen.events.iter().zip(news) {
            graph.performed(*event, Some(seen.node), new);
        }
        [seen.events[0], seen.events[1]]
    };
    // As long as one of three leads to something new they stay apart.
    let mut all: Vec<_> = (0..7).map(|n| next(&mut graph, [n % 3 == 2; 2])).collect();
    all.push(next(&mut graph, [false; 2]));
    all.push(next(&mut graph, [false; 2]));
    let each = |ix: usize| {
        let mut events: Vec<_> = all.iter().map(|page| page[ix]).collect();
        events.sort_unstable();
        events.dedup();
        events.len()
    };
    assert_eq!((each(0), each(1)), (9, 9));
    // Then three in a row led to nothing: further ones are one, be it a text or a key's page.
    let [text, back] = next(&mut graph, [false; 2]);
    assert_eq!(next(&mut graph, [true, false]), [text, back]);
    // Until that one leads to something new.
    let [another, key] = next(&mut graph, [false; 2]);
    assert_ne!(another, text);
    assert_eq!(key, back);
}
