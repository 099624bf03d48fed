//! Explore, crash, explain and guard Android apps from a declarative suite.
//!
//! Data flows in one direction: suite, plan, session, run events, journal, reports.
//! The modules below are in layers; a module uses only its layer's
//! folder or lower ones (`tests/it/layering.rs` checks it, CONTRIBUTING.md draws it).

pub mod exit_code;
pub mod util;

pub mod graph;
pub mod gui;
pub mod outcome;

pub mod android;
pub mod trace;

pub mod corpus;
pub mod settings;

pub mod apk;
pub mod device;
pub mod embed;
pub mod learn;

pub mod step;

pub mod coverage;
pub mod feature;
pub mod oracle;

pub mod reward;
pub mod strategy;

pub mod config;

pub mod explore;

pub mod repro;

pub mod run;

pub mod bench;
pub mod doctor;
pub mod export;
pub mod gate;
pub mod report;

pub mod watch;

pub mod cli;

#[cfg(test)]
#[path = "../tests/it/common/skip.rs"]
mod skip;
