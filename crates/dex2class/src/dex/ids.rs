//! Strings, types, members and the other things that code names by their index.

use super::bytes::{u16_at, u32_at};
use super::value::Value;
use super::{Dex, DexError, Result};
use std::ffi::CStr;

const CUT_OFF: DexError = DexError("a string is cut off");
const TOO_LONG: DexError = DexError("a name is too long");
/// What an entry of a class file's pool has room for.
const LONGEST_NAME: usize = 0xffff;

/// Parameters that a method of a class file may have.
const MOST_PARAMETERS: usize = 255;
/// Values of a call site, at most: the bootstrap method, name, type, and no more arguments than a method may have.
const MOST_SITE_VALUES: u32 = 300;

/// A list of types has at most so many: a class file has room for no more interfaces, and fewer parameters.
const MOST_TYPES: u32 = 0xffff;

/// A field that code names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldId<'a> {
    /// Descriptor of its class.
    pub owner: &'a [u8],
    /// Descriptor of its type.
    pub kind: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
}

/// A method that code names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodId<'a> {
    /// Descriptor of its class, which may be an array.
    pub owner: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
    /// Index of its prototype.
    pub proto: u32,
}

/// What a method takes and returns.
#[derive(Clone, Copy, Debug)]
pub struct Proto<'a> {
    /// Descriptor of its result; `V` for none.
    pub result: &'a [u8],
    /// Its parameters.
    pub parameters: TypeList<'a>,
}

impl Proto<'_> {
    /// Appends the descriptor, such as `(I)V`.
    ///
    /// # Errors
    /// If a parameter is no type, or a class file has no room for so many parameters (255) or bytes (65,535).
    pub fn descriptor(&self, out: &mut Vec<u8>) -> Result<()> {
        if self.parameters.len() > MOST_PARAMETERS {
            return Err(DexError("a method has too many parameters"));
        }
        let before = out.len();
        out.push(b'(');
        for kind in self.parameters.iter() {
            out.extend_from_slice(kind?);
            if out.len() - before > LONGEST_NAME {
                return Err(TOO_LONG);
            }
        }
        out.push(b')');
        out.extend_from_slice(self.result);
        Ok(())
    }
}

/// The name that class files give to a class or array: `java/lang/String`, `[I`.
pub fn internal_name(descriptor: &[u8]) -> &[u8] {
    match descriptor {
        [b'L', name @ .., b';'] => name,
        other => other,
    }
}

/// A list of types.
#[derive(Clone, Copy, Debug)]
pub struct TypeList<'a> {
    dex: Dex<'a>,
    /// Two bytes for each.
    indices: &'a [u8],
}

impl<'a> TypeList<'a> {
    /// How many types it has.
    pub fn len(&self) -> usize {
        self.indices.len() / 2
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The index of a type of the list.
    pub fn index(&self, ix: usize) -> Option<u32> {
        u16_at(self.indices, ix.checked_mul(2)?).map(u32::from)
    }

    /// The descriptor of a type of the list.
    ///
    /// # Errors
    /// If the list is shorter, or its entry is no type.
    pub fn get(&self, ix: usize) -> Result<&'a [u8]> {
        let ix = self
            .index(ix)
            .ok_or(DexError("a list of types is too short"))?;
        self.dex.type_name(ix)
    }

    /// The descriptors of all.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Result<&'a [u8]>> + use<'a> {
        let list = *self;
        (0..self.len()).map(move |ix| list.get(ix))
    }
}

/// A method handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodHandleItem {
    /// 0 to 3: `put-static`, `get-static`, `put-instance`, `get-instance`; 4 to 8: `invoke-static`, `invoke-instance`,
    /// `invoke-constructor`, `invoke-direct`, `invoke-interface`.
    pub kind: u16,
    /// Index of the field, of kinds 0 to 3, or of the method.
    pub member: u32,
}

impl<'a> Dex<'a> {
    /// How many strings it has.
    pub fn string_count(&self) -> u32 {
        self.strings.count
    }

    /// How many types it names.
    pub fn type_count(&self) -> u32 {
        self.types.count
    }

    /// How many fields it names.
    pub fn field_count(&self) -> u32 {
        self.fields.count
    }

    /// How many methods it names.
    pub fn method_count(&self) -> u32 {
        self.methods.count
    }

    /// Whether another part of the container has the same strings: D8 writes one table for all parts.
    pub fn shares_strings(&self, other: &Self) -> bool {
        (self.strings.at, self.strings.count) == (other.strings.at, other.strings.count)
            && std::ptr::eq(self.data, other.data)
    }

    /// A string in modified UTF-8, without the zero at its end.
    ///
    /// # Errors
    /// If there is no such string, or it lies outside the file.
    pub fn string(&self, ix: u32) -> Result<&'a [u8]> {
        self.string_up_to(ix, usize::MAX)
    }

    /// A string that class files have room for, as names of members must be.
    ///
    /// # Errors
    /// If there is no such string, it lies outside the file, or it has more than 65,535 bytes.
    pub fn name(&self, ix: u32) -> Result<&'a [u8]> {
        self.string_up_to(ix, LONGEST_NAME)
    }

    /// A string of at most so many bytes. No more than three times as many are read: strings may overlap, so that
    /// together they are longer than the file.
    ///
    /// # Errors
    /// If there is no such string, it lies outside the file, or it is longer.
    pub fn string_up_to(&self, ix: u32, most: usize) -> Result<&'a [u8]> {
        let offset = self
            .entry(self.strings, ix)
            .ok_or(DexError("there is no such string"))?;
        let mut at = self.cursor(u32::from_le_bytes(*offset));
        let units = usize::try_from(at.uleb()?).unwrap_or(usize::MAX);
        if units > most {
            return Err(TOO_LONG);
        }
        // Each UTF-16 unit takes one to three bytes, almost always one; none has a zero in it.
        let rest = at.rest();
        let end = match rest.get(units).ok_or(CUT_OFF)? {
            0 => units,
            _ => {
                let longest = rest.len().min(units.saturating_mul(3).saturating_add(1));
                units + zero(&rest[units..longest]).ok_or(CUT_OFF)?
            }
        };
        if end > most {
            Err(TOO_LONG)
        } else {
            Ok(&rest[..end])
        }
    }

    /// A type's descriptor, such as `Lfoo/Bar;`.
    ///
    /// # Errors
    /// If there is no such type, or its name is no descriptor.
    pub fn type_name(&self, ix: u32) -> Result<&'a [u8]> {
        let string = self
            .entry(self.types, ix)
            .ok_or(DexError("there is no such type"))?;
        let name = self.name(u32::from_le_bytes(*string))?;
        if is_descriptor(name) {
            Ok(name)
        } else {
            Err(DexError("the name of a type is no descriptor"))
        }
    }

    /// A field.
    ///
    /// # Errors
    /// If there is no such field, or a part of it is wrong.
    pub fn field(&self, ix: u32) -> Result<FieldId<'a>> {
        let entry: &[u8; 8] = self
            .entry(self.fields, ix)
            .ok_or(DexError("there is no such field"))?;
        let [owner, kind, name] = member(entry);
        Ok(FieldId {
            owner: self.type_name(owner)?,
            kind: self.type_name(kind)?,
            name: self.name(name)?,
        })
    }

    /// A method.
    ///
    /// # Errors
    /// If there is no such method, or a part of it is wrong.
    pub fn method(&self, ix: u32) -> Result<MethodId<'a>> {
        let entry: &[u8; 8] = self
            .entry(self.methods, ix)
            .ok_or(DexError("there is no such method"))?;
        let [owner, proto, name] = member(entry);
        Ok(MethodId {
            owner: self.type_name(owner)?,
            name: self.name(name)?,
            proto,
        })
    }

    /// The index of the type that a field belongs to.
    ///
    /// # Errors
    /// If there is no such field.
    pub fn field_owner(&self, ix: u32) -> Result<u32> {
        let entry: &[u8; 8] = self
            .entry(self.fields, ix)
            .ok_or(DexError("there is no such field"))?;
        Ok(member(entry)[0])
    }

    /// The index of the type that a method belongs to.
    ///
    /// # Errors
    /// If there is no such method.
    pub fn method_owner(&self, ix: u32) -> Result<u32> {
        let entry: &[u8; 8] = self
            .entry(self.methods, ix)
            .ok_or(DexError("there is no such method"))?;
        Ok(member(entry)[0])
    }

    /// The index of a method's prototype.
    ///
    /// # Errors
    /// If there is no such method.
    pub fn method_proto(&self, ix: u32) -> Result<u32> {
        let entry: &[u8; 8] = self
            .entry(self.methods, ix)
            .ok_or(DexError("there is no such method"))?;
        Ok(member(entry)[1])
    }

    /// The first byte of a type's descriptor, which tells what it is: `L`, `[` or that of a primitive type.
    ///
    /// # Errors
    /// If there is no such type, or it has no name.
    pub fn type_letter(&self, ix: u32) -> Result<u8> {
        let string = self
            .entry(self.types, ix)
            .ok_or(DexError("there is no such type"))?;
        let offset = self
            .entry(self.strings, u32::from_le_bytes(*string))
            .ok_or(DexError("there is no such string"))?;
        let mut at = self.cursor(u32::from_le_bytes(*offset));
        at.uleb()?;
        at.u8()
    }

    /// What a method takes and returns.
    ///
    /// # Errors
    /// If there is no such prototype, or a part of it is wrong. Its parameters are checked when they are read.
    pub fn proto(&self, ix: u32) -> Result<Proto<'a>> {
        let entry: &[u8; 12] = self
            .entry(self.protos, ix)
            .ok_or(DexError("there is no such prototype"))?;
        let number = |at| u32_at(entry, at).unwrap_or_default();
        Ok(Proto {
            result: self.type_name(number(4))?,
            parameters: self.type_list(number(8))?,
        })
    }

    /// A list of types at an offset; an empty one for offset 0.
    pub(super) fn type_list(&self, offset: u32) -> Result<TypeList<'a>> {
        let mut at = self.cursor(offset);
        let indices = match offset {
            0 => &[],
            _ => {
                let count = at.u32()?;
                if count > MOST_TYPES {
                    return Err(DexError("a list of types is too long"));
                }
                let count = usize::try_from(count).ok().and_then(|n| n.checked_mul(2));
                at.take(count.ok_or(DexError("a list of types is too long"))?)?
            }
        };
        Ok(TypeList {
            dex: *self,
            indices,
        })
    }

    /// The values of a call site: the method handle of the bootstrap method, a name, a method type, then the further
    /// arguments of the bootstrap method.
    ///
    /// # Errors
    /// If there is no such call site, or its values are damaged.
    pub fn call_site(&self, ix: u32) -> Result<Vec<Value<'a>>> {
        let offset = self
            .entry(self.call_sites, ix)
            .ok_or(DexError("there is no such call site"))?;
        self.encoded_array_within(u32::from_le_bytes(*offset), MOST_SITE_VALUES)
    }

    /// A method handle.
    ///
    /// # Errors
    /// If there is no such method handle.
    pub fn method_handle(&self, ix: u32) -> Result<MethodHandleItem> {
        let entry: &[u8; 8] = self
            .entry(self.method_handles, ix)
            .ok_or(DexError("there is no such method handle"))?;
        Ok(MethodHandleItem {
            kind: u16::from_le_bytes([entry[0], entry[1]]),
            member: u32::from(u16::from_le_bytes([entry[4], entry[5]])),
        })
    }
}

/// Where the first zero is.
fn zero(bytes: &[u8]) -> Option<usize> {
    let text = CStr::from_bytes_until_nul(bytes).ok()?;
    Some(text.count_bytes())
}

/// Owner, type or prototype, and name: the layout of fields and methods.
fn member(entry: &[u8; 8]) -> [u32; 3] {
    let [a, b, c, d, name @ ..] = *entry;
    let short = |low, high| u32::from(u16::from_le_bytes([low, high]));
    [short(a, b), short(c, d), u32::from_le_bytes(name)]
}

/// Whether a name is one of a type, as far as the translation relies on it: nothing but one type, and no array of more
/// than 255 dimensions or of `void`.
fn is_descriptor(name: &[u8]) -> bool {
    let element = name.iter().position(|&byte| byte != b'[');
    match element.map(|dimensions| (dimensions, &name[dimensions..])) {
        Some((0, b"V")) => true,
        Some((0..=255, [b'Z' | b'B' | b'S' | b'C' | b'I' | b'J' | b'F' | b'D'])) => true,
        Some((0..=255, [b'L', class @ .., b';'])) => {
            // Without an early end the compiler looks at many bytes at a time.
            let wrong = |bad, byte: &u8| bad | matches!(byte, b';' | b'[' | b'.');
            !class.is_empty() && !class.iter().fold(false, wrong)
        }
        _ => false,
    }
}
