//! The way into `droidtest-sandbox` (`src/bin/sandbox`), which starts all that touches an app.

use super::confine::Rules;
use super::settings::Confine;
use crate::device::DeviceError;
use crate::util::process;
use crate::util::sandbox_plan::Plan;
pub use crate::util::sandbox_plan::{Hold, Walls};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const NAME: &str = "droidtest-sandbox";
/// What it says when it was started inside.
const READY: &str = "ready";
/// What a Java process may take beside its heap, in MB: code, classes, threads, buffers.
const BESIDE_HEAP_MB: u64 = 2048;
/// What a job object of Windows holds, and what it does not.
const JOB: &str =
    "memory, processes, the desktop and the end; files and network by rewritten calls alone";
const TRY: Duration = Duration::from_secs(20);

impl From<Confine> for Walls {
    fn from(confine: Confine) -> Self {
        match confine {
            Confine::Full => Self::Full,
            Confine::Reduced => Self::Reduced,
            Confine::Off => Self::Off,
        }
    }
}

/// A command that runs `program` with only what these rules name. Arguments, environment and streams are the caller's to
/// add; standard input is watched, and its end ends the program.
///
/// # Errors
/// There is no `droidtest-sandbox`, or a path is no UTF-8.
pub fn command(program: &Path, rules: &Rules, walls: Walls) -> Result<Command, DeviceError> {
    if !cfg!(any(unix, windows)) {
        return Ok(Command::new(program));
    }
    let helper = helper().map_err(DeviceError::Setup)?;
    wrapped(&helper, program, rules, walls).map_err(DeviceError::Setup)
}

/// The most that this machine has. Tools that read an app are held by it, whatever a device asks for.
pub fn strongest() -> Walls {
    match possible() {
        Ok(()) => Walls::Full,
        Err(_) => Walls::Reduced,
    }
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
    let mut command = wrapped(&helper, &helper, &rules, Walls::Full)?;
    let said = said(command.arg("--ready"))?;
    match said.starts_with(READY) {
        true => Ok(()),
        false => Err(format!("{NAME} says nothing")),
    }
}

/// What a device with this setting is held by here, for people.
pub fn described(confine: Confine) -> String {
    let landlock = match landlock() {
        _ if cfg!(target_os = "macos") => "sandbox-exec".to_owned(),
        _ if cfg!(windows) => format!("a job object ({JOB})"),
        _ if !cfg!(unix) => "rewritten calls alone, no walls of the system".to_owned(),
        Hold::Full => "Landlock".to_owned(),
        Hold::Partial(lacks) => format!("Landlock in part ({lacks})"),
        Hold::None(why) => format!("no Landlock ({why})"),
    };
    match confine {
        Confine::Full => {
            format!("full: namespaces, a filter of system calls, no privileges, {landlock}")
        }
        Confine::Reduced if !cfg!(target_os = "linux") => format!("reduced: {landlock}"),
        Confine::Reduced => {
            format!("reduced: {landlock}, a filter of system calls, no privileges")
        }
        Confine::Off => "off: nothing".to_owned(),
    }
}

/// How far the system holds a device with this setting.
pub fn hold(confine: Confine) -> Hold {
    match confine {
        Confine::Reduced if cfg!(target_os = "macos") => Hold::Full,
        Confine::Reduced if cfg!(windows) => Hold::Partial(JOB.to_owned()),
        Confine::Full | Confine::Reduced => landlock(),
        Confine::Off => Hold::None("not asked for".to_owned()),
    }
}

/// How far Landlock holds on this machine: asked once, since it depends on the kernel alone.
pub fn landlock() -> Hold {
    static ASKED: OnceLock<Hold> = OnceLock::new();
    ASKED
        .get_or_init(|| ask().unwrap_or_else(Hold::None))
        .clone()
}

fn ask() -> Result<Hold, String> {
    if !cfg!(target_os = "linux") {
        return Err("only Linux has Landlock".to_owned());
    }
    let said = said(Command::new(helper()?).arg("--landlock"))?;
    serde_json::from_str(&said).map_err(|e| format!("{NAME}: {e}"))
}

/// What it prints, or the last line of why it ended.
fn said(command: &mut Command) -> Result<String, String> {
    command.env_clear().current_dir("/");
    let output = process::run(command, TRY).map_err(|e| format!("{NAME}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().last().unwrap_or("it says nothing").to_owned())
}

/// Beside this program; a test program lies in a folder beside it.
fn helper() -> Result<PathBuf, String> {
    let here = env::current_exe().map_err(|e| format!("where this program lies: {e}"))?;
    let folders = here.ancestors().skip(1).take(2);
    folders
        .map(|folder| folder.join(format!("{NAME}{}", env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            format!(
                "{NAME} is not beside {}; cargo install and cargo build make both",
                here.display()
            )
        })
}

fn wrapped(helper: &Path, program: &Path, rules: &Rules, walls: Walls) -> Result<Command, String> {
    let plan = Plan {
        read: rules.read.clone(),
        write: rules.write.clone(),
        execute: rules.execute.clone(),
        network: rules.network,
        processes: rules.processes,
        memory: rules
            .heap_mb
            .map(|heap| (u64::from(heap) + BESIDE_HEAP_MB) << 20),
        largest: rules.largest,
        walls,
    };
    let plan = serde_json::to_string(&plan).map_err(|e| format!("a path is no UTF-8: {e}"))?;
    let mut command = Command::new(helper);
    command.arg(plan);
    #[cfg(target_os = "macos")]
    if walls == Walls::Reduced {
        command.args(super::seatbelt::prefix(rules));
    }
    command.arg(program);
    Ok(command)
}
