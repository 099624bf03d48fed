//! Random numbers of the session's seed in place of the machine's.
//!
//! Sees what draws a seed without a twin in [`twins`](super::twins): `new Random()` and `Collections.shuffle(List)`.

use super::call::{Call, Steps};

const CHANCE: &[u8] = b"Chance";

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.constructs(b"java/util/Random") && call.descriptor == b"()V" {
        to.boxed(CHANCE, b"nextSeed", b"()J");
        to.with_descriptor(call, b"(J)V");
    } else if call.is(b"java/util/Collections", b"shuffle")
        && call.descriptor == b"(Ljava/util/List;)V"
    {
        to.boxed(CHANCE, b"shuffle", call.descriptor);
    } else {
        return false;
    }
    true
}
