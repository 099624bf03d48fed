//! The bodies of methods.

use super::bytes::{Cursor, u16_at, u32_at};
use super::{Dex, DexError, Result};

/// Handlers of the same instructions, at most. No compiler makes so many, and each of 65,535 ranges may name them all.
const MOST_HANDLERS: u32 = 1_000;

/// The body of a method.
#[derive(Clone, Copy, Debug)]
pub struct CodeItem<'a> {
    /// How many registers it has.
    pub registers: u16,
    /// How many of them, at the end, hold the arguments.
    pub ins: u16,
    /// The most words that a call in it passes.
    pub outs: u16,
    /// The instructions.
    pub insns: Units<'a>,
    /// What is covered by handlers, from the first to the last instruction.
    pub tries: Tries<'a>,
    /// Where lines and local variables are described; 0 for nowhere.
    pub debug_off: u32,
}

/// Code units of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Units<'a> {
    bytes: &'a [u8],
}

impl<'a> Units<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / 2
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    pub fn get(&self, ix: usize) -> Option<u16> {
        u16_at(self.bytes, ix.checked_mul(2)?)
    }

    /// Two of them as one number, such as the index of a long form or an offset.
    pub fn word(&self, ix: usize) -> Option<u32> {
        u32_at(self.bytes, ix.checked_mul(2)?)
    }

    /// All of them as little-endian bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

/// What is covered by handlers. Each element was checked against the length of the code, but they may overlap where a
/// file is damaged.
#[derive(Clone, Copy, Debug)]
pub struct Tries<'a> {
    /// Eight bytes each.
    items: &'a [u8],
    /// What the offsets of handlers count from.
    handlers: Cursor<'a>,
    /// Code units.
    length: u32,
}

impl Tries<'_> {
    /// Whether nothing is covered.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// Instructions with handlers.
#[derive(Clone, Copy, Debug)]
pub struct TryItem<'a> {
    /// The first code unit.
    pub start: u32,
    /// The first code unit after them.
    pub end: u32,
    /// Their handlers, in order.
    pub handlers: Handlers<'a>,
}

impl<'a> Iterator for Tries<'a> {
    type Item = Result<TryItem<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (item, rest) = self.items.split_first_chunk::<8>()?;
        self.items = rest;
        let [start @ .., a, b, c, d] = *item;
        let start = u32::from_le_bytes(start);
        let end = start.checked_add(u32::from(u16::from_le_bytes([a, b])));
        let Some(end) = end.filter(|&end| end <= self.length) else {
            return Some(Err(DexError("a handler covers what is no code")));
        };
        let offset = u32::from(u16::from_le_bytes([c, d]));
        let handlers = Handlers::new(self.handlers, offset, self.length);
        Some(handlers.map(|handlers| TryItem {
            start,
            end,
            handlers,
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.items.len() / 8, Some(self.items.len() / 8))
    }
}

/// Handlers of the same instructions: the type that each catches, and where it begins. One without a type catches all,
/// and is the last.
#[derive(Clone, Copy, Debug)]
pub struct Handlers<'a> {
    at: Cursor<'a>,
    typed: u32,
    catch_all: bool,
    length: u32,
}

impl<'a> Handlers<'a> {
    fn new(list: Cursor<'a>, offset: u32, length: u32) -> Result<Self> {
        let mut at = list;
        at.take(usize::try_from(offset).unwrap_or(usize::MAX))?;
        let count = at.sleb()?;
        if count.unsigned_abs() > MOST_HANDLERS {
            return Err(DexError("too many handlers"));
        }
        Ok(Self {
            at,
            typed: count.unsigned_abs(),
            catch_all: count <= 0,
            length,
        })
    }

    fn read(&mut self, typed: bool) -> Result<(Option<u32>, u32)> {
        let kind = typed.then(|| self.at.uleb()).transpose()?;
        let address = self.at.uleb()?;
        if address >= self.length {
            return Err(DexError("a handler is outside the code"));
        }
        Ok((kind, address))
    }
}

impl Iterator for Handlers<'_> {
    type Item = Result<(Option<u32>, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        let typed = self.typed > 0;
        if typed {
            self.typed -= 1;
        } else if self.catch_all {
            self.catch_all = false;
        } else {
            return None;
        }
        let handler = self.read(typed);
        if handler.is_err() {
            (self.typed, self.catch_all) = (0, false);
        }
        Some(handler)
    }
}

impl<'a> Dex<'a> {
    /// The body of a method.
    ///
    /// # Errors
    /// If a part of it lies outside the file, or its arguments do not fit into its registers.
    pub fn code(&self, off: u32) -> Result<CodeItem<'a>> {
        if off == 0 {
            return Err(DexError("a method has no code"));
        }
        let mut at = self.cursor(off);
        let (registers, ins, outs, tries) = (at.u16()?, at.u16()?, at.u16()?, at.u16()?);
        if ins > registers {
            return Err(DexError("a method has more arguments than registers"));
        }
        let debug_off = at.u32()?;
        let length = at.u32()?;
        let size = usize::try_from(length)
            .ok()
            .and_then(|units| units.checked_mul(2));
        let bytes = at.take(size.ok_or(DexError("a method is too long"))?)?;
        if tries > 0 && length % 2 == 1 {
            at.u16()?;
        }
        let items = at.take(usize::from(tries) * 8)?;
        Ok(CodeItem {
            registers,
            ins,
            outs,
            insns: Units { bytes },
            tries: Tries {
                items,
                handlers: at,
                length,
            },
            debug_off,
        })
    }
}
