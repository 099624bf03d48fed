//! Systems without namespaces and Landlock: the program ends with the tool. The command line names what confines it.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpgrp, getpid, kill_current_process_group, setpgid};
use std::process::{Command, ExitCode};

/// Interval between checks of the program.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

pub fn run() -> Result<ExitCode, String> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [_, program, rest @ ..] = arguments.as_slice() else {
        return Err("usage: droidtest-sandbox PLAN PROGRAM [ARGUMENT...]".to_owned());
    };
    // Whatever the program starts is in it, too.
    if getpgrp() != getpid() {
        setpgid(None, None).map_err(|e| format!("cannot create a process group: {e}"))?;
    }
    let mut child = Command::new(program)
        .args(rest)
        .spawn()
        .map_err(|e| format!("{} cannot be run: {e}", program.display()))?;
    let wire = std::io::stdin();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("cannot wait: {e}"))? {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            return Ok(ExitCode::from(code.unwrap_or(1)));
        }
        // The wire's end alone, not what comes through it.
        let mut watched = [PollFd::new(&wire, PollFlags::empty())];
        if poll(&mut watched, Some(&PAUSE)).is_ok_and(|count| count > 0) {
            let _ = child.kill();
            let _ = kill_current_process_group(Signal::KILL);
            return Ok(ExitCode::SUCCESS);
        }
    }
}
