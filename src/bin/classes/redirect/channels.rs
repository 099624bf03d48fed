//! Leads calls of `java.nio.channels` that reach other machines to the agent.
//!
//! Sees what opens a channel or registers one with a selector. A socket's channel is replaced by one that never
//! connects; any other kind cannot be opened: an `IOException` is thrown in place of the call, and what follows it up to
//! the next place that can be reached is removed.

use super::call::{Call, Steps};
use dex2class::class::code::op;

const CHANNELS: &[u8] = b"java/nio/channels/";
const PROVIDER: &[u8] = b"java/nio/channels/spi/SelectorProvider";
const SOCKET: &[u8] = b"java/nio/channels/SocketChannel";
/// The agent's channel.
const OFFLINE: &[u8] = b"OfflineChannel";
const OPENED: &[u8] = b"()Ljava/nio/channels/SocketChannel;";

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if !call.owner.starts_with(CHANNELS) {
        return false;
    }
    let family = call.takes(b"(Ljava/net/ProtocolFamily;)");
    let connects = call.takes(b"(Ljava/net/SocketAddress;)");
    let plain = call.takes(b"()");
    if call.is(PROVIDER, b"openSocketChannel") && (plain || family) {
        to.op(if family { op::POP2 } else { op::POP });
        to.boxed(OFFLINE, b"open", OPENED);
    } else if call.is(SOCKET, b"open") && (plain || family || connects) {
        if family {
            to.op(op::POP);
        }
        let descriptor = if connects { call.descriptor } else { OPENED };
        to.boxed(OFFLINE, b"open", descriptor);
    } else if opens(call) && (plain || family || connects) {
        to.boxed(b"Process", b"noChannel", b"()Ljava/io/IOException;");
        to.op(op::ATHROW);
    } else if call.name == b"register" && call.takes(b"(Ljava/nio/channels/Selector;I") {
        let descriptor = call.with_first(b"Ljava/nio/channels/SelectableChannel;");
        to.boxed(OFFLINE, b"register", &descriptor);
    } else {
        return false;
    }
    true
}

/// Whether a call opens a channel to other machines.
fn opens(call: &Call<'_>) -> bool {
    if call.owner == PROVIDER {
        return call.name.starts_with(b"open") && call.name.ends_with(b"Channel");
    }
    call.name == b"open"
        && call.owner.ends_with(b"Channel")
        && !call.owner.ends_with(b"/FileChannel")
}
