//! `add-app`: adds apps to the suite.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;
use clap::builder::NonEmptyStringValueParser;
use regex::Regex;

use super::Failure;
use super::args::Global;
use super::run_apps;
use super::shell::Shell;
use crate::config::diagnose::Code;
use crate::config::edit::{self, NewApp};
use crate::config::locate::{self, Found};
use crate::config::source::{Node, Segment, Value};
use crate::config::{Problem, Problems, apks, diagnose::Location};
use crate::exit_code::ExitCode;
use crate::settings::NAME_PATTERN;
use crate::util::durable::{self, Lasting};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The apps: APKs, sets (.apks, .xapk, .apkm), bundles (.aab), folders, or patterns in quotes
    #[arg(value_name = "APK", required = true, value_hint = ValueHint::AnyPath)]
    apks: Vec<Utf8PathBuf>,
    /// The app's name, for a single APK [default: the file's]
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
    /// The command that builds the APKs, run before they are explored
    #[arg(long, value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new())]
    build: Option<String>,
}

/// A name that a suite takes.
fn name(text: &str) -> Result<String, String> {
    let pattern = Regex::new(NAME_PATTERN).map_err(|e| e.to_string())?;
    match pattern.is_match(text) {
        true => Ok(text.to_owned()),
        false => Err(
            "use letters, digits, `.`, `_` and `-`, a letter or digit first, at most 64".to_owned(),
        ),
    }
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let base = Utf8Path::new("");
    let found = locate::locate(base, global.suite.as_deref())?;
    let files = run_apps::expand(base, &args.apks, global.offline, shell)?;
    if args.name.is_some() && files.len() > 1 {
        let message = format!("--name is for one app, not for {}", files.len());
        return Err(Failure::Other(ExitCode::Usage, message));
    }
    let apps = new_apps(&found, &files, args)?;
    let file = Utf8Path::new(&found.source.name);
    let unedited = |why| Failure::Other(ExitCode::Config, format!("cannot edit {file}: {why}"));
    let text = edit::add_apps(&found.source.text, found.keys, &apps).map_err(unedited)?;
    // A suite may be a link to the file that a team shares.
    durable::write(real(file).as_std_path(), text.as_bytes(), Lasting::Sure)
        .map_err(|e| Failure::Other(ExitCode::OutputNotWritten, format!("{file}: {e}")))?;
    for app in &apps {
        shell.status("Added", &format!("{} ({}) to {file}", app.name, app.apk));
    }
    if found
        .node
        .node_at(&["suite".into(), "apps".into()])
        .is_some()
    {
        shell.warn(&format!(
            "`[suite] apps` of {file} selects other apps: add the names there to explore them"
        ));
    }
    let names: Vec<_> = apps.iter().map(|app| app.name.as_str()).collect();
    shell.status(
        "Next",
        &format!("cargo droidtest run --app {}", names.join(",")),
    );
    Ok(ExitCode::Ok)
}

/// The tables of these files; the suite has neither their names nor the files yet.
fn new_apps(found: &Found, files: &[Utf8PathBuf], args: &Args) -> Result<Vec<NewApp>, Problems> {
    let mut problems = Vec::new();
    let mut names: Vec<String> = texts(found, "name")
        .map(|(name, _)| name.to_owned())
        .collect();
    let mut apps = Vec::new();
    for file in files {
        let same = |path: &str| real(&found.root.join(path)) == real(file);
        if let Some((path, node)) = texts(found, "apk").find(|(path, _)| same(path)) {
            let message = format!("the suite already has the app {path}");
            let place = Location::new(&found.source, node.span.clone(), "this app");
            problems.push(Problem::new(Code::DuplicateValue, message).at(place).help(
                "to add it with other settings, copy its [[app]] and give the copy another `name`".to_owned(),
            ));
            continue;
        }
        let name = match &args.name {
            None => apks::unused_name(file, |name| names.iter().any(|used| used == name)),
            Some(name) => name.clone(),
        };
        if let Some((_, node)) = texts(found, "name").find(|(used, _)| *used == name) {
            let place = Location::new(&found.source, node.span.clone(), "has this name");
            let problem = Problem::new(
                Code::DuplicateName,
                format!("there already is an app `{name}`"),
            );
            problems.push(problem.at(place).help("give --name another one".to_owned()));
            continue;
        }
        names.push(name.clone());
        apps.push(NewApp {
            name,
            apk: locate::relative_to(file, &found.root).into_string(),
            build: args.build.clone(),
            sources: Vec::new(),
        });
    }
    match problems.is_empty() {
        true => Ok(apps),
        false => Err(problems.into()),
    }
}

/// The values of a key of the suite's apps.
fn texts<'a>(found: &'a Found, key: &'a str) -> impl Iterator<Item = (&'a str, &'a Node)> {
    let apps = found.node.entry("app").map(|entry| &entry.node.value);
    let apps = match apps {
        Some(Value::Array(apps)) => &apps[..],
        _ => &[],
    };
    apps.iter().filter_map(move |app| {
        let node = app.node_at(&[Segment::from(key)])?;
        match &node.value {
            Value::String(text) => Some((text.as_str(), node)),
            _ => None,
        }
    })
}

fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}
