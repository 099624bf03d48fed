//! The suite's scripts of one app, as the page shows them.

use super::super::causes::Session;
use super::text::line;
use serde::Serialize;

/// One script over all sessions of its app.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ScriptView {
    name: String,
    matched: u64,
    /// Sessions in which it never started.
    never: u64,
    /// How often it was lost.
    lost: usize,
    /// Where it failed most recently.
    at: Option<String>,
}

/// The scripts in the suite's order.
pub fn views(sessions: &[Session<'_>]) -> Vec<ScriptView> {
    let mut views: Vec<ScriptView> = Vec::new();
    for script in sessions.iter().flat_map(|(summary, _)| &summary.scripts) {
        let name = line(&script.name, 80);
        let at = match views.iter().position(|view| view.name == name) {
            Some(at) => at,
            None => {
                views.push(ScriptView {
                    name,
                    matched: 0,
                    never: 0,
                    lost: 0,
                    at: None,
                });
                views.len() - 1
            }
        };
        let view = &mut views[at];
        view.matched += script.matched;
        view.never += u64::from(script.matched == 0);
        view.lost += script.lost.len();
        if let Some(lost) = script.lost.last() {
            view.at = Some(line(lost, 300));
        }
    }
    views
}
