//! What a translation takes over from an earlier one.
//!
//! A rebuild changes few of an app's dex files: mostly small ones with the team's own classes, not the large ones with
//! libraries. The classes of a dex file become the same if the file is the same and everything that their translation
//! asked of other classes: superclasses, interfaces, flags and methods of each class that the file names and of those above
//! it, bridges, nested classes and the names of enum constants. All that goes into the file's key.

use crate::jar::{Mark, OldJar, Whole};
use dex2class::Translator;
use dex2class::convert::Nests as _;
use dex2class::dex::{Dex, internal_name};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The file of a translation that says what it is made of.
pub const PARTS: &str = "parts.json";

/// The classes of one dex file in the jars of a translation.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Part {
    /// The file's key, hexadecimal.
    pub key: String,
    /// How many classes there are; one that could not be written is not among them.
    pub classes: usize,
    /// Where they begin and end in the jar without probes, and in the one with them.
    pub places: [[Mark; 2]; 2],
    /// See `classes.json`.
    pub methods_failed: Vec<String>,
    /// See `classes.json`.
    pub classes_failed: Vec<String>,
    /// See `classes.json`.
    pub methods_unprobed: Vec<String>,
    /// See `classes.json`.
    pub lines_known: bool,
}

/// `parts.json`.
#[derive(Serialize, Deserialize)]
pub struct Parts {
    /// The jar without probes, and the one with them.
    pub jars: [Whole; 2],
    /// By dex file; the last has the classes of a build.
    pub parts: Vec<Part>,
}

/// The key of a dex file, one of several of an app.
pub fn key(translator: &Translator<'_, '_>, number: usize, dex: &Dex<'_>) -> String {
    let mut digest = Digest(Sha256::new());
    digest.bytes(dex.bytes());
    // The parts of a container have the same bytes, but other classes.
    for def in 0..dex.class_count() {
        digest.bytes(dex.class_name(def).unwrap_or_default());
    }
    let mut open: Vec<Vec<u8>> = Vec::new();
    for ix in 0..dex.type_count() {
        let Ok(name) = dex.type_name(ix) else {
            continue;
        };
        let element = name.iter().position(|&byte| byte != b'[').unwrap_or(0);
        if name[element] == b'L' {
            open.push(internal_name(&name[element..]).to_vec());
        }
    }
    open.sort_unstable();
    open.reverse();
    let mut seen: HashSet<Vec<u8>> = open.iter().cloned().collect();
    while let Some(name) = open.pop() {
        digest.class(translator, number, &name);
        if let Some(info) = translator.hierarchy().class(&name) {
            for above in info.parent.into_iter().chain(info.interfaces) {
                if seen.insert(above.to_vec()) {
                    open.push(above.to_vec());
                }
            }
        }
    }
    let bytes = digest.0.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Digest(Sha256);

impl Digest {
    /// Bytes after their number, so that two lists never look like one.
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    /// What the translation of another class may ask of this one.
    fn class(&mut self, translator: &Translator<'_, '_>, number: usize, name: &[u8]) {
        self.bytes(name);
        let Some(info) = translator.hierarchy().class(name) else {
            self.number(0);
            return;
        };
        self.number(1 + usize::from(info.own));
        self.0.update(info.access.to_le_bytes());
        self.bytes(info.parent.unwrap_or_default());
        self.number(info.interfaces.len());
        for interface in &info.interfaces {
            self.bytes(interface);
        }
        let app = translator.app();
        let Some((file, _)) = app.position(name) else {
            return;
        };
        // Whether it is one of the file's own, and not a second definition.
        self.number(usize::from(file == number));
        if file == number {
            for (descriptor, root) in translator.bridges().of(name) {
                self.bytes(descriptor);
                self.bytes(root);
            }
        } else if let Some((dex, def)) = app.definition(name)
            && let Ok(data) = dex.class_data(&def)
        {
            for method in data.direct_methods().chain(data.virtual_methods()) {
                let mut descriptor = Vec::new();
                let named = dex.method(method.ix).and_then(|found| {
                    dex.proto(found.proto)?.descriptor(&mut descriptor)?;
                    Ok(found.name)
                });
                self.bytes(named.unwrap_or_default());
                self.bytes(&descriptor);
                self.0.update(method.access.to_le_bytes());
            }
        }
        let mut descriptor = vec![b'L'];
        descriptor.extend_from_slice(name);
        descriptor.push(b';');
        for (inner, nesting) in app.nested(&descriptor) {
            self.bytes(inner);
            self.bytes(nesting.name.unwrap_or_default());
            self.0.update(nesting.access.to_le_bytes());
            self.number(usize::from(nesting.is_member()));
        }
        if info.access & dex2class::class::access::ENUM != 0 {
            for (field, constant) in translator.enum_names(&descriptor) {
                self.bytes(&field);
                self.bytes(&constant);
            }
        }
    }
}

/// An earlier translation.
pub struct Earlier {
    parts: Vec<Part>,
    /// The jar without probes, and the one with them.
    jars: [OldJar; 2],
}

impl Earlier {
    /// Opens a translation; none if it cannot be read. `jars` are the names of its two jars.
    pub fn open(folder: &Path, jars: [&str; 2]) -> Option<Self> {
        let text = fs::read(folder.join(PARTS)).ok()?;
        let Parts { jars: whole, parts } = serde_json::from_slice(&text).ok()?;
        let open = |ix: usize| OldJar::open(&folder.join(jars[ix]), whole[ix]);
        Some(Self {
            parts,
            jars: [open(0)?, open(1)?],
        })
    }

    /// The part with a key.
    pub fn part(&self, key: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.key == key)
    }

    /// Its two jars.
    pub fn jars(&mut self) -> &mut [OldJar; 2] {
        &mut self.jars
    }
}
