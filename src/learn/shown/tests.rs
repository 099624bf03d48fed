use super::*;
use crate::util::intern::Interner;
use std::fs;
use std::path::Path;

fn identity(class: &str, id: &str, text: &str) -> EventIdentity {
    EventIdentity {
        class: class.into(),
        id: id.into(),
        text: text.into(),
        ..EventIdentity::default()
    }
}

fn page(id: u64, activity: &str, events: u32) -> RunEvent {
    RunEvent::Page {
        id: PageId(id),
        activity: activity.into(),
        label: String::new(),
        widgets: 9,
        events,
        screen: (9, 9),
        sketch: None,
    }
}

fn step(key: u64, from: u64, to: u64, led: Option<LedBy>) -> RunEvent {
    RunEvent::Step(StepRecord {
        i: 1,
        did: Did::Event {
            k: EventKey(key),
            ix: 0,
            input: None,
        },
        led,
        from: PageId(from),
        to: PageId(to),
        exact: Default::default(),
        changed: true,
        probes: Vec::new(),
        activities: Vec::new(),
        reward: 5.0,
        left: Vec::new(),
        toasts: Vec::new(),
        findings: Vec::new(),
    })
}

/// A journal in which a person used a button between two steps of the strategy.
fn journal() -> Vec<RunEvent> {
    let define = |key, kind, at| RunEvent::Event {
        k: EventKey(key),
        kind,
        at,
    };
    vec![
        RunEvent::Session(SessionHeader {
            version: crate::outcome::run_event::JOURNAL_VERSION,
            session: "s".into(),
            package: "org.x".into(),
            ..SessionHeader::default()
        }),
        page(1, "A", 20),
        define(11, EventKind::Click, identity("Button", "ok", "OK")),
        step(11, 1, 1, None),
        define(12, EventKind::Text, identity("EditText", "name", "typed")),
        page(2, "B", 4),
        step(12, 1, 2, Some(LedBy::Person)),
        define(13, EventKind::Back, EventIdentity::default()),
        step(13, 2, 1, Some(LedBy::Corpus("c.toml".into()))),
    ]
}

fn shown() -> Shown {
    let mut shown = Shown::default();
    for event in journal() {
        shown.take(&event, is_shown);
    }
    shown
}

#[test]
fn a_journal_shows_the_steps_of_a_person_and_of_a_corpus_on_pages_as_far_as_they_are_known() {
    let shown = shown();
    let moves: Vec<_> = shown.steps.iter().map(|s| (s.from, s.act, s.to)).collect();
    assert_eq!(moves, [(0, 1, 1), (1, 0, 0)]);
    let mut interner = Interner::default();
    let (first, events) = shown.places[0].page(&mut interner);
    // Two widgets that were used, 16 others, and two keys.
    assert_eq!(first.events.len(), 20);
    let kinds: Vec<_> = events
        .iter()
        .map(|e| first.events[e.unwrap()].kind)
        .collect();
    assert_eq!(kinds, [EventKind::Click, EventKind::Text]);
    assert_eq!(interner.get(first.widgets[1].text), "OK");
    let (second, events) = shown.places[1].page(&mut interner);
    assert_eq!(second.events[events[0].unwrap()].kind, EventKind::Back);
    let model = shown.model(&StaticTexts::default()).unwrap();
    assert_eq!(model.size(), (2, 2));
}

#[test]
fn each_kind_of_event_is_offered_by_the_page_that_is_made_for_it() {
    let directions = crate::gui::Direction::ALL;
    let kinds = [
        EventKind::Click,
        EventKind::LongClick,
        EventKind::Text,
        EventKind::Pinch { inward: true },
        EventKind::Pinch { inward: false },
        EventKind::Point,
        EventKind::Back,
        EventKind::Menu,
        EventKind::Enter,
    ];
    let scrolls = directions.map(|dir| EventKind::Scroll { dir });
    let swipes = directions.map(|dir| EventKind::Swipe { dir });
    for kind in kinds.into_iter().chain(scrolls).chain(swipes) {
        let place = Place {
            acts: vec![(kind, identity("View", "v", "x"))],
            ..Place::default()
        };
        let (page, events) = place.page(&mut Interner::default());
        let event = page.events[events[0].unwrap()];
        assert_eq!(event.kind, kind);
        assert_eq!(event.widget.is_none(), kind.is_global(), "{kind}");
    }
}

#[test]
fn a_row_says_on_its_page_what_the_journal_says_of_it() {
    let row = EventIdentity {
        caption: format!("Milk{}tomorrow", caption::BETWEEN),
        ..identity("Row", "row", "")
    };
    let moved = EventIdentity {
        bounds: Some(crate::gui::Rect::from([0, 9, 9, 18])),
        ..row.clone()
    };
    let place = Place {
        acts: vec![(EventKind::Click, row), (EventKind::LongClick, moved)],
        ..Place::default()
    };
    let mut interner = Interner::default();
    let (page, events) = place.page(&mut interner);
    let widgets: Vec<_> = events
        .iter()
        .map(|e| page.events[e.unwrap()].widget)
        .collect();
    assert_eq!(widgets[0], widgets[1]);
    let said = caption::of_nameless(&page, widgets[0].unwrap(), &interner);
    assert_eq!(said, "Milk · tomorrow");
}

const TRACE: &str = "version = 1\n[app]\npackage = \"org.x\"\n[finding]\nkind = \"anr\"\n\
    [[step]]\ndo = \"click\"\nid = \"ok\"\n[[step]]\ndo = \"rotate\"\n[[step]]\ndo = \"back\"\n";

#[test]
fn files_are_opened_by_what_they_are_and_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let lines = |events: &[RunEvent]| -> String {
        let line = |event| serde_json::to_string(event).unwrap() + "\n";
        events.iter().map(line).collect()
    };
    let sessions = path("run/sessions");
    for name in ["one", "two", "none"] {
        fs::create_dir_all(sessions.join(name)).unwrap();
    }
    fs::write(sessions.join("one/journal.jsonl"), lines(&journal())).unwrap();
    fs::write(sessions.join("two/journal.jsonl"), lines(&journal()[..4])).unwrap();
    // Of another app's journal nothing but its head is read.
    fs::create_dir_all(path("both/sessions/other")).unwrap();
    fs::create_dir_all(path("both/sessions/ours")).unwrap();
    let damaged = lines(&journal()).replace("org.x", "org.y") + "garbage\n";
    fs::write(path("both/sessions/other/journal.jsonl"), damaged).unwrap();
    fs::write(path("both/sessions/ours/journal.jsonl"), lines(&journal())).unwrap();
    fs::write(path("trace.toml"), TRACE).unwrap();
    fs::write(path("flow.yaml"), "appId: org.x\n---\n- tapOn: OK\n").unwrap();
    let count = |name: &str| -> Vec<usize> {
        let all = open(&path(name), "org.x").unwrap_or_else(|e| panic!("{name}: {e}"));
        all.iter().map(|shown| shown.steps.len()).collect()
    };
    assert_eq!(count("run"), [2]);
    assert_eq!(count("both"), [2]);
    assert_eq!(count("run/sessions/one/journal.jsonl"), [2]);
    assert_eq!(count("trace.toml"), [2]);
    assert_eq!(count("flow.yaml"), [1]);
    let damaged = open(&path("both"), "org.y").unwrap_err();
    assert!(damaged.reason.contains("journal.jsonl:10: "), "{damaged}");
    let trace = open(&path("trace.toml"), "org.x").unwrap();
    assert!(trace[0].model(&StaticTexts::default()).is_none());

    fs::write(path("bad.toml"), TRACE.replace("click", "clack")).unwrap();
    fs::write(path("bad.yaml"), "appId: org.x\n---\n- doubleTapOn: OK\n").unwrap();
    fs::write(path("bad.jsonl"), lines(&journal()) + "garbage\n").unwrap();
    fs::create_dir(path("empty")).unwrap();
    for (name, package, place, why) in [
        ("run", "org.y", "", "it is of the app org.x, not of org.y"),
        (
            "trace.toml",
            "org.y",
            "",
            "it is of the app org.x, not of org.y",
        ),
        (
            "run/sessions/two/journal.jsonl",
            "org.x",
            "",
            "nothing is shown in it",
        ),
        ("bad.toml", "org.x", ":7", "unknown step `clack`"),
        ("bad.yaml", "org.x", ":3", "`doubleTapOn` cannot be read"),
        ("bad.jsonl", "org.x", ":10", "not an event"),
        ("empty", "org.x", "", "it is not the folder of a run"),
        ("missing.toml", "org.x", "", "cannot read the trace"),
    ] {
        let error = open(&path(name), package).expect_err(name);
        assert_eq!(error.place, place, "{name}: {error}");
        assert!(error.reason.contains(why), "{name}: {error}");
        let own = Path::new(name).file_name().unwrap().to_str().unwrap();
        assert!(!error.reason.contains(own), "{name}: {error}");
    }
}
