use super::*;
use crate::graph::scene::{self, button};
use crate::gui::RawNode;
use crate::util::hash::of_bytes;

/// A page of buttons with these ids and texts.
fn page(activity: &str, buttons: &[(&str, &str)], interner: &mut Interner) -> Page {
    let node = |&(id, text): &(&str, &str)| RawNode {
        resource_id: id.into(),
        ..button(text)
    };
    scene::page(activity, buttons.iter().map(node), interner)
}

#[test]
fn a_hyper_event_has_the_texts_of_the_resources_and_no_others() {
    let mut interner = Interner::default();
    let texts = StaticTexts::only(std::iter::once(of_bytes(b"Save")).collect());
    let mut key = |activity, id, text, texts| {
        let page = page(activity, &[(id, text)], &mut interner);
        hyper_event(&page, &page.events[0], texts, &interner)
    };
    let save = key("A", "ok", "Save", &texts);
    assert_ne!(save, key("A", "ok", "12:01", &texts));
    assert_eq!(
        key("A", "ok", "12:02", &texts),
        key("A", "ok", "12:01", &texts)
    );
    assert_ne!(save, key("B", "ok", "Save", &texts));
    assert_ne!(save, key("A", "no", "Save", &texts));
    let any = StaticTexts::default();
    assert_ne!(key("A", "ok", "12:02", &any), key("A", "ok", "12:01", &any));
}

#[test]
fn a_key_is_the_same_in_every_session_of_every_build() {
    let mut interner = Interner::default();
    let page = page("A", &[("ok", "Save")], &mut interner);
    let keys: Vec<_> = page
        .events
        .iter()
        .map(|event| hyper_event(&page, event, &StaticTexts::default(), &interner))
        .collect();
    // A saved model has these numbers: if they change, its version must.
    assert_eq!(
        keys,
        [8_133_531_446_604_283_312, 15_535_762_800_101_238_217]
    );
}

#[test]
fn neither_order_nor_number_nor_text_of_widgets_makes_another_state() {
    let mut interner = Interner::default();
    let mut states = Fastbot::new(StaticTexts::default(), Restart::Once);
    let mut see = |activity, buttons: &[_]| {
        let page = page(activity, buttons, &mut interner);
        states.observe(&page, &interner)
    };
    let first = see("A", &[("x", "1"), ("y", "2")]);
    let other = see("A", &[("y", "3"), ("x", "1"), ("x", "4")]);
    assert_eq!(first.state, other.state);
    assert_eq!(first.events[0], other.events[1]);
    assert_ne!(first.events[0], other.events[2]);
    assert_eq!(first.events.last(), other.events.last());
    assert_ne!(first.state, see("A", &[("x", "1")]).state);
    assert_ne!(first.state, see("B", &[("x", "1"), ("y", "2")]).state);
}
