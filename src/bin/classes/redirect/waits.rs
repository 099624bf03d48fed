//! Leads waits of one thread for another to the agent's scheduler, `droidtest/sched/Hooks`.
//!
//! [`redirect`] knows `Object`'s methods, which are final, by name and descriptor in every class. [`ThreadGate`] adds a
//! call before the first instruction of every `run()`.

use super::call::{Call, Steps};
use dex2class::class::code::op;
use dex2class::class::{Class, Insn, access};
use dex2class::hierarchy::Hierarchy;
use dex2class::pass::Pass;

const HOOKS: &[u8] = b"droidtest/sched/Hooks";

/// Methods of `Object`: name, descriptor, and descriptor of the hook of the same name.
const OBJECT: &[(&[u8], &[u8], &[u8])] = &[
    (b"wait", b"()V", b"(Ljava/lang/Object;)V"),
    (b"wait", b"(J)V", b"(Ljava/lang/Object;J)V"),
    (b"wait", b"(JI)V", b"(Ljava/lang/Object;JI)V"),
    (b"notify", b"()V", b"(Ljava/lang/Object;)V"),
    (b"notifyAll", b"()V", b"(Ljava/lang/Object;)V"),
];

/// Static methods of `Thread` by which a thread lets others run.
const GIVE_WAY: &[&[u8]] = &[b"yield", b"onSpinWait"];

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.is_static() {
        let gives_way = call.owner == b"java/lang/Thread" && GIVE_WAY.contains(&call.name);
        if gives_way {
            to.invoke_static(HOOKS, b"giveWay", call.descriptor);
        }
        return gives_way;
    }
    let mut known = OBJECT.iter();
    let Some((name, _, hook)) = known.find(|m| m.0 == call.name && m.1 == call.descriptor) else {
        return false;
    };
    to.invoke_static(HOOKS, name, hook);
    true
}

/// Lets a new thread wait for its turn before it runs the app's code.
///
/// Sees every `run()` that a thread may run first: in a class that extends another than `Object`, since it may be a
/// thread. Adds a call of the scheduler at its beginning.
#[derive(Debug)]
pub struct ThreadGate;

impl Pass for ThreadGate {
    fn apply(&self, class: &mut Class, _: &dyn Hierarchy) {
        if matches!(class.parent_name(), None | Some(b"java/lang/Object")) {
            return;
        }
        let pool = &class.pool;
        let without_object = access::ABSTRACT | access::STATIC | access::NATIVE;
        let run = class.methods.iter().position(|method| {
            pool.text(method.name) == b"run"
                && pool.text(method.descriptor) == b"()V"
                && method.access & without_object == 0
        });
        let Some(method) = run.and_then(|at| class.methods.get_mut(at)) else {
            return;
        };
        if let Some(code) = &mut method.code {
            let gate = class.pool.method(HOOKS, b"gate", b"()V", false);
            code.insns.insert(0, Insn::Invoke(op::INVOKESTATIC, gate));
        }
    }
}
