//! Values that a dex file holds outside of code: first values of static fields, values of annotations.

use super::bytes::Bytes;
use super::dex::{Budget, References, uleb};

const CUT: &str = "a constant is cut off";
const STRING: u8 = 0x17;
const TYPE: u8 = 0x18;
const ARRAY: u8 = 0x1c;
const ANNOTATION: u8 = 0x1d;
const NULL: u8 = 0x1e;
const BOOLEAN: u8 = 0x1f;
/// No compiler nests values deeper.
const DEEPEST: u8 = 16;

/// Notes the strings and types in an array of values.
pub(super) fn array(
    bytes: Bytes<'_>,
    at: usize,
    found: &mut References,
    budget: &mut Budget,
) -> Result<(), &'static str> {
    let mut walk = Walk {
        bytes,
        found,
        budget,
    };
    walk.array(at, 0).map(|_| ())
}

/// Notes the strings and types in the values of an annotation.
pub(super) fn annotation(
    bytes: Bytes<'_>,
    at: usize,
    found: &mut References,
    budget: &mut Budget,
) -> Result<(), &'static str> {
    let mut walk = Walk {
        bytes,
        found,
        budget,
    };
    walk.annotation(at, 0).map(|_| ())
}

struct Walk<'a> {
    bytes: Bytes<'a>,
    found: &'a mut References,
    budget: &'a mut Budget,
}

/// Each part says where it ends.
impl Walk<'_> {
    fn array(&mut self, at: usize, depth: u8) -> Result<usize, &'static str> {
        let (count, mut at) = uleb(self.bytes, at).ok_or(CUT)?;
        for _ in 0..count {
            at = self.value(at, depth)?;
        }
        Ok(at)
    }

    fn annotation(&mut self, at: usize, depth: u8) -> Result<usize, &'static str> {
        let (kind, at) = uleb(self.bytes, at).ok_or(CUT)?;
        self.found.types.push(kind);
        let (count, mut at) = uleb(self.bytes, at).ok_or(CUT)?;
        for _ in 0..count {
            let (_, value) = uleb(self.bytes, at).ok_or(CUT)?;
            at = self.value(value, depth)?;
        }
        Ok(at)
    }

    fn value(&mut self, at: usize, depth: u8) -> Result<usize, &'static str> {
        self.budget.spend(1)?;
        let head = self.bytes.u8(at).ok_or(CUT)?;
        let (kind, argument) = (head & 0x1f, usize::from(head >> 5));
        let length = match kind {
            ARRAY | ANNOTATION if depth >= DEEPEST => return Err("its values nest too deep"),
            ARRAY => return self.array(at + 1, depth + 1),
            ANNOTATION => return self.annotation(at + 1, depth + 1),
            NULL | BOOLEAN => 0,
            _ => argument + 1,
        };
        let bytes = self.bytes.part(at + 1, length).ok_or(CUT)?;
        let number = bytes
            .0
            .iter()
            .rev()
            .fold(0_u64, |n, &b| n << 8 | u64::from(b));
        // An index that no table has is passed over when it is looked up.
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        match kind {
            STRING => self.found.strings.push(number),
            TYPE => self.found.constants.push(number),
            _ => {}
        }
        Ok(at + 1 + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn walk(bytes: &[u8]) -> Result<References, &'static str> {
        let mut found = References::default();
        array(Bytes(bytes), 0, &mut found, &mut Budget::for_bytes(0))?;
        Ok(found)
    }

    #[test]
    fn strings_and_types_are_noted_at_any_depth() {
        let values = [
            5, // five values
            0x1e, 0x3f, // null, true
            0x24, 1, 2, // an int of two bytes
            0x37, 4, 1, // string 0x104
            0x1c, 2, 0x18, 7, // an array: type 7 and ...
            0x1d, 9, 1, 3, 0x18, 8, // an annotation whose one value is type 8
        ];
        let found = walk(&values).unwrap();
        assert_eq!(found.strings, [0x104]);
        assert_eq!(found.constants, [7, 8]);
        assert_eq!(found.types, [9]);
    }

    #[test]
    fn arrays_within_arrays_without_end_are_refused() {
        let nested: Vec<u8> = [1].into_iter().chain([0x1c, 1].repeat(1000)).collect();
        assert_eq!(walk(&nested).unwrap_err(), "its values nest too deep");
        assert_eq!(walk(&[1, 0x37, 4]).unwrap_err(), CUT);
    }

    proptest! {
        #[test]
        fn garbage_never_panics(bytes: Vec<u8>) {
            let _ = walk(&bytes);
        }
    }
}
