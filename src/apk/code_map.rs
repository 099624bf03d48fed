//! The code map of an app: for a frame of a stack, the instruction it stands at.
//!
//! Made for crashes, which name a handful of classes: only those are kept, and the APK is read again for others.

use super::archive::{Archive, DEX_LIMIT};
use super::dex::{Budget, Dex};
use super::dex_check;
use super::dex_sites::{self, ClassSites};
use super::error::Problem;
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

    /// Those of these classes (dotted, `$` for nested ones) that the APK defines, and the classes nested in them
    /// where `nested` asks for it by their outer name.
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

/// One dex file after the other: at no time are two of them in memory.
fn read(file: &Path, wanted: &FxHashSet<&str>) -> Result<Classes, Problem> {
    let mut archive = Archive::open(file)?;
    let mut found = Classes::default();
    for name in archive.dex_names() {
        let bytes = archive.read(&name, DEX_LIMIT)?.ok_or(Problem::NoDex)?;
        dex_check::check(&name, &bytes)?;
        let bad = |why| Problem::BadDex {
            entry: name.clone(),
            why,
        };
        let dex = Dex::open(&bytes).map_err(bad)?;
        let mut budget = Budget::for_bytes(bytes.len() as u64);
        for (number, ix) in dex.definitions() {
            let class = dex.type_name(ix).map(dex_sites::dotted);
            let Some(class) = class.filter(|class| wanted.contains(class.as_str())) else {
                continue;
            };
            // Of two definitions, Android loads the first.
            if !found.contains_key(&class) {
                let sites = dex_sites::of_class(&dex, number, &mut budget).map_err(bad)?;
                found.insert(class, Arc::new(sites));
            }
        }
        if found.len() == wanted.len() {
            break;
        }
    }
    Ok(found)
}
