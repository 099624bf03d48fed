//! System events that an app's manifest listens to.

use super::components::Component;
use super::manifest::Manifest;
use crate::gui::{Extras, Fault, SystemEvent};

/// What other apps and the system can send to this app, in the manifest's order: broadcasts to its receivers (one
/// event per action), starts of its services, starts of its exported activities; and the loss of the network, for an app
/// that may use one. (Receivers registered in code, and listeners of sensors and positions, are reported by the device
/// while the app runs.)
///
/// Left out, since nobody outside could cause it: disabled components; activities and services that are not
/// exported or require a permission that only the system holds (`BIND_*`, which are bound, not started); actions that
/// are not the system's, for receivers that are not exported or require a permission; the launcher itself. Pushes of
/// Google's messaging are left out too: they always carry a payload that cannot be made up here.
pub fn system_events(manifest: &Manifest) -> Vec<SystemEvent> {
    let mut events = Vec::new();
    for receiver in manifest.receivers.iter().filter(|r| r.enabled) {
        let heard = |action: &&str| {
            let anyone = receiver.exported && receiver.permission.is_none();
            let guarded = receiver.permission.is_some();
            !is_push(action)
                && (anyone || is_of_system(action) && !(guarded && is_of_anyone(action)))
        };
        for action in receiver.actions().filter(heard) {
            events.push(SystemEvent::Broadcast {
                action: action.to_owned(),
                component: Some(receiver.name.clone()),
                extras: Extras::new(),
            });
        }
    }
    for service in manifest.services.iter().filter(|s| is_open(s)) {
        for action in actions_or_none(service) {
            events.push(SystemEvent::Service {
                component: service.name.clone(),
                action,
            });
        }
    }
    for (component, target) in open_activities(manifest) {
        for action in actions_or_none(component) {
            let home = action.as_deref() == Some("android.intent.action.MAIN")
                && manifest.launcher.as_deref() == Some(target);
            let event = SystemEvent::Activity {
                component: target.to_owned(),
                action,
                data: None,
            };
            if !home && !events.contains(&event) {
                events.push(event);
            }
        }
    }
    let internet = "android.permission.INTERNET";
    if manifest.permissions.iter().any(|name| name == internet) {
        events.push(SystemEvent::Fault {
            fault: Fault::Offline,
        });
    }
    events
}

/// The activities that another app can start, with their class: by their own names, then by those of aliases.
pub(super) fn open_activities(manifest: &Manifest) -> impl Iterator<Item = (&Component, &str)> {
    let activities = manifest.activities.iter();
    let activities = activities.map(|a| (&a.component, a.component.name.as_str()));
    let aliases = manifest.aliases.iter();
    let aliases = aliases.map(|a| (&a.component, a.target.as_str()));
    activities.chain(aliases).filter(|(c, _)| is_open(c))
}

/// Can another app start it?
fn is_open(component: &Component) -> bool {
    component.enabled && component.exported && component.permission.is_none()
}

/// Its actions, or the bare start by name where it has none.
fn actions_or_none(component: &Component) -> Vec<Option<String>> {
    let actions: Vec<_> = component.actions().map(|a| Some(a.to_owned())).collect();
    if actions.is_empty() {
        vec![None]
    } else {
        actions
    }
}

/// Is it an action of the platform?
fn is_of_system(action: &str) -> bool {
    action.starts_with("android.")
}

/// Is it an action of the platform that any app may send? Android protects its other broadcasts.
fn is_of_anyone(action: &str) -> bool {
    const OPEN: [&str; 9] = [
        "CREATE_SHORTCUT",
        "MAIN",
        "MEDIA_BUTTON",
        "MEDIA_SCANNER_SCAN_FILE",
        "PROCESS_TEXT",
        "RUN",
        "SEND",
        "SENDTO",
        "VIEW",
    ];
    let name = action.strip_prefix("android.intent.action.");
    name.is_some_and(|name| OPEN.contains(&name))
}

fn is_push(action: &str) -> bool {
    action.starts_with("com.google.android.c2dm.")
        || action.starts_with("com.google.firebase.")
        || action.starts_with("com.google.android.gms.")
}

#[cfg(test)]
mod tests {
    use super::super::components::{Activity, Filter};
    use super::*;

    fn component(name: &str, exported: bool, actions: &[&str]) -> Component {
        let filter = Filter {
            actions: actions.iter().map(|&a| a.to_owned()).collect(),
            ..Filter::default()
        };
        Component {
            name: name.to_owned(),
            exported,
            enabled: true,
            filters: if actions.is_empty() {
                vec![]
            } else {
                vec![filter]
            },
            ..Component::default()
        }
    }

    #[test]
    fn only_what_can_come_from_outside_is_an_event() {
        let guarded = Component {
            permission: Some("android.permission.BIND_JOB_SERVICE".to_owned()),
            ..component("a.Job", true, &[])
        };
        let disabled = Component {
            enabled: false,
            ..component("a.Off", true, &["android.intent.action.BOOT_COMPLETED"])
        };
        let manifest = Manifest {
            launcher: Some("a.Main".to_owned()),
            permissions: vec!["android.permission.INTERNET".to_owned()],
            receivers: vec![
                component(
                    "a.R",
                    true,
                    &["a.REMIND", "android.intent.action.BOOT_COMPLETED"],
                ),
                component(
                    "a.Own",
                    false,
                    &["a.ALARM", "android.intent.action.TIME_SET"],
                ),
                component("a.Push", true, &["com.google.android.c2dm.intent.RECEIVE"]),
                disabled,
            ],
            services: vec![
                component("a.S", true, &[]),
                component("a.Hidden", false, &[]),
                guarded,
            ],
            activities: [
                component("a.Main", true, &["android.intent.action.MAIN"]),
                component("a.Share", true, &["android.intent.action.SEND"]),
                component("a.Inner", false, &[]),
            ]
            .map(|component| Activity {
                component,
                ..Activity::default()
            })
            .into(),
            ..Manifest::default()
        };
        let text: Vec<_> = system_events(&manifest)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            text,
            [
                "broadcast a.REMIND without extras",
                "broadcast android.intent.action.BOOT_COMPLETED",
                "broadcast android.intent.action.TIME_SET",
                "start service a.S without extras",
                "start activity a.Share (android.intent.action.SEND) without extras",
                "network lost, or restored",
            ]
        );
    }

    #[test]
    fn a_guarded_receiver_gets_the_systems_broadcasts_alone() {
        let receiver = Component {
            permission: Some("android.permission.DUMP".to_owned()),
            ..component(
                "a.Profiles",
                true,
                &[
                    "androidx.mill.action.INSTALL",
                    "a.GRIND",
                    "android.intent.action.MEDIA_BUTTON",
                    "android.intent.action.LOCALE_CHANGED",
                ],
            )
        };
        let manifest = Manifest {
            receivers: vec![receiver],
            ..Manifest::default()
        };
        let text: Vec<_> = system_events(&manifest)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(text, ["broadcast android.intent.action.LOCALE_CHANGED"]);
    }
}
