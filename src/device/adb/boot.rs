//! Is Android up? Every sign that it gives, under a deadline.

use super::error::AdbError;
use super::handle::Handle;
use std::time::Duration;

const SHORT: Duration = Duration::from_secs(10);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(250);

/// Waits until Android is up and gives its API level.
///
/// `sys.boot_completed` alone does not do: it is 1 at once after a snapshot was loaded, while services still start.
/// So the boot animation has to have stopped, and the package and input services to answer.
///
/// # Errors
/// The deadline, with the sign that was missing last; a device that is not there by then; a device that cannot be used at all.
pub fn wait(handle: &Handle, limit: Duration) -> Result<u32, AdbError> {
    let limit = handle
        .server
        .limit(limit, format!("{} to start", handle.serial));
    loop {
        let mut absent = None;
        let missing = match signs(handle) {
            Ok(Ok(api)) => return Ok(api),
            Ok(Err(missing)) => missing,
            Err(error) if error.is_passing() => {
                let words = error.to_string();
                absent = Some(error).filter(|e| matches!(e, AdbError::NotFound(_)));
                words
            }
            // A question that hangs while services start says nothing of the next one.
            Err(error @ AdbError::Timeout { .. }) => error.to_string(),
            Err(error) => return Err(error),
        };
        match limit.pause(PAUSE) {
            Err(AdbError::Timeout { what, seconds }) => {
                if let Some(absent) = absent {
                    return Err(absent);
                }
                return Err(AdbError::Timeout {
                    what: format!("{what} (last: {missing})"),
                    seconds,
                });
            }
            other => other?,
        }
    }
}

fn signs(handle: &Handle) -> Result<Result<u32, String>, AdbError> {
    let line = "getprop sys.boot_completed; getprop init.svc.bootanim; getprop ro.build.version.sdk; service check input 2>&1; service check package 2>&1; pm path android 2>&1";
    let said = handle.shell(line, SHORT)?.text();
    let mut lines = said.lines().map(str::trim);
    let mut next = || lines.next().unwrap_or("");
    let (booted, animation, api) = (next(), next(), next());
    let (input, packages, package) = (next(), next(), next());
    let found = |said: &str| said.ends_with(": found");
    Ok(if booted != "1" {
        Err("sys.boot_completed is not 1".to_owned())
    } else if !matches!(animation, "stopped" | "") {
        Err(format!("the boot animation is {animation}"))
    } else if let Some(missing) = [input, packages].into_iter().find(|said| !found(said)) {
        Err(format!("a service is missing: {missing}"))
    } else if !package.starts_with("package:") {
        Err(format!("the package service does not answer: {package}"))
    } else {
        api.parse()
            .map_err(|_| format!("ro.build.version.sdk is {api:?}"))
    })
}

/// Width and height in pixels, upright.
///
/// # Errors
/// The device cannot be reached.
pub fn screen_size(handle: &Handle) -> Result<(i32, i32), AdbError> {
    let said = handle.shell("wm size", SHORT)?.text();
    // An override comes after the physical size and goes before it.
    let size = said.lines().rev().find_map(|l| {
        let (w, h) = l.rsplit(' ').next()?.trim().split_once('x')?;
        Some((w.parse().ok()?, h.parse().ok()?))
    });
    Ok(size.unwrap_or_default())
}
