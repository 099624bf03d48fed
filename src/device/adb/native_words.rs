//! Deaths beyond Java, in words; the stacks of an ANR.

use super::handle::Handle;
use super::quote::quote;
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

/// The main thread's frames at an ANR: from `traces.txt`, or, where a shell may not read it, from the dropbox.
pub fn main_stack(handle: &Handle, package: &str, pid: Option<u32>) -> Vec<String> {
    let commands = [
        "cat /data/anr/traces.txt 2>/dev/null".to_owned(),
        format!(
            "dumpsys dropbox --print data_app_anr 2>/dev/null | tail -n 400; : {}",
            quote(package)
        ),
    ];
    for line in commands {
        let Ok(said) = handle.shell(&line, SHORT) else {
            continue;
        };
        let Ok(reports) = anr::parse(&said.text()) else {
            continue;
        };
        let ours = |r: &&anr::AnrReport| {
            r.process.as_deref() == Some(package) && (pid.is_none() || r.pid == pid)
        };
        if let Some(report) = reports
            .iter()
            .rev()
            .filter(ours)
            .find(|r| !r.main_stack.is_empty())
        {
            return report.main_stack.clone();
        }
    }
    Vec::new()
}
