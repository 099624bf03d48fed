//! The apps of `run`: APKs on the command line, the suite's, or those that a Gradle project has built.

use camino::{Utf8Path, Utf8PathBuf};

use super::shell::Shell;
use super::{Failure, preparation};
use crate::apk::Apk;
use crate::config::apks::{self, Expanded};
use crate::config::diagnose::Code;
use crate::config::{self, Problem, Problems, Request, Suite, gradle};
use crate::exit_code::ExitCode;
use crate::run::merged_apk;
use std::sync::Arc;

/// The suite, with the given APKs in place of its apps. Without a suite, the defaults with these APKs, or with the
/// newest debug APK of each app of the Gradle project around the working folder.
///
/// # Errors
/// What is given is not an app, there is nothing to explore, or the suite is wrong.
pub fn load(
    mut request: Request,
    given: &[Utf8PathBuf],
    offline: bool,
    shell: &Shell,
) -> Result<Suite, Failure> {
    request.apks = expand(&request.base, given, offline, shell)?;
    let suite = match config::load(&request) {
        Err(problems) if request.suite.is_none() && problems.no_suite() => {
            let Some(built) = of_gradle(&request, shell)? else {
                return Err(problems.into());
            };
            request.apks = built;
            config::load(&request)?
        }
        suite => suite?,
    };
    if suite.apks.is_empty() {
        return Ok(suite);
    }
    let apps: Vec<_> = suite.apks.iter().map(|apk| apk.as_str()).collect();
    let apps = apps.join(", ");
    if suite.file.as_str().is_empty() {
        shell.status(
            "Using",
            &format!("{apps} without a suite, with the default settings"),
        );
    } else {
        let file = &suite.file;
        shell.status(
            "Using",
            &format!("{apps} with the settings of {file}, instead of its apps"),
        );
    }
    Ok(suite)
}

/// The files that arguments name, each read once before anything starts.
///
/// # Errors
/// All arguments that name no app, and all files that are not one.
pub fn expand(
    base: &Utf8Path,
    given: &[Utf8PathBuf],
    offline: bool,
    shell: &Shell,
) -> Result<Vec<Utf8PathBuf>, Failure> {
    let Expanded {
        files: found,
        notices,
    } = apks::expand(base, given)?;
    shell.notices(&notices);
    let files: Vec<_> = found.iter().map(|apk| base.join(apk)).collect();
    let files = files.iter().map(|file| file.as_std_path());
    let watch = preparation::watch(shell, Arc::default());
    merged_apk::fetch_for(files.clone(), offline, &watch)
        .map_err(|error| Failure::Other(ExitCode::Config, error.to_string()))?;
    drop(watch);
    let mut problems = Vec::new();
    for (apk, file) in found.iter().zip(files) {
        let watch = preparation::watch(shell, Arc::default());
        let (message, help) = match merged_apk::ensure(file, &[], &watch) {
            Err(why) => (why, None),
            Ok(whole) => match Apk::open(whole) {
                Ok(_) => continue,
                Err(error) => {
                    let help = match apk.extension() {
                        Some("toml") => "name a suite with --suite FILE",
                        _ => error.problem.advice(),
                    };
                    (format!("{apk} {}", error.problem), Some(help.to_owned()))
                }
            },
        };
        let place = given.iter().position(|argument| argument == apk);
        let place = place.map(|index| apks::place(given, index, "this app"));
        problems.push(Problem::new(Code::BadFile, message).at(place).help(help));
    }
    match problems.is_empty() {
        true => Ok(found),
        false => Err(Problems::from(problems).into()),
    }
}

/// The APKs that a Gradle project has built; nothing where there is no such project with an app.
fn of_gradle(request: &Request, shell: &Shell) -> Result<Option<Vec<Utf8PathBuf>>, Failure> {
    let Some(project) = gradle::Project::find(&request.base)? else {
        return Ok(None);
    };
    let (built, missing): (Vec<_>, Vec<_>) =
        project.apps.iter().partition(|module| module.apk.is_some());
    if built.is_empty() && missing.is_empty() {
        return Ok(None);
    }
    let names: Vec<_> = missing.iter().map(|module| module.path.as_str()).collect();
    let names = names.join(", ");
    let command = project.build_command(missing.iter().copied());
    let folder = match project.root.as_str() {
        "" => String::new(),
        root => format!(" in {root}"),
    };
    if built.is_empty() {
        let message = format!("the Gradle project has no debug APK yet (apps: {names})");
        let help = format!("run `{command}`{folder}, then this command again");
        return Err(Problem::new(Code::NotBuilt, message).help(help).into());
    }
    if !missing.is_empty() {
        shell.warn(&format!(
            "no debug APK of {names}: `{command}`{folder} builds it; the other apps are explored"
        ));
    }
    Ok(Some(
        built
            .into_iter()
            .filter_map(|module| module.apk.clone())
            .collect(),
    ))
}
