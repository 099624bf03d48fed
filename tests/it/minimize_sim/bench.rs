//! A folder with a suite and a small model, and the program run there.

use crate::common::files;
use crate::common::program::{Desk, Ended};
use std::fs;
use std::path::{Path, PathBuf};

/// Crashes on `Take`, after two times `Add` or more.
pub const GATE: &str = r#"{ "meta": { "name": "gate", "package": "org.example.gate" },
    "global_vars": { "n": 0 },
    "nodes": [ { "node_id": "Main", "transitions": [
        { "transition_id": 0, "type": "button", "text": "Add", "set": "n = n + 1", "destination": "Main" },
        { "transition_id": 1, "type": "button", "text": "Take", "guard": "n > 1",
          "crash": { "exception": "java.lang.IllegalStateException", "frame": "org.example.gate.Main.take(Main.java:40)" } }
    ] } ] }"#;

pub const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 60 }\nseeds = [1, 2]\n\
    [[app]]\nname = \"gate\"\nmodel = \"gate.json\"\n\
    [[device]]\nname = \"sim\"\nkind = \"sim\"\n[[strategy]]\nkind = \"random\"\n";

/// A folder with a suite and its model.
pub struct Bench {
    desk: Desk,
}

impl Bench {
    pub fn new(suite: &str, model: &str) -> Self {
        let desk = Desk::new(suite);
        desk.write("gate.json", model);
        Self { desk }
    }

    /// The same after a run that minimized nothing.
    pub fn after_run(suite: &str, model: &str) -> Self {
        let bench = Self::new(suite, model);
        let off = [("DROIDTEST_MINIMIZE__ENABLED", "false")];
        let said = bench.tool_with(&off, &["run", "--run-id", "r"]);
        assert_eq!(said.code, 100, "{}", said.err);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.desk.path(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        self.desk.write(name, text)
    }

    pub fn tool(&self, args: &[&str]) -> Ended {
        self.tool_with(&[], args)
    }

    pub fn tool_with(&self, env: &[(&str, &str)], args: &[&str]) -> Ended {
        let mut command = self.desk.command("");
        command.env("ACCOUNT", "adalovelace");
        Ended::of(command.envs(env.iter().copied()).args(args))
    }

    /// Files of this name in the run's folder.
    pub fn files(&self, name: &str) -> Vec<PathBuf> {
        let mut all = files(&self.path("target/droidtest/r/sessions"));
        all.retain(|path| path.file_name().unwrap().to_str().unwrap().contains(name));
        all
    }

    /// Makes the sessions' journals forget findings of this exception, so that minimizing encounters them again.
    pub fn forget(&self, exception: &str) {
        for journal in self.files("journal.jsonl") {
            let text = fs::read_to_string(&journal).unwrap();
            let hidden =
                |line: &&str| line.contains("\"e\":\"finding\"") && line.contains(exception);
            let lines = text.lines().filter(|line| !hidden(line));
            fs::write(
                &journal,
                lines.map(|l| format!("{l}\n")).collect::<String>(),
            )
            .unwrap();
            let _ = fs::remove_dir_all(journal.with_file_name("findings"));
        }
    }
}

/// A hand-written trace: clicks on these widgets.
pub fn clicks(package: &str, exception: &str, ids: &[&str]) -> String {
    let head = format!(
        "version = 1\n[app]\npackage = \"{package}\"\n[finding]\nkind = \"java-crash\"\nexception = \"java.lang.{exception}\"\n"
    );
    let click = |id: &&str| format!("[[step]]\ndo = \"click\"\nid = \"{id}\"\n");
    head + &ids.iter().map(click).collect::<String>()
}

pub fn to_take(ids: &[&str]) -> String {
    clicks("org.example.gate", "IllegalStateException", ids)
}

pub fn steps(trace: &Path) -> usize {
    fs::read_to_string(trace)
        .unwrap()
        .matches("[[step]]")
        .count()
}

pub const LONG: [&str; 9] = [
    "Main_0", "Main_1", "Main_0", "Main_0", "Main_0", "Main_0", "Main_0", "Main_0", "Main_1",
];
