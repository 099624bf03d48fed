//! What a test that is killed leaves behind: no adb server.

#![cfg(unix)]

use droidtest_rig::AdbServer;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
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
fn a_test_that_is_killed_leaves_no_server() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "inside", "--ignored", "--nocapture"])
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
