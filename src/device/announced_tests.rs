//! One test a row of Dynodroid's table.

use super::*;
use crate::util::seed::generator;
use std::collections::BTreeSet;

const INTENT: &str = "android.intent.action.";

fn drawn(action: &str) -> Vec<Extras> {
    let mut rng = generator(1, "a", "b", 0);
    let event = SystemEvent::Broadcast {
        action: action.into(),
        component: None,
        extras: Extras::new(),
    };
    let sent = |_| match filled(&event, &mut rng) {
        SystemEvent::Broadcast { extras, .. } => extras,
        other => panic!("{other}"),
    };
    (0..200).map(sent).collect()
}

/// All values drawn for an extra, as they are written.
fn values(action: &str, name: &str) -> BTreeSet<String> {
    let all = drawn(action);
    let texts = all.iter().filter_map(|extras| extras.get(name));
    texts.map(|e| serde_json::to_string(e).unwrap()).collect()
}

fn intent(action: &str, name: &str) -> BTreeSet<String> {
    values(&format!("{INTENT}{action}"), name)
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn appwidget_update_has_arrays_of_several_sizes() {
    let all = drawn("android.appwidget.action.APPWIDGET_UPDATE");
    let sizes: BTreeSet<usize> = all
        .iter()
        .map(|extras| match &extras["appWidgetIds"] {
            Extra::Numbers(ids) => ids.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sizes, BTreeSet::from([1, 2, 3, 4]));
}

#[test]
fn connectivity_change_has_both_networks_with_and_without_a_connection() {
    let action = "android.net.conn.CONNECTIVITY_CHANGE";
    assert_eq!(values(action, "networkType"), set(&["0", "1"]));
    assert_eq!(values(action, "noConnectivity"), set(&["true"]));
    let without = |extras: &&Extras| !extras.contains_key("noConnectivity");
    assert!(drawn(action).iter().filter(without).count() > 50);
}

#[test]
fn package_added_has_a_uid_and_is_replacing_or_not() {
    assert!(intent("PACKAGE_ADDED", UID).len() > 100);
    assert_eq!(intent("PACKAGE_ADDED", REPLACING), set(&["false", "true"]));
}

#[test]
fn package_removed_has_a_uid_and_two_answers() {
    assert!(intent("PACKAGE_REMOVED", UID).len() > 100);
    for name in [REPLACING, "android.intent.extra.DATA_REMOVED"] {
        assert_eq!(intent("PACKAGE_REMOVED", name), set(&["false", "true"]));
    }
}

#[test]
fn package_replaced_has_a_uid_only() {
    let all = drawn("android.intent.action.PACKAGE_REPLACED");
    assert!(all.iter().all(|extras| extras.keys().eq([UID])));
}

#[test]
fn media_mounted_is_not_read_only() {
    assert_eq!(intent("MEDIA_MOUNTED", "read-only"), set(&["false"]));
}

#[test]
fn a_time_zone_is_the_papers_or_another() {
    let zones = intent("TIMEZONE_CHANGED", "time-zone");
    assert!(zones.contains("\"America/Los_Angeles\""));
    assert_eq!(zones.len(), ZONES.len());
}

#[test]
fn a_media_button_is_the_papers_or_another() {
    let keys = intent("MEDIA_BUTTON", KEY);
    assert!(keys.contains("85"));
    assert_eq!(keys.len(), MEDIA_KEYS.len());
}

#[test]
fn a_message_has_a_sender_and_a_text() {
    let action = "android.provider.Telephony.SMS_RECEIVED";
    assert!(values(action, MESSAGE[0]).len() > 50);
    assert_eq!(values(action, MESSAGE[1]).len(), MESSAGES.len());
}

#[test]
fn only_a_ringing_phone_has_a_number() {
    let states = intent("PHONE_STATE", STATE);
    assert_eq!(states, set(&["\"IDLE\"", "\"OFFHOOK\"", "\"RINGING\""]));
    for extras in drawn("android.intent.action.PHONE_STATE") {
        let rings = extras[STATE] == Extra::Text("RINGING".into());
        assert_eq!(extras.contains_key(NUMBER), rings);
    }
}

#[test]
fn an_outgoing_call_has_a_number() {
    assert!(intent("NEW_OUTGOING_CALL", "android.intent.extra.PHONE_NUMBER").len() > 50);
}

/// `MEDIA_UNMOUNTED` and `MEDIA_SCANNER_FINISHED` have a URI in the paper's table. It is no extra: the jvm device adds it
/// (`Announcements.java`).
#[test]
fn the_other_rows_have_no_extras() {
    for action in [
        "ACTION_POWER_CONNECTED",
        "ACTION_SHUTDOWN",
        "TIME_SET",
        "DATE_CHANGED",
        "USER_PRESENT",
        "MEDIA_EJECT",
        "MEDIA_UNMOUNTED",
        "MEDIA_SCANNER_FINISHED",
        "BOOT_COMPLETED",
        "BATTERY_LOW",
    ] {
        let all = drawn(&format!("{INTENT}{action}"));
        assert!(all.iter().all(Extras::is_empty), "{action}");
    }
    assert!(drawn("com.x.OWN").iter().all(Extras::is_empty));
}

#[test]
fn positions_and_sensors_vary_and_stay_on_earth() {
    let mut rng = generator(1, "a", "b", 0);
    let mut seen = BTreeSet::new();
    for _ in 0..200 {
        let location = SystemEvent::Location { values: vec![] };
        let SystemEvent::Location { values } = filled(&location, &mut rng) else {
            panic!()
        };
        let [latitude, longitude, accuracy] = &values[..] else {
            panic!("{values:?}")
        };
        assert!(latitude.as_f64().unwrap().abs() <= 85.0);
        assert!(longitude.as_f64().unwrap().abs() <= 180.0);
        assert!(accuracy.as_f64().unwrap() >= 1.0);
        seen.insert(format!("{values:?}"));
        let sensor = SystemEvent::Sensor {
            sensor: 1,
            values: vec![],
        };
        let felt = filled(&sensor, &mut rng);
        assert!(matches!(&felt, SystemEvent::Sensor { values, .. } if values.len() == 3));
        assert_eq!(filled(&felt, &mut rng), felt, "what has values keeps them");
    }
    assert_eq!(seen.len(), 200);
}

#[test]
fn the_same_seed_sends_the_same() {
    let action = "android.intent.action.BATTERY_CHANGED";
    assert_eq!(drawn(action), drawn(action));
}
