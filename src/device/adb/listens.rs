//! What the app listens to: asked of the activity manager once for each activity and now and then again, since apps
//! register receivers as their activities come and go, and some later; a dump of all receivers of a phone takes longer
//! than an event. Where an emulator's console can simulate positions, sensors and calls, their listeners, too.

use super::handle::Handle;
use super::quote::command;
use crate::android::{listeners, receivers};
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
    /// Types of sensors of the console; empty: there is none.
    console: &'static [i32],
    /// The app's user id, once it is known.
    user: Option<u32>,
    by_activity: BTreeMap<String, Known>,
    none: Arc<Listens>,
}

impl Listening {
    /// Nothing yet; `console`: types of the sensors whose values an emulator's console sets, empty where there is none.
    pub fn new(console: &'static [i32]) -> Self {
        Self {
            console,
            ..Self::default()
        }
    }

    /// What the app listens to while this activity is in front; nothing if the device does not say.
    pub fn to(&mut self, handle: &Handle, package: &str, activity: &str) -> Arc<Listens> {
        let mut known = self.by_activity.get_mut(activity);
        if let Some(known) = &mut known {
            known.looks += 1;
            if !is_due(known.looks, known.asked.elapsed(), known.took) {
                return known.listens.clone();
            }
        }
        let before = known.map(|known| known.listens.clone());
        let asked = Instant::now();
        let receivers = dump(handle, &["activity", "broadcasts", package]);
        let listens = match (receivers, before) {
            (Some(receivers), _) => Arc::new(Listens {
                receivers: receivers::registered(&receivers, package)
                    .into_iter()
                    .collect(),
                ..self.senses(handle, package)
            }),
            (None, Some(before)) => before,
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

    /// The listeners to what the console simulates.
    fn senses(&mut self, handle: &Handle, package: &str) -> Listens {
        if self.console.is_empty() {
            return Listens::default();
        }
        if self.user.is_none() {
            self.user = dump(handle, &["package", package]).and_then(|dump| listeners::user(&dump));
        }
        // No app has this one.
        let user = self.user.unwrap_or(u32::MAX);
        let of = |service| dump(handle, &[service]).unwrap_or_default();
        let mut sensors = listeners::sensors(&of("sensorservice"), user);
        sensors.retain(|kind| self.console.contains(kind));
        Listens {
            location: listeners::positions(&of("location"), package),
            sensors: sensors.into_iter().collect(),
            telephony: listeners::calls(&of("telephony.registry"), package, user),
            ..Listens::default()
        }
    }
}

fn dump(handle: &Handle, what: &[&str]) -> Option<String> {
    let line = command(["dumpsys"].iter().chain(what).copied());
    let printed = handle.shell(&line, SHORT).ok()?;
    (printed.code == 0).then(|| printed.text())
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
