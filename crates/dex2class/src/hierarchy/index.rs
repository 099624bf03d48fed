//! The platform's classes from a file that is made once.
//!
//! `src/device/agent/java/droidtest/tool/PlatformIndex.java` writes the file: for each class of Java, Android and the
//! agent that an app can see, what the verifier and the translator ask for. It is mapped into memory and read in place.
//!
//! All numbers are big-endian, and all positions count bytes from the start of the file. A text is its length in two bytes
//! and then modified UTF-8, as in class files; position 0 is none.
//!
//! | position | bytes | content |
//! |---|---|---|
//! | 0 | 4 | `DTPI` |
//! | 4 | 4 | version of the format: 1 |
//! | 8 | 8 | checksum of all that follows, see [`checksum`] |
//! | 16 | 4 | number of slots, a power of two |
//! | 20 | 4 | number of classes |
//! | 24 | 4 | length of the file, a multiple of eight |
//! | 28 | 4 a slot | hash table: position of a class, 0 for a free slot |
//! | | | classes |
//! | | | texts |
//!
//! The place of a class in the table is the [`hash`] of its name, or the next free one. A class is:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | name (text) |
//! | 4 | superclass (text) |
//! | 2 | flags of the class file |
//! | 2 | 1 where the class precedes one of the app with the same name, else 0 |
//! | 2 | number of interfaces |
//! | 2 | number of methods |
//! | 4 an interface | name (text) |
//! | 16 a method | [`hash`] of name and descriptor; name (text); descriptor (text); flags; 0 |
//!
//! Methods are sorted by their hash.

use super::{ClassInfo, Hierarchy, LoadOrder};
use std::fmt;

const MAGIC: u32 = u32::from_be_bytes(*b"DTPI");
const VERSION: u32 = 1;
/// Where what the checksum covers begins.
const CHECKED: usize = 16;
/// Where the hash table begins.
const TABLE: usize = 28;
/// Bytes of a class before its interfaces.
const CLASS_HEAD: usize = 16;
/// Bytes of a method.
const METHOD: usize = 16;

/// Why a file cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexError {
    /// It is none, or of another version.
    Format,
    /// Its content is not as it was written.
    Damaged,
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "not an index of the platform's classes that this version reads",
            Self::Damaged => "the index of the platform's classes is damaged",
        })
    }
}

impl std::error::Error for IndexError {}

/// The platform's classes.
#[derive(Clone, Copy)]
pub struct PlatformIndex<'a> {
    bytes: &'a [u8],
    slots: usize,
    count: usize,
}

impl fmt::Debug for PlatformIndex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlatformIndex({} classes)", self.count)
    }
}

impl<'a> PlatformIndex<'a> {
    /// Reads the head of a file, and compares its checksum.
    ///
    /// # Errors
    /// It is no index of this version, or not as it was written.
    pub fn open(bytes: &'a [u8]) -> Result<Self, IndexError> {
        let number = |at| number(bytes, at).ok_or(IndexError::Format);
        if number(0)? != MAGIC || number(4)? != VERSION {
            return Err(IndexError::Format);
        }
        let expected = bytes.get(8..CHECKED).and_then(|sum| sum.try_into().ok());
        let sum = bytes.get(CHECKED..).map(checksum);
        let whole = index(number(24)?) == Some(bytes.len()) && bytes.len().is_multiple_of(8);
        if !whole || sum != expected.map(u64::from_be_bytes) {
            return Err(IndexError::Damaged);
        }
        let (Some(slots), Some(count)) = (index(number(16)?), index(number(20)?)) else {
            return Err(IndexError::Damaged);
        };
        let end = slots
            .checked_mul(4)
            .and_then(|size| size.checked_add(TABLE));
        if !slots.is_power_of_two() || end.is_none_or(|end| end > bytes.len()) {
            return Err(IndexError::Damaged);
        }
        Ok(Self {
            bytes,
            slots,
            count,
        })
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no classes.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A class by its name (`java/lang/String`).
    pub fn find(&self, name: &[u8]) -> Option<PlatformClass<'a>> {
        let mut slot = index(hash(&[name]))?;
        for _ in 0..self.slots {
            slot &= self.slots - 1;
            let at = index(number(self.bytes, TABLE + 4 * slot)?)?;
            if at == 0 {
                return None;
            }
            let class = PlatformClass {
                bytes: self.bytes,
                at,
            };
            if class.text(0) == Some(name) {
                return Some(class);
            }
            slot += 1;
        }
        None
    }

    /// All classes, in the order of their names.
    pub fn classes(&self) -> impl Iterator<Item = PlatformClass<'a>> + use<'a> {
        let bytes = self.bytes;
        let mut at = TABLE + 4 * self.slots;
        (0..self.count).map_while(move |_| {
            let class = PlatformClass { bytes, at };
            at += class.methods_offset()? + METHOD * usize::from(class.short(14)?);
            (at <= bytes.len()).then_some(class)
        })
    }

    /// Whether the platform's class of this name is taken where the app brings one, too. False for names that the
    /// platform does not have.
    pub fn precedes_app(&self, name: &[u8]) -> bool {
        self.find(name).is_some_and(|class| class.precedes_app())
    }
}

impl Hierarchy for PlatformIndex<'_> {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        Some(self.find(name)?.info())
    }

    fn contains(&self, name: &[u8]) -> bool {
        self.find(name).is_some()
    }

    fn method(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<u16> {
        self.find(class)?.method(name, descriptor)
    }
}

/// The order of the app's class loader on the device: the file says which classes come first.
impl LoadOrder for PlatformIndex<'_> {
    fn system_first(&self, name: &[u8]) -> bool {
        self.precedes_app(name)
    }

    /// Classes that the app cannot see are not in the file.
    fn system_supplies(&self, _: &[u8]) -> bool {
        true
    }
}

/// A class of the platform.
#[derive(Clone, Copy)]
pub struct PlatformClass<'a> {
    bytes: &'a [u8],
    /// Where it stands.
    at: usize,
}

impl fmt::Debug for PlatformClass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlatformClass({})", String::from_utf8_lossy(self.name()))
    }
}

impl<'a> PlatformClass<'a> {
    /// Its name.
    pub fn name(&self) -> &'a [u8] {
        self.text(0).unwrap_or_default()
    }

    /// The superclass; none for `java/lang/Object`.
    pub fn parent(&self) -> Option<&'a [u8]> {
        self.text(4)
    }

    /// Flags of the class file.
    pub fn access(&self) -> u16 {
        self.short(8).unwrap_or_default()
    }

    /// Whether it is taken where the app brings a class of this name, too.
    pub fn precedes_app(&self) -> bool {
        self.short(10) == Some(1)
    }

    /// Interfaces, in order.
    pub fn interfaces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let class = *self;
        let count = usize::from(self.short(12).unwrap_or_default());
        (0..count).filter_map(move |ix| class.text(CLASS_HEAD + 4 * ix))
    }

    /// Methods: name, descriptor and flags.
    pub fn methods(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8], u16)> + use<'a> {
        let class = *self;
        let start = class.methods_offset().unwrap_or_default();
        let count = usize::from(class.short(14).unwrap_or_default());
        (0..count).filter_map(move |ix| {
            let at = start + METHOD * ix;
            Some((
                class.text(at + 4)?,
                class.text(at + 8)?,
                class.short(at + 12)?,
            ))
        })
    }

    /// The flags of a method that this class declares.
    pub fn method(&self, name: &[u8], descriptor: &[u8]) -> Option<u16> {
        let start = self.methods_offset()?;
        let count = usize::from(self.short(14)?);
        let wanted = hash(&[name, descriptor]);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.number(start + METHOD * middle)? < wanted {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        for at in (low..count).map(|ix| start + METHOD * ix) {
            if self.number(at)? != wanted {
                break;
            }
            if self.text(at + 4) == Some(name) && self.text(at + 8) == Some(descriptor) {
                return self.short(at + 12);
            }
        }
        None
    }

    /// What a [`Hierarchy`] tells of it.
    pub fn info(&self) -> ClassInfo<'a> {
        ClassInfo {
            name: self.name(),
            access: self.access(),
            parent: self.parent(),
            interfaces: self.interfaces().collect(),
            own: false,
        }
    }

    /// Where its methods begin, counted from its own place.
    fn methods_offset(&self) -> Option<usize> {
        Some(CLASS_HEAD + 4 * usize::from(self.short(12)?))
    }

    fn number(&self, offset: usize) -> Option<u32> {
        number(self.bytes, self.at.checked_add(offset)?)
    }

    fn short(&self, offset: usize) -> Option<u16> {
        let at = self.at.checked_add(offset)?;
        let bytes = self.bytes.get(at..at.checked_add(2)?)?;
        Some(u16::from_be_bytes(bytes.try_into().ok()?))
    }

    /// The text to which the number at this offset points.
    fn text(&self, offset: usize) -> Option<&'a [u8]> {
        let at = index(self.number(offset)?)?;
        if at == 0 {
            return None;
        }
        let text = self.bytes.get(at..)?;
        let (length, text) = text.split_first_chunk()?;
        text.get(..usize::from(u16::from_be_bytes(*length)))
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

/// A position or count of the file as one of Rust's.
fn index(number: u32) -> Option<usize> {
    usize::try_from(number).ok()
}

/// FNV-1a of 32 bits over these texts, one after the other.
fn hash(texts: &[&[u8]]) -> u32 {
    let bytes = texts.iter().copied().flatten();
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// Of each eight bytes as a number: the sum so far is rotated left by five bits, combined with it by exclusive or, and
/// multiplied by a constant. It shows damage, not intent.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks_exact(8).fold(0_u64, |sum, word| {
        let word = word.try_into().map_or(0, u64::from_be_bytes);
        (sum.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
