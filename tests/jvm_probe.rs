//! What the jvm device has to get right, one thing after the other, on the probe app: resets, gestures,
//! navigation, components, texts. (`jvm_confine` has what it has to refuse.)

mod phone;

use droidtest::device::{Action, Device, Reset, key};
use droidtest::gui::{Direction, Flags};
use phone::Phone;

const COUNTERS: [&str; 6] = [
    "static_count",
    "property_count",
    "file_count",
    "preference_count",
    "sqlite_count",
    "external_count",
];

#[test]
fn the_device_does_as_android_does() {
    let Some(mut phone) = Phone::with("probe", |_| {}) else {
        return;
    };
    resets(&mut phone);
    gestures(&mut phone);
    turns(&mut phone);
    stack(&mut phone);
    windows(&mut phone);
    components(&mut phone);
    texts(&mut phone);
    asked(&mut phone);
    phone.finish();
}

fn counters(phone: &Phone) -> Vec<String> {
    COUNTERS.iter().map(|id| phone.says(id).unwrap()).collect()
}

fn resets(phone: &mut Phone) {
    phone.proves("a relaunch keeps files and renews the process", |phone| {
        phone.reset(Reset::ClearData);
        assert_eq!(counters(phone), ["0"; 6]);
        phone.click("bump");
        phone.click("bump");
        assert_eq!(counters(phone), ["2"; 6]);
        phone.reset(Reset::Relaunch);
        assert_eq!(counters(phone), ["0", "0", "2", "2", "2", "2"]);
        phone.click("bump");
        assert_eq!(counters(phone), ["1", "1", "3", "3", "3", "3"]);
    });
    phone.proves("cleared data leaves nothing behind", |phone| {
        phone.reset(Reset::ClearData);
        assert_eq!(counters(phone), ["0"; 6]);
    });
}

fn gestures(phone: &mut Phone) {
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

fn turns(phone: &mut Phone) {
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
    phone.proves("an activity that handles the turn is told of it", |phone| {
        phone.open("GesturesActivity");
        phone.click("turning");
        phone.rotate();
        phone.expect("result", "turned to 2");
        phone.rotate();
        phone.expect("result", "turned to 1");
        phone.back();
    });
    phone.proves("home and back again stops and restarts", |phone| {
        phone.open("GesturesActivity");
        phone.act(&Action::Home);
        phone.expect("result", "restarted after 1 pauses and 1 stops");
        phone.key(key::HOME);
        phone.expect("result", "restarted after 2 pauses and 2 stops");
    });
}

fn stack(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("results come back", |phone| {
        phone.open("NavigationActivity");
        for (id, answer) in [
            ("answer_ok", "-1 and answer -1"),
            ("answer_cancel", "0 and answer 0"),
            ("answer_own", "1 and answer 1"),
        ] {
            phone.click("for_result");
            assert_eq!(phone.activity(), "AnswerActivity");
            phone.click(id);
            phone.expect("result", &format!("answer came back with {answer}"));
        }
        phone.click("for_result");
        phone.back();
        phone.expect("result", "answer came back with 0 and nothing");
        phone.click("for_result");
        phone.click("answer_forward");
        assert_eq!(phone.activity(), "AnswerActivity");
        phone.click("answer_own");
        phone.expect("result", "answer came back with 1 and answer 1");
    });
    phone.proves("the back stack obeys launch flags", |phone| {
        phone.open("NavigationActivity");
        phone.click("level");
        phone.click("deeper");
        phone.click("deeper");
        phone.expect("label", "level 3");
        phone.back();
        phone.expect("label", "level 2");
        phone.click("deeper_no_history");
        phone.expect("label", "level 3");
        phone.click("deeper");
        phone.expect("label", "level 4");
        phone.back();
        phone.expect("label", "level 2");
        phone.click("clear_top");
        phone.expect("result", "new intent from level 2");
        phone.click("level");
        phone.click("to_front");
        phone.expect("result", "new intent from level 1");
        phone.back();
        phone.expect("label", "level 1");
        phone.back();
        assert_eq!(phone.activity(), "MainActivity", "{}", phone.shown());
    });
    phone.proves("launch modes meet what is there", |phone| {
        phone.open("NavigationActivity");
        phone.click("single_top");
        phone.click("again");
        phone.expect("result", "new intent 1");
        phone.back();
        assert_eq!(phone.activity(), "NavigationActivity");
        phone.click("single_task");
        phone.click("deeper");
        phone.click("to_single_task");
        assert_eq!(phone.activity(), "SingleTaskActivity");
        phone.expect("result", "new intent from level 1");
        phone.back();
        assert_eq!(phone.activity(), "NavigationActivity");
    });
    phone.proves(
        "an intent finds the app's own activity, or nothing",
        |phone| {
            phone.open("NavigationActivity");
            phone.click("implicit");
            phone.expect("label", "found by org.droidtest.probe.IMPLICIT");
            phone.back();
            phone.click("undeclared");
            phone.expect(
                "result",
                "refused: android.content.ActivityNotFoundException",
            );
        },
    );
    phone.proves("what leaves the app is recorded and cancelled", |phone| {
        phone.open("NavigationActivity");
        phone.click("dial");
        let left = phone.now.left.clone();
        assert_eq!(left.len(), 1, "{left:?}");
        assert_eq!(left[0].kind, "activity");
        assert_eq!(
            left[0].action.as_deref(),
            Some("android.intent.action.DIAL")
        );
        assert_eq!(left[0].data.as_deref(), Some("tel:123"));
        assert!(left[0].for_result);
        phone.expect("result", "dial came back with 0 and nothing");
        phone.click("pick");
        assert_eq!(phone.now.left.len(), 1);
        phone.expect("result", "pick came back with 0 and nothing");
    });
    phone.proves(
        "a cleared task begins anew, a finished one ends the app",
        |phone| {
            phone.open("NavigationActivity");
            phone.click("level");
            phone.click("clear_task");
            assert_eq!(phone.activity(), "MainActivity");
            phone.click("navigation");
            phone.click("level");
            phone.click("finish_affinity");
            assert!(!phone.now.alive || phone.activity() == "MainActivity");
            assert_eq!(phone.now.exit.as_deref(), Some("finished"));
        },
    );
    phone.proves("back from the first activity leaves the app", |phone| {
        phone.reset(Reset::ClearData);
        phone.back();
        assert_eq!(
            phone.now.exit.as_deref(),
            Some("finished"),
            "{}",
            phone.shown()
        );
    });
}

fn windows(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("tabs and groups hold activities", |phone| {
        phone.open("NavigationActivity");
        phone.click("tabs");
        phone.expect("label", "inner one");
        phone.click("inner");
        phone.expect("result", "inner one was clicked");
        phone.click_text("Tab two");
        phone.expect("label", "inner two");
        phone.click("inner");
        phone.expect("result", "inner two was clicked");
        phone.click_text("Tab one");
        phone.expect("result", "inner one was clicked");
        phone.back();
        assert_eq!(phone.activity(), "NavigationActivity");
        phone.click("group");
        phone.expect("label", "inner one");
        phone.click("show_two");
        phone.expect("label", "inner two");
        phone.click("inner");
        phone.expect("result", "inner two was clicked");
        phone.back();
    });
    phone.proves("fragments have their back stack", |phone| {
        phone.open("NavigationActivity");
        phone.click("fragments");
        for depth in 1..=3 {
            phone.click("push");
            phone.expect("result", &format!("depth {depth}"));
            phone.expect("label", &format!("fragment {depth}"));
        }
        phone.back();
        phone.expect("result", "depth 2");
        phone.expect("label", "fragment 2");
        phone.rotate();
        phone.expect("label", "fragment 2");
        phone.rotate();
        phone.back();
        phone.back();
        phone.expect("result", "depth 0");
        assert_eq!(phone.activity(), "FragmentsActivity");
        phone.back();
        assert_eq!(phone.activity(), "NavigationActivity");
    });
    phone.proves("dialogs take all input", |phone| {
        phone.open("NavigationActivity");
        phone.click("dialog");
        assert!(
            phone.shows("Yes or no?") && phone.says("result").is_none(),
            "{}",
            phone.shown()
        );
        phone.click_text("Yes");
        phone.expect("result", "dialog said yes");
        phone.click("dialog");
        phone.click_text("No");
        phone.expect("result", "dialog said no");
        phone.click("dialog");
        phone.back();
        phone.expect("result", "dialog was left");
    });
    phone.proves(
        "popup, context and options menus open and choose",
        |phone| {
            phone.open("NavigationActivity");
            phone.click("popup");
            phone.click_text("Second");
            phone.expect("result", "popup chose Second");
            phone.click("popup");
            phone.back();
            phone.long("context");
            phone.click_text("Context one");
            phone.expect("result", "context chose Context one");
            phone.key(key::MENU);
            phone.click_text("Option one");
            phone.expect("result", "option chose Option one");
        },
    );
    phone.proves("toasts are told", |phone| {
        phone.open("NavigationActivity");
        phone.click("toast");
        assert_eq!(phone.now.toasts, ["a toast"]);
        phone.wait(100);
        assert_eq!(phone.now.toasts, [""; 0]);
    });
}

fn components(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("services start, are bound, and end", |phone| {
        phone.open("NavigationActivity");
        phone.click("start_service");
        phone.expect("result", "service started 1");
        phone.click("start_service");
        phone.expect("result", "service started 2");
        phone.click("bind_service");
        phone.expect("result", "bound, answer 42");
        phone.click("stop_service");
        phone.expect("result", "stopped true");
        phone.click("unbind_service");
        phone.expect("result", "service destroyed after 2 starts");
        phone.click("bind_service");
        phone.expect("result", "bound, answer 42");
        phone.click("unbind_service");
        phone.expect("result", "service destroyed after 0 starts");
        let component = "org.droidtest.probe.ProbeService".to_owned();
        phone.act(&Action::Service {
            component,
            action: None,
            extras: Default::default(),
        });
        phone.expect("result", "service started 1");
    });
    phone.proves(
        "broadcasts reach registered receivers and the manifest's",
        |phone| {
            phone.open("NavigationActivity");
            let listens = phone.now.listens.clone();
            assert!(
                listens
                    .receivers
                    .iter()
                    .any(|a| a == "org.droidtest.probe.REGISTERED"),
                "{listens:?}"
            );
            phone.click("send_registered");
            phone.expect("result", "registered receiver got button");
            phone.click("send_manifest");
            phone.expect("result", "manifest receiver got button");
            for (name, who) in [("REGISTERED", "registered"), ("MANIFEST", "manifest")] {
                let action = format!("org.droidtest.probe.{name}");
                let extras = [("from".to_owned(), serde_json::json!("outside"))].into();
                phone.act(&Action::Broadcast {
                    action,
                    component: None,
                    extras,
                });
                phone.expect("result", &format!("{who} receiver got outside"));
            }
            phone.back();
            assert!(
                phone.now.listens.receivers.is_empty(),
                "{:?}",
                phone.now.listens
            );
        },
    );
    phone.proves("the app's own provider works, others' are empty", |phone| {
        phone.open("NavigationActivity");
        phone.click("provider");
        phone.expect("result", "provider has 1 rows");
        phone.click("provider");
        phone.expect("result", "provider has 2 rows");
        phone.click("contacts");
        phone.expect("result", "contacts has 0 rows");
    });
    phone.proves("an alarm goes off in virtual time", |phone| {
        phone.open("NavigationActivity");
        phone.click("alarm");
        phone.expect("result", "alarm set");
        phone.wait(1000);
        phone.expect("result", "alarm set");
        phone.wait(1000);
        phone.expect("result", "manifest receiver got alarm");
    });
    phone.proves("handlers, tasks, executors and threads run", |phone| {
        phone.open("NavigationActivity");
        phone.click("handler");
        phone.expect("result", "handler ran");
        phone.click("async_task");
        phone.expect("result", "task counted 3 with 3 steps");
        phone.click("executor");
        phone.expect("result", "executor ran");
        phone.click("thread");
        phone.expect("result", "thread summed 499500");
    });
    phone.proves("a granted permission needs no question", |phone| {
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.expect("result", "camera was granted before");
    });
    phone.proves("a crash in a service is told as logcat tells it", |phone| {
        phone.open("NavigationActivity");
        phone.click("service_throws");
        let crash = phone.now.crash.clone().expect("a crash");
        assert!(!phone.now.alive);
        assert_eq!(crash.thread, "main");
        assert_eq!(crash.class, "java.lang.RuntimeException");
        assert_eq!(crash.root_class.as_deref(), Some("java.lang.IllegalStateException"));
        let frame = "org.droidtest.probe.ProbeService.onStartCommand(ProbeService.java:";
        assert!(crash.app_frame.unwrap().starts_with(frame));
        let lines: Vec<_> = crash.stack.lines().collect();
        assert_eq!(lines[0], "FATAL EXCEPTION: main");
        assert!(lines[1].starts_with("Process: org.droidtest.probe, PID: "), "{}", lines[1]);
        assert!(
            lines[2].starts_with("java.lang.RuntimeException: Unable to start service org.droidtest.probe.ProbeService@"),
            "{}",
            lines[2]
        );
        assert!(lines.contains(&"Caused by: java.lang.IllegalStateException: thrown in a service"));
        assert!(!crash.stack.contains("robolectric") && !crash.stack.contains("$$robo$$"), "{}", crash.stack);
    });
}

fn texts(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("hostile texts come through whole", |phone| {
        phone.open("TextsActivity");
        let said = |id| phone.says(id).unwrap();
        assert_eq!(
            said("text_control"),
            "bell \u{7} escape \u{1b}[31m null \0 delete \u{7f} c1 \u{85}"
        );
        assert_eq!(
            said("text_cdata"),
            "]]> <![CDATA[ & &amp; <b> --> %00 {{ x }}"
        );
        assert_eq!(
            said("text_script"),
            "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
        );
        assert_eq!(said("text_surrogate"), "high \u{fffd} low \u{fffd} end");
        assert_eq!(
            said("text_newline"),
            "one\ntwo\r\nthree\ttab\u{2028}line\u{2029}paragraph"
        );
        assert!(said("text_emoji").starts_with('\u{1f600}'));
        assert!(said("text_rtl").contains('\u{202e}'));
        assert_eq!(said("text_empty"), "");
        let long = said("text_long");
        assert!(
            long.len() <= 10_003 && long.ends_with("..."),
            "{}",
            long.len()
        );
        phone.click("hostile_title");
        phone.click("hostile_log");
        phone.expect("result", "logged");
        phone.click("hostile_toast");
        assert!(
            phone.now.toasts.iter().any(|t| t.contains("]]>")),
            "{:?}",
            phone.now.toasts
        );
    });
    phone.proves("a hostile crash message comes through", |phone| {
        phone.open("TextsActivity");
        phone.click("hostile_crash");
        let crash = phone.now.crash.clone().expect("a crash");
        assert!(crash.message.unwrap().contains("]]> <![CDATA["));
        assert!(crash.stack.contains("<script>"));
    });
}

/// The last in its process: permissions are asked for from here on.
fn asked(phone: &mut Phone) {
    phone.install("probe", false);
    phone.proves("without the permission others' providers refuse", |phone| {
        phone.reset(Reset::ClearData);
        phone.open("NavigationActivity");
        phone.click("contacts");
        phone.expect("result", "refused: java.lang.SecurityException");
    });
    phone.proves("the permission dialog denies and grants", |phone| {
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.click_text("Deny");
        phone.expect("result", "camera denied");
        phone.click("permission");
        phone.click_text("Allow");
        phone.expect("result", "camera granted");
        phone.click("permission");
        phone.expect("result", "camera was granted before");
    });
    phone.proves("a grant outlives the process, not the data", |phone| {
        phone.reset(Reset::Relaunch);
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.expect("result", "camera was granted before");
        phone.reset(Reset::ClearData);
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.click_text("Allow");
        phone.expect("result", "camera granted");
    });
    assert!(phone.device.caps().rotation);
}
