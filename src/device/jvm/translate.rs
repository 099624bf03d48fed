//! Translates an APK for the Java process, once per content and version of the translator.

use super::cache::Cache;
use super::limits::Limits;
use super::parts::Parts;
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
use std::time::Duration;

/// Time limit of a translation; the largest apps take a minute.
const LIMIT: Duration = Duration::from_secs(900);
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
        "{} {} {calls}",
        sources::translator_key(),
        sources::pom_key()
    );
    for folder in &app.classes {
        made_by.push_str(
            &sha256::of_folder(folder, |name| name.ends_with(".class")).map_err(|e| {
                DeviceError::Launch(format!("the class folder {}: {e}", folder.display()))
            })?,
        );
    }
    let entry = format!(
        "apps/{}-{}",
        sources::short(&content),
        sources::short(&sha256::of_bytes(made_by.as_bytes()))
    );
    let folder = cache.ensure(&entry, watch, |to| {
        apk_check::check(apk)?;
        translate(parts, apk, app, calls, to, watch)?;
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
    let summary = fs::read(folder.join("translate.json"))?;
    let summary = serde_json::from_slice(&summary)
        .map_err(|e| DeviceError::Protocol(format!("translate.json: {e}")))?;
    Ok(Translated { folder, summary })
}

fn translate(
    parts: &Parts,
    apk: &Path,
    app: &App,
    calls: Calls,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
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
    let mut command = tool::command(
        parts,
        "Translate",
        &[std::slice::from_ref(&apk), &classes].concat(),
        to,
        &scratch,
    )?;
    command.arg(calls.to_string()).arg(&apk).arg(to);
    command.args(&classes);
    let mut refusal = None;
    let limits = Some(Limits::of_tool("the translator", to.to_owned()));
    let ended = child::run_within(&mut command, LIMIT, limits, watch, |line| {
        if let Some(rest) = line.strip_prefix("progress ") {
            let mut numbers = rest.split(' ').map(|n| n.parse().unwrap_or(0));
            let (done, total) = (numbers.next(), numbers.next());
            watch.report("translating", name, done.unwrap_or(0), total.unwrap_or(0));
        } else if let Some(reason) = line.strip_prefix(REFUSAL) {
            refusal = Some(text::for_terminal(reason).into_owned());
        }
    })?;
    if !ended.status.success() {
        let reason = refusal.unwrap_or_else(|| match ended.exceeded {
            Some(why) => why,
            None => format!("the translator {}", ended.reason()),
        });
        return Err(DeviceError::Launch(format!(
            "{} is not a usable APK: {reason}",
            apk.display()
        )));
    }
    fs::remove_dir_all(&scratch)?;
    if sha256::files_below(to)?
        .iter()
        .any(|f| f == "translate.json")
    {
        Ok(())
    } else {
        Err(DeviceError::Launch(
            "the translator wrote no translate.json".to_owned(),
        ))
    }
}
