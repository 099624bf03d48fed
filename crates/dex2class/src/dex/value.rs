//! Values of constants and annotations.

use super::bytes::Cursor;
use super::{Dex, DexError, Result};

/// Values within values, at most.
pub(super) const DEEPEST: u32 = 32;
/// Values that are read at once, at most: a class file has no room for longer arrays, and arrays of arrays may not take
/// more memory than a machine has.
const MOST: u32 = 1 << 18;

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// `byte`.
    Byte(i8),
    /// `short`.
    Short(i16),
    /// `char`.
    Char(u16),
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// A method type: index of the prototype.
    MethodType(u32),
    /// Index of the method handle.
    MethodHandle(u32),
    /// Index of the string.
    String(u32),
    /// Index of the type.
    Type(u32),
    /// Index of the field.
    Field(u32),
    /// Index of the method.
    Method(u32),
    /// An enum constant: index of its field.
    Enum(u32),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An annotation.
    Annotation(EncodedAnnotation<'a>),
    /// `null`.
    Null,
    /// `boolean`.
    Boolean(bool),
}

/// An annotation without its visibility.
#[derive(Clone, PartialEq, Debug)]
pub struct EncodedAnnotation<'a> {
    /// Descriptor of its class.
    pub kind: &'a [u8],
    /// Index of its class.
    pub type_ix: u32,
    /// Names and values of its elements.
    pub elements: Vec<(&'a [u8], Value<'a>)>,
}

impl<'a> EncodedAnnotation<'a> {
    /// The value of an element.
    pub fn get(&self, name: &[u8]) -> Option<&Value<'a>> {
        self.elements
            .iter()
            .find(|(each, _)| *each == name)
            .map(|(_, value)| value)
    }
}

/// Reads values one after another.
pub(super) struct Values<'a> {
    dex: Dex<'a>,
    pub(super) at: Cursor<'a>,
    left: u32,
}

impl<'a> Values<'a> {
    /// Reads no more than `left` values.
    pub fn new(dex: Dex<'a>, at: Cursor<'a>, left: u32) -> Self {
        Self { dex, at, left }
    }

    pub fn array(&mut self, depth: u32) -> Result<Vec<Value<'a>>> {
        let count = self.count()?;
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(self.value(depth)?);
        }
        Ok(all)
    }

    pub fn annotation(&mut self, depth: u32) -> Result<EncodedAnnotation<'a>> {
        let type_ix = self.at.uleb()?;
        let kind = self.dex.type_name(type_ix)?;
        let count = self.count()?;
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.dex.name(self.at.uleb()?)?;
            elements.push((name, self.value(depth)?));
        }
        Ok(EncodedAnnotation {
            kind,
            type_ix,
            elements,
        })
    }

    /// The length of an array. Each value has at least one byte.
    fn count(&mut self) -> Result<usize> {
        let count = self.at.uleb()?;
        self.left = self
            .left
            .checked_sub(count)
            .ok_or(DexError("too many values"))?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if count > self.at.left() {
            return Err(DexError("values are cut off"));
        }
        Ok(count)
    }

    fn value(&mut self, depth: u32) -> Result<Value<'a>> {
        let depth = depth
            .checked_sub(1)
            .ok_or(DexError("values are nested too deep"))?;
        let head = self.at.u8()?;
        let (kind, argument) = (head & 0x1f, head >> 5);
        Ok(match kind {
            0x00 => Value::Byte(self.signed::<1>(argument)?.to_le_bytes()[0].cast_signed()),
            0x02 => Value::Short(i16::from_le_bytes(low(self.signed::<2>(argument)?))),
            0x03 => Value::Char(u16::from_le_bytes(low(self
                .unsigned::<2>(argument)?
                .cast_signed()))),
            0x04 => Value::Int(i32::from_le_bytes(low(self.signed::<4>(argument)?))),
            0x06 => Value::Long(self.signed::<8>(argument)?),
            0x10 => Value::Float(f32::from_bits(u32::from_le_bytes(low(self
                .fraction::<4>(argument)?
                .cast_signed()
                >> 32)))),
            0x11 => Value::Double(f64::from_bits(self.fraction::<8>(argument)?)),
            0x15 => Value::MethodType(self.index(argument)?),
            0x16 => Value::MethodHandle(self.index(argument)?),
            0x17 => Value::String(self.index(argument)?),
            0x18 => Value::Type(self.index(argument)?),
            0x19 => Value::Field(self.index(argument)?),
            0x1a => Value::Method(self.index(argument)?),
            0x1b => Value::Enum(self.index(argument)?),
            0x1c => Value::Array(self.array(depth)?),
            0x1d => Value::Annotation(self.annotation(depth)?),
            0x1e => Value::Null,
            0x1f => Value::Boolean(argument != 0),
            _ => return Err(DexError("a value of an unknown kind")),
        })
    }

    /// The bytes of a number, and how many there are: one more than the argument says.
    fn bytes<const MOST: usize>(&mut self, argument: u8) -> Result<([u8; 8], usize)> {
        let length = usize::from(argument) + 1;
        if length > MOST {
            return Err(DexError("a value is too long"));
        }
        let mut all = [0; 8];
        all[..length].copy_from_slice(self.at.take(length)?);
        Ok((all, length))
    }

    fn unsigned<const MOST: usize>(&mut self, argument: u8) -> Result<u64> {
        Ok(u64::from_le_bytes(self.bytes::<MOST>(argument)?.0))
    }

    fn signed<const MOST: usize>(&mut self, argument: u8) -> Result<i64> {
        let (bytes, length) = self.bytes::<MOST>(argument)?;
        let unused = 64 - 8 * length;
        Ok(i64::from_le_bytes(bytes) << unused >> unused)
    }

    /// Fractions lack bytes at their low end. The result has the number in its highest bytes.
    fn fraction<const MOST: usize>(&mut self, argument: u8) -> Result<u64> {
        let (bytes, length) = self.bytes::<MOST>(argument)?;
        Ok(u64::from_le_bytes(bytes) << (64 - 8 * length))
    }

    fn index(&mut self, argument: u8) -> Result<u32> {
        Ok(u32::from_le_bytes(low(self
            .unsigned::<4>(argument)?
            .cast_signed())))
    }
}

/// The low bytes of a number.
fn low<const SIZE: usize>(value: i64) -> [u8; SIZE] {
    let all = value.to_le_bytes();
    std::array::from_fn(|ix| all[ix])
}

impl<'a> Dex<'a> {
    /// An array of values at an offset, such as [`super::ClassDef::static_values_off`].
    ///
    /// # Errors
    /// If it is damaged, nested too deep or too long.
    pub fn encoded_array(&self, off: u32) -> Result<Vec<Value<'a>>> {
        self.encoded_array_within(off, MOST)
    }

    /// The same with at most so many values.
    pub(super) fn encoded_array_within(&self, off: u32, most: u32) -> Result<Vec<Value<'a>>> {
        if off == 0 {
            return Ok(Vec::new());
        }
        Values::new(*self, self.cursor(off), most).array(DEEPEST)
    }

    /// Reads an annotation.
    pub(super) fn encoded_annotation(&self, at: &mut Cursor<'a>) -> Result<EncodedAnnotation<'a>> {
        let mut values = Values::new(*self, *at, MOST);
        let annotation = values.annotation(DEEPEST)?;
        *at = values.at;
        Ok(annotation)
    }
}
