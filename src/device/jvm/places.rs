//! Where a device's process finds its parts and its folder. At `full` these paths say nothing of this machine, the user,
//! or the run: they are the same everywhere, and the folders that Android gives an app are where Android has them.

use super::browser;
use super::confine::Rules;
use super::folder;
use super::parts::Parts;
use super::settings::{Confine, JvmSettings};
use crate::util::sandbox_plan::Moved;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The device's folder.
const DEVICE: &str = "/mnt/device";
/// The pipes to Chromium.
const PIPES: &str = "/mnt/pipes";
/// The cache's parts.
const PARTS: &str = "/system/framework/device";
/// A JDK that is not the system's.
const JAVA: &str = "/system/java";
/// Where the system keeps programs: such paths name no user.
const SYSTEM: &[&str] = &["/usr", "/lib", "/lib64", "/opt", "/nix", "/gnu"];
/// Android's folders of an app, and where they are in the device's.
const LINKS: &[(&str, &str)] = &[
    ("/data", "data"),
    ("/storage/emulated/0", "sdcard"),
    ("/sdcard", "sdcard"),
];

/// The paths of this machine that a process finds elsewhere.
#[derive(Clone, Default, Debug)]
pub(super) struct Places {
    /// Each with what takes its place, the longest first.
    moves: Vec<(PathBuf, PathBuf)>,
}

impl Places {
    /// Those of a device's process.
    pub fn new(settings: &JvmSettings, parts: &Parts) -> Self {
        if !moves(settings) {
            return Self::default();
        }
        let mut moves = vec![(settings.work.clone(), PathBuf::from(DEVICE))];
        moves.push((browser::folder(&settings.work), PathBuf::from(PIPES)));
        let home = &parts.jdk.home;
        if !SYSTEM.iter().any(|system| home.starts_with(system)) {
            moves.push((home.clone(), PathBuf::from(JAVA)));
        }
        // A part is in an entry, which is in the folder of its kind.
        if let Some(cache) = parts.libraries.ancestors().nth(2) {
            moves.push((cache.to_owned(), PathBuf::from(PARTS)));
        }
        moves.sort_by_key(|(from, _)| std::cmp::Reverse(from.as_os_str().len()));
        Self { moves }
    }

    /// Whether Android's folders are at Android's paths.
    pub fn are_androids(&self) -> bool {
        !self.moves.is_empty()
    }

    /// The process's path of a path of this machine.
    pub fn path(&self, path: &Path) -> PathBuf {
        let mut moves = self.moves.iter();
        let found = moves.find_map(|(from, to)| Some(to.join(path.strip_prefix(from).ok()?)));
        // Without the slash that joining nothing adds.
        found.map_or_else(|| path.to_owned(), |path| path.components().collect())
    }

    /// An argument of a command line with the process's paths in it.
    pub fn argument(&self, text: &OsStr) -> OsString {
        let Some(mut text) = text.to_str().map(str::to_owned) else {
            return text.to_owned();
        };
        for (from, to) in &self.moves {
            let (Some(from), Some(to)) = (from.to_str(), to.to_str()) else {
                continue;
            };
            text = replaced(&text, from, to);
        }
        text.into()
    }

    /// Moves what the rules name, and adds Android's folders.
    pub fn apply(&self, rules: &mut Rules) {
        if !self.are_androids() {
            return;
        }
        for (paths, write) in [(&mut rules.read, false), (&mut rules.write, true)] {
            for path in std::mem::take(paths) {
                let to = self.path(&path);
                if to == path {
                    paths.push(path);
                } else if let Ok(from) = path.canonicalize() {
                    rules.moved.push(Moved { from, to, write });
                }
            }
        }
        for path in &mut rules.pipes {
            let to = self.path(path);
            if let Ok(from) = path.canonicalize() {
                let (to, write) = (to.clone(), false);
                rules.moved.push(Moved { from, to, write });
            }
            *path = to;
        }
        for program in &mut rules.execute {
            *program = self.path(program);
        }
        rules.folder = Some(DEVICE.into());
        let files = Path::new(DEVICE).join(folder::FILES);
        let links = LINKS.iter();
        rules.links = links
            .map(|(link, to)| (PathBuf::from(link), files.join(to)))
            .collect();
    }
}

fn moves(settings: &JvmSettings) -> bool {
    cfg!(target_os = "linux") && settings.confine == Confine::Full
}

/// The process's path of the device's folder.
pub(super) fn device(settings: &JvmSettings) -> PathBuf {
    match moves(settings) {
        true => DEVICE.into(),
        false => settings.work.clone(),
    }
}

/// Replaces a path and those below it.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, found) = rest.split_at(at);
        let behind = &found[from.len()..];
        let whole = behind
            .chars()
            .next()
            .is_none_or(|next| matches!(next, '/' | ':' | '=' | ','));
        out.push_str(before);
        out.push_str(if whole { to } else { from });
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        let moves = [("/home/ada/run/device", DEVICE), ("/home/ada/cache", PARTS)];
        Places {
            moves: moves.map(|(from, to)| (from.into(), to.into())).into(),
        }
    }

    #[test]
    fn no_path_of_an_argument_names_the_user() {
        let arguments = [
            (
                "/home/ada/cache/a.jar:/home/ada/cache/b.jar:/usr/c.jar",
                "/system/framework/device/a.jar:/system/framework/device/b.jar:/usr/c.jar",
            ),
            (
                "-javaagent:/home/ada/cache/s.jar=/home/ada/cache/s.jar",
                "-javaagent:/system/framework/device/s.jar=/system/framework/device/s.jar",
            ),
            (
                "-Duser.home=/home/ada/run/device",
                "-Duser.home=/mnt/device",
            ),
            ("/home/ada/run/devices", "/home/ada/run/devices"),
        ];
        for (given, expected) in arguments {
            assert_eq!(places().argument(given.as_ref()), expected);
        }
    }

    #[test]
    fn a_path_below_a_moved_one_moves_with_it() {
        let path = |path: &str| places().path(path.as_ref()).display().to_string();
        assert_eq!(path("/home/ada/run/device"), "/mnt/device");
        assert_eq!(path("/home/ada/run/device/tmp/x"), "/mnt/device/tmp/x");
        assert_eq!(path("/usr/lib/jvm"), "/usr/lib/jvm");
        assert_eq!(
            Places::default().path("/home/ada".as_ref()),
            Path::new("/home/ada")
        );
    }
}
