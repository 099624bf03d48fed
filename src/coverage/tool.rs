//! Calls of the Java programs that read an app's classes with JaCoCo.

use super::report::{CoverageError, io_error};
use crate::device::jvm::confine::Rules;
use crate::device::jvm::limits::{Limits, Watched};
use crate::device::jvm::process::strip_environment;
use crate::device::jvm::sandbox;
use crate::util::process;
use crate::util::text::{for_terminal, shorten};
use std::env;
use std::ffi::OsString;
use std::path::{self, Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Variables that would change how Java runs.
const JAVA_VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

/// The agent's report tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The `java` program.
    pub java: PathBuf,
    /// Its class path: the agent's classes and libraries.
    pub class_path: OsString,
    /// The folder of its JDK, for a confined run, as the tool reads an app's classes. `None`: unconfined.
    pub home: Option<PathBuf>,
}

/// One call.
pub(super) struct Call<'a> {
    /// The class with the program.
    pub main: &'a str,
    pub arguments: Vec<OsString>,
    /// The files and folders that it reads, besides those in the folder that it writes.
    pub reads: Vec<PathBuf>,
    pub limit: Duration,
    /// Polled while it runs: has the user interrupted?
    pub stopped: &'a dyn Fn() -> bool,
}

impl Tool {
    /// Runs a program that writes to this folder, until it ends.
    pub(super) fn run(&self, call: &Call<'_>, to: &Path) -> Result<(), CoverageError> {
        let java = &self.java;
        let mut watched = None;
        let watch = |leader| {
            let limits = Limits::of_tool("the coverage report", to.to_owned());
            watched = self
                .home
                .as_ref()
                .map(|_| Watched::of_sandbox(limits, leader));
        };
        let mut command = self.command(call, to)?;
        let ended = process::run_held(&mut command, call.limit, call.stopped, watch);
        if let Some(why) = watched.as_mut().and_then(Watched::finish) {
            return Err(CoverageError::Tool(why));
        }
        let ended = ended.map_err(|e| CoverageError::Tool(format!("{}: {e}", java.display())))?;
        if !ended.status.success() {
            let errors = String::from_utf8_lossy(&ended.stderr);
            let last = errors.lines().rfind(|line| !line.trim().is_empty());
            let last = last.map_or_else(|| ended.status.to_string(), str::to_owned);
            let why = shorten(&for_terminal(&last), 300).into_owned();
            return Err(CoverageError::Tool(why));
        }
        Ok(())
    }

    /// Runs with the strongest confinement of this machine.
    fn program(&self, reads: &[PathBuf], to: &Path) -> Result<Command, CoverageError> {
        let Some(home) = &self.home else {
            return Ok(Command::new(&self.java));
        };
        let mut rules = Rules::for_program(&self.java, home);
        rules.read.extend(env::split_paths(&self.class_path));
        for path in reads {
            rules
                .read
                .push(path::absolute(path).map_err(io_error(path))?);
        }
        rules.heap_mb = Some(1024);
        rules.write.push(to.to_owned());
        let mut command = sandbox::command(&self.java, &rules, sandbox::strongest())
            .map_err(|error| CoverageError::Tool(error.to_string()))?;
        strip_environment(&mut command, to);
        Ok(command)
    }

    fn command(&self, call: &Call<'_>, to: &Path) -> Result<Command, CoverageError> {
        let here = path::absolute(to).map_err(io_error(to))?;
        let mut command = self.program(&call.reads, &here)?;
        command
            .args(["-Xmx1g", "-XX:+UseSerialGC", "-XX:-UsePerfData"])
            .args(["-Djava.awt.headless=true", "-cp"])
            .arg(&self.class_path)
            .arg(call.main)
            .args(&call.arguments);
        for variable in JAVA_VARIABLES {
            command.env_remove(variable);
        }
        command.current_dir(here);
        Ok(command)
    }
}
