//! Translating APKs and preparing the framework: broken APKs are refused in words, a build's class folders are taken,
//! nothing is done twice, what no shadow takes is called directly.

mod corrections;

use crate::common;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::jvm::parts::{self, Parts};
use droidtest::device::jvm::translate::{self, Calls, Translated};
use droidtest::device::jvm::verify;
use droidtest::device::progress::Watch;
use droidtest::device::{App, DeviceError};
use droidtest::util::sha256::files_below;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, ZipArchive};

/// The parts, where they are set up.
fn ready() -> Option<Parts> {
    let cache = Cache::locate().unwrap();
    let fetched = parts::fetched(parts::DEFAULT_SDK);
    let fetched = fetched.iter().all(|entry| cache.find(entry).is_some());
    if !fetched || Jdk::locate().is_err() {
        crate::common::skip::skip("the parts are not set up; `cargo droidtest setup` fetches them");
        return None;
    }
    Some(Parts::ensure(&cache, parts::DEFAULT_SDK, true, &Watch::silent()).unwrap())
}

fn notes() -> PathBuf {
    common::app("notes/notes.apk")
}

fn app(file: &Path) -> App {
    App {
        name: "app".to_owned(),
        file: Some(file.to_owned()),
        grant_permissions: true,
        ..App::default()
    }
}

/// A copy of the sample app whose entries went through `change`.
fn altered(to: &Path, change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>) {
    let mut from = ZipArchive::new(File::open(notes()).unwrap()).unwrap();
    let mut zip = ZipWriter::new(File::create(to).unwrap());
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for ix in 0..from.len() {
        let mut entry = from.by_index(ix).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        if let Some(bytes) = change(entry.name(), bytes) {
            zip.start_file(entry.name(), stored).unwrap();
            zip.write_all(&bytes).unwrap();
        }
    }
    zip.finish().unwrap();
}

#[test]
fn broken_apks_are_refused_with_the_reason_and_leave_nothing() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("broken.apk");
    let refusal = |expected: &str| {
        let error = translated(&cache, &parts, &app(&apk)).unwrap_err();
        let DeviceError::Launch(text) = &error else {
            panic!("{error}")
        };
        println!("{text}");
        assert!(text.contains("broken.apk is not a usable APK"), "{text}");
        assert!(text.contains(expected), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    };
    let whole = fs::read(notes()).unwrap();
    fs::write(&apk, &whole[..whole.len() / 2]).unwrap();
    refusal("its end is missing");
    altered(&apk, |name, bytes| (name != "classes.dex").then_some(bytes));
    refusal("no classes.dex");
    altered(&apk, |name, bytes| {
        Some(if name == "classes.dex" {
            vec![7; 4000]
        } else {
            bytes
        })
    });
    refusal("classes.dex");
    altered(&apk, |name, mut bytes| {
        if name == "classes.dex" {
            bytes.truncate(bytes.len() / 2);
        }
        Some(bytes)
    });
    refusal("");
    altered(&apk, |name, bytes| {
        Some(if name == "AndroidManifest.xml" {
            b"<manifest/>".to_vec()
        } else {
            bytes
        })
    });
    refusal("anifest");
    let left = files_below(cache.root()).unwrap();
    assert!(left.iter().all(|f| f.starts_with("locks/")), "{left:?}");
}

/// The sample app with the code of a folder of `tests/apps`.
fn with_code_of(folder: &str, to: &Path) {
    let dex = fs::read(common::app(folder).join("classes.dex")).unwrap();
    altered(to, |name, bytes| {
        Some(if name == "classes.dex" {
            dex.clone()
        } else {
            bytes
        })
    });
}

/// The translation of an app, as a device has it that confines apps.
fn translated(cache: &Cache, parts: &Parts, app: &App) -> Result<Translated, DeviceError> {
    translate::ensure(cache, parts, app, Calls::Confined, &Watch::silent())
}

/// What the translated code of a folder of `tests/apps` prints.
fn printed(parts: &Parts, cache: &Cache, apk: &Path, class: &str) -> String {
    printed_by("original.jar", parts, cache, apk, class)
}

/// The same by one of the two jars.
fn printed_by(jar: &str, parts: &Parts, cache: &Cache, apk: &Path, class: &str) -> String {
    let made = translated(cache, parts, &app(apk)).unwrap();
    let path = std::env::join_paths([made.folder.join(jar), parts.agent.clone()]);
    let ran = Command::new(parts.jdk.java())
        .arg("-cp")
        .arg(path.unwrap())
        .arg(class)
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn a_zero_on_the_left_is_compared_from_the_left() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("compared.apk");
    with_code_of("compared", &apk);
    let said = printed(&parts, &cache, &apk, "compared.Main");
    assert_eq!(said.lines().collect::<Vec<_>>(), ["0>g-1", "0lg=0", "0<l1"]);
}

#[test]
fn traces_show_addresses_where_the_dex_file_has_no_lines() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("retraced.apk");
    with_code_of("retraced", &apk);
    let said = printed_by("app.jar", &parts, &cache, &apk, "p.Main");
    // Of these R8's `retrace` makes the lines of the source.
    let expected = [
        "    at p.Main.a(Unknown Source:5)",
        "    at p.Main.a(Unknown Source:40)",
        "    at p.Main.a(Unknown Source:40)",
        "    at p.Main.a(Unknown Source:40)",
        "    at p.Main.main(Unknown Source:5)",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    // Reports keep to the probes of a class without lines.
    let made = translated(&cache, &parts, &app(&apk)).unwrap();
    let summary = fs::read_to_string(made.folder.join("translate.json")).unwrap();
    assert!(summary.contains("\"lines_known\":false"), "{summary}");
}

#[test]
fn what_r8_wrote_passes_the_verifier_and_does_what_the_source_says() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("shrunk.apk");
    with_code_of("shrunk", &apk);
    let found = verify::verify(&cache, &parts, &apk, &Watch::silent()).unwrap();
    println!("{found}");
    assert_eq!(found["failing_methods"], 0);
    assert_eq!(found["broken_sites"], 0);
    assert_eq!(found["classes"], 9);
    let printed = printed(&parts, &cache, &apk, "shrunk.Main");
    // The last line would name a constructor that only we have put there.
    assert_eq!(
        printed.lines().collect::<Vec<_>>(),
        [
            "leaf n0",
            "leaf n1",
            "leaf n2",
            "leaf n2 7",
            "greeter above top",
            "size LARGE"
        ]
    );
}

#[test]
fn methods_of_thousands_of_registers_are_translated() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("wide.apk");
    with_code_of("wide", &apk);
    let said = printed(&parts, &cache, &apk, "wide.Main");
    let expected = ["wide true", "wider -683410944", "after true"];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    let found = verify::verify(&cache, &parts, &apk, &Watch::silent()).unwrap();
    assert_eq!(found["failing_methods"], 0, "{found}");
}

#[test]
fn an_app_is_translated_to_the_same_bytes_each_time() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let jars: Vec<_> = ["one", "two"]
        .iter()
        .map(|name| {
            let cache = Cache::at(folder.path().join(name));
            let made = translated(&cache, &parts, &app(&notes()));
            fs::read(made.unwrap().folder.join("app.jar")).unwrap()
        })
        .collect();
    assert!(jars[0] == jars[1], "the translations differ");
}

#[test]
fn a_class_that_does_not_verify_is_reported_with_its_method() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let made = translated(&cache, &parts, &app(&notes())).unwrap();
    spoil(&made.folder.join("app.jar"));
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    verify::judge(&parts, &made.folder, &out, "notes", &Watch::silent()).unwrap();
    let found = fs::read_to_string(out.join(verify::RESULT)).unwrap();
    println!("{found}");
    assert!(found.contains("VerifyError"), "{found}");
    assert!(!found.contains("\"failing_methods\":0"), "{found}");
}

/// Has every constructor of the app hand a number to the constructor above, instead of itself.
fn spoil(jar: &Path) {
    let mut from = ZipArchive::new(File::open(jar).unwrap()).unwrap();
    let mut entries = Vec::new();
    for ix in 0..from.len() {
        let mut entry = from.by_index(ix).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        entries.push((entry.name().to_owned(), bytes));
    }
    let mut zip = ZipWriter::new(File::create(jar).unwrap());
    for (name, mut bytes) in entries {
        // aload_0, invokespecial
        for at in 1..bytes.len() {
            if bytes[at - 1] == 0x2a && bytes[at] == 0xb7 && name.ends_with(".class") {
                bytes[at - 1] = 0x0b;
            }
        }
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn a_builds_class_folders_take_the_place_of_the_dex() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let mut app = app(&notes());
    let plain = translated(&cache, &parts, &app).unwrap();
    // A build of which one class is at hand, and one that the APK does not have.
    let classes = folder.path().join("classes");
    let mut jar = ZipArchive::new(File::open(plain.folder.join("original.jar")).unwrap()).unwrap();
    for (name, to) in [
        ("org/droidtest/notes/DueDate.class", "DueDate"),
        ("org/droidtest/notes/AboutActivity.class", "NotThere"),
    ] {
        let mut bytes = Vec::new();
        jar.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        let to = classes.join(format!("org/droidtest/notes/{to}.class"));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    app.classes = vec![classes];
    let built = translated(&cache, &parts, &app).unwrap();
    assert_ne!(built.folder, plain.folder);
    assert_eq!(built.summary.classes, plain.summary.classes + 1);
    assert_eq!(built.summary.package, "org.droidtest.notes");
    let jar = ZipArchive::new(File::open(built.folder.join("app.jar")).unwrap()).unwrap();
    assert!(
        jar.file_names()
            .any(|n| n == "org/droidtest/notes/NotThere.class")
    );
    // A change of a class is noticed.
    fs::write(
        app.classes[0].join("org/droidtest/notes/DueDate.class"),
        b"",
    )
    .unwrap();
    let changed = translated(&cache, &parts, &app).unwrap();
    assert_ne!(changed.folder, built.folder);
}

#[test]
fn two_runs_at_once_translate_an_app_once() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let started = Arc::new(AtomicU32::new(0));
    let counter = started.clone();
    let watch = Watch::new(
        move |progress| {
            if progress.stage == "translating" && progress.total == 0 {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        },
        Arc::default(),
    );
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                translate::ensure(&cache, &parts, &app(&notes()), Calls::Confined, &watch).unwrap()
            });
        }
    });
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

/// The code of a method as `javap` prints it, of a class of the framework.
fn code(parts: &Parts, class: &str, method: &str) -> String {
    let javap = parts.jdk.java().with_file_name("javap");
    let shown = Command::new(javap)
        .args(["-p", "-c", "-cp"])
        .arg(&parts.framework_jar)
        .arg(class)
        .output()
        .unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    let from = text.find(method).unwrap_or_else(|| panic!("no {method}"));
    text[from..].split("\n\n").next().unwrap().to_owned()
}

#[test]
fn methods_that_no_shadow_takes_are_called_directly() {
    let Some(parts) = ready() else { return };
    let button = "android.widget.Button";
    let own = code(&parts, button, "CharSequence getAccessibilityClassName()");
    assert!(own.contains("java/lang/Class.getName"), "{own}");
    let twin = "$$robo$$android_widget_Button$getAccessibilityClassName()";
    let twin = code(&parts, button, twin);
    assert!(
        twin.contains("invokespecial") && twin.contains("Method getAccessibilityClassName"),
        "{twin}"
    );
    let constructor = code(&parts, button, "public android.widget.Button(");
    assert!(
        !constructor.contains("__constructor__:(Landroid/widget"),
        "{constructor}"
    );
    // ShadowView has one of this name, and drawing is led through the device's class.
    for (class, method) in [
        ("android.view.View", "public boolean performClick()"),
        (
            "android.view.View",
            "public void draw(android.graphics.Canvas)",
        ),
    ] {
        let asks = code(&parts, class, method);
        assert!(asks.contains("invokedynamic"), "{asks}");
    }
}
