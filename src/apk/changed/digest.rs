//! The normal form of a method's code: what stays equal when only registers, tables, lines, resource ids or the choice
//! between equal instructions differ.
//!
//! Instructions: <https://source.android.com/docs/core/runtime/dalvik-bytecode>.

use super::super::dex::Budget;
use super::super::resources::Resources;
use super::spelling::Spelling;
use crate::util::hash;
use dex2class::dex::{CodeItem, Dex, Result, Tries, Units};
use dex2class::method;

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
    /// A digest of a method's code: its instructions with the constants, the original names of the strings, types, fields
    /// and methods used, the branches and the handlers of exceptions.
    ///
    /// # Errors
    /// More is to be read than the file has.
    pub fn digest(&self, code: &CodeItem<'_>, budget: &mut Budget) -> Result<u64> {
        let units = code.insns;
        budget.spend(units.len())?;
        // Register moves, `nop` and the tables between instructions; `move-exception` depends on the compiler.
        let left_out = |opcode| matches!(opcode, 0x00..=0x09 | 0x0d);
        let kept: Vec<usize> = method::instructions(units)
            .filter(|(_, opcode, _)| !left_out(*opcode))
            .map(|(pc, ..)| pc)
            .collect();
        let mut form = Form(Vec::new());
        for &pc in &kept {
            let before = form.0.len();
            // An instruction that is cut off ends the method.
            if self.instruction(units, pc, &kept, &mut form).is_none() {
                break;
            }
            budget.spend((form.0.len() - before) / 8)?;
        }
        self.handlers(code.tries, &kept, &mut form, budget)?;
        Ok(hash::of_bytes(&form.0))
    }

    fn instruction(
        &self,
        code: Units<'_>,
        pc: usize,
        kept: &[usize],
        form: &mut Form,
    ) -> Option<()> {
        let [opcode, high] = code.get(pc)?.to_le_bytes();
        let index = || code.get(pc + 1).map(u32::from);
        let signed = || Some(i64::from(code.get(pc + 1)?.cast_signed()));
        let word = || code.word(pc + 1);
        let wide = || Some(i64::from(word()?.cast_signed()));
        let spelling = self.spelling;
        match opcode {
            0x12 => form.number(0x14, i64::from(high.cast_signed() >> 4)),
            0x13 => form.number(0x14, signed()?),
            0x14 => self.constant(word()?, form),
            0x15 => self.constant(u32::from(code.get(pc + 1)?) << 16, form),
            0x16 => form.number(0x18, signed()?),
            0x17 => form.number(0x18, wide()?),
            0x18 => form.token(0x18, bytes(code, pc + 1, 4)?),
            0x19 => form.number(0x18, signed()? << 48),
            0x1a => form.token(0x1a, self.dex.string(index()?).ok()?),
            0x1b => form.token(0x1a, self.dex.string(word()?).ok()?),
            0x1c | 0x1f | 0x20 | 0x22..=0x25 => {
                let kind = if opcode == 0x25 { 0x24 } else { opcode };
                form.token(kind, spelling.of_type(index()?).as_bytes());
            }
            0x26 => {
                let table = target(pc, word()?)?;
                let length =
                    method::length(code, table).filter(|_| code.get(table) == Some(0x0300));
                form.token(opcode, bytes(code, table, length?)?);
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
            0xd8..=0xe2 => {
                let [_, literal] = code.get(pc + 1)?.to_le_bytes();
                form.number(opcode, i64::from(literal.cast_signed()));
            }
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

    /// A jump, by the number of instructions that it passes.
    fn branch(kind: u8, pc: usize, by: i64, kept: &[usize], form: &mut Form) {
        let target = i64::try_from(pc).unwrap_or(i64::MAX).saturating_add(by);
        let before = |pc: &usize| i64::try_from(*pc).unwrap_or(i64::MAX) < target;
        form.number(kind, kept.partition_point(before) as i64);
    }

    fn switch(&self, code: Units<'_>, pc: usize, kept: &[usize], form: &mut Form) -> Option<()> {
        let table = target(pc, code.word(pc + 1)?)?;
        let count = usize::from(code.get(table + 1)?);
        let sparse = code.get(table)? == 0x0200;
        let targets = table + if sparse { 2 + count * 2 } else { 4 };
        for ix in 0..count {
            let key = match sparse {
                true => code.word(table + 2 + ix * 2)?,
                false => code.word(table + 2)?.wrapping_add(u32::try_from(ix).ok()?),
            };
            self.constant(key, form);
            let by = i64::from(code.word(targets + ix * 2)?.cast_signed());
            Self::branch(0x2b, pc, by, kept, form);
        }
        Some(())
    }

    /// The `try` blocks: what they enclose, the exceptions caught and where. The first that cannot be read ends them.
    fn handlers(
        &self,
        tries: Tries<'_>,
        kept: &[usize],
        form: &mut Form,
        budget: &mut Budget,
    ) -> Result<()> {
        for block in tries.map_while(Result::ok) {
            for pc in [block.start, block.end] {
                Self::branch(0x01, 0, i64::from(pc), kept, form);
            }
            for (kind, to) in block.handlers.map_while(Result::ok) {
                budget.spend(1)?;
                let catches = if kind.is_some() { 0x02 } else { 0x03 };
                if let Some(kind) = kind {
                    form.token(catches, self.spelling.of_type(kind).as_bytes());
                }
                Self::branch(catches, 0, i64::from(to), kept, form);
            }
        }
        Ok(())
    }
}

/// The address that is so far from another one.
fn target(pc: usize, by: u32) -> Option<usize> {
    pc.checked_add_signed(by.cast_signed().try_into().ok()?)
}

/// So many code units as bytes.
fn bytes(code: Units<'_>, from: usize, count: usize) -> Option<&[u8]> {
    let from = from.checked_mul(2)?;
    let to = from.checked_add(count.checked_mul(2)?)?;
    code.bytes().get(from..to)
}
