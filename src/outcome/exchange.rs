//! What sessions that run side by side exchange.

use serde::{Deserialize, Serialize};

/// The events that one member of a portfolio chose in one session since the last exchange.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The session's number in its group, from 1.
    pub seat: usize,
    /// The member.
    pub member: String,
    /// How many events.
    pub events: u64,
    /// How many of them brought something that no session of the group had before.
    pub news: u64,
}

/// An exchange between the sessions of a group.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Exchange {
    /// Number of the next event.
    pub before: u64,
    /// Steps of the other sessions that were entered into the state graph.
    pub steps: u64,
    /// SHA-256 of these steps: equal in two runs that exchanged the same.
    pub sha256: String,
    /// The turns of all sessions, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
    /// The sessions that had ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<usize>,
}
