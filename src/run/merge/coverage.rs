//! The coverage of the apps: the execution data of all sessions together, and what a report needs.

use super::given::{Given, shown};
use crate::coverage::ExecData;
use crate::outcome::folder::{RunFolder, RunInfo};
use crate::run::coverage::Subject;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Where a report may find the classes of the apps. The paths in a run's folder are another machine's, or anyone's.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// The folder of prepared apps in this machine's cache.
    pub cached: Option<PathBuf>,
    /// What the suite names on this machine, by app.
    pub named: BTreeMap<String, Vec<PathBuf>>,
    /// The coverage reports of the apps' own tests that it names.
    pub tests: BTreeMap<String, Vec<PathBuf>>,
}

impl Classes {
    /// The subject with paths of this machine; nothing if its classes are not here.
    fn of(&self, mut subject: Subject) -> Option<Subject> {
        let cached: Option<Vec<_>> = subject
            .classes
            .iter()
            .map(|path| self.cached(path))
            .collect();
        let named = || {
            self.named
                .get(&subject.app)
                .filter(|named| !named.is_empty())
                .cloned()
        };
        subject.classes = cached.filter(|all| !all.is_empty()).or_else(named)?;
        subject.tests = self.tests.get(&subject.app).cloned().unwrap_or_default();
        Some(subject)
    }

    /// The same file of a prepared app in this machine's cache: `apps/<key>/<file>`, where the key identifies the APK.
    fn cached(&self, path: &Path) -> Option<PathBuf> {
        let mut last = path.components().rev();
        let (file, key, apps) = (last.next()?, last.next()?, last.next()?);
        let (Component::Normal(file), Component::Normal(key)) = (file, key) else {
            return None;
        };
        let here = self.cached.as_ref()?.join(key).join(file);
        (apps.as_os_str() == "apps" && here.is_file()).then_some(here)
    }
}

/// Writes the merged execution data of each app, and the subject of its report. Returns warnings.
pub(super) fn copy(
    runs: &[Given],
    info: &RunInfo,
    classes: &Classes,
    to: &RunFolder,
) -> io::Result<Vec<String>> {
    let mut warnings = Vec::new();
    let apps: BTreeSet<&str> = info
        .sessions
        .iter()
        .map(|planned| planned.app.as_str())
        .collect();
    for app in apps {
        let subjects = runs
            .iter()
            .filter_map(|run| Subject::load(&run.folder, app).transpose());
        let mut subjects: Vec<_> = subjects.flatten().collect();
        if subjects.is_empty() {
            continue;
        }
        let here = |subject: Subject| classes.of(subject);
        subjects = subjects.into_iter().filter_map(here).collect();
        subjects.sort_by_key(|subject| format!("{subject:?}"));
        match subjects.first() {
            Some(subject) => subject.save(to)?,
            None => {
                fs::create_dir_all(to.coverage(app))?;
                warnings.push(format!(
                    "the coverage of {} has no report, only execution data: its classes are not on this machine; merge \
                     on one that has run the same app, in the suite's folder",
                    shown(app)
                ));
            }
        }
        let mut all = ExecData::default();
        for planned in info.sessions.iter().filter(|planned| planned.app == app) {
            let exec = to.session(&planned.session).exec();
            if !exec.is_file() {
                continue;
            }
            // One of another build, or a damaged one, must not hide the rest.
            let added =
                ExecData::load(&exec).and_then(|own| all.clone().merge(own.clone()).map(|()| own));
            match added.and_then(|own| all.merge(own)) {
                Ok(()) => {}
                Err(error) => warnings.push(format!(
                    "the coverage of {} is not counted: {error}",
                    shown(&planned.session)
                )),
            }
        }
        if !all.classes().is_empty() {
            all.save(&to.coverage(app).join("jacoco.exec"))?;
        }
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(path: &str) -> Subject {
        Subject {
            app: "notes".to_owned(),
            api: 34,
            classes: vec![path.into()],
            counted: crate::coverage::Counted::default(),
            formats: crate::config::CoverageFormats::default(),
            changed: None,
            tests: vec!["/etc/passwd".into()],
        }
    }

    #[test]
    fn only_classes_of_this_machine_are_read() {
        let cache = tempfile::tempdir().unwrap();
        let apps = cache.path().join("apps");
        fs::create_dir_all(apps.join("0a1b")).unwrap();
        fs::write(apps.join("0a1b/original.jar"), "x").unwrap();
        fs::write(cache.path().join("secret.jar"), "x").unwrap();
        let mut classes = Classes {
            cached: Some(apps.clone()),
            ..Classes::default()
        };
        let of = |classes: &Classes, path| classes.of(subject(path)).map(|found| found.classes);
        let found = of(
            &classes,
            "/home/other/.cache/cargo-droidtest/apps/0a1b/original.jar",
        );
        assert_eq!(found, Some(vec![apps.join("0a1b/original.jar")]));
        let original = "x/apps/0a1b/original.jar";
        let tests = |classes: &Classes| classes.of(subject(original)).map(|found| found.tests);
        assert_eq!(tests(&classes), Some(Vec::new()));
        let own = vec![PathBuf::from("build/tests.xml")];
        classes.tests.insert("notes".to_owned(), own.clone());
        assert_eq!(tests(&classes), Some(own));
        let secret = cache.path().join("secret.jar");
        for away in [
            "/etc/passwd",
            secret.to_str().unwrap(),
            "apps/../secret.jar",
            "apps/0a1b/other.jar",
            "x/apps/0a1b/..",
            "",
        ] {
            assert_eq!(of(&classes, away), None, "{away}");
        }
        classes
            .named
            .insert("notes".to_owned(), vec!["build/classes".into()]);
        assert_eq!(
            of(&classes, "/etc/passwd"),
            Some(vec!["build/classes".into()])
        );
    }
}
