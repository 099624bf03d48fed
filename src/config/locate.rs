//! Finds the suite: `--suite FILE`, `.config/droidtest.toml`, `droidtest.toml`,
//! or a table in the manifest of a cargo package or workspace.

use std::fs;
use std::io;
use std::sync::Arc;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::cargo;
use super::diagnose::{Code, Location, Problem, Problems};
use super::source::{self, Node, Segment, Source, Value};

/// The files that hold a suite, in the order of the search.
const FILES: [&str; 2] = [".config/droidtest.toml", "droidtest.toml"];

/// A suite that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file.
    pub source: Arc<Source>,
    /// The suite's table in it.
    pub node: Node,
    /// The folder that relative paths start from.
    pub root: Utf8PathBuf,
    /// The keys that lead to the suite's table in the file.
    pub keys: &'static [&'static str],
}

impl Default for Found {
    /// A suite without a file and without settings.
    fn default() -> Self {
        Self {
            source: Source::new("", ""),
            node: Node {
                span: 0..0,
                value: Value::Table(Vec::new()),
            },
            root: Utf8PathBuf::new(),
            keys: &[],
        }
    }
}

/// Looks for the suite. Relative paths, and the search, start from `base`.
pub fn locate(base: &Utf8Path, suite: Option<&Utf8Path>) -> Result<Found, Problems> {
    if let Some(path) = suite {
        return match read(base, path)? {
            Some(text) => whole_file(path, text),
            None => Err(not_there(path).into()),
        };
    }
    for folder in ancestors(base) {
        for file in FILES {
            let path = folder.join(file);
            if let Some(text) = read(base, &path)? {
                return whole_file(&path, text);
            }
        }
        if base.join(&folder).join(".git").exists() {
            break;
        }
    }
    match cargo::project(base)? {
        Some(project) => in_manifests(base, &project)?.ok_or_else(|| nowhere(true).into()),
        None => Err(nowhere(false).into()),
    }
}

/// The absolute path of a folder; an empty path is the working folder.
pub fn absolute(folder: &Utf8Path) -> Utf8PathBuf {
    let folder = match folder.as_str() {
        "" => Utf8Path::new("."),
        _ => folder,
    };
    camino::absolute_utf8(folder).unwrap_or_else(|_| folder.to_owned())
}

/// A path, relative to the working folder, as one relative to a folder.
pub fn relative_to(path: &Utf8Path, folder: &Utf8Path) -> Utf8PathBuf {
    let plain = |path: &Utf8Path| {
        let mut plain = Utf8PathBuf::new();
        for part in absolute(path).components() {
            match part {
                Utf8Component::ParentDir => drop(plain.pop()),
                part => plain.push(part),
            }
        }
        plain
    };
    cargo::relative(&plain(path), &plain(folder))
}

/// The folder itself and those above it, as relative paths.
pub(super) fn ancestors(base: &Utf8Path) -> Vec<Utf8PathBuf> {
    let absolute = absolute(base);
    let mut up = Utf8PathBuf::new();
    let mut folders = Vec::new();
    for _ in absolute.ancestors() {
        folders.push(up.clone());
        up.push("..");
    }
    folders
}

fn read(base: &Utf8Path, path: &Utf8Path) -> Result<Option<String>, Problem> {
    let unreadable = |why: String| {
        Problem::new(
            Code::SuiteUnreadable,
            format!("cannot read the suite {path}: {why}"),
        )
    };
    match fs::read(base.join(path)) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(
                text.strip_prefix('\u{feff}')
                    .map(str::to_owned)
                    .unwrap_or(text),
            )),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes()[..at]
                    .iter()
                    .filter(|&&byte| byte == b'\n')
                    .count();
                Err(unreadable(format!("line {line} is not UTF-8"))
                    .help("save the file as UTF-8".to_owned()))
            }
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(unreadable(error.kind().to_string()).help("a suite is a TOML file".to_owned()))
        }
    }
}

fn whole_file(path: &Utf8Path, text: String) -> Result<Found, Problems> {
    let source = Source::new(path.as_str(), text);
    let node = source::parse(&source)?;
    let folder = path.parent().unwrap_or(Utf8Path::new(""));
    let root = match folder.file_name() {
        Some(".config") => folder.parent().unwrap_or(Utf8Path::new("")),
        _ => folder,
    };
    Ok(Found {
        source,
        node,
        root: root.to_owned(),
        keys: &[],
    })
}

/// `[package.metadata.droidtest]` of the nearest manifest, else
/// `[workspace.metadata.droidtest]` of the workspace's.
fn in_manifests(base: &Utf8Path, project: &cargo::Project) -> Result<Option<Found>, Problems> {
    let places: [(_, &'static [&'static str]); 2] = [
        (&project.manifest, &["package", "metadata", "droidtest"]),
        (
            &project.workspace_manifest,
            &["workspace", "metadata", "droidtest"],
        ),
    ];
    for (manifest, keys) in places {
        let Some(text) = read(base, manifest)? else {
            continue;
        };
        let source = Source::new(manifest.as_str(), text);
        let root = source::parse(&source)?;
        let path: Vec<_> = keys.iter().map(|key| Segment::from(*key)).collect();
        if let Some(node) = root.node_at(&path) {
            let folder = manifest.parent().unwrap_or(Utf8Path::new("")).to_owned();
            let node = node.clone();
            return Ok(Some(Found {
                source,
                node,
                root: folder,
                keys,
            }));
        }
    }
    Ok(None)
}

fn not_there(path: &Utf8Path) -> Problem {
    let source = Source::new("command line", format!("--suite {path}"));
    let span = "--suite ".len()..source.text.len();
    Problem::new(Code::SuiteNotFound, format!("there is no file {path}"))
        .at(Location::new(&source, span, "not found"))
        .help("check the path, or omit the flag to search for a suite".to_owned())
}

fn nowhere(in_project: bool) -> Problem {
    let mut message = format!(
        "no suite found: neither {} nor {} is here or in a parent folder",
        FILES[0], FILES[1]
    );
    if in_project {
        message += ", and no [package.metadata.droidtest] or [workspace.metadata.droidtest] in the cargo manifests";
    }
    Problem::new(Code::SuiteNotFound, message)
        .help("explore an APK without a suite with `cargo droidtest run APK`, write a suite with `cargo droidtest init`, or name one with --suite FILE".to_owned())
}
