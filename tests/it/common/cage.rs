//! A shell in a sandbox.

use crate::common::input::output_with_input_open;
use droidtest::device::jvm::confine::Rules;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A shell in a sandbox that may write to one folder, or the same shell outside.
pub struct Cage {
    pub folder: tempfile::TempDir,
    pub outside: tempfile::TempDir,
}

impl Cage {
    /// `None`: this machine has no namespaces for us.
    pub fn new() -> Option<Self> {
        let temporary = || tempfile::tempdir().unwrap();
        let cage = Self {
            folder: temporary(),
            outside: temporary(),
        };
        fs::write(cage.outside.path().join("secret"), "secret\n").unwrap();
        let ready = cage.inside("echo ready");
        if ready == "ready\n" {
            return Some(cage);
        }
        crate::common::skip::skip("no sandbox here");
        None
    }

    pub fn command(&self) -> Command {
        self.with(&json!({}))
    }

    /// A command of a plan with these entries of its own.
    pub fn with(&self, entries: &Value) -> Command {
        let shell = fs::canonicalize("/bin/sh").unwrap();
        let rules = Rules::for_program(&shell, Path::new("/nonexistent"));
        let mut plan = json!({
            "read": ["/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/dev/zero", "/proc"],
            "write": [self.folder.path()],
            "execute": rules.execute,
            "network": false,
        });
        for (name, value) in entries.as_object().unwrap() {
            plan[name] = value.clone();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidtest-sandbox"));
        command.arg(plan.to_string()).arg("/bin/sh");
        command
    }

    pub fn run(&self, mut command: Command, script: &str) -> String {
        command
            .args(["-c", script])
            .env("SECRET", self.outside.path().join("secret"))
            .env("HOST", std::process::id().to_string())
            .current_dir(self.folder.path());
        // Its end would end the program.
        output_with_input_open(&mut command)
    }

    pub fn inside(&self, script: &str) -> String {
        self.run(self.command(), script)
    }

    /// What the script says inside, and that it says something else outside.
    pub fn holds(&self, walls: &str, script: &str, inside: &str) {
        let command = self.with(&json!({ "walls": walls }));
        assert_eq!(self.run(command, script), inside, "{script}");
        let outside = self.run(Command::new("/bin/sh"), script);
        assert_ne!(
            outside, inside,
            "the attempt has to succeed outside: {script}"
        );
    }
}
