//! A phone with a soft keyboard, without the agent: its keys are not explored, what it covers is uncovered first.

use droidtest::device::adb::AdbDevice;
use droidtest::device::{Action, Device, Reset, key};
use droidtest::gui::{EventKind, Page, Rect};
use droidtest::util::intern::Interner;
use droidtest_rig::bench::Bench;
use droidtest_rig::keyboard::{Form, Keyboard, PACKAGE};
use droidtest_rig::{Config, pipe_lock};

/// A phone with the editor of the sample app in front, and a keyboard over all of it but the top.
fn editor(form: Form, dumped: bool, area: Rect) -> (Bench, AdbDevice, Interner, Page) {
    let bench = Bench::new(Config::sim(34, "notes"));
    {
        let mut state = pipe_lock(&bench.rig.phone.state);
        state.keyboard = Some(Keyboard {
            dumped,
            ..Keyboard::new(area, form)
        });
        let at = ("secure".to_owned(), "default_input_method".to_owned());
        state.settings.insert(at, format!("{PACKAGE}/.Latin"));
    }
    let mut device = bench.device(false);
    let mut interner = Interner::default();
    device.reset(Reset::ClearData).unwrap();
    let page = device.observe(&mut interner).unwrap().page();
    let new = click(&page, &interner, "New note");
    device.perform(&new).unwrap();
    let page = Page::clone(&device.observe(&mut interner).unwrap().page());
    (bench, device, interner, page)
}

fn click(page: &Page, interner: &Interner, text: &str) -> Action {
    let at = page
        .widgets
        .iter()
        .position(|w| interner.get(w.text) == text);
    let n = u32::try_from(at.unwrap_or_else(|| panic!("no {text}"))).unwrap();
    Action::Click { n }
}

fn field(page: &Page) -> u32 {
    let types = page.events.iter().find(|e| e.kind == EventKind::Text);
    types.and_then(|e| e.widget).expect("a field")
}

fn middle(page: &Page, n: u32) -> (i32, i32) {
    let b = page.widgets[n as usize].bounds;
    (b.left.midpoint(b.right), b.top.midpoint(b.bottom))
}

/// All of the screen below the field, so that "Preview" is covered.
fn below(page: &Page) -> Rect {
    let (_, y) = middle(page, field(page));
    let bottom = page.widgets[field(page) as usize].bounds.bottom.max(y + 1);
    Rect::from([0, bottom, 10_000, 10_000])
}

#[test]
fn what_the_keyboard_covers_is_uncovered_before_it_is_touched() {
    for form in [Form::Usual, Form::Absent, Form::TwoDisplays] {
        let nowhere = Rect::from([0, 20_000, 1, 20_001]);
        let (bench, mut device, mut interner, page) = editor(form, false, nowhere);
        let area = below(&page);
        pipe_lock(&bench.rig.phone.state)
            .keyboard
            .as_mut()
            .unwrap()
            .area = area;
        let keyboard = || pipe_lock(&bench.rig.phone.state).keyboard.clone().unwrap();
        let typed = Action::Text {
            n: field(&page),
            // The preview formats it, and crashes.
            s: "50%".into(),
            ime: false,
        };
        device.perform(&typed).unwrap();
        assert!(keyboard().shown, "{form:?}");
        let page = device.observe(&mut interner).unwrap().page();
        let preview = click(&page, &interner, "Preview");
        let Action::Click { n } = preview else {
            panic!()
        };
        let (x, y) = middle(&page, n);
        assert!(area.left <= x && area.top <= y, "{form:?}: it is covered");
        device.perform(&preview).unwrap();
        let after = device.observe(&mut interner).unwrap();
        assert_eq!((keyboard().keys, keyboard().shown), (0, false), "{form:?}");
        assert!(after.left.is_empty() && after.exit.is_none());
        assert!(after.crash.is_some(), "{form:?}: the click arrived");
    }
}

#[test]
fn a_back_that_closes_the_keyboard_stays_on_the_page() {
    let area = Rect::from([0, 20_000, 1, 20_001]);
    let (bench, mut device, mut interner, page) = editor(Form::Usual, false, area);
    device.perform(&Action::Click { n: field(&page) }).unwrap();
    let before = device.observe(&mut interner).unwrap().page();
    device.perform(&Action::Key { code: key::BACK }).unwrap();
    let after = device.observe(&mut interner).unwrap();
    assert_eq!(after.page().id, before.id);
    assert!(
        !pipe_lock(&bench.rig.phone.state)
            .keyboard
            .as_ref()
            .unwrap()
            .shown
    );
    device.perform(&Action::Key { code: key::BACK }).unwrap();
    assert_ne!(device.observe(&mut interner).unwrap().page().id, before.id);
}

#[test]
fn a_keyboard_over_the_screen_is_no_part_of_the_app() {
    let area = Rect::from([0, 0, 10_000, 10_000]);
    let (bench, mut device, mut interner, page) = editor(Form::Usual, true, area);
    device.perform(&Action::Click { n: field(&page) }).unwrap();
    assert!(
        pipe_lock(&bench.rig.phone.state)
            .keyboard
            .as_ref()
            .unwrap()
            .shown
    );
    let after = device.observe(&mut interner).unwrap();
    assert!(after.left.is_empty() && after.exit.is_none() && after.alive);
    let texts = |page: &Page| -> Vec<String> {
        let clicks = page.events.iter().filter_map(|e| e.widget);
        clicks
            .map(|n| interner.get(page.widgets[n as usize].text).to_owned())
            .collect()
    };
    let shown = texts(&after.page());
    assert!(
        !shown.iter().any(|text| text == "q" || text == "Enter"),
        "{shown:?}"
    );
    assert_eq!(after.page().id, page.id, "the app's page is below it");
}
