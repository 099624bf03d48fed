//! What a session is about: the subject of its coverage report, the changed code, what a report notes of its strategy.

use super::Run;
use crate::apk::Changed;
use crate::config::DeviceKind;
use crate::device::Caps;
use crate::device::jvm::parts::DEFAULT_SDK;
use crate::explore::toward::Target;
use crate::outcome::folder::SessionFolder;
use crate::run::plan::Session as Planned;
use crate::run::prepare::Ready;
use crate::run::{coverage, devices};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

impl Run<'_> {
    /// Saves the subject of the app's coverage report, if the device measures coverage.
    pub(super) fn keep_subject(
        &self,
        planned: &Planned,
        ready: &Ready,
        made: &devices::Made,
    ) -> io::Result<()> {
        let settings = &self.suite.settings;
        let DeviceKind::Jvm(jvm) = &planned.device.kind else {
            return Ok(());
        };
        if !settings.coverage.enabled || made.classes.is_empty() {
            return Ok(());
        }
        self.subject(planned, ready, u32::from(jvm.api), &made.classes)
            .save(self.folder)
    }

    /// The same for a phone, where only the pulled data show whether the app has a coverage hook.
    pub(super) fn keep_pulled_subject(
        &self,
        planned: &Planned,
        ready: &Ready,
        folder: &SessionFolder,
    ) -> io::Result<()> {
        let phone = matches!(planned.device.kind, DeviceKind::Adb(_) | DeviceKind::Avd(_));
        let classes = &ready.app.classes;
        if !phone || classes.is_empty() || !folder.exec().is_file() {
            return Ok(());
        }
        self.subject(planned, ready, DEFAULT_SDK, classes)
            .save(self.folder)
    }

    /// The changed code that a session prefers; none if the app is not compared, the strategy takes no account of it or
    /// the device does not report coverage step by step.
    pub(super) fn target(
        &self,
        planned: &Planned,
        made: &devices::Made,
        ix: usize,
    ) -> Option<Target> {
        let comparison = self.changed.get(&planned.app.name)?;
        let DeviceKind::Jvm(jvm) = &planned.device.kind else {
            return None;
        };
        let kind = &planned.strategy.kind;
        let able = kind.prefers_changed() && made.device.caps().coverage;
        if !able || !comparison.is_preferred(self.suite) {
            return None;
        }
        let probes = comparison.probes(u32::from(jvm.api), &made.classes, self.stop);
        match probes {
            Ok(probes) => Some(Target {
                changed: Arc::clone(&comparison.changed),
                probes,
            }),
            Err(why) => {
                self.observer
                    .note(ix, &format!("changed code is not preferred: {why}"));
                None
            }
        }
    }

    /// What the report says of the strategy on a device that can do this much.
    pub(super) fn notes(&self, planned: &Planned, caps: Caps) -> Vec<&'static str> {
        let kind = &planned.strategy.kind;
        let rate = self.suite.settings.faults.rate_of(true, self.options.bench);
        let lost = kind.loses_faults().filter(|_| caps.faults() && rate > 0.0);
        lost.into_iter().chain(kind.notes(caps)).collect()
    }

    fn subject(
        &self,
        planned: &Planned,
        ready: &Ready,
        api: u32,
        classes: &[PathBuf],
    ) -> coverage::Subject {
        coverage::Subject {
            app: planned.app.name.clone(),
            api,
            classes: classes.to_vec(),
            counted: ready.app.counted.clone(),
            formats: self.suite.settings.report.coverage,
            changed: self
                .changed
                .get(&planned.app.name)
                .map(|found| Changed::clone(&found.changed)),
            tests: self.suite.tests_coverage(&planned.app),
        }
    }
}
