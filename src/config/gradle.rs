//! A Gradle project around the working folder: its apps, and the APKs that were built from them. Gradle itself is never
//! run.

use std::fs;
use std::io;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use super::diagnose::{Code, Problem};
use super::gradle_scripts::{is_application, modules, plugins};
use super::locate::ancestors;

/// Deep enough for flavours and build types below `outputs/apk`.
const DEEPEST: usize = 6;

/// A Gradle project with its apps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its folder, relative to the working folder; empty if it is that.
    pub root: Utf8PathBuf,
    /// The modules that are apps, in order of their paths.
    pub apps: Vec<Module>,
    wrapper: bool,
}

/// A module that is an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its path, such as `:app`; `:` is the project's folder.
    pub path: String,
    /// Its folder, relative to the working folder.
    pub folder: Utf8PathBuf,
    /// The newest debug APK in its build outputs, relative to the working folder.
    pub apk: Option<Utf8PathBuf>,
}

impl Project {
    /// The project whose `settings.gradle` or `settings.gradle.kts` is in the folder `base` or one above it.
    ///
    /// # Errors
    /// A script cannot be read.
    pub fn find(base: &Utf8Path) -> Result<Option<Self>, Problem> {
        for root in ancestors(base) {
            if let Some(settings) = script(base, &root, "settings")? {
                return Self::read(base, root, &settings).map(Some);
            }
            if base.join(&root).join(".git").exists() {
                break;
            }
        }
        Ok(None)
    }

    fn read(base: &Utf8Path, root: Utf8PathBuf, settings: &str) -> Result<Self, Problem> {
        let catalog = text(base, &root.join("gradle/libs.versions.toml"))?;
        let plugins = plugins(&catalog.unwrap_or_default());
        let mut all = modules(settings);
        all.insert(":".to_owned(), Utf8PathBuf::new());
        let mut apps = Vec::new();
        for (path, folder) in all {
            let folder = match folder.as_str() {
                "" => root.clone(),
                _ => root.join(folder),
            };
            let Some(build) = script(base, &folder, "build")? else {
                continue;
            };
            let apk = newest(base, &folder.join("build/outputs/apk"));
            if apk.is_some() || is_application(&build, &plugins) {
                apps.push(Module { path, folder, apk });
            }
        }
        let wrapper = base.join(&root).join("gradlew").is_file();
        Ok(Self {
            root,
            apps,
            wrapper,
        })
    }

    /// The command that builds the debug APKs of these modules, to be typed in the project's folder.
    pub fn build_command<'a>(&self, modules: impl IntoIterator<Item = &'a Module>) -> String {
        let gradle = match (self.wrapper, cfg!(windows)) {
            (false, _) => "gradle",
            (true, true) => r".\gradlew",
            (true, false) => "./gradlew",
        };
        let tasks = modules.into_iter().map(|module| {
            let task = format!("{}:assembleDebug", module.path.trim_end_matches(':'));
            // A name with a line break or a NUL is not one of a task.
            format!(" {}", shlex::try_quote(&task).unwrap_or_default())
        });
        gradle.to_owned() + &tasks.collect::<String>()
    }
}

impl Module {
    /// Its name: the last part of its path.
    pub fn name(&self) -> &str {
        match self.path.rsplit(':').next() {
            Some("") | None => "app",
            Some(name) => name,
        }
    }
}

/// A script, in either of its languages.
fn script(base: &Utf8Path, folder: &Utf8Path, name: &str) -> Result<Option<String>, Problem> {
    for ending in ["gradle.kts", "gradle"] {
        if let Some(found) = text(base, &folder.join(format!("{name}.{ending}")))? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn text(base: &Utf8Path, path: &Utf8Path) -> Result<Option<String>, Problem> {
    match fs::read(base.join(path)) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(e) => {
            let message = format!("cannot read {path}, a part of the Gradle project: {e}");
            let help = "check its permissions, or name the APK: `cargo droidtest run APK`";
            Err(Problem::new(Code::BadFile, message).help(help.to_owned()))
        }
    }
}

/// A file `output-metadata.json` of the Android plugin.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    variant_name: String,
    elements: Vec<Element>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Element {
    output_file: String,
    /// Of one APK for each processor or density.
    filters: Vec<serde_json::Value>,
}

/// The newest debug APK below the outputs of a module.
fn newest(base: &Utf8Path, outputs: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut found = Vec::new();
    debug_apks(base, outputs, DEEPEST, &mut found);
    let age = |path: &Utf8PathBuf| {
        let changed = base
            .join(path)
            .metadata()
            .and_then(|about| about.modified());
        changed.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    found
        .into_iter()
        .max_by_key(|path| (age(path), path.clone()))
}

fn debug_apks(base: &Utf8Path, folder: &Utf8Path, depth: usize, found: &mut Vec<Utf8PathBuf>) {
    let Ok(entries) = base.join(folder).read_dir_utf8() else {
        return;
    };
    let mut apks = Vec::new();
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // The APKs of tests are no apps.
            if depth > 0 && entry.file_name() != "androidTest" {
                debug_apks(base, &path, depth - 1, found);
            }
        } else if path.extension() == Some("apk") {
            apks.push(path);
        }
    }
    let metadata = fs::read(base.join(folder).join("output-metadata.json")).ok();
    let metadata: Option<Metadata> = metadata.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(metadata) = metadata else {
        // Older plugins write no such file; the folder is the build type's.
        if folder.file_name() == Some("debug") {
            found.extend(apks);
        }
        return;
    };
    if !metadata
        .variant_name
        .to_ascii_lowercase()
        .ends_with("debug")
    {
        return;
    }
    let mut elements = metadata.elements;
    elements.sort_by_key(|element| element.filters.len());
    let listed = elements.iter().filter_map(|element| {
        let name = Utf8Path::new(&element.output_file).file_name()?;
        apks.iter().find(|apk| apk.file_name() == Some(name))
    });
    found.extend(listed.take(1).cloned());
}
