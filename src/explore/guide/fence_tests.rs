use super::*;
use crate::explore::lower::lower;
use crate::explore::text::TextGenerator;
use crate::gui::{Listeners, RawNode};
use crate::outcome::run_event::RawInput;
use crate::step::Decision;
use crate::util::seed::generator;

const LIVE: u32 = Flags::VISIBLE | Flags::ENABLED;

/// A row that takes clicks with a small button in its middle, a drawer with an entry, a canvas at the bottom.
fn page() -> (Arc<Page>, Interner) {
    let mut interner = Interner::default();
    let node = |parent, id: &str, flags: u32, bounds: [i32; 4]| RawNode {
        parent,
        resource_id: format!("a:id/{id}"),
        flags: LIVE | flags,
        bounds: Rect::from(bounds),
        ..RawNode::default()
    };
    let canvas = RawNode {
        listeners: Listeners::OWN_TOUCH,
        ..node(-1, "canvas", 0, [0, 60, 100, 100])
    };
    let nodes = [
        node(-1, "row", Flags::CLICKABLE, [0, 0, 100, 20]),
        node(0, "buy", Flags::CLICKABLE | Flags::FOCUSED, [45, 5, 55, 15]),
        node(-1, "drawer", 0, [0, 20, 100, 60]),
        node(2, "log_out", Flags::CLICKABLE, [0, 20, 100, 40]),
        node(
            2,
            "about",
            Flags::CLICKABLE | Flags::LONG_CLICKABLE,
            [0, 40, 100, 60],
        ),
        canvas,
    ];
    let page = Page::build(&nodes, "a.Main", 0, (100, 100), &mut interner);
    (Arc::new(page), interner)
}

fn parts(widgets: &[&str], regions: &[[f64; 4]]) -> Parts {
    Parts {
        widgets: widgets.iter().map(|w| (*w).to_owned()).collect(),
        regions: regions.to_vec(),
        ..Parts::default()
    }
}

/// The ids of the widgets that are left with an event, each once.
fn left(block: &Parts, allow: &Parts) -> Vec<String> {
    let (page, interner) = page();
    let open = Fence::new(block, allow).unwrap().open(&page, &interner);
    let mut ids: Vec<String> = Vec::new();
    for n in open.events.iter().filter_map(|event| event.widget) {
        let id = interner.get(open.widgets[n as usize].resource_id);
        if ids.last().is_none_or(|last| last != id) {
            ids.push(id.to_owned());
        }
    }
    assert!(open.events.iter().any(|e| e.kind == EventKind::Back));
    ids.iter().map(|id| id.replace("a:id/", "")).collect()
}

#[test]
fn without_a_word_of_the_suite_the_page_is_the_same() {
    let (page, interner) = page();
    let none = Parts::default();
    let open = Fence::new(&none, &none).unwrap().open(&page, &interner);
    assert!(Arc::ptr_eq(&page, &open));
}

#[test]
fn a_blocked_widget_is_left_alone_with_all_that_is_in_it() {
    let none = Parts::default();
    assert_eq!(
        left(&parts(&["log_out"], &[]), &none),
        ["row", "buy", "about", "canvas"]
    );
    assert_eq!(
        left(&parts(&["//*[@resource-id='drawer']"], &[]), &none),
        ["row", "buy", "canvas"]
    );
}

#[test]
fn a_click_that_would_meet_a_blocked_widget_on_top_is_blocked_too() {
    assert_eq!(
        left(&parts(&["buy"], &[]), &Parts::default()),
        ["log_out", "about", "canvas"]
    );
}

#[test]
fn regions_block_what_is_touched_in_their_midst() {
    let top = [0.0, 0.0, 1.0, 0.2];
    assert_eq!(
        left(&parts(&[], &[top]), &Parts::default()),
        ["log_out", "about", "canvas"]
    );
    assert_eq!(
        left(&Parts::default(), &parts(&[], &[top])),
        ["row", "buy", "canvas"]
    );
}

#[test]
fn an_allow_list_leaves_what_it_names_and_a_block_list_goes_before_it() {
    let drawer = parts(&["drawer"], &[]);
    assert_eq!(left(&Parts::default(), &drawer), ["log_out", "about"]);
    assert_eq!(left(&parts(&["about"], &[]), &drawer), ["log_out"]);
}

#[test]
fn raw_input_does_not_touch_what_is_blocked() {
    let (page, interner) = page();
    let block = parts(&["buy"], &[[0.0, 0.6, 1.0, 1.0]]);
    let mut fence = Fence::new(&block, &Parts::default()).unwrap();
    fence.open(&page, &interner);
    let stops = |raw| {
        let texts = TextGenerator::default();
        let mut rng = generator(1, "", "", 0);
        fence.stops(&lower(
            &Decision::Raw(raw),
            &page,
            &texts,
            &interner,
            &mut rng,
        ))
    };
    assert!(stops(RawInput::Tap { x: 50, y: 10 }));
    assert!(
        !stops(RawInput::Tap { x: 10, y: 10 }),
        "the row beside the button"
    );
    assert!(
        stops(RawInput::Tap { x: 50, y: 60 }),
        "the region's first line"
    );
    assert!(!stops(RawInput::Tap { x: 50, y: 59 }));
    let (x, y) = (50, 70);
    assert!(stops(RawInput::Drag { x, y, x2: 0, y2: 0 }));
    assert!(
        stops(RawInput::Key { code: 66 }),
        "enter presses the button in focus"
    );
    assert!(!stops(RawInput::Key { code: 4 }));
    let moves = [(0, 0); 10];
    assert!(stops(RawInput::Trackball { moves, click: true }));
    assert!(!stops(RawInput::Trackball {
        moves,
        click: false
    }));
}

#[test]
fn activities_are_blocked_by_name_or_by_not_being_allowed() {
    let of = |names: &[&str]| Parts {
        activities: names.iter().map(|n| (*n).to_owned()).collect(),
        ..Parts::default()
    };
    let fence = Fence::new(&of(&["Settings*"]), &of(&["org.x.*"])).unwrap();
    assert!(fence.blocks("org.x.SettingsActivity"));
    assert!(!fence.blocks("org.x.Main"));
    assert!(fence.blocks("com.ads.AdActivity"), "not allowed");
    assert!(!fence.blocks(""), "nothing is in front");
    assert!(fence.is_open(), "it says nothing of what is on a page");
}
