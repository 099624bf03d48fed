//! `before` and `after` of an app need a device with a shell.

use super::AppInputs;
use crate::config::DeviceKind;
use crate::config::diagnose::{Code, Problem};
use crate::run::Plan;

impl AppInputs<'_> {
    pub(super) fn commands(&self, plan: &Plan, problems: &mut Vec<Problem>) {
        let shell = |kind: &DeviceKind| matches!(kind, DeviceKind::Adb(_) | DeviceKind::Avd(_));
        let without = plan
            .entries
            .iter()
            .find(|session| session.app.name == self.app.name && !shell(&session.device.kind));
        let Some(session) = without else { return };
        let (app, device) = (&self.app.name, &session.device.name);
        for (key, commands) in [("before", &self.app.before), ("after", &self.app.after)] {
            if commands.is_empty() {
                continue;
            }
            let said = format!(
                "the app `{app}` has commands for the device's shell, but the device `{device}` has no shell"
            );
            problems.push(
                Problem::new(Code::DeviceCannotRunApp, said)
                    .at(self.suite.place(&self.path(&[key.into()]), "of an `adb` or `avd` device"))
                    .help(format!(
                        "name devices of the kinds `adb` and `avd` in `devices` of the app, or delete `{key}`"
                    )),
            );
        }
    }
}
