//! The README's second command: everything that must hold before a change lands.

use crate::{Result, engine, reflect, round_trip, sh};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Skipped tests that are named for each reason.
const NAMED: usize = 3;

pub fn run(args: &[String]) -> Result {
    let _ = fs::remove_file(skips());
    sh::show(sh::cargo().args(["fmt", "--all", "--check"]))?;
    timed("programs", programs)?;
    timed("build", build)?;
    // The jvm device's end-to-end tests need its parts; fetched once, then nothing is done here.
    timed("setup", || sh::show(Command::new(sh::tool()).arg("setup")))?;
    // A library's own tests after a round trip through dex: `cargo xtask round-trip` does it for all libraries.
    let trip = timed("round trip", round_trip::quick);
    let complete = timed("tests of the complete tool", || run_complete(args));
    let units = timed("other tests", || run_units(args));
    let engine = timed("tests of libtorch's engine", run_engine);
    eprint!(
        "{}",
        skipped(&fs::read_to_string(skips()).unwrap_or_default())
    );
    complete.and(units).and(engine).and(trip)
}

/// Where tests that cannot run here say so (`tests/it/common/skip.rs`).
fn skips() -> PathBuf {
    sh::target().join("skipped-tests.txt")
}

/// How many tests were skipped, and why: the lines of that file are a test, a tab and the reason.
fn skipped(lines: &str) -> String {
    let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (test, reason) in lines.lines().filter_map(|line| line.split_once('\t')) {
        reasons.entry(reason).or_default().insert(test);
    }
    let tests: BTreeSet<&str> = reasons.values().flatten().copied().collect();
    let mut text = format!("xtask: {} tests were skipped\n", tests.len());
    for (reason, tests) in reasons {
        let names: Vec<_> = tests.iter().take(NAMED).copied().collect();
        let more = match tests.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text += &format!("  {}: {reason} ({}{more})\n", tests.len(), names.join(", "));
    }
    text
}

/// Runs a step and prints how long it took.
fn timed(step: &str, run: impl FnOnce() -> Result) -> Result {
    let start = Instant::now();
    let result = run();
    eprintln!("xtask: {step}: {} s", start.elapsed().as_secs());
    result
}

/// Builds and lints everything. What this builds, the tests run.
fn build() -> Result {
    sh::show(workspace().args(["--no-run", "--all-targets"]))
}

/// `cargo test` with Clippy as the compiler of our packages: it builds what it lints. Beside `cargo clippy`, cargo would
/// compile each dependency once for the lints and once for the tests.
fn test() -> Command {
    let mut test = sh::cargo();
    let wrapper = format!("build.rustc-workspace-wrapper={:?}", sh::clippy_driver());
    test.args(["--config", &wrapper, "test", "--no-fail-fast"]);
    test.env("SKIPPED_TESTS", skips());
    // What `cargo clippy -- -D warnings` passes to it.
    let separator = "__CLIPPY_HACKERY__";
    test.env("CLIPPY_ARGS", format!("-D{separator}warnings{separator}"));
    test
}

/// The programs and frameworks that tests use.
fn programs() -> Result {
    adb()?;
    jq()?;
    aapt2();
    chromium();
    export_tools()?;
    // The oldest level, one between, and the one that the agent is compiled against.
    reflect::run(&["21", "28", "34"].map(str::to_owned))
}

/// Tests of all packages.
fn workspace() -> Command {
    let mut test = test();
    test.arg("--workspace");
    test
}

/// The tests of the complete tool and those of the rig, which both start hundreds of programs.
fn run_complete(args: &[String]) -> Result {
    let select = |name: &str| {
        let mut test = workspace();
        test.args(["--test", name]).args(args);
        test
    };
    beside(&mut select("rig"), waiting(&mut select("it")))
}

/// All unit tests, and those of the tools.
fn run_units(args: &[String]) -> Result {
    let units = sh::show(
        workspace()
            .args(["--lib", "--bins", "--test", "[!ir]*"])
            .args(args),
    );
    units.and(sh::show(workspace().arg("--doc").args(args)))
}

/// The network by libtorch: only its own crate is built again.
fn run_engine() -> Result {
    engine::prepare()?;
    let engine = ["--package", "droidtest-network", "--features", "tch"];
    sh::show(test().args(engine))
}

/// Runs two commands side by side, and shows the first one's output last: one waits for processes while the other
/// computes.
fn beside(hidden: &mut Command, shown: &mut Command) -> Result {
    let path = sh::target().join("tests-beside.log");
    let unusable = |e: io::Error| format!("{}: {e}", path.display());
    let log = File::create(&path).map_err(unusable)?;
    let mut running = waiting(hidden)
        .stdout(log.try_clone().map_err(unusable)?)
        .stderr(log)
        .spawn()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let shown = sh::show(shown);
    let status = running.wait().map_err(unusable)?;
    let mut log = File::open(&path).map_err(unusable)?;
    io::copy(&mut log, &mut io::stdout()).map_err(unusable)?;
    if !status.success() {
        return Err(format!("tests beside those of `it` failed ({status})"));
    }
    shown
}

/// One test more at a time than there are cores, unless the shell says how many: many tests wait for processes.
fn waiting(test: &mut Command) -> &mut Command {
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        test.env("RUST_TEST_THREADS", (cores + 1).to_string());
    }
    test
}

/// The tests of apps made from models skip without it, and report it.
fn aapt2() {
    let found = Command::new("aapt2").arg("version").output().is_ok();
    let install = ["-qq", "install", "-y", "aapt", "apksigner"];
    if !found && sh::show(Command::new("apt-get").args(install)).is_err() {
        eprintln!("aapt2 is missing: install Android's build-tools to test `model apk`");
    }
}

/// The tests of web views in Chromium skip without it, and report it.
fn chromium() {
    let names = [
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    let found = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let install = ["-qq", "install", "-y", "chromium"];
    if !names.into_iter().any(found) && sh::show(Command::new("apt-get").args(install)).is_err() {
        eprintln!("Chromium is missing: install it to test `web = \"chromium\"`");
    }
}

/// Maestro's parser and Kotlin's compiler, which the tests of exports use from Maven's own cache.
fn export_tools() -> Result {
    let plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
    let pom = sh::root().join("tests/fixtures/export/pom.xml");
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B", "-C", plugin, "-f"]).arg(pom);
    sh::show(maven.arg("-Dmdep.outputFile=/dev/null"))
}

/// The tests of the adb device run the stock adb, and never skip. On a machine of CI it is installed.
pub fn adb() -> Result {
    program("adb", "version", "install Android's platform-tools")
}

/// jq, which the action's scripts read results with: a package of the distribution.
fn jq() -> Result {
    program("jq", "--version", "install jq")
}

/// Sees to it that a program is there, by the distribution's package of the same name.
fn program(name: &str, version: &str, fix: &str) -> Result {
    if Command::new(name).arg(version).output().is_ok() {
        return Ok(());
    }
    let install = || {
        let quiet = |args: &[&str]| sh::show(Command::new("apt-get").args(args));
        quiet(&["-qq", "update"])?;
        quiet(&["-qq", "install", "-y", name])
    };
    install()
        .map_err(|why| format!("{name} is missing and cannot be installed here ({why}): {fix}"))
}

#[cfg(test)]
mod counts {
    use super::*;

    #[test]
    fn skipped_tests_are_counted_once_each_by_their_reasons() {
        let lines = "a::one\tno JDK\na::two\tno JDK\na::one\tno JDK\nb::c\tno aapt2\ncut off\n";
        let text = skipped(lines);
        assert!(text.starts_with("xtask: 3 tests were skipped\n"), "{text}");
        assert!(text.contains("  2: no JDK (a::one, a::two)\n"), "{text}");
        assert!(text.contains("  1: no aapt2 (b::c)\n"), "{text}");
        assert!(skipped("").contains("0 tests"));
    }
}
