//! Gives native methods of trivial AndroidX libraries a body that calls the agent's `Natives`.
//!
//! Sees native methods that are known by name and descriptor: shrinkers rename classes, and leave native methods their
//! names, since the library looks for them.

use dex2class::class::code::op;
use dex2class::class::{Class, Code, Insn, access};
use dex2class::hierarchy::Hierarchy;
use dex2class::pass::Pass;

const BODIES: &[u8] = b"droidtest/host/box/Natives";

/// A native method that is known.
struct Native {
    name: &'static [u8],
    descriptor: &'static [u8],
    /// The instructions that load its parameters.
    loads: &'static [u8],
    /// The instruction that returns its result.
    returns: u8,
}

const fn native(
    name: &'static [u8],
    descriptor: &'static [u8],
    loads: &'static [u8],
    returns: u8,
) -> Native {
    Native {
        name,
        descriptor,
        loads,
        returns,
    }
}

#[rustfmt::skip]
const KNOWN: &[Native] = &[
    native(b"internalConicToQuadratics", b"([FI[FFF)I", &[op::ALOAD, op::ILOAD, op::ALOAD, op::FLOAD, op::FLOAD], op::IRETURN),
    native(b"nativeTruncateFile", b"(I)I", &[op::ILOAD], op::IRETURN),
    native(b"nativeCreateSharedCounter", b"(I)J", &[op::ILOAD], op::LRETURN),
    native(b"nativeGetCounterValue", b"(J)I", &[op::LLOAD], op::IRETURN),
    native(b"nativeIncrementAndGetCounterValue", b"(J)I", &[op::LLOAD], op::IRETURN),
];

/// Gives native methods bodies; see the module.
#[derive(Debug)]
pub struct NativeBodies;

impl Pass for NativeBodies {
    fn apply(&self, class: &mut Class, _: &dyn Hierarchy) {
        for method in &mut class.methods {
            if method.access & access::NATIVE == 0 {
                continue;
            }
            let name = class.pool.text(method.name);
            let descriptor = class.pool.text(method.descriptor);
            let mut known = KNOWN.iter();
            let known = known.find(|known| known.name == name && known.descriptor == descriptor);
            let Some(known) = known else { continue };
            method.access &= !access::NATIVE;
            let called = class
                .pool
                .method(BODIES, known.name, known.descriptor, false);
            method.code = Some(body(known, method.access & access::STATIC != 0, called));
        }
    }
}

fn body(known: &Native, is_static: bool, called: u16) -> Code {
    let mut code = Code {
        max_locals: u16::from(!is_static),
        ..Code::default()
    };
    for &load in known.loads {
        code.insns.push(Insn::Var(load, code.max_locals));
        code.max_locals += if load == op::LLOAD { 2 } else { 1 };
    }
    code.insns.push(Insn::Invoke(op::INVOKESTATIC, called));
    code.insns.push(Insn::Op(known.returns));
    code
}
