//! The tables of a method's code: handlers, source lines, local variables.

use super::assemble::Assembler;
use super::code::{Code, LocalVariable};
use super::pool::{Idx, Pool};
use super::write::{WriteError, fill_length, put_count, put2, reserve_length};
use rustc_hash::FxHashSet;

/// Appends the exception table, without empty ranges. `size` is the code's.
pub(super) fn write_handlers(
    method: usize,
    code: &Code,
    assembler: &Assembler,
    size: usize,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let count_at = out.len();
    put2(out, 0);
    let mut count = 0;
    for each in &code.tries {
        let find = |label| {
            let offset = assembler.offset(label);
            offset.ok_or(WriteError::BadLabel { method, label })
        };
        let (start, end) = (find(each.start)?, find(each.end)?);
        let handler = find(each.handler)?;
        if start >= end {
            continue;
        }
        if handler as usize >= size {
            let label = each.handler;
            return Err(WriteError::BadLabel { method, label });
        }
        for offset in [start, end, handler] {
            put2(out, offset as u16);
        }
        put2(out, each.catch);
        count += 1;
    }
    let mut total = Vec::with_capacity(2);
    put_count(&mut total, count, "handlers", Some(method))?;
    out[count_at..count_at + 2].copy_from_slice(&total);
    Ok(())
}

/// Appends the line numbers as an attribute; false if none is inside the code.
pub(super) fn write_lines(
    lines: &[(u32, u16)],
    size: usize,
    pool: &mut Pool,
    out: &mut Vec<u8>,
) -> Result<bool, WriteError> {
    // A mark after the last instruction stands for nothing.
    let inside = lines.partition_point(|(at, _)| (*at as usize) < size);
    if inside == 0 {
        return Ok(false);
    }
    put2(out, pool.utf8(b"LineNumberTable"));
    let length = reserve_length(out);
    put_count(out, inside, "lines", None)?;
    for (at, line) in &lines[..inside] {
        put2(out, *at as u16);
        put2(out, *line);
    }
    fill_length(out, length)?;
    Ok(true)
}

/// Writes the tables of local variables. Keeps its tables from one method to the next.
#[derive(Default)]
pub(super) struct VariableWriter {
    /// Variables with their ranges.
    inside: Vec<(u16, u16, LocalVariable)>,
    seen: FxHashSet<(u16, u16, Idx, u16)>,
}

impl VariableWriter {
    /// Appends `LocalVariableTable` and, if a variable has a generic signature, `LocalVariableTypeTable`. Returns how
    /// many attributes that were. A variable that the JVM would refuse the class for is left out: one without a range,
    /// with a slot beyond `limits` (bytes of code, slots), or a second one with the same range, name and slot.
    pub(super) fn write(
        &mut self,
        code: &Code,
        assembler: &Assembler,
        limits: (usize, u32),
        pool: &mut Pool,
        out: &mut Vec<u8>,
    ) -> Result<u16, WriteError> {
        let (size, slots) = limits;
        self.inside.clear();
        self.seen.clear();
        for each in &code.locals {
            let (start, end) = (assembler.offset(each.start), assembler.offset(each.end));
            let (Some(start), Some(end)) = (start, end) else {
                continue;
            };
            let fits = start < end && (start as usize) < size && u32::from(each.slot) < slots;
            let (start, length) = (start as u16, end.wrapping_sub(start) as u16);
            if fits && self.seen.insert((start, length, each.name, each.slot)) {
                self.inside.push((start, length, *each));
            }
        }
        if self.inside.is_empty() {
            return Ok(0);
        }
        // More than the table can count are only missed by a debugger.
        self.inside.truncate(0xffff);
        let all = self.inside.len();
        self.table(b"LocalVariableTable", all, pool, out, |each| {
            Some(each.descriptor)
        })?;
        let signature = |each: &LocalVariable| (each.signature != 0).then_some(each.signature);
        let generic = self.inside.iter().filter(|each| each.2.signature != 0);
        let generic = generic.count();
        if generic == 0 {
            return Ok(1);
        }
        self.table(b"LocalVariableTypeTable", generic, pool, out, signature)?;
        Ok(2)
    }

    fn table(
        &self,
        name: &[u8],
        count: usize,
        pool: &mut Pool,
        out: &mut Vec<u8>,
        of: impl Fn(&LocalVariable) -> Option<Idx>,
    ) -> Result<(), WriteError> {
        put2(out, pool.utf8(name));
        let length = reserve_length(out);
        put_count(out, count, "local variables", None)?;
        for (start, size, each) in &self.inside {
            if let Some(kind) = of(each) {
                for value in [*start, *size, each.name, kind, each.slot] {
                    put2(out, value);
                }
            }
        }
        fill_length(out, length)
    }
}
