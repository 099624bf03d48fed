//! Learning: networks, replay memory, optimiser, policies. The only place that knows the tensor engine, which large
//! networks are computed by; those of 2 x 64 units are computed by hand ([`mlp`]).
//!
//! One thread, and nothing random of the engine's own: every first weight, mask and noise is drawn from the
//! session's generator, because libtorch's is one for the whole process. So two runs, or one run alone and
//! beside others, learn the same bit for bit.
//!
//! Without the feature `deep` only what needs no engine is there.

#[cfg(feature = "deep")]
pub mod adam;
pub mod bundle;
pub mod descent;
#[cfg(feature = "deep")]
pub mod dqn;
#[cfg(feature = "deep")]
pub mod engine;
pub mod event_model;
pub mod layout;
pub mod memory;
pub mod mlp;
#[cfg(feature = "deep")]
pub mod network;
pub mod observations;
#[cfg(feature = "deep")]
pub mod policy;
pub mod policy_file;
pub mod shown;
pub mod steps;

#[cfg(all(test, feature = "deep"))]
mod tests;
