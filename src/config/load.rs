//! Loads a suite: finds it, validates it against the schema, stacks the layers and reads the settings from them.
//!
//! The complete file is checked, so an error in a profile is reported even if another profile was chosen.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::diagnose::{Code, Location, Problem, Problems};
use super::layer::{Layer, Rank, Stack};
use super::locate::{self, Found};
use super::source::{Node, Source};
use super::{Settings, Strategy};
use super::{Suite, apks, check, env, profile, renamed, rules};
use crate::settings::{AppSource, Device, ModelRef};
use crate::strategy::definition;

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder that the search and relative paths start from; empty for the working folder.
    pub base: Utf8PathBuf,
    /// The named suite.
    pub suite: Option<Utf8PathBuf>,
    /// The chosen profile.
    pub profile: Option<String>,
    /// APKs to explore instead of the suite's apps. With them a suite is not required.
    pub apks: Vec<Utf8PathBuf>,
    /// Settings from flags.
    pub overrides: Vec<Override>,
    /// The environment.
    pub env: BTreeMap<String, String>,
}

impl Request {
    /// A request that uses the environment of this process.
    pub fn from_process() -> Self {
        Self {
            env: process_env(),
            ..Self::default()
        }
    }
}

/// The environment of this process, without variables that are not UTF-8.
pub fn process_env() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// A setting from a flag.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// The flag with its value, as written.
    pub flag: String,
    /// The setting, as keys from the top of the suite.
    pub keys: Vec<String>,
    /// The value.
    pub value: toml::Value,
}

impl Override {
    /// The setting at `keys`, separated by dots, from `flag` with the value `written`.
    pub fn new(flag: &str, written: &str, keys: &str, value: impl Into<toml::Value>) -> Self {
        Self {
            flag: format!("{flag} {written}"),
            keys: keys.split('.').map(str::to_owned).collect(),
            value: value.into(),
        }
    }
}

/// Loads a suite.
pub fn load(request: &Request) -> Result<Suite, Problems> {
    let mut found = match locate::locate(&request.base, request.suite.as_deref()) {
        Err(problems)
            if !request.apks.is_empty() && request.suite.is_none() && problems.no_suite() =>
        {
            Found::default()
        }
        found => found?,
    };
    let notices = renamed::update(&found.source, &mut found.node);
    let mut problems = check::check(&found.source, &found.node);
    let above = match outer_layers(request, &found.root) {
        Ok(layers) => layers,
        Err(more) => {
            problems.extend(more);
            Vec::new()
        }
    };
    fail(problems)?;

    let chosen = request.profile.as_deref().unwrap_or(profile::DEFAULT);
    let (settings, stack) = resolve(&found, chosen, above)?;
    others(&found, chosen)?;
    Ok(Suite {
        settings: rooted(settings, &found.root)?,
        profile: chosen.to_owned(),
        profiles: profile::names(&found.node).map(str::to_owned).collect(),
        file: Utf8PathBuf::from(&found.source.name),
        apks: request.apks.clone(),
        root: found.root,
        base: request.base.clone(),
        stack,
        notices,
    })
}

fn fail(problems: Vec<Problem>) -> Result<(), Problems> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.into())
    }
}

/// The layers above the suite: environment, then flags.
fn outer_layers(request: &Request, root: &Utf8Path) -> Result<Vec<Layer>, Vec<Problem>> {
    let mut layers = env::layers(&request.env)?;
    let apps = match &request.apks[..] {
        [] => Vec::new(),
        apks => apks::overrides(&request.base, root, apks),
    };
    for set in apps.iter().chain(&request.overrides) {
        let source = Source::new("command line", set.flag.clone());
        let start = set.flag.find(' ').map_or(0, |space| space + 1);
        let keys = set.keys.iter().map(|key| (key.clone(), 0..start));
        let keys: Vec<_> = keys.collect();
        let leaf = Node::at(&set.value, start..set.flag.len());
        layers.push(Layer {
            rank: Rank::Flag(set.flag.clone()),
            node: Node::nested(&keys, leaf),
            source,
        });
    }
    let problems: Vec<_> = layers
        .iter()
        .flat_map(|layer| check::check(&layer.source, &layer.node))
        .collect();
    if problems.is_empty() {
        Ok(layers)
    } else {
        Err(problems)
    }
}

fn resolve(found: &Found, chosen: &str, above: Vec<Layer>) -> Result<(Settings, Stack), Problems> {
    let asked = Source::new("command line", format!("--profile {chosen}"));
    let place = Location::new(
        &asked,
        "--profile ".len()..asked.text.len(),
        "no such profile",
    );
    let mut layers = profile::layers(&found.source, &found.node, chosen, Some(place))?;
    layers.extend(above);
    let stack = Stack::new(layers);
    let mut settings = stack.settings()?;
    settings.suite.budget.events = settings.suite.budget.max_events();
    if settings.devices.is_empty() {
        settings.devices = Device::defaults(settings.suite.devices.as_deref());
    }
    if settings.strategies.is_empty() {
        settings.strategies = Strategy::defaults(settings.suite.strategies.as_deref())
            .map_err(|e| Problem::new(Code::Internal, e))?;
    }
    fail(rules::check(&settings, &stack))?;
    members(&mut settings.strategies)?;
    fail(rules::joined(&settings, &stack))?;
    Ok((settings, stack))
}

/// Puts the tables of strategies in the place of their names in others.
fn members(all: &mut [Strategy]) -> Result<(), Problem> {
    for at in 0..all.len() {
        let kind = all[at].kind.clone();
        for (keys, name) in kind.named() {
            if let Some(other) = all.iter().find(|other| other.name() == name) {
                let mut table = other.kind.table();
                table.insert("name".into(), name.into());
                let set = all[at]
                    .kind
                    .replace(&definition::pointer(&keys), table.into());
                all[at].kind = set.map_err(|e| Problem::new(Code::Internal, e))?;
            }
        }
    }
    Ok(())
}

/// Checks the profiles that were not chosen. Apps may be defined in some profiles only.
fn others(found: &Found, chosen: &str) -> Result<(), Problems> {
    let mut problems: Vec<Problem> = Vec::new();
    for name in profile::names(&found.node).filter(|name| *name != chosen) {
        let Err(more) = resolve(found, name, Vec::new()) else {
            continue;
        };
        for problem in more.iter() {
            if problem.code != Code::NoApps && !problems.contains(problem) {
                problems.push(problem.clone());
            }
        }
    }
    fail(problems)
}

/// The settings with every path relative to the working folder.
fn rooted(mut settings: Settings, root: &Utf8Path) -> Result<Settings, Problem> {
    let join = |path: &mut Utf8PathBuf| *path = root.join(&*path);
    settings.suite.corpus.iter_mut().for_each(join);
    for app in &mut settings.apps {
        match &mut app.source {
            AppSource::Apk(path) | AppSource::Model(ModelRef::File(path)) => join(path),
            AppSource::Model(ModelRef::Builtin(_)) => {}
        }
        app.splits.iter_mut().for_each(join);
        app.classes.iter_mut().for_each(join);
        app.sources.iter_mut().for_each(join);
        app.tests_coverage.iter_mut().for_each(join);
        app.mapping.iter_mut().for_each(join);
    }
    for data in settings.devices.iter_mut().filter_map(Device::data_mut) {
        data.files_mut().for_each(|(_, path)| join(path));
    }
    for network in settings.devices.iter_mut().filter_map(Device::network_mut) {
        network.archive_mut().into_iter().for_each(join);
    }
    for strategy in &mut settings.strategies {
        let files = strategy.kind.clone();
        for file in files.files() {
            let path = root.join(file.path).into_string();
            let set = strategy.kind.replace(&file.pointer(), path.into());
            strategy.kind = set.map_err(|e| Problem::new(Code::Internal, e))?;
        }
    }
    Ok(settings)
}
