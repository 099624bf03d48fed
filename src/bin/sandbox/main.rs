//! `droidtest-sandbox PLAN PROGRAM [ARGUMENT...]`: runs a program that has only what its plan names.
//!
//! Two processes. The first enters new user, mount, process, network, IPC, host name and control group namespaces where
//! the plan asks for them, and ends the second when the tool goes. The second builds the root folder in them, gives up
//! all privileges, restricts itself by Landlock, adds a filter of system calls, and becomes the program. Nothing of this
//! needs `unsafe`. On Windows one process stays and holds the program by a job object.
//!
//! Standard input is the wire to the tool and inherited by the program; its other end going away ends everything.

#[cfg(target_os = "linux")]
mod arguments;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(all(unix, not(target_os = "linux")))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(windows)]
mod job;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod root;
#[cfg(any(target_os = "linux", windows))]
#[cfg_attr(windows, allow(dead_code))] // only Landlock says how far it holds
#[path = "../../util/sandbox_plan.rs"]
mod sandbox_plan;
#[cfg(target_os = "linux")]
mod stages;

use std::process::ExitCode;

/// How it ends when the sandbox cannot be built; a shell uses 126 for what cannot be run.
const NO_SANDBOX: u8 = 126;

/// Its only argument when it is the program itself: says that it was started.
const READY: &str = "--ready";

/// Its only argument when it is to say how far Landlock holds here, as JSON.
#[cfg(target_os = "linux")]
const LANDLOCK: &str = "--landlock";

fn main() -> ExitCode {
    let first = std::env::args_os().nth(1);
    let is = |name: &str| first.as_ref().is_some_and(|a| a == name);
    if is(READY) {
        println!("ready");
        return ExitCode::SUCCESS;
    }
    #[cfg(target_os = "linux")]
    let result = if is(LANDLOCK) {
        stages::landlock_here()
    } else {
        stages::run()
    };
    #[cfg(all(unix, not(target_os = "linux")))]
    let result = elsewhere::run();
    #[cfg(windows)]
    let result = job::run();
    #[cfg(not(any(unix, windows)))]
    let result: Result<ExitCode, String> = Err("nothing here holds a program".to_owned());
    result.unwrap_or_else(|error| {
        eprintln!("droidtest-sandbox: {error}");
        ExitCode::from(NO_SANDBOX)
    })
}
