//! The body of a method, from Dalvik's registers to the JVM's stack and local variables.
//!
//! | step | file |
//! |---|---|
//! | instructions in one shape | `decode`, `instruction`, `payload` |
//! | control flow graph | `flow` |
//! | objects before their constructor | `uninit`, `late` |
//! | live registers | `live` |
//! | registers split into values | `values` |
//! | types of values | `types`, `type_table`, `kinds`, `wants` |
//! | which values stay on the stack | `plan` |
//! | instructions of the class file | `emit`, `operands`, `ops`, `calls`, `arrays`, `array_data`, `blocks`, `slots`, `share`, `source` |
//!
//! All of it is linear in the size of the method, but for sets of live registers and frames, which grow with blocks times
//! live registers.

mod array_data;
mod arrays;
mod asked;
mod blocks;
mod calls;
pub mod constructors;
mod decode;
mod emit;
mod flow;
mod instruction;
mod kinds;
mod late;
mod live;
mod operands;
mod ops;
mod payload;
mod plan;
mod share;
mod slots;
mod source;
mod type_table;
mod types;
mod uninit;
mod values;
mod wants;

use crate::class::{Bootstrap, Code, Idx, Pool, access};
use crate::dex::{CodeItem, Dex, DexError};
use crate::hierarchy::Hierarchy;
pub use array_data::add_fill;
pub use asked::AskedTypes;
use decode::Body;
use emit::{Emitter, Known};
use flow::{Flow, Ids};
use instruction::Op;
pub use kinds::Kind;
use live::Live;
pub use payload::{instructions, length};
use plan::Plan;
use slots::Slots;
use source::SourceLines;
use type_table::Type;
pub use type_table::TypeTable;
use types::Types;
use uninit::{THIS, Uninit};
use values::Values;
use wants::Wants;

/// Why a method cannot be translated. Android's verifier would not accept most such methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The dex file is damaged.
    Dex(DexError),
    /// An instruction or payload is cut off.
    CutOff,
    /// An opcode that does not exist.
    UnknownOpcode,
    /// A register that the method does not have.
    BadRegister,
    /// A `move-result` or `move-exception` that does not belong to anything.
    BadResult,
    /// A jump into the middle of an instruction or out of the method.
    BadTarget,
    /// A call with the wrong number of arguments.
    BadArguments,
    /// A call site or method handle of a wrong form.
    BadCallSite,
    /// A value that is used as what it is not.
    BadType,
    /// Control leaves the code at its end.
    FallsOff,
    /// Beyond the limits of the class file format.
    TooLarge,
}

impl From<DexError> for Reason {
    fn from(error: DexError) -> Self {
        Self::Dex(error)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(match self {
            Self::Dex(error) => return error.fmt(to),
            Self::CutOff => "an instruction is cut off",
            Self::UnknownOpcode => "an opcode is unknown",
            Self::BadRegister => "a register does not exist",
            Self::BadResult => "a result has no call",
            Self::BadTarget => "a jump leads nowhere",
            Self::BadArguments => "a call has the wrong number of arguments",
            Self::BadCallSite => "a call site is malformed",
            Self::BadType => "a register holds what an instruction cannot use",
            Self::FallsOff => "control leaves the code at its end",
            Self::TooLarge => "it exceeds what a class file can hold",
        })
    }
}

/// Choices of a translation.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// A static method (class and name) that makes the error for an instruction whose class does not exist from the class's
    /// name; without one the error is made in place.
    pub missing_class: Option<(String, String)>,
    /// How the message of the error begins that a method throws which could not be translated; the method's class and name
    /// follow. Without one the message gives the reason.
    pub failure: Option<String>,
    /// Which methods are cut into parts, and into which.
    pub parts: Parts,
}

/// How methods are cut into parts (see [`crate::split`]). All numbers are bytes of code, about.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// A method beyond this is cut.
    pub from: usize,
    /// A part has no more, where places allow it.
    pub size: usize,
}

impl Default for Parts {
    /// Probes and redirected calls, which come later, may double a method; HotSpot compiles none of more than 8,000 bytes.
    fn default() -> Self {
        Self {
            from: 40_000,
            size: 6_500,
        }
    }
}

/// The class whose methods are translated, and what its methods share.
pub struct ClassScope<'s, 'a> {
    /// Its dex file.
    pub dex: &'s Dex<'a>,
    /// All classes.
    pub hierarchy: &'s dyn Hierarchy,
    /// Choices.
    pub options: &'s Options,
    /// Its descriptor.
    pub owner: &'a [u8],
    /// The name of its superclass.
    pub parent: Option<&'a [u8]>,
    /// What was asked of types of its dex file.
    pub asked: &'s AskedTypes,
}

/// What methods add to their class.
#[derive(Clone, Default, Debug)]
pub struct Added {
    /// Interfaces.
    pub interfaces: Vec<Idx>,
    /// The table of bootstrap methods.
    pub bootstraps: Vec<Bootstrap>,
    /// Whether the class needs the method that fills a `boolean[]`; see [`add_fill`].
    pub fills_booleans: bool,
}

/// What the steps of one method share.
struct Scope<'s, 'a> {
    class: &'s ClassScope<'s, 'a>,
    dex: &'s Dex<'a>,
    hierarchy: &'s dyn Hierarchy,
    options: &'s Options,
    owner: &'a [u8],
    parent: Option<&'a [u8]>,
    /// Descriptor of what the method returns.
    result: &'a [u8],
    body: &'s Body<'a>,
    flow: &'s Flow,
    uninit: &'s Uninit,
    /// Whether each block has a frame.
    cut: bool,
}

/// Blocks to which an instruction jumps.
fn targets_of(scope: &Scope<'_, '_>, ix: u32) -> Result<Ids, Reason> {
    let targets = flow::targets(scope.body, ix as usize)?;
    let find = |ix: usize| {
        let ix = u32::try_from(ix).map_err(|_| Reason::BadTarget)?;
        let blocks = &scope.flow.blocks;
        let at = blocks.binary_search_by_key(&ix, |block| block.first);
        let at = at.map_err(|_| Reason::BadTarget)?;
        u32::try_from(at).map_err(|_| Reason::TooLarge)
    };
    targets.into_iter().map(find).collect()
}

/// Instructions between two places at which a method can be cut, and bytes of a part for each of them.
const LONGEST_BLOCK: usize = 48;
const PART_FOR_BLOCK: usize = 128;

/// A method to translate.
pub struct Subject {
    /// Its index in the dex file.
    pub index: u32,
    /// Its flags.
    pub access: u32,
    /// Whether it is translated with many places at which it can be cut; see [`crate::split`].
    pub cut: bool,
}

/// Translates the body of a method.
///
/// # Errors
/// The method is not one that Android would run; see [`Reason`].
pub fn translate<'a>(
    class: &ClassScope<'_, 'a>,
    subject: &Subject,
    code: &CodeItem<'a>,
    table: &mut TypeTable,
    pool: &mut Pool,
    added: &mut Added,
) -> Result<Code, Reason> {
    let method = class.dex.method(subject.index)?;
    let proto = class.dex.proto(method.proto)?;
    let is_static = subject.access & u32::from(access::STATIC) != 0;
    let is_constructor = method.name == b"<init>" && !is_static;
    let mut body = Body::decode(class.dex, code)?;
    replace_missing(class, &mut body)?;
    let is_init = |index: u32| class.dex.method(index).is_ok_and(|m| m.name == b"<init>");
    let this = is_constructor
        .then(|| {
            code.registers
                .checked_sub(code.ins)
                .ok_or(Reason::BadRegister)
        })
        .transpose()?;
    if subject.cut {
        late::make_late(&mut body, code, this, &is_init, |kind| class.exists(kind))?;
    }
    let part = class.options.parts.size / PART_FOR_BLOCK;
    let longest = subject.cut.then_some(part.clamp(4, LONGEST_BLOCK));
    let flow = Flow::of(&body, code, longest, |kind| class.exists(kind))?;
    let mut parameters: Vec<(u16, &[u8])> = Vec::new();
    let mut register = code
        .registers
        .checked_sub(code.ins)
        .ok_or(Reason::BadRegister)?;
    let own = (!is_static).then_some(class.owner);
    let all = own.into_iter().map(Ok).chain(proto.parameters.iter());
    for kind in all {
        let kind = kind?;
        parameters.push((register, kind));
        register = register
            .checked_add(Kind::of(kind).slots())
            .ok_or(Reason::BadRegister)?;
    }
    if register != code.registers {
        return Err(Reason::BadRegister);
    }
    let uninit = Uninit::of(&body, &flow, this, is_init)?;
    let live = Live::of(&body, &flow, &uninit)?;
    let registers: Vec<u16> = parameters.iter().map(|p| p.0).collect();
    let values = Values::of(&body, &flow, &live, &uninit, &registers)?;
    let scope = Scope {
        class,
        dex: class.dex,
        hierarchy: class.hierarchy,
        options: class.options,
        owner: class.owner,
        parent: class.parent,
        result: proto.result,
        body: &body,
        flow: &flow,
        uninit: &uninit,
        cut: subject.cut,
    };
    let mut kinds: Vec<Type> = parameters.iter().map(|p| table.of(p.1)).collect();
    if is_constructor {
        kinds[0] = Type::Uninitialized(THIS);
    }
    let types = Types::of(&scope, &values, &kinds, table);
    let mut source = SourceLines::read(class.dex, code, &parameters, is_static);
    let named = source.named(&body);
    let wants = Wants::for_method(&scope)?;
    let plan = Plan::of(&scope, &values, &types, table, &wants, &|ix, register| {
        let kind = named.get(&ix).copied();
        kind.filter(|_| body.ins[ix as usize].dst == register)
    });
    let slots: Vec<(u16, Kind)> = parameters
        .iter()
        .map(|&(register, kind)| (register, Kind::of(kind)))
        .collect();
    let slots = Slots::new(&slots);
    let known = Known {
        wants: &wants,
        values: &values,
        types: &types,
        plan: &plan,
    };
    Emitter::new(&scope, known, table, pool, slots, added).run(&mut source)
}

/// An instruction that names a missing class throws on Android when control gets to it. The JVM's verifier would ask for
/// the class already when it checks the class around the instruction, and then reject all of that.
fn replace_missing(class: &ClassScope<'_, '_>, body: &mut Body<'_>) -> Result<(), Reason> {
    for ins in &mut body.ins {
        let owner = match ins.op {
            Op::Invoke(_) | Op::InvokePolymorphic => class.dex.method_owner(ins.index)?,
            Op::InstanceGet | Op::InstancePut | Op::StaticGet | Op::StaticPut => {
                class.dex.field_owner(ins.index)?
            }
            Op::NewInstance => ins.index,
            _ => continue,
        };
        if !class.exists(owner) {
            ins.op = Op::Missing;
            ins.index = owner;
            ins.uses.1 = 0;
            ins.dst = instruction::NONE;
        }
    }
    Ok(())
}

/// A call of a constructor as the dex file has it.
pub struct ConstructorCall<'a> {
    /// Descriptor of the object's class; none for the constructor's own object.
    pub made: Option<&'a [u8]>,
    /// Descriptor of the class that the call names.
    pub named: &'a [u8],
    /// Descriptor of the constructor.
    pub descriptor: Vec<u8>,
}

/// All calls of constructors in a method.
///
/// # Errors
/// The method cannot be translated either.
pub fn constructor_calls<'a>(
    dex: &Dex<'a>,
    method: &crate::dex::EncodedMethod,
    code: &CodeItem<'a>,
) -> Result<Vec<ConstructorCall<'a>>, Reason> {
    let body = Body::decode(dex, code)?;
    let flow = Flow::of(&body, code, None, |_| true)?;
    let is_constructor = |index: u32| {
        dex.method(index)
            .is_ok_and(|method| method.name == b"<init>")
    };
    let is_static = method.access & u32::from(access::STATIC) != 0;
    let this = (is_constructor(method.ix) && !is_static)
        .then(|| {
            code.registers
                .checked_sub(code.ins)
                .ok_or(Reason::BadRegister)
        })
        .transpose()?;
    let uninit = Uninit::of(&body, &flow, this, is_constructor)?;
    let mut calls = Vec::new();
    for (&ix, call) in &uninit.calls {
        let named = dex.method(body.ins[ix as usize].index)?;
        let mut descriptor = Vec::new();
        dex.proto(named.proto)?.descriptor(&mut descriptor)?;
        let made = match call.site {
            THIS => None,
            site => Some(dex.type_name(body.ins[site as usize].index)?),
        };
        calls.push(ConstructorCall {
            made,
            named: named.owner,
            descriptor,
        });
    }
    Ok(calls)
}
