//! The files of this machine that a report of a run may read: classes, sources and coverage reports of the app's tests.
//!
//! A run's folder may be anyone's, and so are the paths in it. Only what this machine prepared itself, what the suite in
//! the working folder names, and what a flag names is read; anything else would show a file of this machine to whoever
//! reads the report.

use super::coverage::Subject;
use crate::config::Suite;
use crate::coverage::Sources;
use crate::device::jvm::cache::Cache;
use crate::outcome::RunInfo;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The files that may be read.
#[derive(Clone, Debug, Default)]
pub struct LocalFiles {
    /// The folder of prepared apps in this machine's cache.
    cached: Option<PathBuf>,
    /// The classes that the suite names, by app.
    classes: BTreeMap<String, Vec<PathBuf>>,
    /// The coverage reports of the apps' own tests that it names, by app.
    tests: BTreeMap<String, Vec<PathBuf>>,
    /// The folders of sources that it names, by app.
    sources: BTreeMap<String, Vec<PathBuf>>,
    /// Folders of sources that a flag names, for every app.
    more_sources: Vec<PathBuf>,
}

impl LocalFiles {
    /// What this machine has prepared, what the suite names, and these folders of sources.
    pub fn new(suite: Option<&Suite>, more_sources: &[PathBuf]) -> Self {
        let mut files = Self {
            cached: Cache::locate().ok().map(|cache| cache.root().join("apps")),
            more_sources: more_sources.to_vec(),
            ..Self::default()
        };
        for (suite, app) in suite
            .into_iter()
            .flat_map(|suite| suite.settings.apps.iter().map(move |app| (suite, app)))
        {
            let on_disk = |paths: &[camino::Utf8PathBuf]| {
                let paths = paths.iter().map(|path| suite.on_disk(path));
                paths.map(|path| path.into_std_path_buf()).collect()
            };
            let name = || app.name.clone();
            files.classes.insert(name(), on_disk(&app.classes));
            files.sources.insert(name(), on_disk(&app.sources));
            files.tests.insert(name(), suite.tests_coverage(app));
        }
        files
    }

    /// The subject with paths of this machine; nothing if its classes are not here.
    pub(super) fn subject(&self, mut subject: Subject) -> Option<Subject> {
        let cached: Option<Vec<_>> = subject
            .classes
            .iter()
            .map(|path| self.cached(path))
            .collect();
        let named = || {
            let named = self.classes.get(&subject.app);
            named.filter(|named| !named.is_empty()).cloned()
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

    /// The sources of an app, and the folders of this machine that the run names and nobody here does.
    pub(super) fn sources(&self, info: &RunInfo, app: &str) -> (Sources, Vec<PathBuf>) {
        let own = self.sources.get(app).into_iter().flatten();
        let own: Vec<PathBuf> = own.chain(&self.more_sources).cloned().collect();
        let is_own = |folder: &PathBuf| own.iter().any(|own| is_same(own, folder));
        let named = info.sources.get(app).into_iter().flatten();
        let refused = named
            .map(PathBuf::from)
            .filter(|folder| folder.is_dir() && !is_own(folder))
            .collect();
        (Sources::in_folders(info, own), refused)
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
        let mut files = LocalFiles {
            cached: Some(apps.clone()),
            ..LocalFiles::default()
        };
        let of = |files: &LocalFiles, path| files.subject(subject(path)).map(|found| found.classes);
        let found = of(
            &files,
            "/home/other/.cache/cargo-droidtest/apps/0a1b/original.jar",
        );
        assert_eq!(found, Some(vec![apps.join("0a1b/original.jar")]));
        let original = "x/apps/0a1b/original.jar";
        let tests = |files: &LocalFiles| files.subject(subject(original)).map(|found| found.tests);
        assert_eq!(tests(&files), Some(Vec::new()));
        let own = vec![PathBuf::from("build/tests.xml")];
        files.tests.insert("notes".to_owned(), own.clone());
        assert_eq!(tests(&files), Some(own));
        let secret = cache.path().join("secret.jar");
        for away in [
            "/etc/passwd",
            secret.to_str().unwrap(),
            "apps/../secret.jar",
            "apps/0a1b/other.jar",
            "x/apps/0a1b/..",
            "",
        ] {
            assert_eq!(of(&files, away), None, "{away}");
        }
        files
            .classes
            .insert("notes".to_owned(), vec!["build/classes".into()]);
        assert_eq!(
            of(&files, "/etc/passwd"),
            Some(vec!["build/classes".into()])
        );
    }

    #[test]
    fn sources_are_the_suites_or_those_of_a_flag_and_never_what_a_run_names() {
        let base = tempfile::tempdir().unwrap();
        let path = |name: &str| base.path().join(name);
        for (folder, file) in [
            ("home/.ssh", "Id.java"),
            ("app", "Main.java"),
            ("lib", "Lib.java"),
        ] {
            fs::create_dir_all(path(folder)).unwrap();
            fs::write(path(folder).join(file), "secret").unwrap();
        }
        let text = |name: &str| path(name).to_str().unwrap().to_owned();
        let info = RunInfo {
            file: Some(text("app/droidtest.toml")),
            sources: [("notes".to_owned(), vec![text("home/.ssh"), text("app")])].into(),
            ..RunInfo::default()
        };
        let mut files = LocalFiles::default();
        let of = |files: &LocalFiles, app: &str| {
            let (sources, refused) = files.sources(&info, app);
            (sources.folders().to_vec(), refused)
        };
        let both = vec![path("home/.ssh"), path("app")];
        assert_eq!(of(&files, "notes"), (Vec::new(), both));
        let own = vec![path("app")];
        files.sources.insert("notes".to_owned(), own.clone());
        assert_eq!(of(&files, "notes"), (own, vec![path("home/.ssh")]));
        files.more_sources = vec![path("lib")];
        assert_eq!(of(&files, "shop").0, vec![path("lib")]);
        let (sources, _) = files.sources(&info, "notes");
        assert_eq!(sources.find("", "Id.java"), None);
        assert_eq!(sources.find("", "Main.java"), Some(path("app/Main.java")));
    }
}
