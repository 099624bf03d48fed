//! Touches, texts, keys and turns.

use crate::common::phone::Phone;
use droidtest::device::{Action, Reset, key};
use droidtest::gui::{Direction, Flags};

pub fn gestures(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves(
        "text is typed with watchers, filters and the editor's action",
        |phone| {
            phone.open("GesturesActivity");
            phone.text("field", "abc", false);
            phone.expect("result", "typed abc");
            phone.text("field", "", false);
            phone.expect("result", "typed ");
            phone.text("number", "a1-2", false);
            phone.expect("result", "typed 12");
            phone.text("upper", "abcdefgh", false);
            phone.expect("result", "typed ABCDE");
            phone.text("field", "x", true);
            phone.expect("result", "action 6 on x");
        },
    );
    phone.proves(
        "clicks and long presses arrive, hidden and disabled views get none",
        |phone| {
            phone.open("GesturesActivity");
            phone.click("hold");
            phone.expect("result", "clicked");
            phone.long("hold");
            phone.expect("result", "held");
            let (page, _) = phone.page();
            let at = |id| phone.by_id(id) as usize;
            assert!(!page.widgets[at("disabled")].flags.has(Flags::ENABLED));
            let offered = |n: usize| {
                page.events
                    .iter()
                    .any(|e| e.widget.is_some_and(|w| w as usize == n))
            };
            assert!(offered(at("hold")) && !offered(at("disabled")));
            assert_eq!(phone.says("hidden"), None);
        },
    );
    phone.proves(
        "a view that draws itself gets taps, drags and pinches",
        |phone| {
            phone.open("GesturesActivity");
            let n = phone.by_id("pad");
            let bounds = phone.page().0.widgets[n as usize].bounds;
            phone.act(&Action::Tap {
                x: bounds.left + 30,
                y: bounds.top + 40,
            });
            phone.expect("result", "tap at 30,40");
            phone.act(&Action::Long { n });
            phone.expect_that("result", "be a press", |said| said.starts_with("press at "));
            for (dir, finger) in [
                (Direction::Up, "up"),
                (Direction::Down, "down"),
                (Direction::Left, "left"),
                (Direction::Right, "right"),
            ] {
                phone.act(&Action::Swipe { n, dir });
                phone.expect("result", &format!("drag {finger}"));
            }
            phone.act(&Action::Pinch { n, dir: "out" });
            phone.expect("result", "pinch with 2 fingers");
            let (x, y) = (bounds.left + 10, bounds.top + 10);
            phone.act(&Action::Drag {
                x,
                y,
                x2: x + 100,
                y2: y,
                ms: 200,
            });
            phone.expect("result", "drag right");
        },
    );
    phone.proves(
        "a field touched by a finger brings up a keyboard that types, until back takes it away",
        |phone| {
            phone.open("GesturesActivity");
            let (page, _) = phone.page();
            let (width, height) = page.screen;
            let n = phone.by_id("number") as usize;
            let bounds = page.widgets[n].bounds;
            let tap = |phone: &mut Phone, x, y| phone.act(&Action::Tap { x, y });
            tap(phone, bounds.left + 20, bounds.top + 20);
            // The second row of LatinIME's numbers: 4, 5, 6 and the point.
            let row = height - 206 + 206 * 3 / 8;
            tap(phone, width * 3 / 8, row);
            phone.expect("result", "typed 5");
            // Delete ends the third row.
            tap(phone, width * 7 / 8, height - 206 + 206 * 5 / 8);
            phone.expect("result", "typed ");
            phone.back();
            phone.expect("result", "typed ");
            tap(phone, width * 3 / 8, row);
            phone.expect_that("result", "be no digit", |said| !said.contains('5'));
        },
    );
    phone.proves("a list scrolls and its items are clicked", |phone| {
        phone.open("GesturesActivity");
        let n = phone.by_text("line 1");
        phone.act(&Action::Click { n });
        phone.expect("result", "item 1");
        phone.act(&Action::Long { n });
        phone.expect("result", "held item 1");
        let n = phone.by_id("list");
        phone.act(&Action::Scroll {
            n,
            dir: Direction::Down,
        });
        phone.expect_that("result", "say the first line", |said| {
            said.strip_prefix("first line ")
                .is_some_and(|line| line.parse::<u32>().unwrap() > 0)
        });
        assert!(!phone.shows("line 0"));
        let n = phone.by_id("list");
        phone.act(&Action::Scroll {
            n,
            dir: Direction::Up,
        });
        phone.expect("result", "first line 0");
    });
    phone.proves("keys arrive", |phone| {
        phone.open("GesturesActivity");
        phone.key(29);
        phone.expect("result", "typed a");
        for code in [24, key::MENU] {
            phone.key(code);
            phone.expect("result", &format!("key {code}"));
        }
    });
}

pub fn turns(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves(
        "a turn makes the activity anew with its saved state",
        |phone| {
            phone.open("GesturesActivity");
            phone.text("field", "kept", false);
            phone.rotate();
            let (page, _) = phone.page();
            assert_eq!((page.rotation, page.screen), (1, (891, 411)));
            phone.expect("result", "made anew, rotation 1");
            assert_eq!(phone.says("field").as_deref(), Some("kept"));
            phone.rotate();
            assert_eq!(phone.page().0.screen, (411, 891));
            phone.expect("result", "made anew, rotation 0");
        },
    );
    phone.proves(
        "an activity that handles the rotation is notified and its theme follows",
        |phone| {
            phone.open("GesturesActivity");
            phone.click("turning");
            phone.rotate();
            phone.expect("result", "turned to 2, lying");
            phone.rotate();
            phone.expect("result", "turned to 1, upright");
            phone.back();
        },
    );
    phone.proves("home and back again stops and restarts", |phone| {
        phone.open("GesturesActivity");
        phone.act(&Action::Home);
        phone.expect("result", "restarted after 1 pauses and 1 stops");
        phone.key(key::HOME);
        phone.expect("result", "restarted after 2 pauses and 2 stops");
    });
}

pub fn pictures(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("what a view draws itself is seen to change", |phone| {
        phone.open("DrawingActivity");
        phone.expect("result", "three frames");
        phone.click("still");
        phone.click("still");
        assert!(!phone.now.redrawn);
        phone.click("move");
        assert!(phone.now.redrawn);
    });
    phone.proves("each way to draw is seen to change", |phone| {
        phone.open("StrokesActivity");
        let mut unseen = Vec::new();
        loop {
            phone.click("kind");
            let kind = phone.says("result").unwrap();
            if kind == "all" {
                break;
            }
            phone.click("step");
            if !phone.now.redrawn {
                unseen.push(kind);
            }
        }
        assert!(unseen.is_empty(), "{unseen:?}");
        phone.open("DrawingActivity");
    });
    phone.proves(
        "render nodes are drawn, as by a graphics processor",
        |phone| {
            phone.click("stretch");
            assert!(phone.now.redrawn);
            phone.click("still");
            assert!(!phone.now.redrawn);
        },
    );
    phone.proves("what draws without a view has its context", |phone| {
        phone.click("offscreen");
        phone.expect("result", "uMatrix uPicture uWeights[0], 32 wide, version 2");
    });
    phone.proves(
        "a picture becomes a bitmap of the graphics processor",
        |phone| {
            phone.click("picture");
            phone.expect("result", "30 x 20");
        },
    );
    phone.proves("what waits for time to pass gets there", |phone| {
        phone.click("spin");
        phone.expect("result", "spun");
        phone.click("join");
        phone.expect("result", "joined");
    });
}
