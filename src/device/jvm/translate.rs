//! Translates an APK for the Java process, once per content and version of the translator.

use super::cache::Cache;
use super::limits::Limits;
use super::parts::Parts;
use super::prune::{self, APPS};
use super::settings::Confine;
use super::tool;
use super::{apk_check, child, sources};
use crate::device::progress::Watch;
use crate::device::{App, DeviceError};
use crate::util::sha256;
use crate::util::text;
use serde::Deserialize;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// Time limit of a translation; the largest apps take a minute.
const LIMIT: Duration = Duration::from_secs(900);
/// Translations of earlier builds that the translator looks at.
const MOST_EARLIER: usize = 2;
/// The translator's prefix of the reason when it rejects a file.
const REFUSAL: &str = "bad apk: ";

/// A translated app.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Its folder: `app.apk`, `app.jar` (with probes), `original.jar`, `AndroidManifest.xml`.
    pub folder: PathBuf,
    /// The translator's summary.
    pub summary: Summary,
}

/// The treatment of calls that would leave the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Redirected to the device.
    Confined,
    /// Unchanged.
    Open,
}

impl Calls {
    /// The treatment that the confinement requires.
    pub fn of(confine: Confine) -> Self {
        match confine {
            Confine::Full | Confine::Reduced => Self::Confined,
            Confine::Off => Self::Open,
        }
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confined => "confined",
            Self::Open => "open",
        })
    }
}

/// `translate.json`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The app's package.
    pub package: String,
    /// `targetSdkVersion`.
    pub target_sdk: u32,
    /// `minSdkVersion`.
    pub min_sdk: u32,
    /// Classes translated.
    pub classes: u64,
    /// Whether line numbers are known.
    pub lines_known: bool,
}

/// Finds or creates the translation of an app.
pub fn ensure(
    cache: &Cache,
    parts: &Parts,
    app: &App,
    calls: Calls,
    watch: &Watch,
) -> Result<Translated, DeviceError> {
    let apk = app
        .file
        .as_deref()
        .ok_or_else(|| DeviceError::Launch(format!("{} has no APK", app.name)))?;
    let content = if app.content.is_empty() {
        sha256::of_file(apk).map_err(|e| DeviceError::Launch(format!("{}: {e}", apk.display())))?
    } else {
        app.content.clone()
    };
    let mut made_by = format!(
        "{} {} {} {} {calls}",
        program_key()?,
        sources::translator_key(),
        sources::pom_key(),
        parts.platform_index.display()
    );
    for folder in &app.classes {
        made_by.push_str(
            &sha256::of_folder(folder, |name| name.ends_with(".class")).map_err(|e| {
                DeviceError::Launch(format!("the class folder {}: {e}", folder.display()))
            })?,
        );
    }
    let made_by = sources::short(&sha256::of_bytes(made_by.as_bytes()));
    let entry = format!("{APPS}/{}-{made_by}", sources::short(&content));
    let mut new = false;
    let folder = cache.ensure(&entry, watch, |to| {
        new = true;
        apk_check::check(apk)?;
        let earlier = earlier(cache, &made_by, &app.package);
        let job = Job {
            parts,
            apk,
            app,
            calls,
            earlier,
        };
        translate(&job, to, watch)?;
        // Rebuilt since the start of the run: the entry is named after the old content.
        let now = sha256::of_file(apk)?;
        match now == content {
            true => Ok(()),
            false => Err(DeviceError::Launch(format!(
                "{} has changed since the start of the run; start the run again",
                apk.display()
            ))),
        }
    })?;
    prune::note_use(&folder);
    if new {
        prune::prune(cache, watch);
    }
    let summary = fs::read(folder.join("translate.json"))?;
    let summary = serde_json::from_slice(&summary)
        .map_err(|e| DeviceError::Protocol(format!("translate.json: {e}")))?;
    Ok(Translated { folder, summary })
}

/// A name for the translator's program: whatever changes in it may change what it writes.
fn program_key() -> Result<String, DeviceError> {
    static KEY: OnceLock<String> = OnceLock::new();
    if let Some(known) = KEY.get() {
        return Ok(known.clone());
    }
    let program = tool::translator()?;
    let key = sha256::of_file(&program)
        .map_err(|e| DeviceError::Setup(format!("{}: {e}", program.display())))?;
    Ok(KEY.get_or_init(|| sources::short(&key)).clone())
}

/// What is translated.
struct Job<'j> {
    parts: &'j Parts,
    apk: &'j Path,
    app: &'j App,
    calls: Calls,
    /// Translations of earlier builds.
    earlier: Vec<PathBuf>,
}

/// The latest translations of other builds of an app by the same program for the same device: a dex file that did not
/// change need not be translated again.
fn earlier(cache: &Cache, made_by: &str, package: &str) -> Vec<PathBuf> {
    let suffix = format!("-{made_by}");
    let Ok(entries) = fs::read_dir(cache.root().join(APPS)) else {
        return Vec::new();
    };
    let mut found: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(&suffix))
        .filter_map(|entry| {
            let name = entry.file_name();
            let folder = cache.find(&format!("{APPS}/{}", name.to_string_lossy()))?;
            let text = fs::read(folder.join("translate.json")).ok()?;
            let summary: Summary = serde_json::from_slice(&text).ok()?;
            let made = entry.metadata().and_then(|meta| meta.modified()).ok()?;
            (summary.package == package && !package.is_empty()).then_some((made, folder))
        })
        .collect();
    found.sort();
    let latest = found.into_iter().rev().take(MOST_EARLIER);
    latest.map(|(_, folder)| folder).collect()
}

fn translate(job: &Job<'_>, to: &Path, watch: &Watch) -> Result<(), DeviceError> {
    let Job { parts, app, .. } = job;
    let (apk, calls) = (job.apk, job.calls);
    let name = &app.name;
    watch.report("translating", name, 0, 0);
    let apk = apk.canonicalize()?;
    let classes: Vec<_> = app
        .classes
        .iter()
        .map(|folder| folder.canonicalize())
        .collect::<Result<_, _>>()?;
    let scratch = to.join("tmp");
    fs::create_dir(&scratch)?;
    let index = parts.platform_index.canonicalize()?;
    let mut files = vec![apk.clone(), index.clone()];
    files.extend_from_slice(&classes);
    files.extend_from_slice(&job.earlier);
    let mut command = tool::translator_command(&tool::translator()?, &files, to)?;
    command.arg(calls.to_string()).args([&index, &apk]).arg(to);
    for folder in &job.earlier {
        command.arg("--earlier").arg(folder);
    }
    command.args(&classes);
    run(&mut command, &apk, name, to, watch)?;
    let mut command = tool::command(
        parts,
        "AppResources",
        std::slice::from_ref(&apk),
        to,
        &scratch,
    )?;
    command.arg(&apk).arg(to);
    run(&mut command, &apk, name, to, watch)?;
    fs::remove_dir_all(&scratch)?;
    summarize(to)
}

/// Runs a part of the translation.
fn run(
    command: &mut Command,
    apk: &Path,
    name: &str,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    let mut refusal = None;
    let limits = Some(Limits::of_tool("the translator", to.to_owned()));
    let ended = child::run_within(command, LIMIT, limits, watch, |line| {
        if let Some(rest) = line.strip_prefix("progress ") {
            let mut numbers = rest.split(' ').map(|n| n.parse().unwrap_or(0));
            let (done, total) = (numbers.next(), numbers.next());
            watch.report("translating", name, done.unwrap_or(0), total.unwrap_or(0));
        } else if let Some(reason) = line.strip_prefix(REFUSAL) {
            refusal = Some(text::for_terminal(reason).into_owned());
        }
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let reason = refusal.unwrap_or_else(|| match ended.exceeded {
        Some(why) => why,
        None => format!("the translator {}", ended.reason()),
    });
    Err(DeviceError::Launch(format!(
        "{} is not a usable APK: {reason}",
        apk.display()
    )))
}

/// Puts what the two parts found out into `translate.json`.
fn summarize(to: &Path) -> Result<(), DeviceError> {
    let mut all = serde_json::Map::new();
    for name in ["resources.json", "classes.json"] {
        let file = to.join(name);
        // An untrusted file was read to make it: it may be a link.
        let whole = fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file());
        let read = whole.then(|| fs::read(&file).ok()).flatten();
        let read = read.and_then(|bytes| {
            serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes).ok()
        });
        let read =
            read.ok_or_else(|| DeviceError::Launch(format!("the translator wrote no {name}")))?;
        all.extend(read);
        fs::remove_file(&file)?;
    }
    fs::write(
        to.join("translate.json"),
        serde_json::Value::Object(all).to_string(),
    )?;
    Ok(())
}
