//! What the jvm device has to get right, one thing after the other, on the probe app: resets, gestures,
//! navigation, components, texts. (`jvm_confine` has what it has to refuse.)

mod camera;
mod components;
mod gestures;
mod registered;
mod screens;
mod stored;

use crate::common::phone::Phone;
use droidtest::device::jvm::Outside;
use droidtest::device::{Device, Reset};

const COUNTERS: [&str; 6] = [
    "static_count",
    "property_count",
    "file_count",
    "preference_count",
    "sqlite_count",
    "external_count",
];

/// Two lives of an app need some 90 MB; the lives and dialogs of these tests keep more than the rest of this, if they
/// stay.
const MEMORY_MB: u32 = 130;
const LIVES: usize = 40;
const DIALOGS: usize = 200;

#[test]
fn an_app_finds_what_the_suite_puts_on_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let data = stored::data(folder.path());
    let Some(mut phone) = Phone::with("probe", |settings| settings.data = data) else {
        return;
    };
    stored::stored(&mut phone);
    phone.finish();
}

#[test]
fn the_device_does_as_android_does() {
    let Some(mut phone) = Phone::with("probe", |settings| settings.outside = Outside::Empty) else {
        return;
    };
    resets(&mut phone);
    gestures::gestures(&mut phone);
    gestures::turns(&mut phone);
    gestures::pictures(&mut phone);
    screens::stack(&mut phone);
    screens::windows(&mut phone);
    screens::home_screen(&mut phone);
    components::components(&mut phone);
    components::senses(&mut phone);
    texts(&mut phone);
    system_calls(&mut phone);
    asked(&mut phone);
    phone.finish();
}

#[test]
fn the_camera_delivers_pictures_and_frames() {
    let Some(mut phone) = Phone::with("probe", |settings| settings.outside = Outside::Empty) else {
        return;
    };
    camera::delivers(&mut phone);
    phone.finish();
}

#[test]
fn what_an_app_registers_for_gets_its_events() {
    let Some(mut phone) = Phone::with("probe", |settings| settings.outside = Outside::Empty) else {
        return;
    };
    registered::registered(&mut phone);
    registered::overridden(&mut phone);
    phone.finish();
}

/// The sample app keeps a database open by a static; a life of it holds some two megabytes.
#[test]
fn old_lives_leave_nothing_behind() {
    let Some(mut phone) = Phone::with("notes", |settings| settings.memory_mb = MEMORY_MB) else {
        return;
    };
    for _ in 0..LIVES {
        phone.reset(Reset::ClearData);
        phone.click("skip");
    }
    phone.finish();
}

/// A theme takes a third of a megabyte, a dialog's and its activity's.
#[test]
fn dialogs_that_were_closed_leave_nothing_behind() {
    let Some(mut phone) = Phone::with("probe", |settings| settings.memory_mb = MEMORY_MB) else {
        return;
    };
    phone.reset(Reset::ClearData);
    phone.open("NavigationActivity");
    for _ in 0..DIALOGS {
        phone.click("greeting");
        phone.click_text("Thanks");
        phone.back();
    }
    phone.finish();
}

fn counters(phone: &Phone) -> Vec<String> {
    COUNTERS.iter().map(|id| phone.says(id).unwrap()).collect()
}

fn resets(phone: &mut Phone) {
    phone.proves("a relaunch keeps files and renews the process", |phone| {
        phone.reset(Reset::ClearData);
        assert_eq!(counters(phone), ["0"; 6]);
        phone.click("bump");
        phone.click("bump");
        assert_eq!(counters(phone), ["2"; 6]);
        phone.reset(Reset::Relaunch);
        assert_eq!(counters(phone), ["0", "0", "2", "2", "2", "2"]);
        phone.click("bump");
        assert_eq!(counters(phone), ["1", "1", "3", "3", "3", "3"]);
    });
    phone.proves("cleared data leaves nothing behind", |phone| {
        phone.reset(Reset::ClearData);
        assert_eq!(counters(phone), ["0"; 6]);
    });
}

fn system_calls(phone: &mut Phone) {
    phone.proves("system calls work on files", |phone| {
        phone.open("FilesActivity");
        phone.click("system_calls");
        phone.expect(
            "result",
            "70005 70000 !cdwx 0 c 7 9 false true false false true",
        );
        phone.click("system_errors");
        phone.expect(
            "result",
            "open failed: ENOENT, done, open failed: EEXIST, write failed: EBADF, read failed: EBADF, \
             remove failed: ENOTEMPTY, access failed: ENOENT, open failed: ENOENT, \
             pread failed: EINVAL, abcd true, rename failed: ENOENT",
        );
        phone.click("system_folders");
        phone.expect(
            "result",
            "read failed: EBADF, read failed: EISDIR, open failed: EISDIR, done, open failed: ELOOP, done, \
             unlink failed: EISDIR, true",
        );
    });
    phone.proves("every way to the date gives the device's", |phone| {
        phone.open("ClocksActivity");
        phone.click("clocks");
        phone.expect("result", "19 agree");
    });
}

fn texts(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("hostile texts come through whole", |phone| {
        phone.open("TextsActivity");
        let said = |id| phone.says(id).unwrap();
        assert_eq!(
            said("text_control"),
            "bell \u{7} escape \u{1b}[31m null \0 delete \u{7f} c1 \u{85}"
        );
        assert_eq!(
            said("text_cdata"),
            "]]> <![CDATA[ & &amp; <b> --> %00 {{ x }}"
        );
        assert_eq!(
            said("text_script"),
            "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
        );
        assert_eq!(said("text_surrogate"), "high \u{fffd} low \u{fffd} end");
        assert_eq!(
            said("text_newline"),
            "one\ntwo\r\nthree\ttab\u{2028}line\u{2029}paragraph"
        );
        assert!(said("text_emoji").starts_with('\u{1f600}'));
        assert!(said("text_rtl").contains('\u{202e}'));
        assert_eq!(said("text_empty"), "");
        let long = said("text_long");
        assert!(
            long.len() <= 10_003 && long.ends_with("..."),
            "{}",
            long.len()
        );
        phone.click("trace_frames");
        phone.expect(
            "result",
            "caller of dalvik.system.VMStack, java.lang.Thread",
        );
        phone.click("trace_shown");
        let trace = phone.says("result").unwrap();
        let lines: Vec<_> = trace.lines().collect();
        assert_eq!(lines[0], "java.lang.IllegalStateException: outer");
        assert!(
            lines[1]
                .starts_with("\tat org.droidtest.probe.TextsActivity.trace(TextsActivity.java:"),
            "{trace}"
        );
        let inner = lines
            .iter()
            .position(|l| *l == "Caused by: java.lang.RuntimeException: inner");
        let inner = inner.expect("the cause is there");
        assert!(
            lines[inner - 1].starts_with("\tat android.app.ActivityThread.main("),
            "{trace}"
        );
        assert!(lines[inner + 1].starts_with("\t... "), "{trace}");
        for host in ["robo", "droidtest.app", "jdk.internal", "app//", "$$Lambda"] {
            assert!(!trace.contains(host), "{host} in {trace}");
        }
        phone.click("hostile_title");
        phone.click("hostile_log");
        let frame = "\n\tat org.droidtest.probe.TextsActivity.log(TextsActivity.java:";
        assert!(
            phone.now.log.iter().any(|line| {
                line.message
                    .starts_with("java.lang.IllegalStateException: bell")
                    && line.message.contains(frame)
            }),
            "no trace of the logged exception"
        );
        assert!(!phone.now.log.iter().any(|l| l.tag == "RippleDrawable"));
        phone.expect("result", "logged");
        phone.click("hostile_toast");
        assert!(
            phone.now.toasts.iter().any(|t| t.contains("]]>")),
            "{:?}",
            phone.now.toasts
        );
    });
    phone.proves("a hostile crash message comes through", |phone| {
        phone.open("TextsActivity");
        phone.click("hostile_crash");
        let crash = phone.now.crash.clone().expect("a crash");
        assert!(crash.message.unwrap().contains("]]> <![CDATA["));
        assert!(crash.stack.contains("<script>"));
        // As on a device: one frame for a method, whatever is between the caller and its code here.
        let clicks = crash.stack.matches("android.view.View.performClick(");
        assert_eq!(clicks.count(), 1, "{}", crash.stack);
    });
}

/// The last in its process: permissions are requested from here on.
fn asked(phone: &mut Phone) {
    phone.install("probe", false);
    phone.proves("without the permission others' providers refuse", |phone| {
        phone.reset(Reset::ClearData);
        phone.open("NavigationActivity");
        phone.click("contacts");
        phone.expect("result", "refused: java.lang.SecurityException");
    });
    phone.proves("the permission dialog denies and grants", |phone| {
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.click_text("Deny");
        phone.expect("result", "camera denied");
        phone.click("permission");
        phone.click_text("Allow");
        phone.expect("result", "camera granted");
        phone.click("permission");
        phone.expect("result", "camera was granted before");
    });
    phone.proves("a grant outlives the process, not the data", |phone| {
        phone.reset(Reset::Relaunch);
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.expect("result", "camera was granted before");
        phone.reset(Reset::ClearData);
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.click_text("Allow");
        phone.expect("result", "camera granted");
    });
    assert!(phone.device.caps().rotation);
}
