//! Leads handles on methods that have a twin in the agent to the twin.
//!
//! Sees constants that are method handles, in code (`const-method-handle`) and as arguments of bootstrap methods
//! (`invoke-custom`, and the lambdas of a build's class files). A handle on a twin has the same type.

use super::call::BOX;
use super::twins;
use dex2class::class::{Class, Entry, Idx, Insn, Pool};
use dex2class::hierarchy::Hierarchy;
use dex2class::pass::Pass;

/// Kinds of handles (Java's virtual machine specification, table 4.4.8): on methods of an object.
const OBJECT_KINDS: [u8; 3] = [5, 7, 9];
/// On a static method.
const STATIC_KIND: u8 = 6;

/// Leads handles to twins; see the module.
#[derive(Debug)]
pub struct HandleRedirection;

impl Pass for HandleRedirection {
    fn apply(&self, class: &mut Class, _: &dyn Hierarchy) {
        let pool = &mut class.pool;
        for bootstrap in &mut class.bootstraps {
            let arguments = bootstrap.arguments.iter_mut();
            for at in arguments.chain([&mut bootstrap.method]) {
                *at = redirected(pool, *at);
            }
        }
        for code in class.methods.iter_mut().filter_map(|m| m.code.as_mut()) {
            for insn in &mut code.insns {
                if let Insn::Const(at) = insn {
                    *at = redirected(pool, *at);
                }
            }
        }
    }
}

/// The number of the handle on the twin, or the same number.
fn redirected(pool: &mut Pool, at: Idx) -> Idx {
    let Entry::MethodHandle(kind, member) = pool.get(at) else {
        return at;
    };
    let is_static = kind == STATIC_KIND;
    if !is_static && !OBJECT_KINDS.contains(&kind) {
        return at;
    }
    let (owner, name, descriptor, _) = pool.member(member);
    let Some((class, method)) = twins::of_handle(owner, name, is_static) else {
        return at;
    };
    let rest = descriptor.get(1..).unwrap_or_default();
    let descriptor = match is_static {
        true => descriptor.to_vec(),
        false => [b"(L", owner, b";", rest].concat(),
    };
    let twin = pool.method(&[BOX, class].concat(), method, &descriptor, false);
    pool.entry(Entry::MethodHandle(STATIC_KIND, twin))
}
