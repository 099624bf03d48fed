//! Strings stored once and named by a number, so that the step loop compares and copies numbers.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A string held by an [`Interner`]; 0 is the empty string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Sym(pub u32);

impl Sym {
    /// The empty string.
    pub const EMPTY: Sym = Sym(0);

    /// Is this the empty string?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The strings of one session. It only grows; one session sees a bounded number of texts.
#[derive(Debug)]
pub struct Interner {
    id: u64,
    known: FxHashMap<Arc<str>, Sym>,
    strings: Vec<(Arc<str>, u64)>,
}

impl Default for Interner {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut interner = Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            known: FxHashMap::default(),
            strings: Vec::new(),
        };
        interner.intern("");
        interner
    }
}

impl Interner {
    /// Tells this interner from every other of the process: whoever keeps symbols can see whose they are.
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// The number of `text`, made on first sight.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.known.get(text) {
            return sym;
        }
        let sym = Sym(u32::try_from(self.strings.len()).unwrap_or(u32::MAX));
        let shared: Arc<str> = text.into();
        self.strings
            .push((shared.clone(), super::hash::of_bytes(text.as_bytes())));
        self.known.insert(shared, sym);
        sym
    }

    /// The number of `text` if it was seen before.
    pub fn lookup(&self, text: &str) -> Option<Sym> {
        self.known.get(text).copied()
    }

    /// The string behind a number of this interner.
    pub fn get(&self, sym: Sym) -> &str {
        &self.strings[sym.0 as usize].0
    }

    /// The same, to be kept.
    pub fn shared(&self, sym: Sym) -> Arc<str> {
        Arc::clone(&self.strings[sym.0 as usize].0)
    }

    /// The content hash of the string: equal in every session that sees the same text.
    #[inline]
    pub fn hash(&self, sym: Sym) -> u64 {
        self.strings[sym.0 as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_one_number() {
        let mut interner = Interner::default();
        let a = interner.intern("save");
        assert_eq!(interner.intern("save"), a);
        assert_eq!(interner.get(a), "save");
        assert_eq!(interner.intern(""), Sym::EMPTY);
        assert_eq!(interner.lookup("load"), None);
    }
}
