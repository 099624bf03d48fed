//! The way in without a suite: `run` with APKs, `run` in a Gradle project, `init` and `add-app`.

mod init;

use crate::common::app;
use crate::common::program::{Desk, Ended, droidtest};
use crate::common::suite::Case;
use droidtest::config::gradle::Project;
use droidtest::config::{AppSource, load};
use droidtest::device::progress::{Progress, Watch};
use droidtest::run::{Plan, merged_apk};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// A folder without a suite, where the search for one ends.
fn empty() -> Desk {
    let desk = Desk::new("");
    fs::remove_file(desk.path("droidtest.toml")).unwrap();
    fs::create_dir(desk.path(".git")).unwrap();
    desk
}

fn notes() -> Vec<u8> {
    fs::read(app("notes/notes.apk")).unwrap()
}

/// What a command says, with its exit code, the folder's name left out.
fn said(desk: &Desk, args: &[&str]) -> String {
    let ended = Ended::of(droidtest(desk.folder()).args(args));
    let text = format!("exit code {}\n{}", ended.code, ended.all());
    text.replace(desk.folder().to_str().unwrap(), "[folder]")
}

/// A command with what the jvm device needs of the environment.
fn with_parts(desk: &Desk, args: &str) -> Command {
    let names = [
        "HOME",
        "PATH",
        "JAVA_HOME",
        "XDG_CACHE_HOME",
        "DROIDTEST_CACHE",
    ];
    let places = names
        .iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    let mut command = desk.command(args);
    // What minimizing achieves is shown elsewhere.
    let few = [("REPLAYS", "4"), ("CONFIRM", "1")];
    command.envs(few.map(|(key, value)| (format!("DROIDTEST_MINIMIZE__{key}"), value)));
    command.envs(places);
    command
}

#[test]
fn an_apk_is_explored_with_the_defaults() {
    let case = Case::empty()
        .file("out/app-debug.apk", "x")
        .file("b/app-debug.apk", "x");
    let mut request = case.request().clone();
    request.apks = vec!["out/app-debug.apk".into(), "b/app-debug.apk".into()];
    let suite = load(&request).unwrap();
    let names: Vec<_> = suite
        .settings
        .apps
        .iter()
        .map(|app| app.name.as_str())
        .collect();
    assert_eq!(names, ["app-debug", "app-debug-2"]);
    let plan = Plan::new(&suite).unwrap();
    let sessions: Vec<_> = plan
        .entries
        .iter()
        .map(|session| session.device.name.as_str())
        .collect();
    assert_eq!(sessions, ["jvm", "jvm"]);
    assert_eq!(suite.budget().events, Some(500));
    // A suite that is named must be there all the same.
    request.suite = Some("none.toml".into());
    assert!(load(&request).unwrap_err().no_suite());
}

#[test]
fn a_suite_keeps_its_settings_and_lends_them_to_the_apks() {
    let suite = "[suite]\napps = [\"old\"]\nseeds = [4, 5]\n[[app]]\nname = \"old\"\napk = \"old.apk\"\n[[strategy]]\nkind = \"monkey\"\n";
    let case = Case::new(suite).file("below/new.apk", "x").within("below");
    let mut request = case.request().clone();
    request.apks = vec!["new.apk".into()];
    let suite = load(&request).unwrap();
    let [app] = &suite.settings.apps[..] else {
        panic!("{:?}", suite.settings.apps);
    };
    assert_eq!(app.name, "new");
    let AppSource::Apk(path) = &app.source else {
        panic!("{app:?}");
    };
    // The suite is in a folder above: its relative paths start there, not those of the command line.
    assert!(suite.on_disk(path).is_file(), "{path}");
    let sessions: Vec<_> = Plan::new(&suite)
        .unwrap()
        .entries
        .iter()
        .map(|s| s.name.clone())
        .collect();
    assert_eq!(sessions, ["new-jvm-monkey-4", "new-jvm-monkey-5"]);
}

#[test]
fn what_is_no_app_is_named_before_anything_starts() {
    let desk = empty();
    desk.write("notes.txt", "not an app");
    desk.write("empty.apk", "");
    desk.write("cut.apk", &notes()[..20_000]);
    desk.write("suite.toml", "[suite]");
    desk.write("none/readme.txt", "");
    // The end of a zip archive without entries.
    let nothing = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    desk.write("nothing.apk", nothing);
    let all = [
        &["run", "gone.apk", "*.aab"][..],
        &["run", "none"],
        &["run", "notes.txt", "empty.apk", "nothing.apk"],
        &["run", "cut.apk", "suite.toml"],
        &["run"],
    ];
    let all: Vec<_> = all.iter().map(|args| said(&desk, args)).collect();
    insta::assert_snapshot!(all.join("\n"));
    assert!(!desk.path("target").exists());
}

const SETTINGS: &str = "include(\":app\", \":lib\")\ninclude(\":wear\")\n";
const CATALOG: &str =
    "[plugins]\nandroid-application = { id = \"com.android.application\", version = \"8.7.3\" }\n";
const ALIAS: &str = "plugins { alias(libs.plugins.android.application) }\n";

fn gradle() -> Desk {
    let desk = empty();
    desk.write("settings.gradle.kts", SETTINGS);
    desk.write("gradle/libs.versions.toml", CATALOG);
    desk.write(
        "build.gradle.kts",
        "plugins { alias(libs.plugins.android.application) apply false }",
    );
    desk.write("gradlew", "#!/bin/sh\necho must not run > ran\n");
    desk.write("app/build.gradle.kts", ALIAS);
    desk.write(
        "wear/build.gradle",
        "plugins { id 'com.android.application' }",
    );
    desk.write(
        "lib/build.gradle.kts",
        "plugins { id(\"com.android.library\") }",
    );
    fs::create_dir_all(desk.path("app/src/main/java")).unwrap();
    desk
}

fn output(desk: &Desk, folder: &str, variant: &str, name: &str) {
    let metadata = serde_json::json!({
        "version": 3, "variantName": variant,
        "elements": [
            { "type": "ONE_OF_MANY", "filters": [{ "filterType": "ABI" }], "outputFile": "x86.apk" },
            { "type": "UNIVERSAL", "filters": [], "outputFile": name },
        ],
    });
    desk.write(
        &format!("{folder}/output-metadata.json"),
        metadata.to_string(),
    );
    desk.write(&format!("{folder}/{name}"), notes());
    desk.write(&format!("{folder}/x86.apk"), notes());
}

#[test]
fn a_gradle_project_without_apks_gets_the_command_that_builds_them() {
    let desk = gradle();
    let below = desk.path("app/src");
    let mut all = vec![said(&desk, &["run"])];
    let ended = Ended::of(droidtest(&below).args(["run"]));
    assert_eq!(ended.code, 96);
    all.push(ended.err);
    insta::assert_snapshot!(all.join("\n"));
    assert!(!desk.path("ran").exists());
}

#[test]
fn a_gradle_project_is_explored_by_its_newest_debug_apks() {
    let desk = gradle();
    output(
        &desk,
        "app/build/outputs/apk/free/debug",
        "freeDebug",
        "old.apk",
    );
    output(
        &desk,
        "app/build/outputs/apk/release",
        "release",
        "app-release.apk",
    );
    output(
        &desk,
        "app/build/outputs/apk/androidTest/debug",
        "debugAndroidTest",
        "test.apk",
    );
    output(
        &desk,
        "app/build/outputs/apk/paid/debug",
        "paidDebug",
        "new.apk",
    );
    let old = fs::File::options()
        .write(true)
        .open(desk.path("app/build/outputs/apk/free/debug/old.apk"))
        .unwrap();
    old.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let folder = camino::Utf8Path::from_path(desk.folder()).unwrap();
    let project = Project::find(folder).unwrap().unwrap();
    let apps: Vec<_> = project
        .apps
        .iter()
        .map(|module| (module.path.as_str(), module.apk.clone()))
        .collect();
    let newest = "app/build/outputs/apk/paid/debug/new.apk";
    assert_eq!(apps, [(":app", Some(newest.into())), (":wear", None)]);
    let ended = desk.tool("run --device none");
    assert_eq!(ended.code, 4, "{}", ended.all());
    for words in ["no debug APK of :wear", "./gradlew :wear:assembleDebug"] {
        assert!(ended.err.contains(words), "{words}: {}", ended.err);
    }
    assert!(!desk.path("ran").exists());
}

#[test]
fn add_app_keeps_the_suite_as_it_is_and_refuses_doubles() {
    let suite = "# mine\n[[app]] # the first\nname = \"notes\"\napk = \"notes.apk\"\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n";
    let desk = Desk::new(suite);
    for name in ["notes.apk", "more/notes.apk", "more/other.apk"] {
        desk.write(name, notes());
    }
    let added =
        Ended::of(droidtest(&desk.path("more")).args(["add-app", "*.apk", "--build", "make"]));
    assert_eq!(added.code, 0, "{}", added.all());
    let text = String::from_utf8(desk.read("droidtest.toml")).unwrap();
    insta::assert_snapshot!(text);
    let refused = [
        said(&desk, &["add-app", "notes.apk", "more/other.apk"]),
        said(&desk, &["add-app", "droidtest.toml"]),
        said(
            &desk,
            &["add-app", "notes.apk", "more/notes.apk", "--name", "x"],
        ),
    ];
    desk.write("third.apk", notes());
    assert_eq!(desk.tool("add-app third.apk --name a/b").code, 2);
    let named = said(&desk, &["add-app", "third.apk", "--name", "notes"]);
    insta::assert_snapshot!(format!("{}\n{named}", refused.join("\n")));
    assert_eq!(desk.read("droidtest.toml"), text.as_bytes());
    assert_eq!(
        said(&empty(), &["add-app", "x.apk"]).lines().next(),
        Some("exit code 96")
    );
}

#[test]
fn a_bundle_becomes_an_apk() {
    let bundle = app("bundle/notes.aab");
    let files: [&Path; 1] = [&bundle];
    if let Err(missing) = merged_apk::fetch_for(files, true, &Watch::silent()) {
        crate::common::skip::skip(&format!("{missing}"));
        return;
    }
    let apk = merged_apk::ensure(&bundle, &[], &Watch::silent()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Another content than the cached bundle's.
    let broken = folder.path().join("broken.aab");
    let mut zip = zip::ZipWriter::new(fs::File::create(&broken).unwrap());
    zip.start_file("BundleConfig.pb", zip::write::SimpleFileOptions::default())
        .unwrap();
    zip.finish().unwrap();
    let stages = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&stages);
    let listener = move |p: Progress<'_>| {
        heard
            .lock()
            .unwrap()
            .push(format!("{} {}", p.stage, p.detail));
    };
    let watch = Watch::new(listener, Arc::default());
    let why = merged_apk::ensure(&broken, &[], &watch).unwrap_err();
    assert_eq!(*stages.lock().unwrap(), ["converting broken.aab"]);
    let apk = droidtest::apk::Apk::open(apk).unwrap();
    let own = droidtest::apk::Apk::open(app("notes/notes.apk")).unwrap();
    assert_eq!(apk.manifest.package, own.manifest.package);
    assert_eq!(apk.manifest.activity_names(), own.manifest.activity_names());
    assert!(
        why.contains("broken.aab: bundletool cannot make an APK of this bundle"),
        "{why}"
    );
}

#[test]
fn a_finding_without_a_suite_is_replayed_by_the_command_that_the_run_prints() {
    let desk = empty();
    desk.write("my notes.apk", notes());
    let run = Ended::of(
        with_parts(
            &desk,
            "run --strategy random --seed 5 --events 60 --run-id r",
        )
        .arg("my notes.apk"),
    );
    if run.all().contains("cargo droidtest setup") {
        crate::common::skip::skip(&run.all().to_string());
        return;
    }
    assert_eq!(run.code, 100, "{}", run.all());
    let replay = run.all().lines().find_map(|line| {
        line.trim()
            .strip_prefix("Replay cargo droidtest ")
            .map(str::to_owned)
    });
    let replay = replay.unwrap_or_else(|| panic!("{}", run.all()));
    assert!(replay.contains("--apk 'my notes.apk'"), "{replay}");
    let words = shlex::split(&replay).unwrap();
    let replayed = Ended::of(with_parts(&desk, "").args(words));
    assert_eq!(replayed.code, 100, "{}", replayed.all());
    let minimized = Ended::of(&mut with_parts(&desk, "minimize r"));
    assert!(
        !minimized.all().contains("no suite found"),
        "{}",
        minimized.all()
    );
}
