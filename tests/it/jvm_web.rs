//! Web views on the jvm device: what their pages show, what a touch does there, what the app hears of it.

use crate::common::phone::Phone;
use droidtest::device::jvm::Web;
use droidtest::device::jvm::browser::Chromium;
use droidtest::device::{Action, Device as _, Reset};
use droidtest::gui::{Direction, Flags};

fn started(setting: impl FnOnce(&mut droidtest::device::jvm::JvmSettings)) -> Option<Phone> {
    let mut phone = Phone::with("web", setting)?;
    phone.reset(Reset::ClearData);
    Some(phone)
}

/// Clicks and reads what the page says then.
fn says(phone: &mut Phone, click: &str, text: &str) {
    phone.click(click);
    phone.expect("out", text);
}

fn forms(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    forms_here(phone);
}

fn forms_here(phone: &mut Phone) {
    phone.click("forms");
    phone.expect("out", "empty");
}

#[test]
fn without_an_engine_a_page_shows_nothing() {
    let Some(phone) = started(|settings| settings.web = Web::Off) else {
        return;
    };
    assert_eq!(phone.says("out"), None, "{}", phone.shown());
    assert!(phone.says("heard").unwrap().ends_with("finished Start"));
}

#[test]
fn pages_run_as_in_a_web_view() {
    let Some(mut phone) = started(|_| {}) else {
        return;
    };
    phone.proves("elements have rows, since there is no layout", |p| {
        let (page, _) = p.page();
        let [add, hidden] = ["add", "hidden"].map(|id| &page.widgets[p.by_id(id) as usize]);
        assert_eq!(add.bounds.bottom, hidden.bounds.top);
    });
    proofs(&mut phone);
    phone.proves(
        "a script that cannot be read is the device's limit, once",
        |p| {
            forms(p);
            p.click("modern");
            let limits = p.now.environment.clone();
            assert_eq!(limits.len(), 1, "{limits:?}");
            assert_eq!(limits[0].rule, "web-page");
            p.back();
            p.click("modern");
            assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
        },
    );
    phone.finish();
}

#[test]
fn pages_run_in_chromium_too() {
    if let Err(error) = Chromium::locate() {
        crate::common::skip::skip(&format!("{error}"));
        return;
    }
    let Some(mut phone) = started(|settings| settings.web = Web::Chromium) else {
        return;
    };
    phone.proves("elements are where the page's layout puts them", |p| {
        let (page, _) = p.page();
        let [add, hidden] = ["add", "hidden"].map(|id| &page.widgets[p.by_id(id) as usize]);
        assert_eq!(add.bounds.top, hidden.bounds.top);
        assert!(add.bounds.right < hidden.bounds.left);
    });
    proofs(&mut phone);
    phone.proves("a script of today runs", |p| {
        forms(p);
        p.click("modern");
        p.expect("root", "0");
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
    today(&mut phone);
    phone.proves("a Chromium that dies is the device's limit, once", |p| {
        p.reset(Reset::ClearData);
        kill_chromium(p);
        p.click("add");
        let limits = p.now.environment.clone();
        assert_eq!(limits.len(), 1, "{limits:?}");
        assert_eq!(limits[0].rule, "web-page");
        assert!(p.now.alive && p.now.crash.is_none());
        p.reset(Reset::ClearData);
        says(p, "add", "5 beside main");
    });
    phone.finish();
}

/// Each had a thread, whose stack counts as memory; the device ended at the 54th.
#[test]
fn an_app_may_have_many_web_views() {
    let Some(mut phone) = started(|_| {}) else {
        return;
    };
    let another = Action::StartActivity {
        component: "org.droidtest.web.MainActivity".into(),
        action: None,
        data: None,
    };
    for _ in 0..80 {
        phone.act(&another);
        assert!(phone.now.alive, "{}", phone.log());
        assert!(phone.says("heard").unwrap().ends_with("finished Start"));
    }
    phone.proves("the pages below are still there", |p| {
        p.back();
        assert_eq!(p.activity(), "MainActivity");
        forms_here(p);
    });
    phone.proves("all end with their process", |p| {
        p.reset(Reset::Relaunch);
        forms_here(p);
    });
    phone.finish();
}

/// Ends the browser of this phone, as if it had crashed.
fn kill_chromium(phone: &Phone) {
    let own = droidtest::device::jvm::browser::own_folder(&phone.work);
    let profile = own.join("profile").display().to_string();
    let browser = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .find(|process| {
            let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            line.contains(&profile)
                && line.contains("--headless")
                && !line.contains("--type=")
                && !line.contains("\0-c\0")
        })
        .unwrap();
    let mut kill = std::process::Command::new("kill");
    kill.arg("-9").arg(browser.file_name());
    assert!(kill.status().unwrap().success());
    std::thread::sleep(std::time::Duration::from_millis(300));
}

fn open_today(phone: &mut Phone) {
    forms(phone);
    phone.click("today");
    phone.expect("out", "empty");
}

/// Is it there, and where a finger reaches it?
fn seen(phone: &mut Phone, id: &str) -> bool {
    let (page, interner) = phone.page();
    page.widgets
        .iter()
        .any(|w| interner.get(w.resource_id).ends_with(id) && w.flags.has(Flags::VISIBLE))
}

/// What HtmlUnit has no notion of.
fn today(phone: &mut Phone) {
    phone.proves("modules, and elements of the page's own", |p| {
        open_today(p);
        says(p, "module", "hello module");
        says(p, "count", "count 1");
        says(p, "inside", "inside");
    });
    phone.proves("promises and frames follow virtual time", |p| {
        p.click("async");
        p.expect("out", "ab12 true");
    });
    phone.proves("transitions end", |p| {
        p.click("move");
        p.act(&Action::Wait { ms: 500 });
        p.expect("out", "moved");
    });
    phone.proves("random numbers follow the seed", |p| {
        let mut drawn = [0, 1].map(|_| {
            open_today(p);
            p.click("chance");
            p.says("out").unwrap()
        });
        drawn.sort();
        assert_eq!(drawn[0], drawn[1]);
        assert!(drawn[0].starts_with("chance 0."), "{}", drawn[0]);
    });
    phone.proves("pictures show the page", |p| {
        let mut pictures = Vec::new();
        for name in ["one.png", "two.png"] {
            p.click("chance");
            let to = p.logs.join(name);
            assert!(p.device.screenshot(&to).unwrap());
            pictures.push(std::fs::read(to).unwrap());
        }
        assert!(
            pictures[0] != pictures[1],
            "another number on the page is no other picture"
        );
    });
    phone.proves("Back moves within the document", |p| {
        p.click("push");
        p.click("push");
        p.back();
        p.expect("out", "popped {\"place\":1}");
        p.back();
        p.expect("out", "popped null");
    });
    phone.proves("what a dialog covers is not shown", |p| {
        p.click("open");
        assert!(!seen(p, "push"), "{}", p.shown());
        p.click("close");
        assert!(seen(p, "push"));
    });
    phone.proves("a page scrolls by its layout", |p| {
        assert!(!seen(p, "bottom"), "{}", p.shown());
        for _ in 0..8 {
            let n = p.by_id("page");
            p.act(&Action::Scroll {
                n,
                dir: Direction::Down,
            });
        }
        p.expect("bottom", "seen");
        assert!(!seen(p, "push"), "{}", p.shown());
    });
}

fn proofs(phone: &mut Phone) {
    shown(phone);
    scripts(phone);
    dialogs(phone);
    places(phone);
    fields(phone);
    failures(phone);
}

fn shown(phone: &mut Phone) {
    phone.proves("elements are widgets below the view", |p| {
        p.expect("out", "ready");
        assert_eq!(p.says("gone"), None, "what a style sheet hides is shown");
        let (page, interner) = p.page();
        let add = &page.widgets[p.by_id("add") as usize];
        assert_eq!(interner.get(add.class), "android.widget.Button");
        assert_eq!(interner.get(add.text), "Add");
        assert!(add.flags.has(Flags::VIRTUAL | Flags::CLICKABLE));
        let view = &page.widgets[add.parent.unwrap() as usize];
        assert_eq!(interner.get(view.class), "android.webkit.WebView");
        assert!(view.bounds.width() > 400 && view.bounds.height() > 600);
    });
    phone.proves("a load is heard in Android's order", |p| {
        let heard = p.says("heard").unwrap();
        assert_eq!(heard, "started, 80 %, title Start, finished Start");
    });
}

fn scripts(phone: &mut Phone) {
    phone.proves("an object of the app, beside the main thread", |p| {
        says(p, "add", "5 beside main");
    });
    phone.proves("only annotated methods are seen", |p| {
        says(p, "hidden", "undefined");
    });
    phone.proves("what the app throws is the script's error", |p| {
        says(p, "fail", "caught");
        assert!(p.now.alive);
    });
    phone.proves("timers and dates follow virtual time", |p| {
        says(p, "later", "after 250");
    });
    phone.proves("the app answers requests", |p| {
        says(p, "fetch", "given by the app");
    });
    phone.proves("a listener of the list hears of its items", |p| {
        p.click_text("Pear");
        p.expect("out", "Pear");
    });
    phone.proves("evaluateJavascript gives JSON", |p| {
        p.click("eval");
        p.expect("heard", "{\"a\":2}");
    });
    phone.proves("a script's error is heard", |p| {
        p.click("throw");
        p.expect_that("heard", "be an error", |h| {
            h.starts_with("ERROR Uncaught") && h.contains("nothing")
        });
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
}

fn dialogs(phone: &mut Phone) {
    phone.proves("a script stands still while its dialog is open", |p| {
        p.click("alert");
        assert!(p.shows("Look"), "{}", p.shown());
        p.click("button1");
        p.expect("out", "looked");
    });
    phone.proves("the app answers a dialog itself", |p| {
        says(p, "confirm", "true");
    });
}

fn places(phone: &mut Phone) {
    phone.proves("the app takes an address for itself", |p| {
        p.click("leave");
        p.expect("heard", "asked for app://there");
    });
    phone.proves("a link leads to a page, and Back returns", |p| {
        p.click("forms");
        p.expect("out", "empty");
        p.back();
        p.expect("out", "ready");
    });
    phone.proves("without a network a page does not come", |p| {
        p.click("away");
        p.expect_that("heard", "be an error", |h| h.starts_with("error -2"));
        assert!(p.shows("net::ERR_INTERNET_DISCONNECTED"), "{}", p.shown());
        p.back();
        p.expect("out", "ready");
    });
    phone.proves("a page that the app writes", |p| {
        p.click("data");
        p.expect("told", "100%");
    });
    phone.proves("a place within a page is a place of the history", |p| {
        forms(p);
        p.click("part");
        p.expect("out", "part");
        p.back();
        assert_eq!(p.says("out").as_deref(), Some("part"), "loaded again");
    });
}

fn fields(phone: &mut Phone) {
    phone.proves("fields have hints, limits and secrets", |p| {
        forms(p);
        let (page, interner) = p.page();
        let name = &page.widgets[p.by_id("name") as usize];
        assert_eq!(interner.get(name.class), "android.widget.EditText");
        assert_eq!(interner.get(name.hint), "Your name");
        assert_eq!(name.max_length, Some(12));
        let secret = &page.widgets[p.by_id("secret") as usize];
        assert!(secret.flags.has(Flags::PASSWORD | Flags::EDITABLE));
        assert_eq!(interner.get(secret.text), "\u{2022}\u{2022}\u{2022}");
    });
    phone.proves("a form is filled in and sent", |p| {
        forms(p);
        p.text("name", "Ada", false);
        assert_eq!(p.says("name").as_deref(), Some("Ada"));
        p.click("box");
        let (page, _) = p.page();
        assert!(
            page.widgets[p.by_id("box") as usize]
                .flags
                .has(Flags::CHECKED)
        );
        p.click("colour");
        p.click_text("blue");
        p.expect("out", "blue");
        p.click("send");
        p.expect("told", "?name=Ada&box=on&colour=blue");
    });
}

fn failures(phone: &mut Phone) {
    phone.proves("a missing page is an error page", |p| {
        forms(p);
        p.click("missing");
        assert!(p.shows("net::ERR_FILE_NOT_FOUND"), "{}", p.shown());
    });
    phone.proves("a script without an end is stopped", |p| {
        p.reset(Reset::ClearData);
        p.click("spin");
        assert!(p.now.alive && p.now.anr.is_none(), "{}", p.shown());
        p.act(&Action::Wait { ms: 1000 });
        says(p, "add", "5 beside main");
    });
}
