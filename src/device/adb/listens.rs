//! What the app listens to: asked of the activity manager once for each activity and now and then again, since apps
//! register receivers as their activities come and go, and some later; a dump of all receivers of a phone takes longer
//! than an event.

use super::handle::Handle;
use super::quote::command;
use crate::android::receivers;
use crate::device::Listens;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);

/// Looks at an activity after which it is asked again: what it costs is little then, and what an app registers only
/// after an answer from elsewhere is observed in one session all the same.
const AGAIN: u32 = 50;
/// Of a session's time, asking again takes at most one part in so many, on phones that are slow to answer.
const SHARE: u32 = 50;

/// What is known of an activity.
#[derive(Debug)]
struct Known {
    looks: u32,
    /// When it was asked, and how long the answer took.
    asked: Instant,
    took: Duration,
    listens: Arc<Listens>,
}

/// Is it time to ask again, after so many looks and so long?
fn is_due(looks: u32, since: Duration, took: Duration) -> bool {
    looks >= AGAIN && since >= took * SHARE
}

/// What is known so far.
#[derive(Debug, Default)]
pub struct Listening {
    by_activity: BTreeMap<String, Known>,
    none: Arc<Listens>,
}

impl Listening {
    /// What the app listens to while this activity is in front; nothing if the device does not say.
    pub fn to(&mut self, handle: &Handle, package: &str, activity: &str) -> Arc<Listens> {
        let mut known = self.by_activity.get_mut(activity);
        if let Some(known) = &mut known {
            known.looks += 1;
            if !is_due(known.looks, known.asked.elapsed(), known.took) {
                return known.listens.clone();
            }
        }
        let asked = Instant::now();
        let line = command(["dumpsys", "activity", "broadcasts", package]);
        let said = handle
            .shell(&line, SHORT)
            .ok()
            .filter(|said| said.code == 0);
        let listens = match (said, known) {
            (Some(said), _) => Arc::new(Listens {
                receivers: receivers::registered(&said.text(), package)
                    .into_iter()
                    .collect(),
                ..Listens::default()
            }),
            (None, Some(known)) => known.listens.clone(),
            // Asked again at the next look; the step's result does not hang on it.
            (None, None) => return self.none.clone(),
        };
        let known = Known {
            looks: 0,
            asked,
            took: asked.elapsed(),
            listens: listens.clone(),
        };
        self.by_activity.insert(activity.to_owned(), known);
        listens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_that_is_slow_to_answer_is_asked_less_often() {
        let seconds = Duration::from_secs;
        assert!(!is_due(49, seconds(1_000), seconds(0)));
        assert!(is_due(50, seconds(5), Duration::from_millis(100)));
        assert!(!is_due(50, seconds(99), seconds(2)));
        assert!(is_due(500, seconds(100), seconds(2)));
    }
}
