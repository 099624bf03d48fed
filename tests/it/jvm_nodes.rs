//! Pages whose widgets no views are behind, as those of Jetpack Compose, on the jvm device.

use crate::common::phone::Phone;
use droidtest::device::{Action, Reset};
use droidtest::gui::caption;
use droidtest::gui::{Direction, EventKind, Flags, Page, Widget};

fn widget(phone: &Phone, n: u32) -> &Widget {
    &phone.page().0.widgets[n as usize]
}

/// What the page offers with this widget.
fn offered(page: &Page, n: u32) -> Vec<EventKind> {
    page.events
        .iter()
        .filter(|e| e.widget == Some(n))
        .map(|e| e.kind)
        .collect()
}

fn parent(phone: &Phone, text: &str) -> u32 {
    widget(phone, phone.by_text(text)).parent.unwrap()
}

#[test]
fn nodes_without_views_are_widgets_like_others() {
    let Some(mut phone) = Phone::with("nodes", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    phone.proves("a row is clicked and held, and called by its texts", |p| {
        let row = parent(p, "Groceries");
        let (page, interner) = p.page();
        assert_eq!(offered(page, row), [EventKind::Click, EventKind::LongClick]);
        assert_eq!(
            caption::of_nameless(page, row, interner),
            "Groceries · today"
        );
        assert!(widget(p, row).flags.has(Flags::VIRTUAL));
        p.act(&Action::Click { n: row });
        p.expect("result", "row");
        let row = parent(p, "Groceries");
        p.act(&Action::Long { n: row });
        p.expect("result", "row held");
    });
    phone.proves("text is set, and the field's action done", |p| {
        let (page, interner) = p.page();
        let n = p.by_id("search");
        assert_eq!(interner.get(widget(p, n).hint), "Search");
        assert_eq!(offered(page, n), [EventKind::Text]);
        p.text("search", "milk", false);
        p.expect("result", "typed milk");
        assert_eq!(p.says("search").unwrap(), "milk");
        p.text("search", "tea", true);
        p.expect("result", "entered tea");
    });
    phone.proves("a state changes the exact page, ids of nodes none", |p| {
        let of = |p: &Phone| {
            let page = p.page().0;
            let keys: Vec<_> = page.events.iter().map(|e| e.key).collect();
            (page.id, page.exact, keys)
        };
        let switch = |p: &Phone| {
            let (page, interner) = p.page();
            let found = page
                .widgets
                .iter()
                .position(|w| interner.get(w.description) == "Wifi");
            u32::try_from(found.unwrap()).unwrap()
        };
        let click = |p: &mut Phone| {
            let n = switch(p);
            p.act(&Action::Click { n });
        };
        click(p);
        p.expect("result", "switched on");
        let on = of(p);
        assert!(widget(p, switch(p)).flags.has(Flags::CHECKED));
        click(p);
        p.expect("result", "switched off");
        let off = of(p);
        click(p);
        assert_eq!(of(p), on);
        assert_eq!((on.0, &on.2), (off.0, &off.2));
        assert_ne!(on.1, off.1);
    });
    phone.proves("a list scrolls to what was not shown", |p| {
        let list = parent(p, "Item 0");
        let down = EventKind::Scroll {
            dir: Direction::Down,
        };
        assert_eq!(offered(p.page().0, list), [down]);
        assert!(!p.shows("Item 7"));
        p.act(&Action::Scroll {
            n: list,
            dir: Direction::Down,
        });
        let first = (1..40).find(|i| p.shows(&format!("Item {i}"))).unwrap();
        p.click_text(&format!("Item {}", first + 1));
        p.expect("result", &format!("item {}", first + 1));
    });
    phone.proves(
        "a view among the nodes stands where they name it, once",
        |p| {
            let real = p.by_id("real");
            let holder = widget(p, real).parent.unwrap();
            assert!(widget(p, holder).flags.has(Flags::VIRTUAL));
            assert!(!widget(p, real).flags.has(Flags::VIRTUAL));
            let twice = p
                .page()
                .0
                .widgets
                .iter()
                .filter(|w| w.text == widget(p, real).text);
            assert_eq!(twice.count(), 1);
            p.click("real");
            p.expect("result", "real");
        },
    );
    phone.finish();
}
