//! The command line, as a person or a script encounters it. The environment of the
//! tests is kept out.

use crate::common::program::{Desk, Ended};
use serde_json::Value;
use std::process::Command;

const SUITE: &str = "[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"random\"\n[profile.ci]\nsuite = { seeds = [1, 2] }\n";

struct Bench {
    desk: Desk,
    command: Command,
}

impl Bench {
    /// `cargo-droidtest` with these arguments, in a folder with a suite.
    fn new(args: &str) -> Self {
        let desk = Desk::new(SUITE);
        let command = desk.command(args);
        Self { desk, command }
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    fn output(mut self) -> (i32, String, String) {
        Ended::of(&mut self.command).parts()
    }
}

fn output(args: &str) -> (i32, String, String) {
    Bench::new(args).output()
}

#[test]
fn it_works_through_cargo_and_alone() {
    let (code, alone, _) = output("list");
    assert_eq!(code, 0);
    assert_eq!(output("droidtest list"), (0, alone, String::new()));
}

#[test]
fn help_goes_to_stdout_and_lists_commands_and_exit_codes() {
    let (code, out, err) = output("--help");
    assert_eq!((code, err.as_str()), (0, ""));
    for word in [
        "Usage: cargo droidtest",
        "run",
        "show-config",
        "completions",
        "130  interrupted",
    ] {
        assert!(out.contains(word), "{word}: {out}");
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    for args in [
        "",
        "rnu",
        "list --sed 3",
        "list --color sometimes",
        "list -q -v",
        "list --jobs 0",
        "list --seed -1",
        "man nothing",
    ] {
        let (code, out, err) = output(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args}");
        assert!(!err.is_empty(), "{args}");
    }
}

#[test]
fn a_wrong_suite_ends_with_96_and_an_empty_selection_with_4() {
    assert_eq!(output("list --suite none.toml").0, 96);
    assert_eq!(output("list --profile none").0, 96);
    assert_eq!(output("list --app none").0, 4);
    assert_eq!(output("list --app shop --device jvm").0, 4);
}

#[test]
fn the_list_is_a_table_or_json() {
    let (code, table, err) = output("list -P ci -j 1");
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!(table);

    let (_, json, _) = output("list -P ci --message-format json");
    let list: Value = serde_json::from_str(&json).unwrap();
    let names: Vec<_> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| &session["name"])
        .collect();
    assert_eq!(names, ["shop-sim-random-1", "shop-sim-random-2"]);
    assert_eq!(list["budget"]["events"], 500);
}

#[test]
fn flags_win_over_the_environment_and_that_over_profile_and_suite() {
    let origin = |bench: Bench| {
        let (_, json, _) = bench.output();
        let shown: Value = serde_json::from_str(&json).unwrap();
        let seeds = &shown["settings"]["suite"]["seeds"];
        (
            seeds.to_string(),
            shown["origins"]["suite.seeds"]["from"]
                .as_str()
                .unwrap()
                .to_owned(),
        )
    };
    let is = |seeds: &str, from: &str| (seeds.to_owned(), from.to_owned());
    let show = "show-config --message-format json";
    let set = "DROIDTEST_SUITE__SEEDS";
    assert_eq!(origin(Bench::new(show)), is("[0]", "default"));
    assert_eq!(
        origin(Bench::new(&format!("{show} -P ci"))),
        is("[1,2]", "profile")
    );
    assert_eq!(
        origin(Bench::new(show).env("DROIDTEST_PROFILE", "ci")),
        is("[1,2]", "profile")
    );
    assert_eq!(
        origin(Bench::new(&format!("{show} -P ci")).env(set, "[3]")),
        is("[3]", "environment")
    );
    assert_eq!(
        origin(Bench::new(&format!("{show} --seed 4")).env(set, "[3]")),
        is("[4]", "flag")
    );
}

#[test]
fn show_config_says_where_each_value_came_from() {
    let bench =
        Bench::new("show-config --origin -P ci --time 90s").env("DROIDTEST_REWARD__NOTHING", "-1");
    let (code, text, _) = bench.output();
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
}

#[test]
fn errors_are_coloured_only_when_wanted() {
    let colored = |bench: Bench| bench.output().2.contains('\u{1b}');
    let list = "list --app none";
    assert!(!colored(Bench::new(list)));
    assert!(colored(Bench::new(&format!("{list} --color always"))));
    assert!(colored(Bench::new(list).env("CARGO_TERM_COLOR", "always")));
    assert!(!colored(
        Bench::new(&format!("{list} --color never")).env("CARGO_TERM_COLOR", "always")
    ));
    assert!(!colored(Bench::new(list).env("NO_COLOR", "1")));
    assert!(colored(Bench::new("rnu --color always")));
    assert!(!colored(Bench::new("rnu --color never")));
}

#[test]
fn errors_for_programs_are_json_lines() {
    let (code, out, err) = output("list --message-format json --events 0 --plateau 0");
    assert_eq!((code, out.as_str()), (96, ""));
    let problems: Vec<Value> = err
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(problems.len(), 2);
    assert_eq!(problems[0]["code"], "out-of-range");
    assert_eq!(problems[0]["places"][0]["column"], 10);
}

#[test]
fn completions_are_there_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, out, _) = output(&format!("completions {shell}"));
        assert_eq!(code, 0);
        assert!(out.contains("show-config"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_all_and_one_for_each_command() {
    let (code, page, _) = output("man");
    assert_eq!(code, 0);
    assert!(
        page.contains(".TH cargo-droidtest") && page.contains("Exit codes"),
        "{page}"
    );
    let (code, page, _) = output("man run");
    assert_eq!(code, 0);
    assert!(
        page.contains(".TH cargo-droidtest-run") && page.contains("\\-\\-events"),
        "{page}"
    );
}

#[test]
fn the_schema_is_json() {
    let (code, out, _) = output("schema");
    assert_eq!(code, 0);
    let schema: Value = serde_json::from_str(&out).unwrap();
    assert!(schema["properties"]["profile"].is_object());
}

#[test]
fn the_suite_is_found_in_a_folder_above() {
    let mut bench = Bench::new("list");
    let inner = bench.desk.path("app/src");
    std::fs::create_dir_all(&inner).unwrap();
    bench.command.current_dir(inner);
    assert_eq!(bench.output().0, 0);
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_utf8_does_no_harm() {
    use std::os::unix::ffi::OsStrExt as _;
    let mut bench = Bench::new("list");
    bench
        .command
        .env("ELSEWHERE", std::ffi::OsStr::from_bytes(b"caf\xe9"));
    assert_eq!(bench.output().0, 0);
}
