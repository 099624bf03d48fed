//! Comparisons that read no more than they must: the search for a method in a class looks at all of its methods.

use super::Dex;
use super::bytes::{u16_at, u32_at};

impl Dex<'_> {
    /// Whether a string is this one; `false` for one that cannot be read.
    pub fn string_is(&self, ix: u32, text: &[u8]) -> bool {
        let Some(offset) = self.entry::<4>(self.strings, ix) else {
            return false;
        };
        let mut at = self.cursor(u32::from_le_bytes(*offset));
        if at.uleb().is_err() {
            return false;
        }
        let rest = at.rest();
        rest.get(text.len()) == Some(&0) && rest.starts_with(text)
    }

    /// Whether the descriptor of a type is this one; `false` for one that cannot be read.
    pub fn type_is(&self, ix: u32, descriptor: &[u8]) -> bool {
        let string = self.entry::<4>(self.types, ix);
        string.is_some_and(|ix| self.string_is(u32::from_le_bytes(*ix), descriptor))
    }

    /// Whether a method has this name and descriptor; `false` for one that cannot be read.
    pub fn method_is(&self, ix: u32, name: &[u8], descriptor: &[u8]) -> bool {
        let Some(entry) = self.entry::<8>(self.methods, ix) else {
            return false;
        };
        let proto = u16_at(entry, 2).map_or(u32::MAX, u32::from);
        self.string_is(u32_at(entry, 4).unwrap_or(u32::MAX), name)
            && self.proto_is(proto, descriptor)
    }

    fn proto_is(&self, ix: u32, descriptor: &[u8]) -> bool {
        let Ok(proto) = self.proto(ix) else {
            return false;
        };
        let Some(mut rest) = descriptor.strip_prefix(b"(") else {
            return false;
        };
        for kind in proto.parameters.iter() {
            match kind.ok().and_then(|kind| rest.strip_prefix(kind)) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        rest.strip_prefix(b")") == Some(proto.result)
    }
}
