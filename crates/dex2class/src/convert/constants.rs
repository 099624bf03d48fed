//! Initial values of static fields.

use super::Converter;
use crate::class::{Attribute, Entry};
use crate::dex::Value;

/// What becomes of an initial value.
pub(super) enum Constant {
    /// The attribute holds it.
    Attribute(Attribute),
    /// It is what the field has anyway.
    Default,
    /// No attribute can hold it.
    Code,
}

impl Converter<'_, '_> {
    /// The initial value of a field of a type.
    pub(super) fn constant_value(&mut self, kind: &[u8], value: &Value<'_>) -> Constant {
        let entry = match (kind, value) {
            (_, Value::Null) => return Constant::Default,
            (b"J", Value::Long(0)) => return Constant::Default,
            (b"J", Value::Long(value)) => Entry::Long(*value),
            (b"F", Value::Float(value)) if value.to_bits() == 0 => return Constant::Default,
            (b"F", Value::Float(value)) => Entry::Float(value.to_bits()),
            (b"D", Value::Double(value)) if value.to_bits() == 0 => return Constant::Default,
            (b"D", Value::Double(value)) => Entry::Double(value.to_bits()),
            (b"Ljava/lang/String;", Value::String(ix)) => {
                let Ok(text) = self.dex.name(*ix) else {
                    return Constant::Code;
                };
                if self.spend(text.len()).is_err() {
                    return Constant::Code;
                }
                Entry::String(self.pool.utf8(text))
            }
            (b"Z" | b"B" | b"S" | b"C" | b"I", value) => match int(value) {
                Some(0) => return Constant::Default,
                Some(value) => Entry::Int(value),
                None => return Constant::Default,
            },
            ([b'L' | b'[', ..], _) => return Constant::Code,
            // A number of another type than the field's: no compiler writes such.
            _ => return Constant::Default,
        };
        let value = self.constant(entry);
        Constant::Attribute(self.indices("ConstantValue", &[value]))
    }
}

fn int(value: &Value<'_>) -> Option<i32> {
    Some(match value {
        Value::Boolean(value) => i32::from(*value),
        Value::Byte(value) => i32::from(*value),
        Value::Short(value) => i32::from(*value),
        Value::Char(value) => i32::from(*value),
        Value::Int(value) => *value,
        _ => return None,
    })
}
