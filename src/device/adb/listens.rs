//! What the app listens to: asked of the activity manager once for each activity, since apps register receivers as
//! their activities come and go, and a dump of all receivers of a phone takes longer than an event.

use super::handle::Handle;
use super::quote::command;
use crate::android::receivers;
use crate::device::Listens;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);

/// What is known so far.
#[derive(Debug, Default)]
pub struct Listening {
    by_activity: BTreeMap<String, Arc<Listens>>,
    none: Arc<Listens>,
}

impl Listening {
    /// What the app listens to while this activity is in front; nothing where the device does not say.
    pub fn to(&mut self, handle: &Handle, package: &str, activity: &str) -> Arc<Listens> {
        if let Some(known) = self.by_activity.get(activity) {
            return known.clone();
        }
        let line = command(["dumpsys", "activity", "broadcasts", package]);
        let Ok(said) = handle.shell(&line, SHORT) else {
            // Asked again at the next look; the step's own result does not hang on it.
            return self.none.clone();
        };
        let receivers = receivers::registered(&said.text(), package);
        let listens = Arc::new(Listens {
            receivers: receivers.into_iter().collect(),
            ..Listens::default()
        });
        self.by_activity
            .insert(activity.to_owned(), listens.clone());
        listens
    }
}
