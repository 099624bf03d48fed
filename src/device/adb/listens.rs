//! What the app listens to: asked of the activity manager once for each activity and now and then again, since apps
//! register receivers as their activities come and go, and some later; a dump of all receivers of a phone takes longer
//! than an event.

use super::handle::Handle;
use super::quote::command;
use crate::android::receivers;
use crate::device::Listens;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);

/// Looks at an activity after which it is asked again: what it costs is little then, and what an app registers only
/// after an answer from elsewhere is met in one session all the same.
const AGAIN: u32 = 50;

/// What is known so far.
#[derive(Debug, Default)]
pub struct Listening {
    /// With the looks since it was asked.
    by_activity: BTreeMap<String, (u32, Arc<Listens>)>,
    none: Arc<Listens>,
}

impl Listening {
    /// What the app listens to while this activity is in front; nothing where the device does not say.
    pub fn to(&mut self, handle: &Handle, package: &str, activity: &str) -> Arc<Listens> {
        let known = self.by_activity.get_mut(activity).map(|(looks, known)| {
            *looks += 1;
            (*looks < AGAIN, known.clone())
        });
        if let Some((true, known)) = known {
            return known;
        }
        let line = command(["dumpsys", "activity", "broadcasts", package]);
        let Ok(said) = handle.shell(&line, SHORT) else {
            // Asked again at the next look; the step's own result does not hang on it.
            return known.map_or_else(|| self.none.clone(), |(_, known)| known);
        };
        let receivers = receivers::registered(&said.text(), package);
        let listens = Arc::new(Listens {
            receivers: receivers.into_iter().collect(),
            ..Listens::default()
        });
        self.by_activity
            .insert(activity.to_owned(), (0, listens.clone()));
        listens
    }
}
