//! Causes from outside the app in steps: faults, refused permissions, answers of other apps.

use super::format::{Deed, Step};
use crate::gui::SystemEvent;

/// Resource-ids in the system's windows, and the meaning of a click on them.
const ANSWERS: [(&str, &str); 4] = [
    (
        "com.android.permissioncontroller:id/permission_deny_button",
        "permission-denied",
    ),
    (
        "com.android.permissioncontroller:id/permission_deny_and_dont_ask_again_button",
        "permission-denied",
    ),
    ("droidtest.outside:id/answer", "outside-answer"),
    ("droidtest.outside:id/cancel", "outside-cancelled"),
];

/// Their names, each once, in the order in which they come first: faults as traces call them, `permission-denied`,
/// `outside-answer`, `outside-cancelled`.
pub fn provoked_by(steps: &[Step]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in steps.iter().filter_map(of_step) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn of_step(step: &Step) -> Option<&'static str> {
    match step {
        Step::System(SystemEvent::Fault { fault }) => Some(fault.name()),
        Step::On(target, Deed::Click) => {
            let known = ANSWERS.iter().find(|(id, _)| target.id == *id);
            known.map(|(_, name)| *name)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Target;
    use super::*;
    use crate::gui::Fault;

    #[test]
    fn each_is_named_once_and_the_apps_own_buttons_are_not() {
        let click = |id: &str| {
            let target = Target {
                id: id.to_owned(),
                text: "Deny".to_owned(),
                ..Target::default()
            };
            Step::On(target, Deed::Click)
        };
        let dies = Step::System(SystemEvent::Fault {
            fault: Fault::ProcessDeath,
        });
        let steps = [
            click("android:id/button2"),
            click(ANSWERS[0].0),
            dies.clone(),
            click(ANSWERS[2].0),
            dies,
        ];
        let expected = ["permission-denied", "process-death", "outside-answer"];
        assert_eq!(provoked_by(&steps), expected);
    }
}
