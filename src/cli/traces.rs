//! What `replay` and `minimize` have in common: traces read, and the suite's app and device found for each.

use std::collections::BTreeMap;

use camino::Utf8Path;

use super::args::{Global, Selection};
use super::shell::{MessageFormat, Shell, render};
use super::{Failure, load};
use crate::config::diagnose::{listed, name_help};
use crate::config::{Device, Suite};
use crate::exit_code::ExitCode;
use crate::run::prepare::{PrepareError, Ready};
use crate::run::watch::Silent;
use crate::run::{Inputs, Plan, prepare};
use crate::trace::{self, Trace};
use crate::util::text::Redactor;

/// Which app and device of the suite.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Choice {
    /// This app of the suite [default: the one the trace names]
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,
    /// This device of the suite [default: the one the trace names, else the first that can run the app]
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

/// Reads a trace; what is wrong with it is shown with its place.
pub fn read(file: &Utf8Path, shell: &Shell) -> Result<Trace, Failure> {
    trace::load(file.as_std_path()).map_err(|error| {
        if shell.format() == MessageFormat::Json {
            return Failure::Told(ExitCode::Config, error.to_json().to_string());
        }
        Failure::Told(ExitCode::Config, render(error.as_ref(), shell.color()))
    })
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
    /// Loads the suite and makes ready the apps that these traces name.
    pub fn load<'t>(
        global: &Global,
        choice: &Choice,
        traces: impl IntoIterator<Item = &'t Trace>,
    ) -> Result<Self, Failure> {
        let named = |trace: &'t Trace| choice.app.as_ref().unwrap_or(&trace.app.name).clone();
        Self::of_apps(global, choice, traces.into_iter().map(named))
    }

    /// Loads the suite and makes ready these apps; all of them where one is not known.
    pub fn of_apps(
        global: &Global,
        choice: &Choice,
        wanted: impl IntoIterator<Item = String>,
    ) -> Result<Self, Failure> {
        let mut suite = load(global, &Selection::default())?;
        let apps = &suite.settings.apps;
        let known = |name: &str| apps.iter().any(|app| app.name == name);
        if let Some(name) = choice.app.as_ref().filter(|name| !known(name)) {
            return Err(no_app(name, &suite));
        }
        let mut names: Vec<String> = Vec::new();
        for name in wanted {
            // A trace written by hand may leave the name to the package.
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
        let ready = prepare::prepare_all(&suite, &inputs, &plan.apps(), &Silent).map_err(|e| {
            let code = match &e {
                PrepareError::Build { .. } => ExitCode::BuildFailed,
                PrepareError::Unreadable { .. } => ExitCode::Config,
            };
            Failure::Other(code, e.to_string())
        })?;
        Ok(Self {
            suite,
            ready,
            choice: choice.clone(),
        })
    }

    /// Hides the apps' secrets in what is told of a replay.
    pub fn redactor(&self) -> Redactor {
        let secrets = self.ready.values().flat_map(|ready| &ready.secrets);
        // Nothing says what a replay's fields kept of them.
        Redactor::new(secrets.cloned()).and_words()
    }

    /// The one app of this package.
    fn by_package(&self, package: &str, file: &Utf8Path) -> Result<&Ready, Failure> {
        let fits = |ready: &&Ready| ready.app.package == package;
        let all: Vec<_> = self.ready.values().filter(fits).collect();
        let names = all.iter().map(|ready| &ready.app.name);
        let said = match all[..] {
            [only] => return Ok(only),
            [] => format!(
                "no app of the suite is that: they are {}; add it to the suite, or replay the trace where it was recorded",
                listed(&self.ready.keys().collect::<Vec<_>>())
            ),
            _ => format!(
                "{} of the suite are that: say which with --app, or in the trace's [app] `name`",
                listed(&names.collect::<Vec<_>>())
            ),
        };
        let said = format!("{file} is a trace of {package}, and {said}");
        Err(Failure::Other(ExitCode::Config, said))
    }

    /// The app of a trace and a device for it.
    pub fn cast(&self, trace: &Trace, file: &Utf8Path) -> Result<(&Ready, &Device), Failure> {
        let wrong = |message: String| Failure::Other(ExitCode::Config, message);
        let named = self.choice.app.as_ref().unwrap_or(&trace.app.name);
        let fits = |ready: &&Ready| ready.app.package == trace.app.package;
        let ready = match self.ready.get(named) {
            Some(ready) if fits(&ready) => ready,
            Some(ready) => {
                return Err(wrong(format!(
                    "{file} is a trace of {}, but the app `{named}` of the suite is {}: name the app it belongs to with --app, or add it to the suite",
                    trace.app.package, ready.app.package
                )));
            }
            None => self.by_package(&trace.app.package, file)?,
        };
        let app = self
            .suite
            .settings
            .apps
            .iter()
            .find(|app| app.name == ready.app.name);
        let able = |device: &&Device| app.is_some_and(|app| device.can_run(app));
        let devices = &self.suite.settings.devices;
        let by_name = |name: &str| devices.iter().find(|device| device.name == name);
        if let Some(name) = &self.choice.device {
            let device = by_name(name).ok_or_else(|| {
                let names = devices.iter().map(|d| d.name.as_str());
                let help = name_help(name, names, "devices");
                wrong(format!("the suite has no device `{name}`: {help}"))
            })?;
            if !able(&device) {
                return Err(wrong(format!(
                    "the device `{name}` cannot run the app `{}`",
                    ready.app.name
                )));
            }
            return Ok((ready, device));
        }
        by_name(&trace.device.name)
            .filter(able)
            .or_else(|| devices.iter().find(able))
            .map(|device| (ready, device))
            .ok_or_else(|| {
                wrong(format!(
                    "no device of the suite can run the app `{}`",
                    ready.app.name
                ))
            })
    }
}

/// What stands in for an app or a device that the trace names and the suite does not have; `None` where the trace
/// has its own, or names none.
pub fn stand_ins(trace: &Trace, ready: &Ready, device: &Device) -> Option<String> {
    let other = |named: &str, what: &str, taken: &str| {
        let stands = !named.is_empty() && named != taken;
        stands.then(|| format!("the {what} `{taken}` for `{named}`"))
    };
    let app = other(&trace.app.name, "app", &ready.app.name);
    let device = other(&trace.device.name, "device", &device.name);
    let all: Vec<_> = app.into_iter().chain(device).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn no_app(name: &str, suite: &Suite) -> Failure {
    let names = suite.settings.apps.iter().map(|app| app.name.as_str());
    let help = name_help(name, names, "apps");
    Failure::Other(
        ExitCode::Config,
        format!("the suite has no app `{name}`: {help}"),
    )
}
