//! Apps without a suite: the APKs that a command line names, and the settings that they stand for.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

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

/// The files that arguments name: files, folders (the files of apps in them, or one app in several APKs), and patterns
/// with `*`, `?`, `[...]` and `**`. Relative paths start from `base`. Each file once, in the order of the arguments.
///
/// # Errors
/// All arguments that name no file of an app.
pub fn expand(base: &Utf8Path, given: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>, Problems> {
    let mut files: Vec<Utf8PathBuf> = Vec::new();
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, argument) in given.iter().enumerate() {
        match named(base, argument) {
            Ok(found) => {
                files.extend(found.into_iter().filter(|file| {
                    let path = base.join(file);
                    seen.insert(path.canonicalize_utf8().unwrap_or(path))
                }));
            }
            Err((message, help)) => problems.push(
                Problem::new(Code::MissingFile, message)
                    .at(place(given, index, "this argument"))
                    .help(help.to_owned()),
            ),
        }
    }
    if problems.is_empty() {
        Ok(files)
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

type Refused = (String, &'static str);

fn named(base: &Utf8Path, argument: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Refused> {
    let on_disk = base.join(argument);
    if on_disk.is_dir() {
        return in_folder(base, argument);
    }
    if on_disk.exists() {
        return Ok(vec![argument.to_owned()]);
    }
    if !argument.as_str().contains(MAGIC) {
        return Err((
            format!("there is no file {argument}"),
            "check the path; with several words in a name, put it in quotes",
        ));
    }
    let invalid = |why| {
        (
            format!("the pattern {argument} is not valid: {why}"),
            PATTERN,
        )
    };
    let mut found = matches(base, argument).map_err(invalid)?;
    found.retain(|file| is_app(file) && base.join(file).is_file());
    if found.is_empty() {
        return Err((format!("the pattern {argument} matches no app"), PATTERN));
    }
    found.sort();
    Ok(found)
}

const PATTERN: &str = "`*` and `?` match within a name, `**` any number of folders, `[a-z]` one character; apps end in \
                       .apk, .apks, .xapk, .apkm or .aab";

fn is_app(file: &Utf8Path) -> bool {
    let known = |ending: &str| ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    file.extension().is_some_and(known)
}

fn in_folder(base: &Utf8Path, folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Refused> {
    let entries = base.join(folder).read_dir_utf8().map_err(|e| {
        (
            format!("the folder {folder} cannot be read: {e}"),
            "check its permissions",
        )
    })?;
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| is_app(entry.path()) && entry.path().is_file())
        .map(|entry| folder.join(entry.file_name()))
        .collect();
    if files.is_empty() {
        return Err((
            format!("the folder {folder} has no app"),
            "name a folder with .apk files in it; folders below it are found by a pattern, such as 'FOLDER/**/*.apk'",
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

/// What a pattern matches, without hidden files; relative if the pattern is.
fn matches(base: &Utf8Path, pattern: &Utf8Path) -> Result<Vec<Utf8PathBuf>, glob::PatternError> {
    let folder = absolute(base);
    let whole = if pattern.is_absolute() {
        pattern.to_owned()
    } else {
        Utf8PathBuf::from(glob::Pattern::escape(folder.as_str())).join(pattern)
    };
    let options = glob::MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let paths = glob::glob_with(whole.as_str(), options)?;
    let relative = |path: Utf8PathBuf| match path.strip_prefix(&folder) {
        Ok(inside) if !pattern.is_absolute() => inside.to_owned(),
        _ => path,
    };
    // Folders that cannot be read and names that are not UTF-8 have no app that a suite could name.
    let readable = paths.flatten().flat_map(Utf8PathBuf::from_path_buf);
    Ok(readable.map(relative).collect())
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
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_pattern_matches_within_names_and_across_folders() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        for file in [
            "a.apk",
            "b1.apk",
            "b2.apk",
            "x/c.apk",
            "x/y/d.aab",
            "x/.e.apk",
            "n.txt",
        ] {
            fs::create_dir_all(base.join(file).parent().unwrap()).unwrap();
            fs::write(base.join(file), "x").unwrap();
        }
        let all = |pattern: &str| {
            let found = expand(base, &[pattern.into()]);
            found.map(|files| files.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        for (pattern, files) in [
            ("*.apk", &["a.apk", "b1.apk", "b2.apk"][..]),
            ("b[2-9].apk", &["b2.apk"]),
            ("b[!2].apk", &["b1.apk"]),
            ("?.apk", &["a.apk"]),
            (
                "**/*",
                &["a.apk", "b1.apk", "b2.apk", "x/c.apk", "x/y/d.aab"],
            ),
            ("x/**/*.a*", &["x/c.apk", "x/y/d.aab"]),
            ("*/c.apk", &["x/c.apk"]),
        ] {
            assert_eq!(all(pattern).unwrap(), files, "{pattern}");
        }
        let files = expand(base, &["b1.apk".into(), "b*.apk".into()]).unwrap();
        assert_eq!(files, ["b1.apk", "b2.apk"]);
        for wrong in ["*.zip", "n*", "[z-a].apk", "z.apk"] {
            assert!(all(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_folder_is_its_apps_or_a_base_with_its_splits() {
        let base = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/apps"));
        // A package of the crate lacks these apps.
        if base.join("splits").exists() {
            assert_eq!(expand(base, &["splits".into()]).unwrap(), ["splits"]);
        }
        assert_eq!(
            expand(base, &["notes".into()]).unwrap(),
            ["notes/notes.apk"]
        );
    }

    #[test]
    fn each_app_has_a_valid_name_of_its_own() {
        let none = |_: &str| false;
        assert_eq!(unused_name("x/app-debug.apk".into(), none), "app-debug");
        assert_eq!(unused_name("x/_my äpp (1).apk".into(), none), "my--pp--1-");
        assert_eq!(unused_name("x/….apk".into(), none), "app");
        assert_eq!(
            unused_name("a.apk".into(), |name| ["a", "a-2"].contains(&name)),
            "a-3"
        );
        let pattern = regex::Regex::new(crate::settings::NAME_PATTERN).unwrap();
        assert!(pattern.is_match(&unused_name(Utf8Path::new(&"x".repeat(300)), none)));
    }
}
