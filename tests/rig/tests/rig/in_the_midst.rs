//! Faults in the middle of complete runs on a phone: a full storage, dumps cut off, a second run on the same phone.
//! Nothing is lost, nothing is left, and the report says what happened.

use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig, pipe_lock};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

const EVENTS: u32 = 40;

struct Bench {
    sdk: Sdk,
    rig: Rig,
    folder: tempfile::TempDir,
}

fn apk() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk")
}

fn words(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout)
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
        let config = Config {
            delay: Duration::from_millis(10),
            ..Config::sim(34, "notes")
        };
        let rig = Rig::start(Phone::new(config), 0).unwrap();
        sdk.server.connect(&rig.serial());
        Self { sdk, rig, folder }
    }

    fn suite(&self, device: &str) -> String {
        let (apk, serial) = (apk(), self.rig.serial());
        format!(
            "[suite]\nname = \"s\"\nbudget = {{ events = {EVENTS} }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"{serial}\"\n{device}\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n"
        )
    }

    fn journal(&self) -> String {
        let all = self.folder.path().join("target/droidtest/latest/sessions");
        let journal = all.join("notes-phone-random-7/journal.jsonl");
        std::fs::read_to_string(journal).unwrap_or_default()
    }

    /// A run at whose sixth step something fails, until the journal reports a failure of the device or the run is
    /// at its end.
    fn failing(&self, device: &str, begin: impl FnOnce(), end: impl FnOnce()) -> Output {
        let suite = self.suite(device);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| self.sdk.run(&suite, &[]));
            let until = |is_so: &dyn Fn(&str) -> bool| {
                while !run.is_finished() && !is_so(&self.journal()) {
                    std::thread::sleep(Duration::from_millis(10));
                }
            };
            until(&|journal| journal.matches("\"e\":\"step\"").count() > 5);
            begin();
            until(&|journal| journal.contains("\"e\":\"device-failure\""));
            end();
            run.join().unwrap()
        })
    }

    /// The only session, which has completed.
    fn whole_session(&self, out: &Output) -> serde_json::Value {
        let said = words(out);
        assert!(matches!(out.status.code(), Some(0 | 100)), "{said}");
        let session = self.sdk.summary()["sessions"][0].clone();
        assert_eq!(session["events"], EVENTS, "{said}");
        assert_eq!(session["ended"], "events", "{said}");
        session
    }

    /// What is on the phone of ours.
    fn left(&self) -> Vec<String> {
        let files = pipe_lock(&self.rig.phone.files);
        let ours = files.all().map(|(name, _)| name.clone());
        ours.filter(|n| n.ends_with(".apk") || n.ends_with("droidtest-settings"))
            .collect()
    }
}

#[test]
fn a_phone_without_room_for_the_app_is_said_with_what_mends_it() {
    let size = usize::try_from(std::fs::metadata(apk()).unwrap().len()).unwrap();
    // The file does not fit; it fits, and the app does not.
    for (room, words_of_phone) in [
        (size / 2, "No space left on device"),
        (size + size / 2, "INSTALL_FAILED_INSUFFICIENT_STORAGE"),
    ] {
        let bench = Bench::new();
        pipe_lock(&bench.rig.phone.files).room = room;
        let out = bench.sdk.run(&bench.suite(""), &[]);
        let said = words(&out);
        assert_eq!(out.status.code(), Some(107), "{said}");
        assert!(said.contains(words_of_phone), "{said}");
        assert!(said.contains("free some storage on the device"), "{said}");
        let failures = &bench.sdk.summary()["sessions"][0]["device_failures"];
        assert!(failures.to_string().contains(words_of_phone), "{failures}");
        let junit = bench
            .folder
            .path()
            .join("target/droidtest/latest/junit.xml");
        let junit = std::fs::read_to_string(junit).unwrap();
        assert!(junit.contains(words_of_phone), "{junit}");
        assert_eq!(bench.left(), [""; 0]);
    }
}

#[test]
fn a_storage_that_fills_in_the_midst_is_said_and_the_session_goes_on_when_there_is_room() {
    let bench = Bench::new();
    let room = |bytes| pipe_lock(&bench.rig.phone.files).room = bytes;
    let device = "hierarchy = \"dump\"";
    let out = bench.failing(device, || room(0), || room(512 << 20));
    let session = bench.whole_session(&out);
    let failures = session["device_failures"].to_string();
    assert!(
        failures.contains("the device's storage is full"),
        "{failures}"
    );
    assert_eq!(bench.left(), [""; 0]);
}

#[test]
fn a_dump_that_is_cut_off_is_made_again_and_one_that_always_is_is_said() {
    let bench = Bench::new();
    let cut = |dumps| pipe_lock(&bench.rig.phone.state).dumps_cut = dumps;
    let device = "hierarchy = \"dump\"";
    // The journal reports no failure: it is waited for in vain, until the run's end.
    let out = bench.failing(device, || cut(2), || ());
    let session = bench.whole_session(&out);
    assert_eq!(session["device_failures"], serde_json::json!([]));
    assert_eq!(pipe_lock(&bench.rig.phone.state).dumps_cut, 0);
    let out = bench.failing(device, || cut(u32::MAX), || cut(0));
    let session = bench.whole_session(&out);
    let failures = session["device_failures"].to_string();
    assert!(failures.contains("view dumps failed"), "{failures}");
    assert_eq!(bench.left(), [""; 0]);
}

#[test]
fn a_second_run_on_the_same_phone_waits_or_says_who_has_it_and_neither_loses_anything() {
    let bench = Bench::new();
    let second = tempfile::tempdir().unwrap();
    let run_second = |patience: &str| {
        let file = second.path().join("droidtest.toml");
        std::fs::write(&file, bench.suite(&format!("patience = \"{patience}\""))).unwrap();
        let mut tool = bench.sdk.tool();
        tool.current_dir(second.path()).args(["run", "--suite"]);
        tool.arg(&file).output().unwrap()
    };
    let suite = bench
        .suite("")
        .replace(&format!("events = {EVENTS}"), "events = 400");
    std::thread::scope(|scope| {
        let first = scope.spawn(|| bench.sdk.run(&suite, &[]));
        let until = Instant::now() + Duration::from_secs(120);
        while pipe_lock(&bench.rig.phone.state).inputs < 5 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        // The first stands still until the second has been refused.
        let held = pipe_lock(&bench.rig.phone.state);
        let refused = run_second("1s");
        assert!(!first.is_finished(), "the first run is over too soon");
        drop(held);
        assert_eq!(refused.status.code(), Some(107), "{}", words(&refused));
        let said = format!(
            "{} has been in use by another session or run for 1 s: wait until that ends, or name another `serial`",
            bench.rig.serial()
        );
        assert!(words(&refused).contains(&said), "{}", words(&refused));
        let waited = run_second("5m");
        assert!(first.is_finished(), "two runs had the phone at once");
        let first = first.join().unwrap();
        for (out, folder, events) in [
            (first, bench.folder.path(), 400),
            (waited, second.path(), EVENTS),
        ] {
            assert!(
                matches!(out.status.code(), Some(0 | 100)),
                "{}",
                words(&out)
            );
            let file = folder.join("target/droidtest/latest/summary.json");
            let text = std::fs::read_to_string(file).unwrap();
            let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
            let session = &summary["sessions"][0];
            assert_eq!(session["events"], events, "{session}");
            assert_eq!(session["device_failures"], serde_json::json!([]));
        }
    });
    assert_eq!(bench.left(), [""; 0]);
}
