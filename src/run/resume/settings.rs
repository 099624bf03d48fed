//! What each session of a bench depends on besides its app's content.

use crate::config::Suite;
use crate::learn::shown;
use crate::run::plan::{Plan, Session as Planned};
use crate::util::sha256;
use camino::Utf8Path;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::{env, io};

/// What each session of a plan depends on, in the plan's order.
pub(in crate::run) struct Settings(pub(super) Vec<Value>);

impl Settings {
    /// Values from the environment appear by name only. Files are read once for all sessions: those that the suite
    /// names, and the tool's executable, which includes all shipped files.
    pub fn gather<'a>(suite: &Suite, plan: &'a Plan) -> Self {
        let mut hashes: BTreeMap<Source<'_>, Option<String>> = BTreeMap::new();
        let build = env::current_exe()
            .and_then(|own| sha256::of_file(&own))
            .ok();
        let all = &suite.settings;
        let one = |session: &'a Planned| {
            let classes = session.app.classes.iter().map(|path| Source::plain(path));
            let device = alike(&json!(*session.device));
            let mut contents = BTreeMap::new();
            for source in sources(session).chain(classes) {
                let hash = hashes.entry(source);
                let hash = hash.or_insert_with(|| source.hash(suite).ok());
                contents.insert(source.path, hash.clone());
            }
            json!({
                "tool": env!("CARGO_PKG_VERSION"),
                "build": build,
                "app": *session.app,
                "device": device,
                "strategy": *session.strategy,
                "files": contents,
                "budget": all.suite.budget,
                "engine": all.suite.engine,
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

/// A file or folder that a session reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::run) struct Source<'a> {
    /// As the suite writes it.
    pub path: &'a Utf8Path,
    /// Is it a demonstration? Of a run's folder only the journals are read then.
    demonstration: bool,
}

impl<'a> Source<'a> {
    fn plain(path: &'a Utf8Path) -> Self {
        Self {
            path,
            demonstration: false,
        }
    }

    /// The hash of the file, or of all files in the folder that are read.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn hash(&self, suite: &Suite) -> io::Result<String> {
        let path = suite.on_disk(self.path);
        let path = path.as_std_path();
        match (path.is_dir(), self.demonstration) {
            (false, _) => sha256::of_file(path),
            (true, false) => sha256::of_folder(path, |_| true),
            (true, true) => sha256::of_files(path, shown::journals(path)?),
        }
    }
}

/// What a session reads, other than its app and the classes of that.
pub(in crate::run) fn sources(planned: &Planned) -> impl Iterator<Item = Source<'_>> {
    let learned = planned.strategy.kind.files().into_iter();
    let learned = learned.map(|file| Source {
        path: file.path,
        demonstration: file.folder,
    });
    let data = planned.device.data().into_iter();
    let data = data.flat_map(|data| data.files().map(|(_, path)| path));
    let plain = planned.app.mapping.iter().chain(data);
    plain.map(|path| Source::plain(path)).chain(learned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, Request};
    use camino::Utf8PathBuf;
    use std::fs;

    #[test]
    fn a_folder_is_hashed_as_what_the_suite_names_it_for() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let journals = root.join("data/sessions/s");
        fs::create_dir_all(&journals).unwrap();
        // Whatever lies in it: also an app's own data may have files of these names.
        fs::write(root.join("data/run.json"), "{}").unwrap();
        fs::write(journals.join("journal.jsonl"), "a\n").unwrap();
        let app = "[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";
        fs::write(root.join("droidtest.toml"), app).unwrap();
        let suite = config::load(&Request {
            suite: Some(root.join("droidtest.toml")),
            ..Request::default()
        });
        let suite = suite.unwrap();
        let path = root.join("data");
        let hashes = || {
            [false, true].map(|demonstration| {
                let source = Source {
                    path: &path,
                    demonstration,
                };
                source.hash(&suite).unwrap()
            })
        };
        let before = hashes();
        fs::write(root.join("data/picture.png"), "new").unwrap();
        let other = hashes();
        assert_ne!(other[0], before[0]);
        assert_eq!(other[1], before[1]);
        fs::write(journals.join("journal.jsonl"), "b\n").unwrap();
        let changed = hashes();
        assert!(changed[0] != other[0] && changed[1] != other[1]);
    }
}
