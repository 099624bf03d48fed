//! What a run passes on with a finding: a command that replays it, whatever the suite and the names are.

use crate::common::program::{Ended, droidtest};
use std::fs;
use std::path::Path;

/// The program's exit code and what it said.
fn tool(folder: &Path, args: &[&str]) -> (i32, String) {
    let ended = Ended::of(droidtest(folder).args(args));
    (ended.code, ended.all())
}

/// What follows `cargo droidtest` in the commands of a run's JUnit file.
fn commands(folder: &Path, run: &str) -> Vec<Vec<String>> {
    let junit = fs::read_to_string(folder.join(run).join("junit.xml")).unwrap();
    let reported = junit
        .lines()
        .filter_map(|line| line.split_once("Replay: cargo droidtest "));
    reported
        .map(|(_, typed)| shlex::split(typed).unwrap())
        .collect()
}

fn reproduces(folder: &Path, command: &[String]) {
    let args: Vec<&str> = command.iter().map(String::as_str).collect();
    let (code, said) = tool(folder, &args);
    assert!(
        code == 100 && said.contains("Reproduced"),
        "{command:?}: {said}"
    );
}

const RUN: &str = "[suite]\nname = \"s\"\nbudget = { events = 4000 }\nseeds = [5]\n[report]\nhtml = false\n\
    [minimize]\nenabled = false\n[[strategy]]\nkind = \"random\"\n";
const APP: &str = "app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n";

#[test]
fn the_command_names_the_suite_and_the_profile_that_the_run_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(
        path.join("droidtest.toml"),
        format!("{RUN}[[profile.ci.{APP}"),
    )
    .unwrap();
    // What is found first is another suite.
    fs::create_dir(path.join(".config")).unwrap();
    fs::write(
        path.join(".config/droidtest.toml"),
        format!("{RUN}[[{}", APP.replace("notes", "shop")),
    )
    .unwrap();
    let args = [
        "run",
        "--suite",
        "droidtest.toml",
        "-P",
        "ci",
        "--run-id",
        "r",
    ];
    let (code, said) = tool(path, &args);
    assert_eq!(code, 100, "{said}");
    let commands = commands(path, "target/droidtest/r");
    assert!(!commands.is_empty());
    assert_eq!(
        commands[0][1..5],
        ["--suite", "droidtest.toml", "--profile", "ci"]
    );
    reproduces(path, &commands[0]);
}

#[test]
fn a_run_that_was_killed_gets_its_traces_with_its_reports() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("droidtest.toml"), format!("{RUN}[[{APP}")).unwrap();
    tool(path, &["run", "--run-id", "r"]);
    let before = commands(path, "target/droidtest/r");
    let session = path.join("target/droidtest/r/sessions/notes-sim-random-5");
    fs::remove_dir_all(session.join("findings")).unwrap();
    let journal = fs::read_to_string(session.join("journal.jsonl")).unwrap();
    let half = journal.trim_end().rfind('\n').unwrap() + 5;
    fs::write(session.join("journal.jsonl"), &journal[..half]).unwrap();
    let (code, said) = tool(path, &["report", "r"]);
    assert_eq!(code, 0, "{said}");
    let commands = commands(path, "target/droidtest/r");
    assert!(!commands.is_empty() && commands == before, "{commands:?}");
    reproduces(path, &commands[0]);
}

#[test]
fn sessions_of_the_longest_names_have_folders_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (app, device) = ("a".repeat(64), "d".repeat(64));
    let suite = format!(
        "{RUN}[[{}[[device]]\nname = \"{device}\"\nkind = \"sim\"\n",
        APP.replace("name = \"notes\"", &format!("name = \"{app}\""))
    );
    fs::write(path.join("droidtest.toml"), suite).unwrap();
    let args = [
        "run", "--run-id", "r", "--seed", "1", "--seed", "2", "--events", "20",
    ];
    let (code, said) = tool(path, &args);
    assert!(matches!(code, 0 | 100), "{said}");
    let sessions = fs::read_dir(path.join("target/droidtest/r/sessions")).unwrap();
    let mut names: Vec<_> = sessions
        .map(|s| s.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let of = |seed| format!("{app}-{device}-random-{seed}");
    assert_eq!(names, [of(1), of(2)]);
}
