//! What each session of a bench depends on besides its app's content.

use crate::config::Suite;
use crate::run::plan::{Plan, Session as Planned};
use crate::util::sha256;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, io};

/// What each session of a plan depends on, in the plan's order.
pub(in crate::run) struct Settings(pub(super) Vec<Value>);

impl Settings {
    /// Values from the environment appear by name only. Files are read once for all sessions: those that the suite
    /// names, and the tool's executable, which includes all shipped files.
    pub fn gather(suite: &Suite, plan: &Plan) -> Self {
        let mut hashes: BTreeMap<Utf8PathBuf, Option<String>> = BTreeMap::new();
        let build = env::current_exe()
            .and_then(|own| sha256::of_file(&own))
            .ok();
        let all = &suite.settings;
        let one = |session: &Planned| {
            let kind = &session.strategy.kind;
            let app = session.app.mapping.iter().chain(&session.app.classes);
            let mut files: Vec<&Utf8Path> = app.map(Utf8PathBuf::as_path).collect();
            files.extend(kind.files().into_iter().map(|file| file.path));
            files.extend(
                session
                    .device
                    .data()
                    .into_iter()
                    .flat_map(|data| data.files().map(|(_, path)| path.as_path())),
            );
            let device = alike(&json!(*session.device));
            let mut contents = BTreeMap::new();
            for path in files {
                let hash = hashes
                    .entry(path.to_owned())
                    .or_insert_with(|| hash_of(suite.on_disk(path).as_std_path()).ok());
                contents.insert(path.to_owned(), hash.clone());
            }
            json!({
                "tool": env!("CARGO_PKG_VERSION"),
                "build": build,
                "app": *session.app,
                "device": device,
                "strategy": *session.strategy,
                "files": contents,
                "budget": all.suite.budget,
                "torch-device": all.suite.torch_device,
                "reward": all.reward,
                "changed": all.changed,
                "oracles": all.oracles,
                "coverage": all.coverage,
                "retries": all.retries,
                // The cost of events matters only where modelled time is limited.
                "bench": all.bench.time.map(|time| json!({
                    "time": time,
                    "cost": all.bench.cost,
                    "think": all.bench.think.get(session.strategy.name()),
                })),
            })
        };
        Self(plan.entries.iter().map(one).collect())
    }
}

/// A device's settings without its count, which does not affect a session.
pub(super) fn alike(device: &Value) -> Value {
    let mut device = device.clone();
    if let Some(settings) = device.as_object_mut() {
        settings.remove("count");
    }
    device
}

/// The hash of a file, or of all files in a folder; of a run's folder the journals, as its reports can be written again.
pub(in crate::run) fn hash_of(path: &Path) -> io::Result<String> {
    if path.join("run.json").is_file() {
        sha256::of_folder(path, |name| name.ends_with("/journal.jsonl"))
    } else if path.is_dir() {
        sha256::of_folder(path, |_| true)
    } else {
        sha256::of_file(path)
    }
}
