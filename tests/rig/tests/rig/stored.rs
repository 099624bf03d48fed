//! `[device.data]` on a phone: put there, found out where it is not taken, removed at the end.

use droidtest::device::Device;
use droidtest::device::adb::AdbDevice;
use droidtest::device::data::{
    CalendarEvent, Call, Contact, DeviceData, FileKind, Message, StoredFile,
};
use droidtest::device::progress::Watch;
use droidtest::util::intern::Interner;
use droidtest_rig::Config;
use droidtest_rig::bench::{Bench, notes};
use droidtest_rig::pipe::lock;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn data(folder: &std::path::Path) -> DeviceData {
    let picture = folder.join("the cat's.png");
    std::fs::write(&picture, b"png").unwrap();
    DeviceData {
        contacts: vec![Contact {
            name: "Ada: \"it's\" $HOME".into(),
            phone: Some("+44 1".into()),
            email: None,
        }],
        messages: vec![Message {
            number: "+1".into(),
            text: "hello; reboot".into(),
            sent: true,
            at: 1000,
        }],
        calls: vec![Call {
            number: "112".into(),
            kind: 3,
            seconds: 0,
            at: 1,
        }],
        calendar: vec![CalendarEvent {
            title: "Dentist".into(),
            place: String::new(),
            at: (1, 2),
        }],
        files: vec![StoredFile {
            kind: FileKind::Picture,
            from: picture,
        }],
    }
}

fn device(bench: &Bench, data: DeviceData) -> AdbDevice {
    let mut settings = bench.settings(true);
    settings.data = data;
    AdbDevice::new("rig", settings, Watch::silent())
}

#[test]
fn data_are_there_while_the_device_is_in_use_and_gone_afterwards() {
    for api in [34, 28] {
        let bench = Bench::new(Config::sim(api, "notes"));
        let folder = tempfile::tempdir().unwrap();
        let mut device = device(&bench, data(folder.path()));
        device.install(&notes()).unwrap();
        let path = "/sdcard/Pictures/the cat's.png";
        let rows = |uri: &str| {
            let state = lock(&bench.rig.phone.state);
            state.content.get(uri).cloned().unwrap_or_default()
        };
        let names = rows("content://com.android.contacts/data");
        assert_eq!(names[0]["data1"], "Ada: \"it's\" $HOME");
        assert_eq!(names[1]["data1"], "+44 1");
        assert_eq!(names[1]["raw_contact_id"], "1");
        let message = &rows("content://sms")[0];
        assert_eq!(
            (&*message["body"], &*message["type"]),
            ("hello; reboot", "2")
        );
        assert_eq!(rows("content://call_log/calls")[0]["number"], "112");
        assert_eq!(
            rows("content://com.android.calendar/events")[0]["calendar_id"],
            "1"
        );
        assert!(lock(&bench.rig.phone.files).get(path).is_some());
        drop(device);
        for uri in [
            "content://com.android.contacts/raw_contacts",
            "content://sms",
            "content://call_log/calls",
            "content://com.android.calendar/calendars",
        ] {
            assert_eq!(rows(uri), [], "{uri}");
        }
        assert!(lock(&bench.rig.phone.files).get(path).is_none());
    }
}

#[test]
fn what_the_device_does_not_take_is_said_and_what_a_killed_run_left_is_taken_away() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let folder = tempfile::tempdir().unwrap();
    lock(&bench.rig.phone.state).content_refused = vec!["content://sms".into()];
    let stop = Arc::new(AtomicBool::new(false));
    let watch = Watch::new(|_| {}, stop.clone());
    let mut settings = bench.settings(true);
    settings.data = data(folder.path());
    let mut first = AdbDevice::new("rig", settings, watch);
    first.install(&notes()).unwrap();
    first.reset(droidtest::device::Reset::ClearData).unwrap();
    let seen = first.observe(&mut Interner::default()).unwrap();
    let limit = seen.environment.iter().find(|l| l.rule == "no-device-data");
    let detail = &limit.expect("a limit").detail;
    assert!(detail.contains("0 of 1 rows of `messages`"), "{detail}");
    // As if it had been killed: nothing is removed.
    std::mem::forget(first);
    // Its log's thread lives on, and would start the server again that ends with this test.
    stop.store(true, Ordering::Relaxed);
    let mut second = device(&bench, data(folder.path()));
    second.install(&notes()).unwrap();
    let state = lock(&bench.rig.phone.state);
    assert_eq!(state.content["content://call_log/calls"].len(), 1);
    drop(state);
    drop(second);
    bench.server.kill();
    let listens = || TcpStream::connect(("127.0.0.1", bench.server.port)).is_ok();
    let again = (0..20).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        listens()
    });
    assert!(!again, "a run that was stopped started the server again");
}

#[test]
fn a_file_that_is_the_owners_stays_as_it_is() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let folder = tempfile::tempdir().unwrap();
    bench.server.run(&[
        "-s",
        &bench.rig.serial(),
        "shell",
        "echo own > \"/sdcard/Pictures/the cat's.png\"",
    ]);
    let mut device = device(&bench, data(folder.path()));
    let error = device.install(&notes()).unwrap_err().to_string();
    assert!(error.contains("already exists on"), "{error}");
    drop(device);
    let files = lock(&bench.rig.phone.files);
    let own = files.get("/sdcard/Pictures/the cat's.png").unwrap();
    assert_eq!(own.data, b"own\n");
}
