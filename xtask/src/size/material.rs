//! The APKs that are measured: an app as it is, padded, edited, with names that occur twice, one of real size, and those
//! that are wide in another way.

use super::library::{Dexer, Library, PADDING, SHARED};
use super::padding;
use crate::{Result, sh};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Megabytes of dex that the app is padded to.
const SIZES: [u64; 4] = [12, 24, 56, 200];
const MB: u64 = 1_000_000;

/// One APK.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct App {
    /// `plain`, `12`, ..., `edit`, `duplicates`, `toolbox`, ...
    pub name: String,
    /// The APK, or a folder of those that it is split into.
    pub file: PathBuf,
    pub dex_bytes: u64,
}

/// Builds and finds APKs in a folder.
pub struct Material {
    plain: PathBuf,
    folder: PathBuf,
    dexer: Dexer,
}

impl Material {
    pub fn new(plain: &Path, folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Self {
            plain: fs::canonicalize(plain).map_err(|e| format!("{}: {e}", plain.display()))?,
            folder: folder.to_owned(),
            dexer: Dexer::new(&folder.join("dex"))?,
        })
    }

    /// All names, the cheapest to measure first.
    pub fn names() -> Vec<String> {
        let mut names = vec!["plain".to_owned()];
        names.extend(SIZES.map(|size| size.to_string()));
        let others = [
            "edit",
            "duplicates",
            "toolbox",
            "large",
            "languages",
            "splits",
        ];
        names.extend(others.map(str::to_owned));
        names
    }

    /// Builds these APKs, and their second builds, and prints where they are.
    pub fn print(&self, names: &[String]) -> Result {
        for name in names {
            let edits = Self::edits(name).iter().copied();
            for name in std::iter::once(name.as_str()).chain(edits) {
                let app = self.app(name)?;
                let megabytes = app.dex_bytes as f64 / MB as f64;
                println!("{name}: {megabytes:.1} MB of dex, {}", app.file.display());
            }
        }
        Ok(())
    }

    /// The APK of a name; with the name of an edited one its first edition.
    pub fn app(&self, name: &str) -> Result<App> {
        let file = match name {
            "plain" => self.plain.clone(),
            "edit" => self.edition(1, 1)?,
            "edit-own" => self.edition(2, 1)?,
            "edit-shared" => self.edition(1, 2)?,
            "duplicates" => self.duplicates()?,
            "toolbox" => self.toolbox(1)?,
            "toolbox-edit" => self.toolbox(2)?,
            "large" => sh::root().join("tests/apps/large/large.apk"),
            "languages" => self.generated("languages", "languages.apk")?,
            "splits" => self.generated("splits", "splits")?,
            size => {
                let size = size.parse().map_err(|_| {
                    format!("no app {size:?}; there are {}", Self::names().join(", "))
                })?;
                self.padded(size)?
            }
        };
        Ok(App {
            name: name.to_owned(),
            dex_bytes: dex_bytes(&file)?,
            file,
        })
    }

    /// What a second build is of each app that has one: kind of measurement and name.
    pub fn edits(name: &str) -> &'static [&'static str] {
        match name {
            "edit" => &["edit-own", "edit-shared"],
            "toolbox" => &["toolbox-edit"],
            _ => &[],
        }
    }

    /// Padded to about this many megabytes: with all of as many libraries as fit, and some files of the next.
    fn padded(&self, megabytes: u64) -> Result<PathBuf> {
        self.made(&format!("{megabytes}.apk"), |to| {
            let wanted = (megabytes * MB).saturating_sub(padding::dex_bytes(&self.plain)?);
            let mut chosen = Vec::new();
            let mut size = 0;
            for coordinates in PADDING {
                let library = self.dexer.library(coordinates)?;
                let all = sizes(&library)?;
                let sum: u64 = all.iter().map(|(bytes, _)| bytes).sum();
                let rest = wanted.saturating_sub(size);
                // A tenth more or less does not matter, half a library does.
                if sum > rest + rest / 10 {
                    some(all, rest, &mut chosen);
                    return padding::pad(&self.plain, &chosen, to);
                }
                chosen.extend(all.into_iter().map(|(_, file)| file));
                size += sum;
                if size + wanted / 20 >= wanted {
                    return padding::pad(&self.plain, &chosen, to);
                }
            }
            Err(format!("the padding has only {} MB", size / MB))
        })
    }

    /// The first library, a library with one class of the app in its dex file, and one class in a dex file of its own.
    fn edition(&self, own: u32, shared: u32) -> Result<PathBuf> {
        self.made(&format!("edit-{own}-{shared}.apk"), |to| {
            let mut dex = self.dexer.library(PADDING[0])?.files;
            dex.extend(self.dexer.marker(shared, Some(SHARED))?.files);
            dex.extend(self.dexer.marker(own, None)?.files);
            padding::pad(&self.plain, &dex, to)
        })
    }

    /// With the dex files of its neighbours: shrunk apps share names (`a.a`), of which the first definition counts.
    fn duplicates(&self) -> Result<PathBuf> {
        self.made("duplicates.apk", |to| {
            let neighbours = self.plain.parent().unwrap_or(Path::new("."));
            let mut apks: Vec<PathBuf> = fs::read_dir(neighbours)
                .map_err(|e| format!("{}: {e}", neighbours.display()))?
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.extension().is_some_and(|x| x == "apk") && *path != self.plain)
                .collect();
            apks.sort();
            let (mut dex, mut size) = (Vec::new(), 0);
            for (apk, number) in apks.iter().zip(1..) {
                if size >= 20 * MB {
                    break;
                }
                let folder = self.folder.join(format!("dex/neighbour-{number}"));
                dex.extend(padding::dex_files(apk, &folder)?);
                size += padding::dex_bytes(apk)?;
            }
            if dex.is_empty() {
                return Err(format!("{} has no other APK", neighbours.display()));
            }
            padding::pad(&self.plain, &dex, to)
        })
    }

    fn toolbox(&self, edition: u32) -> Result<PathBuf> {
        self.made(&format!("toolbox-{edition}.apk"), |to| {
            let mut build = Command::new(sh::root().join("tests/apps/toolbox/build.sh"));
            build.arg(to).env("EDITION", edition.to_string());
            build.env("DEX_CACHE", self.folder.join("dex/toolbox"));
            sh::show(&mut build)
        })
    }

    /// With 60 MB of texts in 80 languages, or in 40 APKs.
    fn generated(&self, kind: &str, name: &str) -> Result<PathBuf> {
        self.made(name, |to| {
            let half = to.with_extension("half");
            let mut generate = Command::new(sh::root().join("tests/apps/large/generate.py"));
            generate.arg(kind).arg(&half);
            generate.env("ANDROID_JAR", &self.dexer.android);
            generate.env("R8_JAR", &self.dexer.r8);
            let out = generate
                .output()
                .map_err(|e| format!("cannot run generate.py: {e}"))?;
            if !out.status.success() {
                let text = String::from_utf8_lossy(&out.stderr);
                return Err(format!("generate.py {kind} fails:\n{text}"));
            }
            fs::rename(&half, to).map_err(|e| format!("{}: {e}", to.display()))
        })
    }

    fn made(&self, name: &str, make: impl FnOnce(&Path) -> Result) -> Result<PathBuf> {
        let file = self.folder.join(name);
        if !file.exists() {
            eprintln!("xtask: building {name}");
            make(&file)?;
        }
        Ok(file)
    }
}

fn dex_bytes(file: &Path) -> Result<u64> {
    if !file.is_dir() {
        return padding::dex_bytes(file);
    }
    let entries = fs::read_dir(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let parts = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    parts.map(|part| padding::dex_bytes(&part)).sum()
}

fn sizes(library: &Library) -> Result<Vec<(u64, PathBuf)>> {
    let size = |file: &PathBuf| {
        let found = fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok((found.len(), file.clone()))
    };
    library.files.iter().map(size).collect()
}

/// Adds the first files, as many as come nearest to what is wanted.
fn some(all: Vec<(u64, PathBuf)>, wanted: u64, to: &mut Vec<PathBuf>) {
    let mut sum = 0;
    for (bytes, file) in all {
        if sum + bytes / 2 > wanted {
            break;
        }
        sum += bytes;
        to.push(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_files_that_come_nearest_are_taken() {
        let all = || {
            [9, 4, 7]
                .map(|n| (n, PathBuf::from(n.to_string())))
                .to_vec()
        };
        let chosen = |wanted| {
            let mut to = Vec::new();
            some(all(), wanted, &mut to);
            to.len()
        };
        assert_eq!([chosen(1), chosen(8), chosen(12), chosen(30)], [0, 1, 2, 3]);
    }

    #[test]
    fn an_app_that_is_not_there_is_named() {
        assert_eq!(Material::edits("edit").len(), 2);
        assert!(Material::edits("plain").is_empty());
        assert_eq!(Material::names().len(), 11);
    }
}
