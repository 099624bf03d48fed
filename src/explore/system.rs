//! The system events an app listens to: those of its manifest and those it registered for in code.
//!
//! Dynodroid's observer (paper, section 3.1) does the same: only relevant system events are offered.

use crate::device::{Caps, Listens};
use crate::gui::{Extras, Fault, SystemEvent};
use serde_json::Number;
use std::sync::Arc;

/// The broadcast of a media button, which also reaches receivers registered with the audio manager.
const MEDIA_BUTTON: &str = "android.intent.action.MEDIA_BUTTON";

/// The list, made anew only when what the app listens to changes.
#[derive(Debug)]
pub struct SystemEvents {
    fixed: Vec<SystemEvent>,
    links: Vec<SystemEvent>,
    all: Vec<SystemEvent>,
    listens: Option<Arc<Listens>>,
    enabled: bool,
}

impl SystemEvents {
    /// `manifest`: events and deep links of the app's manifest; `caps`: what the device can do.
    pub fn new(manifest: &[SystemEvent], caps: Caps) -> Self {
        let (mut fixed, mut links) = (Vec::new(), Vec::new());
        if caps.rotation {
            fixed.push(SystemEvent::Rotate);
        }
        if caps.system_events {
            fixed.push(SystemEvent::Home);
            let offline = SystemEvent::Fault {
                fault: Fault::Offline,
            };
            let possible = |event: &&SystemEvent| caps.network || **event != offline;
            let possible = manifest.iter().filter(possible).cloned();
            let is_link =
                |event: &SystemEvent| matches!(event, SystemEvent::Activity { data: Some(_), .. });
            let (declared, events): (Vec<_>, Vec<_>) = possible.partition(is_link);
            links = declared;
            fixed.extend(events);
        }
        Self {
            all: fixed.clone(),
            fixed,
            links,
            listens: None,
            enabled: caps.system_events,
        }
    }

    /// What the app listens to now.
    pub fn update(&mut self, listens: &Arc<Listens>) {
        if !self.enabled
            || self
                .listens
                .as_ref()
                .is_some_and(|known| Arc::ptr_eq(known, listens) || known == listens)
        {
            return;
        }
        self.all.clone_from(&self.fixed);
        let media = listens.media_keys.then_some(MEDIA_BUTTON);
        for action in listens.receivers.iter().map(String::as_str).chain(media) {
            let event = SystemEvent::Broadcast {
                action: action.to_owned(),
                component: None,
                extras: Extras::new(),
            };
            if !self.all.contains(&event) {
                self.all.push(event);
            }
        }
        if listens.location || !listens.places.is_empty() {
            self.all.push(SystemEvent::Location { values: vec![] });
        }
        // A proximity alert waits for a fix at its place; another one leaves it.
        let near = |place: &[Number; 2]| SystemEvent::Location {
            values: place.iter().cloned().chain([Number::from(1)]).collect(),
        };
        self.all.extend(listens.places.iter().map(near));
        self.all
            .extend(listens.sensors.iter().map(|&sensor| SystemEvent::Sensor {
                sensor,
                values: vec![],
            }));
        if listens.telephony || listens.audio_focus {
            self.all.push(SystemEvent::Call {
                extras: Extras::new(),
            });
        }
        self.listens = Some(listens.clone());
    }

    /// Deep links that may be opened.
    pub fn links(&self) -> &[SystemEvent] {
        &self.links
    }

    /// All that may be sent now.
    pub fn all(&self) -> &[SystemEvent] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registered_receivers_come_and_go() {
        let caps = Caps {
            rotation: true,
            system_events: true,
            ..Caps::default()
        };
        let mut events = SystemEvents::new(&[], caps);
        let listens = Arc::new(Listens {
            receivers: vec!["a.B".into()],
            location: true,
            ..Listens::default()
        });
        events.update(&listens);
        assert_eq!(events.all().len(), 4);
        events.update(&Arc::default());
        assert_eq!(events.all(), [SystemEvent::Rotate, SystemEvent::Home]);
    }

    #[test]
    fn what_is_registered_for_gets_the_event_that_reaches_it() {
        let caps = Caps {
            system_events: true,
            ..Caps::default()
        };
        let offered = |listens: Listens| {
            let mut events = SystemEvents::new(&[], caps);
            events.update(&Arc::new(listens));
            let all = events.all().iter().skip(1).map(ToString::to_string);
            all.collect::<Vec<_>>()
        };
        let none = Listens::default;
        let place = [52.5, 13.25].map(|degrees| Number::from_f64(degrees).unwrap());
        let rows = [
            (
                Listens {
                    audio_focus: true,
                    ..none()
                },
                vec!["phone call"],
            ),
            (
                Listens {
                    audio_focus: true,
                    telephony: true,
                    ..none()
                },
                vec!["phone call"],
            ),
            (
                Listens {
                    media_keys: true,
                    ..none()
                },
                vec!["broadcast android.intent.action.MEDIA_BUTTON"],
            ),
            (
                Listens {
                    places: vec![place],
                    ..none()
                },
                vec!["new location", "new location: 52.5, 13.25, 1"],
            ),
        ];
        for (listens, words) in rows {
            assert_eq!(offered(listens), words);
        }
    }

    #[test]
    fn a_link_is_no_event_that_reaches_an_app_by_itself() {
        let start = |data: Option<&str>| SystemEvent::Activity {
            component: "a.B".to_owned(),
            action: None,
            data: data.map(str::to_owned),
        };
        let declared = [start(None), start(Some("a://b"))];
        for (system_events, links) in [(false, 0), (true, 1)] {
            let caps = Caps {
                system_events,
                ..Caps::default()
            };
            let events = SystemEvents::new(&declared, caps);
            assert_eq!(events.links(), &declared[2 - links..][..links]);
            assert!(!events.all().contains(&declared[1]));
        }
    }

    #[test]
    fn a_network_is_lost_only_where_there_is_one() {
        let offline = SystemEvent::Fault {
            fault: Fault::Offline,
        };
        for network in [false, true] {
            let caps = Caps {
                system_events: true,
                network,
                ..Caps::default()
            };
            let events = SystemEvents::new(std::slice::from_ref(&offline), caps);
            assert_eq!(events.all().contains(&offline), network);
        }
    }
}
