//! `[device.data]`: times are valid.

use super::super::diagnose::{Code, Problem};
use super::super::source::Segment;
use super::Rules;
use crate::settings::{DeviceKind, millis_of};

impl Rules<'_> {
    pub(super) fn data(&mut self) {
        let settings = self.settings;
        for (index, device) in settings.devices.iter().enumerate() {
            if let DeviceKind::Jvm(jvm) = &device.kind
                && millis_of(&jvm.start).is_none()
            {
                let path: [Segment; 3] = ["device".into(), index.into(), "start".into()];
                let problem = Problem::new(
                    Code::BadFormat,
                    format!("{} is not a valid time", jvm.start),
                )
                .at(self.stack.place(&path, "no such time"))
                .help("write a time in UTC such as \"2026-01-05T09:00:00Z\"".to_owned());
                self.problems.push(problem);
            }
            let Some(data) = device.data() else {
                continue;
            };
            let messages = data.messages.iter().map(|one| one.at.as_str());
            let calls = data.calls.iter().map(|one| one.at.as_str());
            let calendar = data.calendar.iter().map(|one| one.at.as_str());
            let all = messages.enumerate().map(|(ix, at)| ("messages", ix, at));
            let all = all.chain(calls.enumerate().map(|(ix, at)| ("calls", ix, at)));
            let all = all.chain(calendar.enumerate().map(|(ix, at)| ("calendar", ix, at)));
            for (key, ix, at) in all.filter(|(_, _, at)| millis_of(at).is_none()) {
                let path: [Segment; 6] = [
                    "device".into(),
                    index.into(),
                    "data".into(),
                    key.into(),
                    ix.into(),
                    "at".into(),
                ];
                let problem = Problem::new(Code::BadFormat, format!("{at} is not a valid time"))
                    .at(self.stack.place(&path, "no such time"))
                    .help("write a time in UTC such as \"2024-05-17T09:30Z\"".to_owned());
                self.problems.push(problem);
            }
        }
    }
}
