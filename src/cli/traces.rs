//! What `replay` and `minimize` have in common: traces read, and the suite's app and device found for each.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::Failure;
use super::args::{Global, Selection};
use super::shell::{MessageFormat, Shell, render};
use crate::config::diagnose::name_help;
use crate::config::{self, Device, Suite, apks};
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::run::observer::{Observer, Silent};
use crate::run::prepare::Ready;
use crate::run::trace_targets::{TargetChoice, TraceTargets};
use crate::run::{Inputs, Plan, RunError, prepare};
use crate::trace::{self, Trace, TraceError};
use crate::util::text::Redactor;

/// Which app and device of the suite.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Choice {
    /// An APK to use instead of the suite's apps, as in `run APK`; may be repeated. No suite is required then
    #[arg(long = "apk", value_name = "APK", value_hint = ValueHint::AnyPath)]
    pub apks: Vec<Utf8PathBuf>,
    /// The app of the suite [default: the one that the trace names]
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,
    /// The device of the suite [default: the one that the trace names, else the first that can run the app]
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

impl Choice {
    /// The selection used for a trace.
    pub fn only(&self) -> TargetChoice {
        TargetChoice {
            app: self.app.clone(),
            device: self.device.clone(),
        }
    }
}

/// Reads a trace; errors are shown with their place.
pub fn read(file: &Utf8Path, shell: &Shell) -> Result<Trace, Failure> {
    trace::load(file.as_std_path()).map_err(|error| unreadable(&error, shell))
}

/// A mistake in a trace, shown with its place.
pub fn unreadable(error: &TraceError, shell: &Shell) -> Failure {
    if shell.format() == MessageFormat::Json {
        return Failure::Rendered(ExitCode::Config, error.to_json().to_string());
    }
    Failure::Rendered(ExitCode::Config, render(error, shell.color()))
}

/// The suite with the apps that traces need, made ready.
pub struct Scene {
    /// The suite.
    pub suite: Suite,
    /// Its apps.
    pub ready: BTreeMap<String, Ready>,
    choice: Choice,
}

impl Scene {
    /// Loads the suite and prepares the apps that these traces name.
    pub fn load<'t>(
        global: &Global,
        choice: &Choice,
        traces: impl IntoIterator<Item = &'t Trace>,
        stop: &Stop,
    ) -> Result<Self, Failure> {
        let named = |trace: &'t Trace| choice.app.as_ref().unwrap_or(&trace.app.name).clone();
        Self::of_apps(global, choice, traces.into_iter().map(named), stop)
    }

    /// Loads the suite and prepares these apps, or all of them if one is unknown.
    pub fn of_apps(
        global: &Global,
        choice: &Choice,
        wanted: impl IntoIterator<Item = String>,
        stop: &Stop,
    ) -> Result<Self, Failure> {
        let mut request = global.request(&Selection::default());
        // An app that was left out is none of a trace.
        request.apks = apks::expand(&request.base, &choice.apks)?.files;
        let mut suite = config::load(&request)?;
        let apps = &suite.settings.apps;
        let known = |name: &str| apps.iter().any(|app| app.name == name);
        if let Some(name) = choice.app.as_ref().filter(|name| !known(name)) {
            return Err(no_app(name, &suite));
        }
        let mut devices = suite.settings.devices.iter().map(|d| d.name.as_str());
        if let Some(name) = &choice.device
            && !devices.clone().any(|known| known == name)
        {
            let help = name_help(name, &mut devices, "devices");
            let message = format!("the suite has no device `{name}`: {help}");
            return Err(Failure::Other(ExitCode::Config, message));
        }
        let mut names: Vec<String> = Vec::new();
        for name in wanted {
            // A hand-written trace may have only the package.
            let all = apps.iter().map(|app| app.name.clone());
            names.extend(if known(&name) {
                vec![name]
            } else {
                all.collect()
            });
        }
        names.sort();
        names.dedup();
        suite.settings.suite.apps = Some(names);
        suite.settings.suite.strategies = None;
        suite.settings.suite.devices = None;
        let plan = Plan::new(&suite)?;
        let inputs = Inputs::gather(&suite, &plan, &crate::config::process_env())?;
        let observer: Arc<dyn Observer> = Arc::new(Silent);
        let ready = prepare::prepare_all(&suite, &inputs, &plan.apps(), &observer, stop)
            .map_err(|e| super::run::refused(RunError::Prepare(e)))?;
        Ok(Self {
            suite,
            ready,
            choice: choice.clone(),
        })
    }

    /// Hides the apps' secrets in what is printed about a replay.
    pub fn redactor(&self) -> Redactor {
        let secrets = self.ready.values().flat_map(|ready| &ready.secrets);
        // It is unknown what the fields of a replay kept of them.
        Redactor::new(secrets.cloned()).and_words()
    }

    /// The app of a trace and a device for it.
    pub fn target(&self, trace: &Trace, file: &Utf8Path) -> Result<(&Ready, &Device), Failure> {
        let targets = TraceTargets {
            suite: &self.suite,
            apps: &self.ready,
            only: self.choice.only(),
        };
        let of = &trace.app.package;
        targets.of(trace).map_err(|why| {
            let message = format!("{file} is a trace of {of}, and {why}");
            Failure::Other(ExitCode::Config, message)
        })
    }
}

fn no_app(name: &str, suite: &Suite) -> Failure {
    let names = suite.settings.apps.iter().map(|app| app.name.as_str());
    let help = name_help(name, names, "apps");
    Failure::Other(
        ExitCode::Config,
        format!("the suite has no app `{name}`: {help}"),
    )
}
