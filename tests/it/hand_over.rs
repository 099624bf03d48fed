//! A release's small program becomes the one with learning strategies, which lies beside it.

use crate::common::program::{Desk, Ended};
use droidtest::util::{learning_program, libtorch};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

const MODEL: &str = "[suite]\nname = \"s\"\nbudget = { events = 20 }\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";

/// Stands for the program with learning strategies: shows how it was started.
const OTHER: &str = "#!/bin/sh\necho \"other: $LD_LIBRARY_PATH: $*\"\nexit 42\n";

/// Stands for Python: pip downloads, and the script lays out what `find` accepts.
const PYTHON: &str = r#"#!/bin/sh
echo "$*" | head -n 1 >>"$0.calls"
[ "$1" = -c ] || exit 0
mkdir -p "$4/lib"
printf x >"$4/lib/libtorch.so"
printf '[{"path": "lib/libtorch.so", "bytes": 1}]' >"$4/manifest.json"
"#;

/// An installed release; the other program is there if `both`.
fn release(suite: &str, both: bool) -> Desk {
    let desk = Desk::new(suite);
    let program = |name: &str, bytes: &[u8]| {
        let path = desk.write(name, bytes);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program(
        "bin/cargo-droidtest",
        &fs::read(env!("CARGO_BIN_EXE_cargo-droidtest")).unwrap(),
    );
    program("tools/python3", PYTHON.as_bytes());
    if both {
        program(&format!("bin/{}", learning_program::NAME), OTHER.as_bytes());
    }
    desk
}

fn run(desk: &Desk, args: &[&str]) -> Ended {
    let mut command = Command::new(desk.path("bin/cargo-droidtest"));
    let tools = desk.path("tools");
    let path = format!("{}:/usr/bin:/bin", tools.display());
    command
        .env_clear()
        .env("PATH", path)
        .env("DROIDTEST_CACHE", desk.path("cache"));
    Ended::of(command.current_dir(desk.folder()).args(args))
}

/// Where libtorch lies in the cache.
fn libraries(desk: &Desk) -> String {
    desk.path("cache")
        .join(libtorch::entry())
        .join("lib")
        .display()
        .to_string()
}

#[test]
fn a_suite_that_learns_fetches_libtorch_once_and_is_run_by_the_other_program() {
    // The default strategy learns: a suite that names none needs the other program.
    for strategy in ["", "[[strategy]]\nkind = \"dinodroid\"\n"] {
        let desk = release(&format!("{MODEL}{strategy}"), true);
        let args = ["droidtest", "run", "--out", "o p"];
        let first = run(&desk, &args);
        let expected = format!("other: {}: run --out o p\n", libraries(&desk));
        assert_eq!(
            (first.code, first.out.as_str()),
            (42, expected.as_str()),
            "{}",
            first.err
        );
        assert!(first.err.contains("libtorch (518 MB)"), "{}", first.err);
        let calls = String::from_utf8(desk.read("tools/python3.calls")).unwrap();
        assert!(calls.contains("--require-hashes"), "{calls}");
        // From now on every command is its, and nothing is fetched.
        let second = run(&desk, &["list"]);
        assert_eq!((second.code, second.err.as_str()), (42, ""));
        assert_eq!(
            String::from_utf8(desk.read("tools/python3.calls")).unwrap(),
            calls
        );
        assert!(
            !desk.path("o p").exists(),
            "the small program explored, too"
        );
    }
}

#[test]
fn what_needs_no_libtorch_fetches_none() {
    let desk = release(&format!("{MODEL}[[strategy]]\nkind = \"random\"\n"), true);
    let done = run(&desk, &["run", "--out", "o"]);
    assert_eq!(done.code, 0, "{}", done.all());
    assert!(run(&desk, &["list"]).out.contains("random"));
    assert!(!desk.path("tools/python3.calls").exists() && !desk.path("cache/libtorch").exists());
}

#[test]
fn offline_the_download_is_refused_with_the_fix() {
    let desk = release(MODEL, true);
    let done = run(&desk, &["run", "--offline", "--out", "o"]);
    assert_eq!(done.code, 96, "{}", done.all());
    assert!(
        done.err.contains("cannot download with --offline"),
        "{}",
        done.err
    );
    assert!(!desk.path("o").exists() && !desk.path("tools/python3.calls").exists());
}

#[test]
fn another_mistake_of_the_suite_is_reported_without_a_download() {
    let desk = release(
        &format!("{MODEL}[[strategy]]\nkind = \"dinodroit\"\n"),
        true,
    );
    let done = run(&desk, &["run"]);
    assert_eq!(done.code, 96, "{}", done.all());
    assert!(done.err.contains("dinodroit") && !desk.path("tools/python3.calls").exists());
}

#[test]
fn the_small_program_alone_explains_what_it_lacks() {
    let desk = release(
        &format!("{MODEL}[[strategy]]\nkind = \"dinodroid\"\n"),
        false,
    );
    let done = run(&desk, &["--message-format", "json", "run", "--out", "o"]);
    assert_eq!(done.code, 96, "{}", done.all());
    assert!(done.all().contains("missing-engine"), "{}", done.all());
    // A suite without a strategy gets one that this build has.
    let desk = release(MODEL, false);
    assert!(run(&desk, &["list"]).out.contains("portfolio"));
}

#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    let desk = release(MODEL, true);
    desk.write(
        &format!("bin/{}", learning_program::NAME),
        "#!/no/such/shell\n",
    );
    let entry = format!("cache/{}", libtorch::entry());
    desk.write(&format!("{entry}/lib/libtorch.so"), "x");
    desk.write(&format!("{entry}/manifest.json"), json!([]).to_string());
    let done = run(&desk, &["list"]);
    assert_eq!(done.code, 96, "{}", done.all());
    assert!(
        done.err.contains("cannot start") && done.err.contains(learning_program::NAME),
        "{}",
        done.err
    );
}
