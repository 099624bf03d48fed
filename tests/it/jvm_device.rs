//! The jvm device end to end on the sample app: first page, screenshot, execution data, resets.

use crate::common::phone::Phone;
use droidtest::device::{Device, Reset, key};
use std::time::Instant;

#[test]
fn an_app_is_launched_pictured_measured_and_reset() {
    let Some(mut phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    let start = Instant::now();
    phone.reset(Reset::ClearData);
    println!("first page after {:?}", start.elapsed());
    let first = phone.page().0.clone();
    assert!(phone.now.alive && !first.events.is_empty());
    assert!(!phone.now.probes.is_empty() && !phone.now.classes.is_empty());

    phone.proves("the screen's picture is a PNG", |phone| {
        let shot = phone.logs.join("shot.png");
        assert!(phone.device.screenshot(&shot).unwrap());
        assert!(std::fs::read(&shot).unwrap().starts_with(b"\x89PNG"));
    });
    phone.proves("execution data is JaCoCo's", |phone| {
        let exec = phone.logs.join("jacoco.exec");
        assert!(phone.device.exec_data(&exec).unwrap());
        assert!(std::fs::read(&exec).unwrap().starts_with(b"\x01\xc0\xc0"));
    });
    phone.proves("no probe is reported twice", |phone| {
        phone.key(key::MENU);
        phone.reset(Reset::ClearData);
        assert!(phone.now.classes.is_empty(), "{:?}", phone.now.classes);
        assert_eq!(phone.page().0.exact, first.exact);
    });
    phone.proves("all files of the device go with it", |phone| {
        let work = phone.work.clone();
        assert!(work.is_dir());
        phone.install("notes", true);
        assert!(!work.join("files").exists());
    });
    phone.finish();
}
