//! Lines and local variables of the source.

use super::bytes::Cursor;
use super::{Dex, DexError, Result};

/// The first opcode that moves on and adds a row to the table of lines.
const FIRST_SPECIAL: u8 = 0x0a;
const LINE_BASE: i32 = -4;
const LINE_RANGE: u8 = 15;
/// Parameters that a method may have.
const MOST_PARAMETERS: u32 = 255;

/// What is known of the source of a method.
#[derive(Clone, Copy, Debug)]
pub struct DebugInfo<'a> {
    /// The line before the first event.
    pub line_start: u32,
    /// Names of the parameters.
    pub parameters: ParameterNames<'a>,
    /// What is known of places in the code, in the order of their addresses.
    pub events: DebugEvents<'a>,
}

/// Something that holds from an address on; addresses count code units and may lie outside the code of a damaged file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum DebugEvent<'a> {
    /// A line begins.
    Line { addr: u32, line: u32 },
    /// A register begins to hold a local variable.
    StartLocal {
        addr: u32,
        register: u32,
        name: Option<&'a [u8]>,
        /// Descriptor of its type.
        kind: Option<&'a [u8]>,
        /// Its generic type.
        signature: Option<&'a [u8]>,
    },
    /// A register ceases to hold its local variable.
    EndLocal { addr: u32, register: u32 },
    /// A register holds the same local variable as the last one that it held.
    RestartLocal { addr: u32, register: u32 },
    /// The lines that follow are of another file, or of the class's if it is none.
    SetFile { addr: u32, name: Option<&'a [u8]> },
}

/// Names of parameters, `this` not among them; none where one is not known.
#[derive(Clone, Copy, Debug)]
pub struct ParameterNames<'a> {
    dex: Dex<'a>,
    at: Cursor<'a>,
    left: u32,
}

impl<'a> Iterator for ParameterNames<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let ix = self.at.uleb_index().ok()?;
        Some(ix.and_then(|ix| self.dex.name(ix).ok()))
    }
}

/// What is known of places in the code. Ends at the first event that cannot be read.
#[derive(Clone, Copy, Debug)]
pub struct DebugEvents<'a> {
    dex: Dex<'a>,
    at: Cursor<'a>,
    addr: u32,
    line: u32,
    ended: bool,
}

/// The lines alone, as addresses and lines; names are not looked at. Ends where no more can be read.
#[derive(Clone, Copy, Debug)]
pub struct DebugLines<'a>(DebugEvents<'a>);

impl DebugLines<'_> {
    /// How many bytes of the file are left, from which the next lines are read: a measure of the work done. Methods may
    /// share what is known of their source.
    pub fn left(&self) -> usize {
        self.0.at.left()
    }

    fn read(&mut self) -> Result<Option<(u32, u32)>> {
        let events = &mut self.0;
        loop {
            let numbers = match events.at.u8()? {
                0 => return Ok(None),
                3 => 3,
                4 => 4,
                5 | 6 | 9 => 1,
                opcode => match events.step(opcode)? {
                    Some(line) => return Ok(Some(line)),
                    None => 0,
                },
            };
            for _ in 0..numbers {
                events.at.uleb()?;
            }
        }
    }
}

impl Iterator for DebugLines<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        if self.0.ended {
            return None;
        }
        let line = self.read().unwrap_or_default();
        self.0.ended = line.is_none();
        line
    }
}

impl<'a> DebugEvents<'a> {
    /// Only the lines among the events that are left.
    pub fn lines(self) -> DebugLines<'a> {
        DebugLines(self)
    }

    /// The events in so many of the bytes that are left: the file may go on to its end with what is no event.
    pub fn within(mut self, bytes: usize) -> Self {
        self.at = self.at.within(bytes);
        self
    }

    fn read(&mut self) -> Result<Option<DebugEvent<'a>>> {
        loop {
            let opcode = self.at.u8()?;
            let addr = self.addr;
            let event = match opcode {
                0 => return Ok(None),
                3 | 4 => DebugEvent::StartLocal {
                    addr,
                    register: self.at.uleb()?,
                    name: self.text()?,
                    kind: self.kind()?,
                    signature: if opcode == 4 { self.text()? } else { None },
                },
                5 => DebugEvent::EndLocal {
                    addr,
                    register: self.at.uleb()?,
                },
                6 => DebugEvent::RestartLocal {
                    addr,
                    register: self.at.uleb()?,
                },
                9 => DebugEvent::SetFile {
                    addr,
                    name: self.text()?,
                },
                _ => match self.step(opcode)? {
                    Some((addr, line)) => DebugEvent::Line { addr, line },
                    None => continue,
                },
            };
            return Ok(Some(event));
        }
    }

    /// Follows an opcode that changes address or line; gives both where a line begins.
    fn step(&mut self, opcode: u8) -> Result<Option<(u32, u32)>> {
        match opcode {
            1 => {
                let units = self.at.uleb()?;
                self.advance(units)?;
            }
            2 => self.line = self.line.wrapping_add_signed(self.at.sleb()?),
            FIRST_SPECIAL.. => {
                let step = opcode - FIRST_SPECIAL;
                self.advance(u32::from(step / LINE_RANGE))?;
                let lines = LINE_BASE + i32::from(step % LINE_RANGE);
                self.line = self.line.wrapping_add_signed(lines);
                return Ok(Some((self.addr, self.line)));
            }
            // The end of the prologue, and the begin of the epilogue.
            _ => {}
        }
        Ok(None)
    }

    fn advance(&mut self, units: u32) -> Result<()> {
        self.addr = self
            .addr
            .checked_add(units)
            .ok_or(DexError("a place beyond all code"))?;
        Ok(())
    }

    fn text(&mut self) -> Result<Option<&'a [u8]>> {
        self.at
            .uleb_index()?
            .map(|ix| self.dex.name(ix))
            .transpose()
    }

    fn kind(&mut self) -> Result<Option<&'a [u8]>> {
        self.at
            .uleb_index()?
            .map(|ix| self.dex.type_name(ix))
            .transpose()
    }
}

impl<'a> Iterator for DebugEvents<'a> {
    type Item = DebugEvent<'a>;

    fn next(&mut self) -> Option<DebugEvent<'a>> {
        if self.ended {
            return None;
        }
        let event = self.read().unwrap_or_default();
        self.ended = event.is_none();
        event
    }
}

impl<'a> Dex<'a> {
    /// What is known of the source of a method, by [`super::CodeItem::debug_off`].
    ///
    /// # Errors
    /// If there is nothing, it is cut off before the first event, or it names more parameters than a method may have.
    pub fn debug(&self, off: u32) -> Result<DebugInfo<'a>> {
        if off == 0 {
            return Err(DexError("a method has no lines"));
        }
        let mut at = self.cursor(off);
        let line_start = at.uleb()?;
        let left = at.uleb()?;
        if left > MOST_PARAMETERS {
            return Err(DexError("a method has too many parameters"));
        }
        let parameters = ParameterNames {
            dex: *self,
            at,
            left,
        };
        for _ in 0..left {
            at.uleb()?;
        }
        let events = DebugEvents {
            dex: *self,
            at,
            addr: 0,
            line: line_start,
            ended: false,
        };
        Ok(DebugInfo {
            line_start,
            parameters,
            events,
        })
    }
}
