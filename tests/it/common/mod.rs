//! What several files of tests share.

#[cfg(target_os = "linux")]
pub mod cage;
#[cfg(target_os = "linux")]
pub mod input;
pub mod phone;
pub mod planted;
#[cfg(target_os = "linux")]
pub mod prey;
pub mod suite;
