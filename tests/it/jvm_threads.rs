//! The app's threads take turns on the jvm device: what they do is the same in every run, by the virtual clock.

use crate::common::phone::Phone;
use droidtest::device::{Action, Reset};

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
        assert!(
            anr.stack.contains("threads.MainActivity.stuck"),
            "{}",
            anr.stack
        );
        p.expect("result", "gave up");
    });
    phone.finish();
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
