//! Moving about: results, the back stack, what leaves the app; tabs, fragments, dialogs, menus, toasts.

use crate::common::phone::Phone;
use droidtest::device::{Reset, key};

pub fn stack(phone: &mut Phone) {
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
        phone.click("voices");
        phone.expect("result", "voices came back with 1 and nothing");
    });
    phone.proves(
        "messages are sent in parts, and who sent them hears of each",
        |phone| {
            phone.open("NavigationActivity");
            phone.click("message");
            phone.expect("result", "manifest receiver got part 2");
        },
    );
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

pub fn windows(phone: &mut Phone) {
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
        "a dialog shown in onCreate lies over its activity",
        |phone| {
            phone.open("NavigationActivity");
            phone.click("greeting");
            assert!(
                phone.shows("Welcome") && phone.says("result").is_none(),
                "{}",
                phone.shown()
            );
            phone.click_text("Thanks");
            phone.expect("result", "greeted");
            phone.back();
            assert_eq!(phone.activity(), "NavigationActivity");
            phone.click("greeting");
            phone.back();
            assert_eq!(phone.activity(), "GreetingActivity");
            assert!(phone.says("behind").is_some(), "{}", phone.shown());
        },
    );
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
    phone.proves("toasts are reported", |phone| {
        phone.open("NavigationActivity");
        phone.click("toast");
        assert_eq!(phone.now.toasts, ["a toast"]);
        phone.wait(100);
        assert_eq!(phone.now.toasts, [""; 0]);
    });
}

/// What a new phone's home screen shows beside the app, for one whose manifest asks for it.
pub fn home_screen(phone: &mut Phone) {
    const NAMES: &str =
        "Calculator, Calendar, Camera, Clock, Contacts, Files, Gallery, Messaging, Phone, Settings";
    phone.proves("Android's apps have icons on the home screen", |phone| {
        phone.open("HomeScreenActivity");
        phone.click("home_query");
        let shown = phone.says("result").unwrap_or_default();
        let mut names: Vec<&str> = shown.split(", ").collect();
        names.sort_unstable();
        names.retain(|name| *name != "Probe");
        assert_eq!(names.join(", "), NAMES);
    });
    phone.proves("LauncherApps has the same", |phone| {
        phone.click("home_launcher");
        let shown = phone.says("result").unwrap_or_default();
        let (names, settings) = shown.split_once("; ").unwrap_or_default();
        assert_eq!(names.split(", ").count(), 11, "{shown}");
        assert_eq!(settings, "1", "{shown}");
    });
    phone.proves("they are installed", |phone| {
        phone.click("home_installed");
        phone.expect("result", "10 1");
    });
    phone.proves("a launcher that has no widgets gets none", |phone| {
        phone.click("home_widgets");
        phone.expect("result", "widgets 0");
    });
    phone.proves("each language that there is has a name", |phone| {
        phone.click("home_languages");
        phone.expect("result", "all have names");
    });
    phone.proves("the user comes back from one of them", |phone| {
        phone.click("home_start");
        phone.click("home_seen");
        phone.expect("result", "below paused stopped resumed on top ");
    });
    phone.proves("a chooser leaves the app in sight", |phone| {
        phone.click("home_choose");
        phone.click("home_seen");
        phone.expect("result", "below paused resumed on top ");
    });
    phone.proves("an app that always leaves comes to rest", |phone| {
        phone.click("home_always");
        assert!(phone.now.alive, "{}", phone.shown());
        assert_eq!(phone.now.left.len(), 2, "{:?}", phone.now.left);
        phone.reset(Reset::ClearData);
    });
}
