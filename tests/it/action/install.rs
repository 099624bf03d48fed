//! How the action gets the programs: from the cache, from the release, from a build.

use super::{Done, Runner};
use std::fs;
use std::process::Command;

/// The tool, as far as these tests need it.
const TOOL: &str = "#!/bin/sh\necho cargo-droidtest 1.2.3\n";
/// Serves the files of the folder `release`, as GitHub does; exit code 22 is curl's for 404.
const CURL: &str = r#"#!/bin/sh
echo "$*" >>"$CALLS"
while [ $# -gt 0 ]; do
  case $1 in
    --output) out=$2; shift ;;
    https://*) url=$1 ;;
  esac
  shift
done
cp "$RELEASE/${url##*/}" "$out" 2>/dev/null || { echo "curl: (22) 404" >&2; exit 22; }
"#;
/// Builds: leaves the programs where `cargo install --root` does.
const CARGO: &str = r#"#!/bin/sh
echo "$PWD: cargo $*" >>"$CALLS"
while [ $# -gt 0 ]; do
  if [ "$1" = --root ]; then
    mkdir -p "$2/bin"
    printf '#!/bin/sh\necho built\n' >"$2/bin/cargo-droidtest"
    chmod +x "$2/bin/cargo-droidtest"
  fi
  shift
done
"#;
const ARCHIVE: &str = "cargo-droidtest-v1.2.3-x86_64-unknown-linux-gnu";

fn runner() -> Option<Runner> {
    let mut runner = Runner::new(&[
        ("SERVER_URL", "https://example.org"),
        ("REPOSITORY", "us/cargo-droidtest"),
        ("TARGET", "x86_64-unknown-linux-gnu"),
        ("VERSION", "1.2.3"),
        ("SOURCES", "5005"),
    ])?;
    for (name, folder) in [
        ("PROGRAMS", "programs"),
        ("RELEASE", "release"),
        ("ACTION_PATH", "action"),
    ] {
        let path = runner.text(folder);
        runner.set(name, path);
    }
    fs::create_dir_all(runner.path("release")).unwrap();
    fs::create_dir_all(runner.path("action")).unwrap();
    runner.program("curl", CURL);
    runner.program("cargo", CARGO);
    Some(runner)
}

/// A release with an archive of this name and its checksum.
fn release(runner: &Runner, name: &str, sources: &str) {
    runner.program("packed", TOOL);
    let script = r##"mkdir -p "$1" && cp ../bin/packed "$1/cargo-droidtest" && tar -czf "$1.tar.gz" "$1" && rm -r "$1" &&
        { echo "# sources $2"; sha256sum "$1.tar.gz"; } >SHA256SUMS"##;
    let done = Command::new("bash")
        .args(["-c", script, "pack", name, sources])
        .current_dir(runner.path("release"))
        .status();
    assert!(done.unwrap().success());
}

fn install(runner: &Runner) -> Done {
    runner.step("action/install.sh", &[])
}

#[test]
fn the_archive_of_the_release_is_installed_if_its_sources_are_the_actions() {
    let Some(runner) = runner() else { return };
    release(&runner, ARCHIVE, "5005");
    let done = install(&runner);
    let said = done.expect(0);
    assert_eq!(done.output("from"), "release");
    assert!(said.contains("cargo-droidtest 1.2.3"), "{said}");
    assert_eq!(
        runner.read("added-to-path"),
        format!("{}\n", runner.text("programs"))
    );
    let calls = runner.read("calls");
    assert!(
        calls
            .contains("https://example.org/us/cargo-droidtest/releases/download/v1.2.3/SHA256SUMS"),
        "{calls}"
    );
    assert!(
        calls.lines().all(|call| call.contains("--proto =https")),
        "{calls}"
    );
    // The next job finds it in the cache, and downloads nothing.
    fs::remove_file(runner.path("calls")).unwrap();
    let done = install(&runner);
    assert_eq!(
        (done.output("from"), runner.read("calls").as_str()),
        ("cache", "")
    );
}

#[test]
fn an_archive_with_another_checksum_is_not_installed_and_nothing_is_built_instead() {
    let Some(runner) = runner() else { return };
    release(&runner, ARCHIVE, "5005");
    runner.write(&format!("release/{ARCHIVE}.tar.gz"), "something else");
    let said = install(&runner).expect(1);
    assert!(
        said.contains("::error") && said.contains("it was not installed"),
        "{said}"
    );
    assert!(!runner.path("programs").exists() && !runner.read("calls").contains("cargo install"));
}

#[test]
fn without_a_release_of_these_sources_the_action_builds() {
    for (name, sources, said) in [
        (None, "", "no release v1.2.3"),
        (Some(ARCHIVE), "0ther", "built from other sources"),
        (
            Some("cargo-droidtest-v1.2.3-aarch64-apple-darwin"),
            "5005",
            "has no cargo-droidtest-v1.2.3-x86_64",
        ),
    ] {
        let Some(runner) = runner() else { return };
        if let Some(name) = name {
            release(&runner, name, sources);
        }
        let done = install(&runner);
        let all = done.expect(0);
        assert!(all.contains("::notice") && all.contains(said), "{all}");
        assert_eq!(done.output("from"), "source");
        let calls = runner.read("calls");
        let build = calls
            .lines()
            .find(|call| call.contains("cargo install --locked"))
            .expect("a build");
        // In the folder of the action.
        assert!(
            build.starts_with(&format!("{}: ", runner.text("action"))),
            "{build}"
        );
    }
}

#[test]
fn a_program_that_does_not_start_is_no_success() {
    let Some(runner) = runner() else { return };
    // In the cache: a program whose library is gone.
    runner.write("programs/cargo-droidtest", "#!/bin/sh\nexit 127\n");
    runner.program("cargo", "#!/bin/sh\necho cargo >>\"$CALLS\"\nexit 101\n");
    let done = install(&runner);
    assert_ne!(done.ended.code, 0, "{}", done.ended.all());
    assert!(!done.outputs.contains_key("from") && runner.read("added-to-path").is_empty());
}
