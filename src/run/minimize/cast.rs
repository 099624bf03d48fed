//! Which findings of a run are minimized, with which app and on which device of the suite.

use crate::config::{Device, Suite};
use crate::run::prepare::Ready;
use crate::trace::Trace;
use std::collections::BTreeMap;

/// What the user chose: by default all findings, each with the app and on the device that its trace names.
#[derive(Clone, Debug, Default)]
pub struct Only {
    /// Findings of this app of the suite.
    pub app: Option<String>,
    /// On this device of the suite.
    pub device: Option<String>,
}

/// The suite's apps and devices, from which each trace gets its own.
pub(super) struct Cast<'a> {
    pub suite: &'a Suite,
    pub apps: &'a BTreeMap<String, Ready>,
    pub only: &'a Only,
}

impl<'a> Cast<'a> {
    /// Are findings of this app of the run wanted? Where the suite calls the app something else, its package tells.
    pub fn wants(&self, name: &str, package: &str) -> bool {
        let Some(wanted) = &self.only.app else {
            return true;
        };
        let apps = &self.suite.settings.apps;
        let is_known = apps.iter().any(|app| app.name == name);
        let ready = self.apps.get(wanted);
        wanted == name || !is_known && ready.is_some_and(|ready| ready.app.package == package)
    }

    /// The app of a trace and a device for it; else the reason why there is none.
    pub fn of(&self, trace: &Trace) -> Result<(&'a Ready, &'a Device), String> {
        let ready = self.app(trace)?;
        let apps = &self.suite.settings.apps;
        let app = apps.iter().find(|app| app.name == ready.app.name);
        let able = |device: &&Device| app.is_some_and(|app| device.can_run(app));
        let devices = &self.suite.settings.devices;
        let by_name = |name: &str| devices.iter().find(|device| device.name == name);
        let device = match &self.only.device {
            Some(name) => by_name(name)
                .filter(able)
                .ok_or(format!("the device `{name}` cannot run it"))?,
            None => by_name(&trace.device.name)
                .filter(able)
                .or_else(|| devices.iter().find(able))
                .ok_or("no device of the suite can run it")?,
        };
        Ok((ready, device))
    }

    /// The app of the trace's name, or the only one of its package. A name alone is not enough: with another app the
    /// finding would not come, and what is known of it would be thrown away.
    fn app(&self, trace: &Trace) -> Result<&'a Ready, String> {
        let package = &trace.app.package;
        let named = self.only.app.as_ref().unwrap_or(&trace.app.name);
        let mut all = self.apps.values().filter(|r| r.app.package == *package);
        match self.apps.get(named) {
            Some(ready) if ready.app.package == *package => Ok(ready),
            Some(ready) => Err(format!(
                "it is a finding of {package}, but the app `{named}` of the suite is {}",
                ready.app.package
            )),
            None => match (all.next(), all.next()) {
                (Some(only), None) => Ok(only),
                (None, _) => Err(format!("no app of the suite is {package}")),
                _ => Err(format!(
                    "several apps of the suite are {package}: say which with --app"
                )),
            },
        }
    }
}

/// What stands in for an app or a device that the trace names.
pub(super) fn stand_ins(trace: &Trace, ready: &Ready, device: &Device) -> Vec<String> {
    let pairs = [
        ("app", &trace.app.name, &ready.app.name),
        ("device", &trace.device.name, &device.name),
    ];
    let stands = |(_, named, taken): &(_, &String, &String)| !named.is_empty() && named != taken;
    let said = |(what, named, taken)| format!("the {what} `{taken}` stands in for `{named}`");
    pairs.into_iter().filter(stands).map(said).collect()
}
