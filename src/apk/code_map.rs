//! The code map of an app: for a frame of a stack, the instruction it stands at.
//!
//! Made for crashes, which name a handful of classes: only those are kept, and the APK is read again for others.

use super::archive::{Archive, DEX_LIMIT};
use super::dex::{self, Budget, dotted};
use super::error::Problem;
use super::sites::{self, ClassSites};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Classes kept; with more the cache starts over.
const KEPT: usize = 2_000;

/// The classes of an app's APK, read when a crash first names them. `Clone` shares what was read.
#[derive(Clone, Debug)]
pub struct CodeMap(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    file: PathBuf,
    /// Dotted class name to its code; `None` for one that the APK does not define.
    classes: Mutex<FxHashMap<String, Option<Arc<ClassSites>>>>,
}

/// Classes by dotted name.
pub type Classes = FxHashMap<String, Arc<ClassSites>>;

impl CodeMap {
    /// Of this APK; nothing is read yet.
    pub fn new(file: &Path) -> Self {
        Self(Arc::new(Shared {
            file: file.to_owned(),
            classes: Mutex::default(),
        }))
    }

    /// Those of these classes (dotted, `$` for nested ones) that the APK defines.
    ///
    /// # Errors
    /// The APK can no longer be read.
    pub fn classes<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Classes, Problem> {
        let wanted: FxHashSet<&str> = names.into_iter().collect();
        let mut known = self
            .0
            .classes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if known.len() > KEPT {
            known.clear();
        }
        let missing: FxHashSet<&str> = wanted
            .iter()
            .copied()
            .filter(|name| !known.contains_key(*name))
            .collect();
        if !missing.is_empty() {
            let read = read(&self.0.file, &missing)?;
            for name in missing {
                known.insert(name.to_owned(), read.get(name).cloned());
            }
        }
        let of = |name: &str| Some((name.to_owned(), known.get(name)?.clone()?));
        Ok(wanted.into_iter().filter_map(of).collect())
    }
}

/// Package and name of the top-level class that a class is or is nested in.
fn outer(class: &str) -> (&str, &str) {
    let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
    (package, name.split('$').next().unwrap_or(name))
}

/// One dex file after the other: at no time are two of them in memory.
fn read(file: &Path, wanted: &FxHashSet<&str>) -> Result<Classes, Problem> {
    let mut archive = Archive::open(file)?;
    let mut found: FxHashMap<String, ClassSites> = FxHashMap::default();
    // The packages in which each name occurs.
    let names = wanted
        .iter()
        .map(|class| (outer(class).1, FxHashSet::default()));
    let mut packages: FxHashMap<&str, FxHashSet<String>> = names.collect();
    for name in archive.dex_names() {
        let bytes = archive.read(&name, DEX_LIMIT)?.ok_or(Problem::NoDex)?;
        let bad = |why| dex::bad(&name, why);
        let size = bytes.len() as u64;
        let (mut names, mut code) = (Budget::for_bytes(size), Budget::for_bytes(size));
        for dex in dex::open(&name, &bytes)? {
            for class in dex::classes(&dex, &mut names) {
                let (number, class) = class.map_err(bad)?;
                let class = dotted(class);
                let (package, name) = outer(&class);
                if let Some(known) = packages.get_mut(name) {
                    known.insert(package.to_owned());
                }
                // Of two definitions, Android loads the first.
                if wanted.contains(class.as_str()) && !found.contains_key(&class) {
                    let sites = sites::of_class(&dex, number, &mut code).map_err(bad)?;
                    found.insert(class, sites);
                }
            }
        }
    }
    let finished = found.into_iter().map(|(class, mut sites)| {
        sites.alone = packages[outer(&class).1].len() == 1;
        (class, Arc::new(sites))
    });
    Ok(finished.collect())
}

#[cfg(test)]
mod tests {
    use super::super::SiteKind;
    use super::*;

    fn notes(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/apps/notes")
            .join(path)
    }

    /// The line of the sample app's source with this text.
    fn line(file: &str, text: &str) -> u32 {
        let source = notes("src/org/droidtest/notes").join(file);
        let source = std::fs::read_to_string(source).unwrap();
        let at = source.lines().position(|line| line.contains(text)).unwrap();
        u32::try_from(at + 1).unwrap()
    }

    #[test]
    fn instructions_have_the_lines_of_the_source() {
        let map = CodeMap::new(&notes("notes.apk"));
        let name = "org.droidtest.notes.WizardActivity";
        let classes = map.classes([name, "org.droidtest.notes.None"]).unwrap();
        assert_eq!(classes.len(), 1);
        let at = line("WizardActivity.java", "no kind is named");
        let sites = classes[name].methods.iter().flat_map(|m| &m.sites);
        let here: Vec<_> = sites.filter(|site| site.line == Some(at)).collect();
        let made = |name: &str| {
            here.iter()
                .any(|s| s.kind == SiteKind::Call && s.name == name)
        };
        assert!(
            made("java.lang.IllegalArgumentException.<init>"),
            "{here:?}"
        );
        assert!(here.iter().any(|site| site.kind == SiteKind::Throw));
        assert!(classes[name].supertypes[0].contains("Activity"));
        assert!(classes[name].alone);
    }

    #[test]
    fn anonymous_classes_know_their_method() {
        let map = CodeMap::new(&notes("notes.apk"));
        let names: Vec<String> = (1..9)
            .map(|n| format!("org.droidtest.notes.NotesActivity${n}"))
            .collect();
        let classes = map.classes(names.iter().map(String::as_str)).unwrap();
        assert!(classes.values().any(|class| class.enclosing.is_some()));
    }

    #[test]
    fn classes_that_were_read_need_no_apk() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.apk");
        std::fs::copy(notes("notes.apk"), &file).unwrap();
        let map = CodeMap::new(&file);
        let name = "org.droidtest.notes.NotesActivity";
        assert_eq!(map.classes([name]).unwrap().len(), 1);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(map.clone().classes([name]).unwrap().len(), 1);
        assert!(map.classes(["org.droidtest.notes.NoteStore"]).is_err());
    }
}
