//! System events as sent to devices.

use super::{Action, announced};
use crate::gui::system::Extras;
use crate::gui::{Extra, SystemEvent};
use crate::util::seed;
use serde_json::Number;

/// The action behind a system event; `None` for `Relaunch`, which is a reset. An event without the values that Android
/// would send with it, as one of a script, gets always the same ones.
pub fn lower_system(event: &SystemEvent, rotation: u8) -> Option<Action> {
    let event = announced::filled(event, &mut seed::generator(0, "", "system events", 0));
    Some(match event {
        SystemEvent::Rotate => Action::Rotate {
            to: (rotation + 1) % 2,
        },
        SystemEvent::Home => Action::Home,
        SystemEvent::Relaunch => return None,
        SystemEvent::Broadcast {
            action,
            component,
            extras,
        } => Action::Broadcast {
            action,
            component,
            extras,
        },
        SystemEvent::Service { component, action } => Action::Service {
            component,
            action,
            extras: Extras::new(),
        },
        SystemEvent::Activity {
            component,
            action,
            data,
        } => Action::StartActivity {
            component,
            action,
            data,
        },
        SystemEvent::Location { values } => Action::Location {
            values: floats(&values),
        },
        SystemEvent::Sensor { sensor, values } => Action::Sensor {
            values: std::iter::once(f64::from(sensor))
                .chain(floats(&values))
                .collect(),
        },
        SystemEvent::Call { extras } => {
            let text = |name: &str| match extras.get(name) {
                Some(Extra::Text(text)) => text.clone(),
                _ => String::new(),
            };
            Action::Call {
                state: text(announced::STATE),
                number: text(announced::NUMBER),
            }
        }
        SystemEvent::Fault { fault } => Action::Fault {
            name: fault.name().to_owned(),
        },
    })
}

fn floats(values: &[Number]) -> Vec<f64> {
    values.iter().filter_map(Number::as_f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_without_values_gets_the_same_ones_each_time() {
        let sent = |action: &str| {
            let event = SystemEvent::Broadcast {
                action: action.into(),
                component: None,
                extras: Extras::new(),
            };
            match lower_system(&event, 0) {
                Some(Action::Broadcast { extras, .. }) => extras,
                other => panic!("{other:?}"),
            }
        };
        let battery = "android.intent.action.BATTERY_CHANGED";
        assert_eq!(sent(battery).len(), 9);
        assert_eq!(sent(battery), sent(battery));
        assert_eq!(sent("com.x.OWN").len(), 0);
    }

    #[test]
    fn values_that_are_there_are_sent_as_they_are() {
        let values = vec![Number::from(1), Number::from(2)];
        let sensor = SystemEvent::Sensor { sensor: 5, values };
        let sent = Some(Action::Sensor {
            values: vec![5.0, 1.0, 2.0],
        });
        assert_eq!(lower_system(&sensor, 0), sent);
    }

    #[test]
    fn turning_twice_comes_back() {
        let turned = |from| lower_system(&SystemEvent::Rotate, from);
        assert_eq!(turned(0), Some(Action::Rotate { to: 1 }));
        assert_eq!(turned(1), Some(Action::Rotate { to: 0 }));
    }
}
