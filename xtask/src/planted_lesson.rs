//! One session of the study of planted crashes: its suite, and its run where it has not complete before.

use crate::{Result, learners, sh, study};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value as Toml};

/// One strategy with one seed.
#[derive(Clone, Copy)]
pub struct Lesson<'a> {
    pub base: &'a Path,
    pub app: &'static str,
    pub demo: &'a str,
    pub strategy: &'static str,
    pub events: u64,
    pub seed: u64,
}

impl Lesson<'_> {
    /// Runs it, unless that has been done to its end; its session's folder.
    pub fn run(&self, tool: &Path) -> Result<PathBuf> {
        let name = format!("{}-{}-{}", self.strategy, self.events, self.seed);
        let folder = self.base.join(&name);
        // The summary is there before an interrupted run's findings are minimized; this only after.
        let done = self.base.join(format!("{name}.done"));
        if !done.is_file() || !learners::whole(&folder) {
            let _ = fs::remove_dir_all(&folder);
            eprintln!("{name}");
            study::explore(tool, self.base, &name, &self.toml()?, &[0, 100])?;
            if !learners::whole(&folder) {
                return Err(format!("{} did not complete", folder.display()));
            }
            fs::write(&done, "").map_err(|e| format!("{}: {e}", done.display()))?;
        }
        let session = format!("{}-jvm-{}-{}", self.app, self.strategy, self.seed);
        Ok(folder.join("sessions").join(session))
    }

    /// The app's suite with another budget, seed and strategy, and without other apps. What `random` finds is
    /// counted only, so it is not minimized. Faults are those of the suite, none if it has none.
    pub fn toml(&self) -> Result<String> {
        let wrong = |what: &str| format!("the suite of {}: {what}", self.app);
        let mut suite: Table = self.demo.parse().map_err(|e| wrong(&format!("{e}")))?;
        let study = format!(
            "faults = {{ rate = 0.0 }}\nminimize = {{ enabled = {} }}\nstrategy = [{{ kind = \"{}\" }}]\n\
             [report]\nhtml = false\nscreenshots = \"none\"\n\
             coverage = {{ xml = false, html = false, lcov = false, cobertura = false }}\n",
            self.strategy == "dinodroid",
            self.strategy
        );
        let study: Table = study.parse().map_err(|e| wrong(&format!("{e}")))?;
        for (key, value) in study {
            if key != "faults" || !suite.contains_key("faults") {
                suite.insert(key, value);
            }
        }
        let own = |table: &Toml| table.get("name").and_then(Toml::as_str) == Some(self.app);
        let budget = [("events".to_owned(), number(self.events)?)];
        let main = suite.get_mut("suite").and_then(Toml::as_table_mut);
        let main = main.ok_or_else(|| wrong("no [suite]"))?;
        main.insert("budget".into(), Toml::Table(budget.into_iter().collect()));
        main.insert("seeds".into(), Toml::Array(vec![number(self.seed)?]));
        let apps = suite.get_mut("app").and_then(Toml::as_array_mut);
        let apps = apps.ok_or_else(|| wrong("no [[app]]"))?;
        apps.retain(own);
        let app = apps.first_mut().ok_or_else(|| wrong("no such app"))?;
        from_root(app, "apk");
        let devices = suite.get_mut("device").and_then(Toml::as_array_mut);
        for device in devices.into_iter().flatten() {
            if let Some(network) = device.get_mut("network") {
                from_root(network, "replay");
            }
        }
        toml::to_string(&suite).map_err(|e| wrong(&format!("{e}")))
    }
}

fn number(value: u64) -> Result<Toml> {
    let number = i64::try_from(value).map_err(|e| format!("{value}: {e}"))?;
    Ok(Toml::Integer(number))
}

/// The suite is written elsewhere, so a path that starts at its folder becomes one that starts at the root.
fn from_root(table: &mut Toml, key: &str) {
    if let Some(path) = table.get_mut(key)
        && let Some(relative) = path.as_str()
    {
        let whole = sh::root().join("example-configs").join(relative);
        *path = Toml::String(whole.display().to_string());
    }
}
