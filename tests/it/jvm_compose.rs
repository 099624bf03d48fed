//! An app on Jetpack Compose, shrunk by R8: each witness leads to its planted crash with the events it claims, and the
//! pages are what a screen reader reads.

use crate::common::phone::Phone;
use crate::common::planted;
use crate::common::root;
use droidtest::device::Reset;
use droidtest::device::jvm::{JvmSettings, Network};
use droidtest::gui::{Event, EventKind, Flags, caption};

/// The suite's network: without one nothing can go offline.
fn online(settings: &mut JvmSettings) {
    settings.network = Network::Replay(root().join("example-configs/compose"));
}

/// A phone whose app has to ask.
fn asking() -> Option<Phone> {
    let mut phone = Phone::with("pantry", online)?;
    phone.install("pantry", false);
    Some(phone)
}

#[test]
fn every_witness_leads_to_its_crash() {
    let Some(phone) = asking() else { return };
    let (mut runner, _folder) = phone.into_runner();
    let all = planted::of("pantry");
    assert!(all.len() >= 16);
    planted::lead_to_their_crashes(&mut runner, &all);
}

#[test]
fn pages_are_what_a_screen_reader_reads() {
    let Some(mut phone) = asking() else { return };
    phone.reset(Reset::ClearData);
    phone.proves(
        "only the rows in sight are there, called by their texts",
        |p| {
            assert!(p.shows("Eggs") && p.shows("Take") && !p.shows("Raisins"));
            let (page, interner) = p.page();
            let row = p.by_id("item");
            let called = caption::of_nameless(page, row, interner);
            assert!(called.starts_with("Eggs · 2 there"), "{called}");
            let list = p.by_id("items");
            let scrolls = |event: &&Event| {
                event.widget == Some(list) && matches!(event.kind, EventKind::Scroll { .. })
            };
            assert_eq!(page.events.iter().filter(scrolls).count(), 1);
        },
    );
    phone.proves("a field takes text by its action and has a name", |p| {
        p.text("search", "rice", false);
        assert!(p.shows("Rice") && !p.shows("Eggs"));
        p.text("search", "", false);
    });
    phone.proves("a popup and a bar that runs for ever keep no page", |p| {
        p.click("menu");
        p.click("menu_timer");
        p.click("five");
        p.click("pause");
        assert!(p.shows("Go on"));
        p.back();
        assert!(p.shows("Pantry"));
    });
    phone.proves("a switch, a dialog, an editor of views inside", |p| {
        p.click("menu");
        p.click("menu_settings");
        let n = p.by_id("ounces");
        assert!(p.page().0.widgets[n as usize].flags.has(Flags::CHECKABLE));
        p.back();
        p.click("item");
        p.click("portions");
        assert!(p.shows("How many portions?"));
        p.click("cancel");
        assert!(p.shows("Lend"));
    });
    phone.finish();
}
