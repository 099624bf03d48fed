//! Class data sharing: the framework classes that Java loads at a start are recorded, and mapped at later starts.
//!
//! The recording is made once for the parts, with a built-in app, and read by every device. Tested apps have no part in
//! it and cannot write to it. Java ignores it if the JDK or the jars differ.

use super::cache::{Cache, MANIFEST};
use super::checked::{self, Entry};
use super::folder;
use super::parts::{CHANGED, Parts, discard_changed, jars_in, join};
use super::process::{JavaProcess, Start};
use super::sandbox;
use super::settings::{Confine, JvmSettings};
use super::translate;
use crate::device::link::{LinkError, Patience};
use crate::device::message::Request;
use crate::device::progress::Watch;
use crate::device::{Action, App, DeviceError, Reset};
use crate::util::sha256::{self, files_below};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The app that runs for it.
static NOTES: &[u8] = include_bytes!("../../../tests/apps/notes/notes.apk");
/// The recording in its entry.
const FILE: &str = "classes.jsa";
/// Instead of the recording: why there is none.
const WHY_NOT: &str = "none.txt";
/// Version of the procedure.
const LAYOUT: u32 = 3;
/// Version of the paths at which the process finds its parts ([`super::places`]).
const PLACES: u32 = 1;
/// Time limit of its end, when Java writes about 70 MB.
const WRITING: Duration = Duration::from_secs(120);

/// A process's use of the recording.
#[derive(Clone, Copy, Debug)]
pub enum Recording<'a> {
    /// Nothing.
    None,
    /// Reads it.
    Read(&'a Path),
    /// Writes it at its end.
    Write(&'a Path),
}

impl Recording<'_> {
    /// Flags of the JVM. The scheduler's classes are the JVM's own in either case, but Java records nothing once an
    /// agent has changed classes.
    pub fn flags(self, scheduler: &Path) -> Vec<OsString> {
        let flag = |name: &str, path: &Path| {
            let mut flag = OsString::from(name);
            flag.push(path);
            flag
        };
        let mut agent = flag("-javaagent:", scheduler);
        agent.push("=");
        agent.push(scheduler);
        let boot = flag("-Xbootclasspath/a:", scheduler);
        match self {
            Self::None => vec![agent],
            Self::Read(file) => vec![
                // Adds its jar to the classes of the JVM by itself.
                agent,
                flag("-XX:SharedArchiveFile=", file),
                "-XX:+UnlockDiagnosticVMOptions".into(),
                "-XX:ArchiveRelocationMode=0".into(),
                // Java 21 and later say at length what they leave of it.
                "-Xlog:cds=off".into(),
            ],
            Self::Write(file) => vec![
                boot,
                flag("-XX:ArchiveClassesAtExit=", file),
                "-Ddroidtest.recording=true".into(),
            ],
        }
    }
}

impl Parts {
    /// The parts with their recording, which is made if missing. A Java that cannot record starts without one.
    pub fn recorded(self, cache: &Cache, watch: &Watch) -> Result<Self, DeviceError> {
        let jars = cache.ensure(&jars_entry(&self), watch, |to| pack(&self, to))?;
        checked::check(cache, &[Entry::Made(jars_entry(&self))])?;
        let recording = cache.ensure(&recording_entry(&self, &jars), watch, |to| {
            watch.report("recording", "the start of the device", 0, 0);
            match record(&self, &jars, cache, to, watch) {
                Err(DeviceError::Interrupted) => Err(DeviceError::Interrupted),
                Err(error) => {
                    let why = error.to_string();
                    watch.report("recording", &format!("not possible: {why}"), 0, 0);
                    Ok(fs::write(to.join(WHY_NOT), why)?)
                }
                Ok(()) => Ok(()),
            }
        })?;
        let file = recording.join(FILE);
        Ok(Self {
            jars: Some(jars),
            recording: file.exists().then_some(file),
            ..self
        })
    }

    /// The same, with a retry if recording failed before.
    pub fn recorded_again(self, cache: &Cache, watch: &Watch) -> Result<Self, DeviceError> {
        let recording = recording_entry(&self, &self.root_of_jars(cache));
        if matches!(self.tried(cache), Some(Err(_))) {
            cache.discard(&recording, watch)?;
        }
        let made = [jars_entry(&self), recording].map(Entry::Made);
        discard_changed(cache, &made, watch)?;
        self.recorded(cache, watch)
    }

    /// Whether recording was tried, and why it failed. `None`: not tried yet.
    pub fn tried(&self, cache: &Cache) -> Option<Result<(), String>> {
        let entry = cache.find(&recording_entry(self, &self.root_of_jars(cache)))?;
        Some(fs::read_to_string(entry.join(WHY_NOT)).map_or(Ok(()), Err))
    }

    fn root_of_jars(&self, cache: &Cache) -> PathBuf {
        cache.root().join(jars_entry(self))
    }

    /// A device's use of the recording.
    pub fn recording(&self) -> Recording<'_> {
        self.recording
            .as_deref()
            .map_or(Recording::None, Recording::Read)
    }

    /// The class path of a device. Java shares no classes of folders, so these are jars where there are such.
    pub fn device_path(&self) -> Result<OsString, DeviceError> {
        let Some(jars) = &self.jars else {
            return self.class_path();
        };
        let mut all = vec![jars.join("agent.jar"), jars.join("changed.jar")];
        for library in jars_in(&self.libraries)? {
            let unsigned = jars.join(library.file_name().unwrap_or_default());
            all.push(if unsigned.exists() { unsigned } else { library });
        }
        all.push(self.framework_jar.clone());
        join(all)
    }
}

fn jars_entry(parts: &Parts) -> String {
    let folders =
        [&parts.agent, &parts.framework, &parts.libraries].map(|path| path.display().to_string());
    format!("jars/{}-{LAYOUT}", key(&folders.join("\n")))
}

/// Java compares the paths of what it recorded, so they are part of the name.
fn recording_entry(parts: &Parts, jars: &Path) -> String {
    let paths = [jars, &parts.libraries, &parts.scheduler, &parts.jdk.home];
    let paths = paths.map(|path| path.display().to_string()).join("\n");
    let app = sha256::of_bytes(NOTES);
    format!(
        "recordings/{}-{LAYOUT}.{PLACES}",
        key(&format!("{paths}\n{app}\n{}", parts.jdk.version))
    )
}

fn key(text: &str) -> String {
    super::sources::short(&sha256::of_bytes(text.as_bytes()))
}

fn pack(parts: &Parts, to: &Path) -> Result<(), DeviceError> {
    jar(&parts.agent, &to.join("agent.jar"))?;
    jar(&parts.framework.join(CHANGED), &to.join("changed.jar"))?;
    for library in jars_in(&parts.libraries)? {
        let name = library.file_name().unwrap_or_default();
        unsign(&library, &to.join(name)).map_err(|error| {
            DeviceError::Setup(format!("{} cannot be read: {error}", library.display()))
        })?;
    }
    Ok(())
}

/// A jar of a folder: sorted, without dates, and uncompressed, since it is read at every start.
fn jar(folder: &Path, to: &Path) -> io::Result<()> {
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    let mut jar = zip::ZipWriter::new(File::create(to)?);
    for file in files_below(folder)? {
        // The entry's own list of its files.
        if file != MANIFEST {
            jar.start_file(file.as_str(), options)?;
            jar.write_all(&fs::read(folder.join(&file))?)?;
        }
    }
    jar.finish()?;
    Ok(())
}

/// A signed jar without its signatures; nothing for an unsigned one. Java shares no classes of signed jars, and checks
/// each at every start. Downloads are verified by their hash.
fn unsign(library: &Path, to: &Path) -> zip::result::ZipResult<()> {
    let mut from = zip::ZipArchive::new(File::open(library)?)?;
    let signature = |name: &str| {
        let name = name.to_ascii_uppercase();
        name.starts_with("META-INF/")
            && [".SF", ".RSA", ".DSA", ".EC"]
                .iter()
                .any(|end| name.ends_with(end))
    };
    if !from.file_names().any(signature) {
        return Ok(());
    }
    let mut unsigned = zip::ZipWriter::new(File::create(to)?);
    for ix in 0..from.len() {
        let entry = from.by_index_raw(ix)?;
        if !signature(entry.name()) {
            unsigned.raw_copy_file(entry)?;
        }
    }
    unsigned.finish()?;
    Ok(())
}

/// Runs the built-in app for a few events, and makes Java write the recording.
fn record(
    parts: &Parts,
    jars: &Path,
    cache: &Cache,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    let parts = Parts {
        jars: Some(jars.to_owned()),
        ..parts.clone()
    };
    let scratch = tempfile::tempdir()?;
    let apk = scratch.path().join("notes.apk");
    fs::write(&apk, NOTES)?;
    let app = App {
        name: "notes".to_owned(),
        file: Some(apk),
        ..App::default()
    };
    let translated = translate::ensure(cache, &parts, &app, translate::Calls::Confined, watch)?;
    let work = scratch.path().join("device");
    let mut settings = JvmSettings::new(&work, scratch.path().join("logs"));
    settings.sdk = parts.sdk;
    let settings = as_far_as_possible(settings);
    folder::claim(&work, watch)?;
    super::stock::write(&settings)?;
    folder::network(&settings)?;
    let written = work.join(FILE);
    let mut process = JavaProcess::start(&Start {
        parts: &parts,
        app: &translated.folder,
        package: &translated.summary.package,
        settings: &settings,
        grant_permissions: true,
        number: 1,
        watch,
        recording: Recording::Write(&written),
    })?;
    let patience = Patience {
        total: settings.start_limit,
        blocked: settings.start_limit,
    };
    let start = Request::start(process.link.next_id(), Reset::ClearData, false, false);
    process.link.call(&start, patience).map_err(failed)?;
    let step = Request::Step {
        id: process.link.next_id(),
        action: &Action::Rotate { to: 1 },
        settle_ms: settings.settle_ms,
    };
    process.link.call(&step, patience).map_err(failed)?;
    process.quit(WRITING)?;
    fs::copy(&written, to.join(FILE))?;
    Ok(())
}

/// Confined as far as this machine can: for the built-in app.
fn as_far_as_possible(mut settings: JvmSettings) -> JvmSettings {
    if sandbox::possible().is_err() {
        settings.confine = Confine::Reduced;
    }
    settings
}

fn failed(error: LinkError) -> DeviceError {
    match error {
        LinkError::Interrupted => DeviceError::Interrupted,
        other => DeviceError::Protocol(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests;
