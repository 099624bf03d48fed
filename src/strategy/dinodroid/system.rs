//! When it is a system event's turn, and which.

use super::System;
use crate::graph::StateId;
use crate::gui::{Extras, SystemEvent};
use crate::step::{Decision, Step, View};
use crate::util::seed::Rng;
use rand::RngExt as _;

/// Broadcasts that Android itself sends (documentation of `android.content.Intent` and others): what Stoat's
/// generator draws from, beside what the app names.
const BROADCASTS: [&str; 40] = [
    "android.intent.action.AIRPLANE_MODE",
    "android.intent.action.BATTERY_CHANGED",
    "android.intent.action.BATTERY_LOW",
    "android.intent.action.BATTERY_OKAY",
    "android.intent.action.BOOT_COMPLETED",
    "android.intent.action.CAMERA_BUTTON",
    "android.intent.action.CLOSE_SYSTEM_DIALOGS",
    "android.intent.action.CONFIGURATION_CHANGED",
    "android.intent.action.DATE_CHANGED",
    "android.intent.action.DEVICE_STORAGE_LOW",
    "android.intent.action.DEVICE_STORAGE_OK",
    "android.intent.action.DOCK_EVENT",
    "android.intent.action.DREAMING_STARTED",
    "android.intent.action.DREAMING_STOPPED",
    "android.intent.action.HEADSET_PLUG",
    "android.intent.action.INPUT_METHOD_CHANGED",
    "android.intent.action.LOCALE_CHANGED",
    "android.intent.action.MEDIA_BUTTON",
    "android.intent.action.MEDIA_EJECT",
    "android.intent.action.MEDIA_MOUNTED",
    "android.intent.action.MEDIA_REMOVED",
    "android.intent.action.MEDIA_UNMOUNTED",
    "android.intent.action.NEW_OUTGOING_CALL",
    "android.intent.action.PACKAGE_ADDED",
    "android.intent.action.PACKAGE_CHANGED",
    "android.intent.action.PACKAGE_REMOVED",
    "android.intent.action.PHONE_STATE",
    "android.intent.action.ACTION_POWER_CONNECTED",
    "android.intent.action.ACTION_POWER_DISCONNECTED",
    "android.intent.action.REBOOT",
    "android.intent.action.SCREEN_OFF",
    "android.intent.action.SCREEN_ON",
    "android.intent.action.TIMEZONE_CHANGED",
    "android.intent.action.TIME_SET",
    "android.intent.action.TIME_TICK",
    "android.intent.action.USER_PRESENT",
    "android.intent.action.WALLPAPER_CHANGED",
    "android.net.conn.CONNECTIVITY_CHANGE",
    "android.net.wifi.WIFI_STATE_CHANGED",
    "android.provider.Telephony.SMS_RECEIVED",
];

/// Remembers what came of what was sent.
#[derive(Debug, Default)]
pub struct Sender {
    /// What killed the app once is not sent again to this page; what goes to one component, to none.
    deadly: Vec<(Option<StateId>, SystemEvent)>,
    /// The last one sent from here, and to which page.
    pending: Option<(StateId, SystemEvent)>,
    last: u64,
}

impl Sender {
    /// The system event to send now, if it is one's turn; `turns`: the strategy's events, without the filling of fields.
    pub fn turn(
        &mut self,
        system: System,
        view: &View<'_>,
        state: StateId,
        turns: u64,
        rng: &mut Rng,
    ) -> Option<SystemEvent> {
        let may = |event: &&SystemEvent| {
            let kills = |(at, deadly): &(Option<StateId>, SystemEvent)| {
                deadly == *event && at.is_none_or(|at| at == state)
            };
            !self.deadly.iter().any(kills)
        };
        let chosen = match system {
            System::Every(events) => {
                let due = events > 0 && turns >= self.last + events;
                if !due {
                    return None;
                }
                self.last = turns;
                let own: Vec<_> = view.system.iter().filter(may).collect();
                let ix = rng.random_range(0..own.len() + BROADCASTS.len());
                match own.get(ix) {
                    Some(event) => (*event).clone(),
                    None => SystemEvent::Broadcast {
                        action: BROADCASTS[ix - own.len()].into(),
                        component: None,
                        extras: Extras::new(),
                    },
                }
            }
            System::Listened(chance) => {
                // Evenly, as the paper draws them: what breaks by one breaks in a state that no page shows.
                let all: Vec<_> = view.system.iter().filter(may).collect();
                if chance <= 0.0 || all.is_empty() || !rng.random_bool(chance.min(1.0)) {
                    return None;
                }
                (*all[rng.random_range(0..all.len())]).clone()
            }
        };
        self.pending = Some((state, chosen.clone()));
        Some(chosen)
    }

    /// Notes what came of a system event.
    pub fn outcome(&mut self, step: &Step<'_>) {
        if let Some((state, event)) = self.pending.take()
            && matches!(step.decision, Some(Decision::System(sent)) if *sent == event)
            && !step.after.alive
            && event != SystemEvent::Relaunch
        {
            let at = (!names_component(&event)).then_some(state);
            self.deadly.push((at, event));
        }
    }
}

/// Does it go to one component of the app?
const fn names_component(event: &SystemEvent) -> bool {
    matches!(
        event,
        SystemEvent::Broadcast {
            component: Some(_),
            ..
        } | SystemEvent::Service { .. }
            | SystemEvent::Activity { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::Page;
    use crate::util::intern::Interner;
    use crate::util::seed::generator;

    fn sent_to(system: &[SystemEvent], sender: &mut Sender, node: u32) -> Option<SystemEvent> {
        let mut interner = Interner::default();
        let page = Page::build(&[], "A", 0, (9, 9), &mut interner);
        let view = View {
            page: &page,
            system,
            links: &[],
            number: 1,
            interner: &interner,
            caps: crate::device::Caps::default(),
            map: None,
        };
        let mut rng = generator(u64::from(node), "", "", 0);
        sender.turn(System::Listened(1.0), &view, StateId(node), 1, &mut rng)
    }

    #[test]
    fn all_are_drawn_alike_on_every_page_however_often_they_were_sent() {
        let component = SystemEvent::Broadcast {
            action: "a.B".into(),
            component: Some("a.Receiver".into()),
            extras: Extras::new(),
        };
        let system = [SystemEvent::Rotate, component.clone()];
        let mut sender = Sender::default();
        let sent = (0..400).filter_map(|node| sent_to(&system, &mut sender, node));
        let components = sent.filter(|event| *event == component).count();
        assert!((160..=240).contains(&components), "{components}");
    }

    #[test]
    fn what_killed_the_app_is_not_sent_again_to_that_page_nor_to_that_component() {
        let component = SystemEvent::Broadcast {
            action: "a.B".into(),
            component: Some("a.Receiver".into()),
            extras: Extras::new(),
        };
        let system = [SystemEvent::Rotate, component.clone()];
        let mut sender = Sender {
            deadly: vec![(None, component), (Some(StateId(7)), SystemEvent::Rotate)],
            ..Sender::default()
        };
        assert_eq!(sent_to(&system, &mut sender, 7), None);
        assert_eq!(sent_to(&system, &mut sender, 8), Some(SystemEvent::Rotate));
    }
}
