//! Apps without a suite: the APKs that a command line names, and the settings that they stand for.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::diagnose::{Code, Location, Problem, Problems};
use super::load::Override;
use super::locate::absolute;
use super::source::Source;
use crate::apk::splits::is_split;

/// How the files of apps end.
pub const ENDINGS: [&str; 5] = ["apk", "apks", "xapk", "apkm", "aab"];
/// The characters that make an argument a pattern.
const MAGIC: [char; 3] = ['*', '?', '['];
/// The longest name of an app, in bytes, without the number that makes it unique.
const LONGEST_NAME: usize = 56;

/// The apps that arguments name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Their files, each once, in the order of the arguments.
    pub files: Vec<Utf8PathBuf>,
    /// A line for each app whose name no suite can have.
    pub notices: Vec<String>,
}

/// The files that arguments name: files, folders (the files of apps in them, or one app in several APKs), and patterns
/// with `*`, `?`, `[...]` and `**`. Relative paths start from `base`.
///
/// # Errors
/// All arguments that name no file of an app.
pub fn expand(base: &Utf8Path, given: &[Utf8PathBuf]) -> Result<Expanded, Problems> {
    let mut all = Expanded::default();
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, argument) in given.iter().enumerate() {
        match named(base, argument, &mut all.notices) {
            Ok(found) => {
                all.files.extend(found.into_iter().filter(|file| {
                    let path = base.join(file);
                    seen.insert(path.canonicalize_utf8().unwrap_or(path))
                }));
            }
            Err((message, help)) => problems.push(
                Problem::new(Code::MissingFile, message)
                    .at(place(given, index, "this argument"))
                    .help(help.into_owned()),
            ),
        }
    }
    if problems.is_empty() {
        Ok(all)
    } else {
        Err(problems.into())
    }
}

/// An argument's place on the command line.
pub fn place(given: &[Utf8PathBuf], index: usize, label: &str) -> Location {
    let before = given[..index].iter().map(|path| path.as_str().len() + 1);
    let start = before.sum::<usize>();
    let source = Source::new("command line", written(given));
    Location::new(&source, start..start + given[index].as_str().len(), label)
}

fn written(given: &[Utf8PathBuf]) -> String {
    let words: Vec<_> = given.iter().map(|path| path.as_str()).collect();
    words.join(" ")
}

/// What is wrong, and the fix.
type Refused = (String, Cow<'static, str>);

fn named(
    base: &Utf8Path,
    argument: &Utf8Path,
    notices: &mut Vec<String>,
) -> Result<Vec<Utf8PathBuf>, Refused> {
    let on_disk = base.join(argument);
    if on_disk.is_dir() {
        return in_folder(base, argument, notices);
    }
    if on_disk.exists() {
        return Ok(vec![argument.to_owned()]);
    }
    if !argument.as_str().contains(MAGIC) {
        return Err((
            format!("there is no file {argument}"),
            "check the path; with several words in a name, put it in quotes".into(),
        ));
    }
    let invalid = |why| {
        (
            format!("the pattern {argument} is not valid: {why}"),
            PATTERN.into(),
        )
    };
    let before = notices.len();
    let mut found = matches(base, argument, notices).map_err(invalid)?;
    if found.is_empty() {
        return Err(nothing(
            format!("the pattern {argument} matches no app"),
            PATTERN,
            &notices[before..],
        ));
    }
    found.sort();
    Ok(found)
}

const PATTERN: &str = "`*` and `?` match within a name, `**` any number of folders (not links), `[a-z]` one character; apps end in \
                       .apk, .apks, .xapk, .apkm or .aab";

fn is_app(file: &Path) -> bool {
    let known = |ending: &str| ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    file.extension().and_then(|e| e.to_str()).is_some_and(known)
}

/// Found nothing, or nothing that can be named.
fn nothing(message: String, fix: &'static str, notices: &[String]) -> Refused {
    match notices {
        [] => (message, fix.into()),
        notices => (message, notices.join("; ").into()),
    }
}

/// The apps among these files; a notice for each whose name is not UTF-8, which neither a suite nor a report can hold.
fn nameable(files: impl Iterator<Item = PathBuf>, notices: &mut Vec<String>) -> Vec<Utf8PathBuf> {
    let mut apps = Vec::new();
    for file in files.filter(|file| is_app(file) && file.is_file()) {
        match Utf8PathBuf::from_path_buf(file) {
            Ok(file) => apps.push(file),
            // `Debug` escapes the bytes that are not UTF-8, and control characters.
            Err(file) => notices.push(format!(
                "left out {file:?}: its path is not UTF-8; rename it to explore it"
            )),
        }
    }
    apps
}

fn in_folder(
    base: &Utf8Path,
    folder: &Utf8Path,
    notices: &mut Vec<String>,
) -> Result<Vec<Utf8PathBuf>, Refused> {
    let entries = base.join(folder).as_std_path().read_dir().map_err(|e| {
        (
            format!("the folder {folder} cannot be read: {e}"),
            "check its permissions".into(),
        )
    })?;
    let before = notices.len();
    let mut files = nameable(entries.flatten().map(|entry| entry.path()), notices);
    for file in &mut files {
        *file = folder.join(file.file_name().unwrap_or_default());
    }
    if files.is_empty() {
        return Err(nothing(
            format!("the folder {folder} has no app"),
            "name a folder with .apk files in it; folders below it are found by a pattern, such as 'FOLDER/**/*.apk'",
            &notices[before..],
        ));
    }
    files.sort();
    // A base APK and its splits are one app.
    if files
        .iter()
        .any(|file| is_split(base.join(file).as_std_path()))
    {
        return Ok(vec![folder.to_owned()]);
    }
    Ok(files)
}

/// The apps that a pattern matches, without hidden files; relative if the pattern is.
fn matches(
    base: &Utf8Path,
    pattern: &Utf8Path,
    notices: &mut Vec<String>,
) -> Result<Vec<Utf8PathBuf>, glob::PatternError> {
    let folder = absolute(base);
    let mut start = folder.clone();
    let mut parts: Vec<glob::Pattern> = Vec::new();
    for component in pattern.components() {
        match component {
            Utf8Component::Prefix(_) | Utf8Component::RootDir => start.push(component),
            other => parts.push(glob::Pattern::new(other.as_str())?),
        }
    }
    let any = |part: &glob::Pattern| part.as_str() == "**";
    parts.dedup_by(|a, b| any(a) && any(b));
    let mut found = BTreeSet::new();
    walk(start.as_std_path(), &parts, &mut found);
    let relative = |path: Utf8PathBuf| match path.strip_prefix(&folder) {
        Ok(inside) if !pattern.is_absolute() => inside.to_owned(),
        _ => path,
    };
    let apps = nameable(found.into_iter(), notices);
    Ok(apps.into_iter().map(relative).collect())
}

/// What the parts of a pattern lead to from a folder. (The walk of the crate `glob` panics at a name that is not UTF-8.)
fn walk(folder: &Path, parts: &[glob::Pattern], found: &mut BTreeSet<PathBuf>) {
    let Some((part, rest)) = parts.split_first() else {
        found.insert(folder.to_owned());
        return;
    };
    let any = part.as_str() == "**";
    if any {
        walk(folder, rest, found);
    } else if !part.as_str().contains(MAGIC) {
        return walk(&folder.join(part.as_str()), rest, found);
    }
    // A folder that cannot be read has no app that can be explored.
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') && !part.as_str().starts_with('.') {
            continue;
        }
        if !any && part.matches(&name) {
            walk(&path, rest, found);
        // Links could lead back to a folder above.
        } else if any && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, parts, found);
        }
    }
}

/// The settings that APKs stand for: these apps, all of them selected. The paths are relative to the working folder
/// `base`; in a suite elsewhere they are absolute.
pub(super) fn overrides(base: &Utf8Path, root: &Utf8Path, apks: &[Utf8PathBuf]) -> Vec<Override> {
    let mut names = BTreeSet::new();
    let apps: Vec<_> = apks
        .iter()
        .map(|apk| {
            let name = unused_name(apk, |name| names.contains(name));
            names.insert(name.clone());
            let apk = match root.as_str() {
                "" => apk.clone(),
                _ => absolute(&base.join(apk)),
            };
            (name, apk)
        })
        .collect();
    let selected: Vec<_> = apps.iter().map(|(name, _)| name.clone()).collect();
    let tables: Vec<_> = apps
        .into_iter()
        .map(|(name, apk)| {
            toml::Table::from_iter([
                ("name".to_owned(), name.into()),
                ("apk".to_owned(), apk.into_string().into()),
            ])
        })
        .collect();
    let of = |keys, value: toml::Value| Override::new("run", &written(apks), keys, value);
    vec![of("app", tables.into()), of("suite.apps", selected.into())]
}

/// A name for the app of a file that is not yet in use: the file's, with a number where it is.
pub fn unused_name(file: &Utf8Path, used: impl Fn(&str) -> bool) -> String {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "._-".contains(c) => c,
        _ => '-',
    };
    let file = absolute(file);
    let stem: String = file
        .file_stem()
        .unwrap_or_default()
        .chars()
        .map(plain)
        .collect();
    let stem = stem.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let stem = &stem[..stem.len().min(LONGEST_NAME)];
    let stem = if stem.is_empty() { "app" } else { stem };
    let numbered = (2..).map(|number: u32| format!("{stem}-{number}"));
    let mut all = std::iter::once(stem.to_owned()).chain(numbered);
    all.find(|name| !used(name)).unwrap_or_default()
}

#[cfg(test)]
#[path = "apks_tests.rs"]
mod tests;
