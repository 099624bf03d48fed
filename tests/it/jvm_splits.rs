//! An app in several APKs on the jvm device: the code, resources, languages and assets of its splits are there.

use crate::common::app;
use crate::common::phone::Phone;
use droidtest::device::progress::Watch;
use droidtest::device::{Action, Reset};
use droidtest::gui::Fault;
use droidtest::run::merged_apk;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    app("splits")
}

#[test]
fn what_the_splits_hold_is_there() {
    let splits = ["config.de.apk", "feature.apk"].map(|name| folder().join(name));
    let whole = merged_apk::ensure(&folder().join("base.apk"), &splits, &Watch::silent()).unwrap();
    assert_eq!(
        whole,
        merged_apk::ensure(&folder(), &[], &Watch::silent()).unwrap()
    );
    let Some(mut phone) = Phone::with_apk("org.droidtest.splits", &whole) else {
        return;
    };
    phone.reset(Reset::ClearData);
    phone.proves("a split has another language", |phone| {
        phone.expect("greeting", "Hello");
        let name = Fault::Locale.name().to_owned();
        phone.act(&Action::Fault { name });
        phone.expect("greeting", "Hallo");
    });
    phone.proves("a split has code, a layout, a text and an asset", |phone| {
        phone.click("feature");
        assert_eq!(phone.activity(), "feature.FeatureActivity");
        phone.expect("title", "A feature of its own");
        phone.expect("note", "a note of the feature, Hallo");
    });
    // As on Android (github.com/android/codelab-android-dynamic-features, issue 23): aapt2 names the resources of a
    // feature split after the app and the split, so the app's package alone does not have them.
    phone.proves(
        "resources of a split are found in its own package",
        |phone| {
            phone.expect("named", "greeting, title, none");
        },
    );
    phone.proves("a new process life has them too", |phone| {
        phone.reset(Reset::ClearData);
        phone.expect("greeting", "Hello");
        phone.click("feature");
        phone.expect("note", "a note of the feature, Hello");
    });
    phone.proves("a crash of the feature is the app's", |phone| {
        phone.click("crash");
        let crash = phone.now.crash.clone().expect("a crash");
        assert_eq!(crash.environment, None);
        assert!(
            crash.stack.contains("FeatureActivity.java:"),
            "{}",
            crash.stack
        );
    });
    phone.finish();
}

/// What a command says of a suite with this app and device.
fn said(command: &[&str], app: &str, device: &str) -> (bool, String) {
    let desk = tempfile::tempdir().unwrap();
    for name in ["base.apk", "config.de.apk", "feature.apk"] {
        fs::copy(folder().join(name), desk.path().join(name)).unwrap();
    }
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 5 }}\n[[app]]\nname = \"shop\"\n{app}\n\
         [[device]]\nname = \"here\"\n{device}\n[[strategy]]\nkind = \"random\"\n"
    );
    fs::write(desk.path().join("droidtest.toml"), suite).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .args(command)
        .current_dir(desk.path())
        .output()
        .unwrap();
    let text = [done.stdout, done.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let text = text.replace(['│', '╰', '─', '╭'], " ");
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (done.status.success(), plain)
}

#[test]
fn a_suite_names_a_base_with_its_splits_or_their_folder() {
    let jvm = "kind = \"jvm\"";
    for app in [
        "apk = \"base.apk\"\nsplits = [\"feature.apk\", \"config.de.apk\"]",
        "apk = \".\"",
    ] {
        let (ok, text) = said(&["list"], app, jvm);
        assert!(
            ok && text.contains("shop on the jvm device: supported"),
            "{text}"
        );
    }
    let (_, text) = said(&["list"], "apk = \"base.apk\"", jvm);
    assert!(
        text.contains("it is a base APK whose splits are missing"),
        "{text}"
    );
    let (_, text) = said(&["list"], "apk = \"feature.apk\"", jvm);
    assert!(
        text.contains("is only the split `feature` of an app; name the base APK"),
        "{text}"
    );
}

#[test]
fn splits_that_cannot_be_used_are_named() {
    let jvm = "kind = \"jvm\"";
    let adb = "kind = \"adb\"\nserial = \"x\"";
    for (app, device, words) in [
        (
            "apk = \"base.apk\"\nsplits = [\"gone.apk\"]",
            jvm,
            ["gone.apk, is missing", "droidtest.toml"],
        ),
        (
            "apk = \"base.apk\"\nsplits = [\"feature.apk\"]",
            adb,
            [
                "the device `here` installs only one APK",
                "--mode=universal",
            ],
        ),
    ] {
        let (ok, text) = said(&["run", "--offline", "--out", "out"], app, device);
        assert!(!ok, "{text}");
        for word in words {
            assert!(text.contains(word), "no `{word}` in {text}");
        }
    }
}
