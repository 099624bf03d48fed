//! The normal form of a method's code: what stays equal when only registers, tables, lines, resource ids or the choice
//! between equal instructions differ.
//!
//! Instructions: <https://source.android.com/docs/core/runtime/dalvik-bytecode>.

use super::super::bytes::Bytes;
use super::super::dex::{Budget, Dex, uleb};
use super::super::dex_code::units;
use super::super::resources::Resources;
use super::spelling::Spelling;
use crate::util::hash;

/// The lowest and highest id of an app's own resources.
const RESOURCES: std::ops::RangeInclusive<u32> = 0x7f00_0000..=0x7fff_ffff;

/// Reads the code of one dex file.
pub(super) struct Reader<'a, 'b> {
    pub dex: &'b Dex<'a>,
    pub spelling: &'b Spelling<'a, 'b>,
    pub resources: &'b Resources<'a>,
}

/// The normal form under construction, as bytes.
struct Form(Vec<u8>);

impl Form {
    fn token(&mut self, kind: u8, text: &[u8]) {
        self.0.push(kind);
        self.0.extend((text.len() as u64).to_le_bytes());
        self.0.extend(text);
    }

    fn number(&mut self, kind: u8, number: i64) {
        self.token(kind, &number.to_le_bytes());
    }
}

impl Reader<'_, '_> {
    /// A digest of the code item at this byte: its instructions with the constants, the original names of the strings,
    /// types, fields and methods used, the branches and the handlers of exceptions.
    ///
    /// # Errors
    /// The item does not lie in the file.
    pub fn digest(&self, item: usize, budget: &mut Budget) -> Result<u64, &'static str> {
        let code = self.dex.instructions(item, budget)?;
        let mut kept = Vec::new();
        let mut pc = 0;
        while let Some(first) = code.u16(pc * 2) {
            let [opcode, high] = first.to_le_bytes();
            // Register moves, `nop` and the tables between instructions; `move-exception` depends on the compiler.
            if !matches!(opcode, 0x00..=0x09 | 0x0d) {
                kept.push(pc);
            }
            let Some(length) = units(code, pc * 2, opcode, high) else {
                break;
            };
            pc = pc.saturating_add(length);
        }
        let mut form = Form(Vec::new());
        for &pc in &kept {
            // An instruction that is cut off ends the method.
            if self.instruction(code, pc, &kept, &mut form).is_none() {
                break;
            }
        }
        let tries = self.dex.bytes.from(item).and_then(|head| head.u16(6));
        let tries = usize::from(tries.ok_or("a method is cut off")?);
        self.handlers(item + 16 + code.len(), tries, &kept, &mut form, budget)?;
        budget.spend(form.0.len() / 8)?;
        Ok(hash::of_bytes(&form.0))
    }

    fn instruction(
        &self,
        code: Bytes<'_>,
        pc: usize,
        kept: &[usize],
        form: &mut Form,
    ) -> Option<()> {
        let at = pc * 2;
        let [opcode, high] = code.u16(at)?.to_le_bytes();
        let index = || code.u16(at + 2).map(u32::from);
        let signed = || Some(i64::from(code.u16(at + 2)?.cast_signed()));
        let wide = || Some(i64::from(code.u32(at + 2)?.cast_signed()));
        let spelling = self.spelling;
        match opcode {
            0x12 => form.number(0x14, i64::from(high.cast_signed() >> 4)),
            0x13 => form.number(0x14, signed()?),
            0x14 => self.constant(code.u32(at + 2)?, form),
            0x15 => self.constant(u32::from(code.u16(at + 2)?) << 16, form),
            0x16 => form.number(0x18, signed()?),
            0x17 => form.number(0x18, wide()?),
            0x18 => form.token(0x18, code.part(at + 2, 8)?.0),
            0x19 => form.number(0x18, signed()? << 48),
            0x1a => form.token(0x1a, self.dex.text(index()?)?),
            0x1b => form.token(0x1a, self.dex.text(code.u32(at + 2)?)?),
            0x1c | 0x1f | 0x20 | 0x22..=0x25 => {
                let kind = if opcode == 0x25 { 0x24 } else { opcode };
                form.token(kind, spelling.of_type(index()?).as_bytes());
            }
            0x26 => {
                let table = Self::target(code, pc, code.u32(at + 2)?)?;
                let length = units(code, table * 2, 0x00, 0x03)?;
                form.token(opcode, code.part(table * 2, length.checked_mul(2)?)?.0);
            }
            0x28 => Self::branch(0x28, pc, i64::from(high.cast_signed()), kept, form),
            0x29 => Self::branch(0x28, pc, signed()?, kept, form),
            0x2a => Self::branch(0x28, pc, wide()?, kept, form),
            0x2b | 0x2c => self.switch(code, pc, kept, form)?,
            0x32..=0x3d => Self::branch(opcode, pc, signed()?, kept, form),
            0x52..=0x6d => form.token(opcode, spelling.of_field(index()?).as_bytes()),
            0x6e..=0x72 => form.token(opcode, spelling.of_method(index()?).as_bytes()),
            0x74..=0x78 => form.token(opcode - 6, spelling.of_method(index()?).as_bytes()),
            0xfa | 0xfb => form.token(0xfa, spelling.of_method(index()?).as_bytes()),
            // Both operands in registers, the result in the first of them or in a third one.
            0xb0..=0xcf => form.token(opcode - 0x20, &[]),
            0xd0..=0xd7 => form.number(opcode + 8, signed()?),
            0xd8..=0xe2 => form.number(opcode, i64::from(code.u8(at + 3)?.cast_signed())),
            _ => form.token(opcode, &[]),
        }
        Some(())
    }

    /// A number; a resource of the app by its name, as ids shift whenever a resource is added.
    fn constant(&self, value: u32, form: &mut Form) {
        let name = RESOURCES
            .contains(&value)
            .then(|| self.resources.name(value));
        match name.flatten() {
            Some(name) => form.token(0x13, name.as_bytes()),
            None => form.number(0x14, i64::from(value.cast_signed())),
        }
    }

    fn target(code: Bytes<'_>, pc: usize, by: u32) -> Option<usize> {
        let target = pc.checked_add_signed(by.cast_signed().try_into().ok()?)?;
        (target < code.len()).then_some(target)
    }

    /// A jump, by the number of instructions that it passes.
    fn branch(kind: u8, pc: usize, by: i64, kept: &[usize], form: &mut Form) {
        let target = i64::try_from(pc).unwrap_or(i64::MAX).saturating_add(by);
        let before = |pc: &usize| i64::try_from(*pc).unwrap_or(i64::MAX) < target;
        form.number(kind, kept.partition_point(before) as i64);
    }

    fn switch(&self, code: Bytes<'_>, pc: usize, kept: &[usize], form: &mut Form) -> Option<()> {
        let table = Self::target(code, pc, code.u32(pc * 2 + 2)?)? * 2;
        let count = usize::from(code.u16(table + 2)?);
        let sparse = code.u16(table)? == 0x0200;
        let targets = table + if sparse { 4 + count * 4 } else { 8 };
        for ix in 0..count {
            let key = match sparse {
                true => code.u32(table + 4 + ix * 4)?,
                false => code.u32(table + 4)?.wrapping_add(u32::try_from(ix).ok()?),
            };
            self.constant(key, form);
            let by = i64::from(code.u32(targets + ix * 4)?.cast_signed());
            Self::branch(0x2b, pc, by, kept, form);
        }
        Some(())
    }

    /// The `try` blocks: what they enclose, the exceptions caught and where.
    fn handlers(
        &self,
        end: usize,
        tries: usize,
        kept: &[usize],
        form: &mut Form,
        budget: &mut Budget,
    ) -> Result<(), &'static str> {
        let bytes = self.dex.bytes;
        let start = end.next_multiple_of(4);
        let lists = start + tries * 8;
        for ix in 0..tries {
            let block = || {
                let item = bytes.part(start + ix * 8, 8)?;
                Some((item.u32(0)?, item.u16(4)?, item.u16(6)?))
            };
            let (first, length, list) = block().ok_or("a method is cut off")?;
            for pc in [i64::from(first), i64::from(first) + i64::from(length)] {
                Self::branch(0x01, 0, pc, kept, form);
            }
            let mut at = lists + usize::from(list);
            let mut next = || {
                let (value, after) = uleb(bytes, at)?;
                at = after;
                Some(value)
            };
            // The count is signed; with a handler for everything it is not positive.
            let Some(count) = next() else { continue };
            let count = if count & 0x40 == 0 {
                i64::from(count)
            } else {
                i64::from(count) - 0x80
            };
            for _ in 0..count.unsigned_abs() {
                budget.spend(1)?;
                if let (Some(kind), Some(to)) = (next(), next()) {
                    form.token(0x02, self.spelling.of_type(kind).as_bytes());
                    Self::branch(0x02, 0, i64::from(to), kept, form);
                }
            }
            if count <= 0
                && let Some(to) = next()
            {
                Self::branch(0x03, 0, i64::from(to), kept, form);
            }
        }
        Ok(())
    }
}
