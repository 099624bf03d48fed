//! The steps around a run: inputs, arguments, results, comment, SARIF, the exit code.

use super::{Done, Runner};
use crate::common::root;
use serde_json::json;
use std::fs;

/// The inputs of the first step.
const INPUTS: [(&str, &str); 9] = [
    ("RUNNER_OS", "Linux"),
    ("RUNNER_ARCH", "X64"),
    ("SUITE", "droidtest.toml"),
    ("BASELINE", ""),
    ("BASE_APK", ""),
    ("SHARD", ""),
    ("COMMENT", "false"),
    ("SARIF", "false"),
    ("LOGS", "false"),
];
/// The inputs of a run.
pub const RUN: [(&str, &str); 8] = [
    ("SUITE", "droidtest.toml"),
    ("PROFILE", ""),
    ("BASELINE", ""),
    ("BASE_APK", ""),
    ("SHARD", ""),
    ("ARGS", ""),
    ("MERGE", ""),
    ("SARIF", "false"),
];

fn plan(changes: &[(&str, &str)]) -> Option<Done> {
    let mut runner = Runner::new(&INPUTS)?;
    runner.set("ACTION_PATH", root().to_str().unwrap());
    for (name, value) in changes {
        runner.set(name, *value);
    }
    Some(runner.step("action/plan.sh", &[]))
}

#[test]
fn a_plan_names_the_target_and_the_caches_and_follows_the_sources() {
    let Some(done) = plan(&[]) else { return };
    done.expect(0);
    assert_eq!(done.output("target"), "x86_64-unknown-linux-gnu");
    assert_eq!(done.output("version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(done.output("sources").len(), 64);
    assert!(done.output("program-key").ends_with(done.output("sources")));
    let keys = ["parts-key", "framework-key", "translation-key"].map(|key| done.output(key));
    assert!(keys.iter().all(|key| key.starts_with("droidtest-")) && keys[0] != keys[1]);
    for (os, arch, target) in [
        ("macOS", "ARM64", "aarch64-apple-darwin"),
        ("Windows", "X64", "x86_64-pc-windows-msvc"),
        ("Linux", "ARM64", "aarch64-unknown-linux-gnu"),
    ] {
        let done = plan(&[("RUNNER_OS", os), ("RUNNER_ARCH", arch)]).unwrap();
        assert_eq!(done.output("target"), target);
    }
}

#[test]
fn a_changed_source_changes_the_programs_key() {
    let Some(mut runner) = Runner::new(&INPUTS) else {
        return;
    };
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src/device/agent/pom.xml",
    ] {
        runner.write(
            &format!("action/{file}"),
            fs::read(root().join(file)).unwrap(),
        );
    }
    runner.write("action/templates/report.html", "a");
    runner.write("action/crates/dex2class/src/lib.rs", "a");
    runner.write("action/tests/apps/notes/notes.apk", "a");
    let at = runner.text("action");
    runner.set("ACTION_PATH", at);
    let first = runner.step("action/plan.sh", &[]);
    let again = runner.step("action/plan.sh", &[]);
    runner.write("action/templates/report.html", "b");
    let changed = runner.step("action/plan.sh", &[]);
    assert_eq!(first.outputs, again.outputs);
    assert_ne!(first.output("program-key"), changed.output("program-key"));
    assert_eq!(first.output("parts-key"), changed.output("parts-key"));
}

#[test]
fn wrong_inputs_are_refused_with_the_fix_and_start_no_command() {
    for (input, value, said) in [
        ("SHARD", "0/4", "write M/N"),
        ("SHARD", "5/4", "write M/N"),
        ("SHARD", "1/4; reboot", "write M/N"),
        (
            "COMMENT",
            "yes",
            "the input 'comment' is 'yes'; write one of: true false",
        ),
        ("BASE_APK", "old.apk", "needs 'baseline'"),
        ("RUNNER_ARCH", "RISCV", "no build for Linux on RISCV"),
        ("LOGS", "a\n::warning::b", "is 'a%0A::warning::b'"),
    ] {
        let Some(done) = plan(&[(input, value)]) else {
            return;
        };
        assert_ne!(done.ended.code, 0, "{input}={value}");
        let all = done.ended.all();
        assert!(
            all.contains("::error title=droidtest::") && all.contains(said),
            "{all}"
        );
        assert!(
            all.lines().all(|line| !line.starts_with("::warning")),
            "{all}"
        );
    }
}

#[test]
fn inputs_become_arguments_and_text_in_them_stays_text() {
    let Some(mut runner) = Runner::new(&RUN) else {
        return;
    };
    runner.recorder("cargo-droidtest");
    for (name, value) in [
        ("SUITE", "a suite $(touch made).toml"),
        ("PROFILE", "ci`touch made`"),
        ("BASELINE", "known.toml"),
        ("BASE_APK", "old one.apk\nsplit.apk\n"),
        ("SHARD", "2/4"),
        ("ARGS", "--seed 3  *\n--app $(touch${IFS}made)"),
    ] {
        runner.set(name, value);
    }
    let out = runner.text("out");
    runner.set("DROIDTEST_OUT", out);
    let done = runner.step("action/run.sh", &[]);
    done.expect(0);
    assert_eq!(
        runner.calls(),
        [
            "cargo-droidtest",
            "run",
            "--suite",
            "a suite $(touch made).toml",
            "--profile",
            "ci`touch made`",
            "--baseline",
            "known.toml",
            "--partition",
            "slice:2/4",
            "--base",
            "old one.apk",
            "--base",
            "split.apk",
            "--seed",
            "3",
            "*",
            "--app",
            "$(touch${IFS}made)"
        ]
    );
    assert!(!runner.path("made").exists());
    assert_eq!((done.output("exit-code"), done.output("folder")), ("0", ""));
}

#[test]
fn a_real_run_on_a_model_sets_all_outputs_and_ends_the_job_with_its_exit_code() {
    let Some(mut runner) = Runner::new(&RUN) else {
        return;
    };
    runner.real_tool();
    let out = runner.text("out");
    runner.set("DROIDTEST_OUT", out);
    runner.set("GITHUB_ACTIONS", "true");
    runner.set("ARGS", "--events 300");
    runner.set("SHARD", "1/2");
    runner.set("SARIF", "true");
    let run = runner.step("action/run.sh", &[]);
    run.expect(0);
    assert_eq!(run.output("exit-code"), "100");
    assert!(run.summary.contains("## droidtest: sim"), "{}", run.summary);

    let folder = run.output("folder").to_owned();
    assert!(!folder.ends_with("latest"), "{folder}");
    runner.set("FOLDER", &folder);
    runner.set("CODE", "100");
    runner.set("LOGS", "false");
    let results = runner.step("action/results.sh", &[]);
    results.expect(0);
    let summary = fs::read_to_string(format!("{folder}/summary.json")).unwrap();
    assert!(
        results.output("new").parse::<u32>().unwrap() > 0,
        "{summary}"
    );
    assert_eq!(
        (results.output("fixed"), results.output("flaky")),
        ("0", "0")
    );
    assert_eq!(results.output("report"), format!("{folder}/report.html"));
    assert_eq!(
        results.output("upload"),
        format!("{folder}/**\n!{folder}/sessions/*/device/**\n!{folder}/**/logs/**")
    );
    assert_eq!(results.output("sarif"), format!("{folder}/droidtest.sarif"));
    runner.set("NEW", results.output("new"));
    let said = runner.step("action/finish.sh", &[]).expect(100);
    assert!(said.contains("new): exit code 100"), "{said}");

    // A wrong argument starts no run, and `latest` of the run before is not taken for it.
    runner.set("ARGS", "--no-such-flag");
    let run = runner.step("action/run.sh", &[]);
    run.expect(0);
    assert_eq!((run.output("exit-code"), run.output("folder")), ("2", ""));
    // A continued run keeps its folder.
    runner.set("ARGS", "--events 300\n--resume latest");
    let run = runner.step("action/run.sh", &[]);
    assert_eq!(run.output("folder"), folder, "{}", run.ended.err);
    runner.set("FOLDER", "");
    runner.set("CODE", "2");
    let results = runner.step("action/results.sh", &[]);
    assert!(
        results.summary.contains("exit code 2"),
        "{}",
        results.summary
    );
    assert_eq!((results.output("new"), results.output("upload")), ("", ""));
    runner.set("NEW", "");
    runner.step("action/finish.sh", &[]).expect(2);
}

#[test]
fn a_gate_counts_new_fixed_and_flaky_without_warnings() {
    let Some(mut runner) = Runner::new(&[("CODE", "100"), ("LOGS", "true")]) else {
        return;
    };
    let found = |status: &str, warning: bool| json!({ "status": status, "warning": warning });
    let findings = [
        found("new", false),
        found("new", true),
        found("fixed", false),
        found("fixed", false),
        found("flaky", false),
        found("known", false),
        found("not-seen", false),
    ];
    runner.write(
        "run/gate.json",
        json!({ "version": 1, "findings": findings }).to_string(),
    );
    runner.write("run/droidtest.sarif", "{}");
    let folder = runner.text("run");
    runner.set("FOLDER", &folder);
    let done = runner.step("action/results.sh", &[]);
    done.expect(0);
    let counts = ["new", "fixed", "flaky"].map(|name| done.output(name));
    assert_eq!(counts, ["1", "2", "1"]);
    assert_eq!(done.output("report"), "");
    assert_eq!(done.output("sarif"), format!("{folder}/droidtest.sarif"));
    assert_eq!(
        done.output("upload"),
        format!("{folder}/**\n!{folder}/sessions/*/device/**")
    );
}

/// The event of a pull request from a repository.
fn pull_request(runner: &mut Runner, from: &str) {
    let repo = |name: &str| json!({ "repo": { "full_name": name } });
    let event =
        json!({ "pull_request": { "number": 7, "head": repo(from), "base": repo("us/app") } });
    runner.write("event.json", event.to_string());
    let path = runner.text("event.json");
    runner.set("GITHUB_EVENT_PATH", path);
    runner.set("GITHUB_EVENT_NAME", "pull_request");
}

#[test]
fn a_comment_is_written_for_own_pull_requests_only_and_never_fails_the_job() {
    let Some(mut runner) = Runner::new(&[("FOLDER", "the run"), ("GITHUB_TOKEN", "secret")]) else {
        return;
    };
    runner.recorder("cargo-droidtest");
    let said = runner.step("action/comment.sh", &[]).expect(0);
    assert!(said.contains("not started by a pull request"), "{said}");
    pull_request(&mut runner, "them/app");
    let said = runner.step("action/comment.sh", &[]).expect(0);
    assert!(said.contains("from another repository"), "{said}");
    assert_eq!(runner.calls(), [""; 0]);
    pull_request(&mut runner, "us/app");
    runner.step("action/comment.sh", &[]).expect(0);
    assert_eq!(runner.calls(), ["cargo-droidtest", "comment", "the run"]);
    runner.set("CODE_OF_TOOL", "110");
    let said = runner.step("action/comment.sh", &[]).expect(0);
    assert!(
        said.contains("::warning") && !said.contains("secret"),
        "{said}"
    );
}

#[test]
fn sarif_is_sent_to_the_api_with_the_token_in_no_argument() {
    let Some(mut runner) = Runner::new(&[
        ("GITHUB_TOKEN", "secret"),
        ("GITHUB_API_URL", "https://api.example.org"),
        ("GITHUB_REPOSITORY", "us/app"),
        ("GITHUB_SHA", "abc"),
        ("GITHUB_REF", "refs/pull/7/merge"),
        ("FILE", ""),
    ]) else {
        return;
    };
    // Keeps what it reads, too: the configuration with the token, and the body.
    let curl = "cat >\"$CALLS.stdin\"\nfor arg in \"$@\"; do case $arg in @*) cp \"${arg#@}\" \"$CALLS.body\";; esac; done\nexit ";
    runner.program("curl", &recorder_and(curl));
    let said = runner.step("action/sarif.sh", &[]).expect(0);
    assert!(said.contains("wrote no droidtest.sarif"), "{said}");
    runner.write("droidtest.sarif", "{\"version\": \"2.1.0\"}");
    let file = runner.text("droidtest.sarif");
    runner.set("FILE", file);
    pull_request(&mut runner, "them/app");
    runner.step("action/sarif.sh", &[]).expect(0);
    assert_eq!(runner.calls(), [""; 0]);
    pull_request(&mut runner, "us/app");
    runner.step("action/sarif.sh", &[]).expect(0);
    let calls = runner.calls();
    assert_eq!(
        calls.last().unwrap(),
        "https://api.example.org/repos/us/app/code-scanning/sarifs"
    );
    assert!(calls.iter().all(|arg| !arg.contains("secret")), "{calls:?}");
    assert_eq!(
        runner.read("calls.stdin"),
        "header = \"Authorization: Bearer secret\"\n"
    );
    let body: serde_json::Value = serde_json::from_str(&runner.read("calls.body")).unwrap();
    assert_eq!(
        (&body["commit_sha"], &body["ref"]),
        (&json!("abc"), &json!("refs/pull/7/merge"))
    );
    let packed = data_encoding::BASE64
        .decode(body["sarif"].as_str().unwrap().as_bytes())
        .unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b], "gzip");
    runner.set("CODE_OF_TOOL", "22");
    let said = runner.step("action/sarif.sh", &[]).expect(0);
    assert!(
        said.contains("::warning") && said.contains("security-events: write"),
        "{said}"
    );
    assert!(!said.contains("secret"), "{said}");
}

/// A program that records its arguments, then does this and ends with `CODE_OF_TOOL`.
fn recorder_and(then: &str) -> String {
    super::RECORDER.replace("exit ", then)
}

#[test]
fn every_exit_code_of_the_tool_has_a_reason_and_ends_the_job() {
    use droidtest::exit_code::ExitCode;
    let Some(mut runner) = Runner::new(&[("NEW", "")]) else {
        return;
    };
    for code in ExitCode::ALL {
        runner.set("CODE", code.code().to_string());
        let done = runner.step("action/finish.sh", &[]);
        assert_eq!(
            done.ended.code,
            i32::from(code.code()),
            "{}",
            done.ended.all()
        );
        assert_eq!(done.ended.all().is_empty(), *code == ExitCode::Ok);
    }
    runner.set("CODE", "");
    runner.step("action/finish.sh", &[]).expect(1);
}
