//! How what runs in a sandbox ends: with its program, with the tool, with its supervisors.

use crate::common::cage::Cage;
use droidtest::device::jvm::confine::Rules;
use serde_json::json;
use std::fs;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn it_ends_as_its_program_ended() {
    let Some(cage) = Cage::new() else { return };
    let status = |script: &str| {
        let mut child = start(&cage, script);
        let wire = child.stdin.take();
        let status = child.wait().unwrap();
        drop(wire);
        status
    };
    assert_eq!(status("exit 7").code(), Some(7));
    assert_eq!(
        status("kill -9 0; exit 7").code(),
        Some(7),
        "its group is its own"
    );
}

/// The library of this program has handlers of its own for signals of faults, and ignores others: what ends the program has
/// to end its supervisors all the same.
#[test]
fn it_ends_by_the_signal_that_ended_its_program() {
    const PERL: &str = "/usr/bin/perl";
    let Some(cage) = Cage::new() else { return };
    if !Path::new(PERL).exists() {
        crate::common::skip::skip(&format!("no {PERL}"));
        return;
    }
    let mut execute = Vec::new();
    for program in ["/bin/sh", PERL] {
        let program = fs::canonicalize(program).unwrap();
        execute.extend(Rules::for_program(&program, Path::new("/nonexistent")).execute);
    }
    // A text at an address where none is.
    let fault = format!("exec {PERL} -e 'print unpack q(p), pack q(J), 1'");
    for (walls, processes, script, signal) in [
        ("full", false, fault.as_str(), 11),
        ("reduced", false, &fault, 11),
        ("reduced", true, &fault, 11),
        ("reduced", false, "kill -BUS $$", 7),
        ("reduced", true, "kill -ABRT $$", 6),
        ("off", false, "kill -KILL $$", 9),
    ] {
        let plan = json!({ "walls": walls, "processes": processes, "execute": execute });
        let mut child = begin(cage.with(&plan), &cage, script);
        let wire = child.stdin.take();
        let status = child.wait().unwrap();
        drop(wire);
        assert_eq!(status.signal(), Some(signal), "{walls}, {script}: {status}");
    }
    let plan = json!({ "walls": "off" });
    let mut child = begin(cage.with(&plan), &cage, "kill -PIPE $$");
    let wire = child.stdin.take();
    let status = child.wait().unwrap();
    drop(wire);
    assert_eq!(status.code(), Some(128 + 13), "as a shell says it");
}

/// A shell that notes in its folder that it is still there.
const BUSY: &str = "i=0; while :; do i=$((i+1)); echo $i > beat; done";

fn start(cage: &Cage, script: &str) -> Child {
    begin(cage.command(), cage, script)
}

fn begin(mut command: Command, cage: &Cage, script: &str) -> Child {
    command
        .args(["-c", script])
        .current_dir(cage.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Whether the shell that writes to this file still does.
fn beats(file: &Path) -> bool {
    let now = || fs::read_to_string(file).unwrap_or_default();
    let before = now();
    let end = Instant::now() + Duration::from_millis(600);
    while Instant::now() < end {
        if now() != before {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

fn busy(cage: &Cage, walls: &str) -> (Child, PathBuf) {
    let child = begin(cage.with(&json!({ "walls": walls })), cage, BUSY);
    let file = cage.folder.path().join("beat");
    let end = Instant::now() + Duration::from_secs(20);
    while !beats(&file) {
        assert!(Instant::now() < end, "the shell did not start");
    }
    (child, file)
}

const WALLS: [&str; 3] = ["full", "reduced", "off"];

#[test]
fn it_ends_when_the_wire_ends() {
    let Some(cage) = Cage::new() else { return };
    for walls in WALLS {
        let (mut child, file) = busy(&cage, walls);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(!beats(&file), "{walls}");
    }
}

#[test]
fn it_ends_when_what_started_it_is_killed() {
    let Some(cage) = Cage::new() else { return };
    for walls in WALLS {
        let (mut child, file) = busy(&cage, walls);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!beats(&file), "{walls}");
    }
}

/// What a program with processes leaves goes, too.
#[test]
fn what_its_program_has_started_ends_with_it() {
    let Some(cage) = Cage::new() else { return };
    for walls in ["full", "reduced"] {
        let plan = json!({ "walls": walls, "processes": true });
        let mut child = begin(
            cage.with(&plan),
            &cage,
            &format!("({BUSY}) & while :; do :; done"),
        );
        let file = cage.folder.path().join("beat");
        let end = Instant::now() + Duration::from_secs(20);
        while !beats(&file) {
            assert!(Instant::now() < end, "the shell did not start");
        }
        drop(child.stdin.take());
        let _ = child.wait();
        assert!(!beats(&file), "{walls}");
        fs::remove_file(file).unwrap();
    }
}

/// Not in its group either, and with a parent that is gone.
#[test]
fn what_has_left_its_group_ends_with_it() {
    let Some(cage) = Cage::new() else { return };
    let shell = fs::canonicalize("/bin/sh").unwrap();
    let mut execute = Rules::for_program(&shell, Path::new("/nonexistent")).execute;
    execute.push("/usr/bin/setsid".into());
    for (walls, end) in [("full", true), ("reduced", true), ("reduced", false)] {
        let plan = json!({ "walls": walls, "processes": true, "execute": execute });
        // Ends by itself once it may, or waits for its end.
        let script = "(setsid /bin/sh -c \"$BUSY\" &); until [ -e over ]; do :; done";
        let mut command = cage.with(&plan);
        command.env("BUSY", BUSY);
        let mut child = begin(command, &cage, script);
        let file = cage.folder.path().join("beat");
        let limit = Instant::now() + Duration::from_secs(20);
        while !beats(&file) {
            assert!(Instant::now() < limit, "the shell did not start");
        }
        let wire = child.stdin.take();
        if end {
            drop(wire);
            child.wait().unwrap();
        } else {
            fs::write(cage.folder.path().join("over"), "").unwrap();
            assert!(child.wait().unwrap().success());
        }
        assert!(!beats(&file), "{walls}");
        fs::remove_file(file).unwrap();
    }
}

/// A supervisor that is killed ends nothing itself any more: neither alone, nor with its group, as the tool does it.
#[test]
fn what_has_left_its_group_ends_though_a_supervisor_is_killed() {
    let Some(cage) = Cage::new() else { return };
    let shell = fs::canonicalize("/bin/sh").unwrap();
    let mut execute = Rules::for_program(&shell, Path::new("/nonexistent")).execute;
    execute.push("/usr/bin/setsid".into());
    let file = cage.folder.path().join("beat");
    for walls in ["full", "reduced"] {
        for whom in ["supervisor", "its child", "its group"] {
            let plan = json!({ "walls": walls, "processes": true, "execute": execute });
            let script = "(setsid /bin/sh -c \"$BUSY\" &); while :; do :; done";
            let mut command = cage.with(&plan);
            command.env("BUSY", BUSY).process_group(0);
            let mut child = begin(command, &cage, script);
            wait_for(|| beats(&file), "the shell to start");
            let pid = child.id();
            let target = match whom {
                "its child" => {
                    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
                    // One that has lost its parent may follow.
                    let list = list.unwrap();
                    list.split_whitespace().next().unwrap().to_owned()
                }
                "its group" => format!("-{pid}"),
                _ => pid.to_string(),
            };
            let killed = Command::new("kill").args(["-9", "--", &target]).status();
            assert!(killed.unwrap().success());
            child.wait().unwrap();
            let end = format!("the end, {walls}, {whom}");
            wait_for(|| working_in(cage.folder.path()) == 0, &end);
            fs::remove_file(&file).unwrap();
        }
    }
}

/// Processes whose working folder is this one.
fn working_in(folder: &Path) -> usize {
    let folders = fs::read_dir("/proc").unwrap().flatten();
    let folders = folders.filter_map(|entry| fs::read_link(entry.path().join("cwd")).ok());
    folders.filter(|cwd| cwd == folder).count()
}

fn wait_for(mut is: impl FnMut() -> bool, what: &str) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is() {
        assert!(Instant::now() < end, "waited for {what}");
    }
}
