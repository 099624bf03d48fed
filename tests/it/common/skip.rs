//! A test that cannot run on this machine says why, and is counted: `cargo xtask test` prints the number and the reasons.
//!
//! The tests of the library and of the other packages include this file, so that all of them report in one way.

use std::fs::File;
use std::io::Write as _;

/// Names the file that collects what was skipped; a line is the test, a tab and the reason.
const FILE: &str = "SKIPPED_TESTS";

/// Reports that the test which runs on this thread cannot run here.
pub fn skip(reason: &str) {
    println!("skipped: {reason}");
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let thread = std::thread::current();
    let line = reason.replace(['\n', '\t'], " ");
    let line = format!("{}\t{line}\n", thread.name().unwrap_or("?"));
    // One write of a short line to a file opened for appending is not split, whoever else appends.
    let file = File::options().append(true).create(true).open(path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("cannot note the skipped test: {error}");
    }
}

/// The same, in place of what the test would need.
#[allow(dead_code)] // Not each of the programs that include this file needs both.
pub fn skipped<T>(reason: &str) -> Option<T> {
    skip(reason);
    None
}
