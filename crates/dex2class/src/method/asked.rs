//! What the methods of all classes ask of types, answered once.

use super::ClassScope;
use std::sync::atomic::{AtomicU8, Ordering};

/// What is known of the types of a dex file, by index, as far as it was asked: whether each exists with all its
/// superclasses and interfaces, and whether it is an interface. The answers are the same whoever asks first.
#[derive(Debug)]
pub struct AskedTypes(Vec<AtomicU8>);

/// Bits of an answer.
const KNOWN: u8 = 1;
const EXISTS: u8 = 2;
const IS_CLASS: u8 = 4;
const IS_INTERFACE: u8 = 8;

impl AskedTypes {
    /// Of a dex file with so many types.
    pub fn new(types: u32) -> Self {
        Self((0..types).map(|_| AtomicU8::new(0)).collect())
    }
}

impl ClassScope<'_, '_> {
    fn ask(&self, kind: u32) -> u8 {
        let place = self.asked.0.get(kind as usize);
        let known = place.map_or(0, |place| place.load(Ordering::Relaxed));
        if known != 0 {
            return known;
        }
        let found = KNOWN
            | match self.dex.type_name(kind) {
                Ok([b'L', name @ .., b';']) => match self.hierarchy.class(name) {
                    Some(info) => {
                        let exists = if self.hierarchy.loads(name) {
                            EXISTS
                        } else {
                            0
                        };
                        let interface = if info.is_interface() { IS_INTERFACE } else { 0 };
                        IS_CLASS | exists | interface
                    }
                    None => 0,
                },
                Ok(_) => EXISTS,
                Err(_) => 0,
            };
        if let Some(place) = place {
            place.store(found, Ordering::Relaxed);
        }
        found
    }

    /// Whether a type, by its index, exists with all its superclasses and interfaces.
    pub(super) fn exists(&self, kind: u32) -> bool {
        self.ask(kind) & EXISTS != 0
    }

    /// Whether a type, by its index, is an interface; none if there is no such class.
    pub(super) fn is_interface(&self, kind: u32) -> Option<bool> {
        let known = self.ask(kind);
        (known & IS_CLASS != 0).then_some(known & IS_INTERFACE != 0)
    }
}
