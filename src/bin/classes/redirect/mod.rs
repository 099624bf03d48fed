//! Redirects calls that would leave the device, or see the machine's clock or random numbers, to the agent.
//!
//! [`passes`] lists the passes in their order. [`CallRedirection`] replaces calls; which ones, and by what, is in one
//! file for each subject, as a [`Rule`]: the first rule that answers decides. The agent's classes that take the calls are
//! in `src/device/agent/java/droidtest/host/box` and `droidtest/sched/Hooks.java`.

mod app_probes;
mod call;
mod channels;
mod clock;
mod files;
mod handles;
mod loaders;
mod locales;
mod native_bodies;
mod random;
mod redirection;
mod shaders;
mod source_file;
#[cfg(test)]
mod tests;
mod traces;
mod twins;
mod unreachable;
mod waits;

use call::{Call, Steps};
use dex2class::pass::Pass;
pub use redirection::CallRedirection;
pub use source_file::set_source_file;

/// The treatment of calls that would leave the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Redirected to the device.
    Confined,
    /// Unchanged, except that threads still take turns.
    Open,
}

/// Writes what takes the place of a call. False, with nothing written, where it is no call that the rule knows.
type Rule = fn(&Call<'_>, &mut Steps<'_>) -> bool;

/// The rules with which calls stay inside the device, in their order.
const CONFINED: &[Rule] = &[
    waits::redirect,
    channels::redirect,
    twins::redirect,
    clock::redirect,
    random::redirect,
    locales::redirect,
    traces::redirect,
    shaders::redirect,
    files::redirect,
    loaders::redirect,
];

/// The rules with which calls may leave it.
const OPEN: &[Rule] = &[waits::redirect];

/// The passes in their order. Probes come after them, so that they do not count what is added here apart.
pub fn passes(calls: Calls) -> Vec<Box<dyn Pass>> {
    let mut passes: Vec<Box<dyn Pass>> = vec![
        Box::new(app_probes::AppProbes),
        Box::new(match calls {
            Calls::Confined => CallRedirection::new(CONFINED, true),
            Calls::Open => CallRedirection::new(OPEN, false),
        }),
        Box::new(waits::ThreadGate),
        Box::new(native_bodies::NativeBodies),
    ];
    if calls == Calls::Confined {
        passes.push(Box::new(handles::HandleRedirection));
    }
    passes
}
