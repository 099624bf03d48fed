//! `init`: writes a suite, and what CI needs for it.

mod ask;

use camino::{Utf8Path, Utf8PathBuf};
use clap::{ValueEnum, ValueHint};
use minijinja::{Environment, context};

use super::Failure;
use super::args::Global;
use super::shell::Shell;
use super::{gate, run_apps};
use crate::config::edit::{self, NewApp};
use crate::config::{BASELINE, Strategy, apks, gradle, locate};
use crate::exit_code::ExitCode;
use crate::strategy;
use crate::util::durable::{self, Lasting};
use ask::Asker;
use std::collections::BTreeSet;
use std::fs;

const SUITE: &str = include_str!("../../templates/init/droidtest.toml");
const WORKFLOW: &str = include_str!("../../templates/init/github.yml");
const GITLAB_JOB: &str = include_str!("../../templates/init/gitlab.yml");
/// Where they are written.
const SUITE_FILE: &str = "droidtest.toml";
const WORKFLOW_FILE: &str = ".github/workflows/droidtest.yml";
const GITLAB_JOB_FILE: &str = ".gitlab/droidtest.yml";
/// What GitLab reads; a team's own stays as it is.
const GITLAB_FILE: &str = ".gitlab-ci.yml";
/// Runs, which no repository keeps.
const IGNORED: &str = "/target/droidtest/";
/// Events of a session.
const EVENTS: u64 = 500;
/// Times that many in CI.
const MORE_IN_CI: u64 = 4;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The apps: APKs, sets (.apks, .xapk, .apkm), bundles (.aab), folders, or patterns in quotes [default: the apps of
    /// the Gradle project]
    #[arg(value_name = "APK", value_hint = ValueHint::AnyPath)]
    apks: Vec<Utf8PathBuf>,
    /// The kind of the device [default: asks, else jvm]
    #[arg(long, value_name = "KIND")]
    device: Option<Kind>,
    /// The kind of the strategy [default: asks, else the one of suites that name none]
    #[arg(long, value_name = "KIND")]
    strategy: Option<String>,
    /// Events of each session [default: asks, else 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    events: Option<u64>,
    /// Whether only findings that are not in a baseline fail [default: asks, else true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    gate: Option<bool>,
    /// The CI system to write a workflow for [default: asks, else gitlab if there is a .gitlab-ci.yml, else github]
    #[arg(long, value_name = "SYSTEM")]
    ci: Option<Ci>,
    /// The action of the workflow for GitHub, as in `uses:` [default: none, the workflow installs droidtest with cargo]
    #[arg(long, value_name = "ACTION", value_parser = one_word)]
    action: Option<String>,
    /// Take the defaults and ask nothing
    #[arg(long, short)]
    yes: bool,
    /// Overwrite an existing suite and workflow; a baseline always stays
    #[arg(long)]
    force: bool,
}

/// What runs the apps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// This machine, without an emulator.
    Jvm,
    /// A connected phone or a running emulator.
    Adb,
}

/// A CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ci {
    /// GitHub Actions.
    Github,
    /// GitLab CI.
    Gitlab,
    /// None.
    None,
}

/// The action goes into the workflow as it is.
fn one_word(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/@".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err("expected OWNER/REPOSITORY@REF or ./FOLDER".to_owned()),
    }
}

fn one_of<T: ValueEnum>(answer: &str) -> Result<T, String> {
    T::from_str(answer, true).map_err(|_| {
        let all = T::value_variants().iter();
        let names = all.filter_map(|one| Some(one.to_possible_value()?.get_name().to_owned()));
        format!("answer one of: {}", names.collect::<Vec<_>>().join(", "))
    })
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let named = args.strategy.as_deref().map(of_name).transpose();
    let named =
        named.map_err(|why| Failure::Other(ExitCode::Usage, format!("--strategy: {why}")))?;
    let base = Utf8Path::new("");
    let asker = Asker::new(global, args.yes);
    let project = gradle::Project::find(base)?.filter(|project| !project.apps.is_empty());
    let root = match &project {
        Some(project) if args.apks.is_empty() => project.root.clone(),
        _ => Utf8PathBuf::new(),
    };
    let (apps, builds) = match &project {
        Some(project) if args.apks.is_empty() => (of_gradle(project), true),
        _ => (given(&root, args, asker, global, shell)?, false),
    };
    let device = asker.choose(
        args.device,
        "Device, jvm or adb",
        ("jvm", Kind::Jvm),
        one_of,
    )?;
    let default = Strategy::default_of_suites().kind_name();
    let strategy = asker.choose(named, "Strategy", (default, default), of_name)?;
    let shown = EVENTS.to_string();
    let events = asker.choose(
        args.events,
        "Events of each session",
        (&shown, EVENTS),
        |answer| {
            let number = answer
                .parse()
                .ok()
                .filter(|events| (1..=1_000_000_000).contains(events));
            number.ok_or_else(|| "answer a number from 1".to_owned())
        },
    )?;
    let gate = asker.agree(
        args.gate,
        "Fail only on findings that are not in a baseline, yes or no",
    )?;
    let usual = match root.join(GITLAB_FILE).exists() {
        true => ("gitlab", Ci::Gitlab),
        false => ("github", Ci::Github),
    };
    let ci = asker.choose(args.ci, "CI, github, gitlab or none", usual, one_of)?;
    if args.action.is_some() && ci != Ci::Github {
        let why = "--action is for the workflow of GitHub: add `--ci github`".to_owned();
        return Err(Failure::Other(ExitCode::Usage, why));
    }
    let name = root_name(&root);
    let tables = edit::add_apps("", &[], &apps).map_err(internal)?;
    let suite = render(
        SUITE,
        context! {
            name => toml::Value::from(name).to_string(), apps => tables, device => if device == Kind::Jvm { "jvm" } else { "adb" },
            strategy, events, gate, baseline => BASELINE, ci_events => events.saturating_mul(MORE_IN_CI),
        },
    )?;
    let mut files = vec![(root.join(SUITE_FILE), suite)];
    let workflow = match ci {
        Ci::Github => Some((WORKFLOW, WORKFLOW_FILE)),
        Ci::Gitlab => Some((GITLAB_JOB, GITLAB_JOB_FILE)),
        Ci::None => None,
    };
    if let Some((template, file)) = workflow {
        let text = render(template, context! { gate, builds, action => &args.action })?;
        files.push((root.join(file), text));
    }
    refuse_existing(&files, args.force)?;
    let included = root.join(GITLAB_FILE);
    if ci == Ci::Gitlab && included.symlink_metadata().is_err() {
        files.push((included, format!("include: {GITLAB_JOB_FILE}\n")));
    }
    let ignored = root.join(".gitignore");
    files.extend(ignoring(&ignored)?.map(|text| (ignored, text)));
    for (path, text) in &files {
        write(path, text, shell)?;
    }
    let baseline = root.join(BASELINE);
    if gate && baseline.symlink_metadata().is_err() {
        gate::create_empty(baseline, shell)?;
    }
    next(ci, &root, builds, shell);
    Ok(ExitCode::Ok)
}

fn internal(why: impl ToString) -> Failure {
    Failure::Other(ExitCode::Internal, why.to_string())
}

fn render(template: &str, values: minijinja::Value) -> Result<String, Failure> {
    let text = Environment::new().render_str(template, values);
    Ok(text.map_err(internal)?.trim_end().to_owned() + "\n")
}

fn of_name(name: &str) -> Result<&'static str, String> {
    let known = strategy::entry(name).map(|entry| entry.name);
    known.ok_or_else(|| {
        format!("there is no strategy `{name}`; `cargo droidtest list --strategies` lists all")
    })
}

/// The name of a folder, as the name of a suite.
fn root_name(root: &Utf8Path) -> String {
    let folder = locate::absolute(root);
    let folder = folder.canonicalize_utf8().unwrap_or(folder);
    let name = folder.file_name().unwrap_or("suite");
    apks::unused_name(Utf8Path::new(&format!("{name}.toml")), |_| false)
}

/// The apps that the arguments, or an answer, name.
fn given(
    root: &Utf8Path,
    args: &Args,
    asker: Asker,
    global: &Global,
    shell: &Shell,
) -> Result<Vec<NewApp>, Failure> {
    let named = Some(args.apks.clone()).filter(|apks| !apks.is_empty());
    let question = "APK of the app (a file, a folder or a pattern)";
    let apks = asker.choose(named, question, ("none", Vec::new()), |answer| {
        Ok(vec![answer.into()])
    })?;
    if apks.is_empty() {
        let message = "there is no app: name an APK (`cargo droidtest init app.apk`), or start this in a Gradle project";
        return Err(Failure::Other(ExitCode::Config, message.to_owned()));
    }
    let files = run_apps::expand(Utf8Path::new(""), &apks, global.offline, shell)?;
    let mut names = BTreeSet::new();
    let app = |file: &Utf8PathBuf| {
        let name = apks::unused_name(file, |name| names.contains(name));
        names.insert(name.clone());
        NewApp {
            name,
            apk: locate::relative_to(file, root).into_string(),
            ..NewApp::default()
        }
    };
    Ok(files.iter().map(app).collect())
}

/// The apps of a Gradle project, built by the suite.
fn of_gradle(project: &gradle::Project) -> Vec<NewApp> {
    let mut names = BTreeSet::new();
    let app = |module: &gradle::Module| {
        let name = apks::unused_name(&Utf8PathBuf::from(module.name()), |name| {
            names.contains(name)
        });
        names.insert(name.clone());
        let relative = |path: &Utf8Path| locate::relative_to(path, &project.root).into_string();
        let sources = ["src/main/java", "src/main/kotlin"].map(|below| module.folder.join(below));
        let file = format!("build/outputs/apk/debug/{}-debug.apk", module.name());
        NewApp {
            name,
            apk: relative(module.apk.as_ref().unwrap_or(&module.folder.join(file))),
            build: Some(project.build_command([module])),
            sources: sources
                .iter()
                .filter(|folder| folder.is_dir())
                .map(|folder| relative(folder))
                .collect(),
        }
    };
    project.apps.iter().map(app).collect()
}

fn refuse_existing(files: &[(Utf8PathBuf, String)], force: bool) -> Result<(), Failure> {
    let there = files
        .iter()
        .map(|(path, _)| path)
        .filter(|path| path.symlink_metadata().is_ok());
    let there: Vec<_> = there.map(|path| path.as_str()).collect();
    if there.is_empty() || force {
        return Ok(());
    }
    let message = format!(
        "nothing was written, since there already is {}; --force overwrites, and `cargo droidtest add-app APK` adds an app to a suite",
        there.join(" and ")
    );
    Err(Failure::Other(ExitCode::Config, message))
}

fn write(path: &Utf8Path, text: &str, shell: &Shell) -> Result<(), Failure> {
    let failed = |e| Failure::Other(ExitCode::OutputNotWritten, format!("{path}: {e}"));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_str().is_empty()) {
        durable::create_folder(folder.as_std_path()).map_err(failed)?;
    }
    durable::write(path.as_std_path(), text.as_bytes(), Lasting::Sure).map_err(failed)?;
    shell.status("Written", path.as_str());
    Ok(())
}

/// The text of a `.gitignore` with the folder of runs; `None` if it is ignored already.
fn ignoring(path: &Utf8Path) -> Result<Option<String>, Failure> {
    let mut text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => {
            let message = format!("nothing was written, since {path} cannot be read: {e}");
            return Err(Failure::Other(ExitCode::Config, message));
        }
    };
    let ignored = |line: &str| {
        let line = line.trim().trim_matches('/');
        matches!(line, "target" | "target/droidtest" | "**/target")
    };
    if text.lines().any(ignored) {
        return Ok(None);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(Some(format!("{text}{IGNORED}\n")))
}

/// What to do next.
fn next(ci: Ci, root: &Utf8Path, builds: bool, shell: &Shell) {
    let system = match ci {
        Ci::Github => Some(("GitHub", WORKFLOW_FILE)),
        Ci::Gitlab => Some(("GitLab", GITLAB_FILE)),
        Ci::None => None,
    };
    if let Some((system, file)) = system.filter(|_| !root.join(".git").exists()) {
        shell.warn(&format!(
            "{system} reads {file} at the root of a repository only, which is not here: move it there, and name the suite by its path"
        ));
    }
    if ci == Ci::Gitlab && !contains(&root.join(GITLAB_FILE), GITLAB_JOB_FILE) {
        shell.warn(&format!(
            "add `include: {GITLAB_JOB_FILE}` to {GITLAB_FILE}, which stays as it is"
        ));
    }
    if ci == Ci::Gitlab && builds {
        shell.warn(&format!(
            "Gradle needs the Android SDK: install it in {GITLAB_JOB_FILE}, or use an image that has it"
        ));
    }
    let folder = match root.as_str() {
        "" => String::new(),
        root => format!(" (in {root})"),
    };
    let builds = match builds {
        true => ", which builds the apps first",
        false => "",
    };
    shell.status("Next", &format!("cargo droidtest run{folder}{builds}"));
}

/// Does this file, which need not be UTF-8, contain the text?
fn contains(file: &Utf8Path, text: &str) -> bool {
    let read = fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&read).contains(text)
}
