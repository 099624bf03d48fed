//! Class files of a build, which replace those that were translated from its dex files.

use dex2class::class::{Class, read};
use dex2class::hierarchy::{ClassInfo, Hierarchy};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The class files in some folders, by name (`foo/Bar`); the first folder that has a class gives it.
#[derive(Default)]
pub struct BuildClasses {
    files: BTreeMap<Vec<u8>, PathBuf>,
    /// What the hierarchy asks, read at the start: a build has few classes compared with its libraries.
    known: BTreeMap<Vec<u8>, Known>,
    /// Classes that cannot be read, each with the reason.
    pub failed: Vec<(Vec<u8>, String)>,
}

struct Known {
    access: u16,
    parent: Option<Vec<u8>>,
    interfaces: Vec<Vec<u8>>,
    methods: BTreeMap<(Vec<u8>, Vec<u8>), u16>,
}

impl BuildClasses {
    /// Finds the class files in these folders.
    pub fn open(folders: &[PathBuf]) -> Result<Self, String> {
        let mut found = Self::default();
        for folder in folders {
            found
                .walk(folder, folder)
                .map_err(|why| format!("the class folder {}: {why}", folder.display()))?;
        }
        for (name, path) in found.files.clone() {
            match parsed(&path) {
                Ok(class) => {
                    found.known.insert(name, Known::of(&class));
                }
                Err(why) => {
                    found.files.remove(&name);
                    found.failed.push((name, why));
                }
            }
        }
        Ok(found)
    }

    fn walk(&mut self, root: &Path, folder: &Path) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.walk(root, &path)?;
                continue;
            }
            let Ok(name) = path.strip_prefix(root) else {
                continue;
            };
            let name = name.to_string_lossy().replace('\\', "/");
            if let Some(class) = name.strip_suffix(".class")
                && !name.ends_with("module-info.class")
            {
                let class = class.as_bytes().to_vec();
                self.files.entry(class).or_insert(path);
            }
        }
        Ok(())
    }

    /// Names of all classes.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.files.keys().map(Vec::as_slice)
    }

    /// A class by its name; none if no folder has it.
    pub fn class(&self, name: &[u8]) -> Option<Result<Class, String>> {
        self.files.get(name).map(|path| parsed(path))
    }
}

fn parsed(path: &Path) -> Result<Class, String> {
    let bytes = fs::read(path).map_err(|why| why.to_string())?;
    read(&bytes).map_err(|why| why.to_string())
}

impl Known {
    fn of(class: &Class) -> Self {
        let pool = &class.pool;
        let interfaces = class.interfaces.iter();
        let methods = class.methods.iter();
        Self {
            access: class.access,
            parent: class.parent_name().map(<[u8]>::to_vec),
            interfaces: interfaces.map(|ix| pool.class_name(*ix).to_vec()).collect(),
            methods: methods
                .map(|method| {
                    let text = |ix| pool.text(ix).to_vec();
                    ((text(method.name), text(method.descriptor)), method.access)
                })
                .collect(),
        }
    }
}

/// The classes of a build before those of the dex files.
pub struct BuildFirst<'h> {
    /// The build's.
    pub build: &'h BuildClasses,
    /// Those of the dex files.
    pub dex: &'h dyn Hierarchy,
}

impl Hierarchy for BuildFirst<'_> {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        let Some((name, known)) = self.build.known.get_key_value(name) else {
            return self.dex.class(name);
        };
        Some(ClassInfo {
            name,
            access: known.access,
            parent: known.parent.as_deref(),
            interfaces: known.interfaces.iter().map(Vec::as_slice).collect(),
            own: true,
        })
    }

    fn contains(&self, name: &[u8]) -> bool {
        self.build.known.contains_key(name) || self.dex.contains(name)
    }

    fn method(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<u16> {
        match self.build.known.get(class) {
            Some(known) => {
                let key = (name.to_vec(), descriptor.to_vec());
                known.methods.get(&key).copied()
            }
            None => self.dex.method(class, name, descriptor),
        }
    }
}
