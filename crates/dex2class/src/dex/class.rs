//! Definitions of classes, and their members.

use super::bytes::{Cursor, u32_at};
use super::{Dex, DexError, NO_INDEX, Result, TypeList};

/// A class file has no room for more in each of its lists.
const MOST_MEMBERS: u32 = 0xffff;

/// A class that the file defines.
#[derive(Clone, Copy, Debug)]
pub struct ClassDef<'a> {
    /// Its descriptor.
    pub kind: &'a [u8],
    /// Index of its type.
    pub type_ix: u32,
    /// Flags.
    pub access: u32,
    /// Descriptor of its superclass.
    pub parent: Option<&'a [u8]>,
    /// Index of its superclass.
    pub parent_ix: Option<u32>,
    /// Its interfaces.
    pub interfaces: TypeList<'a>,
    /// Name of its source file.
    pub source: Option<&'a [u8]>,
    /// Where its annotations are; 0 for none.
    pub annotations_off: u32,
    /// Where its members are; 0 for none.
    pub data_off: u32,
    /// Where the initial values of static fields are; 0 for none.
    pub static_values_off: u32,
}

/// A field of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodedField {
    /// Index of the field.
    pub ix: u32,
    /// Flags.
    pub access: u32,
}

/// A method of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodedMethod {
    /// Index of the method.
    pub ix: u32,
    /// Flags.
    pub access: u32,
    /// Where its code is; 0 for none.
    pub code_off: u32,
}

/// The members of a class. Each list can be read on its own.
#[derive(Clone, Copy, Debug)]
pub struct ClassData<'a> {
    statics: EncodedFields<'a>,
    instances: EncodedFields<'a>,
    direct: EncodedMethods<'a>,
    virtuals: EncodedMethods<'a>,
}

impl<'a> ClassData<'a> {
    /// Static fields; the initial values are in this order.
    pub fn static_fields(&self) -> EncodedFields<'a> {
        self.statics
    }

    /// Other fields.
    pub fn instance_fields(&self) -> EncodedFields<'a> {
        self.instances
    }

    /// Static and private methods, and constructors.
    pub fn direct_methods(&self) -> EncodedMethods<'a> {
        self.direct
    }

    /// All methods, in the order of the file.
    pub fn methods(&self) -> impl Iterator<Item = EncodedMethod> + use<'a> {
        self.direct.chain(self.virtuals)
    }

    /// How many fields and methods there are.
    pub fn member_count(&self) -> u32 {
        self.statics.left + self.instances.left + self.direct.left + self.virtuals.left
    }

    /// All other methods.
    pub fn virtual_methods(&self) -> EncodedMethods<'a> {
        self.virtuals
    }
}

/// A list of fields.
#[derive(Clone, Copy, Debug)]
pub struct EncodedFields<'a> {
    at: Cursor<'a>,
    left: u32,
    ix: u32,
    limit: u32,
}

impl EncodedFields<'_> {
    fn read(&mut self) -> Result<EncodedField> {
        self.ix = next_index(self.ix, self.at.uleb()?, self.limit)?;
        Ok(EncodedField {
            ix: self.ix,
            access: self.at.uleb()?,
        })
    }
}

impl Iterator for EncodedFields<'_> {
    type Item = EncodedField;

    fn next(&mut self) -> Option<EncodedField> {
        self.left = self.left.checked_sub(1)?;
        // That it can be read was checked when the list was made.
        self.read().ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, usize::try_from(self.left).ok())
    }
}

/// A list of methods.
#[derive(Clone, Copy, Debug)]
pub struct EncodedMethods<'a> {
    at: Cursor<'a>,
    left: u32,
    ix: u32,
    limit: u32,
}

impl EncodedMethods<'_> {
    fn read(&mut self) -> Result<EncodedMethod> {
        self.ix = next_index(self.ix, self.at.uleb()?, self.limit)?;
        Ok(EncodedMethod {
            ix: self.ix,
            access: self.at.uleb()?,
            code_off: self.at.uleb()?,
        })
    }
}

impl Iterator for EncodedMethods<'_> {
    type Item = EncodedMethod;

    fn next(&mut self) -> Option<EncodedMethod> {
        self.left = self.left.checked_sub(1)?;
        self.read().ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, usize::try_from(self.left).ok())
    }
}

/// Indices are kept as differences.
fn next_index(last: u32, difference: u32, limit: u32) -> Result<u32> {
    let ix = last.checked_add(difference);
    ix.filter(|&ix| ix < limit)
        .ok_or(DexError("a class has a member that is not known"))
}

impl<'a> Dex<'a> {
    /// How many classes it defines.
    pub fn class_count(&self) -> u32 {
        self.classes.count
    }

    /// The descriptor of a class that it defines, by its number; faster than all of the definition.
    ///
    /// # Errors
    /// If there is no such class, or its type is wrong.
    pub fn class_name(&self, n: u32) -> Result<&'a [u8]> {
        let entry: &[u8; 32] = self.entry(self.classes, n).ok_or(NO_CLASS)?;
        self.class_type(u32_at(entry, 0).unwrap_or(NO_INDEX))
    }

    /// A class that it defines, by its number.
    ///
    /// # Errors
    /// If there is no such class, or a part of it is wrong. Its members are checked when they are read.
    pub fn class_def(&self, n: u32) -> Result<ClassDef<'a>> {
        let entry: &[u8; 32] = self.entry(self.classes, n).ok_or(NO_CLASS)?;
        let number = |at| u32_at(entry, at).unwrap_or(NO_INDEX);
        let index = |at| Some(number(at)).filter(|&ix| ix != NO_INDEX);
        Ok(ClassDef {
            kind: self.class_type(number(0))?,
            type_ix: number(0),
            access: number(4),
            parent: index(8).map(|ix| self.class_type(ix)).transpose()?,
            parent_ix: index(8),
            interfaces: self.type_list(number(12))?,
            source: index(16).and_then(|ix| self.name(ix).ok()),
            annotations_off: number(20),
            data_off: number(24),
            static_values_off: number(28),
        })
    }

    /// The descriptor of a type that is a class, not an array or a primitive.
    fn class_type(&self, ix: u32) -> Result<&'a [u8]> {
        let name = self.type_name(ix)?;
        if name.first() == Some(&b'L') {
            Ok(name)
        } else {
            Err(DexError("a class is no class by its type"))
        }
    }

    /// The members of a class.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn class_data(&self, class: &ClassDef<'_>) -> Result<ClassData<'a>> {
        let mut at = self.cursor(class.data_off);
        let mut counts = [0; 4];
        if class.data_off != 0 {
            for count in &mut counts {
                *count = at.uleb()?;
                if *count > MOST_MEMBERS {
                    return Err(DexError("a class has too many members"));
                }
            }
        }
        let mut fields = |left| {
            let list = EncodedFields {
                at,
                left,
                ix: 0,
                limit: self.fields.count,
            };
            let mut all = list;
            for _ in 0..left {
                all.read()?;
            }
            at = all.at;
            Ok(list)
        };
        let (statics, instances) = (fields(counts[0])?, fields(counts[1])?);
        let mut methods = |left| {
            let list = EncodedMethods {
                at,
                left,
                ix: 0,
                limit: self.methods.count,
            };
            let mut all = list;
            for _ in 0..left {
                all.read()?;
            }
            at = all.at;
            Ok(list)
        };
        let (direct, virtuals) = (methods(counts[2])?, methods(counts[3])?);
        Ok(ClassData {
            statics,
            instances,
            direct,
            virtuals,
        })
    }
}

const NO_CLASS: DexError = DexError("there is no such class");
