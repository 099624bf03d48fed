//! The coverage hook of a debug build: read before each end of a process, and once only where there is none.

use droidtest::coverage::ExecData;
use droidtest::device::adb::AdbDevice;
use droidtest::device::adb::agent_jar::{FRAMEWORK, fetched};
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::progress::Watch;
use droidtest::device::{Device, Reset};
use droidtest_rig::bench::{Bench, notes};
use droidtest_rig::{Config, exec_file, pipe_lock};
use std::path::Path;
use std::process::Command;

fn device(bench: &Bench) -> AdbDevice {
    let mut settings = bench.settings(true);
    settings.coverage = true;
    let mut device = AdbDevice::new("rig", settings, Watch::silent());
    device.install(&notes()).unwrap();
    device
}

#[test]
fn what_each_process_ran_is_read_before_it_ends() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = device(&bench);
    let give = |name: &str| pipe_lock(&bench.rig.phone.state).exec = Some(exec_file(name));
    for name in ["a/First", "a/Second", "a/Third"] {
        give(name);
        device.reset(Reset::Relaunch).unwrap();
    }
    // A process that died gives nothing; what was read stays.
    pipe_lock(&bench.rig.phone.state).exec = None;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jacoco.exec");
    assert!(device.exec_data(&file).unwrap());
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(
        bytes,
        [
            exec_file("a/First"),
            exec_file("a/Second"),
            exec_file("a/Third")
        ]
        .concat()
    );
    let data = ExecData::load(&file).unwrap();
    let names: Vec<_> = data.classes().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["a/First", "a/Second", "a/Third"]);
}

#[test]
fn an_app_without_a_hook_is_asked_once() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = device(&bench);
    for _ in 0..3 {
        device.reset(Reset::ClearData).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(
        !device
            .exec_data(&folder.path().join("jacoco.exec"))
            .unwrap()
    );
    assert_eq!(pipe_lock(&bench.rig.phone.state).exec_reads, 1);
}

#[test]
fn the_template_compiles_against_android() {
    let (cache, jdk) = (Cache::locate().unwrap(), Jdk::locate().unwrap());
    let framework = fetched(&cache, FRAMEWORK, &jdk, false, &Watch::silent()).unwrap();
    let out = tempfile::tempdir().unwrap();
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/coverage-hook");
    let done = Command::new(jdk.javac())
        .args([
            "-nowarn",
            "-proc:none",
            "--release",
            "8",
            "-Xlint:-options",
            "-cp",
        ])
        .arg(framework)
        .arg("-d")
        .arg(out.path())
        .arg(template.join("CoverageProvider.java"))
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}
