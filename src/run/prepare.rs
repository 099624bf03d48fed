//! Prepares the plan's apps: builds them, reads them, and converts them for the devices.

use super::inputs::Inputs;
use super::merged_apk;
use super::observer::{Observer, Phase};
use crate::apk::{
    Apk, Counted, deep_links, needs, reachable_activities, resource_texts, system_events,
};
use crate::config::{AppSource, ModelRef, Suite};
use crate::device::App;
use crate::device::sim::Model;
use crate::explore::follow::Texts;
use crate::explore::secret_fields::SecretFields;
use crate::explore::{Guide, Stop};
use crate::graph::fastbot::StaticTexts;
use crate::gui::SystemEvent;
use crate::oracle::assertion::Assertion;
use crate::oracle::mapping::Mapping;
use crate::oracle::program::Program;
use crate::outcome::Capability;
use crate::util::process;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Time limit of a build.
const BUILD_LIMIT: Duration = Duration::from_secs(60 * 60);

/// An app that is ready to install.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The app for the device.
    pub app: App,
    /// Activities declared.
    pub declared: Vec<String>,
    /// Declared activities that code or manifest can reach.
    pub reachable: Vec<String>,
    /// The app's expected capability on a jvm device; `None` for models.
    pub capability: Option<Capability>,
    /// System events in its manifest.
    pub events: Vec<SystemEvent>,
    /// What is known of its program, for reading its stacks.
    pub program: Program,
    /// What the suite's scripts assert.
    pub assertions: Arc<[Assertion]>,
    /// The suite's scripts and blocked parts.
    pub guide: Guide,
    /// Texts to type, by field.
    pub texts: Vec<(String, String)>,
    /// The model, if the app is one.
    pub model: Option<Arc<Model>>,
    /// Values to redact in all text output.
    pub secrets: Vec<String>,
    /// Keys of the texts whose values are secrets.
    pub secret_keys: Vec<String>,
    /// The fields into which traces may type them.
    pub secret_fields: SecretFields,
    /// The texts of its resources, once they are needed.
    static_texts: OnceLock<StaticTexts>,
}

impl Ready {
    /// The texts that traces name by their keys: secrets go only into the fields that the suite names.
    pub fn trace_texts(&self) -> Texts {
        Texts::for_traces(self.texts.clone(), self.secret_fields.clone())
    }

    /// The texts of its resources; of a model, each text is one.
    ///
    /// # Errors
    /// The APK cannot be read any more.
    pub fn static_texts(&self) -> io::Result<StaticTexts> {
        if let Some(known) = self.static_texts.get() {
            return Ok(known.clone());
        }
        let texts = static_texts(self.resources())?;
        Ok(self.static_texts.get_or_init(|| texts).clone())
    }

    /// The file that has its resources; a model has none.
    pub fn resources(&self) -> Option<&Path> {
        let file = self.app.file.as_deref();
        file.filter(|_| self.model.is_none())
    }
}

/// The texts of the resources in this APK; without one, each text is one.
///
/// # Errors
/// The APK cannot be read.
pub fn static_texts(apk: Option<&Path>) -> io::Result<StaticTexts> {
    Ok(match apk {
        Some(apk) => StaticTexts::only(resource_texts(apk).map_err(io::Error::other)?),
        None => StaticTexts::default(),
    })
}

/// Why an app is not ready.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// Its build command failed.
    #[error("the build of app `{app}` failed: {reason}\n{output}")]
    Build {
        /// The app.
        app: String,
        /// How.
        reason: String,
        /// The last lines it printed.
        output: String,
    },
    /// Its APK, model or mapping cannot be read.
    #[error("app `{app}`: {reason}")]
    Unreadable {
        /// The app.
        app: String,
        /// Why, with the file's name.
        reason: String,
    },
    /// A base build is of another package.
    #[error(
        "the base build {file} has the package {package}, the apps have {apps}: name the base build of one of them"
    )]
    Base {
        /// The file.
        file: String,
        /// Its package.
        package: String,
        /// The packages of the plan's apps.
        apps: String,
    },
    /// An app cannot be compared with an earlier build.
    #[error("changed code: {0}")]
    Changed(String),
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// Prepares one app of the suite.
///
/// # Errors
/// The build fails or is interrupted, or an APK, model or mapping cannot be read.
pub fn prepare(
    suite: &Suite,
    inputs: &Inputs,
    app: &crate::config::App,
    observer: &Arc<dyn Observer>,
    stop: &Stop,
) -> Result<Ready, PrepareError> {
    let unreadable = |reason: String| PrepareError::Unreadable {
        app: app.name.clone(),
        reason,
    };
    if let Some(command) = &app.build {
        observer.app(&app.name, Phase::Building);
        build(suite, &app.name, command, stop)?;
    }
    let mapping = app.mapping.as_ref().map(|file| mapping(suite, file));
    let mapping = mapping.transpose().map_err(unreadable)?.map(Arc::new);
    let texts: Vec<_> = inputs
        .texts(&app.name)
        .map(|(key, text)| (key.to_owned(), text.value.clone()))
        .collect();
    let assertions: Arc<[Assertion]> = (app.scripts.iter())
        .filter_map(|script| Assertion::of(script).transpose())
        .collect::<Result<_, _>>()
        .map_err(unreadable)?;
    let guide = Guide::new(app, &texts).map_err(|e| unreadable(e.to_string()))?;
    let secrets = inputs.secrets().map(str::to_owned).collect();
    let secret = inputs.texts(&app.name).filter(|(_, text)| text.secret);
    let secret_keys: Vec<_> = secret.map(|(key, _)| key.to_owned()).collect();
    let secret_fields = SecretFields::new(app, &texts, &secret_keys);
    let classes = app
        .classes
        .iter()
        .map(|c| suite.on_disk(c).into_std_path_buf())
        .collect();
    let grant = app.permissions == crate::config::Permissions::Grant;
    let own_excluded = app.exclude_packages.as_deref();
    let device_app = |package: String, file, content, counted: Counted| App {
        name: app.name.clone(),
        package,
        file,
        content,
        classes,
        counted,
        grant_permissions: grant,
        before: app.before.clone(),
        after: app.after.clone(),
    };
    Ok(match &app.source {
        AppSource::Apk(path) => {
            let splits = app.splits.iter().map(|split| suite.on_disk(split).into());
            let splits: Vec<_> = splits.collect();
            let watch = merged_apk::watch(&app.name, observer, stop);
            let file = suite.on_disk(path);
            let file = merged_apk::ensure(file.as_std_path(), &splits, &watch);
            let file = file.map_err(|why| match stop.requested() {
                true => PrepareError::Interrupted,
                false => unreadable(why),
            })?;
            let apk = Apk::open(file).map_err(|e| unreadable(e.to_string()))?;
            let declared = apk.manifest.activity_names();
            let settings = &suite.settings.coverage;
            let counted = Counted::for_app(settings, own_excluded, &apk, mapping.is_some());
            let counted = counted.map_err(|e| unreadable(e.to_string()))?;
            Ready {
                events: [system_events(&apk.manifest), deep_links(&apk.manifest)].concat(),
                capability: Some(needs(&apk).map_err(|e| unreadable(e.to_string()))?.on_jvm()),
                model: None,
                reachable: reachable_activities(&apk).map_err(|e| unreadable(e.to_string()))?,
                declared,
                program: Program {
                    mapping,
                    ..Program::of_apk(&apk)
                },
                app: device_app(
                    apk.manifest.package.clone(),
                    Some(apk.file),
                    apk.content,
                    counted,
                ),
                assertions,
                guide,
                texts,
                secrets,
                secret_keys,
                secret_fields,
                static_texts: OnceLock::new(),
            }
        }
        AppSource::Model(model) => {
            let (package, file) = match model {
                ModelRef::Builtin(name) => (name.clone(), None),
                ModelRef::File(path) => {
                    (String::new(), Some(suite.on_disk(path).into_std_path_buf()))
                }
            };
            let counted = Counted::new(&suite.settings.coverage, own_excluded, None);
            let mut device_app = device_app(package, file, String::new(), counted);
            let model = Model::of(&device_app).map_err(|e| unreadable(e.to_string()))?;
            device_app.package.clone_from(&model.package);
            device_app.content = model.content();
            let declared: Vec<String> = model.activities().map(str::to_owned).collect();
            let reach = model.reachable();
            Ready {
                reachable: declared
                    .iter()
                    .zip(reach)
                    .filter(|(_, r)| *r)
                    .map(|(a, _)| a.clone())
                    .collect(),
                declared,
                app: device_app,
                events: Vec::new(),
                capability: None,
                model: Some(Arc::new(model)),
                program: Program {
                    mapping,
                    ..Program::default()
                },
                assertions,
                guide,
                texts,
                secrets,
                secret_keys,
                secret_fields,
                static_texts: OnceLock::new(),
            }
        }
    })
}

/// Prepares every app of the plan once.
///
/// # Errors
/// The first app that fails, or an interruption.
pub fn prepare_all(
    suite: &Suite,
    inputs: &Inputs,
    apps: &[&Arc<crate::config::App>],
    observer: &Arc<dyn Observer>,
    stop: &Stop,
) -> Result<BTreeMap<String, Ready>, PrepareError> {
    let one = |app: &&Arc<crate::config::App>| {
        if stop.requested() {
            return Err(PrepareError::Interrupted);
        }
        let asked = Instant::now();
        let ready = prepare(suite, inputs, app, observer, stop)?;
        observer.prepared(&app.name, asked.elapsed());
        Ok((app.name.clone(), ready))
    };
    apps.iter().map(one).collect()
}

/// Reads a `mapping.txt`.
///
/// # Errors
/// It cannot be read; the text names the file and the line.
pub(super) fn mapping(suite: &Suite, file: &Utf8Path) -> Result<Mapping, String> {
    let file = suite.on_disk(file);
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{file}: {e}"))?;
    Mapping::parse(text, file.as_std_path()).map_err(|e| e.to_string())
}

/// Runs the build command as the user would type it: the suite's author is trusted.
fn build(suite: &Suite, app: &str, command: &str, stop: &Stop) -> Result<(), PrepareError> {
    let mut shell = if cfg!(windows) {
        Command::new("cmd")
    } else {
        Command::new("sh")
    };
    let root = suite.on_disk(&suite.root);
    // The root of a suite in the current folder is empty, which is not a valid folder name.
    let root = if root.as_str().is_empty() {
        Utf8PathBuf::from(".")
    } else {
        root
    };
    shell
        .arg(if cfg!(windows) { "/C" } else { "-c" })
        .arg(command)
        .current_dir(root);
    let failed = |reason: String, output: &[u8]| {
        let text = String::from_utf8_lossy(output);
        let lines: Vec<_> = text.lines().rev().take(20).collect();
        let output = lines
            .into_iter()
            .rev()
            .map(|l| crate::util::text::for_terminal(l) + "\n")
            .collect();
        PrepareError::Build {
            app: app.to_owned(),
            reason,
            output,
        }
    };
    let output = process::run_unless(&mut shell, BUILD_LIMIT, &|| stop.requested());
    let output = output.map_err(|e| match e.kind() {
        io::ErrorKind::Interrupted => PrepareError::Interrupted,
        _ => failed(e.to_string(), b""),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let all = [output.stdout, output.stderr].concat();
    Err(failed(output.status.to_string(), &all))
}
