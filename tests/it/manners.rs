//! What a person sees of a run and of its suite: missing files, the detail that was asked for, terminals and logs.

use crate::common::program::{Desk, Ended};
use crate::common::shop;
use std::process::Command;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 30 }\nseeds = [1, 2]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[[strategy]]\nkind = \"random\"\n";
const GONE: &str =
    "[[app]]\nname = \"notes\"\napk = \"app/gone.apk\"\n[[strategy]]\nkind = \"random\"\n";

fn desk() -> Desk {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("no"));
    desk
}

/// With one space between words.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The status words of lines, in order.
fn words(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

#[test]
fn list_shows_the_plan_and_fails_on_a_missing_apk() {
    let desk = Desk::new(GONE);
    let ended = desk.tool("list");
    assert_eq!(ended.code, 96);
    assert!(ended.out.contains("notes-jvm-random-"), "{}", ended.out);
    for part in [
        "app/gone.apk, is missing",
        "droidtest.toml:3",
        "apk = \"app/gone.apk\"",
        "build it first",
    ] {
        assert!(ended.err.contains(part), "{part}: {}", ended.err);
    }
    // The build makes it.
    let desk = Desk::new(&GONE.replace("[[strategy]]", "build = \"true\"\n[[strategy]]"));
    assert_eq!(desk.tool("list").code, 0);
}

#[test]
fn doctor_fails_on_a_missing_apk_and_on_a_broken_suite() {
    let doctor = |desk: &Desk, format: &str| {
        let mut command = desk.command(&format!("doctor --message-format {format}"));
        Ended::of(command.env("DROIDTEST_CACHE", desk.path("cache")))
    };
    let desk = Desk::new(GONE);
    let ended = doctor(&desk, "human");
    assert_eq!(ended.code, 96);
    let wanted = "FAILED suite droidtest.toml:3: the APK of the app `notes`, app/gone.apk, is missing (`apk = \"app/gone.apk\"`)";
    assert!(plain(&ended.out).contains(wanted), "{}", ended.out);
    assert!(ended.out.contains("fix: build it first"), "{}", ended.out);
    let found: serde_json::Value = serde_json::from_str(&doctor(&desk, "json").out).unwrap();
    let checks = found["checks"].as_array().unwrap();
    let suite = checks
        .iter()
        .find(|check| check["name"] == "suite")
        .unwrap();
    assert_eq!(
        (&found["verdict"], &suite["verdict"]),
        (&"failed".into(), &"failed".into())
    );

    let ended = doctor(
        &Desk::new("[[app]]\nname = \"notes\"\nakp = \"a.apk\"\n"),
        "human",
    );
    assert_eq!(ended.code, 96);
    assert!(
        plain(&ended.out).contains("FAILED suite droidtest.toml:3: "),
        "{}",
        ended.out
    );
}

#[test]
fn the_sessions_at_a_time_follow_the_jobs_unless_the_suite_counts() {
    let at_once = |device: &str, args: &str| {
        let device = format!("[[device]]\nname = \"here\"\nkind = \"jvm\"\n{device}[[app]]\n");
        let desk = Desk::new(&format!(
            "[suite]\nseeds = [1, 2, 3, 4]\n{}",
            GONE.replace("[[app]]\n", &device)
        ));
        let json = desk.tool(&format!("list --message-format json {args}")).out;
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["at-once"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(at_once("", "-j 1"), 1);
    assert_eq!(at_once("count = 3\n", "-j 4"), 3);
    assert_eq!(at_once("count = 3\n", "-j 2"), 2);
    // As far as this machine's memory allows, which not every system reports.
    assert!((1..=4).contains(&at_once("", "-j 4")));
    assert_eq!(at_once("memory = 65536\ncount = 1\n", "-j 4"), 1);
}

#[test]
fn a_used_run_id_is_refused_before_anything_starts() {
    let desk = desk();
    assert_eq!(desk.tool("run --run-id first -j 1").code, 100);
    // One of the environment is for new runs.
    let mut resumed = desk.command("run --resume first");
    let resumed = Ended::of(resumed.env("DROIDTEST_RUN_ID", "next"));
    assert_eq!(resumed.code, 100, "{}", resumed.err);
    assert!(!desk.path("target/droidtest/next").exists());
    let both = desk.tool("run --resume first --run-id next");
    assert_eq!(both.code, 2, "{}", both.err);
    assert!(both.err.contains("leave out --run-id"), "{}", both.err);
    desk.write(
        "droidtest.toml",
        SUITE.replace("[[strategy]]", "build = \"touch built\"\n[[strategy]]"),
    );
    let ended = desk.tool("run --run-id first");
    assert_eq!(ended.code, 2, "{}", ended.err);
    let wanted = "--run-id first: target/droidtest/first exists already; choose another name, or continue that run with `--resume first`";
    assert!(ended.err.contains(wanted), "{}", ended.err);
    assert!(!desk.path("built").exists());
    // A folder that is no run cannot be continued.
    desk.write("target/droidtest/other/file", "");
    let ended = desk.tool("run --run-id other");
    assert!(
        ended.code == 2 && !ended.err.contains("--resume"),
        "{}",
        ended.err
    );
}

#[test]
fn quiet_leaves_findings_and_the_paths_of_the_reports() {
    let ended = desk().tool("run -q -j 1 --seed 1");
    assert_eq!((ended.code, ended.out.as_str()), (100, ""));
    let lines: Vec<_> = ended.err.lines().map(str::trim_start).collect();
    assert!(lines[0].starts_with("Crash "), "{}", ended.err);
    let written = lines[1..]
        .iter()
        .filter_map(|line| line.strip_prefix("Written "));
    let written: Vec<_> = written.collect();
    assert_eq!(written.len(), lines.len() - 1, "{}", ended.err);
    assert!(written.iter().any(|path| path.ends_with("report.html")));
}

#[test]
fn detail_says_what_each_session_is_and_why_it_ended() {
    let ended = desk().tool("run -v -j 1 --seed 1");
    let start =
        "Starting shop-sim-random-1: app `shop`, device `sim` (sim), strategy `random`, seed 1\n";
    for part in [
        "Prepared shop in ",
        start,
        "Started shop-sim-random-1: prepared in ",
        "all events of its budget performed\n",
    ] {
        assert!(ended.err.contains(part), "{part}: {}", ended.err);
    }
    let usual = desk().tool("run -j 1 --seed 1");
    assert!(!usual.err.contains("Starting"), "{}", usual.err);
    let steps = desk().tool("run -vv -j 1 --seed 1");
    let step = |line: &&str| line.trim_start().starts_with("Step shop-sim-random-1 ");
    // The start, restarts after crashes, and 30 events.
    assert!(steps.err.lines().filter(step).count() > 30, "{}", steps.err);
    assert!(steps.err.contains(" 1: "), "{}", steps.err);
}

#[test]
fn a_log_has_a_line_at_the_start_and_the_end_of_each_session_and_no_control_characters() {
    let ended = desk().tool("run -j 1");
    assert!(
        ended.err.chars().all(|c| c == '\n' || !c.is_control()),
        "{:?}",
        ended.err
    );
    let of = |word: &str| words(&ended.err).iter().filter(|w| **w == word).count();
    assert_eq!((of("Exploring"), of("Finished")), (2, 2), "{}", ended.err);
    assert!(ended.err.contains(" (1 of 2 sessions, ~"), "{}", ended.err);
    assert!(ended.err.contains(" (2 of 2 sessions)\n"), "{}", ended.err);
}

/// In a pseudo-terminal of `script`.
#[test]
fn a_terminal_has_a_line_of_the_whole_run() {
    let Ok(script) = which::which("script") else {
        crate::common::skip::skip("script is not installed");
        return;
    };
    let desk = desk();
    let program = env!("CARGO_BIN_EXE_cargo-droidtest");
    let line = format!("'{program}' run -j 1 --events 3000");
    let mut command = Command::new(script);
    command
        .args(["-qec", &line, "/dev/null"])
        .current_dir(desk.folder());
    command
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null());
    let ended = Ended::of(&mut command);
    assert_eq!(ended.code, 100, "{}", ended.out);
    assert!(
        ended.out.contains("Progress 0 of 2 sessions"),
        "{:?}",
        ended.out
    );
    assert!(
        ended.out.contains("Exploring") && ended.out.contains("/3000"),
        "{:?}",
        ended.out
    );
    assert!(ended.out.contains("(2 of 2 sessions)"), "{:?}", ended.out);
}
