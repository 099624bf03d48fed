//! The integration tests: one binary, as each is linked apart. A file is a module; `common` is what they share.
//!
//! All run in one process, two or more at a time. A test that changes the process (its environment, working folder,
//! limits, signals) does so in a child: `jvm_process` starts this binary again with the exact name of a test.

mod common;

#[cfg(unix)]
mod action;
mod agent_reflection;
mod android_samples;
mod apks;
mod assertions;
mod bad_input;
mod bench_fate;
mod bench_sim;
mod bundle;
#[cfg(target_os = "linux")]
mod calls;
mod changed;
#[cfg(unix)]
mod closed_output;
mod comment;
mod completions;
mod config_cli;
mod config_errors;
mod config_examples;
mod config_places;
mod config_robust;
mod console_edge;
mod corpus;
#[cfg(unix)]
mod coverage_sources;
#[cfg(unix)]
mod ctrl_c;
mod demonstrations;
mod docs;
#[cfg(target_os = "linux")]
mod escape;
#[cfg(unix)]
mod export;
mod failed_session;
mod fingerprints;
mod flaky_sim;
mod gate;
mod guide_sim;
mod handed_sim;
#[cfg(target_os = "linux")]
mod hostile;
mod json_lines;
mod jvm_compose;
mod jvm_confine;
#[cfg(unix)]
mod jvm_device;
mod jvm_large;
mod jvm_libraries;
mod jvm_nodes;
mod jvm_notes;
mod jvm_outside;
mod jvm_platform;
mod jvm_probe;
#[cfg(target_os = "linux")]
mod jvm_process;
mod jvm_provoked;
mod jvm_replay;
mod jvm_service;
mod jvm_shortness;
mod jvm_splits;
mod jvm_threads;
mod jvm_translate;
mod jvm_versions;
mod jvm_web;
mod known_crashes;
mod layering;
mod learning;
#[cfg(unix)]
mod live;
mod manners;
mod minimize_sim;
#[cfg(unix)]
mod model_apk;
mod portfolio_sim;
mod project;
mod replay_sim;
mod reuse_sim;
mod run_sim;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod sandbox_end;
mod sarif;
mod shards;
mod shipped_embedding;
mod strategies;
mod strings;
mod supply;
mod timemachine_jvm;
mod timemachine_sim;
mod words;
mod zero_config;
