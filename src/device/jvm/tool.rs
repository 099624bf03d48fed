//! The agent's tools that read an APK: each runs in a separate, confined Java process.

use super::confine::Rules;
use super::parts::Parts;
use super::{process, sandbox};
use crate::device::DeviceError;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEAP_MB: u32 = 1500;
/// Memory that the translator may take, in MB; the dex files it maps are not counted. It needs a small part of that.
const TRANSLATOR_MB: u32 = 512;
/// The program that translates an app's code.
const TRANSLATOR: &str = "droidtest-classes";

/// The file of the program that translates an app's code.
///
/// # Errors
/// It is missing.
pub fn translator() -> Result<PathBuf, DeviceError> {
    sandbox::beside(TRANSLATOR).map_err(DeviceError::Setup)
}

/// The command of `program`, the translator, without its arguments; it reads `files` and writes below `to`.
pub fn translator_command(
    program: &Path,
    files: &[PathBuf],
    to: &Path,
) -> Result<Command, DeviceError> {
    let mut rules = Rules::for_program(program, program);
    rules.read.extend_from_slice(files);
    rules.write.push(to.to_owned());
    rules.heap_mb = Some(TRANSLATOR_MB);
    let mut command = sandbox::command(program, &rules, sandbox::strongest())?;
    command.current_dir(to);
    process::strip_environment(&mut command, to);
    Ok(command)
}

/// The command, without the tool's arguments, for the class `main` of `droidtest.tool`, which reads `files` and writes
/// below
/// `to`, temporary files to `scratch`.
pub fn command(
    parts: &Parts,
    main: &str,
    files: &[PathBuf],
    to: &Path,
    scratch: &Path,
) -> Result<Command, DeviceError> {
    let java = parts.jdk.java();
    let mut rules = Rules::for_program(&java, &parts.jdk.home);
    rules.read.extend([
        parts.agent.clone(),
        parts.libraries.clone(),
        parts.framework.clone(),
    ]);
    rules.read.extend_from_slice(files);
    rules.write.push(to.to_owned());
    rules.heap_mb = Some(HEAP_MB);
    let mut command = sandbox::command(&java, &rules, sandbox::strongest())?;
    command
        // Deep: the JVM's verifier and ASM's frames go down with an app's methods.
        .arg(format!("-Xmx{HEAP_MB}m"))
        .args(["-Xss8m", "-XX:+UseSerialGC"])
        .args(["-XX:-UsePerfData", "-Djava.awt.headless=true"])
        .arg(format!("-Djava.io.tmpdir={}", scratch.display()))
        .arg("-cp")
        .arg(parts.class_path()?)
        .arg(format!("droidtest.tool.{main}"))
        .current_dir(to);
    process::strip_environment(&mut command, scratch);
    Ok(command)
}
