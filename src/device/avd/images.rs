//! System images and AVDs: there, or made by Android's programs.

use super::settings::AvdSettings;
use crate::device::DeviceError;
use crate::device::adb::sdk;
use crate::device::progress::Watch;
use crate::util::process;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LIST: Duration = Duration::from_secs(60);
const CREATE: Duration = Duration::from_secs(300);
/// A slow line needs this long for an image of 1.5 GB.
const FETCH: Duration = Duration::from_secs(2 * 3600);

/// The emulator program.
///
/// # Errors
/// There is none.
pub fn emulator() -> Result<PathBuf, DeviceError> {
    sdk::emulator().ok_or_else(|| missing("emulator", "sdkmanager emulator"))
}

fn missing(program: &str, fix: &str) -> DeviceError {
    DeviceError::Setup(format!(
        "Android's `{program}` is neither on the PATH nor in an SDK (ANDROID_HOME, ANDROID_SDK_ROOT, the usual places): install the SDK's command-line tools, then `{fix}`"
    ))
}

/// Makes the AVD where there is none of that name.
///
/// # Errors
/// A missing image (with the command that fetches it), a refusal of avdmanager's in its message.
pub fn ensure(settings: &AvdSettings, name: &str, watch: &Watch) -> Result<(), DeviceError> {
    let mut list = Command::new(emulator()?);
    let listed = process::run_unless(list.arg("-list-avds"), LIST, &|| watch.interrupted());
    let listed = listed.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => DeviceError::Interrupted,
        _ => error.into(),
    })?;
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    // Taken for an empty list, it would have an AVD that is there made again.
    if !listed.status.success() {
        return Err(DeviceError::Setup(format!(
            "`emulator -list-avds` ended with {}: {}",
            listed.status,
            (text + &String::from_utf8_lossy(&listed.stderr)).trim()
        )));
    }
    if text.lines().any(|line| line.trim() == name) {
        return Ok(());
    }
    if settings.avd.is_some() && settings.image.is_empty() {
        let known: Vec<_> = text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.contains(' '))
            .collect();
        return Err(DeviceError::Setup(format!(
            "there is no AVD `{name}` (available: {}); name an `image` to have it created",
            known.join(", ")
        )));
    }
    match create(settings, name, watch) {
        Err(_) if watch.interrupted() => Err(DeviceError::Interrupted),
        Err(why) if settings.install && lacks_image(&why) => {
            fetch(&settings.image, watch)?;
            create(settings, name, watch).map_err(DeviceError::Setup)
        }
        Err(why) if lacks_image(&why) => Err(DeviceError::Setup(format!(
            "the system image {} is not installed: `sdkmanager '{}'`, or set `install = true`",
            settings.image, settings.image
        ))),
        done => done.map_err(DeviceError::Setup),
    }
}

fn lacks_image(why: &str) -> bool {
    why.contains("Package path is not valid")
        || why.contains("not a valid system image")
        || why.contains("no system images")
}

fn create(settings: &AvdSettings, name: &str, watch: &Watch) -> Result<(), String> {
    let program = sdk::avdmanager()
        .ok_or_else(|| missing("avdmanager", "sdkmanager 'cmdline-tools;latest'").to_string())?;
    watch.report("creating", name, 0, 0);
    let mut command = Command::new(program);
    command.args([
        "create",
        "avd",
        "--name",
        name,
        "--package",
        &settings.image,
    ]);
    // What a failed attempt of ours left goes; a name of the user's is never taken from what has it.
    if settings.avd.is_none() {
        command.arg("--force");
    }
    if let Some(profile) = &settings.profile {
        command.args(["--device", profile]);
    }
    // It asks whether to make a hardware profile of one's own.
    answered(&mut command, "no\n", CREATE, watch)
}

fn fetch(image: &str, watch: &Watch) -> Result<(), DeviceError> {
    let program =
        sdk::sdkmanager().ok_or_else(|| missing("sdkmanager", "install the command-line tools"))?;
    watch.report("fetching", image, 0, 0);
    // Licences are the user's to accept: `install = true` says that he has read them.
    let mut command = Command::new(program);
    command.arg(image);
    match answered(&mut command, &"y\n".repeat(20), FETCH, watch) {
        Err(_) if watch.interrupted() => Err(DeviceError::Interrupted),
        done => done.map_err(|why| {
            DeviceError::Setup(format!("sdkmanager does not install {image}: {why}"))
        }),
    }
}

/// Runs a program that asks questions; gives its message when it fails.
fn answered(
    command: &mut Command,
    answers: &str,
    limit: Duration,
    watch: &Watch,
) -> Result<(), String> {
    let file = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let out = file.reopen().map_err(|e| e.to_string())?;
    let err = file.reopen().map_err(|e| e.to_string())?;
    command.stdin(Stdio::piped()).stdout(out).stderr(err);
    let shown = command.get_program().to_string_lossy().into_owned();
    let mut child =
        process::Owned::spawn(command).map_err(|e| format!("{shown} does not start: {e}"))?;
    if let Some(mut stdin) = child.child().stdin.take() {
        // One that asks nothing closes its input.
        let _ = stdin.write_all(answers.as_bytes());
    }
    let ended = child
        .wait_unless(Instant::now() + limit, &|| watch.interrupted())
        .map_err(|e| e.to_string())?;
    let words = std::fs::read_to_string(file.path()).unwrap_or_default();
    match ended {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("{shown} ended with {status}: {}", words.trim())),
        None => Err(format!(
            "{shown} did not end within {} s: {}",
            limit.as_secs(),
            words.trim()
        )),
    }
}
