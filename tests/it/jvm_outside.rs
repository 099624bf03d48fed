//! The world outside the app on the jvm device: what other apps answer, what the system's providers hold, and what
//! Android does and Java does not.

use crate::common::phone::Phone;
use droidtest::device::data::{FileKind, StoredFile};
use droidtest::device::jvm::Outside;
use droidtest::device::{Action, Reset};
use droidtest::gui::Fault;
use std::fs;
use std::path::Path;

#[test]
fn the_world_outside_is_there() {
    let Some(mut phone) = Phone::with("outside", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    answers(&mut phone);
    rows(&mut phone);
    truths(&mut phone);
    blamed(&mut phone);
    faults(&mut phone);
    more_faults(&mut phone);
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

#[test]
fn the_camera_takes_jpeg_files() {
    let stock = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/device/jvm/stock");
    let picture = |name: &str| StoredFile {
        kind: FileKind::Picture,
        from: stock.join(name),
    };
    for names in [&["chart.png"][..], &["chart.png", "dog.jpg"]] {
        let files: Vec<_> = names.iter().copied().map(picture).collect();
        let Some(mut phone) = Phone::with("outside", |s| s.data.files.clone_from(&files)) else {
            return;
        };
        phone.reset(Reset::ClearData);
        let said = "a picture true after a stop";
        asked(&mut phone, "picture", "Take picture", said);
        let cache = "files/data/user/0/org.droidtest.outside/cache";
        let taken = fs::read(phone.work.join(cache).join("shot.jpg")).unwrap();
        assert!(taken.starts_with(&[0xff, 0xd8, 0xff]), "{files:?}");
        // Where AndroidX's ExifInterface looks for what kind of picture it is.
        assert!(taken.len() > 5_000, "{} bytes", taken.len());
        if let Some(jpeg) = files.get(1) {
            assert_eq!(taken, fs::read(&jpeg.from).unwrap());
        }
        phone.finish();
    }
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
        ("refused", "22 b} 1"),
        ("roots", "true true true true false"),
        (
            "above",
            "/storage/emulated/0 /storage/emulated /storage / /data/user/0 /data/user/0",
        ),
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

/// Android's engine is asked in the device's place: what it refuses as well is the app's mistake.
fn blamed(phone: &mut Phone) {
    for (button, pattern, rule) in [
        ("shared", "(a|b", None),
        ("brace", "\\{.*}", None),
        ("dialect", "\\p{nv=5}", Some("regex-dialect")),
    ] {
        phone.proves(&format!("whose fault {pattern} is"), |phone| {
            phone.open("FragileActivity");
            phone.click(button);
            let crash = phone.now.crash.clone().expect("a crash");
            assert_eq!(crash.class, "java.util.regex.PatternSyntaxException");
            assert!(crash.stack.contains(pattern), "{}", crash.stack);
            assert_eq!(crash.environment.as_deref(), rule, "{}", crash.stack);
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

fn more_faults(phone: &mut Phone) {
    let bring = |phone: &mut Phone, fault: Fault, ask: &str| {
        let name = fault.name().to_owned();
        phone.act(&Action::Fault { name });
        if !ask.is_empty() {
            phone.click(ask);
        }
    };
    phone.reset(Reset::ClearData);
    phone.open("AroundActivity");
    phone.proves("storage gets full, and empty", |phone| {
        let half = "16384 16384 32768 16384 16384";
        phone.click("room");
        phone.expect("result", half);
        // A receiver in the manifest hears nothing of it since Android 8.
        bring(phone, Fault::LowStorage, "room");
        phone.expect("result", "2 2 32768 2 2 DEVICE_STORAGE_LOW");
        bring(phone, Fault::LowStorage, "room");
        phone.expect("result", &format!("{half} DEVICE_STORAGE_OK"));
    });
    phone.proves("the next day comes, with its alarms", |phone| {
        phone.click("alarm");
        phone.click("date");
        phone.expect("result", "5 2026-01-05");
        bring(phone, Fault::DateChange, "");
        phone.expect("result", "rang");
        phone.click("date");
        let heard = "TIME_SET manifest:TIME_SET DATE_CHANGED";
        phone.expect("result", &format!("6 2026-01-06 {heard}"));
    });
    phone.proves("the screen is opened, and closed", |phone| {
        phone.click("size");
        let first = phone.says("result").unwrap();
        assert!(first.starts_with("411 411x"), "{first}");
        bring(phone, Fault::ScreenSize, "size");
        phone.expect("result", "673 673x841 673x841 673x841");
        assert_eq!(phone.page().0.screen, (673, 841));
        phone.rotate();
        phone.click("size");
        phone.expect("result", "673 841x673 841x673 841x673");
        bring(phone, Fault::ScreenSize, "");
        phone.rotate();
        phone.click("size");
        phone.expect("result", &first);
    });
    phone.proves("permissions are taken back, one group a time", |phone| {
        phone.click("may");
        phone.expect("result", "11111");
        for left in ["01111 why", "00111 why", "00001 why"] {
            bring(phone, Fault::PermissionRevoked, "");
            // Android restores what the app had saved.
            assert_eq!(phone.activity(), "AroundActivity");
            phone.click("may");
            phone.expect("result", left);
        }
        phone.reset(Reset::ClearData);
        phone.open("AroundActivity");
        phone.click("may");
        phone.expect("result", "11111");
    });
    phone.proves("no network that could be lost", |phone| {
        bring(phone, Fault::Offline, "may");
        phone.expect("result", "11111");
    });
}

/// The last in its process: permissions are requested from here on.
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
    phone.proves("what nobody granted is not taken back", |phone| {
        phone.reset(Reset::ClearData);
        phone.open("HeldActivity");
        phone.click("hold");
        let name = Fault::PermissionRevoked.name().to_owned();
        phone.act(&Action::Fault { name });
        phone.expect("result", "held");
        assert!(phone.now.alive, "{}", phone.shown());
    });
}
