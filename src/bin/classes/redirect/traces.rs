//! Stack traces without the agent's frames.
//!
//! Sees what prints a stack trace to a stream or writer, and every `getStackTrace()`, whose result it passes through
//! the agent.

use super::call::{Call, Steps};
use dex2class::class::code::op;

const TRACES: &[u8] = b"Traces";
/// Ends of the names of Java's classes that can be thrown.
const THROWN: &[&[u8]] = &[b"Throwable", b"Exception", b"Error"];

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.opcode == op::INVOKEVIRTUAL && prints(call) {
        let descriptor = call.with_first(b"Ljava/lang/Throwable;");
        to.boxed(TRACES, call.name, &descriptor);
        return true;
    }
    if call.name != b"getStackTrace" || call.descriptor != b"()[Ljava/lang/StackTraceElement;" {
        return false;
    }
    let filter: &[u8] = match call.owner {
        b"java/lang/Thread" => b"threadFrames",
        _ => b"frames",
    };
    to.original();
    to.boxed(
        TRACES,
        filter,
        b"([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;",
    );
    true
}

fn prints(call: &Call<'_>) -> bool {
    call.name == b"printStackTrace"
        && call.takes(b"(Ljava/io/Print")
        && call.owner.starts_with(b"java/")
        && THROWN.iter().any(|end| call.owner.ends_with(end))
}
