//! The device's settings: changed for a session, and put back at its end.
//!
//! What they were is written to a file on the device before the first is changed, and the file goes once they are
//! put back: so a run that was killed costs nobody their settings. The next one finds the file and puts those back.

use super::error::AdbError;
use super::handle::Handle;
use super::quote::{command, quote};
use crate::device::key;
use std::sync::Arc;
use std::time::Duration;

const SHORT: Duration = Duration::from_secs(30);
/// Each of the settings starts a process on an old phone.
const CLOSE: Duration = Duration::from_secs(20);
/// What the settings were, one per line: namespace, key, value.
const FILE: &str = "/data/local/tmp/droidtest-settings";
/// Said by the shell where a setting was not put back.
const FAILED: &str = "droidtest-not-put-back";

/// What makes a screen come to rest, stay on and upright: namespace, key, value.
const CALM: [(&str, &str, &str); 8] = [
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    // On the cable a phone may stay dark all the same, and one on the network has none.
    ("system", "screen_off_timeout", "2147483647"),
    ("secure", "immersive_mode_confirmations", "confirmed"),
    ("system", "accelerometer_rotation", "0"),
    ("system", "user_rotation", "0"),
];

/// What connects a device: key in `global`, and what `svc` calls it.
const NETWORK: [(&str, &str); 2] = [("wifi_on", "wifi"), ("mobile_data", "data")];

/// A setting as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Setting {
    space: String,
    key: String,
    /// `null`: it was not set.
    value: String,
}

impl Setting {
    fn line(&self) -> String {
        format!("{} {} {}", self.space, self.key, self.value)
    }

    /// A line of the file. Anything else in it is not ours, and nothing for a shell.
    fn parse(line: &str) -> Option<Self> {
        let (space, rest) = line.trim_end_matches('\r').split_once(' ')?;
        let (key, value) = rest.split_once(' ')?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (matches!(space, "global" | "secure" | "system")
            && !key.is_empty()
            && key.chars().all(plain))
        .then(|| Self {
            space: space.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
        })
    }

    fn is(&self, space: &str, key: &str) -> bool {
        (self.space.as_str(), self.key.as_str()) == (space, key)
    }

    /// Is it something that connects the device, and is that on? (2: Wi-Fi in airplane mode.)
    fn connects(&self) -> bool {
        self.service().is_some() && matches!(self.value.as_str(), "1" | "2")
    }

    /// What `svc` calls it.
    fn service(&self) -> Option<&'static str> {
        let is = |(key, _): &&(&str, &str)| self.is("global", key);
        NETWORK.iter().find(is).map(|(_, service)| *service)
    }

    fn put_back(&self) -> String {
        let (space, key) = (self.space.as_str(), self.key.as_str());
        if let Some(service) = self.service() {
            let to = if self.connects() { "enable" } else { "disable" };
            return command(["svc", service, to]);
        }
        match self.value.as_str() {
            "null" | "" => command(["settings", "delete", space, key]),
            value => command(["settings", "put", space, key, value]),
        }
    }
}

/// Settings changed, with what they were.
#[derive(Debug)]
pub struct Restore {
    handle: Arc<Handle>,
    turned: bool,
    before: Vec<Setting>,
    /// What connects the device, as far as it is on and a shell can switch it.
    network: Vec<Setting>,
}

impl Restore {
    /// Turns animations off, keeps the screen on and upright, and wakes it. Gives with it the settings that the
    /// device refuses, in words: those stay unchanged.
    ///
    /// # Errors
    /// The device cannot be reached. What was changed until then is restored.
    pub fn calm(handle: &Arc<Handle>, api: u32) -> Result<(Self, Vec<String>), AdbError> {
        let mut refused = Vec::new();
        let before = known(handle, &mut refused)?;
        keep(handle, &before)?;
        let mut this = Self {
            handle: handle.clone(),
            turned: false,
            before,
            network: Vec::new(),
        };
        // What a killed run has switched off.
        this.online()?;
        let known = this.before.iter().filter(|s| s.connects());
        this.network = known.cloned().collect();
        if this.network.is_empty() {
            this.network = network(handle)?;
        }
        for (space, key, value) in CALM {
            if this.before.iter().any(|s| s.is(space, key))
                && let Err(why) = this.set(space, key, value)?
            {
                refused.push(why);
                // It is as it was, and would be refused again at the end.
                this.before.retain(|s| !s.is(space, key));
            }
        }
        wake(handle, api)?;
        Ok((this, refused))
    }

    /// Turns the screen to a `Surface.ROTATION_*`; gives the device's words where it refuses.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn turn(&mut self, to: u8) -> Result<Result<(), String>, AdbError> {
        let done = self.set("system", "user_rotation", &to.to_string())?;
        self.turned = to != 0;
        Ok(done)
    }

    /// Turns the screen upright where it was turned, and switches the network on where it was switched off: a start
    /// finds them as the first one did, or a replay would not see what the session saw.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn as_at_start(&mut self) -> Result<(), AdbError> {
        if self.turned {
            let _ = self.turn(0)?;
        }
        self.online()
    }

    /// Can the network be lost?
    pub fn can_disconnect(&self) -> bool {
        !self.network.is_empty()
    }

    /// Switches the network off, or on again; gives the device's words where it refuses.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn toggle_network(&mut self) -> Result<Result<(), String>, AdbError> {
        if !self.can_disconnect() {
            return Ok(Err("the device has no network that it can lose".to_owned()));
        }
        // The device is asked, since a snapshot may have restored it.
        if network(&self.handle)?.is_empty() {
            self.online()?;
            return Ok(Ok(()));
        }
        if !self.before.iter().any(Setting::connects) {
            self.before.extend_from_slice(&self.network);
            keep(&self.handle, &self.before)?;
        }
        for service in self.network.iter().filter_map(Setting::service) {
            let line = command(["svc", service, "disable"]);
            let said = self.handle.shell(&line, SHORT)?;
            if said.code != 0 {
                return Ok(Err(format!("{line}: {}", said.words())));
            }
        }
        Ok(Ok(()))
    }

    /// Switches the network on where it was switched off.
    fn online(&self) -> Result<(), AdbError> {
        for lost in self.before.iter().filter(|s| s.connects()) {
            self.handle.shell(&lost.put_back(), SHORT)?;
        }
        Ok(())
    }

    fn set(&self, space: &str, key: &str, value: &str) -> Result<Result<(), String>, AdbError> {
        let line = command(["settings", "put", space, key, value]);
        let said = self.handle.shell(&line, SHORT)?;
        Ok(match said.code {
            0 => Ok(()),
            _ => Err(format!("{space} {key}: {}", said.words())),
        })
    }
}

/// Wakes the screen, and removes a keyguard that requests nothing.
fn wake(handle: &Handle, api: u32) -> Result<(), AdbError> {
    let said = handle.shell("input keyevent 224; wm dismiss-keyguard", SHORT)?;
    let said = said.words().to_lowercase();
    // A `wm` that has no such command reports it and ends well: the menu key opened the lock in its days.
    if api < 24 || said.contains("unknown command") || said.contains("usage:") {
        handle.shell(&format!("input keyevent {}", key::MENU), SHORT)?;
    }
    Ok(())
}

/// What connects the device now; nothing if adb itself may come through it.
fn network(handle: &Handle) -> Result<Vec<Setting>, AdbError> {
    let mut on = Vec::new();
    if handle.is_remote() {
        return Ok(on);
    }
    for (key, _) in NETWORK {
        let said = handle.shell(&command(["settings", "get", "global", key]), SHORT)?;
        on.push(Setting {
            space: "global".to_owned(),
            key: key.to_owned(),
            value: said.text().trim().to_owned(),
        });
    }
    on.retain(Setting::connects);
    Ok(on)
}

/// What the settings are: as a killed run found them, where it left its file, else as the device says. One that it
/// does not tell is left out.
fn known(handle: &Handle, refused: &mut Vec<String>) -> Result<Vec<Setting>, AdbError> {
    let left = handle.shell(&command(["cat", FILE]), SHORT)?;
    let mut known: Vec<Setting> = match left.code {
        0 => left.text().lines().filter_map(Setting::parse).collect(),
        _ => Vec::new(),
    };
    for (space, key, _) in CALM {
        if known.iter().any(|s| s.is(space, key)) {
            continue;
        }
        let said = handle.shell(&command(["settings", "get", space, key]), SHORT)?;
        let value = said.text().trim().to_owned();
        // Before Android 7 the shell's `settings` ends well whatever it says.
        if said.code != 0 || value.contains('\n') || value.contains("Exception") {
            refused.push(format!("{space} {key}: {}", said.words()));
            continue;
        }
        known.push(Setting {
            space: space.to_owned(),
            key: key.to_owned(),
            value,
        });
    }
    Ok(known)
}

/// Writes what they were, complete or not at all: a line of a shell can be cut off anywhere.
fn keep(handle: &Handle, before: &[Setting]) -> Result<(), AdbError> {
    let new = format!("{FILE}.new");
    let mut parts = vec![command(["rm", "-f", &new])];
    parts.extend(
        before
            .iter()
            .map(|s| format!("echo {} >> {new}", quote(&s.line()))),
    );
    if before.is_empty() {
        return Ok(());
    }
    parts.push(command(["mv", &new, FILE]));
    handle.run(&parts.join(" && "), SHORT)?;
    Ok(())
}

impl Drop for Restore {
    fn drop(&mut self) {
        let parts: Vec<_> = self
            .before
            .drain(..)
            .rev()
            .map(|setting| format!("{} || echo {FAILED}", setting.put_back()))
            .collect();
        if parts.is_empty() {
            return;
        }
        // A device that is gone keeps the file, and the next run restores what is in it.
        let done = self.handle.close(&parts.join("; "), CLOSE);
        if done.is_ok_and(|said| !said.text().contains(FAILED)) {
            let _ = self.handle.close(&command(["rm", "-f", FILE]), CLOSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_put_back_as_its_line_says() {
        let back = |line: &str| Setting::parse(line).map(|s| s.put_back());
        let put = |line: &str| back(line).unwrap();
        assert_eq!(
            put("global window_animation_scale 0.5"),
            "settings put global window_animation_scale 0.5"
        );
        assert_eq!(
            put("secure a b;reboot c\r"),
            "settings put secure a 'b;reboot c'"
        );
        assert_eq!(
            put("system user_rotation null"),
            "settings delete system user_rotation"
        );
        assert_eq!(put("system a "), "settings delete system a");
        assert_eq!(back("global a;reboot 1"), None);
        assert_eq!(back("reboot now please"), None);
        assert_eq!(put("global wifi_on 2"), "svc wifi enable");
        assert_eq!(put("global mobile_data 0"), "svc data disable");
        let line = "secure key two words";
        assert_eq!(Setting::parse(line).unwrap().line(), line);
    }
}
