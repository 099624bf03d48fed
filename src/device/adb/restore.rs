//! The device's own settings: changed for a session, and put back at its end.

use super::error::AdbError;
use super::handle::Handle;
use super::quote::command;
use std::sync::Arc;
use std::time::Duration;

const SHORT: Duration = Duration::from_secs(30);
/// Each of the settings starts a process on an old phone.
const CLOSE: Duration = Duration::from_secs(20);

/// What makes a screen come to rest and stay on: namespace, key, value.
const CALM: [(&str, &str, &str); 6] = [
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("secure", "immersive_mode_confirmations", "confirmed"),
    ("system", "accelerometer_rotation", "0"),
];

/// Settings changed, with what they were.
#[derive(Debug)]
pub struct Restore {
    handle: Arc<Handle>,
    turned: bool,
    before: Vec<(&'static str, &'static str, String)>,
}

impl Restore {
    /// Turns animations off, keeps the screen on and upright, and wakes it.
    ///
    /// # Errors
    /// The device cannot be reached. What was changed until then is put back.
    pub fn calm(handle: &Arc<Handle>) -> Result<Self, AdbError> {
        let mut this = Self {
            handle: handle.clone(),
            turned: false,
            before: Vec::new(),
        };
        for (space, key, value) in CALM {
            this.set(space, key, value)?;
        }
        this.turn(0)?;
        // Wakes it, and takes away a keyguard that asks for nothing.
        handle.shell("input keyevent 224; wm dismiss-keyguard", SHORT)?;
        Ok(this)
    }

    /// Turns the screen to a `Surface.ROTATION_*`.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn turn(&mut self, to: u8) -> Result<(), AdbError> {
        self.set("system", "user_rotation", &to.to_string())?;
        self.turned = to != 0;
        Ok(())
    }

    /// Turns the screen upright where it was turned: a start finds it as the first one did, or a replay would not
    /// see what the session saw.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn upright(&mut self) -> Result<(), AdbError> {
        if self.turned { self.turn(0) } else { Ok(()) }
    }

    /// Changes a setting for the session.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn set(
        &mut self,
        space: &'static str,
        key: &'static str,
        value: &str,
    ) -> Result<(), AdbError> {
        let known = self.before.iter().any(|(s, k, _)| (*s, *k) == (space, key));
        if !known {
            let before = self
                .handle
                .shell(&command(["settings", "get", space, key]), SHORT)?
                .text()
                .trim()
                .to_owned();
            self.before.push((space, key, before));
        }
        self.handle
            .shell(&command(["settings", "put", space, key, value]), SHORT)?;
        Ok(())
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        let line: Vec<_> = self
            .before
            .drain(..)
            .rev()
            .map(|(space, key, value)| match value.as_str() {
                "null" | "" => command(["settings", "delete", space, key]),
                value => command(["settings", "put", space, key, value]),
            })
            .collect();
        // A device that is gone has no settings to put back.
        let _ = self.handle.close(&line.join("; "), CLOSE);
    }
}
