//! System events: what reaches an app from outside its screen.

use super::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::collections::BTreeMap;
use std::fmt;

/// The value of an intent's extra.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "an extra is a boolean, an integer, a text, or an array of integers or of texts"
)]
pub enum Extra {
    /// A boolean.
    Flag(bool),
    /// An `int`, a `long` where it needs one.
    Number(i64),
    /// A string.
    Text(String),
    /// An array of `int`.
    Numbers(Vec<i64>),
    /// An array of strings.
    Texts(Vec<String>),
}

/// An intent's extras by name.
pub type Extras = BTreeMap<String, Extra>;

/// One system event; only those an app listens to are offered.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum SystemEvent {
    /// The screen turns by a quarter and stays so.
    Rotate,
    /// The app goes to the background and returns.
    Home,
    /// The process ends and the app is started again; its files stay.
    Relaunch,
    /// A broadcast to the app's receiver.
    Broadcast {
        /// The intent's action.
        action: String,
        /// The receiver named in the manifest; `None` for one registered in code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        component: Option<String>,
        /// What it carries; empty until it is sent.
        #[serde(default, skip_serializing_if = "Extras::is_empty")]
        extras: Extras,
    },
    /// One of the app's services is started.
    Service {
        /// The service's class.
        component: String,
        /// The action of one of its intent filters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        action: Option<String>,
    },
    /// An exported activity is started, as another app could.
    Activity {
        /// The activity's class.
        component: String,
        /// The action of one of its intent filters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        action: Option<String>,
        /// The address that it is started with: a deep link.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<String>,
    },
    /// A new position for location listeners.
    Location {
        /// Latitude and longitude in degrees, accuracy in metres; empty until it is sent.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<Number>,
    },
    /// New values of a sensor (`Sensor.TYPE_*`) for its listeners.
    Sensor {
        /// Which sensor.
        sensor: i32,
        /// Its values, in the sensor's unit; empty until it is sent.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<Number>,
    },
    /// The state of the phone's calls changes, for telephony listeners.
    Call {
        /// As the broadcast `PHONE_STATE` has them: `state`, `incoming_number`; empty until it is sent.
        #[serde(default, skip_serializing_if = "Extras::is_empty")]
        extras: Extras,
    },
    /// Something goes wrong around the app, or changes under it.
    Fault {
        /// What.
        fault: Fault,
    },
}

impl SystemEvent {
    /// Is it made up: a component started, or a broadcast of the app's own sent, without the extras that its real
    /// senders put in? Android's broadcasts come with theirs; an entry of the launcher or a link that is opened needs none.
    pub fn is_artificial(&self) -> bool {
        let of_android = |action: &str| {
            ["android.", "com.android."]
                .iter()
                .any(|prefix| action.starts_with(prefix))
        };
        match self {
            Self::Broadcast { action, extras, .. } => !of_android(action) && extras.is_empty(),
            Self::Service { .. } => true,
            Self::Activity { action, data, .. } => {
                data.is_none() && action.as_deref() != Some("android.intent.action.MAIN")
            }
            _ => false,
        }
    }
}

impl fmt::Display for SystemEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rotate => f.write_str("rotate"),
            Self::Home => f.write_str("home and return"),
            Self::Relaunch => f.write_str("relaunch"),
            Self::Broadcast { action, extras, .. } => {
                write!(f, "broadcast {action}")?;
                with_extras(f, extras)
            }
            Self::Service { component, action } => {
                write!(f, "start service {component}")?;
                with_action(f, action.as_deref())
            }
            Self::Activity {
                component,
                action,
                data,
            } => {
                write!(f, "start activity {component}")?;
                with_action(f, action.as_deref())?;
                match data {
                    Some(data) => write!(f, " with {data}"),
                    None => Ok(()),
                }
            }
            Self::Location { values } => {
                f.write_str("new location")?;
                with_values(f, values)
            }
            Self::Sensor { sensor, values } => {
                write!(f, "sensor {sensor}")?;
                with_values(f, values)
            }
            Self::Call { extras } => {
                f.write_str("phone call")?;
                with_extras(f, extras)
            }
            Self::Fault { fault } => write!(f, "{fault}"),
        }?;
        match self.is_artificial() {
            true => f.write_str(" without extras"),
            false => Ok(()),
        }
    }
}

fn with_extras(f: &mut fmt::Formatter<'_>, extras: &Extras) -> fmt::Result {
    for (at, (name, value)) in extras.iter().enumerate() {
        let before = if at == 0 { " with " } else { ", " };
        // The constants of Android's classes have long names: the last part tells them apart.
        let name = name.rsplit('.').next().unwrap_or(name);
        let value = serde_json::to_string(value).map_err(|_| fmt::Error)?;
        write!(f, "{before}{name} = {value}")?;
    }
    Ok(())
}

fn with_values(f: &mut fmt::Formatter<'_>, values: &[Number]) -> fmt::Result {
    for (at, value) in values.iter().enumerate() {
        let before = if at == 0 { ": " } else { ", " };
        write!(f, "{before}{value}")?;
    }
    Ok(())
}

fn with_action(f: &mut fmt::Formatter<'_>, action: Option<&str>) -> fmt::Result {
    match action {
        Some(action) => write!(f, " ({action})"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_real_sender_would_send_is_artificial_and_its_words_name_action_and_extras() {
        let action = |name: &str| Some(name.to_owned());
        let activity = |name: &str, data: Option<&str>| SystemEvent::Activity {
            component: "a.Share".into(),
            action: action(name),
            data: data.map(str::to_owned),
        };
        let broadcast = |action: &str| SystemEvent::Broadcast {
            action: action.into(),
            component: None,
            extras: Extras::new(),
        };
        let service = SystemEvent::Service {
            component: "a.Sync".into(),
            action: None,
        };
        let made_up = [
            (service, "start service a.Sync without extras"),
            (broadcast("a.REMIND"), "broadcast a.REMIND without extras"),
            (
                activity("android.intent.action.SEND", None),
                "start activity a.Share (android.intent.action.SEND) without extras",
            ),
        ];
        for (event, words) in made_up {
            assert!(event.is_artificial());
            assert_eq!(event.to_string(), words);
        }
        let real = [
            broadcast("android.intent.action.BOOT_COMPLETED"),
            activity("android.intent.action.VIEW", Some("notes://new")),
            activity("android.intent.action.MAIN", None),
            SystemEvent::Rotate,
            SystemEvent::Fault {
                fault: Fault::ProcessDeath,
            },
        ];
        for event in real {
            assert!(!event.is_artificial(), "{event}");
            assert!(!event.to_string().contains("extras"));
        }
    }
}
