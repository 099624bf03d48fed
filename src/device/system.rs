//! System events as sent to devices.

use super::Action;
use crate::gui::SystemEvent;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The action behind a system event; `None` for `Relaunch`, which is a reset.
pub fn lower_system(event: &SystemEvent, rotation: u8) -> Option<Action> {
    Some(match event {
        SystemEvent::Rotate => Action::Rotate {
            to: (rotation + 1) % 2,
        },
        SystemEvent::Home => Action::Home,
        SystemEvent::Relaunch => return None,
        SystemEvent::Broadcast { action, component } => Action::Broadcast {
            action: action.clone(),
            component: component.clone(),
            extras: extras(action),
        },
        SystemEvent::Service { component, action } => Action::Service {
            component: component.clone(),
            action: action.clone(),
            extras: BTreeMap::new(),
        },
        SystemEvent::Activity {
            component,
            action,
            data,
        } => Action::StartActivity {
            component: component.clone(),
            action: action.clone(),
            data: data.clone(),
        },
        SystemEvent::Location => Action::Location {
            values: vec![52.52, 13.405, 30.0],
        },
        SystemEvent::Sensor { sensor } => Action::Sensor {
            values: vec![f64::from(*sensor), 1.0, 2.0, 9.0],
        },
        SystemEvent::Fault { fault } => Action::Fault {
            name: fault.name().to_owned(),
        },
    })
}

/// What Android itself puts into a well-known broadcast. Receivers may rely on it: without it they would
/// crash in a way that no phone shows.
fn extras(action: &str) -> BTreeMap<String, Value> {
    let extras = match action {
        "android.intent.action.BATTERY_CHANGED" => json!({
            "level": 50, "scale": 100, "status": 3, "health": 2, "plugged": 0, "voltage": 3900,
            "temperature": 300, "technology": "Li-ion", "present": true,
        }),
        "android.intent.action.PHONE_STATE" => {
            json!({ "state": "RINGING", "incoming_number": "5551234" })
        }
        "android.intent.action.NEW_OUTGOING_CALL" => {
            json!({ "android.intent.extra.PHONE_NUMBER": "5551234" })
        }
        "android.intent.action.HEADSET_PLUG" => {
            json!({ "state": 1, "name": "Headset", "microphone": 1 })
        }
        "android.intent.action.AIRPLANE_MODE" => json!({ "state": true }),
        "android.intent.action.TIMEZONE_CHANGED" => json!({ "time-zone": "Europe/Berlin" }),
        "android.media.RINGER_MODE_CHANGED" => json!({ "android.media.EXTRA_RINGER_MODE": 2 }),
        "android.media.VOLUME_CHANGED_ACTION" => json!({
            "android.media.EXTRA_VOLUME_STREAM_TYPE": 3,
            "android.media.EXTRA_VOLUME_STREAM_VALUE": 7,
            "android.media.EXTRA_PREV_VOLUME_STREAM_VALUE": 6,
        }),
        "android.net.wifi.WIFI_STATE_CHANGED" => {
            json!({ "wifi_state": 3, "previous_wifi_state": 2 })
        }
        "android.net.wifi.supplicant.CONNECTION_CHANGE" => json!({ "connected": true }),
        "android.bluetooth.adapter.action.STATE_CHANGED" => json!({
            "android.bluetooth.adapter.extra.STATE": 12,
            "android.bluetooth.adapter.extra.PREVIOUS_STATE": 11,
        }),
        "android.net.conn.CONNECTIVITY_CHANGE" => json!({ "noConnectivity": true }),
        _ => return BTreeMap::new(),
    };
    match extras {
        Value::Object(map) => map.into_iter().collect(),
        _ => BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broadcast_carries_what_android_would_put_in() {
        let event = |action: &str| SystemEvent::Broadcast {
            action: action.into(),
            component: None,
        };
        let of = |action| match lower_system(&event(action), 0) {
            Some(Action::Broadcast { extras, .. }) => extras.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(of("android.intent.action.BATTERY_CHANGED"), 9);
        assert_eq!(of("com.x.OWN"), 0);
    }

    #[test]
    fn turning_twice_comes_back() {
        let turned = |from| lower_system(&SystemEvent::Rotate, from);
        assert_eq!(turned(0), Some(Action::Rotate { to: 1 }));
        assert_eq!(turned(1), Some(Action::Rotate { to: 0 }));
    }
}
