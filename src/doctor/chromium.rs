//! The Chromium that runs the pages of web views on devices with `web = "chromium"`.

use super::Check;
use crate::device::jvm::browser::{Chromium, FIX};
use crate::util::process;
use std::process::Command;
use std::time::Duration;

const TRY: Duration = Duration::from_secs(20);

/// The program, and its version.
pub fn chromium(wanted: bool) -> Check {
    const NAME: &str = "Chromium";
    let program = match Chromium::locate() {
        Ok(chromium) => chromium.program,
        Err(error) if wanted => {
            let text = error.to_string();
            let (found, fix) = text.split_once("; ").unwrap_or((&text, FIX));
            return Check::failed(NAME, found, fix);
        }
        Err(_) => {
            let found = "not installed; only devices with web = \"chromium\" need it (apt-get install chromium)";
            return Check::absent(NAME, found);
        }
    };
    match process::run(Command::new(&program).arg("--version"), TRY) {
        Ok(out) if out.status.success() => {
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let version = text
                .split_whitespace()
                .find(|w| w.starts_with(|c: char| c.is_ascii_digit()))
                .unwrap_or("version unknown");
            Check::ok(NAME, format!("{version:.40} ({})", program.display()))
        }
        Ok(out) => Check::warning(
            NAME,
            format!("{} ends with {}", program.display(), out.status),
            FIX,
        ),
        Err(error) => Check::warning(
            NAME,
            format!("{} does not start: {error}", program.display()),
            FIX,
        ),
    }
}
