//! Dex files: which classes they define, and what the code of a class refers to.
//!
//! Dex files are untrusted, and their parts may overlap: all work is paid for from a budget in proportion to the
//! file's size, so that no file keeps the reader busy for long.

use super::bytes::Bytes;
use super::dex_code::{Use, uses};
use super::dex_values;

const NO_INDEX: u32 = u32::MAX;
/// Size of a class definition in the file.
const CLASS_DEF: usize = 32;

/// Names are shorter.
const LONGEST: usize = 2048;

/// An open dex file.
pub(super) struct Dex<'a> {
    pub(super) bytes: Bytes<'a>,
    strings: Table,
    types: Table,
    prototypes: Table,
    pub(super) fields: Table,
    pub(super) methods: Table,
    classes: Table,
}

/// A table of the header: how many, and where.
#[derive(Clone, Copy)]
pub(super) struct Table {
    size: usize,
    at: usize,
}

/// Work that may still be done. A well-formed file costs about one unit for every two bytes.
pub(super) struct Budget(u64);

impl Budget {
    /// For files of so many bytes together.
    pub fn for_bytes(bytes: u64) -> Self {
        Self(bytes.saturating_mul(4).saturating_add(1 << 16))
    }

    pub fn spend(&mut self, units: usize) -> Result<(), &'static str> {
        match self.0.checked_sub(units as u64) {
            Some(left) => self.0 = left,
            None => return Err("its parts overlap"),
        }
        Ok(())
    }
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

impl<'a> Dex<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, &'static str> {
        let bytes = Bytes(bytes);
        if !bytes.0.starts_with(b"dex\n") {
            return Err("it is not a dex file");
        }
        let table = |at: usize, entry: usize| {
            let table = Table {
                size: bytes.size(at)?,
                at: bytes.size(at + 4)?,
            };
            // All of it must be there.
            bytes.part(table.at, table.size.checked_mul(entry)?)?;
            Some(table)
        };
        let open = || {
            Some(Self {
                bytes,
                strings: table(56, 4)?,
                types: table(64, 4)?,
                prototypes: table(72, 12)?,
                fields: table(80, 8)?,
                methods: table(88, 8)?,
                classes: table(96, CLASS_DEF)?,
            })
        };
        open().ok_or("its header points outside the file")
    }

    /// How many types it names.
    pub fn type_count(&self) -> u32 {
        u32::try_from(self.types.size).unwrap_or(u32::MAX)
    }

    /// Numbers of its class definitions with the index of the type each defines.
    pub fn definitions(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..self.classes.size).filter_map(|ix| Some((ix, self.class_def(ix, 0)?)))
    }

    /// The bytes of a string (Java's modified UTF-8, which for class names and actions is plain UTF-8); `None` for
    /// one too long to be a name.
    pub fn string(&self, ix: u32) -> Option<&'a [u8]> {
        self.string_within(ix, LONGEST)
    }

    /// The bytes of a string of any length.
    pub fn text(&self, ix: u32) -> Option<&'a [u8]> {
        self.string_within(ix, self.bytes.len())
    }

    fn string_within(&self, ix: u32, longest: usize) -> Option<&'a [u8]> {
        let at = self.bytes.size(entry(self.strings, ix, 4)?)?;
        let (_, at) = uleb(self.bytes, at)?;
        let text = self.bytes.from(at)?.0;
        let end = text.iter().take(longest).position(|&b| b == 0)?;
        Some(&text[..end])
    }

    /// A type's descriptor, such as `La/b/C;`.
    pub fn type_name(&self, ix: u32) -> Option<&'a [u8]> {
        self.string(self.bytes.u32(entry(self.types, ix, 4)?)?)
    }

    /// All its strings that are short enough to be names.
    pub fn strings(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..u32::try_from(self.strings.size).unwrap_or(u32::MAX)).filter_map(|ix| self.string(ix))
    }

    /// The methods that it defines or calls: the owner's descriptor, and the name.
    pub fn methods(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        (0..u32::try_from(self.methods.size).unwrap_or(u32::MAX)).filter_map(|ix| {
            let owner = self.type_name(self.owner(self.methods, ix)?)?;
            Some((owner, self.member(self.methods, ix)?))
        })
    }

    /// A field of a class definition, by its offset.
    pub fn class_def(&self, number: usize, field: usize) -> Option<u32> {
        self.bytes.u32(self.classes.at + number * CLASS_DEF + field)
    }

    /// Everything the class of this definition refers to.
    pub fn references(
        &self,
        definition: usize,
        budget: &mut Budget,
    ) -> Result<References, &'static str> {
        let mut found = References::default();
        let field = |at| self.class_def(definition, at).ok_or("a class is cut off");
        let superclass = field(8)?;
        if superclass != NO_INDEX {
            found.types.push(superclass);
        }
        let values = field(28)? as usize;
        let annotations = field(20)? as usize;
        if annotations != 0 {
            self.annotations(annotations, &mut found, budget)?;
        }
        if values != 0 {
            dex_values::array(self.bytes, values, &mut found, budget)?;
        }
        for (_, code) in self.methods_of(definition, budget)? {
            if code != 0 {
                self.code(code, &mut found, budget)?;
            }
        }
        for list in [&mut found.constants, &mut found.types, &mut found.strings] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(found)
    }

    /// The methods that the class of this definition declares, in the file's order: the index of each, and where its
    /// code item is; 0 if it has no code.
    pub fn methods_of(
        &self,
        definition: usize,
        budget: &mut Budget,
    ) -> Result<Vec<(u32, usize)>, &'static str> {
        let cut = "a class is cut off";
        let mut methods = Vec::new();
        let data = self.class_def(definition, 24).ok_or(cut)? as usize;
        if data == 0 {
            return Ok(methods);
        }
        let mut at = data;
        let mut next = || {
            let (value, after) = uleb(self.bytes, at).ok_or(cut)?;
            at = after;
            Ok::<_, &'static str>(value)
        };
        let sizes = [next()?, next()?, next()?, next()?];
        for _ in 0..sizes[0].saturating_add(sizes[1]) {
            budget.spend(1)?;
            next()?;
            next()?;
        }
        for size in [sizes[2], sizes[3]] {
            // Each list counts its methods' indices from its own start.
            let mut method: u32 = 0;
            for _ in 0..size {
                budget.spend(1)?;
                method = method.saturating_add(next()?);
                next()?;
                methods.push((method, next()? as usize));
            }
        }
        Ok(methods)
    }

    /// The instructions of the code item at this byte.
    pub fn instructions(&self, at: usize, budget: &mut Budget) -> Result<Bytes<'a>, &'static str> {
        let part = || {
            let units = self.bytes.from(at)?.size(12)?;
            self.bytes.part(at.checked_add(16)?, units.checked_mul(2)?)
        };
        let code = part().ok_or("a method is cut off")?;
        budget.spend(code.len() / 2)?;
        Ok(code)
    }

    fn code(
        &self,
        at: usize,
        found: &mut References,
        budget: &mut Budget,
    ) -> Result<(), &'static str> {
        for used in uses(self.instructions(at, budget)?) {
            match used {
                Use::Constant(ix) => found.constants.push(ix),
                Use::Type(ix) => found.types.push(ix),
                Use::String(ix) => found.strings.push(ix),
                Use::Field(ix) => found.types.extend(self.owner(self.fields, ix)),
                Use::Method(ix) => found.types.extend(self.owner(self.methods, ix)),
            }
        }
        Ok(())
    }

    /// The name of a field or method.
    pub fn member(&self, table: Table, ix: u32) -> Option<&'a [u8]> {
        let at = entry(table, ix, 8)?.checked_add(4)?;
        self.string(self.bytes.u32(at)?)
    }

    /// The type that a field or method belongs to.
    pub fn owner(&self, table: Table, ix: u32) -> Option<u32> {
        self.bytes.u16(entry(table, ix, 8)?).map(u32::from)
    }

    /// The type of a field.
    pub fn field_type(&self, ix: u32) -> Option<u32> {
        let at = entry(self.fields, ix, 8)?.checked_add(2)?;
        self.bytes.u16(at).map(u32::from)
    }

    /// The types of a method's result and of its arguments.
    pub fn prototype(&self, ix: u32) -> Option<(u32, Vec<u32>)> {
        let at = entry(self.methods, ix, 8)?.checked_add(2)?;
        let at = entry(self.prototypes, u32::from(self.bytes.u16(at)?), 12)?;
        let result = self.bytes.u32(at + 4)?;
        match self.bytes.size(at + 8)? {
            0 => Some((result, Vec::new())),
            list => Some((result, self.type_list(list, 255)?)),
        }
    }

    /// A method's descriptor, such as `(I)V`.
    pub fn descriptor(&self, ix: u32) -> Option<String> {
        let (result, arguments) = self.prototype(ix)?;
        let name = |ix| Some(String::from_utf8_lossy(self.type_name(ix)?).into_owned());
        let arguments: String = arguments.into_iter().map(name).collect::<Option<_>>()?;
        Some(format!("({arguments}){}", name(result)?))
    }

    /// The name of the source file of the class of this definition, without folders.
    pub fn source_file(&self, definition: usize) -> Option<&'a [u8]> {
        self.string(self.class_def(definition, 16)?)
    }

    /// Superclass and interfaces of the class of this definition.
    pub fn supertypes(
        &self,
        definition: usize,
        budget: &mut Budget,
    ) -> Result<Vec<&'a [u8]>, &'static str> {
        let cut = "a class is cut off";
        let field = |at| self.class_def(definition, at).ok_or(cut);
        let mut types = vec![field(8)?];
        let interfaces = field(12)? as usize;
        if interfaces != 0 {
            types.extend(self.type_list(interfaces, u16::MAX.into()).ok_or(cut)?);
        }
        budget.spend(types.len())?;
        Ok(types
            .into_iter()
            .filter_map(|ix| self.type_name(ix))
            .collect())
    }

    /// A list of types; `None` for more than `most`.
    fn type_list(&self, at: usize, most: usize) -> Option<Vec<u32>> {
        let count = self.bytes.size(at).filter(|&count| count <= most)?;
        let types = self.bytes.part(at.checked_add(4)?, count * 2)?;
        Some(
            (0..count)
                .filter_map(|ix| types.u16(2 * ix))
                .map(u32::from)
                .collect(),
        )
    }

    /// What the annotations of the class name. Those the compiler writes for reflection (which class is nested in
    /// which) start nothing, except for the default values of an annotation.
    fn annotations(
        &self,
        directory: usize,
        found: &mut References,
        budget: &mut Budget,
    ) -> Result<(), &'static str> {
        const SYSTEM: u8 = 2;
        let cut = "an annotation is cut off";
        let set = self.bytes.size(directory).ok_or(cut)?;
        if set == 0 {
            return Ok(());
        }
        let count = self.bytes.size(set).ok_or(cut)?;
        for ix in 0..count {
            budget.spend(1)?;
            let at = set
                .checked_add(4 * (ix + 1))
                .and_then(|at| self.bytes.size(at))
                .ok_or(cut)?;
            let visibility = self.bytes.u8(at).ok_or(cut)?;
            let (kind, _) = uleb(self.bytes, at + 1).ok_or(cut)?;
            let kind = self.type_name(kind).unwrap_or_default();
            if visibility != SYSTEM && kind != b"Lkotlin/Metadata;"
                || kind == b"Ldalvik/annotation/AnnotationDefault;"
            {
                dex_values::annotation(self.bytes, at + 1, found, budget)?;
            }
        }
        Ok(())
    }
}

fn entry(table: Table, ix: u32, size: usize) -> Option<usize> {
    let ix = usize::try_from(ix).ok().filter(|&ix| ix < table.size)?;
    Some(table.at + ix * size)
}

/// A number of variable length, and where it ends.
pub(super) fn uleb(bytes: Bytes<'_>, at: usize) -> Option<(u32, usize)> {
    let mut value = 0;
    for (ix, shift) in (0..35).step_by(7).enumerate() {
        let byte = bytes.u8(at.checked_add(ix)?)?;
        value |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some((value, at + ix + 1));
        }
    }
    None
}

#[cfg(test)]
#[path = "dex_tests.rs"]
pub(super) mod tests;
