//! The constant pool: entries are added once and keep their numbers.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The number of an entry; 0 is none.
pub type Idx = u16;

/// One entry. Numbers of `long` and `double` count twice, as in the class file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// The second number of a `long` or `double`.
    Second,
    /// Text in modified UTF-8: where it begins in the pool's bytes, and its length in bytes.
    Utf8(u32, u32),
    /// `int`.
    Int(i32),
    /// `float`, as its bits.
    Float(u32),
    /// `long`.
    Long(i64),
    /// `double`, as its bits.
    Double(u64),
    /// A class (`Utf8`).
    Class(Idx),
    /// A text (`Utf8`).
    String(Idx),
    /// A field: class and [`Entry::NameAndType`].
    Field(Idx, Idx),
    /// A method of a class, or (`true`) of an interface.
    Method(Idx, Idx, bool),
    /// Name and descriptor.
    NameAndType(Idx, Idx),
    /// Kind (specification, table 4.4.8) and member.
    MethodHandle(u8, Idx),
    /// A method's descriptor.
    MethodType(Idx),
    /// `invokedynamic`: number of the bootstrap method, name and type.
    Dynamic(u16, Idx),
    /// A constant that a bootstrap method computes: number of the bootstrap method, name and type.
    DynamicConst(u16, Idx),
    /// A module (`Utf8`).
    Module(Idx),
    /// A package (`Utf8`).
    Package(Idx),
}

/// The pool is full: 65,535 numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// A class's constants.
#[derive(Clone, Debug)]
pub struct Pool {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    /// Open addressing: numbers of entries by hash; 0 is free.
    table: Vec<u16>,
    full: bool,
}

impl Default for Pool {
    fn default() -> Self {
        Self {
            entries: vec![Entry::Second],
            bytes: Vec::new(),
            table: vec![0; 256],
            full: false,
        }
    }
}

impl Pool {
    /// Entries in order, from number 1.
    pub fn entries(&self) -> &[Entry] {
        &self.entries[1..]
    }

    /// The number that the class file gives as its count: one more than the last.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Bytes that the entries take in a class file, at most.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.entries.len() * 9
    }

    /// Whether an entry was asked for that had no room: the class cannot be written.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// An entry by its number; [`Entry::Second`] for one that does not exist.
    pub fn get(&self, at: Idx) -> Entry {
        *self.entries.get(usize::from(at)).unwrap_or(&Entry::Second)
    }

    /// The bytes of a `Utf8` entry; empty for any other.
    pub fn text(&self, at: Idx) -> &[u8] {
        match self.get(at) {
            Entry::Utf8(from, length) => &self.bytes[from as usize..(from + length) as usize],
            _ => &[],
        }
    }

    /// The name of a `Class` entry.
    pub fn class_name(&self, at: Idx) -> &[u8] {
        match self.get(at) {
            Entry::Class(name) => self.text(name),
            _ => &[],
        }
    }

    /// Owner, name, descriptor and whether the owner is an interface, of a `Field` or `Method` entry.
    pub fn member(&self, at: Idx) -> (&[u8], &[u8], &[u8], bool) {
        let (owner, pair, interface) = match self.get(at) {
            Entry::Field(owner, pair) => (owner, pair, false),
            Entry::Method(owner, pair, interface) => (owner, pair, interface),
            _ => (0, 0, false),
        };
        let (name, descriptor) = self.name_and_type(pair);
        (self.class_name(owner), name, descriptor, interface)
    }

    /// Name and descriptor of a `NameAndType` entry.
    pub fn name_and_type(&self, at: Idx) -> (&[u8], &[u8]) {
        match self.get(at) {
            Entry::NameAndType(name, descriptor) => (self.text(name), self.text(descriptor)),
            _ => (&[], &[]),
        }
    }

    /// The number of a class's entry, if there is one.
    pub fn find_class(&self, name: &[u8]) -> Option<Idx> {
        let name = self.find_utf8(hash_of(&(1_u8, name)), name)?;
        let wanted = Entry::Class(name);
        self.find(hash_of(&(2_u8, wanted)), |_, entry| entry == wanted)
    }

    fn find_utf8(&self, hash: u64, text: &[u8]) -> Option<Idx> {
        self.find(hash, |pool, entry| match entry {
            Entry::Utf8(from, length) => {
                pool.bytes[from as usize..(from + length) as usize] == *text
            }
            _ => false,
        })
    }

    /// Adds an entry as the next number, even if there is an equal one: numbers stay those of a class file that is read.
    /// False where there is no number left.
    pub(super) fn append(&mut self, entry: Entry) -> bool {
        let room = 0xffff - self.entries.len();
        let two = matches!(entry, Entry::Long(_) | Entry::Double(_));
        if room < 1 + usize::from(two) {
            return false;
        }
        self.put(hash_of(&(2_u8, entry)), entry);
        if two {
            self.entries.push(Entry::Second);
        }
        true
    }

    /// [`Pool::append`] for a `Utf8` entry of at most 65,535 bytes.
    pub(super) fn append_utf8(&mut self, text: &[u8]) -> bool {
        if self.entries.len() >= 0xffff || text.len() > 0xffff {
            return false;
        }
        let entry = self.keep(text);
        self.put(hash_of(&(1_u8, text)), entry);
        true
    }

    /// Text of at most 65,535 bytes.
    pub fn utf8(&mut self, text: &[u8]) -> Idx {
        if text.len() > 0xffff {
            self.full = true;
            return 0;
        }
        let hash = hash_of(&(1_u8, text));
        self.find_utf8(hash, text).unwrap_or_else(|| {
            let entry = self.keep(text);
            self.add(hash, entry)
        })
    }

    fn keep(&mut self, text: &[u8]) -> Entry {
        let from = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(text);
        #[allow(clippy::cast_possible_truncation)]
        Entry::Utf8(from, text.len() as u32)
    }

    /// A class, by its name (`java/lang/String`, `[I`).
    pub fn class(&mut self, name: &[u8]) -> Idx {
        let name = self.utf8(name);
        self.entry(Entry::Class(name))
    }

    /// A text constant; `text` is modified UTF-8 of at most 65,535 bytes.
    pub fn string(&mut self, text: &[u8]) -> Idx {
        let text = self.utf8(text);
        self.entry(Entry::String(text))
    }

    /// A field.
    pub fn field(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Idx {
        let owner = self.class(owner);
        let pair = self.pair(name, descriptor);
        self.entry(Entry::Field(owner, pair))
    }

    /// A method.
    pub fn method(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8], interface: bool) -> Idx {
        let owner = self.class(owner);
        let pair = self.pair(name, descriptor);
        self.entry(Entry::Method(owner, pair, interface))
    }

    /// A name with a descriptor.
    pub fn pair(&mut self, name: &[u8], descriptor: &[u8]) -> Idx {
        let name = self.utf8(name);
        let descriptor = self.utf8(descriptor);
        self.entry(Entry::NameAndType(name, descriptor))
    }

    /// Any entry but `Utf8` and `Second`.
    pub fn entry(&mut self, wanted: Entry) -> Idx {
        let hash = hash_of(&(2_u8, wanted));
        self.find(hash, |_, entry| entry == wanted)
            .unwrap_or_else(|| {
                let at = self.add(hash, wanted);
                if matches!(wanted, Entry::Long(_) | Entry::Double(_)) && at != 0 {
                    self.entries.push(Entry::Second);
                }
                at
            })
    }

    fn find(&self, hash: u64, same: impl Fn(&Self, Entry) -> bool) -> Option<Idx> {
        let mut at = self.slot(hash);
        loop {
            match self.table[at] {
                0 => return None,
                ix if same(self, self.entries[usize::from(ix)]) => return Some(ix),
                _ => at = (at + 1) & (self.table.len() - 1),
            }
        }
    }

    fn slot(&self, hash: u64) -> usize {
        #[allow(clippy::cast_possible_truncation)]
        let high = (hash >> 32) as usize;
        high & (self.table.len() - 1)
    }

    fn add(&mut self, hash: u64, entry: Entry) -> Idx {
        // Room for an entry of two numbers.
        if self.entries.len() + 2 > 0xffff {
            self.full = true;
            return 0;
        }
        self.put(hash, entry)
    }

    fn put(&mut self, hash: u64, entry: Entry) -> Idx {
        if self.entries.len() * 2 > self.table.len() {
            self.grow();
        }
        let number = u16::try_from(self.entries.len()).unwrap_or(0);
        self.entries.push(entry);
        self.place(hash, number);
        number
    }

    fn place(&mut self, hash: u64, number: u16) {
        let mut at = self.slot(hash);
        while self.table[at] != 0 {
            at = (at + 1) & (self.table.len() - 1);
        }
        self.table[at] = number;
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 4];
        for ix in 1..self.entries.len() {
            let hash = match self.entries[ix] {
                Entry::Second => continue,
                Entry::Utf8(from, length) => {
                    hash_of(&(1_u8, &self.bytes[from as usize..(from + length) as usize]))
                }
                other => hash_of(&(2_u8, other)),
            };
            self.place(hash, u16::try_from(ix).unwrap_or(0));
        }
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_kept_once_and_keeps_its_number() {
        let mut pool = Pool::default();
        let first = pool.method(b"a/B", b"m", b"()V", false);
        let other = pool.method(b"a/B", b"m", b"()V", true);
        assert_ne!(first, other);
        for ix in 0..5_000 {
            pool.entry(Entry::Long(ix));
        }
        assert_eq!(pool.method(b"a/B", b"m", b"()V", false), first);
        assert_eq!(
            pool.member(first),
            (&b"a/B"[..], &b"m"[..], &b"()V"[..], false)
        );
        assert!(!pool.is_full());
    }

    #[test]
    fn a_full_pool_says_so() {
        let mut pool = Pool::default();
        for ix in 0..70_000 {
            pool.entry(Entry::Int(ix));
        }
        assert!(pool.is_full() && pool.count() <= 0xffff);
    }
}
