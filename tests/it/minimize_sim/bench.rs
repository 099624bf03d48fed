//! A folder with a suite and a small model, and the program run there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// What the program said.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// A folder with a suite and its model.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new(suite: &str, model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Self { folder };
        bench.write("droidtest.toml", suite);
        bench.write("gate.json", model);
        bench
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
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn tool(&self, args: &[&str]) -> Said {
        self.tool_with(&[], args)
    }

    pub fn tool_with(&self, env: &[(&str, &str)], args: &[&str]) -> Said {
        let out = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
            .env_clear()
            .env("ACCOUNT", "adalovelace")
            .envs(env.iter().copied())
            .current_dir(self.folder.path())
            .args(args)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said {
            code: out.status.code().unwrap_or(-1),
            out: text(out.stdout),
            err: text(out.stderr),
        }
    }

    /// Files of this name in the run's folder.
    pub fn files(&self, name: &str) -> Vec<PathBuf> {
        let mut all = Vec::new();
        gather(&self.path("target/droidtest/r/sessions"), &mut all);
        all.retain(|path| path.file_name().unwrap().to_str().unwrap().contains(name));
        all.sort();
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

pub fn gather(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, all);
        } else {
            all.push(path);
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
