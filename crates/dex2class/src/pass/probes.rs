//! JaCoCo's probes: which parts of a class were executed.
//!
//! A class gets the id, and its methods the probes, that JaCoCo 0.8.13 would give to the class file of the class *as it
//! was before this pass*. An exec file of what the probes record can therefore be read by JaCoCo's own tools, together
//! with those class files.
//!
//! What is added:
//! - at the start of each method the probe array is put into a local variable that follows the parameters;
//! - a probe sets one element of it;
//! - the array comes from a static method `$jacocoInit`, which keeps it in a static field `$jacocoData` and asks the
//!   [`Accessor`] if the field is null. An interface's field is final: its static initializer fills it, and until it has,
//!   each call asks. An interface that has no code but a static initializer gets no members.

use crate::class::code::op;
use crate::class::stack::descriptor_slots;
use crate::class::{Class, Code, Entry, Field, Frame, Idx, Insn, Method, VType, access};
use flow::Flow;
use std::ops::Range;

mod crc64;
mod files;
mod flow;
mod insert;

pub use crc64::class_id;
pub use files::{ProbeError, ProbedFiles, write_probed};

const FIELD: &[u8] = b"$jacocoData";
const METHOD: &[u8] = b"$jacocoInit";
const ARRAY: &[u8] = b"[Z";
const CLINIT: &[u8] = b"<clinit>";

/// The static method that instrumented classes ask for their probe array: `boolean[] name(long id, String class, int
/// count)`.
#[derive(Clone, Copy, Debug)]
pub struct Accessor<'a> {
    /// Its class (`a/b/C`).
    pub owner: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
}

/// The numbers of each method's probes, by the method's number in the class; empty for a method without code.
pub fn ranges(class: &Class) -> Vec<Range<u32>> {
    let mut first = 0;
    let range_of = |method: &Method| {
        let start = first;
        if let Some(code) = &method.code {
            first = Flow::new(code, first).end;
        }
        start..first
    };
    class.methods.iter().map(range_of).collect()
}

/// Puts probes into a class and returns their number. `id` is the [`class_id`] of the class as a file, which has to have
/// the jumps of this [`Code`]: if `write` took other ways to targets that are too far, the class must have been read from
/// that file. [`write_probed`] sees to both.
///
/// A class that has JaCoCo's members already is left as it is, and 0 returned. In a method that has no slot left for the
/// array the probes are counted but never hit.
pub fn instrument(class: &mut Class, id: u64, accessor: &Accessor) -> u32 {
    instrument_except(class, id, accessor, &[])
}

/// The same, but some methods, given by their numbers in the class, get no probes and no numbers. It is for methods that
/// would be larger than 65,535 bytes with them. `id` must be that of a class file *without* these methods, and that file
/// must be what a report is made of, since JaCoCo would count on probes in them.
pub fn instrument_except(
    class: &mut Class,
    id: u64,
    accessor: &Accessor,
    methods: &[usize],
) -> u32 {
    if is_instrumented(class) {
        return 0;
    }
    let mut count = 0;
    let mut flows = Vec::new();
    for (ix, method) in class.methods.iter().enumerate() {
        if let Some(code) = &method.code
            && !methods.contains(&ix)
        {
            let flow = Flow::new(code, count);
            count = flow.end;
            flows.push((ix, flow));
        }
    }
    if count == 0 {
        return 0;
    }
    let is_initializer = |method: &Method| class.pool.text(method.name) == CLINIT;
    let initializer = flows
        .iter()
        .map(|(ix, _)| *ix)
        .find(|ix| is_initializer(&class.methods[*ix]));
    let only_initializer = flows
        .iter()
        .all(|(ix, _)| is_initializer(&class.methods[*ix]));
    let members = Members::new(class, id, accessor, count);
    let interface = class.is_interface();
    for (ix, flow) in &flows {
        let method = &mut class.methods[*ix];
        let (parameters, _) = descriptor_slots(class.pool.text(method.descriptor));
        let parameters = parameters + u32::from(method.access & access::STATIC == 0);
        // A method with more than 255 cannot be written.
        let parameters = u16::try_from(parameters).unwrap_or(u16::MAX);
        let load = match interface {
            true if only_initializer => members.ask().to_vec(),
            true if initializer == Some(*ix) => members.ask_and_keep(),
            _ => vec![Insn::Invoke(op::INVOKESTATIC, members.method)],
        };
        if let Some(code) = &mut method.code {
            insert::insert(code, flow, parameters, &load, members.array);
        }
    }
    if !(interface && only_initializer) {
        members.add_to(class, interface, initializer.is_some());
    }
    count
}

/// Whether the class has members of these probes or of JaCoCo.
fn is_instrumented(class: &Class) -> bool {
    let named = |name: Idx, wanted: &[u8]| class.pool.text(name) == wanted;
    let fields = class.fields.iter();
    let methods = class.methods.iter();
    fields
        .map(|field| field.name)
        .any(|name| named(name, FIELD))
        || methods
            .map(|method| method.name)
            .any(|name| named(name, METHOD))
}

/// The members of a class that hold its probe array, and what they need.
struct Members {
    /// Entries of the pool: the field and the method.
    field: Idx,
    method: Idx,
    /// The array's class.
    array: Idx,
    /// Arguments of the accessor, and itself.
    id: Idx,
    name: Idx,
    count: i32,
    accessor: Idx,
}

impl Members {
    fn new(class: &mut Class, id: u64, accessor: &Accessor, count: u32) -> Self {
        let interface = class.is_interface();
        let name = class.name().to_vec();
        let pool = &mut class.pool;
        Self {
            field: pool.field(&name, FIELD, ARRAY),
            method: pool.method(&name, METHOD, b"()[Z", interface),
            array: pool.class(ARRAY),
            id: pool.entry(Entry::Long(id.cast_signed())),
            name: pool.string(&name),
            count: i32::try_from(count).unwrap_or(i32::MAX),
            accessor: pool.method(
                accessor.owner,
                accessor.name,
                b"(JLjava/lang/String;I)[Z",
                false,
            ),
        }
    }

    /// Pushes the array that the accessor gives.
    fn ask(&self) -> [Insn; 4] {
        [
            Insn::Const(self.id),
            Insn::Const(self.name),
            Insn::Push(self.count),
            Insn::Invoke(op::INVOKESTATIC, self.accessor),
        ]
    }

    /// The same, and keeps it in the field.
    fn ask_and_keep(&self) -> Vec<Insn> {
        let keep = [Insn::Op(op::DUP), Insn::Field(op::PUTSTATIC, self.field)];
        self.ask().into_iter().chain(keep).collect()
    }

    fn add_to(&self, class: &mut Class, interface: bool, has_initializer: bool) {
        let keeper = match interface {
            // The flags that an interface's field must have.
            true => access::PUBLIC | access::FINAL,
            false => access::PRIVATE | access::TRANSIENT,
        };
        class.fields.push(Field {
            access: keeper | access::STATIC | access::SYNTHETIC,
            name: class.pool.utf8(FIELD),
            descriptor: class.pool.utf8(ARRAY),
            attributes: Vec::new(),
        });
        let body = self.method_body(interface);
        add_method(class, access::PRIVATE, METHOD, b"()[Z", body);
        if interface && !has_initializer {
            let mut insns = self.ask().to_vec();
            insns.push(Insn::Field(op::PUTSTATIC, self.field));
            insns.push(Insn::Op(op::RETURN));
            let body = Code {
                insns,
                ..Code::default()
            };
            add_method(class, 0, CLINIT, b"()V", body);
        }
    }

    /// The body of `$jacocoInit`.
    fn method_body(&self, interface: bool) -> Code {
        let mut code = Code::default();
        let known = code.label();
        code.insns.extend([
            Insn::Field(op::GETSTATIC, self.field),
            Insn::Op(op::DUP),
            Insn::Jump(op::IFNONNULL, known),
            Insn::Op(op::POP),
        ]);
        match interface {
            true => code.insns.extend(self.ask()),
            false => code.insns.extend(self.ask_and_keep()),
        }
        code.insns
            .extend([Insn::Label(known), Insn::Op(op::ARETURN)]);
        let frame = Frame {
            locals: Vec::new(),
            stack: vec![VType::Object(self.array)],
        };
        code.frames.push((known, frame));
        code
    }
}

fn add_method(class: &mut Class, flags: u16, name: &[u8], descriptor: &[u8], code: Code) {
    class.methods.push(Method {
        access: flags | access::STATIC | access::SYNTHETIC,
        name: class.pool.utf8(name),
        descriptor: class.pool.utf8(descriptor),
        code: Some(code),
        attributes: Vec::new(),
    });
}

#[cfg(test)]
mod tests;
