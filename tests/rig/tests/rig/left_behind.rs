//! What a test that is killed or fails leaves behind: no adb server, no tool.

#![cfg(unix)]

use droidtest_rig::AdbServer;
use droidtest_rig::sdk::Sdk;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PORT: &str = "the server's port is ";

#[test]
#[ignore = "run by another test, which kills it"]
fn inside() {
    let server = AdbServer::start();
    println!("{PORT}{}", server.port);
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn a_test_that_fails_in_the_midst_of_a_run_leaves_no_tool() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    // It waits for a phone that is not there.
    let suite = "[suite]\nname = \"s\"\nbudget = { events = 5 }\n[[app]]\nname = \"notes\"\napk = \"a.apk\"\n[[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"127.0.0.1:1\"\npatience = \"5m\"\n[[strategy]]\nkind = \"random\"\n";
    let file = folder.path().join("droidtest.toml");
    std::fs::write(&file, suite).unwrap();
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    std::fs::copy(apk, folder.path().join("a.apk")).unwrap();
    let mut tool = sdk.tool();
    tool.args(["run", "--suite"]).arg(&file);
    tool.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = tool.spawn().unwrap();
    let start_time = folder.path().join("target/droidtest/latest");
    let until = Instant::now() + Duration::from_secs(60);
    while !start_time.exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(child.try_wait().unwrap().is_none(), "the run is over");
    drop(sdk);
    assert!(!child.wait().unwrap().success());
}

#[test]
fn a_test_that_is_killed_leaves_no_server() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "left_behind::inside", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let port = out.lines().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once(PORT)?;
        port.trim().parse::<u16>().ok()
    });
    let port = port.expect("its port");
    let listens = || TcpStream::connect(("127.0.0.1", port)).is_ok();
    assert!(listens());
    child.kill().unwrap();
    child.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while listens() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!listens());
    // What still runs of the test starts it again; that one ends, too.
    let started = Command::new(droidtest_rig::adb())
        .args(["-P", &port.to_string(), "start-server"])
        .stderr(Stdio::null())
        .status();
    assert!(started.unwrap().success());
    while listens() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!listens());
}
