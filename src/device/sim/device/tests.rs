use super::*;
use crate::gui::{EventKind, Page};

const TWO: &str = r#"{
  "meta": {"package": "org.two", "back": "history"},
  "global_vars": {"n": {"value": 0, "persistent": true}, "typed": ""},
  "nodes": [
    {"node_id": "A", "title": "Hello", "blocks": ["org.two.A.create:1"], "transitions": [
      {"transition_id": "go", "type": "button", "guard": "typed == 'open'", "set": "n = n + 1", "destination": "B", "blocks": ["org.two.A.go:1"]},
      {"transition_id": "word", "type": "editText", "set": "typed = input_text", "destination": "A"},
      {"transition_id": "off", "type": "button", "active": false, "destination": "B"}]},
    {"node_id": "B", "blocks": ["org.two.B.create:1"], "transitions": [
      {"transition_id": "crash", "type": "button", "crash": {"exception": "java.lang.IllegalStateException", "message": "no", "frame": "org.two.B.f(B.java:3)"}},
      {"transition_id": "hang", "type": "button", "anr_ms": 7000, "destination": "B"},
      {"transition_id": "slow", "type": "button", "anr_ms": 700, "destination": "B"},
      {"transition_id": "quit", "type": "button", "exit": true},
      {"transition_id": "divide", "type": "button", "set": "n = 1 // (n - 1)", "destination": "A"}]}]}"#;

struct Driver {
    device: SimDevice,
    interner: Interner,
}

impl Driver {
    fn new(semantics: Semantics) -> Self {
        let mut device = SimDevice::new("sim", semantics, 1);
        let model = Model::parse(TWO, "two.json", "two").unwrap();
        device.install_model(Arc::new(model));
        device.reset(Reset::ClearData).unwrap();
        Self {
            device,
            interner: Interner::default(),
        }
    }

    fn see(&mut self) -> Observation {
        self.device.observe(&mut self.interner).unwrap()
    }

    fn act(&mut self, action: Action) -> Observation {
        self.device.perform(&action).unwrap();
        self.see()
    }

    fn click(&mut self, n: u32) -> Observation {
        self.act(Action::Click { n })
    }

    fn text(&mut self, n: u32, s: &str) -> Observation {
        let (s, ime) = (s.to_owned(), false);
        self.act(Action::Text { n, s, ime })
    }

    fn enter_b(&mut self) -> Observation {
        self.text(3, "open");
        self.click(2)
    }

    fn activity(&self, page: &Page) -> String {
        self.interner.get(page.activity).to_owned()
    }

    fn global(&self, slot: usize) -> Value {
        self.device.state().unwrap().0.globals[slot]
    }
}

#[test]
fn a_node_is_a_page_with_its_widgets_events() {
    let mut driver = Driver::new(Semantics::Clean);
    let seen = driver.see();
    assert!(seen.alive && seen.settled);
    assert_eq!(seen.visited, ["A"]);
    assert_eq!(seen.classes, [(0, "org/two/A".to_owned(), 2)]);
    assert_eq!(seen.probes, [(0, 0)]);
    let page = seen.page();
    assert_eq!(driver.activity(&page), "A");
    let offered: Vec<_> = page.events.iter().map(|e| (e.kind, e.widget)).collect();
    // The inactive button offers nothing.
    assert_eq!(
        offered,
        [
            (EventKind::Click, Some(2)),
            (EventKind::Text, Some(3)),
            (EventKind::Back, None),
            (EventKind::Menu, None),
        ]
    );
}

#[test]
fn guards_hold_until_the_text_is_right_and_back_follows_the_history() {
    let mut driver = Driver::new(Semantics::Clean);
    let first = driver.see().page();
    assert!(Arc::ptr_eq(&driver.click(2).page(), &first));
    assert!(Arc::ptr_eq(&driver.text(3, "no").page(), &first));
    let seen = driver.enter_b();
    assert_eq!(seen.visited, ["B"]);
    assert_eq!(seen.probes, [(0, 1), (1, 0)]);
    let back = driver.act(Action::Key { code: key::BACK });
    assert!(Arc::ptr_eq(&back.page(), &first));
    assert!(back.visited.is_empty() && back.probes.is_empty());
    // On the first node back does nothing.
    let stays = driver.act(Action::Key { code: key::BACK });
    assert!(Arc::ptr_eq(&stays.page(), &first) && stays.alive);
}

#[test]
fn points_hit_the_widget_shown_there() {
    let mut driver = Driver::new(Semantics::Clean);
    driver.text(3, "open");
    let page = driver.see().page();
    let bounds = page.widgets[2].bounds;
    let (x, y) = (bounds.left + 5, bounds.bottom - 1);
    let seen = driver.act(Action::Tap { x, y });
    assert_eq!(driver.activity(&seen.page()), "B");
    for (x, y) in [
        (0, 0),
        (-1, 500),
        (5, 100_000),
        (5, i32::MAX),
        (5, i32::MIN),
    ] {
        driver.act(Action::Tap { x, y });
    }
}

#[test]
fn a_crash_ends_the_process_until_a_reset() {
    let mut driver = Driver::new(Semantics::Clean);
    driver.enter_b();
    let seen = driver.click(1);
    assert!(!seen.alive && seen.page.is_none());
    let crash = seen.crash.unwrap();
    assert_eq!(crash.class, "java.lang.IllegalStateException");
    assert_eq!(crash.app_frame.as_deref(), Some("org.two.B.f(B.java:3)"));
    assert!(crash.stack.starts_with(
        "FATAL EXCEPTION: main\nProcess: org.two, PID: 1\njava.lang.IllegalStateException: no\n\tat org.two.B.f(B.java:3)\n\tat org.two.B.onClick_crash(B.java)\n"
    ));
    let refused = driver.device.perform(&Action::Click { n: 1 });
    assert!(matches!(refused, Err(DeviceError::Protocol(_))));
    driver.device.reset(Reset::Relaunch).unwrap();
    assert!(driver.see().crash.is_none());
}

#[test]
fn hangs_exits_and_the_clock() {
    let mut driver = Driver::new(Semantics::Clean);
    let start = driver.enter_b().clock_ms;
    let hung = driver.click(2);
    assert_eq!(hung.anr.unwrap().ms, 7000);
    assert_eq!(hung.clock_ms, start + 7300);
    assert!(hung.alive);
    let slow = driver.click(3);
    assert!(slow.anr.is_none());
    assert_eq!(slow.clock_ms, start + 8300);
    assert_eq!(driver.act(Action::Wait { ms: 50 }).clock_ms, start + 8650);
    let gone = driver.click(4);
    assert_eq!(gone.exit.as_deref(), Some("System.exit(0)"));
    assert!(!gone.alive);
}

#[test]
fn resets_keep_what_they_should() {
    let after = |semantics, how| {
        let mut driver = Driver::new(semantics);
        driver.enter_b();
        driver.device.reset(how).unwrap();
        let seen = driver.see();
        assert_eq!(driver.activity(&seen.page()), "A");
        assert_eq!(seen.visited, ["A"]);
        assert!(seen.probes.is_empty(), "coverage is counted once");
        (
            driver.global(0),
            driver.global(1) == Value::Text(Default::default()),
        )
    };
    use Semantics::{Clean, FateCompat};
    assert_eq!(after(Clean, Reset::ClearData), (Value::Int(0), true));
    assert_eq!(after(Clean, Reset::Relaunch), (Value::Int(1), true));
    assert_eq!(after(FateCompat, Reset::ClearData), (Value::Int(1), false));
}

#[test]
fn a_snapshot_brings_back_the_whole_state() {
    let mut driver = Driver::new(Semantics::Clean);
    driver.text(3, "open");
    let saved = driver.device.snapshots().unwrap().save().unwrap();
    driver.click(2);
    driver.click(1);
    let snapshots = driver.device.snapshots().unwrap();
    snapshots.restore(saved).unwrap();
    let seen = driver.see();
    assert!(seen.alive && seen.crash.is_none());
    assert_eq!(driver.activity(&seen.page()), "A");
    let seen = driver.click(2);
    assert_eq!(driver.activity(&seen.page()), "B");
    let snapshots = driver.device.snapshots().unwrap();
    snapshots.delete(saved);
    assert!(snapshots.restore(saved).is_err());
    assert_eq!(snapshots.save().unwrap(), saved, "numbers are used again");
}

#[test]
fn an_expression_without_a_value_names_its_place() {
    let mut driver = Driver::new(Semantics::Clean);
    driver.enter_b();
    let error = driver.device.perform(&Action::Click { n: 5 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two.json:14:60: division by zero in the set of a transition of `B`; correct the model"
    );
}

#[test]
fn widgets_that_are_not_there_are_stale() {
    let mut driver = Driver::new(Semantics::Clean);
    for n in [5, 99, u32::MAX] {
        let error = driver.device.perform(&Action::Click { n });
        assert!(matches!(error, Err(DeviceError::StaleWidget)));
    }
    // The root and the title can be touched; nothing happens.
    assert!(driver.click(0).alive && driver.click(1).alive);
}

#[test]
fn texts_no_longer_used_are_dropped() {
    let mut driver = Driver::new(Semantics::Clean);
    driver.text(3, "open");
    let saved = driver.device.snapshots().unwrap().save().unwrap();
    for i in 0..300 {
        driver.text(3, &format!("{i} {}", "x".repeat(60_000)));
    }
    let app = driver.device.app.as_ref().unwrap();
    assert!(app.texts.all().count() < 200);
    driver.device.snapshots().unwrap().restore(saved).unwrap();
    assert_eq!(driver.click(2).visited, ["B"]);
}

#[test]
fn another_sessions_interner_gets_pages_of_its_own() {
    let mut driver = Driver::new(Semantics::Clean);
    driver.see();
    driver.interner = Interner::default();
    driver.interner.intern("something else first");
    let page = driver.see().page();
    assert_eq!(driver.activity(&page), "A");
}
