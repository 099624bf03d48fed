//! What emulators and phones need. Everything else works without them, so nothing here fails a machine whose
//! suite does not use them.

use super::Check;
use crate::device::adb::sdk;
use crate::device::adb::server::{PORT, Server};
use crate::util::process;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const TRY: Duration = Duration::from_secs(20);

/// The `adb` program, and the devices of a running server; none is started.
pub fn adb(wanted: bool) -> Check {
    const NAME: &str = "adb";
    let Some(program) = sdk::adb() else {
        let fix = "apt-get install adb, or Android's platform-tools and ANDROID_HOME";
        return absent(NAME, wanted, "phones and emulators need it", fix);
    };
    let version = match process::run(Command::new(&program).arg("version"), TRY) {
        Ok(out) if out.status.success() => {
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let line = text.lines().find_map(|l| l.strip_prefix("Version "));
            line.unwrap_or("version unknown").trim().to_owned()
        }
        Ok(out) => {
            let found = format!("{} ends with {}", program.display(), out.status);
            return Check::warning(NAME, found, "reinstall Android's platform-tools");
        }
        Err(error) => {
            let found = format!("{} does not start: {error}", program.display());
            return Check::warning(NAME, found, "reinstall Android's platform-tools");
        }
    };
    let found = format!("{version} ({})", program.display());
    let port = std::env::var("ANDROID_ADB_SERVER_PORT");
    let port = port.ok().and_then(|p| p.parse().ok()).unwrap_or(PORT);
    let server = Server::new(port, None, Arc::default()).patient(Duration::from_secs(2));
    if server.connect().is_err() {
        return Check::ok(NAME, format!("{found}, no server running"));
    }
    match server.devices() {
        Ok(devices) => {
            let ready = devices.iter().filter(|d| d.state == "device").count();
            let sick = devices.iter().find(|d| d.state != "device");
            let found = format!("{found}, {ready} of {} devices ready", devices.len());
            match sick {
                None => Check::ok(NAME, found),
                Some(device) => Check::warning(
                    NAME,
                    format!("{found}, {} is {}", device.serial, device.state),
                    device.fix().unwrap_or("adb reconnect offline"),
                ),
            }
        }
        Err(error) => Check::warning(NAME, format!("{found}: {error}"), "adb kill-server"),
    }
}

/// The emulator and its tools.
pub fn emulator(wanted: bool) -> Check {
    const NAME: &str = "emulator";
    let Some(emulator) = sdk::emulator() else {
        let fix = "install Android's SDK and set ANDROID_HOME, see docs/android.md";
        return absent(NAME, wanted, "devices of kind avd need it", fix);
    };
    let found = emulator.display().to_string();
    let tools = [
        ("avdmanager", sdk::avdmanager()),
        ("sdkmanager", sdk::sdkmanager()),
    ];
    let missing: Vec<_> = tools
        .iter()
        .filter(|(_, at)| at.is_none())
        .map(|(n, _)| *n)
        .collect();
    if !missing.is_empty() {
        return Check::warning(
            NAME,
            format!("{found}, without {}", missing.join(" and ")),
            "install the SDK's command-line tools as cmdline-tools/latest below ANDROID_HOME",
        );
    }
    match acceleration() {
        Ok(()) => Check::ok(NAME, found),
        Err(why) => Check::warning(
            NAME,
            format!("{found}, without acceleration: {why}"),
            "sudo gpasswd -a $USER kvm, and log in again (docs/android.md has the line for GitHub Actions)",
        ),
    }
}

/// A missing tool, which is an error if the suite's devices need it.
fn absent(name: &'static str, wanted: bool, who: &str, fix: &str) -> Check {
    if wanted {
        let found = format!("not installed, and a device of the suite needs it: {who}");
        Check::failed(name, found, fix)
    } else {
        Check::absent(name, format!("not installed; only {who} ({fix})"))
    }
}

/// Linux's KVM, readable and writable; other systems have an equivalent that is always on.
fn acceleration() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let kvm = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/kvm");
    kvm.map(drop).map_err(|e| format!("/dev/kvm: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    #[test]
    fn a_machine_without_android_is_not_at_fault() {
        for check in [adb(false), emulator(false)] {
            assert_ne!(check.verdict, Verdict::Failed, "{check:?}");
            assert_eq!(check.verdict == Verdict::Warning, check.fix.is_some());
        }
    }

    #[test]
    fn what_the_suite_wants_and_is_not_there_is_a_fault() {
        let check = absent(
            "emulator",
            true,
            "devices of kind avd need it",
            "install it",
        );
        assert_eq!(check.verdict, Verdict::Failed);
        assert_eq!(check.fix.as_deref(), Some("install it"));
        assert_eq!(absent("emulator", false, "w", "m").verdict, Verdict::Ok);
    }
}
