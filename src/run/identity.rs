//! What makes two runs parts of one plan: the settings that their sessions depend on, and the files that these name.

use super::options::Options;
use super::plan::{Plan, Session as Planned};
use super::prepare::Ready;
use super::resume::settings::sources;
use crate::config::Suite;
use crate::outcome::folder::{PlannedSession, RunInfo, WholePlan};
use crate::util::sha256;
use camino::Utf8Path;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Settings of a device that say where it is or how many there are: shards may differ in them.
const WHERE: [&str; 3] = ["count", "serial", "port"];

/// The plan that a run is a part of. `apps`: those that the run has prepared.
pub(super) fn whole(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    apps: &BTreeMap<String, Ready>,
) -> WholePlan {
    let mut settings = settings(suite, plan);
    if let Some(corpus) = &options.corpus {
        settings.insert("the corpus".to_owned(), corpus.identity());
    }
    let content = |(name, ready): (&String, &Ready)| (name.clone(), ready.app.content.clone());
    WholePlan {
        shard: plan.shard.map(super::partition::Partition::record),
        settings,
        contents: apps.iter().map(content).collect(),
        sessions: plan
            .whole
            .iter()
            .map(|planned| session(planned, apps))
            .collect(),
    }
}

/// A session as `run.json` lists it.
pub(super) fn session(planned: &Planned, apps: &BTreeMap<String, Ready>) -> PlannedSession {
    let ready = apps.get(&planned.app.name);
    PlannedSession {
        session: planned.name.clone(),
        app: planned.app.name.clone(),
        package: ready
            .map(|ready| ready.app.package.clone())
            .unwrap_or_default(),
        device: planned.device.name.clone(),
        strategy: planned.strategy.name().into(),
        seed: planned.seed,
        seat: planned.seat,
    }
}

/// Hashes of the settings by part. Values from the environment are in them by name only.
fn settings(suite: &Suite, plan: &Plan) -> BTreeMap<String, String> {
    let all = &suite.settings;
    let mut parts: BTreeMap<String, Value> = BTreeMap::new();
    for planned in &plan.whole {
        let mut device = json!(*planned.device);
        if let Some(keys) = device.as_object_mut() {
            keys.retain(|key, _| !WHERE.contains(&key.as_str()));
        }
        parts.insert(
            format!("the app `{}`", planned.app.name),
            json!(*planned.app),
        );
        parts.insert(format!("the device `{}`", planned.device.name), device);
        let strategy = format!("the strategy `{}`", planned.strategy.name());
        parts.insert(strategy, json!(*planned.strategy));
    }
    for (name, value) in [
        ("`[suite] budget`", json!(all.suite.budget)),
        ("`[suite] total`", json!(all.suite.total)),
        ("`[suite] engine`", json!(all.suite.engine)),
        ("`[reward]`", json!(all.reward)),
        ("`[changed]`", json!(all.changed)),
        ("`[oracles]`", json!(all.oracles)),
        ("`[minimize]`", json!(all.minimize)),
        ("`[coverage]`", json!(all.coverage)),
        ("`[retries]`", json!(all.retries)),
        ("`[faults]`", json!(all.faults)),
    ] {
        parts.insert(name.to_owned(), value);
    }
    let hashed = |value: &Value| sha256::of_bytes(value.to_string().as_bytes());
    let mut hashes: BTreeMap<String, String> = parts
        .into_iter()
        .map(|(name, value)| (name, hashed(&portable(value, &suite.root))))
        .collect();
    // Only the files of this shard need to be on this machine.
    let all: BTreeSet<_> = plan.entries.iter().flat_map(sources).collect();
    for source in all {
        if let Ok(hash) = source.hash(suite) {
            let name = format!("the file {}", below(source.path, &suite.root));
            hashes.insert(name, hash);
        }
    }
    hashes
}

/// The settings with paths that do not depend on the folder that the program was started in.
fn portable(value: Value, root: &Utf8Path) -> Value {
    match value {
        Value::String(text) => Value::String(below(Utf8Path::new(&text), root).to_owned()),
        Value::Array(all) => all.into_iter().map(|one| portable(one, root)).collect(),
        Value::Object(all) => {
            let one = |(key, value)| (key, portable(value, root));
            Value::Object(all.into_iter().map(one).collect())
        }
        other => other,
    }
}

fn below<'a>(path: &'a Utf8Path, root: &Utf8Path) -> &'a str {
    match path.strip_prefix(root) {
        Ok(rest) if !root.as_str().is_empty() => rest.as_str(),
        _ => path.as_str(),
    }
}

/// Why two runs are not parts of one plan, in words; nothing if they are.
pub(super) fn difference(one: &RunInfo, other: &RunInfo) -> Option<String> {
    let (Some(first), Some(second)) = (&one.whole, &other.whole) else {
        return Some("one was made by an older version, which did not record its plan".to_owned());
    };
    if one.tool != other.tool {
        return Some(format!(
            "they were made by versions {} and {} of cargo-droidtest",
            one.tool, other.tool
        ));
    }
    if one.suite != other.suite {
        return Some(format!(
            "they are of the suites `{}` and `{}`",
            one.suite, other.suite
        ));
    }
    let names = |plan: &WholePlan| -> Vec<String> {
        plan.sessions
            .iter()
            .map(|planned| planned.session.clone())
            .collect()
    };
    let (mine, theirs) = (names(first), names(second));
    if mine != theirs {
        let only = |mine: &[String], theirs: &[String]| {
            mine.iter().find(|name| !theirs.contains(name)).cloned()
        };
        let example = only(&mine, &theirs).or_else(|| only(&theirs, &mine));
        return Some(match example {
            Some(name) => format!("only one of them plans the session {name}"),
            None => "they plan the same sessions in a different order".to_owned(),
        });
    }
    let changed = |mine: &BTreeMap<String, String>, theirs: &BTreeMap<String, String>| {
        let differs = |(key, value): &(&String, &String)| {
            theirs.get(*key).is_some_and(|other| other != *value)
        };
        let keys = mine.iter().filter(differs).map(|(key, _)| key.clone());
        keys.collect::<Vec<_>>()
    };
    let mut settings = changed(&first.settings, &second.settings);
    let (mine, theirs) = (&first.settings, &second.settings);
    let only = mine.keys().filter(|key| !theirs.contains_key(*key));
    let others = theirs.keys().filter(|key| !mine.contains_key(*key));
    settings.extend(only.chain(others).cloned());
    if !settings.is_empty() {
        return Some(format!("they differ in {}", settings.join(", ")));
    }
    let apps = changed(&first.contents, &second.contents);
    let apps: Vec<_> = apps.iter().map(|app| format!("`{app}`")).collect();
    (!apps.is_empty()).then(|| {
        format!(
            "they explored different builds of the app {}",
            apps.join(", ")
        )
    })
}
