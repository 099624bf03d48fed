//! What the tool asks of dex files, which `dex2class` reads: are they whole, which classes do they define, and what does
//! the code of a class refer to?
//!
//! Dex files are untrusted, and their parts may overlap: all work is paid for from a budget in proportion to the file's
//! size, so that no file keeps the reader busy for long. A class or method that cannot be read refers to nothing, as it
//! does nothing on Android; `inspect --kind translation` names it.

use super::error::Problem;
use dex2class::dex::{ClassDef, CodeItem, Dex, DexError, Result, Value, Visibility};
use dex2class::method;

/// The newest version read: that of Android 16.
const NEWEST: u32 = 41;
/// Of this version on, several dex files share one container, and the checksum's extent is another.
const CONTAINER: u32 = 41;
/// Names that are looked for are shorter.
pub(super) const LONGEST: usize = 2048;
/// What each element of a well-formed file costs at most, and what is free: a file of some bytes may be damaged, too.
const BUDGET: (u64, u64) = (4, 1 << 16);

/// Work that may still be done. A well-formed file costs about one unit for every two bytes.
pub(super) struct Budget(u64);

impl Budget {
    /// For files of so many bytes together.
    pub fn for_bytes(bytes: u64) -> Self {
        Self(bytes.saturating_mul(BUDGET.0).saturating_add(BUDGET.1))
    }

    /// # Errors
    /// More is asked for than is left.
    pub fn spend(&mut self, units: usize) -> Result<()> {
        let left = self.0.checked_sub(units as u64);
        self.0 = left.ok_or(DexError("its parts overlap"))?;
        Ok(())
    }
}

pub(super) fn bad(entry: &str, why: DexError) -> Problem {
    Problem::BadDex {
        entry: entry.to_owned(),
        why: why.0,
    }
}

/// The dex file in these bytes, or the parts of a container. Checks what Android checks before it loads one, so that a
/// damaged file is named as such and not found out later.
///
/// # Errors
/// It is damaged, or of a future version.
pub(super) fn open<'a>(entry: &str, bytes: &'a [u8]) -> std::result::Result<Vec<Dex<'a>>, Problem> {
    if let Some(version) = version(bytes).filter(|&version| version > NEWEST) {
        return Err(Problem::FutureDex {
            entry: entry.to_owned(),
            version,
            newest: NEWEST,
        });
    }
    let parts = Dex::open_all(bytes).map_err(|why| bad(entry, why))?;
    for dex in parts.iter().filter(|dex| dex.version() < CONTAINER) {
        // Without the mark and the checksum itself; bytes behind the end are harmless.
        let (head, rest) = dex.bytes().split_at(12);
        if !head.ends_with(&adler32(rest).to_le_bytes()) {
            let why = "its checksum is wrong: the file was damaged or changed";
            return Err(bad(entry, DexError(why)));
        }
    }
    Ok(parts)
}

/// The version that a dex file starts with.
fn version(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"dex\n")?.get(..3)?;
    let whole = bytes.get(7) == Some(&0) && digits.iter().all(u8::is_ascii_digit);
    whole.then(|| digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

/// Adler-32, as zlib has it.
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    // As many bytes as 32 bits hold the sums of.
    const BLOCK: usize = 5552;
    let (mut a, mut b) = (1_u32, 0_u32);
    for block in bytes.chunks(BLOCK) {
        for byte in block {
            a += u32::from(*byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}

/// `La/b/C;` as `a.b.C`.
pub(super) fn dotted(descriptor: &[u8]) -> String {
    let text = String::from_utf8_lossy(descriptor);
    let inner = text.strip_prefix('L').and_then(|t| t.strip_suffix(';'));
    inner.unwrap_or(&text).replace('/', ".")
}

/// Numbers and descriptors of the classes that a dex file defines.
///
/// # Errors
/// More is to be read than the file has.
pub(super) fn classes<'a>(
    dex: &Dex<'a>,
    budget: &mut Budget,
) -> impl Iterator<Item = Result<(u32, &'a [u8])>> {
    (0..dex.class_count()).filter_map(move |number| {
        let name = dex.class_name(number);
        // To look for the end of a name that has none costs as much as a long one.
        let spent = budget.spend(name.map_or(LONGEST, <[u8]>::len));
        spent.map(|()| Some((number, name.ok()?))).transpose()
    })
}

/// The strings of all parts of a file that are short enough to be names, each once.
///
/// # Errors
/// More is to be read than the file has.
pub(super) fn strings<'a>(parts: &[Dex<'a>]) -> impl Iterator<Item = Result<&'a [u8]>> {
    let mut budget = Budget::for_bytes(parts.first().map_or(0, |dex| dex.size() as u64));
    let first = |ix: usize| !parts[..ix].iter().any(|dex| dex.shares_strings(&parts[ix]));
    let tables = (0..parts.len()).filter(move |&ix| first(ix));
    let all = tables.flat_map(|part| (0..parts[part].string_count()).map(move |ix| (part, ix)));
    all.filter_map(move |(part, ix)| {
        let text = parts[part].string_up_to(ix, LONGEST);
        budget.spend(1).map(|()| text.ok()).transpose()
    })
}

/// What the code of a class refers to.
#[derive(Default, Debug)]
pub(super) struct References {
    /// Types given as values (`X.class`), by type index.
    pub constants: Vec<u32>,
    /// Types otherwise used: created, called, read, extended.
    pub types: Vec<u32>,
    /// Strings given as values, by string index.
    pub strings: Vec<u32>,
}

/// Everything the class of this number refers to.
///
/// # Errors
/// Its list of members, an annotation or a constant is damaged, or more is to be read than the file has.
pub(super) fn references(dex: &Dex<'_>, number: u32, budget: &mut Budget) -> Result<References> {
    let mut found = References::default();
    let Ok(class) = dex.class_def(number) else {
        return Ok(found);
    };
    found.types.extend(class.parent_ix);
    found.annotations(dex, &class, budget)?;
    for value in dex.encoded_array(class.static_values_off)? {
        found.value(&value, budget)?;
    }
    let data = dex.class_data(&class)?;
    budget.spend(data.member_count() as usize)?;
    for method in data.methods().filter(|method| method.code_off != 0) {
        if let Ok(code) = dex.code(method.code_off) {
            budget.spend(code.insns.len())?;
            found.code(dex, &code);
        }
    }
    for list in [&mut found.constants, &mut found.types, &mut found.strings] {
        list.sort_unstable();
        list.dedup();
    }
    Ok(found)
}

impl References {
    /// What the annotations of the class name. Those the compiler writes for reflection (which class is nested in
    /// which) start nothing, except for the default values of an annotation.
    fn annotations(
        &mut self,
        dex: &Dex<'_>,
        class: &ClassDef<'_>,
        budget: &mut Budget,
    ) -> Result<()> {
        let set = dex.annotation_set(dex.annotations(class)?.class_off)?;
        budget.spend(set.len())?;
        let wanted = |visibility, kind| {
            visibility != Visibility::System && !dex.type_is(kind, b"Lkotlin/Metadata;")
                || dex.type_is(kind, b"Ldalvik/annotation/AnnotationDefault;")
        };
        for item in set.select(wanted) {
            self.value(&Value::Annotation(item?.annotation), budget)?;
        }
        Ok(())
    }

    fn value(&mut self, value: &Value<'_>, budget: &mut Budget) -> Result<()> {
        budget.spend(1)?;
        match value {
            Value::String(ix) => self.strings.push(*ix),
            Value::Type(ix) => self.constants.push(*ix),
            Value::Array(values) => {
                return values
                    .iter()
                    .try_for_each(|value| self.value(value, budget));
            }
            Value::Annotation(annotation) => {
                self.types.push(annotation.type_ix);
                let mut values = annotation.elements.iter();
                return values.try_for_each(|(_, value)| self.value(value, budget));
            }
            _ => {}
        }
        Ok(())
    }

    fn code(&mut self, dex: &Dex<'_>, code: &CodeItem<'_>) {
        let units = code.insns;
        for (at, opcode, _) in method::instructions(units) {
            let index = || units.get(at + 1).map(u32::from);
            match opcode {
                0x1a => self.strings.extend(index()),
                0x1b => self.strings.extend(units.word(at + 1)),
                0x1c => self.constants.extend(index()),
                // check-cast, instance-of, new-instance, new-array, filled-new-array
                0x1f | 0x20 | 0x22..=0x25 => self.types.extend(index()),
                0x52..=0x6d => {
                    let owner = index().and_then(|ix| dex.field_owner(ix).ok());
                    self.types.extend(owner);
                }
                0x6e..=0x72 | 0x74..=0x78 | 0xfa | 0xfb => {
                    let owner = index().and_then(|ix| dex.method_owner(ix).ok());
                    self.types.extend(owner);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
#[path = "dex_tests.rs"]
pub(super) mod tests;
