//! The app on the device: installed, cleared, started, stopped, all by the shell's commands.

use super::error::AdbError;
use super::handle::Handle;
use super::quote::{command, is_package, quote};
use super::user::User;
use crate::android::{am, focus};
use crate::device::{App, DeviceError};
use std::fs::File;
use std::time::Duration;

/// A slow phone takes an APK of 100 MB in this time.
const INSTALL: Duration = Duration::from_secs(300);
/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);

/// An app by its package.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name, checked: it is written into commands.
    pub name: String,
    /// Its launcher activity in full; `None` before it is installed.
    pub launcher: Option<String>,
    /// Permissions it requests.
    permissions: Vec<String>,
    grant: bool,
    api: u32,
    /// The user that the run is for.
    pub user: User,
}

impl Package {
    /// Puts an app's APK on the device. With `replace` another build of it that is there goes first, with its data.
    ///
    /// # Errors
    /// The message of `pm`, with the fix for known ones.
    pub fn install(
        handle: &Handle,
        app: &App,
        replace: bool,
        api: u32,
    ) -> Result<Self, DeviceError> {
        let (name, grant) = (&app.package, app.grant_permissions);
        let apk = app
            .file
            .as_ref()
            .ok_or_else(|| DeviceError::Setup("an adb device runs APKs, not models".to_owned()))?;
        if !is_package(name) {
            return Err(DeviceError::Setup(format!(
                "{name:?} is not a package name: letters, digits, `_`, parts joined by dots"
            )));
        }
        let to = format!("/data/local/tmp/droidtest-{name}.apk");
        let file =
            File::open(apk).map_err(|e| DeviceError::Setup(format!("{}: {e}", apk.display())))?;
        if let Err(error) = handle.push(file, &to, 0o644, INSTALL) {
            // What was written of it takes the room that is wanted.
            let _ = handle.closing().shell(&command(["rm", "-f", &to]), SHORT);
            let said = error.to_string();
            return Err(match fix(&said) {
                "" => error.into(),
                fix => DeviceError::Launch(format!(
                    "{} cannot be copied to {}: {said}{fix}",
                    apk.display(),
                    handle.serial
                )),
            });
        }
        let mut words = vec!["pm", "install", "-r", "-t"];
        if grant && api >= 23 {
            words.push("-g");
        }
        words.push(&to);
        let line = command(words);
        let mut done = handle.shell(&line, INSTALL);
        let other_build = done
            .as_ref()
            .is_ok_and(|out| is_of_another_build(&out.words()));
        if other_build && replace {
            handle.shell(&command(["pm", "uninstall", name]), INSTALL)?;
            done = handle.shell(&line, INSTALL);
        }
        // Also where the user stopped it.
        let _ = handle.closing().shell(&command(["rm", "-f", &to]), SHORT);
        let said = done?.words();
        if other_build && !replace {
            let serial = &handle.serial;
            return Err(DeviceError::Launch(format!(
                "{serial} has another build of {name} ({said}), which must be uninstalled first; that also deletes \
                 all its data: do so yourself (`adb -s {serial} uninstall {name}`), or set `replace = true` on the \
                 device"
            )));
        }
        if !said.contains("Success") {
            return Err(DeviceError::Launch(format!(
                "{} cannot be installed on {}: {said}{}",
                apk.display(),
                handle.serial,
                fix(&said)
            )));
        }
        let mut package = Self {
            name: name.clone(),
            launcher: None,
            permissions: Vec::new(),
            grant,
            api,
            user: User::in_front(handle)?,
        };
        package.launcher = package.find_launcher(handle)?;
        package.permissions = package.find_permissions(handle)?;
        Ok(package)
    }

    fn find_launcher(&self, handle: &Handle) -> Result<Option<String>, AdbError> {
        if self.api < 24 {
            return Ok(None);
        }
        let mut words = vec!["cmd", "package", "resolve-activity", "--brief"];
        words.extend(self.user.words());
        words.extend([
            "-a",
            "android.intent.action.MAIN",
            "-c",
            "android.intent.category.LAUNCHER",
            &self.name,
        ]);
        let line = command(words);
        let said = handle.shell(&line, SHORT)?.text();
        let found = said
            .lines()
            .filter_map(|l| l.trim().split_once('/'))
            .find(|(package, _)| *package == self.name);
        Ok(found.map(|(package, class)| focus::full_name(package, class)))
    }

    fn find_permissions(&self, handle: &Handle) -> Result<Vec<String>, AdbError> {
        let said = handle
            .shell(&command(["dumpsys", "package", &self.name]), SHORT)?
            .text();
        let lines = said
            .lines()
            .map(str::trim)
            .skip_while(|l| !l.starts_with("requested permissions:"))
            .skip(1);
        let names = lines
            .take_while(|l| !l.ends_with("permissions:"))
            .map(|l| l.split(':').next().unwrap_or(l));
        Ok(names.filter(|l| is_package(l)).map(str::to_owned).collect())
    }

    /// What is done with the app, for the run's user only: without one `am` means all users, and `pm` the first.
    fn command(&self, program: &str, verb: &str) -> String {
        let words = [program, verb].into_iter().chain(self.user.words());
        command(words.chain([self.name.as_str()]))
    }

    /// Ends the app's processes.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn stop(&self, handle: &Handle) -> Result<(), AdbError> {
        handle.shell(&self.command("am", "force-stop"), SHORT)?;
        Ok(())
    }

    /// Clears its data, and grants its permissions again, which go with the data.
    ///
    /// # Errors
    /// `pm` does not clear it.
    pub fn clear(&self, handle: &Handle) -> Result<(), AdbError> {
        let said = handle.shell(&self.command("pm", "clear"), SHORT)?.words();
        if !said.contains("Success") {
            return Err(AdbError::Refused(format!(
                "the data of {} cannot be cleared: {said}",
                self.name
            )));
        }
        if self.grant && self.api >= 23 && !self.permissions.is_empty() {
            // Those granted at install are refused here, and need none.
            let all: Vec<_> = self
                .permissions
                .iter()
                .map(|p| format!("{} {} 2>/dev/null", self.command("pm", "grant"), quote(p)))
                .collect();
            handle.shell(&all.join("; "), SHORT)?;
        }
        Ok(())
    }

    /// Starts it, or brings it to the front.
    ///
    /// # Errors
    /// Why it does not start, in `am`'s words.
    pub fn start(&self, handle: &Handle, limit: Duration) -> Result<(), DeviceError> {
        let Some(launcher) = &self.launcher else {
            // Before Android 7 nobody tells the launcher activity; monkey finds it.
            let said = handle.shell(
                &command([
                    "monkey",
                    "-p",
                    &self.name,
                    "-c",
                    "android.intent.category.LAUNCHER",
                    "1",
                ]),
                limit,
            )?;
            return if said.words().contains("Events injected: 1") {
                Ok(())
            } else {
                Err(DeviceError::Launch(format!(
                    "{} has no launcher activity: {}",
                    self.name,
                    said.words()
                )))
            };
        };
        let component = format!("{}/{launcher}", self.name);
        let line = command([
            "am",
            "start",
            "-W",
            "-a",
            "android.intent.action.MAIN",
            "-c",
            "android.intent.category.LAUNCHER",
            "-f",
            "0x10200000",
            "-n",
            &component,
        ]);
        let said = handle.shell(&self.user.line(&line), limit)?;
        match am::parse(&(said.text() + &String::from_utf8_lossy(&said.stderr))) {
            Ok(answer) => match answer.error {
                Some(why) => Err(DeviceError::Launch(why)),
                None => Ok(()),
            },
            Err(_) => Err(DeviceError::Launch(format!(
                "am start printed: {}",
                said.words()
            ))),
        }
    }
}

/// Does `pm` refuse because of another build under the same name?
fn is_of_another_build(said: &str) -> bool {
    [
        "UPDATE_INCOMPATIBLE",
        "VERSION_DOWNGRADE",
        "INCONSISTENT_CERTIFICATES",
    ]
    .iter()
    .any(|word| said.contains(word))
}

/// The fix for refusals of `pm` that the user can fix.
fn fix(said: &str) -> &'static str {
    match () {
        () if said.contains("NO_MATCHING_ABIS") => {
            ": the APK's native libraries are for another processor; build them for the device's processor, or use a \
             system image for the APK's"
        }
        () if said.contains("INSUFFICIENT_STORAGE") || said.contains("No space left") => {
            ": free some storage on the device"
        }
        () if said.contains("OLDER_SDK") => ": the app needs a newer Android than the device has",
        () if said.contains("USER_RESTRICTED") => {
            ": allow installing over USB in the developer options"
        }
        () if said.contains("MISSING_SPLIT") => {
            ": this APK is one of a bundle's; build a universal APK"
        }
        () => "",
    }
}
