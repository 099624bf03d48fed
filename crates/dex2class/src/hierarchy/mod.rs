//! Superclasses, interfaces and methods of the classes that translated code can see.

use crate::class::access;
use std::collections::HashSet;

mod class_file;
pub mod dex;
pub mod index;
pub mod jars;
pub mod layered;

pub use dex::DexHierarchy;
pub use index::PlatformIndex;
pub use jars::Jars;
pub use layered::{Layered, LoadOrder, ParentFirst};

const OBJECT: &[u8] = b"java/lang/Object";
/// Chains of superclasses are shorter; a longer one is a circle.
const LONGEST_CHAIN: usize = 1_000;
/// Superclasses and interfaces of one class that are looked at.
const MOST_ABOVE: usize = 2_000;

/// What is known of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassInfo<'a> {
    /// Its name (`java/lang/String`).
    pub name: &'a [u8],
    /// Flags, see [`access`].
    pub access: u16,
    /// The superclass.
    pub parent: Option<&'a [u8]>,
    /// Interfaces, in order.
    pub interfaces: Vec<&'a [u8]>,
    /// Whether it is one of the classes that are translated, and not the platform's.
    pub own: bool,
}

impl ClassInfo<'_> {
    /// Whether this is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }
}

/// The classes that translated code can see, in the order in which its class loader finds them.
pub trait Hierarchy: Sync {
    /// A class by its name; none where nothing of this name can be loaded.
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>>;

    /// Whether there is a class of this name; faster than to read it.
    fn contains(&self, name: &[u8]) -> bool {
        self.class(name).is_some()
    }

    /// The flags of a method that exactly this class declares.
    fn method(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<u16>;

    /// Whether a class exists with all its superclasses and interfaces, so that it can be loaded.
    fn loads(&self, name: &[u8]) -> bool {
        let Some(info) = self.class(name) else {
            return false;
        };
        let mut seen = HashSet::from([info.name]);
        let mut open = vec![info];
        let mut left = MOST_ABOVE;
        while let Some(info) = open.pop() {
            // What the platform has is complete.
            if !info.own {
                continue;
            }
            for name in info.parent.into_iter().chain(info.interfaces) {
                left = match left.checked_sub(1) {
                    Some(left) => left,
                    None => return true,
                };
                if !seen.insert(name) {
                    continue;
                }
                match self.class(name) {
                    Some(info) => open.push(info),
                    None => return false,
                }
            }
        }
        true
    }

    /// The first class from `class` upwards that declares a method; interfaces are not looked at.
    fn declaring(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<ClassInfo<'_>> {
        let mut at = self.class(class);
        for _ in 0..LONGEST_CHAIN {
            let info = at?;
            if self.method(info.name, name, descriptor).is_some() {
                return Some(info);
            }
            at = self.class(info.parent?);
        }
        None
    }

    /// Whether a value of class `name` can be used where one of `target` is expected; both are classes, not arrays.
    fn is_subclass(&self, name: &[u8], target: &[u8]) -> bool {
        if name == target || target == OBJECT {
            return true;
        }
        let mut at = self.class(name);
        for _ in 0..LONGEST_CHAIN {
            let Some(info) = at else { break };
            if info.name == target {
                return true;
            }
            at = info.parent.and_then(|parent| self.class(parent));
        }
        self.all_interfaces(name).contains(&target)
    }

    /// All interfaces of a class, those of its superclasses and superinterfaces too, nearest first.
    fn all_interfaces(&self, name: &[u8]) -> Vec<&[u8]> {
        let mut all: Vec<&[u8]> = Vec::new();
        let mut seen = HashSet::new();
        let mut left = MOST_ABOVE;
        let mut at = self.class(name);
        for _ in 0..LONGEST_CHAIN {
            let Some(info) = at else { break };
            let mut open: Vec<&[u8]> = info.interfaces.iter().rev().copied().collect();
            while let Some(each) = open.pop() {
                left = match left.checked_sub(1) {
                    Some(left) => left,
                    None => return all,
                };
                if !seen.insert(each) {
                    continue;
                }
                all.push(each);
                if let Some(next) = self.class(each) {
                    open.extend(next.interfaces.iter().rev());
                }
            }
            at = info.parent.and_then(|parent| self.class(parent));
        }
        all
    }

    /// The nearest class that both extend, as the JVM's verifier merges types: an interface counts as `Object`, and so
    /// does what is not known.
    fn common_superclass<'s>(&'s self, one: &[u8], other: &[u8]) -> &'s [u8] {
        let (Some(first), Some(second)) = (self.class(one), self.class(other)) else {
            return OBJECT;
        };
        if first.name == second.name {
            return first.name;
        }
        if first.is_interface() || second.is_interface() {
            return OBJECT;
        }
        let chain = |from: ClassInfo<'s>| {
            let mut all = vec![from.name];
            let mut parent = from.parent;
            while let Some(info) = parent.and_then(|name| self.class(name)) {
                if all.len() > LONGEST_CHAIN {
                    break;
                }
                all.push(info.name);
                parent = info.parent;
            }
            all
        };
        let above: HashSet<&[u8]> = chain(first).into_iter().collect();
        let found = chain(second).into_iter().find(|name| above.contains(*name));
        found.unwrap_or(OBJECT)
    }
}
