//! Compares the apps with the earlier builds of `[changed]`.

use super::observer::Observer;
use super::prepare::{PrepareError, Ready, mapping};
use super::{coverage, merged_apk};
use crate::apk::{Apk, Build, Changed, Names, compare};
use crate::config::Suite;
use crate::coverage::MethodProbes;
use crate::device::progress::Watch;
use crate::explore::Stop;
use crate::oracle::mapping::Mapping;
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// How an app differs from an earlier build.
#[derive(Debug)]
pub(super) struct Comparison {
    pub changed: Arc<Changed>,
    /// Its probes, once a session has asked for them.
    probes: OnceLock<Result<Arc<MethodProbes>, String>>,
}

impl Comparison {
    fn new(changed: Changed) -> Self {
        Self {
            changed: Arc::new(changed),
            probes: OnceLock::new(),
        }
    }

    /// Whether a suite's sessions prefer what changed.
    pub fn is_preferred(&self, suite: &Suite) -> bool {
        suite.settings.changed.prefer && !self.changed.is_most()
    }

    /// The probes of the changed methods in these classes.
    ///
    /// # Errors
    /// The classes cannot be read.
    pub fn probes(
        &self,
        api: u32,
        classes: &[PathBuf],
        stop: &Stop,
    ) -> Result<Arc<MethodProbes>, String> {
        let read = || {
            let tool = coverage::tool(api, &Watch::silent())?;
            let stopped = || stop.requested();
            let probes = MethodProbes::read(&tool, classes, &self.changed, &stopped);
            probes.map(Arc::new).map_err(|error| error.to_string())
        };
        self.probes.get_or_init(read).clone()
    }
}

/// What changed in each app that an earlier build is named for, by the app's name.
///
/// # Errors
/// An earlier build or its mapping cannot be read, is of no app of the plan, or a mapping is of another build.
pub(super) fn compare_all(
    suite: &Suite,
    apps: &BTreeMap<String, Ready>,
    observer: &Arc<dyn Observer>,
    stop: &Stop,
) -> Result<BTreeMap<String, Comparison>, PrepareError> {
    let settings = &suite.settings.changed;
    let mut found = BTreeMap::new();
    let several = settings.since.len() > 1;
    if settings.mapping.is_some() && settings.since.len() != 1 {
        return Err(PrepareError::Changed(format!(
            "`changed.mapping` is of one earlier build, but `changed.since` names {}: name one",
            settings.since.len()
        )));
    }
    for file in &settings.since {
        let base = Base::read(
            suite,
            file,
            &merged_apk::watch(file.as_str(), observer, stop),
        )?;
        let package = &base.apk.manifest.package;
        let mut used = false;
        // Of two apps of one package each takes one of several builds, in order; a single one serves both.
        let open: Vec<_> = apps
            .iter()
            .filter(|(name, ready)| ready.app.package == *package && !found.contains_key(*name))
            .collect();
        for (name, ready) in open {
            let Some(changed) = base.compared(suite, name, ready)? else {
                continue;
            };
            used = true;
            if changed.methods.is_empty() {
                observer.warn(&format!(
                    "the code of {name} does not differ from {file}: no method is changed"
                ));
            }
            if changed.is_most() && settings.prefer {
                observer.warn(&format!(
                    "{} of {} methods of {name} changed since {file}: none is preferred",
                    changed.methods.len(),
                    changed.total
                ));
            }
            found.insert(name.clone(), Comparison::new(changed));
            if several {
                break;
            }
        }
        let all = suite
            .settings
            .apps
            .iter()
            .all(|app| apps.contains_key(&app.name));
        if !used && !all {
            observer.warn(&format!(
                "{file} is an earlier build of no app of this run: it is not used"
            ));
        } else if !used {
            let packages: Vec<_> = apps.values().map(|r| r.app.package.as_str()).collect();
            return Err(PrepareError::Changed(format!(
                "{file} has the package {package}, the apps have {}: name an earlier build of one of them",
                packages.join(", ")
            )));
        }
    }
    Ok(found)
}

/// An earlier build.
struct Base {
    apk: Apk,
    mapping: Option<Mapping>,
}

impl Base {
    fn read(suite: &Suite, file: &Utf8Path, watch: &Watch) -> Result<Self, PrepareError> {
        let file = suite.on_disk(file);
        let file =
            merged_apk::ensure(file.as_std_path(), &[], watch).map_err(PrepareError::Changed)?;
        let apk = Apk::open(file).map_err(unusable)?;
        let written = suite.settings.changed.mapping.as_ref();
        let mapping = match written {
            None => None,
            Some(file) => {
                let mapping = mapping(suite, file).map_err(PrepareError::Changed)?;
                check(&mapping, file, &apk)?;
                Some(mapping)
            }
        };
        Ok(Self { apk, mapping })
    }

    /// What changed in this app since; `None` for a model.
    fn compared(
        &self,
        suite: &Suite,
        name: &str,
        ready: &Ready,
    ) -> Result<Option<Changed>, PrepareError> {
        let Some(file) = ready.app.file.as_ref().filter(|_| ready.model.is_none()) else {
            return Ok(None);
        };
        let apk = Apk::open(file).map_err(unusable)?;
        let mapping = ready.program.mapping.as_deref();
        let app = suite.settings.apps.iter().find(|app| app.name == name);
        if let (Some(mapping), Some(file)) = (mapping, app.and_then(|app| app.mapping.as_ref())) {
            check(mapping, file, &apk)?;
        }
        let base = Build {
            apk: &self.apk,
            names: self.mapping.as_ref().map(|mapping| mapping as &dyn Names),
        };
        let head = Build {
            apk: &apk,
            names: mapping.map(|mapping| mapping as &dyn Names),
        };
        compare(base, head, &ready.app.counted)
            .map(Some)
            .map_err(unusable)
    }
}

fn unusable(error: crate::apk::ApkError) -> PrepareError {
    PrepareError::Changed(error.to_string())
}

/// An error for a mapping of another build: every name would be wrong.
fn check(mapping: &Mapping, file: &Utf8Path, apk: &Apk) -> Result<(), PrepareError> {
    if mapping.belongs_to(apk).map_err(unusable)? {
        return Ok(());
    }
    Err(PrepareError::Changed(format!(
        "the mapping {file} does not belong to {}: name the mapping.txt that was written with this APK",
        apk.file.display()
    )))
}
