//! Raw evidence a device passes on with an observation, in the agent's spelling (`docs/agent-protocol.md`).

use serde::{Deserialize, Serialize};

/// An uncaught exception in the app's process.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Crash {
    /// Name of the thread it ended.
    pub thread: String,
    /// Exception class as thrown.
    pub class: String,
    /// Its message.
    pub message: Option<String>,
    /// The text logcat would show, from `FATAL EXCEPTION` on.
    pub stack: String,
    /// Class of the last cause.
    pub root_class: Option<String>,
    /// Message of the last cause.
    pub root_message: Option<String>,
    /// Topmost frame in the app's code, as `class.method(File.java:12)`.
    pub app_frame: Option<String>,
    /// The rule by which the environment, not the app, is the cause.
    pub environment: Option<String>,
    /// What the rule saw.
    pub detail: Option<String>,
    /// The outside cause, as far as the exception shows it: `offline`.
    pub provoked_by: Option<String>,
}

/// The main thread was blocked.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Anr {
    /// For how long, in milliseconds.
    pub ms: u64,
    /// On the device's virtual clock (a sleep), or in real time?
    #[serde(rename = "virtual")]
    pub virtual_time: bool,
    /// The top frame.
    pub stack: String,
    /// The rule by which the device is the cause: it lacks the answer that the thread waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The answer that it lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// One line of the app's log: priority 2 (verbose) to 7 (assert), tag, message.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(from = "(u8, String, String)", into = "(u8, String, String)")]
pub struct LogLine {
    /// Android's priority.
    pub priority: u8,
    /// Tag.
    pub tag: String,
    /// Message.
    pub message: String,
}

impl From<(u8, String, String)> for LogLine {
    fn from((priority, tag, message): (u8, String, String)) -> Self {
        Self {
            priority,
            tag,
            message,
        }
    }
}

impl From<LogLine> for (u8, String, String) {
    fn from(line: LogLine) -> Self {
        (line.priority, line.tag, line.message)
    }
}

/// An intent that would have left the app: recorded and refused.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Left {
    /// `activity`, `service` or `broadcast`.
    pub kind: String,
    /// The intent's action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Its data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Its component, when named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// Was a result requested? (It was cancelled.)
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub for_result: bool,
}

/// A limit of the environment that the app encountered.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct EnvironmentLimit {
    /// The rule's name, such as `native-library`.
    pub rule: String,
    /// What was observed.
    pub detail: String,
}
