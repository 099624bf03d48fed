//! The class as a file (JVM specification, chapter 4).

use super::assemble::Assembler;
use super::code::{Code, Label};
use super::frames::{FrameWriter, FramedMethod};
use super::pool::{Entry, Idx, Pool};
use super::stack::descriptor_slots;
use super::tables::{VariableWriter, write_handlers, write_lines};
use super::{Attribute, Bootstrap, Class, Method, access};
use std::fmt;

/// Why a class cannot be written. The class itself is unchanged but for its pool, so that a method can be replaced and
/// the class written again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// The class names more than 65,535 things.
    PoolFull,
    /// A method has more than 65,535 bytes of code.
    MethodTooLarge {
        /// Its number among the methods.
        method: usize,
        /// Bytes, at least.
        size: usize,
    },
    /// A method whose code has no instruction.
    EmptyCode {
        /// Its number among the methods.
        method: usize,
    },
    /// A label is used but does not occur before the last instruction, or it occurs twice.
    BadLabel {
        /// The number of the method.
        method: usize,
        /// The label.
        label: Label,
    },
    /// A `tableswitch` without keys, or with keys beyond the range of `int`.
    BadSwitch {
        /// The number of the method.
        method: usize,
    },
    /// More of something than its table, or its count, can hold.
    TooMany {
        /// Of what.
        what: &'static str,
        /// The number of the method, if it is one's.
        method: Option<usize>,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PoolFull => write!(to, "the constant pool has no room for another entry"),
            Self::MethodTooLarge { method, size } => {
                write!(
                    to,
                    "method {method} has {size} bytes of code, more than 65535"
                )
            }
            Self::EmptyCode { method } => write!(to, "method {method} has a body without code"),
            Self::BadLabel { method, label } => {
                write!(
                    to,
                    "method {method} uses label {} where it cannot be",
                    label.0
                )
            }
            Self::BadSwitch { method } => {
                write!(
                    to,
                    "method {method} has a switch without keys, or with keys that are no int"
                )
            }
            Self::TooMany {
                what,
                method: Some(method),
            } => write!(to, "method {method} has too many {what}"),
            Self::TooMany { what, method: None } => write!(to, "the class has too many {what}"),
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes a class. Constants that the code needs, and the names of attributes, are added to its pool; nothing else
/// changes. The same class gives the same bytes.
///
/// Labels become offsets, the height of the stack is computed, and so are the slots of local variables where the code
/// uses more than it says. Empty ranges of handlers and variables are left out. Code that never runs is written as it is:
/// it needs a frame like any other after an instruction that does not continue.
pub fn write(class: &mut Class) -> Result<Vec<u8>, WriteError> {
    let mut rest = Vec::with_capacity(16 * 1024);
    for each in [class.access, class.this, class.parent] {
        put2(&mut rest, each);
    }
    put_count(&mut rest, class.interfaces.len(), "interfaces", None)?;
    for each in &class.interfaces {
        put2(&mut rest, *each);
    }
    put_count(&mut rest, class.fields.len(), "fields", None)?;
    for field in &class.fields {
        for each in [field.access, field.name, field.descriptor] {
            put2(&mut rest, each);
        }
        put_count(
            &mut rest,
            field.attributes.len(),
            "attributes of a field",
            None,
        )?;
        write_attributes(&field.attributes, &mut rest)?;
    }
    put_count(&mut rest, class.methods.len(), "methods", None)?;
    let mut bodies = BodyWriter {
        this: class.this,
        is_object: class.parent == 0,
        assembler: Assembler::default(),
        frames: FrameWriter::default(),
        variables: VariableWriter::default(),
    };
    for (number, method) in class.methods.iter().enumerate() {
        bodies.write_method(number, method, &mut class.pool, &mut rest)?;
    }
    let bootstraps = usize::from(!class.bootstraps.is_empty());
    let attributes = class.attributes.len() + bootstraps;
    put_count(&mut rest, attributes, "attributes", None)?;
    write_attributes(&class.attributes, &mut rest)?;
    if bootstraps == 1 {
        put2(&mut rest, class.pool.utf8(b"BootstrapMethods"));
        write_bootstraps(&class.bootstraps, &mut rest)?;
    }
    // The pool is known now, and comes first in the file.
    if class.pool.is_full() {
        return Err(WriteError::PoolFull);
    }
    let mut out = Vec::with_capacity(rest.len() + class.pool.size() + 16);
    put4(&mut out, 0xcafe_babe);
    put2(&mut out, 0);
    put2(&mut out, class.major);
    write_pool(&class.pool, &mut out);
    out.extend_from_slice(&rest);
    Ok(out)
}

/// Writes the methods of a class. Keeps its tables from one to the next.
struct BodyWriter {
    this: Idx,
    /// Whether the class is `java/lang/Object`.
    is_object: bool,
    assembler: Assembler,
    frames: FrameWriter,
    variables: VariableWriter,
}

impl BodyWriter {
    fn write_method(
        &mut self,
        number: usize,
        method: &Method,
        pool: &mut Pool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        for each in [method.access, method.name, method.descriptor] {
            put2(out, each);
        }
        let (parameters, _) = descriptor_slots(pool.text(method.descriptor));
        if parameters + this_slots(method) > 255 {
            let (what, method) = ("parameters", Some(number));
            return Err(WriteError::TooMany { what, method });
        }
        let attributes = method.attributes.len() + usize::from(method.code.is_some());
        put_count(out, attributes, "attributes", Some(number))?;
        if let Some(code) = &method.code {
            put2(out, pool.utf8(b"Code"));
            let length = reserve_length(out);
            self.write_code(number, method, code, pool, out)?;
            fill_length(out, length)?;
        }
        write_attributes(&method.attributes, out)
    }

    fn write_code(
        &mut self,
        number: usize,
        method: &Method,
        code: &Code,
        pool: &mut Pool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let sizes = out.len();
        out.extend([0; 8]);
        let start = out.len();
        self.assembler.assemble(number, code, pool, out)?;
        let size = out.len() - start;
        let stack = self.assembler.sizer.max_stack(code, pool);
        let locals = self.max_locals(method, code, pool);
        for (at, limit, what) in [(0, stack, "stack slots"), (2, locals, "local variables")] {
            let count = to_count(limit as usize, what, Some(number))?;
            out[sizes + at..sizes + at + 2].copy_from_slice(&count.to_be_bytes());
        }
        out[sizes + 4..sizes + 8].copy_from_slice(&(size as u32).to_be_bytes());
        write_handlers(number, code, &self.assembler, size, out)?;

        let count_at = out.len();
        let mut count: u16 = 0;
        put2(out, 0);
        if !self.assembler.lines.is_empty() {
            count += u16::from(write_lines(&self.assembler.lines, size, pool, out)?);
        }
        if !code.locals.is_empty() {
            let (assembler, limits) = (&self.assembler, (size, locals));
            count += self.variables.write(code, assembler, limits, pool, out)?;
        }
        if !code.frames.is_empty() {
            put2(out, pool.utf8(b"StackMapTable"));
            let length = reserve_length(out);
            let framed = FramedMethod {
                number,
                method,
                this: self.this,
                is_object: self.is_object,
                code,
                size,
                assembler: &self.assembler,
            };
            self.frames.write(&framed, pool, out)?;
            fill_length(out, length)?;
            count += 1;
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }

    /// A pass may have used more slots than it says; the parameters need theirs in any case.
    fn max_locals(&self, method: &Method, code: &Code, pool: &Pool) -> u32 {
        let (parameters, _) = descriptor_slots(pool.text(method.descriptor));
        let parameters = parameters + this_slots(method);
        let used = self.assembler.max_locals.max(parameters);
        used.max(u32::from(code.max_locals))
    }
}

fn this_slots(method: &Method) -> u32 {
    u32::from(method.access & access::STATIC == 0)
}

fn write_attributes(attributes: &[Attribute], out: &mut Vec<u8>) -> Result<(), WriteError> {
    for each in attributes {
        put2(out, each.name);
        let length = reserve_length(out);
        out.extend_from_slice(&each.data);
        fill_length(out, length)?;
    }
    Ok(())
}

fn write_bootstraps(bootstraps: &[Bootstrap], out: &mut Vec<u8>) -> Result<(), WriteError> {
    let length = reserve_length(out);
    put_count(out, bootstraps.len(), "bootstrap methods", None)?;
    for each in bootstraps {
        put2(out, each.method);
        let what = "arguments of a bootstrap method";
        put_count(out, each.arguments.len(), what, None)?;
        for argument in &each.arguments {
            put2(out, *argument);
        }
    }
    fill_length(out, length)
}

fn write_pool(pool: &Pool, out: &mut Vec<u8>) {
    put2(out, pool.count() as u16);
    for (ix, entry) in pool.entries().iter().enumerate() {
        let (tag, first, second) = match *entry {
            Entry::Second => continue,
            Entry::Utf8(_, length) => {
                out.push(1);
                put2(out, length as u16);
                out.extend_from_slice(pool.text(ix as u16 + 1));
                continue;
            }
            Entry::Int(value) => {
                out.push(3);
                put4(out, value as u32);
                continue;
            }
            Entry::Float(bits) => {
                out.push(4);
                put4(out, bits);
                continue;
            }
            Entry::Long(value) => {
                out.push(5);
                out.extend_from_slice(&value.to_be_bytes());
                continue;
            }
            Entry::Double(bits) => {
                out.push(6);
                out.extend_from_slice(&bits.to_be_bytes());
                continue;
            }
            Entry::MethodHandle(kind, member) => {
                out.extend([15, kind]);
                put2(out, member);
                continue;
            }
            Entry::Class(name) => (7, name, None),
            Entry::String(text) => (8, text, None),
            Entry::Field(owner, pair) => (9, owner, Some(pair)),
            Entry::Method(owner, pair, false) => (10, owner, Some(pair)),
            Entry::Method(owner, pair, true) => (11, owner, Some(pair)),
            Entry::NameAndType(name, descriptor) => (12, name, Some(descriptor)),
            Entry::MethodType(descriptor) => (16, descriptor, None),
            Entry::DynamicConst(method, pair) => (17, method, Some(pair)),
            Entry::Dynamic(method, pair) => (18, method, Some(pair)),
            Entry::Module(name) => (19, name, None),
            Entry::Package(name) => (20, name, None),
        };
        out.push(tag);
        put2(out, first);
        if let Some(second) = second {
            put2(out, second);
        }
    }
}

pub(super) fn put2(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub(super) fn put4(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub(super) fn to_count(
    count: usize,
    what: &'static str,
    method: Option<usize>,
) -> Result<u16, WriteError> {
    u16::try_from(count).map_err(|_| WriteError::TooMany { what, method })
}

pub(super) fn put_count(
    out: &mut Vec<u8>,
    count: usize,
    what: &'static str,
    method: Option<usize>,
) -> Result<(), WriteError> {
    put2(out, to_count(count, what, method)?);
    Ok(())
}

/// Leaves room for the length of an attribute; returns where its content begins.
pub(super) fn reserve_length(out: &mut Vec<u8>) -> usize {
    put4(out, 0);
    out.len()
}

/// Writes the length of the attribute whose content began at `start`.
pub(super) fn fill_length(out: &mut [u8], start: usize) -> Result<(), WriteError> {
    let Ok(length) = u32::try_from(out.len() - start) else {
        let what = "bytes in an attribute";
        return Err(WriteError::TooMany { what, method: None });
    };
    out[start - 4..start].copy_from_slice(&length.to_be_bytes());
    Ok(())
}
