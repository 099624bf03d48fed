//! Where a class's methods can throw: their instructions by kind and name, with program counter and source line.
//!
//! Dalvik's formats: <https://source.android.com/docs/core/runtime/dex-format> (`debug_info_item`, `annotation_item`).

use super::bytes::Bytes;
use super::dex::{Budget, Dex, uleb};
use super::dex_code::units;

/// What an instruction does that may fail. Instructions are alike if kind and name are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deed {
    /// Throws an exception.
    Throw,
    /// Calls the method of this name; a constructor's name has its class before it.
    Call,
    /// Reads or writes the field of this name of an object.
    Field,
    /// Uses static members of the class of this name.
    Static,
    /// Creates an object of the class of this name.
    New,
    /// Creates an array.
    NewArray,
    /// Reads or writes an array, or asks for its length.
    Array,
    /// Casts to another class.
    Cast,
    /// Divides whole numbers.
    Divide,
    /// Enters or leaves a `synchronized` block.
    Monitor,
}

/// An instruction that may fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// LineProgram counter in units of 16 bits, as ART prints it where lines are missing.
    pub pc: u32,
    /// Source line, where the debug information names one.
    pub line: Option<u32>,
    /// What it does.
    pub deed: Deed,
    /// Dotted name of the method, field or class; empty for deeds without one.
    pub name: String,
    /// Dotted name of the class that the method or field is looked up in; empty for deeds without one.
    pub owner: String,
}

/// One method of a class.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MethodSites {
    /// Its name; overloads share it.
    pub name: String,
    /// Instructions that may fail, by program counter.
    pub sites: Vec<Site>,
}

/// One class of an app.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClassSites {
    /// Methods in the file's order.
    pub methods: Vec<MethodSites>,
    /// For a class declared within a method: that method's name.
    pub enclosing: Option<String>,
    /// Direct superclass and interfaces, dotted.
    pub supertypes: Vec<String>,
    /// No other class of the app has its name in another package.
    pub alone: bool,
}

/// `La/b/C;` as `a.b.C`.
pub(super) fn dotted(descriptor: &[u8]) -> String {
    let text = String::from_utf8_lossy(descriptor);
    let inner = text.strip_prefix('L').and_then(|t| t.strip_suffix(';'));
    inner.unwrap_or(&text).replace('/', ".")
}

/// The sites of the class of this definition.
pub(super) fn of_class(
    dex: &Dex<'_>,
    definition: usize,
    budget: &mut Budget,
) -> Result<ClassSites, &'static str> {
    let cut = "a class is cut off";
    let field = |at| dex.class_def(definition, at).ok_or(cut);
    let mut class = ClassSites {
        enclosing: enclosing(dex, field(20)? as usize, budget)?,
        ..ClassSites::default()
    };
    let above = dex.supertypes(definition, budget)?;
    class.supertypes.extend(above.into_iter().map(dotted));
    for (method, code) in dex.methods_of(definition, budget)? {
        let name = dex.member(dex.methods, method).unwrap_or_default();
        class.methods.push(MethodSites {
            name: String::from_utf8_lossy(name).into_owned(),
            sites: match code {
                0 => Vec::new(),
                code => of_code(dex, code, budget)?,
            },
        });
    }
    Ok(class)
}

fn of_code(dex: &Dex<'_>, at: usize, budget: &mut Budget) -> Result<Vec<Site>, &'static str> {
    let code = dex.instructions(at, budget)?;
    let lines = lines_of(dex, at, budget)?;
    let mut sites = Vec::new();
    let mut pc = 0_usize;
    while let Some(first) = code.u16(pc.saturating_mul(2)) {
        let [opcode, high] = first.to_le_bytes();
        if let Some((deed, name, owner)) = deed(dex, code, pc * 2, opcode) {
            let here = u32::try_from(pc).unwrap_or(u32::MAX);
            let upto = lines.partition_point(|(from, _)| *from <= here);
            sites.push(Site {
                pc: here,
                line: upto.checked_sub(1).map(|ix| lines[ix].1),
                deed,
                name,
                owner,
            });
        }
        let Some(length) = units(code, pc * 2, opcode, high) else {
            break;
        };
        pc = pc.saturating_add(length);
    }
    Ok(sites)
}

/// The program counters at which another line starts, of the code item at this byte.
pub(super) fn lines_of(
    dex: &Dex<'_>,
    at: usize,
    budget: &mut Budget,
) -> Result<Vec<(u32, u32)>, &'static str> {
    let debug = dex.bytes.from(at).and_then(|head| head.size(8));
    match debug.ok_or("a method is cut off")? {
        0 => Ok(Vec::new()),
        debug => lines(dex.bytes, debug, budget),
    }
}

/// What the instruction at this byte does, and what it names.
fn deed(dex: &Dex<'_>, code: Bytes<'_>, at: usize, opcode: u8) -> Option<(Deed, String, String)> {
    let index = || code.u16(at + 2).map(u32::from);
    let member = |table| {
        let ix = index()?;
        let name = String::from_utf8_lossy(dex.member(table, ix)?).into_owned();
        Some((name, dotted(dex.type_name(dex.owner(table, ix)?)?)))
    };
    let bare = |deed| Some((deed, String::new(), String::new()));
    match opcode {
        0x27 => bare(Deed::Throw),
        0x6e..=0x72 | 0x74..=0x78 | 0xfa | 0xfb => {
            let (name, owner) = member(dex.methods)?;
            let name = match name.as_str() {
                "<init>" => format!("{owner}.<init>"),
                _ => name,
            };
            Some((Deed::Call, name, owner))
        }
        0x52..=0x5f => member(dex.fields).map(|(name, owner)| (Deed::Field, name, owner)),
        0x60..=0x6d => {
            let (_, owner) = member(dex.fields)?;
            Some((Deed::Static, owner.clone(), owner))
        }
        0x22 => {
            let name = dotted(dex.type_name(index()?)?);
            Some((Deed::New, name.clone(), name))
        }
        0x23..=0x25 => bare(Deed::NewArray),
        0x21 | 0x44..=0x51 => bare(Deed::Array),
        0x1f => bare(Deed::Cast),
        0x93 | 0x94 | 0x9e | 0x9f | 0xb3 | 0xb4 | 0xbe | 0xbf | 0xd3 | 0xd4 | 0xdb | 0xdc => {
            bare(Deed::Divide)
        }
        0x1d | 0x1e => bare(Deed::Monitor),
        _ => None,
    }
}

/// A program of debug information, read number by number.
struct LineProgram<'a> {
    bytes: Bytes<'a>,
    at: usize,
}

impl LineProgram<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.u8(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn unsigned(&mut self) -> Option<i64> {
        let (value, after) = uleb(self.bytes, self.at)?;
        self.at = after;
        Some(i64::from(value))
    }

    /// A signed number: bit 6 of its last byte is the sign.
    fn signed(&mut self) -> Option<i64> {
        let from = self.at;
        let value = self.unsigned()?;
        let bits = 7 * (self.at - from);
        Some(match bits {
            0..32 if value >> (bits - 1) & 1 == 1 => value - (1 << bits),
            32.. => i64::from(u32::try_from(value).ok()?.cast_signed()),
            _ => value,
        })
    }
}

/// The program counters at which another line starts, in order. A program that is cut off gives what came before.
fn lines(
    bytes: Bytes<'_>,
    at: usize,
    budget: &mut Budget,
) -> Result<Vec<(u32, u32)>, &'static str> {
    let mut found = Vec::new();
    let mut program = LineProgram { bytes, at };
    let mut head = || {
        let line = program.unsigned()?;
        let parameters = program.unsigned()?;
        Some((line, parameters))
    };
    let Some((mut line, parameters)) = head() else {
        return Ok(found);
    };
    for _ in 0..parameters {
        budget.spend(1)?;
        program.unsigned();
    }
    let mut pc = 0_i64;
    loop {
        budget.spend(1)?;
        let step = match program.byte() {
            None | Some(0x00) => return Ok(found),
            Some(0x01) => program.unsigned().map(|by| pc = pc.saturating_add(by)),
            Some(0x02) => program.signed().map(|by| line = line.saturating_add(by)),
            // Starts and ends of local variables, and the name of another source file.
            Some(0x03) => (0..3).try_for_each(|_| program.unsigned().map(drop)),
            Some(0x04) => (0..4).try_for_each(|_| program.unsigned().map(drop)),
            Some(0x05 | 0x06 | 0x09) => program.unsigned().map(drop),
            Some(0x07 | 0x08) => Some(()),
            Some(special) => {
                let adjusted = i64::from(special) - 0x0a;
                line = line.saturating_add(adjusted % 15 - 4);
                pc = pc.saturating_add(adjusted / 15);
                if let (Ok(pc), Ok(line)) = (u32::try_from(pc), u32::try_from(line)) {
                    found.push((pc, line));
                }
                Some(())
            }
        };
        if step.is_none() {
            return Ok(found);
        }
    }
}

/// The method that the class of this annotation directory is declared in, by `dalvik.annotation.EnclosingMethod`.
fn enclosing(
    dex: &Dex<'_>,
    directory: usize,
    budget: &mut Budget,
) -> Result<Option<String>, &'static str> {
    const METHOD_VALUE: u8 = 0x1a;
    let set = match directory {
        0 => None,
        _ => dex.bytes.size(directory).filter(|&set| set != 0),
    };
    let Some(set) = set else {
        return Ok(None);
    };
    let count = dex.bytes.size(set).unwrap_or_default();
    for ix in 0..count {
        budget.spend(1)?;
        let read = || {
            let at = dex.bytes.size(set.checked_add(4 * (ix + 1))?)?;
            let (kind, at) = uleb(dex.bytes, at.checked_add(1)?)?;
            if dex.type_name(kind)? != b"Ldalvik/annotation/EnclosingMethod;" {
                return None;
            }
            // One element: its name, then the method's index in as few bytes as hold it.
            let (_, at) = uleb(dex.bytes, at)?;
            let (_, at) = uleb(dex.bytes, at)?;
            let head = dex.bytes.u8(at)?;
            if head & 0x1f != METHOD_VALUE {
                return None;
            }
            let index = (0..=usize::from(head >> 5)).try_fold(0_u32, |index, byte| {
                let value = u32::from(dex.bytes.u8(at + 1 + byte)?);
                Some(index | value.checked_shl(8 * u32::try_from(byte).ok()?)?)
            })?;
            let name = dex.member(dex.methods, index)?;
            Some(String::from_utf8_lossy(name).into_owned())
        };
        if let Some(name) = read() {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
