//! The agent's messages as structs (`docs/agent-protocol.md`): what we ask, what it answers.

use super::{Action, ClassInfo, Listens, Reset, bounded};
use crate::gui::RawNode;
use crate::outcome::evidence::{Anr, Crash, EnvironmentLimit, Left, LogLine};
use serde::{Deserialize, Deserializer, Serialize};

/// Version of the protocol spoken here.
pub const PROTOCOL: u32 = 1;

/// A request; `id` comes back with its answer.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
#[allow(missing_docs)] // the fields are the protocol's
pub enum Request<'a> {
    Start {
        id: u64,
        how: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        unanswered: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        forget: bool,
    },
    Step {
        id: u64,
        action: &'a Action,
        settle_ms: u32,
    },
    Observe {
        id: u64,
        full: bool,
    },
    Screenshot {
        id: u64,
        path: &'a str,
    },
    Exec {
        id: u64,
        path: &'a str,
    },
    Services {
        id: u64,
    },
    Natives {
        id: u64,
        classes: &'a [String],
    },
    Quit {
        id: u64,
    },
}

impl Request<'_> {
    /// A start of the app.
    pub const fn start(id: u64, how: Reset, unanswered: bool, forget: bool) -> Self {
        let how = match how {
            Reset::ClearData | Reset::Unanswered => "clear",
            Reset::Relaunch => "relaunch",
        };
        Self::Start {
            id,
            how,
            unanswered,
            forget,
        }
    }
}

/// Any frame the agent sends: an answer when it has an `id`, else a notice.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the fields are the protocol's
pub struct Incoming {
    pub id: Option<u64>,
    pub obs: Option<Obs>,
    pub error: Option<Failure>,
    pub notice: Option<String>,
    pub protocol: u32,
    pub token: String,
    pub sdk: u32,
    pub pid: u64,
    pub ms: u64,
    #[serde(deserialize_with = "null_is_default")]
    pub stack: String,
    pub in_app: bool,
    /// The answer to `services`: name, class of the manager, what answers its calls.
    pub services: Vec<(String, String, String)>,
    /// The answer to `natives`: class, method, what implements it.
    pub natives: Vec<(String, String, String)>,
    /// Of a notice's stack how many of the outermost frames the thread did not leave while it was looked at.
    pub stays: usize,
    #[serde(deserialize_with = "null_is_default")]
    pub text: String,
}

/// A request that could not be performed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// `stale-widget`, `not-alive`, `bad-request`, `launch-failed` or `internal`.
    pub code: String,
    /// Why.
    #[serde(deserialize_with = "null_is_default")]
    pub message: String,
}

/// An observation as it comes over the wire.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the fields are the protocol's
pub struct Obs {
    pub alive: bool,
    #[serde(deserialize_with = "null_is_default")]
    pub activity: String,
    /// Where the user is within the activity, where that can be read.
    #[serde(deserialize_with = "null_is_default")]
    pub place: String,
    /// The title of the pane on top.
    #[serde(deserialize_with = "null_is_default")]
    pub pane: String,
    /// On a device: the package in front.
    #[serde(deserialize_with = "null_is_default")]
    pub front: String,
    /// On a device: the app's processes.
    #[serde(deserialize_with = "bounded::list")]
    pub pids: Vec<u32>,
    pub rotation: u8,
    pub screen: (i32, i32),
    pub unchanged: bool,
    #[serde(deserialize_with = "bounded::some_list")]
    pub page: Option<Vec<RawNode>>,
    #[serde(deserialize_with = "bounded::list")]
    pub log: Vec<LogLine>,
    pub crash: Option<Crash>,
    pub anr: Option<Anr>,
    /// Per class its index, then the newly hit probes.
    #[serde(deserialize_with = "bounded::list")]
    pub probes: Vec<Vec<u32>>,
    #[serde(deserialize_with = "bounded::list")]
    pub classes: Vec<ClassInfo>,
    #[serde(deserialize_with = "bounded::list")]
    pub visited: Vec<String>,
    #[serde(deserialize_with = "bounded::list")]
    pub left: Vec<Left>,
    #[serde(deserialize_with = "bounded::list")]
    pub toasts: Vec<String>,
    pub redrawn: bool,
    pub listens: Option<Listens>,
    pub exit: Option<String>,
    #[serde(deserialize_with = "bounded::list")]
    pub env: Vec<EnvironmentLimit>,
    pub virtual_ms: u64,
    pub blocked_ms: u64,
    pub settled: bool,
}

impl Obs {
    /// Takes a later observation in: states are the later one's, evidence is that of both.
    pub fn absorb(&mut self, later: Self) {
        let earlier = std::mem::replace(self, later);
        let page = (earlier.page, earlier.unchanged);
        if self.unchanged && self.page.is_none() {
            (self.page, self.unchanged) = page;
        }
        prepend(&mut self.log, earlier.log);
        prepend(&mut self.probes, earlier.probes);
        prepend(&mut self.classes, earlier.classes);
        prepend(&mut self.visited, earlier.visited);
        prepend(&mut self.left, earlier.left);
        prepend(&mut self.toasts, earlier.toasts);
        prepend(&mut self.env, earlier.env);
        self.redrawn |= earlier.redrawn;
        self.crash = self.crash.take().or(earlier.crash);
        self.anr = self.anr.take().or(earlier.anr);
        self.exit = self.exit.take().or(earlier.exit);
        self.listens = self.listens.take().or(earlier.listens);
    }
}

fn prepend<T>(later: &mut Vec<T>, mut earlier: Vec<T>) {
    if !earlier.is_empty() {
        earlier.append(later);
        *later = earlier;
    }
}

fn null_is_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_spelled_as_the_protocol_says() {
        let spelled = |request: Request<'_>| serde_json::to_string(&request).unwrap();
        assert_eq!(
            spelled(Request::Step {
                id: 3,
                action: &Action::Click { n: 4 },
                settle_ms: 300
            }),
            r#"{"cmd":"step","id":3,"action":{"k":"click","n":4},"settle_ms":300}"#
        );
        assert_eq!(
            spelled(Request::start(1, Reset::ClearData, false, false)),
            r#"{"cmd":"start","id":1,"how":"clear"}"#
        );
        assert_eq!(
            spelled(Request::start(1, Reset::Relaunch, true, true)),
            r#"{"cmd":"start","id":1,"how":"relaunch","unanswered":true,"forget":true}"#
        );
    }

    #[test]
    fn the_observation_of_the_specification_is_read() {
        let spec = include_str!("../../docs/agent-protocol.md");
        let json = spec
            .split("```json")
            .nth(1)
            .and_then(|rest| rest.split("```").next())
            .expect("the observation's example");
        // The example shortens nodes and log lines.
        let json = json
            .replace("[NODE,..]", r#"[{"p":-1,"c":"X","b":[0,0,1,1],"f":2048}]"#)
            .replace(",..]", "]");
        let frame: Incoming = serde_json::from_str(&json).unwrap();
        let obs = frame.obs.unwrap();
        assert_eq!(frame.id, Some(7));
        assert!(obs.alive && obs.settled);
        assert_eq!(obs.screen, (411, 891));
        assert_eq!(obs.probes, [vec![12, 0, 1, 5], vec![40, 3]]);
        assert_eq!(obs.listens.unwrap().sensors, [1]);
        assert_eq!(obs.env[0].rule, "native-library");
    }

    #[test]
    fn nothing_is_lost_when_two_observations_become_one() {
        let mut first = Obs {
            page: Some(Vec::new()),
            toasts: vec!["a".into()],
            crash: Some(Crash::default()),
            ..Obs::default()
        };
        first.absorb(Obs {
            unchanged: true,
            toasts: vec!["b".into()],
            alive: true,
            ..Obs::default()
        });
        assert_eq!(first.toasts, ["a", "b"]);
        assert!(first.alive && first.page.is_some() && !first.unchanged && first.crash.is_some());
    }
}
