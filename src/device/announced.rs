//! What Android itself puts into the system events that it sends: Dynodroid's table of events with their data (paper,
//! section 3.1, table 1), and what else receivers rely on. Without it they would crash in a way that no phone shows.
//!
//! Values are drawn each time. What is an object on Android goes over the wire as the numbers and texts that it is made
//! of: the network's by its type, a key event by its code, a message by its sender and text.

use crate::gui::system::Extras;
use crate::gui::{Extra, SystemEvent};
use crate::util::seed::Rng;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use serde_json::Number;

/// The state of the phone's calls in `PHONE_STATE`: `IDLE`, `RINGING` or `OFFHOOK`.
pub const STATE: &str = "state";
/// The caller's number in `PHONE_STATE`.
pub const NUMBER: &str = "incoming_number";
/// The code of the key in `MEDIA_BUTTON`.
pub const KEY: &str = "android.intent.extra.KEY_EVENT";
/// Sender and text of a message in `SMS_RECEIVED`.
pub const MESSAGE: [&str; 2] = ["number", "text"];

const UID: &str = "android.intent.extra.UID";
const REPLACING: &str = "android.intent.extra.REPLACING";
/// The paper's, and some with other rules for summer time and other distances to UTC.
const ZONES: [&str; 5] = [
    "America/Los_Angeles",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Pacific/Auckland",
    "UTC",
];
/// Play or pause (the paper's), stop, next, previous, play, pause.
const MEDIA_KEYS: [i64; 6] = [85, 86, 87, 88, 126, 127];
/// Messages; all in the 7-bit alphabet of GSM 03.38 where it equals ASCII.
const MESSAGES: [&str; 5] = ["Hello", "Your code is 483920", "Call me back", "OK?", ""];
/// The largest value drawn, in the sensor's unit: for an accelerometer about twice the earth's gravity.
const FELT: f64 = 20.0;

/// The event with values for all that Android would send with it. What has values keeps them.
pub fn filled(event: &SystemEvent, rng: &mut Rng) -> SystemEvent {
    let mut event = event.clone();
    match &mut event {
        SystemEvent::Broadcast { action, extras, .. } if extras.is_empty() => {
            *extras = of(action, rng);
        }
        SystemEvent::Call { extras } if extras.is_empty() => {
            *extras = of("android.intent.action.PHONE_STATE", rng);
        }
        SystemEvent::Location { values } if values.is_empty() => {
            let accuracy = Number::from(rng.random_range(1..=100));
            let at = |most: f64, rng: &mut Rng| rounded(rng.random_range(-most..=most), 1e6);
            *values = [at(85.0, rng), at(180.0, rng)]
                .into_iter()
                .flatten()
                .chain([accuracy])
                .collect();
        }
        SystemEvent::Sensor { values, .. } if values.is_empty() => {
            *values = (0..3)
                .filter_map(|_| rounded(rng.random_range(-FELT..=FELT), 1e3))
                .collect();
        }
        _ => {}
    }
    event
}

/// In steps of `1 / parts`, so that a trace shows a number that a person can read.
fn rounded(value: f64, parts: f64) -> Option<Number> {
    Number::from_f64((value * parts).round() / parts)
}

/// The extras of a broadcast.
fn of(action: &str, rng: &mut Rng) -> Extras {
    let Some(action) = action.strip_prefix("android.") else {
        return Extras::new();
    };
    let list: Vec<(&str, Extra)> = match action {
        "appwidget.action.APPWIDGET_UPDATE" => vec![("appWidgetIds", some_ids(rng))],
        "appwidget.action.APPWIDGET_DELETED" => vec![("appWidgetId", number(1..=999, rng))],
        "net.conn.CONNECTIVITY_CHANGE" => {
            let mut list = vec![("networkType", number(0..=1, rng))];
            if rng.random() {
                list.push(("noConnectivity", Extra::Flag(true)));
            }
            list
        }
        "net.wifi.WIFI_STATE_CHANGED" => {
            // Disabled, enabled.
            let to = if rng.random() { 1 } else { 3 };
            vec![
                ("wifi_state", Extra::Number(to)),
                ("previous_wifi_state", Extra::Number(4 - to)),
            ]
        }
        "net.wifi.supplicant.CONNECTION_CHANGE" => vec![("connected", flag(rng))],
        "bluetooth.adapter.action.STATE_CHANGED" => {
            // Off, on; turning on, turning off.
            let on = rng.random();
            let (to, from) = if on { (12, 11) } else { (10, 13) };
            let key = "android.bluetooth.adapter.extra.STATE";
            let before = "android.bluetooth.adapter.extra.PREVIOUS_STATE";
            vec![(key, Extra::Number(to)), (before, Extra::Number(from))]
        }
        "media.RINGER_MODE_CHANGED" => {
            vec![("android.media.EXTRA_RINGER_MODE", number(0..=2, rng))]
        }
        "media.VOLUME_CHANGED_ACTION" => vec![
            ("android.media.EXTRA_VOLUME_STREAM_TYPE", number(0..=5, rng)),
            (
                "android.media.EXTRA_VOLUME_STREAM_VALUE",
                number(0..=15, rng),
            ),
            (
                "android.media.EXTRA_PREV_VOLUME_STREAM_VALUE",
                number(0..=15, rng),
            ),
        ],
        "provider.Telephony.SMS_RECEIVED" | "provider.Telephony.SMS_DELIVER" => {
            let [from, text] = MESSAGE;
            vec![(from, phone_number(rng)), (text, one_of(&MESSAGES, rng))]
        }
        other => other
            .strip_prefix("intent.action.")
            .map_or_else(Vec::new, |action| of_intent(action, rng)),
    };
    let owned = |(name, value): (&str, Extra)| (name.to_owned(), value);
    list.into_iter().map(owned).collect()
}

/// The extras of a broadcast whose action is one of `android.content.Intent`'s.
fn of_intent(action: &str, rng: &mut Rng) -> Vec<(&'static str, Extra)> {
    match action {
        "BATTERY_CHANGED" => vec![
            ("level", number(0..=100, rng)),
            ("scale", Extra::Number(100)),
            // Charging, discharging, not charging, full.
            ("status", number(2..=5, rng)),
            ("health", number(2..=7, rng)),
            // By nothing, the mains, USB.
            ("plugged", number(0..=2, rng)),
            ("voltage", number(3_400..=4_300, rng)),
            ("temperature", number(50..=450, rng)),
            ("technology", Extra::Text("Li-ion".into())),
            ("present", Extra::Flag(true)),
        ],
        "PHONE_STATE" => match rng.random_range(0..3) {
            0 => vec![(STATE, Extra::Text("IDLE".into()))],
            1 => vec![(STATE, Extra::Text("OFFHOOK".into()))],
            _ => vec![
                (STATE, Extra::Text("RINGING".into())),
                (NUMBER, phone_number(rng)),
            ],
        },
        "NEW_OUTGOING_CALL" => vec![("android.intent.extra.PHONE_NUMBER", phone_number(rng))],
        "HEADSET_PLUG" => vec![
            (STATE, number(0..=1, rng)),
            ("name", Extra::Text("Headset".into())),
            ("microphone", number(0..=1, rng)),
        ],
        "AIRPLANE_MODE" => vec![(STATE, flag(rng))],
        "TIMEZONE_CHANGED" => vec![("time-zone", one_of(&ZONES, rng))],
        "MEDIA_BUTTON" => {
            let code = MEDIA_KEYS.choose(rng).copied().unwrap_or(MEDIA_KEYS[0]);
            vec![(KEY, Extra::Number(code))]
        }
        "MEDIA_MOUNTED" => vec![("read-only", Extra::Flag(false))],
        "PACKAGE_ADDED" => vec![(UID, uid(rng)), (REPLACING, flag(rng))],
        "PACKAGE_REMOVED" => vec![
            (UID, uid(rng)),
            ("android.intent.extra.DATA_REMOVED", flag(rng)),
            (REPLACING, flag(rng)),
        ],
        other if other.starts_with("PACKAGE_") => vec![(UID, uid(rng))],
        _ => Vec::new(),
    }
}

fn number(range: std::ops::RangeInclusive<i64>, rng: &mut Rng) -> Extra {
    Extra::Number(rng.random_range(range))
}

fn flag(rng: &mut Rng) -> Extra {
    Extra::Flag(rng.random())
}

fn one_of(texts: &[&str], rng: &mut Rng) -> Extra {
    Extra::Text(texts.choose(rng).copied().unwrap_or_default().to_owned())
}

/// Of an installed app.
fn uid(rng: &mut Rng) -> Extra {
    number(10_000..=19_999, rng)
}

/// Of the numbers that are reserved for fiction (555-0100 to 555-0199).
fn phone_number(rng: &mut Rng) -> Extra {
    Extra::Text(format!("55501{:02}", rng.random_range(0..100)))
}

fn some_ids(rng: &mut Rng) -> Extra {
    let count = rng.random_range(1..=4);
    Extra::Numbers((0..count).map(|_| rng.random_range(1..=999)).collect())
}

#[cfg(test)]
#[path = "announced_tests.rs"]
mod tests;
