//! Ctrl-C while the program does something other than explore: it is heeded soon, quietly, and nothing is left behind.

use crate::common::program::{Desk, droidtest};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 100000000 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";
/// Tells its process's number, and takes longer than anybody waits.
const BUILD: &str = "build = \"echo $$ > started; exec sleep 600\"\n";
const TRACE: &str = "version = 1\n[app]\nname = \"shop\"\npackage = \"shop\"\n[finding]\nkind = \"java-crash\"\n\
    [[step]]\ndo = \"click\"\nid = \"gone\"\n";

fn start(folder: &Path, args: &str, stderr: Stdio) -> Child {
    droidtest(folder)
        .env("PATH", "/usr/bin:/bin")
        .args(args.split_whitespace())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .unwrap()
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// Asks until there is an answer; a minute without one is too long, and ends the program.
fn until<T>(child: &mut Child, what: &str, mut answer: impl FnMut(&mut Child) -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if let Some(answer) = answer(child) {
            return answer;
        }
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    panic!("{what}: not within a minute");
}

fn exit_code(child: &mut Child, what: &str) -> Option<i32> {
    until(child, what, |child| child.try_wait().unwrap()).code()
}

#[test]
fn a_build_is_stopped_and_nothing_says_that_it_failed() {
    for args in [
        "run",
        "bench",
        "train policy",
        "replay trace.toml",
        "minimize trace.toml",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let suite = format!("{SUITE}{BUILD}[[strategy]]\nkind = \"q-learning\"\n");
        fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
        fs::write(folder.path().join("trace.toml"), TRACE).unwrap();
        let mut child = start(folder.path(), args, Stdio::piped());
        let started = folder.path().join("started");
        let build = until(&mut child, args, |_| {
            let text = fs::read_to_string(&started).ok()?;
            Pid::from_raw(text.strip_suffix('\n')?.parse().unwrap())
        });
        interrupt(&child);
        let code = exit_code(&mut child, args);
        let said = child.wait_with_output().unwrap().stderr;
        let said = String::from_utf8_lossy(&said);
        assert_eq!(code, Some(130), "{args}: {said}");
        assert!(!said.contains("error"), "{args}: {said}");
        assert!(test_kill_process(build).is_err(), "{args}: the build runs");
    }
}

/// Two at once: the second comes while sessions are in the middle of an event, and compute.
#[test]
fn a_second_one_ends_the_program_at_once_and_quietly() {
    let (kind, more) = ("dinodroid", "warm-up = 5\n");
    let folder = tempfile::tempdir().unwrap();
    let suite = format!(
        "{SUITE}[[device]]\nname = \"sim\"\nkind = \"sim\"\ncount = 2\n[[strategy]]\nkind = \"{kind}\"\n{more}"
    );
    let suite = suite.replace("seeds = [5]", "seeds = [5, 6]");
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    for round in 0..5 {
        let what = format!("round {round}");
        let args = format!("run -j 2 --run-id r{round}");
        let mut child = start(folder.path(), &args, Stdio::null());
        let session = format!("target/droidtest/r{round}/sessions/shop-sim-{kind}-5");
        let journal = folder.path().join(session).join("journal.jsonl");
        until(&mut child, &what, |_| {
            let text = fs::read_to_string(&journal).ok()?;
            let steps = text.matches("{\"e\":\"step\",").count();
            (steps >= 20).then_some(())
        });
        interrupt(&child);
        sleep(Duration::from_millis(1));
        interrupt(&child);
        assert_eq!(exit_code(&mut child, &what), Some(130), "{what}");
    }
}

#[test]
fn an_interrupted_run_says_what_is_left_and_the_command_that_performs_it() {
    let desk = Desk::new(
        &SUITE
            .replace("100000000", "5000")
            .replace("seeds = [5]", "seeds = [5, 6, 7]"),
    );
    let args = "run -j 1 --strategy random --run-id r";
    desk.write(
        "droidtest.toml",
        [
            &desk.read("droidtest.toml")[..],
            b"[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n",
        ]
        .concat(),
    );
    let mut child = start(desk.folder(), args, Stdio::piped());
    let second = desk.path("target/droidtest/r/sessions/shop-sim-random-6/journal.jsonl");
    until(&mut child, args, |_| {
        fs::metadata(&second).ok().filter(|file| file.len() > 0)
    });
    interrupt(&child);
    let code = exit_code(&mut child, args);
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert_eq!(code, Some(130), "{said}");
    let left = "interrupted: 1 of 3 sessions finished; 1 interrupted: shop-sim-random-6; 1 not started: shop-sim-random-7\n";
    assert!(said.contains(left), "{said}");
    let command = "cargo droidtest run -j 1 --strategy random --resume target/droidtest/r";
    assert!(
        said.contains(&format!("`{command}` continues the run\n")),
        "{said}"
    );
    let resumed = desk.tool(command.strip_prefix("cargo droidtest ").unwrap());
    assert!(
        resumed.err.contains("Resuming 1 of 3 sessions complete"),
        "{}",
        resumed.err
    );
    assert!(resumed.err.contains("(3 of 3 sessions)"), "{}", resumed.err);
}
