//! The Java process from the system's side: what the kernel keeps from it, and that it never outlives us.

use crate::common::input::output_with_input_open;
use crate::common::phone::{Phone, running};
use droidtest::device::jvm::confine::Rules;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::jvm::sandbox::{self, Hold, Walls};
use droidtest::device::{Action, Reset};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Plain Java, none of whose calls is rewritten.
const ESCAPE: &str = include_str!("../fixtures/java/Escape.java");

#[test]
fn the_kernel_holds_what_is_not_rewritten() {
    match (sandbox::landlock(), Jdk::locate()) {
        (Hold::Full, Ok(jdk)) => escape(&jdk),
        (hold, jdk) => crate::common::skip::skip(&format!("{hold:?} {:?}", jdk.err())),
    }
}

fn escape(jdk: &Jdk) {
    let (own, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(other.path().join("secret"), "secret").unwrap();
    let source = own.path().join("Escape.java");
    std::fs::write(&source, ESCAPE).unwrap();
    let others = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = others.local_addr().unwrap().port();
    let mut rules = Rules::for_program(&jdk.java(), &jdk.home);
    rules.write.push(own.path().to_owned());
    let mut command = sandbox::command(&jdk.java(), &rules, Walls::Reduced).unwrap();
    command
        .args(["-XX:-UsePerfData", "-XX:TieredStopAtLevel=1"])
        .arg(format!("-Djava.io.tmpdir={}", own.path().display()))
        .arg(&source)
        .args([own.path(), other.path()])
        .arg(port.to_string())
        .current_dir(own.path())
        .env_clear();
    let expected = "read own allowed\nread other refused\nlist other refused\nwrite other refused\n\
                    delete other refused\nlink and read refused\nenvironment of the parent refused\n\
                    run sh refused\nrun own refused\nport refused\nlisten refused\ndatagram refused\n\
                    mode of other refused\ntime of other refused\n";
    assert_eq!(output_with_input_open(&mut command), expected);
}

/// Run by the test below in a separate process, which is killed while the app spins.
#[test]
#[ignore = "the other half of `an_app_that_spins_does_not_outlive_a_killed_tool`"]
fn a_tool_with_a_spinning_app() {
    let Some(mut phone) = Phone::with("probe", |_| {}) else {
        println!("no parts");
        return;
    };
    phone.reset(Reset::ClearData);
    phone.open("ConfineActivity");
    println!("spinning in {}", phone.work.display());
    let n = phone.by_id("loop_main");
    let _ = phone.attempt(&Action::Click { n });
}

#[test]
fn an_app_that_spins_does_not_outlive_a_killed_tool() {
    let mut tool = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "jvm_process::a_tool_with_a_spinning_app"])
        .args(["--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(tool.stdout.take().unwrap()).lines();
    let line = lines
        .map_while(Result::ok)
        .find(|line| line.ends_with("no parts") || line.contains("spinning in "))
        .expect("the other half runs");
    let Some((_, work)) = line.split_once("spinning in ") else {
        let _ = tool.wait();
        return;
    };
    let work = PathBuf::from(work);
    std::thread::sleep(Duration::from_secs(2));
    assert!(!running(&work).is_empty());
    tool.kill().unwrap();
    tool.wait().unwrap();
    let start = Instant::now();
    while !running(&work).is_empty() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(running(&work).is_empty(), "the process is still there");
    // What the killed tool could not remove.
    let _ = std::fs::remove_dir_all(work.parent().unwrap());
}
