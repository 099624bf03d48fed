//! When it is a system event's turn, and which.

use super::System;
use crate::gui::SystemEvent;
use crate::gui::flow_graph::NodeIx;
use crate::step::{Decision, Step, View};
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::FxHashMap;

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

/// Where all system events were sent before, they are sent so many times more seldom.
const KNOWN: f64 = 4.0;

/// Remembers what was sent and what came of it.
#[derive(Debug, Default)]
pub struct Sender {
    sent: FxHashMap<SystemEvent, u32>,
    /// The same by the page it was sent to.
    here: FxHashMap<(NodeIx, SystemEvent), u32>,
    /// What killed the app once is not sent again to this page; what goes to one component, to none.
    deadly: Vec<(Option<NodeIx>, SystemEvent)>,
    /// The last one sent from here, and to which page.
    pending: Option<(NodeIx, SystemEvent)>,
    last: u64,
}

impl Sender {
    /// The system event to send now, if it is one's turn.
    pub fn turn(
        &mut self,
        system: System,
        view: &View<'_>,
        node: NodeIx,
        rng: &mut Rng,
    ) -> Option<SystemEvent> {
        let may = |event: &&SystemEvent| {
            let kills = |(at, deadly): &(Option<NodeIx>, SystemEvent)| {
                deadly == *event && at.is_none_or(|at| at == node)
            };
            !self.deadly.iter().any(kills)
        };
        let chosen = match system {
            System::Every(events) => {
                let due = events > 0 && view.number >= self.last + events;
                if !due {
                    return None;
                }
                self.last = view.number;
                let own: Vec<_> = view.system.iter().filter(may).collect();
                let ix = rng.random_range(0..own.len() + BROADCASTS.len());
                match own.get(ix) {
                    Some(event) => (*event).clone(),
                    None => SystemEvent::Broadcast {
                        action: BROADCASTS[ix - own.len()].into(),
                        component: None,
                    },
                }
            }
            System::Listened(chance) => {
                let all: Vec<_> = view.system.iter().filter(may).collect();
                // What breaks by a system event breaks on a certain page: each gets each before any gets one again.
                // What goes to one component of the app meets no page.
                let times = |event: &SystemEvent| {
                    let anywhere = self.sent.get(event).copied().unwrap_or(0);
                    let here = self.here.get(&(node, event.clone()));
                    let here = here.copied().unwrap_or(0);
                    (
                        if names_component(event) {
                            anywhere
                        } else {
                            here
                        },
                        anywhere,
                    )
                };
                let least = all.iter().map(|e| times(e)).min()?;
                let chance = if least.0 == 0 { chance } else { chance / KNOWN };
                if chance <= 0.0 || !rng.random_bool(chance.min(1.0)) {
                    return None;
                }
                let least: Vec<_> = all.iter().filter(|e| times(e) == least).collect();
                (**least[rng.random_range(0..least.len())]).clone()
            }
        };
        let here = (node, chosen.clone());
        *self.here.entry(here.clone()).or_default() += 1;
        *self.sent.entry(chosen.clone()).or_default() += 1;
        self.pending = Some(here);
        Some(chosen)
    }

    /// Notes what came of a system event.
    pub fn outcome(&mut self, step: &Step<'_>) {
        if let Some((node, event)) = self.pending.take()
            && matches!(step.decision, Some(Decision::System(sent)) if *sent == event)
            && !step.after.alive
            && event != SystemEvent::Relaunch
        {
            let at = (!names_component(&event)).then_some(node);
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

    #[test]
    fn each_page_gets_what_meets_a_page_but_a_component_gets_its_own_once() {
        let mut interner = Interner::default();
        let page = Page::build(&[], "A", 0, (9, 9), &mut interner);
        let component = SystemEvent::Broadcast {
            action: "a.B".into(),
            component: Some("a.Receiver".into()),
        };
        let system = [SystemEvent::Rotate, component.clone()];
        let view = View {
            page: &page,
            system: &system,
            number: 1,
            interner: &interner,
        };
        let mut rng = generator(1, "", "", 0);
        let mut sender = Sender::default();
        let mut sent = Vec::new();
        for node in [0, 0, 1, 2, 3].map(NodeIx) {
            // Always, as long as something has not been sent: nothing is left to chance.
            sent.extend(sender.turn(System::Listened(1.0), &view, node, &mut rng));
        }
        let components = sent.iter().filter(|event| **event == component);
        assert_eq!(components.count(), 1, "{sent:?}");
        assert_eq!(sent.len(), 5);
    }
}
