//! What instructions have besides themselves: arguments of calls, cases of switches, elements of arrays.

use super::Reason;
use super::decode::{Body, Switch, target};
use super::instruction::{Call, Ins, Op};
use crate::dex::{Dex, Units, Value};

impl<'a> Body<'a> {
    pub(super) fn invoke(
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
                (call != Call::Static, dex.method_proto(ins.index)?)
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
                    Some(Value::MethodType(proto)) => (false, *proto),
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
            let kind = proto.parameters.index(ix).ok_or(Reason::BadArguments)?;
            *chosen.get_mut(count).ok_or(Reason::BadArguments)? =
                *next.next().ok_or(Reason::BadArguments)?;
            count += 1;
            if matches!(dex.type_letter(kind)?, b'J' | b'D') {
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
    pub(super) fn payload(&self, at: usize, kind: u8) -> Result<usize, Reason> {
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

    fn spend(&mut self, count: usize) -> Result<(), Reason> {
        let left = self.payloads_left.checked_sub(count);
        self.payloads_left = left.ok_or(Reason::TooLarge)?;
        Ok(())
    }

    fn place(at: usize, offset: i32) -> Result<usize, Reason> {
        let at = i64::try_from(at).map_err(|_| Reason::TooLarge)?;
        usize::try_from(at + i64::from(offset)).map_err(|_| Reason::BadTarget)
    }

    pub(super) fn array_data(&mut self, at: usize, offset: i32) -> Result<(), Reason> {
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
        self.spend(bytes)?;
        let mut data = Vec::with_capacity(bytes + 1);
        for unit in 0..bytes.div_ceil(2) {
            data.extend_from_slice(&self.unit(from + 4 + unit)?.to_le_bytes());
        }
        data.truncate(bytes);
        let key = u32::try_from(at).map_err(|_| Reason::TooLarge)?;
        self.data.insert(key, (width, data));
        Ok(())
    }

    pub(super) fn switch(&mut self, at: usize, offset: i32, packed: bool) -> Result<(), Reason> {
        let from = Self::place(at, offset)?;
        if self.unit(from)? != if packed { 0x0100 } else { 0x0200 } {
            return Err(Reason::BadTarget);
        }
        let size = usize::from(self.unit(from + 1)?);
        self.spend(size)?;
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

/// Address, opcode and second byte of each instruction and payload (opcode 0), up to the first that is cut off or whose
/// opcode is unknown.
pub fn instructions(units: Units<'_>) -> impl Iterator<Item = (usize, u8, u8)> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let at = next?;
        let [opcode, high] = units.get(at)?.to_le_bytes();
        next = length(units, at).and_then(|length| at.checked_add(length));
        Some((at, opcode, high))
    })
}

/// Units that the instruction or payload at an address takes; none if it is cut off or its opcode is unknown.
pub fn length(units: Units<'_>, at: usize) -> Option<usize> {
    let [opcode, high] = units.get(at)?.to_le_bytes();
    Some(match opcode {
        0x00 => match high {
            1 => usize::from(units.get(at + 1)?) * 2 + 4,
            2 => usize::from(units.get(at + 1)?) * 4 + 2,
            3 => {
                let size = usize::from(units.get(at + 1)?);
                (units.word(at + 2)? as usize)
                    .checked_mul(size)?
                    .checked_add(1)?
                    / 2
                    + 4
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
