//! Running cargo and the tool.

use crate::Result;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// The cargo that runs us.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Clippy's compiler: beside the cargo that runs us, or the shell's.
pub fn clippy_driver() -> PathBuf {
    let name = format!("clippy-driver{}", env::consts::EXE_SUFFIX);
    let beside = env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name(&name));
    beside.filter(|b| b.exists()).unwrap_or_else(|| name.into())
}

/// Runs a command with its output shown; its failure is an error naming it.
pub fn show(command: &mut Command) -> Result {
    let said = format!("{command:?}").replace('"', "");
    let status = command
        .status()
        .map_err(|e| format!("cannot run {said}: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{said} failed ({status})"))
    }
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Builds the tool, and the sandbox that it expects next to it, and gives the path of its binary. The development profile
/// will do: the tool waits for devices nearly all of its time. `XTASK_TOOL` names one that is built: an optimised one, or
/// a copy (of both) that a long study keeps while the sources change.
pub fn build_tool() -> Result<PathBuf> {
    if let Some(tool) = env::var_os("XTASK_TOOL") {
        return std::path::absolute(&tool).map_err(|e| format!("XTASK_TOOL={tool:?}: {e}"));
    }
    show(cargo().args(["build", "--package", "cargo-droidtest", "--bins"]))?;
    Ok(tool())
}

/// Where cargo puts the tool with the development profile.
pub fn tool() -> PathBuf {
    target()
        .join("debug")
        .join(format!("cargo-droidtest{}", env::consts::EXE_SUFFIX))
}

/// The value behind `--name` in a list of arguments.
pub fn option<'a>(args: &'a [String], name: &str) -> Result<Option<&'a str>> {
    match args.iter().position(|a| a == name) {
        None => Ok(None),
        Some(ix) => match args.get(ix + 1) {
            Some(value) if !value.starts_with("--") => Ok(Some(value)),
            _ => Err(format!("{name} needs a value")),
        },
    }
}

/// The number behind `--name`, or `default`.
pub fn number(args: &[String], name: &str, default: u64) -> Result<u64> {
    match option(args, name)? {
        None => Ok(default),
        Some(text) => text
            .parse()
            .map_err(|_| format!("{name} needs a number, not {text:?}")),
    }
}
