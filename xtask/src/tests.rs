//! The README's second command: everything that must hold before a change lands.

use crate::{Result, reflect, sh};
use std::fs::File;
use std::io;
use std::process::Command;

pub fn run(args: &[String]) -> Result {
    sh::show(sh::cargo().args(["fmt", "--all", "--check"]))?;
    sh::show(sh::cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))?;
    // Without the tensor engine everything else must still build.
    sh::show(sh::cargo().args([
        "clippy",
        "--package",
        "cargo-droidtest",
        "--all-targets",
        "--no-default-features",
        "--",
        "-D",
        "warnings",
    ]))?;
    without_engine()?;
    adb()?;
    jq()?;
    aapt2();
    chromium();
    export_tools()?;
    // The oldest level, one between, and the one that the agent is compiled against.
    reflect::run(&["21", "28", "34"].map(str::to_owned))?;
    // The jvm device's end-to-end tests need its parts; fetched once, then nothing is done here.
    sh::show(Command::new(sh::build_tool()?).arg("setup"))?;
    with_engine(args)
}

/// All tests, of the complete tool. Those of `it` wait for devices and processes most of their time, so the others run
/// beside them, and their output is shown after that of `it`.
fn with_engine(args: &[String]) -> Result {
    let test = |selection: &[&str]| {
        let mut test = sh::cargo();
        test.args(["test", "--workspace", "--no-fail-fast"]);
        test.args(selection).args(args);
        test
    };
    sh::show(&mut test(&["--no-run"]))?;
    let path = sh::target().join("tests-beside.log");
    let unusable = |e: std::io::Error| format!("{}: {e}", path.display());
    let log = File::create(&path).map_err(unusable)?;
    let others = ["--lib", "--bins", "--test", "[!i]*", "--test", "i[!t]*"];
    let mut beside = test(&others)
        .stdout(log.try_clone().map_err(unusable)?)
        .stderr(log)
        .spawn()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let it = sh::show(&mut test(&["--test", "it"]));
    let status = beside.wait().map_err(unusable)?;
    let mut log = File::open(&path).map_err(unusable)?;
    io::copy(&mut log, &mut io::stdout()).map_err(unusable)?;
    let docs = sh::show(&mut test(&["--doc"]));
    it?;
    if !status.success() {
        return Err(format!("tests outside `it` failed ({status})"));
    }
    docs
}

/// Without the tensor engine the tool must work, too. Not all tests run twice: only those that go through the complete tool
/// on models, and those of the parts that request the feature. The binary that they leave is built again for the others.
fn without_engine() -> Result {
    let test = || {
        let mut test = sh::cargo();
        test.args([
            "test",
            "--package",
            "cargo-droidtest",
            "--no-default-features",
        ]);
        test
    };
    let whole = [
        "bad_input::",
        "bench_fate::",
        "bench_sim::",
        "config_examples::",
        "guide_sim::",
        "hand_over::",
        "replay_sim::",
        "run_sim::",
    ];
    sh::show(test().args(["--test", "it", "--"]).args(whole))?;
    // The learners that need no tensor engine are the same code with it, and slow.
    let parts = [
        "bench::fate::session",
        "cli",
        "config",
        "doctor",
        "learn",
        "run",
    ];
    sh::show(test().args(["--lib", "--"]).args(parts))
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
