//! Pages that have much of something: ten times as much takes about ten times as long on the jvm device, not a hundred.

use crate::common::app;
use crate::common::phone::Phone;
use droidtest::device::{Action, Reset};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Of ten times as much, how many times as long is still no sign of a square.
const SLACK: u32 = 30;

/// Taps a button of the first page with this amount in its field, and gives how long that takes until `result` or the
/// page is there.
fn opened(phone: &mut Phone, button: &str, amount: u32) -> Duration {
    phone.reset(Reset::ClearData);
    phone.text("amount", &amount.to_string(), false);
    let n = phone.by_text(button);
    let start = Instant::now();
    phone.act(&Action::Click { n });
    start.elapsed()
}

/// Compares an amount with ten times as much; the first of all is not counted, as it loads classes.
fn grows(phone: &mut Phone, button: &str, amount: u32, arrived: impl Fn(&mut Phone, u32)) {
    let mut took = [Duration::MAX; 2];
    for round in 0..3 {
        for (shortest, amount) in took.iter_mut().zip([amount, amount * 10]) {
            let found = opened(phone, button, amount);
            arrived(phone, amount);
            if round > 0 {
                *shortest = found.min(*shortest);
            }
        }
    }
    let [small, large] = took;
    println!("{button}: {amount} take {small:?}, ten times as many {large:?}");
    // What takes no time has no ratio.
    let floor = Duration::from_millis(20);
    assert!(
        large < small.max(floor) * SLACK,
        "{button}: {small:?}, {large:?}"
    );
}

#[test]
fn a_page_of_three_thousand_nodes_is_seen_whole() {
    let Some(mut phone) = Phone::with("large", |_| {}) else {
        return;
    };
    grows(&mut phone, "nodes", 300, |phone, amount| {
        assert_eq!(phone.activity(), "NodesActivity");
        let last = (amount - 1).to_string();
        assert!(phone.shows("0") && phone.shows(&last), "{amount}");
        phone.click_text("4");
        phone.expect("result", "clicked 4");
    });
    phone.finish();
}

#[test]
fn a_page_nested_deeply_is_seen_to_its_end() {
    let Some(mut phone) = Phone::with("large", |_| {}) else {
        return;
    };
    grows(&mut phone, "deep", 20, |phone, amount| {
        assert_eq!(phone.activity(), "DeepActivity");
        assert!(phone.page().0.widgets.len() > amount as usize);
        phone.click_text("innermost");
        phone.expect("result", "clicked innermost");
    });
    phone.finish();
}

#[test]
fn a_page_of_three_thousand_drawn_widgets_is_seen_whole() {
    let Some(mut phone) = Phone::with("large", |_| {}) else {
        return;
    };
    grows(&mut phone, "drawn", 300, |phone, amount| {
        assert_eq!(phone.activity(), "DrawnActivity");
        let last = (amount - 1).to_string();
        assert!(phone.shows("0") && phone.shows(&last), "{amount}");
    });
    phone.finish();
}

#[test]
fn a_list_of_a_hundred_thousand_rows_is_as_fast_as_a_short_one() {
    let Some(mut phone) = Phone::with("large", |_| {}) else {
        return;
    };
    grows(&mut phone, "rows", 10_000, |phone, amount| {
        let last = format!("row {}", amount - 1);
        assert!(phone.shows(&last), "{}", phone.shown());
        assert!(phone.page().0.widgets.len() < 100);
    });
    phone.finish();
}

/// Steps that one tap takes.
const STEPS: u32 = 100;

/// Set `DROIDTEST_STEPS` to 10000 for as many; each takes some milliseconds.
#[test]
fn an_activity_that_is_started_often_takes_no_longer_each_time() {
    let Some(mut phone) = Phone::with("large", |_| {}) else {
        return;
    };
    let named = std::env::var("DROIDTEST_STEPS").ok();
    let wanted: u32 = named.map_or(1_000, |text| text.parse().unwrap());
    phone.reset(Reset::ClearData);
    phone.text("amount", &STEPS.to_string(), false);
    let mut took = Vec::new();
    for taps in 1..=wanted / STEPS {
        let start = Instant::now();
        phone.click_text("steps");
        phone.expect("result", &format!("{} steps taken", taps * STEPS));
        took.push(start.elapsed());
    }
    let shortest = |all: &[Duration]| all.iter().min().copied().unwrap();
    let (first, last) = took.split_at(took.len() / 2);
    let (first, last) = (shortest(first), shortest(last));
    println!("{STEPS} of the first steps take {first:?}, of the last {last:?}");
    assert!(last < first * 3, "{first:?}, {last:?}");
    phone.finish();
}

/// What `generate.py` writes; none where aapt2 is missing, which it needs.
fn generated(arguments: &[&str], to: &Path) -> bool {
    let Some((android, r8)) = jars() else {
        crate::common::skip::skip("android-all or r8 is not in Maven's repository");
        return false;
    };
    if Command::new("aapt2").arg("version").output().is_err() {
        crate::common::skip::skip("no aapt2");
        return false;
    }
    let (kind, rest) = arguments.split_first().unwrap();
    let made = Command::new("python3")
        .arg(app("large/generate.py"))
        .arg(kind)
        .arg(to)
        .args(rest)
        .env("ANDROID_JAR", android)
        .env("R8_JAR", r8)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{text}");
    true
}

/// android-all and r8, where a build script has fetched them.
fn jars() -> Option<(std::path::PathBuf, std::path::PathBuf)> {
    let repository = Path::new(&std::env::var_os("HOME")?).join(".m2/repository");
    let jar = |folder: &str, name: &str| {
        let file = repository.join(folder).join(name);
        file.is_file().then_some(file)
    };
    Some((
        jar(
            "org/robolectric/android-all/14-robolectric-10818077",
            "android-all-14-robolectric-10818077.jar",
        )?,
        jar("com/android/tools/r8/8.7.18", "r8-8.7.18.jar")?,
    ))
}

#[test]
fn eighty_languages_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let apk = folder.path().join("languages.apk");
    let few = ["languages", "--languages", "80", "--megabytes", "2"];
    if !generated(&few, &apk) {
        return;
    }
    let Some(mut phone) = Phone::with_apk("org.droidtest.large", &apk) else {
        return;
    };
    phone.reset(Reset::ClearData);
    phone.click_text("nodes");
    assert_eq!(phone.activity(), "NodesActivity");
    phone.finish();
}
