//! `droidtest-sandbox PLAN PROGRAM [ARGUMENT...]`: runs a program with access only to what its plan names.
//!
//! Two processes. The first enters new user, mount, process, network, IPC, host name and control group namespaces if
//! the plan requires them, and kills the second when the tool ends. The second builds the root folder in them, drops
//! all privileges, restricts itself with Landlock, adds a system call filter, and executes the program. None of this
//! needs
//! `unsafe`. On Windows one process stays and confines the program with a job object.
//!
//! Standard input is the wire to the tool, and the program inherits it; closing its other end ends everything.

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
#[cfg_attr(windows, allow(dead_code))] // only for Landlock's report
#[path = "../../util/sandbox_plan.rs"]
mod sandbox_plan;
#[cfg(target_os = "linux")]
mod stages;

use std::process::ExitCode;

/// The exit code if the sandbox cannot be built; a shell uses 126 for a program that cannot be run.
const NO_SANDBOX: u8 = 126;

/// The only argument when it runs as the program: prints that it was started.
const READY: &str = "--ready";

/// The only argument to print the support for Landlock as JSON.
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
    let result: Result<ExitCode, String> = Err("this system cannot confine a program".to_owned());
    result.unwrap_or_else(|error| {
        eprintln!("droidtest-sandbox: {error}");
        ExitCode::from(NO_SANDBOX)
    })
}
