//! Deaths that the log tells in part or not at all: what the system's dropbox knows of them.

use droidtest::device::adb::AdbDevice;
use droidtest::device::{Device, Observation, Reset};
use droidtest_rig::bench::{Bench, Walk};
use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig, pipe_lock};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const FRAMES: &str = "      #00 pc 0000000000012345  /data/app/~~a==/org.droidtest.notes-b==/lib/x86_64/libdraw.so (draw_note+20) (BuildId: 320fbdc2a1289fad)
      #01 pc 0000000000012c00  /data/app/~~a==/org.droidtest.notes-b==/lib/x86_64/libdraw.so (Java_org_droidtest_notes_Draw_note+84) (BuildId: 320fbdc2a1289fad)
      #02 pc 00000000000a75b3  /apex/com.android.runtime/lib64/bionic/libc.so (__pthread_start(void*)+20) (BuildId: 320fbdc2a1289fadd7dacae7f2eb77a3)";

/// The device with the app just started, and what a fault then makes of the next look.
fn after(device: &mut AdbDevice, walk: &mut Walk, how: Reset, fault: impl FnOnce()) -> Observation {
    device.reset(how).unwrap();
    assert!(device.observe(&mut walk.interner).unwrap().alive);
    fault();
    device.observe(&mut walk.interner).unwrap()
}

fn lose_log(phone: &Phone, lost: bool) {
    phone.log.lost.store(lost, Ordering::Relaxed);
}

#[test]
fn a_native_crash_is_told_once_by_both_sources_and_by_either() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    let mut fingerprints = Vec::new();
    // Both sources, the log alone, the dropbox alone, and a log that holds the signal's line alone.
    for (log, dropbox, cut) in [
        (true, true, false),
        (true, false, false),
        (false, true, false),
        (true, true, true),
    ] {
        let seen = after(&mut device, &mut walk, Reset::Relaunch, || {
            lose_log(phone, !log || cut);
            let pid = phone.crash_natively(FRAMES).unwrap();
            lose_log(phone, false);
            if cut {
                let line = format!(
                    "Fatal signal 11 (SIGSEGV), code 1, fault addr 0x10 in tid {pid} (Thread-2)"
                );
                phone.log.write(pid, 'F', "libc", &line);
            }
            if !dropbox {
                pipe_lock(&phone.dropbox).clear();
            }
        });
        assert!(!seen.alive && seen.exit.is_none() && seen.crash.is_none());
        let death = seen.death.expect("a native crash");
        assert!(
            death.words.starts_with("SIGSEGV in draw_note"),
            "{}",
            death.words
        );
        assert!(death.words.contains("Java_org_droidtest_notes_Draw_note"));
        fingerprints.push(death.fingerprint);
        // It is not reported again after the next start, although the dropbox still has it.
        let next = after(&mut device, &mut walk, Reset::Relaunch, || {
            phone.end_app(false)
        });
        assert!(next.death.is_none() && next.exit.is_some(), "{next:?}");
    }
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 1);
}

#[test]
fn a_death_that_the_dropbox_told_is_not_told_again_when_the_log_comes_back() {
    const STACK: &str =
        "java.lang.IllegalStateException: e\n\tat org.droidtest.notes.A.b(A.java:3)";
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    let mut pid = 0;
    let seen = after(&mut device, &mut walk, Reset::Relaunch, || {
        pid = pipe_lock(&phone.state).app.as_ref().unwrap().pid;
        lose_log(phone, true);
        phone.throw(STACK);
        lose_log(phone, false);
    });
    assert!(seen.crash.is_some());
    let next = after(&mut device, &mut walk, Reset::Relaunch, || {
        let text =
            format!("FATAL EXCEPTION: main\nProcess: org.droidtest.notes, PID: {pid}\n{STACK}");
        phone.log.write(pid, 'E', "AndroidRuntime", &text);
        phone.end_app(false);
    });
    assert!(next.crash.is_none() && next.exit.is_some(), "{next:?}");
}

#[test]
fn an_exception_that_the_log_lost_is_no_quiet_end() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    let seen = after(&mut device, &mut walk, Reset::ClearData, || {
        lose_log(phone, true);
        phone.throw("java.lang.IllegalStateException: e\n\tat org.droidtest.notes.A.b(A.java:3)");
        lose_log(phone, false);
    });
    let crash = seen.crash.expect("a crash");
    assert!(!seen.alive && seen.exit.is_none());
    assert_eq!(crash.class, "java.lang.IllegalStateException");
    let frame = crash.app_frame.as_deref();
    assert_eq!(frame, Some("org.droidtest.notes.A.b(A.java:3)"));
}

#[test]
fn entries_of_other_apps_and_of_before_the_start_are_none_of_the_apps() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    phone.log.skew_ms.store(-86_400_000, Ordering::Relaxed);
    let entry = |process: &str, pid: u32| {
        let text =
            format!("Process: {process}\nPID: {pid}\n\njava.lang.Error: e\n\tat a.B.c(B.java:1)\n");
        let entry = (phone.log.stamp(), "data_app_crash".to_owned(), text);
        pipe_lock(&phone.dropbox).push(entry);
    };
    entry("org.droidtest.notes", 7);
    phone.log.skew_ms.store(0, Ordering::Relaxed);
    let seen = after(&mut device, &mut walk, Reset::ClearData, || {
        entry("org.droidtest.notes2", 8);
        phone.end_app(false);
    });
    assert!(seen.crash.is_none() && seen.exit.is_some(), "{seen:?}");
}

#[test]
fn an_anr_has_its_main_stack_and_is_known_when_the_log_lost_it() {
    // Old systems have a file that a shell may read, new ones the dropbox alone.
    for api in [34, 22] {
        for lost in [false, true] {
            let bench = Bench::new(Config::sim(api, "notes"));
            let phone = &bench.rig.phone;
            let mut device = bench.device(true);
            let mut walk = Walk::default();
            device.reset(Reset::ClearData).unwrap();
            let first = device.observe(&mut walk.interner).unwrap();
            lose_log(phone, lost);
            phone.hang();
            if lost {
                // That there were lines, the tool knows by the stream's end.
                bench.server.kill();
            }
            let action = walk.next(&first);
            let mut reported = Vec::new();
            let mut more = 3;
            // On a loaded machine the log comes late.
            let end = Instant::now() + Duration::from_secs(30);
            while Instant::now() < end {
                // The step under way may be lost with the server.
                let done = device.perform(&action);
                let seen = done.and_then(|()| device.observe(&mut walk.interner));
                reported.extend(seen.ok().and_then(|seen| seen.anr));
                more -= i32::from(!reported.is_empty());
                if more == 0 {
                    break;
                }
            }
            assert_eq!(reported.len(), 1, "{api} {lost}: {reported:?}");
            assert_eq!(reported[0].ms, 5_003);
            let stack = &reported[0].stack;
            assert!(stack.contains("org.droidtest.notes.Sync.wait"), "{stack}");
        }
    }
}

#[test]
fn a_native_crash_is_a_finding_with_its_frames_on_a_phone_without_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let rig = Rig::start(Phone::new(Config::sim(34, "notes")), 0).unwrap();
    sdk.server.connect(&rig.serial());
    lose_log(&rig.phone, true);
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 40 }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"{}\"\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n",
        rig.serial()
    );
    let out = std::thread::scope(|scope| {
        let run = scope.spawn(|| sdk.run(&suite, &[]));
        let mut crashed = false;
        while !run.is_finished() {
            let started = pipe_lock(&rig.phone.state).inputs > 5;
            crashed = crashed || started && rig.phone.crash_natively(FRAMES).is_some();
            std::thread::sleep(Duration::from_millis(5));
        }
        run.join().unwrap()
    });
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(100), "{said}");
    let summary = sdk.summary();
    let findings = summary["sessions"][0]["findings"].as_array().unwrap();
    let native = |f: &&serde_json::Value| f.to_string().contains("SIGSEGV in draw_note");
    assert_eq!(findings.iter().filter(native).count(), 1, "{summary}");
    let all = folder.path().join("target/droidtest/latest/sessions");
    let journal = all.join("notes-phone-random-7/journal.jsonl");
    let journal = std::fs::read_to_string(journal).unwrap();
    assert!(journal.contains("Java_org_droidtest_notes_Draw_note"));
}
