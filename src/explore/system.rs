//! The system events an app listens to: those of its manifest and those it registered for in code.
//!
//! Dynodroid's observer (paper, section 3.1) does the same: only relevant system events are offered.

use crate::device::{Caps, Listens};
use crate::gui::{Extras, Fault, SystemEvent};
use std::sync::Arc;

/// The list, made anew only when what the app listens to changes.
#[derive(Debug)]
pub struct SystemEvents {
    fixed: Vec<SystemEvent>,
    all: Vec<SystemEvent>,
    listens: Option<Arc<Listens>>,
    enabled: bool,
}

impl SystemEvents {
    /// `manifest`: events of the app's manifest; `caps`: what the device can do.
    pub fn new(manifest: &[SystemEvent], caps: Caps) -> Self {
        let mut fixed = Vec::new();
        if caps.rotation {
            fixed.push(SystemEvent::Rotate);
        }
        if caps.system_events {
            fixed.push(SystemEvent::Home);
            let offline = SystemEvent::Fault {
                fault: Fault::Offline,
            };
            let possible = |event: &&SystemEvent| caps.network || **event != offline;
            fixed.extend(manifest.iter().filter(possible).cloned());
        }
        Self {
            all: fixed.clone(),
            fixed,
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
        for action in &listens.receivers {
            let event = SystemEvent::Broadcast {
                action: action.clone(),
                component: None,
                extras: Extras::new(),
            };
            if !self.all.contains(&event) {
                self.all.push(event);
            }
        }
        if listens.location {
            self.all.push(SystemEvent::Location { values: vec![] });
        }
        self.all
            .extend(listens.sensors.iter().map(|&sensor| SystemEvent::Sensor {
                sensor,
                values: vec![],
            }));
        if listens.telephony {
            self.all.push(SystemEvent::Call {
                extras: Extras::new(),
            });
        }
        self.listens = Some(listens.clone());
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
