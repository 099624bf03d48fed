//! `count` of a device that names one phone or one AVD: it is there once.

use super::super::diagnose::{Code, Problem};
use super::super::source::Segment;
use super::Rules;
use crate::device::adb::lease::ANY;
use crate::settings::DeviceKind;

impl Rules<'_> {
    /// A named phone or AVD runs one session at a time.
    pub(super) fn counts(&mut self) {
        let settings = self.settings;
        for (index, device) in settings.devices.iter().enumerate() {
            let (key, fix) = match &device.kind {
                DeviceKind::Adb(adb) if adb.serial.as_ref().is_some_and(|s| s != ANY) => {
                    ("serial", "write serial = \"any\" for all connected devices")
                }
                DeviceKind::Avd(avd) if avd.avd.is_some() => {
                    ("avd", "remove `avd`, so that emulators are created")
                }
                _ => continue,
            };
            let Some(count @ 2..) = device.count else {
                continue;
            };
            let place = |key| {
                [
                    Segment::from("device"),
                    Segment::from(index),
                    Segment::from(key),
                ]
            };
            let message = format!(
                "device `{}` has `count = {count}`, but its `{key}` names one device",
                device.name
            );
            let problem = Problem::new(Code::ConflictingKeys, message)
                .at(self.stack.place(&place("count"), "more than one"))
                .at(self.stack.place(&place(key), "the only one"))
                .help(format!("{fix}, or remove `count`"));
            self.problems.push(problem);
        }
    }
}
