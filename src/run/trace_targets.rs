//! Which of the suite's apps and devices a trace is replayed with.

use super::prepare::Ready;
use crate::config::diagnose::listed;
use crate::config::{Device, Suite};
use crate::trace::Trace;
use std::collections::BTreeMap;

/// What the user chose: by default the app and the device that a trace names.
#[derive(Clone, Debug, Default)]
pub struct TargetChoice {
    /// This app of the suite.
    pub app: Option<String>,
    /// This device of the suite.
    pub device: Option<String>,
}

/// The suite's apps and devices, from which each trace gets its own.
pub struct TraceTargets<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Its apps.
    pub apps: &'a BTreeMap<String, Ready>,
    /// The user's choice.
    pub only: TargetChoice,
}

impl<'a> TraceTargets<'a> {
    /// Are findings of this app of a run wanted? Where the suite calls the app something else, its package tells.
    pub fn wants(&self, name: &str, package: &str) -> bool {
        let Some(wanted) = &self.only.app else {
            return true;
        };
        let apps = &self.suite.settings.apps;
        let is_known = apps.iter().any(|app| app.name == name);
        let ready = self.apps.get(wanted);
        wanted == name || !is_known && ready.is_some_and(|ready| ready.app.package == package)
    }

    /// The app of a trace and a device for it; else the reason why there is none, to follow "it is of the package
    /// so and so, and".
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

    /// The app of the trace's name, or the only one of its package. A name alone is not enough: with another app the
    /// finding would not come, and what is known of it would be thrown away.
    fn app(&self, trace: &Trace) -> Result<&'a Ready, String> {
        let fits = |ready: &&Ready| ready.app.package == trace.app.package;
        let named = self.only.app.as_ref().unwrap_or(&trace.app.name);
        if let Some(ready) = self.apps.get(named) {
            return Some(ready).filter(fits).ok_or_else(|| {
                format!(
                    "the app `{named}` of the suite is {}: name the app it belongs to with --app, or add it to the suite",
                    ready.app.package
                )
            });
        }
        let all: Vec<_> = self.apps.values().filter(fits).collect();
        match all[..] {
            [only] => Ok(only),
            [] => Err(format!(
                "no app of the suite is that: they are {}; add it to the suite, or replay the trace where it was recorded",
                listed(&self.apps.keys().collect::<Vec<_>>())
            )),
            _ => Err(format!(
                "{} of the suite are that: say which with --app, or in the trace's [app] `name`",
                listed(&all.iter().map(|ready| &ready.app.name).collect::<Vec<_>>())
            )),
        }
    }
}

/// What stands in for an app or a device that the trace names and the suite does not have; `None` where the trace
/// has its own, or names none.
pub fn stand_ins(trace: &Trace, ready: &Ready, device: &Device) -> Option<String> {
    let other = |named: &str, what: &str, taken: &str| {
        let stands = !named.is_empty() && named != taken;
        stands.then(|| format!("the {what} `{taken}` for `{named}`"))
    };
    let app = other(&trace.app.name, "app", &ready.app.name);
    let device = other(&trace.device.name, "device", &device.name);
    let all: Vec<_> = app.into_iter().chain(device).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
