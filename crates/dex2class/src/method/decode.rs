//! Decodes Dalvik's instructions.
//!
//! Source: "Dalvik bytecode" and "Dalvik executable instruction formats" of the Android documentation.

use super::Reason;
use super::instruction::{Ins, NONE, Op, Width};
use crate::dex::{CodeItem, Dex, Units};
use rustc_hash::FxHashMap;

/// The targets of a switch: keys in ascending order.
pub struct Switch {
    /// Keys and addresses.
    pub cases: Vec<(i32, u32)>,
    /// Whether keys are without gaps.
    pub packed: bool,
}

/// Cases of switches and bytes of array payloads for each code unit, and for any method, at most: instructions may share
/// a payload, so that together they have far more than the file.
const MOST_SHARED: (usize, usize) = (8, 4096);

/// The decoded instructions of a method.
pub struct Body<'a> {
    /// Instructions by address, without payloads.
    pub ins: Vec<Ins>,
    /// Registers used.
    pub regs: Vec<u16>,
    /// Switches.
    pub switches: Vec<Switch>,
    /// Payloads of `fill-array-data` by address of the instruction: size of an element, and the bytes.
    pub data: FxHashMap<u32, (u16, Vec<u8>)>,
    /// Index of the instruction at an address.
    pub by_address: Vec<u32>,
    /// Number of registers.
    pub registers: u16,
    pub(super) units: Units<'a>,
    /// Cases and bytes that payloads may still have.
    pub(super) payloads_left: usize,
}

const NO_INSTRUCTION: u32 = u32::MAX;

impl<'a> Body<'a> {
    /// Decodes a method.
    ///
    /// # Errors
    /// An instruction is cut off, or names a register or an entry of a table that does not exist.
    pub fn decode(dex: &Dex<'a>, code: &CodeItem<'a>) -> Result<Self, Reason> {
        let units = code.insns;
        let mut body = Self {
            ins: Vec::with_capacity(units.len() / 2),
            regs: Vec::with_capacity(units.len()),
            switches: Vec::new(),
            data: FxHashMap::default(),
            by_address: vec![NO_INSTRUCTION; units.len()],
            registers: code.registers,
            units,
            payloads_left: units.len() * MOST_SHARED.0 + MOST_SHARED.1,
        };
        let mut at = 0;
        while at < units.len() {
            at = body.one(dex, at)?;
        }
        Ok(body)
    }

    /// The instruction at this address.
    pub fn at(&self, address: u32) -> Option<usize> {
        match self.by_address.get(address as usize) {
            Some(&ix) if ix != NO_INSTRUCTION => Some(ix as usize),
            _ => None,
        }
    }

    /// Registers that an instruction uses.
    pub fn uses(&self, ins: &Ins) -> &[u16] {
        let (from, count) = (ins.uses.0 as usize, usize::from(ins.uses.1));
        &self.regs[from..from + count]
    }

    pub(super) fn unit(&self, at: usize) -> Result<u16, Reason> {
        self.units.get(at).ok_or(Reason::CutOff)
    }

    pub(super) fn word(&self, at: usize) -> Result<u32, Reason> {
        Ok(u32::from(self.unit(at)?) | u32::from(self.unit(at + 1)?) << 16)
    }

    pub(super) fn use_regs(&mut self, ins: &mut Ins, regs: &[u16]) -> Result<(), Reason> {
        ins.uses = (
            u32::try_from(self.regs.len()).map_err(|_| Reason::TooLarge)?,
            u16::try_from(regs.len()).map_err(|_| Reason::TooLarge)?,
        );
        if regs.iter().any(|&reg| reg >= self.registers) {
            return Err(Reason::BadRegister);
        }
        self.regs.extend_from_slice(regs);
        Ok(())
    }

    /// Decodes the instruction at an address; returns the address after it.
    fn one(&mut self, dex: &Dex<'a>, at: usize) -> Result<usize, Reason> {
        let first = self.unit(at)?;
        let [opcode, high] = first.to_le_bytes();
        if opcode == 0 && high != 0 {
            return self.payload(at, high);
        }
        let (va, vb) = (u16::from(high & 15), u16::from(high >> 4));
        let aa = u16::from(high);
        let address = u32::try_from(at).map_err(|_| Reason::TooLarge)?;
        let mut ins = Ins {
            at: address,
            end: 0,
            op: Op::Nop,
            dst: NONE,
            uses: (0, 0),
            index: 0,
            literal: 0,
        };
        let length = match opcode {
            0x00 => 1,
            0x01..=0x09 => {
                let (dst, src, length) = match opcode % 3 {
                    1 => (va, vb, 1),
                    2 => (aa, self.unit(at + 1)?, 2),
                    _ => (self.unit(at + 1)?, self.unit(at + 2)?, 3),
                };
                ins.op = Op::Move(match opcode {
                    0x01..=0x03 => Width::Single,
                    0x04..=0x06 => Width::Wide,
                    _ => Width::Object,
                });
                ins.dst = dst;
                self.use_regs(&mut ins, &[src])?;
                length
            }
            0x0a..=0x0c => {
                let into = self.ins.last_mut().ok_or(Reason::BadResult)?;
                let fits = into.end == address
                    && into.dst == NONE
                    && matches!(
                        into.op,
                        Op::Invoke(_)
                            | Op::InvokePolymorphic
                            | Op::InvokeCustom
                            | Op::FilledNewArray
                    );
                if !fits || aa >= self.registers {
                    return Err(Reason::BadResult);
                }
                into.dst = aa;
                into.end = address + 1;
                return Ok(at + 1);
            }
            0x0d => {
                ins.op = Op::MoveException;
                ins.dst = aa;
                1
            }
            0x0e => {
                ins.op = Op::ReturnVoid;
                1
            }
            0x0f..=0x11 => {
                ins.op = Op::Return(match opcode {
                    0x0f => Width::Single,
                    0x10 => Width::Wide,
                    _ => Width::Object,
                });
                self.use_regs(&mut ins, &[aa])?;
                1
            }
            0x12..=0x19 => {
                ins.op = if opcode < 0x16 {
                    Op::Const32
                } else {
                    Op::Const64
                };
                ins.dst = aa;
                let short = i64::from(self.units.get(at + 1).unwrap_or(0).cast_signed());
                let (literal, length) = match opcode {
                    0x12 => {
                        ins.dst = va;
                        (i64::from(high.cast_signed() >> 4), 1)
                    }
                    0x13 | 0x16 => (short, 2),
                    0x14 | 0x17 => (i64::from(self.word(at + 1)?.cast_signed()), 3),
                    0x15 => (short << 16, 2),
                    0x18 => {
                        let low = u64::from(self.word(at + 1)?);
                        let high = u64::from(self.word(at + 3)?);
                        ((low | high << 32).cast_signed(), 5)
                    }
                    _ => (short << 48, 2),
                };
                ins.literal = literal;
                length
            }
            0x1a | 0x1c | 0x1f | 0x22 | 0xfe | 0xff => {
                ins.op = match opcode {
                    0x1a => Op::ConstString,
                    0x1c => Op::ConstClass,
                    0x1f => Op::CheckCast,
                    0x22 => Op::NewInstance,
                    0xfe => Op::ConstMethodHandle,
                    _ => Op::ConstMethodType,
                };
                ins.dst = aa;
                ins.index = u32::from(self.unit(at + 1)?);
                if opcode == 0x1f {
                    self.use_regs(&mut ins, &[aa])?;
                }
                2
            }
            0x1b => {
                ins.op = Op::ConstString;
                ins.dst = aa;
                ins.index = self.word(at + 1)?;
                3
            }
            0x1d | 0x1e | 0x27 => {
                ins.op = match opcode {
                    0x1d => Op::MonitorEnter,
                    0x1e => Op::MonitorExit,
                    _ => Op::Throw,
                };
                self.use_regs(&mut ins, &[aa])?;
                1
            }
            0x20 | 0x23 | 0x52..=0x58 => {
                ins.op = match opcode {
                    0x20 => Op::InstanceOf,
                    0x23 => Op::NewArray,
                    _ => Op::InstanceGet,
                };
                ins.dst = va;
                ins.index = u32::from(self.unit(at + 1)?);
                self.use_regs(&mut ins, &[vb])?;
                2
            }
            0x59..=0x5f => {
                ins.op = Op::InstancePut;
                ins.index = u32::from(self.unit(at + 1)?);
                self.use_regs(&mut ins, &[vb, va])?;
                2
            }
            0x60..=0x66 => {
                ins.op = Op::StaticGet;
                ins.dst = aa;
                ins.index = u32::from(self.unit(at + 1)?);
                2
            }
            0x67..=0x6d => {
                ins.op = Op::StaticPut;
                ins.index = u32::from(self.unit(at + 1)?);
                self.use_regs(&mut ins, &[aa])?;
                2
            }
            0x21 | 0x7b..=0x8f => {
                ins.op = match opcode {
                    0x21 => Op::ArrayLength,
                    _ => Op::Unary(opcode),
                };
                ins.dst = va;
                self.use_regs(&mut ins, &[vb])?;
                1
            }
            0x24 | 0x25 | 0x6e..=0x72 | 0x74..=0x78 | 0xfa..=0xfd => {
                self.invoke(dex, &mut ins, opcode, high, at)?
            }
            0x26 => {
                ins.op = Op::FillArrayData;
                self.use_regs(&mut ins, &[aa])?;
                let offset = self.word(at + 1)?.cast_signed();
                self.array_data(at, offset)?;
                3
            }
            0x28 => {
                ins.op = Op::Goto;
                ins.literal = target(at, i64::from(high.cast_signed()));
                1
            }
            0x29 => {
                ins.op = Op::Goto;
                ins.literal = target(at, i64::from(self.unit(at + 1)?.cast_signed()));
                2
            }
            0x2a => {
                ins.op = Op::Goto;
                ins.literal = target(at, i64::from(self.word(at + 1)?.cast_signed()));
                3
            }
            0x2b | 0x2c => {
                ins.op = Op::Switch;
                self.use_regs(&mut ins, &[aa])?;
                let offset = self.word(at + 1)?.cast_signed();
                ins.index = u32::try_from(self.switches.len()).map_err(|_| Reason::TooLarge)?;
                self.switch(at, offset, opcode == 0x2b)?;
                3
            }
            0x2d..=0x31 | 0x44..=0x51 | 0x90..=0xaf => {
                let operands = self.unit(at + 1)?;
                let [b, c] = operands.to_le_bytes().map(u16::from);
                match opcode {
                    0x4b..=0x51 => {
                        ins.op = Op::ArrayPut(opcode - 0x4b);
                        self.use_regs(&mut ins, &[b, c, aa])?;
                    }
                    _ => {
                        ins.op = match opcode {
                            0x2d..=0x31 => Op::Compare(opcode),
                            0x44..=0x4a => Op::ArrayGet(opcode - 0x44),
                            _ => Op::Binary(opcode),
                        };
                        ins.dst = aa;
                        self.use_regs(&mut ins, &[b, c])?;
                    }
                }
                2
            }
            0x32..=0x37 => {
                ins.op = Op::If(opcode - 0x32);
                self.use_regs(&mut ins, &[va, vb])?;
                ins.literal = target(at, i64::from(self.unit(at + 1)?.cast_signed()));
                2
            }
            0x38..=0x3d => {
                ins.op = Op::IfZero(opcode - 0x38);
                self.use_regs(&mut ins, &[aa])?;
                ins.literal = target(at, i64::from(self.unit(at + 1)?.cast_signed()));
                2
            }
            0xb0..=0xcf => {
                ins.op = Op::Binary(opcode - 0x20);
                ins.dst = va;
                self.use_regs(&mut ins, &[va, vb])?;
                1
            }
            0xd0..=0xd7 => {
                ins.op = Op::Literal(opcode);
                ins.dst = va;
                ins.literal = i64::from(self.unit(at + 1)?.cast_signed());
                self.use_regs(&mut ins, &[vb])?;
                2
            }
            0xd8..=0xe2 => {
                // The three shifts have no form with 16 bits; they follow the others.
                ins.op = Op::Literal(opcode - 8);
                ins.dst = aa;
                let [b, c] = self.unit(at + 1)?.to_le_bytes();
                ins.literal = i64::from(c.cast_signed());
                self.use_regs(&mut ins, &[u16::from(b)])?;
                2
            }
            _ => {
                // Its length is not known, and so not where the next one begins.
                ins.op = Op::Unknown;
                self.units.len() - at
            }
        };
        if ins.dst != NONE && ins.dst >= self.registers {
            return Err(Reason::BadRegister);
        }
        let end = at + length;
        if end > self.units.len() {
            return Err(Reason::CutOff);
        }
        ins.end = u32::try_from(end).map_err(|_| Reason::TooLarge)?;
        self.by_address[at] = u32::try_from(self.ins.len()).map_err(|_| Reason::TooLarge)?;
        self.ins.push(ins);
        Ok(end)
    }
}

#[allow(clippy::cast_possible_wrap)]
pub(super) fn target(at: usize, offset: i64) -> i64 {
    at as i64 + offset
}
