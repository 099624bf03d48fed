//! Results for a reader that has gone away, as with `| true`: nobody misses them, so nothing is wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SUITE: &str = "[suite]\nname = \"b\"\nbudget = { events = 50 }\nseeds = [1]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"random\"\n\
    [[strategy]]\nkind = \"monkey\"\n";

/// Runs the program with nobody reading its output; it ends well.
fn unread(folder: &Path, args: &str) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let out = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .env_clear()
        .current_dir(folder)
        .args(args.split_whitespace())
        .stdin(Stdio::null())
        .stdout(writer)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{args}: {said}");
}

#[test]
fn no_result_needs_a_reader() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("droidtest.toml"), SUITE).unwrap();
    for args in [
        "bench",
        "bench --no-run",
        "bench --no-run --message-format json",
        "bench fate builtin:shop --strings 3 --strategies random --steps 50 --seeds 1 --fresh",
        "bench fate builtin:shop --strings 3 --strategies random --steps 50 --seeds 1 --fresh --message-format json",
        "model check builtin:shop builtin:notes",
        "model draw builtin:shop",
        "model augment builtin:shop",
        "model generate",
    ] {
        unread(folder.path(), args);
    }
}
