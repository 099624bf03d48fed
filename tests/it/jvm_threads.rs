//! The app's threads take turns on the jvm device: what they do is the same in every run, by the virtual clock.

use crate::common::phone::Phone;
use droidtest::device::{Action, Device as _, DeviceError, Reset};

/// Clicks one of the app's buttons and gives what it then shows.
fn shows(phone: &mut Phone, button: &str) -> String {
    phone.click_text(button);
    phone.wait(200);
    phone.says("result").unwrap_or_default()
}

#[test]
fn threads_are_in_the_same_order_in_every_process() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let Some(mut phone) = Phone::with("threads", |_| {}) else {
            return;
        };
        phone.reset(Reset::ClearData);
        seen.push([0; 3].map(|_| (shows(&mut phone, "race"), phone.now.clock_ms)));
    }
    assert_eq!(seen[0], seen[1]);
    // Each race is another one: the pool's threads have drawn other numbers.
    assert!(seen[0][0].0.len() > 12 && seen[0][0].0 != seen[0][1].0);
}

#[test]
fn what_waits_for_a_time_waits_on_the_virtual_clock() {
    let Some(mut phone) = Phone::with("threads", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    for (button, expected) in [
        ("park", "parked 250"),
        ("timer", "ticks 50 120 190"),
        ("talk", "alone heard interrupted false"),
        ("lock", "locked 700"),
        ("future", "timeout 16"),
        ("stop", "woken"),
        ("looper", "posted 120"),
        ("own", "slept 130"),
    ] {
        phone.proves(button, |p| assert_eq!(shows(p, button), expected));
    }
    phone.proves("a main thread that waits too long does not respond", |p| {
        let n = p.by_text("stuck");
        p.act(&Action::Click { n });
        let anr = p.now.anr.clone().expect("an ANR");
        assert_eq!((anr.ms, anr.virtual_time), (8000, true));
        assert!(anr.stack.contains("threads.Waits.stuck"), "{}", anr.stack);
        p.expect("result", "gave up");
    });
    phone.finish();
}

#[test]
fn a_main_thread_that_waits_for_ever_does_not_respond() {
    let Some(mut phone) = Phone::with("threads", |_| {}) else {
        return;
    };
    for (button, at) in [
        ("never", "threads.Waits.never"),
        ("ticking", "threads.Waits.ticking"),
        ("endless", "threads.Waits.endless"),
        ("leave", "threads.MainActivity.onStop"),
    ] {
        phone.reset(Reset::ClearData);
        phone.proves(button, |p| {
            let n = p.by_text(button);
            p.act(&Action::Click { n });
            not_responding(p, at);
            assert_eq!(p.now.anr.as_ref().unwrap().environment, None);
        });
    }
    phone.proves("an answer that the device does not give", |p| {
        p.reset(Reset::ClearData);
        let n = p.by_text("asks");
        p.act(&Action::Click { n });
        not_responding(p, "threads.Waits.asks");
        let anr = p.now.anr.clone().unwrap();
        assert_eq!(anr.environment.as_deref(), Some("framework-stub"));
        let call = "ICredentialManager.clearCredentialState is never answered";
        assert_eq!(anr.detail.as_deref(), Some(call));
    });
    phone.proves("at the start", |p| {
        p.reset(Reset::ClearData);
        p.click_text("next start");
        p.reset(Reset::Relaunch);
        not_responding(p, "threads.MainActivity.onCreate");
        // The next life of the process is not disturbed by it.
        p.reset(Reset::ClearData);
        assert_eq!(shows(p, "park"), "parked 250");
    });
    phone.proves("two threads that wait for each other's monitors", |p| {
        p.click_text("knot");
        // Before the app's code the framework starts, for longer than the samples of the watchdog are apart.
        match p.device.reset(Reset::Relaunch) {
            Err(DeviceError::Blocked(anr)) => {
                assert!(
                    anr.stack.contains("threads.MainActivity.knot"),
                    "{}",
                    anr.stack
                );
            }
            other => panic!("no blocked main thread: {other:?}"),
        }
        p.reset(Reset::ClearData);
    });
    phone.finish();
}

/// The system has ended the app, by the virtual clock, and its main thread waited there.
fn not_responding(phone: &Phone, at: &str) {
    let anr = phone.now.anr.clone().expect("an ANR");
    assert!(
        anr.virtual_time && (5_000..40_000).contains(&anr.ms),
        "{}",
        anr.ms
    );
    assert!(anr.stack.contains(at), "{}", anr.stack);
    assert!(!phone.now.alive);
    assert_eq!(phone.now.exit.as_deref(), Some("not-responding"));
}

#[test]
fn what_is_referred_to_weakly_goes_at_a_fixed_place() {
    let Some(mut phone) = Phone::with("threads", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    // The collector runs several times within this step.
    assert_eq!(shows(&mut phone, "weak"), "400 of 400 after 600 MB");
    for _ in 0..130 {
        phone.act(&Action::Wait { ms: 10 });
    }
    // What is referred to softly stays as long as there is room for it.
    assert_eq!(shows(&mut phone, "left"), "200 left");
    phone.finish();
}

#[test]
fn a_thread_that_never_rests_is_left_alone_and_named() {
    let Some(mut phone) = Phone::with("threads", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    let n = phone.by_text("spin");
    phone.act(&Action::Click { n });
    let limits = &phone.now.environment;
    assert_eq!(limits.len(), 1, "{limits:?}");
    assert_eq!(limits[0].rule, "unstable");
    assert!(limits[0].detail.contains("spinner"), "{}", limits[0].detail);
    // The others continue next to it.
    assert_eq!(shows(&mut phone, "park"), "parked 250");
}
