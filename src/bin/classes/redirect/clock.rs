//! The device's time in place of the machine's.
//!
//! Sees what reads the clock without a twin in [`twins`](super::twins): the constructors of `Date` and
//! `GregorianCalendar`, `Calendar.getInstance`, and `now()` of `java.time`.

use super::call::{Call, Steps};

const CLOCK: &[u8] = b"Clock";
const GREGORIAN: &[u8] = b"java/util/GregorianCalendar";
/// Sets a calendar to the device's time.
const SET: &[u8] = b"(Ljava/util/Calendar;)Ljava/util/Calendar;";

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.constructs(b"java/util/Date") && call.descriptor == b"()V" {
        to.boxed(CLOCK, b"currentTimeMillis", b"()J");
        to.with_descriptor(call, b"(J)V");
    } else if call.constructs(GREGORIAN) && call.fresh && !call.descriptor.contains(&b'I') {
        // Those with numbers set the time themselves.
        to.original();
        to.boxed(CLOCK, b"now", SET);
        to.cast(GREGORIAN);
    } else if call.is(b"java/util/Calendar", b"getInstance") {
        to.original();
        to.boxed(CLOCK, b"now", SET);
    } else if call.owner.starts_with(b"java/time/") && call.name == b"now" && call.takes(b"()") {
        to.boxed(CLOCK, b"javaClock", b"()Ljava/time/Clock;");
        to.with_descriptor(call, &call.with_first(b"Ljava/time/Clock;"));
    } else {
        return false;
    }
    true
}
