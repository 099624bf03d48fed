//! `droidtest-classes`: an app's code as class files for the `jvm` device.
//!
//! Reads an APK, which may be anybody's, in a confined process. Prints lines `progress DONE TOTAL` on standard output; a
//! file that cannot be used ends it with code 2 and a line `bad apk: REASON` on standard error.

mod batch;
mod build_classes;
mod jar;
mod package;
mod redirect;
mod reuse;
mod worker;

use redirect::Calls;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: droidtest-classes confined|open PLATFORM_INDEX APK OUT [--earlier TRANSLATION].. [CLASS_FOLDER..]";

/// What is translated, and to where.
pub struct Job {
    /// The treatment of calls that would leave the device.
    pub calls: Calls,
    /// The classes of the device ([`dex2class::hierarchy::PlatformIndex`]).
    pub platform: PathBuf,
    /// The app.
    pub apk: PathBuf,
    /// The folder for `original.jar`, `app.jar` and `classes.json`.
    pub out: PathBuf,
    /// Folders with class files of a build, which replace those in the dex files.
    pub builds: Vec<PathBuf>,
    /// Earlier translations by this program, for the same device, with classes that may be the same.
    pub earlier: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let Some(job) = job() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match batch::run(&job) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let line: String = why.split_whitespace().collect::<Vec<_>>().join(" ");
            eprintln!("bad apk: {line}");
            ExitCode::from(2)
        }
    }
}

fn job() -> Option<Job> {
    let mut given = std::env::args_os().skip(1);
    let calls = match given.next()?.to_str()? {
        "confined" => Calls::Confined,
        "open" => Calls::Open,
        _ => return None,
    };
    let mut path = || given.next().map(PathBuf::from);
    let mut job = Job {
        calls,
        platform: path()?,
        apk: path()?,
        out: path()?,
        builds: Vec::new(),
        earlier: Vec::new(),
    };
    while let Some(argument) = path() {
        match argument.to_str() {
            Some("--earlier") => job.earlier.push(path()?),
            _ => job.builds.push(argument),
        }
    }
    Some(job)
}
