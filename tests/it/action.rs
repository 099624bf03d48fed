//! The steps of the action, run as a runner runs them: inputs in the environment, outputs in a file, the event in another.

mod install;
mod release;
mod shards;
mod steps;

use crate::common::program::{Desk, Ended};
use crate::common::root;
use crate::common::skip::skipped;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program on the runner that writes its arguments, one on each line, to `calls`, then ends with a code.
const RECORDER: &str = "#!/bin/sh\nfor arg in \"$0\" \"$@\"; do echo \"$arg\" >>\"$CALLS\"; done\nexit ${CODE_OF_TOOL:-0}\n";

/// A runner: a workspace, and programs that go before the machine's.
pub struct Runner {
    desk: Desk,
    env: BTreeMap<String, String>,
}

/// What a step left.
pub struct Done {
    pub ended: Ended,
    pub outputs: BTreeMap<String, String>,
    pub summary: String,
}

impl Runner {
    /// A runner with these variables, or `None` in a package, which has no scripts.
    pub fn new(env: &[(&str, &str)]) -> Option<Self> {
        if !root().join(".github").is_dir() {
            return skipped("no .github: this is a package");
        }
        let desk = Desk::new("");
        fs::create_dir_all(desk.path("bin")).unwrap();
        let runner = Self {
            env: env
                .iter()
                .map(|(k, v)| ((*k).into(), (*v).into()))
                .collect(),
            desk,
        };
        Some(runner)
    }

    /// Sets a variable for all following steps.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.env.insert(name.into(), value.into());
    }

    /// A path in the workspace.
    pub fn path(&self, name: &str) -> PathBuf {
        self.desk.path(name)
    }

    /// The same as text.
    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.desk.write(name, text);
    }

    /// What a file holds, empty if it is missing.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A program on the path.
    pub fn program(&self, name: &str, script: &str) {
        let path = self.desk.write(&format!("bin/{name}"), script);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The real tool on the path, and a suite on the sim device.
    pub fn real_tool(&self) {
        let tool = env!("CARGO_BIN_EXE_cargo-droidtest");
        std::os::unix::fs::symlink(tool, self.path("bin/cargo-droidtest")).unwrap();
        let suite = std::fs::read(crate::common::root().join("example-configs/sim.toml"));
        self.write("droidtest.toml", suite.unwrap());
    }

    /// A program on the path that records its arguments.
    pub fn recorder(&self, name: &str) {
        self.program(name, RECORDER);
    }

    /// The arguments of all calls of recorders; the first of each is the program's name.
    pub fn calls(&self) -> Vec<String> {
        let bin = format!("{}/", self.text("bin"));
        let text = self.read("calls");
        text.lines().map(|line| line.replace(&bin, "")).collect()
    }

    /// Runs a script of the repository.
    pub fn step(&self, script: &str, args: &[&str]) -> Done {
        let outputs = self.path("outputs");
        let summary = self.path("summary.md");
        let _ = fs::remove_file(&outputs);
        let _ = fs::remove_file(&summary);
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new("bash");
        command
            .arg(root().join(".github").join(script))
            .args(args)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.text("bin")))
            .envs(
                ["HOME", "CARGO_HOME", "RUSTUP_HOME"]
                    .iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .env("CALLS", self.path("calls"))
            .env("GITHUB_OUTPUT", &outputs)
            .env("GITHUB_STEP_SUMMARY", &summary)
            .env("GITHUB_PATH", self.path("added-to-path"))
            .envs(&self.env)
            .current_dir(self.desk.folder())
            .stdin(Stdio::null());
        let ended = Ended::of(&mut command);
        Done {
            outputs: parse(&self.read("outputs")),
            summary: self.read("summary.md"),
            ended,
        }
    }
}

impl Done {
    /// An output; the step must have set it.
    pub fn output(&self, name: &str) -> &str {
        let found = self.outputs.get(name);
        found.unwrap_or_else(|| panic!("no output {name}: {}", self.ended.all()))
    }

    /// The step must have ended with this code; everything that it wrote.
    pub fn expect(&self, code: i32) -> String {
        assert_eq!(self.ended.code, code, "{}", self.ended.all());
        self.ended.all()
    }
}

/// The outputs in the documented form: a line `name=value`, or several between `name<<delimiter` and `delimiter`.
fn parse(text: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some((name, delimiter)) = line.split_once("<<") {
            let value: Vec<_> = lines.by_ref().take_while(|l| *l != delimiter).collect();
            all.insert(name.to_owned(), value.join("\n"));
        } else {
            let (name, value) = line.split_once('=').expect("a line of outputs");
            all.insert(name.to_owned(), value.to_owned());
        }
    }
    all
}

/// An expression is replaced before the shell reads the script: its value could end a text and start a command.
#[test]
fn no_script_of_the_action_or_a_workflow_contains_an_expression() {
    let mut files = vec![root().join("action.yml")];
    if let Ok(workflows) = fs::read_dir(root().join(".github/workflows")) {
        files.extend(workflows.map(|entry| entry.unwrap().path()));
    }
    let mut runs = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Where the key of the script stands that this line belongs to.
        let mut script = None;
        for (ix, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            if script.is_some_and(|key| indent <= key && !line.trim().is_empty()) {
                script = None;
            }
            let item = line.trim_start().trim_start_matches("- ");
            if item.starts_with("run:") {
                runs += 1;
                script = Some(line.len() - item.len());
            }
            let inside = script.is_some() && line.contains("${{");
            assert!(!inside, "{}:{}: {line}", file.display(), ix + 1);
        }
    }
    assert!(runs >= 7, "only {runs} scripts were seen");
}

/// Every input has a use, and every script that `action.yml` names exists.
#[test]
fn the_action_uses_its_inputs_and_its_scripts_exist() {
    let text = fs::read_to_string(root().join("action.yml")).unwrap();
    let (head, steps) = text.split_once("\nruns:").unwrap();
    let (inputs, outputs) = head.split_once("\noutputs:").unwrap();
    let inputs = inputs.split_once("\ninputs:").unwrap().1;
    let names = |text: &str| -> Vec<String> {
        let keys = text
            .lines()
            .filter(|l| l.starts_with("  ") && !l.starts_with("   "));
        keys.filter_map(|l| l.trim().strip_suffix(':').map(str::to_owned))
            .collect()
    };
    let expected = [
        "suite", "profile", "baseline", "base-apk", "args", "shard", "comment", "sarif",
    ];
    let found = names(inputs);
    assert!(
        expected.iter().all(|name| found.iter().any(|f| f == name)),
        "{found:?}"
    );
    for name in &found {
        assert!(
            steps.contains(&format!("inputs.{name}")),
            "the input {name} is not used"
        );
    }
    assert_eq!(
        names(outputs),
        ["new", "fixed", "flaky", "report", "sarif", "exit-code"]
    );
    if !root().join(".github").is_dir() {
        return;
    }
    let scripts: Vec<_> = steps
        .split("$ACTION_PATH/")
        .skip(1)
        .map(|s| s.split('"').next().unwrap())
        .collect();
    assert!(scripts.len() >= 8, "{scripts:?}");
    for script in scripts {
        assert!(root().join(script).is_file(), "{script} is missing");
    }
}

#[test]
fn the_linters_accept_the_scripts_and_workflows_where_they_are_installed() {
    if Runner::new(&[]).is_none() {
        return;
    }
    let installed = |name: &str| which::which(name).is_ok();
    if !["shellcheck", "actionlint", "hadolint"]
        .iter()
        .all(|name| installed(name))
    {
        eprintln!("shellcheck, actionlint or hadolint is not installed; CI has them");
        return;
    }
    let mut lint = Command::new("bash");
    let ended = Ended::of(lint.arg(root().join(".github/lint.sh")));
    assert_eq!(ended.code, 0, "{}", ended.all());
}
