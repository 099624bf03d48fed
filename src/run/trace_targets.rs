//! Selects the app and the device of the suite to replay a trace with.

use super::prepare::Ready;
use crate::config::diagnose::listed;
use crate::config::{Device, Suite};
use crate::trace::Trace;
use std::collections::BTreeMap;

/// The user's choice; by default, the app and the device that a trace names.
#[derive(Clone, Debug, Default)]
pub struct TargetChoice {
    /// This app of the suite.
    pub app: Option<String>,
    /// This device of the suite.
    pub device: Option<String>,
}

/// The apps and devices of the suite that traces can be replayed with.
pub struct TraceTargets<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Its apps.
    pub apps: &'a BTreeMap<String, Ready>,
    /// The user's choice.
    pub only: TargetChoice,
}

impl<'a> TraceTargets<'a> {
    /// Did the user choose this app of a run? Falls back to the package if the suite has another name for the app.
    pub fn wants(&self, name: &str, package: &str) -> bool {
        let Some(wanted) = &self.only.app else {
            return true;
        };
        let apps = &self.suite.settings.apps;
        let is_known = apps.iter().any(|app| app.name == name);
        let ready = self.apps.get(wanted);
        wanted == name || !is_known && ready.is_some_and(|ready| ready.app.package == package)
    }

    /// The app of a trace and a device for it; else the reason why there is none, to follow "its package is …, and".
    pub fn of(&self, trace: &Trace) -> Result<(&'a Ready, &'a Device), String> {
        let ready = self.app(trace)?;
        let name = &ready.app.name;
        let mut apps = self.suite.settings.apps.iter();
        let app = apps.find(|app| app.name == *name);
        let able = |device: &&Device| app.is_some_and(|app| device.can_run(app));
        let devices = &self.suite.settings.devices;
        let by_name = |name: &str| devices.iter().find(|device| device.name == name);
        let device = match &self.only.device {
            Some(device) => by_name(device)
                .filter(able)
                .ok_or_else(|| format!("the device `{device}` cannot run the app `{name}`")),
            None => by_name(&trace.device.name)
                .filter(able)
                .or_else(|| devices.iter().find(able))
                .ok_or_else(|| format!("no device of the suite can run the app `{name}`")),
        };
        Ok((ready, device?))
    }

    /// The app with the trace's name, or the only one of its package. The package must match: another app would not
    /// reproduce the finding, and its results would be overwritten.
    fn app(&self, trace: &Trace) -> Result<&'a Ready, String> {
        let fits = |ready: &&Ready| ready.app.package == trace.app.package;
        let named = self.only.app.as_ref().unwrap_or(&trace.app.name);
        if let Some(ready) = self.apps.get(named) {
            return Some(ready).filter(fits).ok_or_else(|| {
                format!(
                    "the package of the suite's app `{named}` is {}: name the right app with --app, or add it to the suite",
                    ready.app.package
                )
            });
        }
        let all: Vec<_> = self.apps.values().filter(fits).collect();
        match all[..] {
            [only] => Ok(only),
            [] => Err(format!(
                "no app of the suite has it: the apps are {}; add the app to the suite, or replay the trace with its original suite",
                listed(&self.apps.keys().collect::<Vec<_>>())
            )),
            _ => Err(format!(
                "{} of the suite have it: choose one with --app, or in the trace's [app] `name`",
                listed(&all.iter().map(|ready| &ready.app.name).collect::<Vec<_>>())
            )),
        }
    }
}

/// Describes the app or the device that replaces one that the trace names and the suite lacks; `None` if nothing is
/// replaced.
pub fn substitutes(trace: &Trace, ready: &Ready, device: &Device) -> Option<String> {
    let other = |named: &str, what: &str, taken: &str| {
        let differs = !named.is_empty() && named != taken;
        differs.then(|| format!("the {what} `{taken}` instead of `{named}`"))
    };
    let app = other(&trace.app.name, "app", &ready.app.name);
    let device = other(&trace.device.name, "device", &device.name);
    let all: Vec<_> = app.into_iter().chain(device).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
