//! Learning: replay memory, deep Q-learning, policies, and the small networks of the ARES family ([`mlp`]). The network of
//! DinoDroid is a crate of its own, `droidtest_network`.
//!
//! Every first weight, mask and noise is drawn from the session's generator. So two runs, or one run alone and beside
//! others, learn the same bit for bit.

pub mod bundle;
pub mod descent;
pub mod dqn;
pub mod event_model;
pub mod memory;
pub mod mlp;
pub mod observations;
pub mod policy;
pub mod policy_file;
pub mod shown;
pub mod steps;

#[cfg(test)]
mod tests;
