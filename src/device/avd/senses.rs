//! What an emulator's console can make an app sense: a place, the values of sensors, calls, messages and the battery,
//! in the words of Android's "Send emulator console commands" (`geo fix`, `sensor set`, `gsm`, `sms send`, `power`).
//! The shell may not send the system's own broadcasts of these.

use crate::device::Action;
use crate::device::announced::{MESSAGE, STATE};
use crate::gui::{Extra, Extras};

/// Sensors of the console by `Sensor.TYPE_*`, with how many values they have.
const SENSORS: [(i32, &str, usize); 9] = [
    (1, "acceleration", 3),
    (2, "magnetic-field", 3),
    (3, "orientation", 3),
    (4, "gyroscope", 3),
    (5, "light", 1),
    (6, "pressure", 1),
    (8, "proximity", 1),
    (12, "humidity", 1),
    (13, "temperature", 1),
];

/// Their types.
pub const TYPES: [i32; SENSORS.len()] = {
    let mut types = [0; SENSORS.len()];
    let mut at = 0;
    while at < types.len() {
        types[at] = SENSORS[at].0;
        at += 1;
    }
    types
};

/// All calls are this caller's: one that is answered or ended must be the one that rings.
const CALLER: &str = "5550100";

/// The console's command for this; `None`: it is no matter of the senses, or the console has no such sensor.
pub fn command(action: &Action) -> Option<String> {
    match action {
        // The console wants the longitude first.
        Action::Location { values } => match values.as_slice() {
            [latitude, longitude, ..] => Some(format!("geo fix {longitude} {latitude}")),
            _ => None,
        },
        Action::Sensor { values } => {
            let (kind, values) = values.split_first()?;
            let is_kind = |(known, ..): &&(i32, _, _)| f64::from(*known) == *kind;
            let (_, name, count) = SENSORS.iter().find(is_kind)?;
            let values: Vec<_> = values.iter().take(*count).map(f64::to_string).collect();
            (values.len() == *count).then(|| format!("sensor set {name} {}", values.join(":")))
        }
        Action::Call { state, .. } => call(state),
        Action::Broadcast { action, extras, .. } => broadcast(action, extras),
        _ => None,
    }
}

fn call(state: &str) -> Option<String> {
    let verb = match state {
        "RINGING" => "call",
        "OFFHOOK" => "accept",
        "IDLE" => "cancel",
        _ => return None,
    };
    Some(format!("gsm {verb} {CALLER}"))
}

fn broadcast(action: &str, extras: &Extras) -> Option<String> {
    let text = |name: &str| match extras.get(name) {
        Some(Extra::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    match action {
        "android.intent.action.PHONE_STATE" => call(text(STATE)?),
        "android.provider.Telephony.SMS_RECEIVED" => {
            let [from, body] = MESSAGE;
            let from = text(from).filter(|from| is_number(from))?;
            // The console refuses a message without a text.
            let body = text(body).filter(|body| !body.is_empty()).unwrap_or(" ");
            Some(format!("sms send {from} {}", one_line(body)))
        }
        "android.intent.action.BATTERY_CHANGED" => match extras.get("level") {
            Some(Extra::Number(level)) => Some(format!("power capacity {level}")),
            _ => None,
        },
        "android.intent.action.ACTION_POWER_CONNECTED" => Some("power ac on".to_owned()),
        "android.intent.action.ACTION_POWER_DISCONNECTED" => Some("power ac off".to_owned()),
        _ => None,
    }
}

/// Whether this is a caller's number: any other text would be more words of the console's command.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A text without control characters: the console takes each line for a command.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::announced::filled;
    use crate::device::lower_system;
    use crate::gui::SystemEvent;
    use crate::util::seed::generator;

    #[test]
    fn a_place_and_a_sensor_are_sent_as_the_console_wants_them() {
        let place = |values: &[f64]| {
            command(&Action::Location {
                values: values.to_vec(),
            })
        };
        let berlin = Some("geo fix 13.405 52.52".to_owned());
        assert_eq!(place(&[52.52, 13.405, 30.0]), berlin);
        assert_eq!(place(&[52.52]), None);
        let sensor = |values: &[f64]| {
            command(&Action::Sensor {
                values: values.to_vec(),
            })
        };
        let shaken = Some("sensor set acceleration 1:2:9".to_owned());
        assert_eq!(sensor(&[1.0, 1.0, 2.0, 9.0]), shaken);
        let dark = Some("sensor set light 1".to_owned());
        assert_eq!(sensor(&[5.0, 1.0, 2.0, 9.0]), dark);
        // A step counter is none of the console's.
        assert_eq!(sensor(&[19.0, 1.0, 2.0, 9.0]), None);
        assert_eq!(sensor(&[1.0]), None);
        assert_eq!(command(&Action::Home), None);
    }

    #[test]
    fn a_message_is_one_command() {
        let send = |from: &str, body: &str| {
            let [sender, text] = MESSAGE;
            let extras = [(sender, from), (text, body)];
            let extras = extras.map(|(name, value)| (name.to_owned(), Extra::Text(value.into())));
            broadcast(
                "android.provider.Telephony.SMS_RECEIVED",
                &extras.into_iter().collect(),
            )
        };
        let plain = |body: &str| Some(format!("sms send +4930 {body}"));
        assert_eq!(send("+4930", "hi; $(id) 'x'"), plain("hi; $(id) 'x'"));
        assert_eq!(send("+4930", "hi\r\nkill\u{85}"), plain("hi  kill "));
        assert_eq!(send("+4930", ""), plain(" "));
        for from in ["", "+", "1 2", "1\nkill", "$(id)", "x"] {
            assert_eq!(send(from, "hi"), None, "{from:?}");
        }
    }

    #[test]
    fn what_only_the_system_may_broadcast_happens_by_the_console() {
        let commands = |action: &str| -> Vec<String> {
            let mut rng = generator(3, "a", "b", 0);
            let event = SystemEvent::Broadcast {
                action: action.into(),
                component: None,
                extras: Extras::new(),
            };
            let mut draw = || command(&lower_system(&filled(&event, &mut rng), 0)?);
            let mut all: Vec<_> = (0..50).filter_map(|_| draw()).collect();
            all.sort();
            all.dedup();
            all
        };
        assert_eq!(
            commands("android.intent.action.PHONE_STATE"),
            [
                "gsm accept 5550100",
                "gsm call 5550100",
                "gsm cancel 5550100"
            ]
        );
        let messages = commands("android.provider.Telephony.SMS_RECEIVED");
        assert!(messages.iter().all(|m| m.starts_with("sms send 55501")));
        assert!(messages.len() > 20);
        let levels = commands("android.intent.action.BATTERY_CHANGED");
        assert!(levels.iter().all(|l| l.starts_with("power capacity ")));
        assert_eq!(
            commands("android.intent.action.ACTION_POWER_CONNECTED"),
            ["power ac on"]
        );
        assert!(commands("com.x.OWN").is_empty());
    }
}
