//! What a plan needs from outside the suite: the files that it names, and the secrets in the environment. Checked
//! before anything starts, so that a run does not fail an hour in.

mod activities;
mod commands;
mod learned;
mod tests_coverage;

use std::collections::BTreeMap;
use std::fmt;

use camino::Utf8Path;

use super::Plan;
use super::merged_apk::is_several;
use crate::config::diagnose::{Code, Problem, Problems, name_help};
use crate::config::source::Segment;
use crate::config::{App, AppSource, DeviceKind, ModelRef, Suite, TextValue};
use crate::device::jvm::replay::Archive;
use crate::device::sim::BUILTIN;

/// The resolved inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    texts: BTreeMap<String, BTreeMap<String, Text>>,
}

/// A text to type.
#[derive(Clone, PartialEq, Eq)]
pub struct Text {
    /// The text itself.
    pub value: String,
    /// Whether to redact it in all text output.
    pub secret: bool,
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.secret {
            f.write_str("[redacted]")
        } else {
            self.value.fmt(f)
        }
    }
}

impl Inputs {
    /// Finds all inputs of the plan's sessions.
    pub fn gather(
        suite: &Suite,
        plan: &Plan,
        env: &BTreeMap<String, String>,
    ) -> Result<Self, Problems> {
        let mut inputs = Self::default();
        let mut problems = missing(suite, plan);
        for at in apps(suite, plan) {
            let texts = at.texts(env, &mut problems);
            inputs.texts.insert(at.app.name.clone(), texts);
        }
        if problems.is_empty() {
            Ok(inputs)
        } else {
            Err(problems.into())
        }
    }

    /// The texts to type in an app, by the suite's keys.
    pub fn texts(&self, app: &str) -> impl Iterator<Item = (&str, &Text)> {
        let texts = self.texts.get(app).into_iter().flatten();
        texts.map(|(key, text)| (key.as_str(), text))
    }

    /// All secrets; to be redacted in all text output.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.values().flat_map(BTreeMap::values);
        texts
            .filter(|text| text.secret && !text.value.is_empty())
            .map(|text| text.value.as_str())
    }
}

/// The files of the plan's sessions that are missing or of another kind, each with the fix.
pub fn missing(suite: &Suite, plan: &Plan) -> Vec<Problem> {
    let mut problems = Vec::new();
    for at in apps(suite, plan) {
        at.files(&mut problems);
        at.activities(&mut problems);
        at.merged(plan, &mut problems);
        at.commands(plan, &mut problems);
        at.tests_coverage(&mut problems);
    }
    learned::check(suite, plan, &mut problems);
    stored(suite, plan, &mut problems);
    archives(suite, plan, &mut problems);
    problems
}

/// The plan's apps with their place in the suite.
fn apps<'a>(suite: &'a Suite, plan: &'a Plan) -> impl Iterator<Item = AppInputs<'a>> {
    let place = |name: &str| suite.settings.apps.iter().position(|one| one.name == name);
    plan.apps().into_iter().map(move |app| AppInputs {
        suite,
        app,
        index: place(&app.name).unwrap_or(0),
    })
}

/// Checks the files for devices of the plan.
fn stored(suite: &Suite, plan: &Plan, problems: &mut Vec<Problem>) {
    for (index, device) in suite.settings.devices.iter().enumerate() {
        if !plan.entries.iter().any(|s| *s.device == *device) {
            continue;
        }
        let files = device.data().into_iter().flat_map(|data| data.files());
        for ((key, ix), path) in files.filter(|(_, path)| !suite.on_disk(path).is_file()) {
            let place: [Segment; 5] = [
                "device".into(),
                index.into(),
                "data".into(),
                key.into(),
                ix.into(),
            ];
            let name = &device.name;
            let said = format!("a file for the device `{name}`, {path}, is missing");
            problems.push(
                Problem::new(Code::MissingFile, said)
                    .at(suite.place(&place, "not found"))
                    .help("relative paths start from the folder of the suite".to_owned()),
            );
        }
    }
}

/// Checks the archives that replace the network of devices of the plan.
fn archives(suite: &Suite, plan: &Plan, problems: &mut Vec<Problem>) {
    for (index, device) in suite.settings.devices.iter().enumerate() {
        let DeviceKind::Jvm(jvm) = &device.kind else {
            continue;
        };
        let (Some(path), true) = (
            jvm.network.archive(),
            plan.entries.iter().any(|s| *s.device == *device),
        ) else {
            continue;
        };
        let on_disk = suite.on_disk(path);
        let Err(mut error) = Archive::read(on_disk.as_std_path()) else {
            continue;
        };
        // The path as written in the suite.
        error.file = match error.file.strip_prefix(&on_disk) {
            Ok(rest) if rest.as_os_str().is_empty() => path.into(),
            Ok(rest) => path.as_std_path().join(rest),
            Err(_) => error.file,
        };
        let code = if on_disk.exists() {
            Code::BadFile
        } else {
            Code::MissingFile
        };
        let place: [Segment; 3] = ["device".into(), index.into(), "network".into()];
        let said = format!(
            "the network archive of the device `{}`: {error}",
            device.name
        );
        problems.push(
            Problem::new(code, said)
                .at(suite.place(&place, "this archive"))
                .help(error.fix),
        );
    }
}

struct AppInputs<'a> {
    suite: &'a Suite,
    app: &'a App,
    index: usize,
}

impl AppInputs<'_> {
    fn path(&self, rest: &[Segment]) -> Vec<Segment> {
        let mut path = vec![Segment::from("app"), Segment::from(self.index)];
        path.extend_from_slice(rest);
        path
    }

    fn files(&self, problems: &mut Vec<Problem>) {
        // The build command may create it later.
        let built = self.app.build.is_some();
        match &self.app.source {
            // A folder may contain a base APK and its splits.
            AppSource::Apk(path) if !built && !self.suite.on_disk(path).is_dir() => {
                self.file("APK", path, &["apk".into()], problems);
            }
            AppSource::Apk(_) => {}
            AppSource::Model(ModelRef::Builtin(name)) => self.builtin(name, problems),
            AppSource::Model(ModelRef::File(path)) => {
                self.file("model", path, &["model".into()], problems);
            }
        }
        if built {
            return;
        }
        for (index, path) in self.app.splits.iter().enumerate() {
            self.file("split", path, &["splits".into(), index.into()], problems);
        }
        if let Some(path) = &self.app.mapping {
            self.file("mapping", path, &["mapping".into()], problems);
        }
        for (key, what, folders) in [
            ("classes", "folder of class files", &self.app.classes),
            ("sources", "folder of sources", &self.app.sources),
        ] {
            for (index, path) in folders.iter().enumerate() {
                if !self.suite.on_disk(path).is_dir() {
                    problems.push(self.missing(what, path, &[key.into(), index.into()]));
                }
            }
        }
    }

    /// Split APKs are merged for the jvm device only: no phone would install the merged file.
    fn merged(&self, plan: &Plan, problems: &mut Vec<Problem>) {
        let AppSource::Apk(path) = &self.app.source else {
            if !self.app.splits.is_empty() {
                let said = format!("the app `{}` is a model, but has `splits`", self.app.name);
                let place = self
                    .suite
                    .place(&self.path(&["splits".into()]), "of an APK");
                let help = "`splits` needs an `apk`: delete the key";
                problems.push(
                    Problem::new(Code::ConflictingKeys, said)
                        .at(place)
                        .help(help.to_owned()),
                );
            }
            return;
        };
        let others = plan.entries.iter().find(|session| {
            session.app.name == self.app.name && !matches!(session.device.kind, DeviceKind::Jvm(_))
        });
        let Some(session) = others.filter(|_| is_several(self.app, &self.suite.on_disk(path)))
        else {
            return;
        };
        let (app, device) = (&self.app.name, &session.device.name);
        let said =
            format!("the app `{app}` has splits, but the device `{device}` installs only one APK");
        let help = "name a universal APK (`bundletool build-apks --mode=universal`), or use a device of the kind `jvm`";
        let place = self
            .suite
            .place(&self.path(&["apk".into()]), "several APKs");
        problems.push(
            Problem::new(Code::DeviceCannotRunApp, said)
                .at(place)
                .help(help.to_owned()),
        );
    }

    fn builtin(&self, name: &str, problems: &mut Vec<Problem>) {
        let known = BUILTIN.iter().map(|(known, _)| *known);
        if !known.clone().any(|known| known == name) {
            let message = format!("there is no built-in model `{name}`");
            let problem = Problem::new(Code::UnknownName, message)
                .at(self
                    .suite
                    .place(&self.path(&["model".into()]), "no such model"))
                .help(name_help(name, known, "built-in models"));
            problems.push(problem);
        }
    }

    fn file(&self, what: &str, path: &Utf8Path, step: &[Segment], problems: &mut Vec<Problem>) {
        if !self.suite.on_disk(path).is_file() {
            problems.push(self.missing(what, path, step));
        }
    }

    fn missing(&self, what: &str, path: &Utf8Path, step: &[Segment]) -> Problem {
        let name = &self.app.name;
        let on_disk = self.suite.on_disk(path);
        let found = if on_disk.exists() {
            "is not of that kind"
        } else {
            "is missing"
        };
        let near = on_disk.parent().and_then(|folder| neighbour(folder, path));
        let help = match near {
            Some(near) => format!("did you mean `{near}`? it is in the same folder"),
            None if what == "APK" => {
                "build it first, or set the build command with `build = \"./gradlew assembleDebug\"`".to_owned()
            }
            None => format!(
                "relative paths start from the folder of the suite, {}",
                folder_name(&self.suite.root)
            ),
        };
        Problem::new(
            Code::MissingFile,
            format!("the {what} of the app `{name}`, {path}, {found}"),
        )
        .at(self.suite.place(&self.path(step), "not found"))
        .help(help)
    }

    fn texts(
        &self,
        env: &BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> BTreeMap<String, Text> {
        let mut texts = BTreeMap::new();
        for (key, value) in &self.app.text {
            let text = match value {
                TextValue::Plain(value) => Some(Text {
                    value: value.clone(),
                    secret: false,
                }),
                TextValue::Secret(secret) => env.get(&secret.env).map(|value| Text {
                    value: value.clone(),
                    secret: true,
                }),
            };
            match text {
                Some(text) => {
                    texts.insert(key.clone(), text);
                }
                None => problems.push(self.missing_secret(key, value, env)),
            }
        }
        texts
    }

    fn missing_secret(
        &self,
        key: &str,
        value: &TextValue,
        env: &BTreeMap<String, String>,
    ) -> Problem {
        let TextValue::Secret(secret) = value else {
            return Problem::new(Code::Internal, format!("the text `{key}` is not a secret"));
        };
        let step = ["text".into(), key.into(), "env".into()];
        let near = crate::config::diagnose::nearest(&secret.env, env.keys().map(String::as_str));
        let help = match near {
            Some(near) => name_help(&secret.env, [near], "variables"),
            None => format!("set it: export {}=...", secret.env),
        };
        Problem::new(
            Code::MissingSecret,
            format!(
                "the environment variable {} for the text `{key}` is not set",
                secret.env
            ),
        )
        .at(self.suite.place(&self.path(&step), "not set"))
        .help(help)
    }
}

/// A file in the same folder with a similar name.
fn neighbour(folder: &Utf8Path, path: &Utf8Path) -> Option<String> {
    let names: Vec<String> = folder
        .read_dir_utf8()
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_owned()))
        .collect();
    let name = path.file_name()?;
    let others = names
        .iter()
        .map(String::as_str)
        .filter(|other| *other != name);
    crate::config::diagnose::nearest(name, others).map(str::to_owned)
}

fn folder_name(root: &Utf8Path) -> &str {
    match root.as_str() {
        "" => "which is the current one",
        name => name,
    }
}
