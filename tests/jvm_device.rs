//! The jvm device end to end: a real APK, a real Java process. Skipped, saying so, where there is no
//! APK or the parts cannot be had.

use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::{JvmDevice, JvmSettings};
use droidtest::device::progress::Watch;
use droidtest::device::{Action, App, Device, Reset, key};
use droidtest::util::intern::Interner;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn apk() -> Option<PathBuf> {
    let named = std::env::var_os("DROIDTEST_TEST_APK").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/apks/androtest-net.mandaria.tippytipper.apk");
    let found = named.or(Some(beside)).filter(|p| p.exists());
    if found.is_none() {
        println!("skipped: no APK; name one by DROIDTEST_TEST_APK");
    }
    found
}

fn app(file: PathBuf) -> App {
    App {
        name: "app".to_owned(),
        package: String::new(),
        file: Some(file),
        content: String::new(),
        classes: Vec::new(),
        exclude: Vec::new(),
        grant_permissions: true,
    }
}

#[test]
fn an_app_is_launched_explored_and_reset() {
    let Some(apk) = apk() else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = JvmSettings::new(folder.path().join("device"), folder.path().join("logs"));
    let watch = Watch::new(|p| eprintln!("{p:?}"), Default::default());
    let mut device = JvmDevice::new("jvm", settings, Cache::locate().unwrap(), watch);
    let mut interner = Interner::default();
    let start = Instant::now();
    device.install(&app(apk)).unwrap();
    println!("install {:?}", start.elapsed());
    let start = Instant::now();
    let result = device.reset(Reset::ClearData);
    if result.is_err() {
        println!(
            "{}",
            std::fs::read_to_string(folder.path().join("logs/jvm-1.log")).unwrap()
        );
    }
    result.unwrap();
    let first = device.observe(&mut interner).unwrap();
    println!("first page {:?}", start.elapsed());
    let page = first.page();
    for w in &page.widgets {
        println!(
            "{:?} {} {} {}",
            w.bounds,
            interner.get(w.class),
            interner.get(w.resource_id),
            interner.get(w.text)
        );
    }
    assert!(first.alive && !page.events.is_empty());
    let start = Instant::now();
    device.perform(&Action::Key { code: key::MENU }).unwrap();
    let after = device.observe(&mut interner).unwrap();
    println!(
        "menu {:?}: {} widgets, {} probes",
        start.elapsed(),
        after.page().widgets.len(),
        after.probes.len()
    );
    let shot = folder.path().join("shot.png");
    assert!(device.screenshot(&shot).unwrap());
    assert!(std::fs::read(&shot).unwrap().starts_with(b"\x89PNG"));
    let start = Instant::now();
    device.reset(Reset::ClearData).unwrap();
    let again = device.observe(&mut interner).unwrap();
    println!("reset {:?}", start.elapsed());
    assert_eq!(again.page().exact, page.exact);
}
