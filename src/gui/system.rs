//! System events: what reaches an app from outside its screen.

use super::Fault;
use serde::{Deserialize, Serialize};
use std::fmt;

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
    Location,
    /// New values of a sensor (`Sensor.TYPE_*`) for its listeners.
    Sensor {
        /// Which sensor.
        sensor: i32,
    },
    /// Something goes wrong around the app, or changes under it.
    Fault {
        /// What.
        fault: Fault,
    },
}

impl fmt::Display for SystemEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rotate => f.write_str("rotate"),
            Self::Home => f.write_str("home and return"),
            Self::Relaunch => f.write_str("relaunch"),
            Self::Broadcast { action, .. } => write!(f, "broadcast {action}"),
            Self::Service { component, .. } => write!(f, "start service {component}"),
            Self::Activity {
                component,
                data: Some(data),
                ..
            } => write!(f, "start activity {component} with {data}"),
            Self::Activity { component, .. } => write!(f, "start activity {component}"),
            Self::Location => f.write_str("new location"),
            Self::Sensor { sensor } => write!(f, "sensor {sensor}"),
            Self::Fault { fault } => write!(f, "{fault}"),
        }
    }
}
