//! Dalvik instructions, as far as they name strings, types, fields and methods.

use super::bytes::Bytes;

/// What an instruction names, by its index in the file's tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// A string as a value.
    String(u32),
    /// A type as a value (`X.class`).
    Constant(u32),
    /// A type that is created, cast to or tested for.
    Type(u32),
    /// A field that is read or written.
    Field(u32),
    /// A method that is called.
    Method(u32),
}

/// What the instructions name, in order. An instruction cut off ends the walk.
pub(super) fn uses(code: Bytes<'_>) -> impl Iterator<Item = Use> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let first = code.u16(at)?;
            let [opcode, high] = first.to_le_bytes();
            let here = at;
            at = at.saturating_add(units(code, at, opcode, high)?.saturating_mul(2));
            let index = |wide: bool| {
                if wide {
                    code.u32(here + 2)
                } else {
                    code.u16(here + 2).map(u32::from)
                }
            };
            let used = match opcode {
                0x1a => Use::String(index(false)?),
                0x1b => Use::String(index(true)?),
                0x1c => Use::Constant(index(false)?),
                // check-cast, instance-of, new-instance, new-array, filled-new-array
                0x1f | 0x20 | 0x22..=0x25 => Use::Type(index(false)?),
                0x52..=0x6d => Use::Field(index(false)?),
                0x6e..=0x72 | 0x74..=0x78 | 0xfa | 0xfb => Use::Method(index(false)?),
                _ => continue,
            };
            return Some(used);
        }
    })
}

/// The length of an instruction in units of 16 bits.
pub(super) fn units(code: Bytes<'_>, at: usize, opcode: u8, high: u8) -> Option<usize> {
    Some(match opcode {
        0x00 => match high {
            // Tables of switches and the contents of arrays are between instructions.
            0x01 => usize::from(code.u16(at + 2)?) * 2 + 4,
            0x02 => usize::from(code.u16(at + 2)?) * 4 + 2,
            0x03 => {
                let width = usize::from(code.u16(at + 2)?);
                let bytes = code.size(at + 4)?.checked_mul(width)?;
                bytes.div_ceil(2).checked_add(4)?
            }
            _ => 1,
        },
        0x03 | 0x06 | 0x09 | 0x14 | 0x17 | 0x1b | 0x24..=0x26 | 0x2a..=0x2c => 3,
        0x18 => 5,
        0x02 | 0x05 | 0x08 | 0x13 | 0x15 | 0x16 | 0x19 | 0x1a | 0x1c | 0x1f | 0x20 => 2,
        0x22 | 0x23 | 0x29 | 0x2d..=0x3d | 0x44..=0x6d | 0x90..=0xaf | 0xd0..=0xe2 => 2,
        0x6e..=0x72 | 0x74..=0x78 | 0xfc | 0xfd => 3,
        0xfa | 0xfb => 4,
        0xfe | 0xff => 2,
        _ => 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(units: &[u16]) -> Vec<Use> {
        let bytes: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        uses(Bytes(&bytes)).collect()
    }

    #[test]
    fn strings_types_fields_and_methods_are_named() {
        let code = [
            0x001a, 7, // const-string v0, 7
            0x001b, 1, 2, // const-string/jumbo v0, 0x20001
            0x011c, 8, // const-class v1, 8
            0x0022, 9, // new-instance v0, 9
            0x0060, 10, // sget v0, 10
            0x1070, 11, 0,      // invoke-direct v0, 11
            0x000e, // return-void
        ];
        let expected = [
            Use::String(7),
            Use::String(0x2_0001),
            Use::Constant(8),
            Use::Type(9),
            Use::Field(10),
            Use::Method(11),
        ];
        assert_eq!(of(&code), expected);
    }

    #[test]
    fn tables_between_instructions_are_passed_over() {
        let code = [
            0x0100, 1, 0, 0, 0x001c, 0x001c, // packed-switch of one target
            0x0200, 1, 0x001c, 0x001c, 0x001c, 0x001c, // sparse-switch of one
            0x0300, 1, 3, 0, 0x001c, 0x001c, // three bytes of an array
            0x001c, 5,
        ];
        assert_eq!(of(&code), [Use::Constant(5)]);
        // A table that claims more than there is ends the walk.
        assert_eq!(of(&[0x0300, 0xffff, 0xffff, 0xffff, 0x001c, 5]), []);
    }

    proptest! {
        #[test]
        fn garbage_ends(bytes: Vec<u8>) {
            prop_assert!(uses(Bytes(&bytes)).count() <= bytes.len());
        }
    }
}
