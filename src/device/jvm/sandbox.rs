//! Starts programs in `droidtest-sandbox` (`src/bin/sandbox`), which runs everything that reads an app.

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
/// Its output when it was started inside.
const READY: &str = "ready";
/// Memory of a Java process besides its heap, in MB: code, classes, threads, buffers.
const BESIDE_HEAP_MB: u64 = 2048;
/// What a job object of Windows restricts, and what it does not.
const JOB: &str =
    "memory, processes, the desktop and termination; files and network only by rewritten calls";
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

/// A command that runs `program` under these rules. The caller adds arguments, environment and streams; the end of
/// standard input ends the program.
///
/// # Errors
/// `droidtest-sandbox` is missing, or a path is not UTF-8.
pub fn command(program: &Path, rules: &Rules, walls: Walls) -> Result<Command, DeviceError> {
    if !cfg!(any(unix, windows)) {
        return Ok(Command::new(program));
    }
    let helper = helper().map_err(DeviceError::Setup)?;
    wrapped(&helper, program, rules, walls).map_err(DeviceError::Setup)
}

/// The strongest confinement of this machine, for tools that read an app, whatever a device's setting is.
pub fn strongest() -> Walls {
    match possible() {
        Ok(()) => Walls::Full,
        Err(_) => Walls::Reduced,
    }
}

/// The error if this machine cannot fully confine a device.
pub fn required(confine: Confine) -> Result<(), DeviceError> {
    if confine != Confine::Full {
        return Ok(());
    }
    possible().map_err(|why| {
        DeviceError::Setup(format!(
            "this machine does not support confine = \"full\": {why}; allow unprivileged user namespaces, or set device.confine = \"reduced\" (docs/security.md)"
        ))
    })
}

/// Whether this machine can build one: checked once, since it depends on the kernel, its settings and the container.
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
    let output = output_of(command.arg("--ready"))?;
    match output.starts_with(READY) {
        true => Ok(()),
        false => Err(format!("{NAME} printed nothing")),
    }
}

/// A description of the confinement with this setting on this machine.
pub fn described(confine: Confine) -> String {
    let landlock = match landlock() {
        _ if cfg!(target_os = "macos") => "sandbox-exec".to_owned(),
        _ if cfg!(windows) => format!("a job object ({JOB})"),
        _ if !cfg!(unix) => "only rewritten calls; the system does not confine the app".to_owned(),
        Hold::Full => "Landlock".to_owned(),
        Hold::Partial(lacks) => format!("Landlock partially ({lacks})"),
        Hold::None(why) => format!("no Landlock ({why})"),
    };
    match confine {
        Confine::Full => {
            format!("full: namespaces, a system call filter, no privileges, {landlock}")
        }
        Confine::Reduced if !cfg!(target_os = "linux") => format!("reduced: {landlock}"),
        Confine::Reduced => {
            format!("reduced: {landlock}, a system call filter, no privileges")
        }
        Confine::Off => "off: no confinement".to_owned(),
    }
}

/// The system's confinement of a device with this setting.
pub fn hold(confine: Confine) -> Hold {
    match confine {
        Confine::Reduced if cfg!(target_os = "macos") => Hold::Full,
        Confine::Reduced if cfg!(windows) => Hold::Partial(JOB.to_owned()),
        Confine::Full | Confine::Reduced => landlock(),
        Confine::Off => Hold::None("disabled by confine = \"off\"".to_owned()),
    }
}

/// The support for Landlock on this machine: checked once, since it depends only on the kernel.
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
    let output = output_of(Command::new(helper()?).arg("--landlock"))?;
    serde_json::from_str(&output).map_err(|e| format!("{NAME}: {e}"))
}

/// Its output, or the last line of its error.
fn output_of(command: &mut Command) -> Result<String, String> {
    command.env_clear().current_dir("/");
    let output = process::run(command, TRY).map_err(|e| format!("{NAME}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text
        .lines()
        .last()
        .unwrap_or("it printed nothing")
        .to_owned())
}

/// Next to this program; for a test program, in the parent folder.
fn helper() -> Result<PathBuf, String> {
    beside(NAME)
}

/// The file of another program of this package, which is next to this one.
///
/// # Errors
/// It is missing.
pub fn beside(name: &str) -> Result<PathBuf, String> {
    let here = env::current_exe().map_err(|e| format!("cannot find this program's path: {e}"))?;
    let folders = here.ancestors().skip(1).take(2);
    folders
        .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            format!(
                "{name} is missing next to {}; cargo install and cargo build create it",
                here.display()
            )
        })
}

fn wrapped(helper: &Path, program: &Path, rules: &Rules, walls: Walls) -> Result<Command, String> {
    let plan = Plan {
        read: rules.read.clone(),
        write: rules.write.clone(),
        pipes: rules.pipes.clone(),
        moved: rules.moved.clone(),
        links: rules.links.clone(),
        folder: rules.folder.clone(),
        execute: rules.execute.clone(),
        network: rules.network,
        processes: rules.processes,
        memory: rules
            .heap_mb
            .map(|heap| (u64::from(heap) + BESIDE_HEAP_MB) << 20),
        largest: rules.largest,
        walls,
    };
    let plan = serde_json::to_string(&plan).map_err(|e| format!("a path is not UTF-8: {e}"))?;
    let mut command = Command::new(helper);
    command.arg(plan);
    #[cfg(target_os = "macos")]
    if walls == Walls::Reduced {
        command.args(super::seatbelt::prefix(rules));
    }
    command.arg(program);
    Ok(command)
}
