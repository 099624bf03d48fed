//! Instructions to bytes: shortest forms, offsets of labels, jumps that are too far.

use super::code::{Code, Insn, Label, op};
use super::detours::{Detours, Form};
use super::pool::{Entry, Idx, Pool};
use super::stack::{StackSizer, is_wide_constant};
use super::write::{WriteError, put2, put4};

const BIPUSH: u8 = 16;
const SIPUSH: u8 = 17;
const LDC: u8 = 18;
const LDC_W: u8 = 19;
const LDC2_W: u8 = 20;
const IINC: u8 = 132;
const TABLE_SWITCH: u8 = 170;
const LOOKUP_SWITCH: u8 = 171;
const INVOKE_DYNAMIC: u8 = 186;
const WIDE: u8 = 196;
const MULTI_ANEW_ARRAY: u8 = 197;
const GOTO_W: u8 = 200;

/// Code is shorter (JVM specification, 4.7.3).
const MOST_BYTES: usize = 0xffff;
/// How far the short form of a jump reaches, at least.
const SHORT_REACH: u32 = 0x7fff;
/// Real code needs two or three rounds until every jump reaches.
const MOST_ROUNDS: usize = 64;
/// Where a label that does not occur would be.
const NOWHERE: u32 = u32::MAX;

/// Turns the bodies of a class's methods into bytes. Keeps its tables from one method to the next.
#[derive(Default)]
pub(super) struct Assembler {
    /// By label: its offset in the code.
    offsets: Vec<u32>,
    /// Offsets to fill in once all labels have theirs.
    fixups: Vec<Fixup>,
    /// Source lines: offset and number, ascending, each different from the one before.
    pub(super) lines: Vec<(u32, u16)>,
    /// Slots that the instructions use.
    pub(super) max_locals: u32,
    /// Jumps that need help; empty for nearly every method.
    pub(super) detours: Detours,
    pub(super) sizer: StackSizer,
}

/// An offset to fill in.
struct Fixup {
    /// Where its instruction begins.
    from: u32,
    /// Where it is written.
    at: u32,
    target: Label,
    /// Four bytes, not two.
    wide: bool,
    /// The number of its jump, counted from the start of the code; not for switches.
    jump: u32,
}

impl Assembler {
    /// The offset of a label that occurs in the code.
    pub(super) fn offset(&self, label: Label) -> Option<u32> {
        let offset = *self.offsets.get(label.0 as usize)?;
        (offset != NOWHERE).then_some(offset)
    }

    /// Appends the instructions of a method to `out`.
    pub(super) fn assemble(
        &mut self,
        method: usize,
        code: &Code,
        pool: &mut Pool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        self.detours.clear();
        let start = out.len();
        for _ in 0..MOST_ROUNDS {
            out.truncate(start);
            self.emit(method, code, pool, out)?;
            let size = out.len() - start;
            if size == 0 {
                return Err(WriteError::EmptyCode { method });
            }
            if size > MOST_BYTES {
                return Err(WriteError::MethodTooLarge { method, size });
            }
            if self.fill_in(method, code, &mut out[start..])? {
                return Ok(());
            }
        }
        let size = out.len() - start;
        Err(WriteError::MethodTooLarge { method, size })
    }

    fn emit(
        &mut self,
        method: usize,
        code: &Code,
        pool: &mut Pool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let labels = code.labels as usize + self.detours.labels();
        self.offsets.clear();
        self.offsets.resize(labels, NOWHERE);
        self.fixups.clear();
        self.lines.clear();
        self.max_locals = 0;
        let start = out.len();
        let mut jumps = 0;
        self.emit_start_detours(start, out);
        for insn in &code.insns {
            let at = out.len() - start;
            // Far beyond the limit; stops before offsets need more than 32 bits.
            if at > MOST_BYTES * 16 {
                return Err(WriteError::MethodTooLarge { method, size: at });
            }
            let from = at as u32;
            match insn {
                Insn::Op(op) => out.push(*op),
                Insn::Push(value) => emit_push(*value, pool, out),
                Insn::Const(ix) => emit_constant(*ix, pool, out),
                Insn::Var(op, slot) => self.emit_variable(*op, *slot, out),
                Insn::Iinc(slot, by) => self.emit_iinc(*slot, *by, out),
                Insn::Type(op, ix) | Insn::Field(op, ix) => emit_operand(*op, *ix, out),
                Insn::NewArray(kind) => out.extend([188, *kind]),
                Insn::MultiArray(ix, dimensions) => {
                    emit_operand(MULTI_ANEW_ARRAY, *ix, out);
                    out.push(*dimensions);
                }
                Insn::Invoke(op, ix) => {
                    let (arguments, _) = self.sizer.operand_slots(pool, *ix);
                    let slots = arguments + u32::from(*op != op::INVOKESTATIC);
                    let Ok(slots) = u8::try_from(slots) else {
                        let what = "arguments of a call";
                        let method = Some(method);
                        return Err(WriteError::TooMany { what, method });
                    };
                    emit_operand(*op, *ix, out);
                    if *op == op::INVOKEINTERFACE {
                        out.extend([slots, 0]);
                    }
                }
                Insn::Dynamic(ix) => {
                    emit_operand(INVOKE_DYNAMIC, *ix, out);
                    out.extend([0, 0]);
                }
                Insn::Jump(op, target) => {
                    self.emit_jump(*op, *target, jumps, from, out);
                    jumps += 1;
                }
                Insn::Table(switch) => {
                    let (low, default, targets) = &**switch;
                    out.push(TABLE_SWITCH);
                    pad(start, out);
                    self.emit_target(*default, from, start, out);
                    put4(out, *low as u32);
                    put4(out, last_key(*low, targets.len(), method)? as u32);
                    for target in targets {
                        self.emit_target(*target, from, start, out);
                    }
                }
                Insn::Lookup(switch) => {
                    let (default, cases) = &**switch;
                    out.push(LOOKUP_SWITCH);
                    pad(start, out);
                    self.emit_target(*default, from, start, out);
                    put4(out, cases.len() as u32);
                    for (key, target) in cases {
                        put4(out, *key as u32);
                        self.emit_target(*target, from, start, out);
                    }
                }
                Insn::Label(label) => match self.offsets.get_mut(label.0 as usize) {
                    Some(offset) if *offset == NOWHERE && label.0 < code.labels => *offset = from,
                    _ => {
                        return Err(WriteError::BadLabel {
                            method,
                            label: *label,
                        });
                    }
                },
                Insn::Line(line) => self.note_line(from, *line),
                Insn::DexPc(_) => {}
            }
        }
        self.emit_end_detours(start, out);
        Ok(())
    }

    /// Of several lines at one offset the last counts; the same line again says nothing.
    fn note_line(&mut self, at: u32, line: u16) {
        if self.lines.last().is_some_and(|last| last.0 == at) {
            self.lines.pop();
        }
        if self.lines.last().is_none_or(|last| last.1 != line) {
            self.lines.push((at, line));
        }
    }

    fn emit_variable(&mut self, op: u8, slot: u16, out: &mut Vec<u8>) {
        let wide = matches!(op, op::LLOAD | op::DLOAD | op::LSTORE | op::DSTORE);
        self.use_slots(slot, 1 + u32::from(wide));
        match (op, slot) {
            // iload_0 and its neighbours, four for each of five types.
            (21..=25, 0..=3) => out.push(26 + (op - 21) * 4 + slot as u8),
            (54..=58, 0..=3) => out.push(59 + (op - 54) * 4 + slot as u8),
            (_, 0..=255) => out.extend([op, slot as u8]),
            _ => {
                out.extend([WIDE, op]);
                put2(out, slot);
            }
        }
    }

    fn emit_iinc(&mut self, slot: u16, by: i16, out: &mut Vec<u8>) {
        self.use_slots(slot, 1);
        match (u8::try_from(slot), i8::try_from(by)) {
            (Ok(slot), Ok(by)) => out.extend([IINC, slot, by as u8]),
            _ => {
                out.extend([WIDE, IINC]);
                put2(out, slot);
                put2(out, by as u16);
            }
        }
    }

    fn use_slots(&mut self, slot: u16, count: u32) {
        self.max_locals = self.max_locals.max(u32::from(slot) + count);
    }

    fn emit_jump(&mut self, op: u8, target: Label, jump: u32, from: u32, out: &mut Vec<u8>) {
        let (target, wide) = match self.detours.form(jump) {
            Form::Short => (target, false),
            Form::Long => (target, true),
            form => {
                let detour = self.detours.label(target, form);
                (detour.unwrap_or(target), false)
            }
        };
        self.fixups.push(Fixup {
            from,
            at: from + 1,
            target,
            wide,
            jump,
        });
        if wide {
            out.extend([GOTO_W, 0, 0, 0, 0]);
        } else {
            out.extend([op, 0, 0]);
        }
    }

    /// One of a switch's offsets.
    fn emit_target(&mut self, target: Label, from: u32, start: usize, out: &mut Vec<u8>) {
        self.fixups.push(Fixup {
            from,
            at: (out.len() - start) as u32,
            target,
            wide: true,
            jump: 0,
        });
        put4(out, 0);
    }

    fn emit_start_detours(&mut self, start: usize, out: &mut Vec<u8>) {
        let Some(body) = self.detours.body else {
            return;
        };
        self.emit_long(body, start, out);
        for ix in 0..self.detours.start.len() {
            let (target, at) = self.detours.start[ix];
            self.place(at, start, out);
            self.emit_long(target, start, out);
        }
        self.place(body, start, out);
    }

    fn emit_end_detours(&mut self, start: usize, out: &mut Vec<u8>) {
        for ix in 0..self.detours.end.len() {
            let (target, at) = self.detours.end[ix];
            self.place(at, start, out);
            self.emit_long(target, start, out);
        }
    }

    fn emit_long(&mut self, target: Label, start: usize, out: &mut Vec<u8>) {
        let from = (out.len() - start) as u32;
        out.push(GOTO_W);
        self.emit_target(target, from, start, out);
    }

    fn place(&mut self, label: Label, start: usize, out: &[u8]) {
        if let Some(offset) = self.offsets.get_mut(label.0 as usize) {
            *offset = (out.len() - start) as u32;
        }
    }

    /// Writes the offsets of jumps. False if some are too far: they have another form in the next round.
    fn fill_in(
        &mut self,
        method: usize,
        code: &Code,
        bytes: &mut [u8],
    ) -> Result<bool, WriteError> {
        let mut fits = true;
        for fixup in &self.fixups {
            let target = self.offsets.get(fixup.target.0 as usize);
            let Some(target) = target.filter(|at| (**at as usize) < bytes.len()) else {
                return Err(WriteError::BadLabel {
                    method,
                    label: fixup.target,
                });
            };
            let distance = target.wrapping_sub(fixup.from);
            let at = fixup.at as usize;
            if fixup.wide {
                bytes[at..at + 4].copy_from_slice(&distance.to_be_bytes());
            } else if target.abs_diff(fixup.from) <= SHORT_REACH {
                bytes[at..at + 2].copy_from_slice(&(distance as u16).to_be_bytes());
            } else {
                fits = false;
                let unconditional = bytes[fixup.from as usize] == op::GOTO;
                let near_start = (fixup.from as usize) < bytes.len() / 2;
                self.detours.lengthen(fixup.jump, unconditional, near_start);
            }
        }
        if !fits {
            self.detours.add_detours(code);
        }
        Ok(fits)
    }
}

fn emit_operand(op: u8, ix: Idx, out: &mut Vec<u8>) {
    let [high, low] = ix.to_be_bytes();
    out.extend([op, high, low]);
}

fn emit_push(value: i32, pool: &mut Pool, out: &mut Vec<u8>) {
    match value {
        // iconst_m1 to iconst_5.
        -1..=5 => out.push((value + 3) as u8),
        -128..=127 => out.extend([BIPUSH, value as u8]),
        -32_768..=32_767 => emit_operand(SIPUSH, value as u16, out),
        _ => {
            let ix = pool.entry(Entry::Int(value));
            emit_constant(ix, pool, out);
        }
    }
}

fn emit_constant(ix: Idx, pool: &Pool, out: &mut Vec<u8>) {
    if is_wide_constant(pool, ix) {
        emit_operand(LDC2_W, ix, out);
    } else if let Ok(short) = u8::try_from(ix) {
        out.extend([LDC, short]);
    } else {
        emit_operand(LDC_W, ix, out);
    }
}

fn last_key(low: i32, count: usize, method: usize) -> Result<i32, WriteError> {
    let last = i64::try_from(count).ok().map(|n| i64::from(low) + n - 1);
    let last = last.filter(|last| *last >= i64::from(low));
    let last = last.and_then(|last| i32::try_from(last).ok());
    last.ok_or(WriteError::BadSwitch { method })
}

/// The operands of a switch begin at a multiple of four.
fn pad(start: usize, out: &mut Vec<u8>) {
    while !(out.len() - start).is_multiple_of(4) {
        out.push(0);
    }
}
