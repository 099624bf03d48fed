//! The world outside the app on the jvm device: what other apps answer, what the system's providers hold, and what
//! Android does and Java does not.

#[path = "phone/mod.rs"]
mod phone;

use droidtest::device::jvm::Outside;
use droidtest::device::{Action, Reset};
use droidtest::gui::Fault;
use phone::Phone;

#[test]
fn the_world_outside_is_there() {
    let Some(mut phone) = Phone::with("outside", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    answers(&mut phone);
    rows(&mut phone);
    truths(&mut phone);
    faults(&mut phone);
    refused(&mut phone);
    phone.finish();
}

#[test]
fn a_new_phone_has_nothing_and_answers_nothing() {
    let Some(mut phone) = Phone::with("outside", |s| s.outside = Outside::Empty) else {
        return;
    };
    phone.reset(Reset::ClearData);
    phone.click("pick_contact");
    phone.expect("result", "pick_contact cancelled");
    phone.open("RowsActivity");
    phone.click("counts");
    phone.expect("result", "0 0 0 0 0 0 0 0 0 0");
    phone.finish();
}

/// Asks, chooses an answer, and reads what came of it.
fn asked(phone: &mut Phone, what: &str, answer: &str, said: &str) {
    phone.click(what);
    phone.click_text(answer);
    phone.expect("result", &format!("{what} {said}"));
}

fn answers(phone: &mut Phone) {
    phone.proves("a contact is picked, or none", |phone| {
        asked(phone, "pick_contact", "Cancel", "cancelled");
        phone.click("pick_contact");
        phone.back();
        phone.expect("result", "pick_contact cancelled");
        let name = first_answer(phone, "pick_contact");
        phone.expect("result", &format!("pick_contact {name} after a stop"));
        let number = first_answer(phone, "pick_phone");
        let said = phone.says("result").unwrap();
        let digits = said.trim_start_matches("pick_phone ");
        let digits = digits.trim_end_matches(" after a stop");
        assert!(
            number.ends_with(digits) && !digits.is_empty(),
            "{number} {said}"
        );
    });
    phone.proves("pictures and files are picked", |phone| {
        let stopped = "a picture true after a stop";
        asked(phone, "pick_image", "dog.jpg", stopped);
        asked(phone, "get_content", "chart.png", stopped);
        asked(phone, "pick_images", "holiday.jpg", stopped);
        let both = "2 pictures, the last a picture true after a stop";
        asked(phone, "pick_images", "The first two", both);
        asked(phone, "open_document", "notes.txt", "45 bytes after a stop");
        asked(phone, "chooser", "notes.txt", "45 bytes after a stop");
    });
    phone.proves("documents are made where the user says", |phone| {
        let mine = "12 bytes of text/plain after a stop";
        asked(phone, "create_document", "Save in Download", mine);
        let backup = "new.txt 4 after a stop";
        asked(phone, "open_tree", "Use folder Backup", backup);
        let again = "new (1).txt 4 new.txt 4 after a stop";
        asked(phone, "open_tree", "Use folder Backup", again);
    });
    phone.proves("the camera takes pictures", |phone| {
        asked(phone, "thumbnail", "Take picture", "48x48 after a stop");
        asked(
            phone,
            "picture",
            "Take picture",
            "a picture true after a stop",
        );
        asked(phone, "picture", "Cancel", "cancelled");
    });
    phone.proves("a dialog leaves the app in sight", |phone| {
        phone.reset(Reset::ClearData);
        asked(phone, "bluetooth", "Cancel", "cancelled");
        asked(phone, "bluetooth", "Allow", "on true");
        let said = "hello";
        asked(phone, "speech", "Say \"hello\"", said);
    });
    phone.proves("codes are scanned and sounds chosen", |phone| {
        asked(
            phone,
            "scan",
            "Scan a product",
            "4006381333931 after a stop",
        );
        asked(phone, "ringtone", "None", "null after a stop");
    });
    phone.proves("standard actions resolve, others do not", |phone| {
        phone.click("resolves");
        phone.expect("result", "resolves true true true false");
        phone.click("nobody");
        let refused = "refused: android.content.ActivityNotFoundException";
        phone.expect("result", refused);
    });
    phone.proves("a question goes with its process", |phone| {
        phone.click("pick_contact");
        phone.reset(Reset::Relaunch);
        phone.click("resolves");
        phone.expect("result", "resolves true true true false");
    });
}

/// Chooses the first answer, whatever it is.
fn first_answer(phone: &mut Phone, what: &str) -> String {
    phone.click(what);
    let (page, interner) = phone.page();
    let texts = page.widgets.iter().map(|w| interner.get(w.text));
    let answer = texts
        .filter(|text| !text.is_empty() && !["Select a contact", "Cancel"].contains(text))
        .map(str::to_owned)
        .next();
    let answer = answer.expect("an answer");
    phone.click_text(&answer);
    answer
}

fn rows(phone: &mut Phone) {
    phone.proves("a phone in use has rows", |phone| {
        phone.open("RowsActivity");
        phone.click("counts");
        phone.expect("result", "6 5 5 3 3 3 1 0 0 2");
        phone.click("sorted");
        phone.expect("result", "Zoë Müller;Grace Hopper;");
    });
    phone.proves("contacts are joined as they are added", |phone| {
        phone.open("RowsActivity");
        phone.click("add_contact");
        phone.expect("result", "Alan Turing 555-1912 1");
    });
    phone.proves("the media store keeps pictures", |phone| {
        phone.open("RowsActivity");
        phone.click("save_picture");
        phone.expect("result", "saved true image/png 1");
    });
}

fn truths(phone: &mut Phone) {
    for (what, said) in [
        ("comments", "true"),
        ("names", "true true true true true true true true true true"),
        ("sets", "true true true true true"),
        ("unicode", "true true true"),
        ("strings", "a-b-c ab2 [a, b, c] [a, b.c]"),
        ("pattern", "(?#x)\\p{Letter} 32 (?#x)("),
        ("roots", "true true true true false"),
        ("getters", "missing:"),
        ("shader", "shader"),
    ] {
        phone.proves(&format!("Android's {what}"), |phone| {
            phone.open("TruthActivity");
            phone.click(what);
            phone.expect("result", said);
        });
    }
}

fn faults(phone: &mut Phone) {
    let bring = |phone: &mut Phone, fault: Fault| {
        let name = fault.name().to_owned();
        phone.act(&Action::Fault { name });
        phone.click("surroundings");
    };
    phone.proves("faults come, and go", |phone| {
        phone.reset(Reset::ClearData);
        phone.open("TruthActivity");
        let said = "night false text 1.0 en_US en_US UTC trims 1 process 0";
        bring(phone, Fault::LowMemory);
        phone.expect("result", said);
        bring(phone, Fault::NightMode);
        phone.expect_that("result", "tell of the night", |s| {
            s.starts_with("night true")
        });
        bring(phone, Fault::FontScale);
        phone.expect_that("result", "tell of larger text", |s| s.contains("text 1.3"));
        bring(phone, Fault::Locale);
        phone.expect_that("result", "tell of German", |s| s.contains("de_DE de_DE"));
        bring(phone, Fault::TimeZone);
        phone.expect_that("result", "tell of the place", |s| {
            s.contains("Pacific/Auckland")
        });
        for fault in [
            Fault::NightMode,
            Fault::FontScale,
            Fault::Locale,
            Fault::TimeZone,
        ] {
            bring(phone, fault);
        }
        let back = "night false text 1.0 en_US en_US UTC trims 1 process 8";
        phone.expect("result", back);
    });
    phone.proves("a process dies and what was saved returns", |phone| {
        let name = Fault::ProcessDeath.name().to_owned();
        phone.act(&Action::Fault { name });
        assert_eq!(phone.activity(), "TruthActivity");
        phone.expect_that("result", "be what it was", |s| s.ends_with("process 8"));
        phone.click("surroundings");
        phone.expect_that("result", "know nothing", |s| {
            s.ends_with("trims 0 process 0")
        });
        phone.back();
        assert_eq!(phone.activity(), "MainActivity");
    });
}

/// The last in its process: permissions are asked for from here on.
fn refused(phone: &mut Phone) {
    phone.install("outside", false);
    phone.proves("an answer may be read without the permission", |phone| {
        phone.reset(Reset::ClearData);
        let name = first_answer(phone, "pick_contact");
        phone.expect("result", &format!("pick_contact {name} after a stop"));
    });
    phone.proves("all else is refused", |phone| {
        phone.open("RowsActivity");
        phone.click("sorted");
        assert!(!phone.now.alive, "{}", phone.shown());
        let crash = phone.now.crash.clone().expect("a crash");
        assert_eq!(crash.class, "java.lang.SecurityException");
        assert!(crash.message.unwrap().contains("READ_CONTACTS"));
    });
}
