//! The classes of an app, read from its dex files when they are asked for.

use super::{ClassInfo, Hierarchy};
use crate::convert::{Nesting, Nests, flags};
use crate::dex::{ClassDef, Dex, internal_name};
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// Interfaces of a class that are looked at, and bytes of their names: lists and names may overlap in a damaged file.
const MOST_INTERFACES: usize = 1_000;
const MOST_NAME_BYTES: usize = 1 << 18;

/// Marks a free place of the hash table.
const FREE: u32 = u32::MAX;

/// A class of the index.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The low half of its name's hash, so that few other names are read.
    hash: u32,
    /// Number of the dex file.
    dex: u32,
    /// Number of the definition in it.
    def: u32,
}

/// The classes of several dex files. Of two with one name the first counts, as on Android.
#[derive(Debug)]
pub struct DexHierarchy<'a> {
    files: Vec<Dex<'a>>,
    entries: Vec<Entry>,
    /// Open addressing: numbers of entries.
    table: Vec<u32>,
    /// The names are the app's: with known hashes it could make all of them collide.
    hasher: RandomState,
    /// Numbers of entries, the class around before the nested one, in ascending order.
    nested: OnceLock<Vec<(u32, u32)>>,
}

impl<'a> DexHierarchy<'a> {
    /// Reads the names of all classes. Definitions that cannot be read are left out, and what follows where the names of a
    /// file, which may overlap, are together far longer than the file.
    pub fn new(files: Vec<Dex<'a>>) -> Self {
        let count: usize = files.iter().map(|file| size(file.class_count())).sum();
        let table = vec![FREE; (count * 2).next_power_of_two().max(16)];
        let mut made = Self {
            files,
            entries: Vec::with_capacity(count),
            table,
            hasher: RandomState::new(),
            nested: OnceLock::new(),
        };
        for (dex, file) in (0..).zip(made.files.clone()) {
            let mut budget = file.size().saturating_mul(4);
            for def in 0..file.class_count() {
                let Ok(name) = file.class_name(def) else {
                    continue;
                };
                let Some(left) = budget.checked_sub(name.len()) else {
                    break;
                };
                budget = left;
                if file.class_def(def).is_err() {
                    continue;
                }
                made.add(internal_name(name), dex, def);
            }
        }
        made
    }

    fn add(&mut self, name: &[u8], dex: u32, def: u32) {
        let hash = self.hasher.hash_one(name);
        if let Err(free) = self.find(name, hash)
            && let Ok(number) = u32::try_from(self.entries.len())
        {
            self.table[free] = number;
            let [low, ..] = split(hash);
            self.entries.push(Entry {
                hash: low,
                dex,
                def,
            });
        }
    }

    /// The number of an entry, or the free place where it belongs.
    fn find(&self, name: &[u8], hash: u64) -> Result<u32, usize> {
        let [low, high] = split(hash);
        let mut at = size(high) & (self.table.len() - 1);
        loop {
            match self.table[at] {
                FREE => return Err(at),
                number => {
                    let entry = self.entries[size(number)];
                    if entry.hash == low && self.name(entry) == Some(name) {
                        return Ok(number);
                    }
                }
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    fn name(&self, entry: Entry) -> Option<&'a [u8]> {
        let name = self.files[size(entry.dex)].class_name(entry.def).ok()?;
        Some(internal_name(name))
    }

    fn number(&self, name: &[u8]) -> Option<u32> {
        self.find(name, self.hasher.hash_one(name)).ok()
    }

    /// The dex files.
    pub fn files(&self) -> &[Dex<'a>] {
        &self.files
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The numbers of the dex file and of the definition of a class, by its name (`foo/Bar`).
    pub fn position(&self, name: &[u8]) -> Option<(usize, u32)> {
        let entry = self.entries[size(self.number(name)?)];
        Some((size(entry.dex), entry.def))
    }

    /// The definition of a class by its name (`foo/Bar`); none if there is none, or it cannot be read.
    pub fn definition(&self, name: &[u8]) -> Option<(Dex<'a>, ClassDef<'a>)> {
        self.definition_of(self.number(name)?)
    }

    /// All definitions that count, in the order of the dex files.
    pub fn definitions(&self) -> impl Iterator<Item = (Dex<'a>, ClassDef<'a>)> {
        let numbers = 0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        numbers.filter_map(|number| self.definition_of(number))
    }

    fn definition_of(&self, number: u32) -> Option<(Dex<'a>, ClassDef<'a>)> {
        let entry = *self.entries.get(size(number))?;
        let dex = self.files[size(entry.dex)];
        Some((dex, dex.class_def(entry.def).ok()?))
    }

    fn nesting(&self, number: u32) -> Option<Nesting<'a>> {
        let (dex, def) = self.definition_of(number)?;
        Nesting::read(&dex, &def)
    }

    /// All pairs of classes, of which the second is nested in the first. Of two that are nested in each other, which
    /// the JVM refuses, neither counts.
    fn pairs(&self) -> &[(u32, u32)] {
        self.nested.get_or_init(|| {
            let numbers = 0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
            let outer = |inner| {
                let outer = self.nesting(inner)?.outer;
                self.number(internal_name(outer))
                    .filter(|&outer| outer != inner)
            };
            let mut pairs: Vec<_> = numbers
                .filter_map(|inner| Some((outer(inner)?, inner)))
                .collect();
            pairs.sort_unstable();
            let all = pairs.clone();
            pairs.retain(|&(outer, inner)| all.binary_search(&(inner, outer)).is_err());
            pairs.shrink_to_fit();
            pairs
        })
    }
}

impl Hierarchy for DexHierarchy<'_> {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        let (_, def) = self.definition(name)?;
        let mut room = MOST_NAME_BYTES;
        let interfaces = def
            .interfaces
            .iter()
            .take(MOST_INTERFACES)
            .filter_map(Result::ok)
            .map(internal_name)
            .take_while(|name| match room.checked_sub(name.len()) {
                Some(left) => {
                    room = left;
                    true
                }
                None => false,
            });
        Some(ClassInfo {
            name: internal_name(def.kind),
            access: flags::class(def.access),
            parent: def.parent.map(internal_name),
            interfaces: interfaces.collect(),
            own: true,
        })
    }

    fn contains(&self, name: &[u8]) -> bool {
        self.number(name).is_some()
    }

    fn method(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<u16> {
        let (dex, def) = self.definition(class)?;
        let data = dex.class_data(&def).ok()?;
        let mut methods = data.direct_methods().chain(data.virtual_methods());
        let found = methods.find(|method| dex.method_is(method.ix, name, descriptor))?;
        let in_interface = flags::class(def.access) & crate::class::access::INTERFACE != 0;
        Some(flags::method(found.access, name, in_interface))
    }
}

impl Nests for DexHierarchy<'_> {
    fn is_listed(&self, class: &[u8], outer: &[u8]) -> bool {
        let numbers = (
            self.number(internal_name(outer)),
            self.number(internal_name(class)),
        );
        let (Some(outer), Some(class)) = numbers else {
            return false;
        };
        self.pairs().binary_search(&(outer, class)).is_ok()
    }

    fn nested(&self, outer: &[u8]) -> Vec<(&[u8], Nesting<'_>)> {
        let Some(outer) = self.number(internal_name(outer)) else {
            return Vec::new();
        };
        let pairs = self.pairs();
        let from = pairs.partition_point(|pair| pair.0 < outer);
        let inner = pairs[from..].iter().take_while(|pair| pair.0 == outer);
        inner
            .filter_map(|&(_, inner)| {
                let (dex, def) = self.definition_of(inner)?;
                Some((def.kind, Nesting::read(&dex, &def)?))
            })
            .collect()
    }
}

/// The low and the high half.
fn split(hash: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = hash.to_le_bytes();
    [
        u32::from_le_bytes([a, b, c, d]),
        u32::from_le_bytes([e, f, g, h]),
    ]
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "dex_tests.rs"]
mod tests;
