//! What each member of a portfolio brought, as a table.

use super::text::line;
use crate::outcome::summary::{MemberSummary, SessionSummary};
use serde::Serialize;

/// The members of a portfolio in a session, by name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Team {
    session: String,
    members: Vec<MemberSummary>,
}

impl Team {
    /// `None`: the session's strategy has no members.
    pub fn of(summary: &SessionSummary) -> Option<Self> {
        let mut members = summary.members.clone();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        for member in &mut members {
            member.name = line(&member.name, 120);
        }
        (!members.is_empty()).then(|| Self {
            session: line(&summary.session, 120),
            members,
        })
    }
}
