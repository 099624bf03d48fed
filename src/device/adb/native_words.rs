//! Deaths beyond Java, in words; the stacks of an ANR in `traces.txt`.

use super::handle::Handle;
use crate::android::anr;
use crate::android::native::NativeCrash;
use crate::device::Death;
use std::fmt::Write as _;
use std::time::Duration;

const SHORT: Duration = Duration::from_secs(20);

/// A native crash: the first line names signal and place, the rest is evidence.
pub fn of_crash(crash: &NativeCrash) -> Death {
    let signal = crash.signal_name.as_deref().unwrap_or("a signal");
    let places = crash.places();
    let place = places.first().map_or("native code", String::as_str);
    let mut text = format!("{signal} in {place}");
    if let Some(message) = &crash.abort_message {
        let _ = write!(text, "\nabort message: {message}");
    }
    if let Some(address) = &crash.fault_address {
        let _ = write!(text, "\nfault address: {address}");
    }
    for (ix, frame) in crash.backtrace.iter().enumerate().take(40) {
        let _ = write!(
            text,
            "\n  #{ix:02} {} {}",
            frame.file,
            frame.symbol.as_deref().unwrap_or(&frame.pc)
        );
    }
    Death {
        words: text,
        fingerprint: Some(crash.fingerprint()),
    }
}

/// The main thread's frames at an ANR from `traces.txt`, where a shell may read it: on old systems, before Android 8.
pub fn main_stack(handle: &Handle, package: &str, pid: Option<u32>) -> Vec<String> {
    let Ok(said) = handle.shell("cat /data/anr/traces.txt 2>/dev/null", SHORT) else {
        return Vec::new();
    };
    let reports = anr::parse(&said.text()).unwrap_or_default();
    let ours = |r: &anr::AnrReport| {
        r.process.as_deref() == Some(package) && (pid.is_none() || r.pid == pid)
    };
    let mut latest = reports.into_iter().rev().filter(ours);
    latest
        .find(|r| !r.main_stack.is_empty())
        .map(|r| r.main_stack)
        .unwrap_or_default()
}
