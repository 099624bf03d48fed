//! Tests of files that a process writes, when an app has put other things there.

use super::*;
use crate::device::jvm::device_tests::{IDLE, Reply, device};
use crate::util::redact::Redactor;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

/// The error for a screenshot that `put` created, and the saved file.
fn picture(put: impl Fn(&Path)) -> (String, Option<Vec<u8>>) {
    let (mut device, folder, _) = device(IDLE, vec![Reply::Answer(json!({}))]);
    put(&folder.path().join("screen.png"));
    let to = folder.path().join("logs/kept.png");
    let said = match device.write_picture(&to) {
        Ok(there) => there.to_string(),
        Err(error) => error.to_string(),
    };
    assert!(folder.path().join("screen.png").symlink_metadata().is_err());
    (said, fs::read(to).ok())
}

fn png() -> Vec<u8> {
    let chunk = |kind: &[u8], data: &[u8]| {
        let length = (data.len() as u32).to_be_bytes();
        [&length, kind, data, &[0; 4]].concat()
    };
    let header = [0, 0, 0, 9, 0, 0, 0, 9, 8, 6, 0, 0, 0];
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", b"pixels"),
        chunk(b"IEND", b""),
    ]
    .concat()
}

#[test]
fn a_picture_is_copied_by_its_content() {
    let (said, kept) = picture(|at| fs::write(at, png()).unwrap());
    assert_eq!((said.as_str(), kept), ("true", Some(png())));
}

#[test]
fn what_an_app_puts_in_a_pictures_place_is_not_kept() {
    let outside = tempfile::tempdir().unwrap();
    let other = outside.path().join("secret");
    fs::write(&other, png()).unwrap();
    let start = Instant::now();
    let made = |put: &dyn Fn(&Path)| {
        let (said, kept) = picture(put);
        assert_eq!(kept, None);
        said
    };
    assert!(made(&|at| symlink(&other, at).unwrap()).contains("is a link"));
    assert!(made(&|at| fs::hard_link(&other, at).unwrap()).contains("another hard link"));
    let pipe = |at: &Path| mknodat(CWD, at, FileType::Fifo, Mode::RWXU, 0).unwrap();
    assert!(made(&pipe).contains("not a regular file"));
    let huge = |at: &Path| fs::File::create(at).unwrap().set_len(1 << 42).unwrap();
    assert!(made(&huge).contains("has more than"));
    assert!(made(&|at| fs::write(at, "<svg onload=x>").unwrap()).contains("not a valid picture"));
    assert!(start.elapsed() < Duration::from_secs(300), "it hangs");
    assert_eq!(fs::read(&other).unwrap(), png());
}

#[test]
fn a_report_of_the_jvm_is_taken_only_from_a_plain_file() {
    use crate::device::jvm::autopsy::CrashReport;
    let secrets = Redactor::new(["hunter2".to_owned()]);
    let (work, logs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let secret = logs.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let at = |name: &str| work.path().join(name);
    symlink(&secret, at("hs_err_a")).unwrap();
    fs::hard_link(&secret, at("hs_err_b")).unwrap();
    mknodat(CWD, at("hs_err_c"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    fs::create_dir(at("hs_err_d")).unwrap();
    let start = Instant::now();
    assert!(CrashReport::keep(work.path(), logs.path(), 1, &secrets).is_none());
    assert!(start.elapsed() < Duration::from_secs(300), "it hangs");
    assert!(!logs.path().join("hs_err-1.log").exists());
    // They are gone, so that the next process's report is found; what they led to is not.
    assert_eq!(fs::read_dir(work.path()).unwrap().count(), 0);
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    symlink(&secret, at("hs_err_a")).unwrap();
    fs::write(at("hs_err_pid7.log"), "# report hunter2").unwrap();
    assert!(CrashReport::keep(work.path(), logs.path(), 2, &secrets).is_some());
    let kept = fs::read_to_string(logs.path().join("hs_err-2.log")).unwrap();
    assert_eq!(kept, "# report ***");
}

#[test]
fn a_link_in_place_of_the_temporary_folder_is_not_followed() {
    use crate::device::jvm::folder::{claim, recreate};
    use crate::device::progress::Watch;
    let (base, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("thesis"), "years").unwrap();
    let work = base.path().join("device");
    claim(&work, &Watch::silent()).unwrap();
    symlink(outside.path(), work.join("tmp")).unwrap();
    let made = recreate(&work, "tmp", &Watch::silent()).unwrap();
    assert!(made.symlink_metadata().unwrap().is_dir());
    symlink(outside.path(), work.join("beside")).unwrap();
    claim(&work, &Watch::silent()).unwrap();
    assert!(outside.path().join("thesis").exists() && !work.join("beside").exists());
}
