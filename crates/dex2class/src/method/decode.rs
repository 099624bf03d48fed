//! Dalvik instructions, decoded into one shape: what each defines, what it uses, where control goes.
//!
//! Source: "Dalvik bytecode" and "Dalvik executable instruction formats" of the Android documentation.

use super::Reason;
use crate::dex::{CodeItem, Dex, Units};
use rustc_hash::FxHashMap;

/// No register.
pub const NONE: u16 = u16::MAX;

/// Whether a register holds 32 bits, 64 bits (with the next register) or a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// `int`, `float` and shorter.
    Single,
    /// `long` or `double`.
    Wide,
    /// A reference.
    Object,
}

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// `invoke-virtual`.
    Virtual,
    /// `invoke-super`.
    Super,
    /// `invoke-direct`: private methods and constructors.
    Direct,
    /// `invoke-static`.
    Static,
    /// `invoke-interface`.
    Interface,
}

/// What an instruction does. Numbers are those of the first opcode of a family plus the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Nop,
    Move(Width),
    MoveException,
    ReturnVoid,
    Return(Width),
    /// 32 bits: `int`, `float` or null, as used.
    Const32,
    /// 64 bits: `long` or `double`, as used.
    Const64,
    ConstString,
    ConstClass,
    MonitorEnter,
    MonitorExit,
    CheckCast,
    InstanceOf,
    ArrayLength,
    NewInstance,
    NewArray,
    FilledNewArray,
    FillArrayData,
    Throw,
    Goto,
    Switch,
    /// 0x2d to 0x31.
    Compare(u8),
    /// 0 to 5: eq, ne, lt, ge, gt, le.
    If(u8),
    IfZero(u8),
    /// 0 to 6: plain, wide, object, boolean, byte, char, short.
    ArrayGet(u8),
    ArrayPut(u8),
    InstanceGet,
    InstancePut,
    StaticGet,
    StaticPut,
    Invoke(Call),
    InvokePolymorphic,
    InvokeCustom,
    ConstMethodHandle,
    ConstMethodType,
    /// 0x7b to 0x8f.
    Unary(u8),
    /// 0x90 to 0xaf, without the forms that name one register twice.
    Binary(u8),
    /// 0xd0 to 0xd7; the second operand is `literal`.
    Literal(u8),
    /// Stands for an instruction whose class (type index `index`) does not exist: it throws.
    Missing,
    /// Stands for an opcode that does not exist.
    Unknown,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Ins {
    /// Address in units of 16 bits.
    pub at: u32,
    /// Address of what follows it, a `move-result` that belongs to it included.
    pub end: u32,
    pub op: Op,
    /// The register it defines, or [`NONE`].
    pub dst: u16,
    /// Registers that it uses, in the order in which the JVM wants them: a range of [`Body::regs`].
    pub uses: (u32, u16),
    /// Index of a string, type, field, method, prototype or call site, or of a switch.
    pub index: u32,
    /// A constant, the second index, or an address.
    pub literal: i64,
}

/// The targets of a switch: keys in ascending order.
pub struct Switch {
    /// Keys and addresses.
    pub cases: Vec<(i32, u32)>,
    /// Whether keys are without gaps.
    pub packed: bool,
}

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
    units: Units<'a>,
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

    fn unit(&self, at: usize) -> Result<u16, Reason> {
        self.units.get(at).ok_or(Reason::CutOff)
    }

    fn word(&self, at: usize) -> Result<u32, Reason> {
        Ok(u32::from(self.unit(at)?) | u32::from(self.unit(at + 1)?) << 16)
    }

    fn use_regs(&mut self, ins: &mut Ins, regs: &[u16]) -> Result<(), Reason> {
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
                ins.op = if opcode < 0x16 { Op::Const32 } else { Op::Const64 };
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

    fn invoke(
        &mut self,
        dex: &Dex<'a>,
        ins: &mut Ins,
        opcode: u8,
        high: u8,
        at: usize,
    ) -> Result<usize, Reason> {
        ins.index = u32::from(self.unit(at + 1)?);
        let list = self.unit(at + 2)?;
        let range = matches!(opcode, 0x25 | 0x74..=0x78 | 0xfb | 0xfd);
        let mut given = [0_u16; 255];
        let given = if range {
            let count = usize::from(high);
            for (offset, reg) in given[..count].iter_mut().enumerate() {
                #[allow(clippy::cast_possible_truncation)]
                let offset = offset as u16;
                *reg = list.checked_add(offset).ok_or(Reason::BadRegister)?;
            }
            &given[..count]
        } else {
            let count = usize::from(high >> 4);
            if count > 5 {
                return Err(Reason::BadArguments);
            }
            for (ix, reg) in given[..4].iter_mut().enumerate() {
                *reg = list >> (4 * ix) & 15;
            }
            given[4] = u16::from(high & 15);
            &given[..count]
        };
        let mut length = 3;
        let (receiver, proto) = match opcode {
            0x24 | 0x25 => {
                ins.op = Op::FilledNewArray;
                self.use_regs(ins, given)?;
                return Ok(length);
            }
            0x6e..=0x72 | 0x74..=0x78 => {
                let call = match opcode {
                    0x6e | 0x74 => Call::Virtual,
                    0x6f | 0x75 => Call::Super,
                    0x70 | 0x76 => Call::Direct,
                    0x71 | 0x77 => Call::Static,
                    _ => Call::Interface,
                };
                ins.op = Op::Invoke(call);
                (call != Call::Static, dex.method(ins.index)?.proto)
            }
            0xfa | 0xfb => {
                ins.op = Op::InvokePolymorphic;
                length = 4;
                let proto = u32::from(self.unit(at + 3)?);
                ins.literal = i64::from(proto);
                (true, proto)
            }
            _ => {
                ins.op = Op::InvokeCustom;
                let values = dex.call_site(ins.index)?;
                match values.get(2) {
                    Some(crate::dex::Value::MethodType(proto)) => (false, *proto),
                    _ => return Err(Reason::BadCallSite),
                }
            }
        };
        // Of a long or double the instruction names both registers.
        let mut chosen = [0_u16; 255];
        let mut count = 0;
        let mut next = given.iter();
        if receiver {
            chosen[0] = *next.next().ok_or(Reason::BadArguments)?;
            count = 1;
        }
        let proto = dex.proto(proto)?;
        for ix in 0..proto.parameters.len() {
            let kind = proto.parameters.get(ix)?;
            *chosen.get_mut(count).ok_or(Reason::BadArguments)? =
                *next.next().ok_or(Reason::BadArguments)?;
            count += 1;
            if matches!(kind, b"J" | b"D") {
                next.next().ok_or(Reason::BadArguments)?;
            }
        }
        if next.next().is_some() {
            return Err(Reason::BadArguments);
        }
        self.use_regs(ins, &chosen[..count])?;
        Ok(length)
    }

    /// Skips a payload; what it holds is read by the instruction that names it.
    fn payload(&self, at: usize, kind: u8) -> Result<usize, Reason> {
        let size = usize::from(self.unit(at + 1)?);
        let units = match kind {
            1 => size * 2 + 4,
            2 => size * 4 + 2,
            3 => {
                let count = self.word(at + 2)? as usize;
                count
                    .checked_mul(size)
                    .and_then(|bytes| bytes.checked_add(1))
                    .ok_or(Reason::CutOff)?
                    / 2
                    + 4
            }
            _ => 1,
        };
        match at.checked_add(units) {
            Some(end) if end <= self.units.len() => Ok(end),
            _ => Err(Reason::CutOff),
        }
    }

    fn place(at: usize, offset: i32) -> Result<usize, Reason> {
        let at = i64::try_from(at).map_err(|_| Reason::TooLarge)?;
        usize::try_from(at + i64::from(offset)).map_err(|_| Reason::BadTarget)
    }

    fn array_data(&mut self, at: usize, offset: i32) -> Result<(), Reason> {
        let from = Self::place(at, offset)?;
        if self.unit(from)? != 0x0300 {
            return Err(Reason::BadTarget);
        }
        let width = self.unit(from + 1)?;
        let count = self.word(from + 2)? as usize;
        let bytes = count
            .checked_mul(usize::from(width))
            .filter(|&bytes| from + 4 + bytes.div_ceil(2) <= self.units.len())
            .ok_or(Reason::CutOff)?;
        let mut data = Vec::with_capacity(bytes + 1);
        for unit in 0..bytes.div_ceil(2) {
            data.extend_from_slice(&self.unit(from + 4 + unit)?.to_le_bytes());
        }
        data.truncate(bytes);
        let key = u32::try_from(at).map_err(|_| Reason::TooLarge)?;
        self.data.insert(key, (width, data));
        Ok(())
    }

    fn switch(&mut self, at: usize, offset: i32, packed: bool) -> Result<(), Reason> {
        let from = Self::place(at, offset)?;
        if self.unit(from)? != if packed { 0x0100 } else { 0x0200 } {
            return Err(Reason::BadTarget);
        }
        let size = usize::from(self.unit(from + 1)?);
        let mut cases = Vec::with_capacity(size);
        for ix in 0..size {
            let (key, offset) = if packed {
                let first = self.word(from + 2)?.cast_signed();
                #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
                let key = first.checked_add(ix as i32).ok_or(Reason::BadTarget)?;
                (key, self.word(from + 4 + 2 * ix)?)
            } else {
                let key = self.word(from + 2 + 2 * ix)?.cast_signed();
                (key, self.word(from + 2 + 2 * (size + ix))?)
            };
            let to = target(at, i64::from(offset.cast_signed()));
            cases.push((key, u32::try_from(to).map_err(|_| Reason::BadTarget)?));
        }
        if cases.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err(Reason::BadTarget);
        }
        self.switches.push(Switch { cases, packed });
        Ok(())
    }
}

#[allow(clippy::cast_possible_wrap)]
fn target(at: usize, offset: i64) -> i64 {
    at as i64 + offset
}

impl Op {
    /// Whether it can throw; of others no handler is ever reached.
    pub fn throws(self) -> bool {
        match self {
            Self::ConstString
            | Self::ConstClass
            | Self::MonitorEnter
            | Self::MonitorExit
            | Self::CheckCast
            | Self::InstanceOf
            | Self::ArrayLength
            | Self::NewInstance
            | Self::NewArray
            | Self::FilledNewArray
            | Self::FillArrayData
            | Self::Throw
            | Self::ArrayGet(_)
            | Self::ArrayPut(_)
            | Self::InstanceGet
            | Self::InstancePut
            | Self::StaticGet
            | Self::StaticPut
            | Self::Invoke(_)
            | Self::InvokePolymorphic
            | Self::InvokeCustom
            | Self::ConstMethodHandle
            | Self::ConstMethodType
            | Self::Missing
            | Self::Unknown => true,
            // Division and remainder of int and long.
            Self::Binary(op) => matches!(op, 0x93 | 0x94 | 0x9e | 0x9f),
            Self::Literal(op) => matches!(op, 0xd3 | 0xd4),
            _ => false,
        }
    }

    /// Whether control never reaches the next instruction.
    pub fn ends(self) -> bool {
        matches!(
            self,
            Self::ReturnVoid
                | Self::Return(_)
                | Self::Throw
                | Self::Goto
                | Self::Missing
                | Self::Unknown
        )
    }
}

/// Units that the instruction or payload at an address takes; none if it is cut off or its opcode is unknown.
pub fn length(units: Units<'_>, at: usize) -> Option<usize> {
    let [opcode, high] = units.get(at)?.to_le_bytes();
    let word = |at: usize| Some(u32::from(units.get(at)?) | u32::from(units.get(at + 1)?) << 16);
    Some(match opcode {
        0x00 => match high {
            1 => usize::from(units.get(at + 1)?) * 2 + 4,
            2 => usize::from(units.get(at + 1)?) * 4 + 2,
            3 => {
                let size = usize::from(units.get(at + 1)?);
                (word(at + 2)? as usize).checked_mul(size)?.checked_add(1)? / 2 + 4
            }
            _ => 1,
        },
        0x01
        | 0x04
        | 0x07
        | 0x0a..=0x12
        | 0x1d
        | 0x1e
        | 0x21
        | 0x27
        | 0x28
        | 0x7b..=0x8f
        | 0xb0..=0xcf => 1,
        0x02
        | 0x05
        | 0x08
        | 0x13
        | 0x15
        | 0x16
        | 0x19
        | 0x1a
        | 0x1c
        | 0x1f
        | 0x20
        | 0x22
        | 0x23
        | 0x29
        | 0x2d..=0x3d
        | 0x44..=0x6d
        | 0x90..=0xaf
        | 0xd0..=0xe2
        | 0xfe
        | 0xff => 2,
        0x03
        | 0x06
        | 0x09
        | 0x14
        | 0x17
        | 0x1b
        | 0x24..=0x26
        | 0x2a..=0x2c
        | 0x6e..=0x72
        | 0x74..=0x78
        | 0xfc
        | 0xfd => 3,
        0xfa | 0xfb => 4,
        0x18 => 5,
        _ => return None,
    })
}
