//! Programs that end with their standard input.

use std::process::{Command, Stdio};

/// Runs a program to its end with its standard input held open, and gives what it wrote.
pub fn output_with_input_open(command: &mut Command) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    String::from_utf8(output.stdout).unwrap()
}
