use super::*;
use crate::graph::By;
use crate::gui::{EventKind, Flags, RawNode, Rect};
use rustc_hash::FxHashSet;

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

fn fixed() -> Fixed {
    Fixed::new(Limits {
        restart: Restart::Never,
        ..Limits::default()
    })
}

#[test]
fn equal_texts_of_one_activity_are_one_event_and_keys_are_each_pages_own() {
    let mut interner = Interner::default();
    let mut fixed = fixed();
    let mut see = |activity, texts: &[&str]| {
        let page = page(activity, "Frame", texts, &mut interner);
        let keys: Vec<_> = page.events.iter().map(|e| e.kind).collect();
        assert_eq!(keys.last(), Some(&EventKind::Back));
        fixed.observe(&page, &interner)
    };
    let small = see("A", &["Help", "One"]);
    let large = see("A", &["Two", "Three", "Four", "Help"]);
    let other = see("B", &["Help", "One"]);
    assert_ne!(small.state, large.state);
    assert_eq!(small.events[0], large.events[3]);
    assert_ne!(small.events[2], large.events[4], "back");
    assert_ne!(small.events[0], other.events[0]);
}

#[test]
fn a_list_may_change_and_a_counter_may_count_without_making_another_state() {
    let mut interner = Interner::default();
    let mut fixed = fixed();
    let list = "android.widget.ListView";
    let mut see = |class, texts: &[&str]| {
        let page = page("A", class, texts, &mut interner);
        fixed.observe(&page, &interner)
    };
    let short = see(list, &["milk", "bread"]);
    let long = see(list, &["milk", "eggs", "tea", "salt"]);
    assert_eq!(short.state, long.state);
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
        let mut fixed = Fixed::new(Limits {
            numbers,
            restart: Restart::Never,
            ..Limits::default()
        });
        let page = page("A", "Frame", &texts, &mut interner);
        let events = fixed.observe(&page, &interner).events;
        events[0] != events[1]
    };
    assert!(!different(Numbers::Merged, ["12 new", "13 new"]));
    assert!(!different(Numbers::Merged, ["10:59", "11:00"]));
    assert!(different(Numbers::Merged, ["1", "2"]));
    assert!(different(Numbers::Apart, ["12 new", "13 new"]));
    assert!(!different(Numbers::Apart, ["12 new", "12 new"]));
}

#[test]
fn pages_nearly_alike_are_one_state() {
    let mut interner = Interner::default();
    let mut fixed = fixed();
    let mut see = |texts: &[&str]| {
        let page = page("A", "Frame", texts, &mut interner);
        fixed.observe(&page, &interner).state
    };
    let all = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let whole = see(&all);
    assert_eq!(see(&all[1..]), whole);
    assert_ne!(see(&all[5..]), whole);
}

#[test]
fn texts_with_nothing_new_behind_them_are_one_event_from_some_text_on() {
    let mut interner = Interner::default();
    let mut fixed = Fixed::new(Limits {
        novelty_patience: 3,
        restart: Restart::Never,
        ..Limits::default()
    });
    // The first event of each page is a button with a text, the second is back.
    let mut performed = FxHashSet::default();
    let mut names = ('a'..='z').map(String::from);
    let mut next = |fixed: &mut Fixed, news: [bool; 2]| {
        let name = names.next().unwrap();
        let page = page("A", "Frame", &[&name], &mut interner);
        let seen = fixed.observe(&page, &interner);
        for (event, new) in seen.events.iter().zip(news) {
            let first = performed.insert(*event);
            let step = Move {
                from: seen.state,
                event: *event,
                to: None,
                by: By::Strategy,
            };
            fixed.performed(step, first, new);
        }
        [seen.events[0], seen.events[1]]
    };
    // As long as one of three leads to something new they stay apart.
    let mut all: Vec<_> = (0..7).map(|n| next(&mut fixed, [n % 3 == 2; 2])).collect();
    all.push(next(&mut fixed, [false; 2]));
    all.push(next(&mut fixed, [false; 2]));
    let each = |ix: usize| {
        let mut events: Vec<_> = all.iter().map(|page| page[ix]).collect();
        events.sort_unstable();
        events.dedup();
        events.len()
    };
    assert_eq!((each(0), each(1)), (9, 9));
    // Then three in a row led to nothing: further ones are one, be it a text or a key's page.
    let [text, back] = next(&mut fixed, [false; 2]);
    assert_eq!(next(&mut fixed, [true, false]), [text, back]);
    // Until that one leads to something new.
    let [another, key] = next(&mut fixed, [false; 2]);
    assert_ne!(another, text);
    assert_eq!(key, back);
}
