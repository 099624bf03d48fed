//! The agent's tools that read an APK: each runs in a Java process of its own, which the kernel holds.

use super::confine::Rules;
use super::parts::Parts;
use super::{process, sandbox};
use crate::device::DeviceError;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A tool's process: its command, without arguments, and what it may touch.
pub struct Tool {
    /// To be given the tool's arguments.
    pub command: Command,
    /// The class path and the files named, to read; the folder, to write. `None`: the command sees to it.
    pub rules: Option<Rules>,
}

impl Tool {
    /// The class `main` of `droidtest.tool`, which reads `files` and writes below `to`, temporary files to `scratch`.
    pub fn new(
        parts: &Parts,
        main: &str,
        files: &[PathBuf],
        to: &Path,
        scratch: &Path,
    ) -> Result<Self, DeviceError> {
        let java = parts.jdk.java();
        let mut rules = Rules::for_program(&java, &parts.jdk.home);
        rules.read.extend([
            parts.agent.clone(),
            parts.libraries.clone(),
            parts.framework.clone(),
        ]);
        rules.read.extend_from_slice(files);
        rules.write.push(to.to_owned());
        // The same as the device's where the kernel allows it; a device that must have it ends before this.
        let sandboxed = sandbox::possible().is_ok();
        let mut command = if sandboxed {
            sandbox::command(&java, &rules)?
        } else {
            Command::new(java)
        };
        command
            // Deep: the JVM's verifier and ASM's frames go down with an app's methods.
            .args(["-Xmx1500m", "-Xss8m", "-XX:+UseSerialGC"])
            .args(["-XX:-UsePerfData", "-Djava.awt.headless=true"])
            .arg(format!("-Djava.io.tmpdir={}", scratch.display()))
            .arg("-cp")
            .arg(parts.class_path()?)
            .arg(format!("droidtest.tool.{main}"))
            .current_dir(to);
        process::strip_environment(&mut command, scratch);
        Ok(Self {
            command,
            rules: (!sandboxed).then_some(rules),
        })
    }
}
