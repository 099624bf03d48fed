//! The jvm device end to end on the sample app, or on the APK that DROIDTEST_TEST_APK names.

#[cfg(unix)]
mod jvm;

#[cfg(unix)]
#[test]
fn an_app_is_launched_explored_and_reset() {
    use droidtest::device::{Action, Device, Reset, key};
    use std::time::Instant;

    let file = std::env::var_os("DROIDTEST_TEST_APK")
        .map_or_else(|| jvm::apk("notes/notes.apk"), Into::into);
    let mut driver = jvm::Driver::launch(file, "org.droidtest.notes", |_| {});
    let first = driver.page.clone();
    assert!(!first.events.is_empty());
    for widget in &first.widgets {
        let text = |sym| driver.interner.get(sym);
        println!(
            "{:?} {} {} {}",
            widget.bounds,
            text(widget.class),
            text(widget.resource_id),
            text(widget.text)
        );
    }
    let key = Action::Key { code: key::MENU };
    let start = Instant::now();
    let after = driver.perform(&key).unwrap();
    println!("menu {:?}, {} probes", start.elapsed(), after.probes.len());
    let shot = driver.folder.path().join("shot.png");
    assert!(driver.device.screenshot(&shot).unwrap());
    assert!(std::fs::read(&shot).unwrap().starts_with(b"\x89PNG"));
    let exec = driver.folder.path().join("jacoco.exec");
    assert!(driver.device.exec_data(&exec).unwrap());
    assert!(std::fs::read(&exec).unwrap().starts_with(b"\x01\xc0\xc0"));
    let start = Instant::now();
    driver.reset(Reset::ClearData);
    println!("reset {:?}", start.elapsed());
    assert_eq!(driver.page.exact, first.exact);
}
