//! Windows: a job object contains the program and its children. It limits memory and the number of processes, denies
//! access to the desktop, and kills everything in it when this process ends for any reason. It does not restrict files
//! and network.

use crate::sandbox_plan::{Plan, Walls};
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOB_OBJECT_UILIMIT_DESKTOP,
    JOB_OBJECT_UILIMIT_DISPLAYSETTINGS, JOB_OBJECT_UILIMIT_EXITWINDOWS,
    JOB_OBJECT_UILIMIT_GLOBALATOMS, JOB_OBJECT_UILIMIT_HANDLES, JOB_OBJECT_UILIMIT_READCLIPBOARD,
    JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS, JOB_OBJECT_UILIMIT_WRITECLIPBOARD,
    JOBOBJECT_BASIC_UI_RESTRICTIONS, JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS,
    JobObjectBasicUIRestrictions, JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// Processes in the job: this one and the program.
const TWO: u32 = 2;
/// The same for a program of several processes.
const SEVERAL: u32 = 64;
/// The clipboard, the desktop, the screen, the session and windows of others.
const DESKTOP: u32 = JOB_OBJECT_UILIMIT_DESKTOP
    | JOB_OBJECT_UILIMIT_DISPLAYSETTINGS
    | JOB_OBJECT_UILIMIT_EXITWINDOWS
    | JOB_OBJECT_UILIMIT_GLOBALATOMS
    | JOB_OBJECT_UILIMIT_HANDLES
    | JOB_OBJECT_UILIMIT_READCLIPBOARD
    | JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS
    | JOB_OBJECT_UILIMIT_WRITECLIPBOARD;

pub fn run() -> Result<ExitCode, String> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [plan, program, rest @ ..] = arguments.as_slice() else {
        return Err("usage: droidtest-sandbox PLAN PROGRAM [ARGUMENT...]".to_owned());
    };
    let plan = Plan::parse(plan)?;
    // Before the program is there: what a process in a job starts is in it from its first instruction.
    enter(&plan).map_err(|e| format!("cannot create a job object: {e}"))?;
    // A separate pipe: two processes that read one pipe would wait for each other.
    let mut child = Command::new(program)
        .args(rest)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{} cannot be run: {e}", program.display()))?;
    let leash = child.stdin.take();
    thread::spawn(|| {
        let mut some = [0; 64];
        let mut wire = io::stdin();
        while !matches!(wire.read(&mut some), Ok(0) | Err(_)) {}
        // The tool has gone. The job's only handle closes, which ends the program.
        std::process::exit(0);
    });
    let status = child.wait().map_err(|e| format!("cannot wait: {e}"))?;
    drop(leash);
    // The complete code: those of Windows' own errors take 32 bits.
    std::process::exit(status.code().unwrap_or(1));
}

/// Puts this process into a new job.
fn enter(plan: &Plan) -> io::Result<()> {
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    let basic = &mut limits.BasicLimitInformation;
    // Without a window that reports a crash and waits for the user.
    basic.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if plan.walls != Walls::Off {
        basic.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
        basic.ActiveProcessLimit = if plan.processes { SEVERAL } else { TWO };
        if let Some(memory) = plan.memory {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
            limits.ProcessMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
        }
    }
    // SAFETY: both pointers may be null: the job has no name, and no process inherits its handle.
    #[allow(unsafe_code)]
    let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    set(job, JobObjectExtendedLimitInformation, &limits)?;
    if plan.walls != Walls::Off {
        let desktop = JOBOBJECT_BASIC_UI_RESTRICTIONS {
            UIRestrictionsClass: DESKTOP,
        };
        set(job, JobObjectBasicUIRestrictions, &desktop)?;
    }
    // SAFETY: both handles are valid. The job's stays open until the system closes it with this process: to close it
    // here would end this process.
    #[allow(unsafe_code)]
    let entered = unsafe { AssignProcessToJobObject(job, GetCurrentProcess()) };
    done(entered)
}

/// Sets what `class` names of a job.
fn set<T>(
    job: windows_sys::Win32::Foundation::HANDLE,
    class: JOBOBJECTINFOCLASS,
    what: &T,
) -> io::Result<()> {
    let size = u32::try_from(size_of::<T>()).map_err(io::Error::other)?;
    // SAFETY: the pointer and the size are those of a structure that lives across the call; its type goes with the
    // class at both callers, and the system refuses a size that does not.
    #[allow(unsafe_code)]
    let set = unsafe { SetInformationJobObject(job, class, std::ptr::from_ref(what).cast(), size) };
    done(set)
}

fn done(answer: i32) -> io::Result<()> {
    match answer {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
