//! A class as the two files that coverage needs.

use super::{Accessor, class_id, instrument, instrument_except};
use crate::class::{Class, Code, Insn, ReadError, WriteError, read, write};
use crate::method::constructors::BRIDGE_LINE;
use std::fmt;

/// How far a jump reaches; code up to this size is written with the jumps that it has.
const SHORT_REACH: usize = 0x7fff;

/// The line of an instruction at address 0 of a method without lines.
pub const ADDRESS: u16 = 0x8000;
/// Traces show no line for it.
const UNKNOWN_LINE: u16 = 0;

/// A class with probes, and without them.
#[derive(Clone, Debug)]
pub struct ProbedFiles {
    /// The class file that runs.
    pub probed: Vec<u8>,
    /// The class file from which reports are made.
    pub plain: Vec<u8>,
    /// The id of `plain`.
    pub id: u64,
    /// How many probes there are.
    pub probes: u32,
    /// The numbers of the methods that have no room for probes. They run without; `plain` lacks them, so that no report
    /// counts their lines.
    pub without: Vec<usize>,
}

/// Why there are no such files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeError {
    /// The class cannot be written: [`WriteError::PoolFull`] may be due to the probes, anything else is not.
    Write(WriteError),
    /// The class file that was written is beyond the limits of [`read`].
    Read(ReadError),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => error.fmt(to),
            Self::Read(error) => error.fmt(to),
        }
    }
}

impl std::error::Error for ProbeError {}

impl From<WriteError> for ProbeError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<ReadError> for ProbeError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Writes a class without probes, puts probes into it, and writes it again.
pub fn write_probed(mut class: Class, accessor: &Accessor) -> Result<ProbedFiles, ProbeError> {
    let plain = write(&mut class)?;
    // Probes are numbered by the jumps of the file.
    if plain.len() > SHORT_REACH
        && class
            .methods
            .iter()
            .filter_map(|m| m.code.as_ref())
            .any(may_have_detours)
    {
        class = read(&plain)?;
    }
    let id = class_id(&plain);
    let methods = class.methods.len();
    let probes = instrument(&mut class, id, accessor);
    show_addresses(&mut class);
    match write(&mut class) {
        Ok(probed) => Ok(ProbedFiles {
            probed,
            plain,
            id,
            probes,
            without: Vec::new(),
        }),
        Err(error) => match method_of(error).filter(|ix| *ix < methods) {
            Some(first) => write_without(&read(&plain)?, first, accessor),
            None => Err(error.into()),
        },
    }
}

/// Gives addresses of dex instructions as lines from [`ADDRESS`] on, by which traces know them. `plain` has none of them:
/// more lines are more probes. A line of the source that is as high would be taken for an address, and becomes unknown.
fn show_addresses(class: &mut Class) {
    for code in class.methods.iter_mut().filter_map(|m| m.code.as_mut()) {
        for insn in &mut code.insns {
            match *insn {
                Insn::DexPc(pc) => {
                    let line = pc.checked_add(ADDRESS).filter(|line| *line < BRIDGE_LINE);
                    *insn = Insn::Line(line.unwrap_or(UNKNOWN_LINE));
                }
                Insn::Line(line) if (ADDRESS..BRIDGE_LINE).contains(&line) => {
                    *insn = Insn::Line(UNKNOWN_LINE);
                }
                _ => {}
            }
        }
    }
}

/// The same for a class of which at least one method has no room for probes.
fn write_without(
    whole: &Class,
    first: usize,
    accessor: &Accessor,
) -> Result<ProbedFiles, ProbeError> {
    let mut without = vec![first];
    loop {
        let mut kept = whole.clone();
        let mut numbers = 0..;
        kept.methods
            .retain(|_| !numbers.next().is_some_and(|ix| without.contains(&ix)));
        let plain = write(&mut kept)?;
        let id = class_id(&plain);
        let mut class = read(&plain)?;
        for ix in &without {
            class.methods.insert(*ix, whole.methods[*ix].clone());
        }
        let probes = instrument_except(&mut class, id, accessor, &without);
        match write(&mut class) {
            Ok(probed) => {
                return Ok(ProbedFiles {
                    probed,
                    plain,
                    id,
                    probes,
                    without,
                });
            }
            Err(error) => match method_of(error) {
                Some(ix) if ix < whole.methods.len() && !without.contains(&ix) => {
                    without.push(ix);
                    without.sort_unstable();
                }
                _ => return Err(error.into()),
            },
        }
    }
}

fn method_of(error: WriteError) -> Option<usize> {
    match error {
        WriteError::PoolFull | WriteError::TooMany { method: None, .. } => None,
        WriteError::MethodTooLarge { method, .. }
        | WriteError::EmptyCode { method }
        | WriteError::BadLabel { method, .. }
        | WriteError::BadSwitch { method }
        | WriteError::TooMany {
            method: Some(method),
            ..
        } => Some(method),
    }
}

/// Whether the code may be so large that jumps are written in other forms.
fn may_have_detours(code: &Code) -> bool {
    code.most_bytes() > SHORT_REACH
}
