//! Prepares the parts after the download: compiles the agent, and prepares the framework and the JDK.

use super::jdk::Jdk;
use super::parts::{CHANGED, INDEX, SCHEDULER, jars_in, join};
use super::{child, sources};
use crate::device::DeviceError;
use crate::device::progress::Watch;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Time limit of a compilation, enough for a slow machine under load.
const COMPILE_LIMIT: Duration = Duration::from_secs(600);

/// Android libraries hold their classes in a jar inside.
pub fn unpack_aars(folder: &Path) -> Result<(), DeviceError> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "aar") {
            continue;
        }
        let bad = |e: &dyn std::fmt::Display| {
            DeviceError::Setup(format!("{} has no classes: {e}", path.display()))
        };
        let mut aar = zip::ZipArchive::new(File::open(&path)?).map_err(|e| bad(&e))?;
        let mut classes = aar.by_name("classes.jar").map_err(|e| bad(&e))?;
        io::copy(&mut classes, &mut File::create(path.with_extension("jar"))?)?;
        fs::remove_file(&path)?;
    }
    Ok(())
}

/// Compiles the agent.
pub fn compile(
    jdk: &Jdk,
    libraries: &[&Path],
    android: &Path,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    watch.report("compiling", "the agent", 0, 0);
    let scratch = tempfile::tempdir()?;
    let files = sources::write_java(scratch.path())?;
    let mut class_path = Vec::new();
    for folder in libraries {
        class_path.extend(jars_in(folder)?);
    }
    class_path.push(android.to_owned());
    let mut command = Command::new(jdk.javac());
    command
        .args(["--release", "17", "-encoding", "UTF-8"])
        // Joined strings draw identity hashes at their first use where Java builds the code for them then: what the
        // watching threads do must not shift those of the app.
        .args([
            "-XDstringConcat=inline",
            "-proc:none",
            "-nowarn",
            "-g",
            "-d",
        ])
        .arg(to)
        .arg("-cp")
        .arg(join(class_path)?)
        .args(&files);
    let ended = child::run(&mut command, COMPILE_LIMIT, watch, |_| {})?;
    if !ended.status.success() {
        return Err(DeviceError::Setup(format!(
            "the agent does not compile with Java {}:\n{}",
            jdk.version,
            ended.text()
        )));
    }
    // Other files (service descriptors) go next to the classes.
    for file in crate::util::sha256::files_below(scratch.path())? {
        if !file.ends_with(".java") {
            let target = to.join(&file);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::copy(scratch.path().join(&file), target)?;
        }
    }
    Ok(())
}

/// Rewrites the framework with direct calls (`droidtest.framework.Direct`).
pub fn direct(
    jdk: &Jdk,
    libraries: &Path,
    instrumented: &Path,
    agent: &Path,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    const WHAT: &str = "the framework";
    watch.report("preparing", WHAT, 0, 0);
    let jars = jars_in(libraries)?;
    let named = |prefix: &str| {
        let found = jars.iter().find(|jar| {
            let name = jar.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(prefix)
        });
        found.ok_or_else(|| DeviceError::Setup(format!("there is no library {prefix}*.jar")))
    };
    let mut class_path = vec![agent.to_owned()];
    class_path.extend(jars.iter().cloned());
    let mut command = Command::new(jdk.java());
    command
        .args(["-Xmx800m", "-XX:+UseSerialGC", "-cp"])
        .arg(join(class_path)?)
        .arg("droidtest.framework.Direct")
        .arg(instrumented)
        .arg(to.join(instrumented.file_name().unwrap_or_default()))
        .arg(named("resources-")?)
        .arg(to.join(CHANGED))
        .arg(named("sandbox-")?)
        .arg(named("shadows-framework-")?)
        .arg(agent);
    let ended = child::run(&mut command, COMPILE_LIMIT, watch, |line| {
        if let Some(rest) = line.strip_prefix("progress ") {
            let mut numbers = rest.split(' ').map(|n| n.parse().unwrap_or(0));
            let (done, total) = (numbers.next(), numbers.next());
            watch.report("preparing", WHAT, done.unwrap_or(0), total.unwrap_or(0));
        }
    })?;
    if ended.status.success() {
        return Ok(());
    }
    Err(DeviceError::Setup(format!(
        "the framework cannot be prepared: {}:\n{}",
        ended.status,
        ended.text()
    )))
}

/// Writes the scheduler's jar (`droidtest.framework.Platform`).
pub fn schedule(
    jdk: &Jdk,
    libraries: &Path,
    agent: &Path,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    let mut class_path = vec![agent.to_owned()];
    class_path.extend(jars_in(libraries)?);
    let mut command = Command::new(jdk.java());
    command
        .arg("-cp")
        .arg(join(class_path)?)
        .arg("droidtest.framework.Platform")
        .arg(agent)
        .arg(to.join(SCHEDULER));
    let ended = child::run(&mut command, COMPILE_LIMIT, watch, |_| {})?;
    if ended.status.success() {
        return Ok(());
    }
    Err(DeviceError::Setup(format!(
        "Java {} in {} cannot run on the device's scheduler; set JAVA_HOME to another JDK:\n{}",
        jdk.version,
        jdk.home.display(),
        ended.text()
    )))
}

/// Writes the list of the platform's classes that an app can see (`droidtest.tool.PlatformIndex`), on the class path of
/// a device.
pub fn list_platform(
    jdk: &Jdk,
    class_path: &OsStr,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    watch.report("preparing", "the list of the platform's classes", 0, 0);
    let mut command = Command::new(jdk.java());
    command
        .args(["-Xmx800m", "-XX:+UseSerialGC", "-cp"])
        .arg(class_path)
        .arg("droidtest.tool.PlatformIndex")
        .arg(to.join(INDEX));
    let ended = child::run(&mut command, COMPILE_LIMIT, watch, |_| {})?;
    if ended.status.success() {
        return Ok(());
    }
    Err(DeviceError::Setup(format!(
        "the platform's classes cannot be listed with Java {}: {}:\n{}",
        jdk.version,
        ended.status,
        ended.text()
    )))
}
