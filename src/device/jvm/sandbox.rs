//! The way into `droidtest-sandbox` (`src/bin/sandbox`): a program in namespaces of its own.

use super::confine::{Network, Rules};
use super::settings::Confine;
use crate::device::DeviceError;
use crate::util::process;
use crate::util::sandbox_plan::Plan;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const NAME: &str = "droidtest-sandbox";
/// What it says when it was started inside.
const READY: &str = "ready";
const TRY: Duration = Duration::from_secs(20);

/// A command that runs `program` where only what these rules name exists. Arguments, environment and streams are the
/// caller's to add; standard input is watched, and its end ends the program.
///
/// # Errors
/// There is no `droidtest-sandbox`, or a path is no UTF-8.
pub fn command(program: &Path, rules: &Rules) -> Result<Command, DeviceError> {
    let helper = helper().map_err(DeviceError::Setup)?;
    wrapped(&helper, program, rules).map_err(DeviceError::Setup)
}

/// The error of a device that is to be confined in full where that cannot be.
pub fn required(confine: Confine) -> Result<(), DeviceError> {
    if confine != Confine::Full {
        return Ok(());
    }
    possible().map_err(|why| {
        DeviceError::Setup(format!(
            "this machine cannot confine an app in full: {why}; allow unprivileged user namespaces, or set device.confine = \"reduced\" (docs/security.md)"
        ))
    })
}

/// Whether this machine can build one: tried once, since it depends on the kernel, its settings and the container.
///
/// # Errors
/// Why not.
pub fn possible() -> Result<(), String> {
    static TRIED: OnceLock<Result<(), String>> = OnceLock::new();
    TRIED.get_or_init(attempt).clone()
}

fn attempt() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("only Linux has namespaces".to_owned());
    }
    let helper = helper()?;
    let rules = Rules::for_program(&helper, &helper);
    let mut command = wrapped(&helper, &helper, &rules)?;
    command.arg("--ready").env_clear().current_dir("/");
    let output = process::run(&mut command, TRY).map_err(|e| format!("{NAME}: {e}"))?;
    if output.status.success() && output.stdout.starts_with(READY.as_bytes()) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().last().unwrap_or("it says nothing").to_owned())
}

/// Beside this program; a test program lies in a folder beside it.
fn helper() -> Result<PathBuf, String> {
    let here = env::current_exe().map_err(|e| format!("where this program lies: {e}"))?;
    let folders = here.ancestors().skip(1).take(2);
    folders
        .map(|folder| folder.join(NAME))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            format!(
                "{NAME} is not beside {}; cargo install and cargo build make both",
                here.display()
            )
        })
}

fn wrapped(helper: &Path, program: &Path, rules: &Rules) -> Result<Command, String> {
    let plan = Plan {
        read: rules.read.clone(),
        write: rules.write.clone(),
        execute: rules.execute.clone(),
        network: rules.network == Network::Open,
    };
    let plan = serde_json::to_string(&plan).map_err(|e| format!("a path is no UTF-8: {e}"))?;
    let mut command = Command::new(helper);
    command.arg(plan).arg(program);
    Ok(command)
}
