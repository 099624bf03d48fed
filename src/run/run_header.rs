//! The headers of a run: its folder with `run.json`, and the first line of each journal.

use super::identity;
use super::observer::Observer;
use super::options::{Options, RunError};
use super::plan::{Plan, Session as Planned};
use super::prepare::Ready;
use super::record::SessionRecorder;
use super::reuse::Reuse;
use crate::config::{DeviceKind, Suite, profile};
use crate::device::DeviceError;
use crate::device::jvm::sandbox;
use crate::explore::Recorder;
use crate::outcome::folder::{RUN_VERSION, RunFolder, RunInfo};
use crate::outcome::run_event::{EndReason, JOURNAL_VERSION, SessionHeader};
use crate::outcome::{Capability, RunEvent};
use crate::settings::App;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The content of `run.json`.
pub(super) fn info(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    apps: &BTreeMap<String, Ready>,
    reuse: &Reuse,
) -> RunInfo {
    let now = jiff::Zoned::now();
    let id = options
        .run_id
        .clone()
        .unwrap_or_else(|| now.strftime("%Y%m%d-%H%M%S").to_string());
    RunInfo {
        version: RUN_VERSION,
        tool: env!("CARGO_PKG_VERSION").into(),
        suite: suite.name().into(),
        // A suite without a file has an empty path, which is none.
        file: absolute(&suite.file).ok(),
        apks: suite
            .apks
            .iter()
            .map(|apk| absolute(&suite.on_disk(apk)).unwrap_or_else(|path| path))
            .collect(),
        profile: Some(suite.profile.clone()).filter(|name| name != profile::DEFAULT),
        run: id,
        started: Some(now.timestamp()),
        confinement: plan.entries.iter().filter_map(confinement).collect(),
        gate: settings_of_gate(suite),
        sources: sources(suite),
        models: reuse.hashes(),
        merged: false,
        sessions: plan
            .entries
            .iter()
            .map(|planned| identity::session(planned, apps))
            .collect(),
        whole: (!options.bench).then(|| identity::whole(suite, plan, options, apps)),
    }
}

/// The folders of sources of each app that has some.
fn sources(suite: &Suite) -> BTreeMap<String, Vec<String>> {
    let apps = suite.settings.apps.iter();
    let apps = apps.filter(|app| !app.sources.is_empty());
    let on_disk = |path: &Utf8PathBuf| absolute(&suite.on_disk(path)).unwrap_or_else(|path| path);
    let folders = |app: &App| app.sources.iter().map(on_disk).collect();
    apps.map(|app| (app.name.clone(), folders(app))).collect()
}

/// The absolute path, else the path itself.
fn absolute(path: &Utf8Path) -> Result<String, String> {
    match camino::absolute_utf8(path) {
        Ok(absolute) => Ok(absolute.into_string()),
        Err(_) => Err(path.to_string()),
    }
}

/// The suite's `[gate]`, so that the run can be judged again without the suite.
fn settings_of_gate(suite: &Suite) -> Option<serde_json::Value> {
    let mut gate = suite.settings.gate.clone()?;
    let baseline = suite.on_disk(&gate.baseline);
    if let Ok(path) = std::path::absolute(&baseline) {
        gate.baseline = Utf8PathBuf::from_path_buf(path).unwrap_or(baseline);
    }
    serde_json::to_value(gate).ok()
}

fn confinement(planned: &Planned) -> Option<(String, String)> {
    match &planned.device.kind {
        DeviceKind::Jvm(jvm) => {
            Some((planned.device.name.clone(), sandbox::described(jvm.confine)))
        }
        _ => None,
    }
}

/// Creates the run's folder with its plan in it.
///
/// # Errors
/// It cannot be created.
pub(super) fn folder(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    apps: &BTreeMap<String, Ready>,
    reuse: &Reuse,
) -> Result<RunFolder, RunError> {
    let mut info = info(suite, plan, options, apps, reuse);
    let chosen = options.run_id.is_some();
    let id = info.run.clone();
    // Two runs may start in the same second.
    let mut number = 1;
    loop {
        match RunFolder::create(&options.base, &info) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && !chosen && number < 1000 => {
                number += 1;
                info.run = format!("{id}-{number}");
            }
            Err(source) => {
                return Err(RunError::Folder {
                    base: options.base.display().to_string(),
                    source,
                });
            }
            Ok(folder) => return Ok(folder),
        }
    }
}

/// The app's expected capability on the session's device, if it was checked.
pub(super) fn capability<'a>(planned: &Planned, ready: &'a Ready) -> Option<&'a Capability> {
    let jvm = matches!(planned.device.kind, DeviceKind::Jvm(_));
    ready.capability.as_ref().filter(|_| jvm)
}

/// Reports the expected capability of each app on the jvm device before the first event.
pub(super) fn report_capability(
    plan: &Plan,
    apps: &BTreeMap<String, Ready>,
    observer: &dyn Observer,
) {
    let checked = plan.entries.iter().filter_map(|planned| {
        let found = capability(planned, apps.get(&planned.app.name)?)?;
        Some((planned.app.name.as_str(), found))
    });
    // Each app once, however many sessions it has.
    let mut reported = BTreeSet::new();
    for (app, found) in checked.filter(|(app, _)| reported.insert(*app)) {
        observer.capability(app, found);
    }
}

/// The first line of a session's journal.
pub fn header(planned: &Planned, ready: &Ready) -> SessionHeader {
    SessionHeader {
        version: JOURNAL_VERSION,
        tool: env!("CARGO_PKG_VERSION").into(),
        session: planned.name.clone(),
        app: planned.app.name.clone(),
        package: ready.app.package.clone(),
        content: ready.app.content.clone(),
        device: planned.device.name.clone(),
        device_kind: planned.device.kind_name().into(),
        strategy: planned.strategy.name().into(),
        seed: planned.seed,
        activities_declared: ready.declared.clone(),
        activities_reachable: ready.reachable.clone(),
        secrets: ready.secret_keys.clone(),
        scripts: ready.guide.scripts(),
        notes: Vec::new(),
        capability: capability(planned, ready).cloned(),
    }
}

/// Writes the journal of a session whose device was not available.
pub fn record_unavailable(
    recorder: &mut SessionRecorder<'_>,
    header: SessionHeader,
    error: &DeviceError,
) -> io::Result<()> {
    recorder.event(&RunEvent::Session(header))?;
    let message = error.to_string();
    recorder.event(&RunEvent::DeviceFailure { at: 0, message })?;
    recorder.event(&RunEvent::End {
        reason: EndReason::DeviceLost,
        events: 0,
    })
}
