//! The capability check of existing APKs, for commands that run nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::preparation;
use super::shell::Shell;
use crate::apk::{Apk, Needs, needs};
use crate::config::{AppSource, DeviceKind, Suite};
use crate::device::progress::Watch;
use crate::outcome::Capability;
use crate::run::{Plan, merged_apk, plan};
use crate::util::text::for_terminal;

/// The result for an app, or why its APK cannot be read.
#[derive(Debug)]
pub enum Checked {
    Found(Capability),
    Unreadable(String),
}

impl Checked {
    /// For `list --message-format json`.
    pub fn json(&self) -> Value {
        match self {
            Self::Found(found) => json!(found),
            Self::Unreadable(why) => json!({ "error": why }),
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found(found) => f.write_str(&for_terminal(&found.to_string())),
            Self::Unreadable(why) => f.write_str(&for_terminal(why)),
        }
    }
}

/// Does the session run on a jvm device?
pub fn on_jvm(session: &plan::Session) -> bool {
    matches!(session.device.kind, DeviceKind::Jvm(_))
}

/// The check of each app that the plan puts on a jvm device, by the app's name. An APK that is not built yet has none.
pub fn of_plan<'a>(suite: &Suite, plan: &'a Plan, shell: &Shell) -> BTreeMap<&'a str, Checked> {
    let mut all = BTreeMap::new();
    for session in plan.entries.iter().filter(|session| on_jvm(session)) {
        let AppSource::Apk(path) = &session.app.source else {
            continue;
        };
        let name = session.app.name.as_str();
        let file = suite.on_disk(path);
        let splits = session.app.splits.iter();
        let splits: Vec<_> = splits.map(|split| suite.on_disk(split).into()).collect();
        let there = |file: &Path| file.exists();
        if all.contains_key(name) || !file.exists() || !splits.iter().all(|s: &PathBuf| there(s)) {
            continue;
        }
        // A line for each app that takes long.
        let watch = preparation::watch(shell, Arc::default());
        let checked = match read(file.as_std_path(), &splits, &watch) {
            Ok((_, needs)) => Checked::Found(needs.on_jvm()),
            Err(why) => Checked::Unreadable(why),
        };
        all.insert(name, checked);
    }
    all
}

/// An APK and what it needs.
///
/// # Errors
/// It is not a usable APK: one line that names the file and says what to do.
pub fn read(file: &Path, splits: &[PathBuf], watch: &Watch) -> Result<(Apk, Needs), String> {
    let apk =
        Apk::open(merged_apk::ensure(file, splits, watch)?).map_err(|error| error.to_string())?;
    let needs = needs(&apk).map_err(|error| error.to_string())?;
    Ok((apk, needs))
}
