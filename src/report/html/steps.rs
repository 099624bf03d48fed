//! Lists of steps: the path to a finding, the end of a session; each with its reason if the
//! strategy gives one.

use super::super::session::{SessionRecord, WayStep};
use super::graph::readable;
use super::text::line;
use serde::Serialize;

/// One step of the path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepView {
    number: Option<u64>,
    words: String,
    /// Activity after it, when it is another than before.
    activity: Option<String>,
    label: String,
    changed: bool,
    notes: Vec<String>,
    /// The reason, then the best events with their values.
    why: Vec<String>,
}

/// The steps of a session as the page shows them.
pub fn steps(way: &[WayStep], record: &SessionRecord) -> Vec<StepView> {
    let mut before = None;
    way.iter()
        .map(|step| {
            let page = step.page.map(|page| &record.pages[page]);
            let activity = page.map(|page| record.activities[page.activity].name.as_str());
            let came = activity.filter(|name| !name.is_empty() && before != Some(*name));
            before = activity;
            StepView {
                number: step.number,
                words: line(&step.words, 300),
                activity: came.map(|name| line(readable(name), 60)),
                label: page.map_or_else(String::new, |page| line(&page.label, 120)),
                changed: step.changed,
                notes: step.notes.iter().map(|note| line(note, 200)).collect(),
                why: step.why.iter().map(|why| line(why, 300)).collect(),
            }
        })
        .collect()
}
