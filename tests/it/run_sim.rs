//! Whole runs of the program on the sim device: what is left behind, however a run ends.

use crate::common::files;
use crate::common::program::{Desk, Ended};
use droidtest::outcome::RunEvent;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use droidtest::outcome::run_event::{Did, Input, StepRecord};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A folder with a suite of one app, and the program started in it.
struct Bench {
    desk: Desk,
}

impl Bench {
    fn new(budget: &str) -> Self {
        let suite = format!(
            "[suite]\nname = \"s\"\nbudget = {budget}\nseeds = [5]\n[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"random\"\n"
        );
        let desk = Desk::new(&suite);
        Self { desk }
    }

    fn command(&self, args: &str) -> Command {
        self.desk.command(args)
    }

    fn run(&self, args: &str) -> (i32, String) {
        let ended = self.desk.tool(args);
        (ended.code, ended.err)
    }

    fn base(&self) -> PathBuf {
        self.desk.path("target/droidtest")
    }

    fn latest(&self) -> RunFolder {
        RunFolder::find(&self.base(), None).unwrap()
    }
}

fn journal(run: &RunFolder) -> PathBuf {
    run.session(&run.sessions().unwrap()[0]).journal()
}

fn events(run: &RunFolder) -> Vec<RunEvent> {
    let reader = JournalReader::open(&journal(run)).unwrap();
    reader.map(Result::unwrap).collect()
}

/// The texts that the latest run typed.
fn typed(bench: &Bench) -> Vec<String> {
    let typed = events(&bench.latest()).into_iter().filter_map(|event| {
        let RunEvent::Step(StepRecord { did, .. }) = event else {
            return None;
        };
        match did {
            Did::Event {
                input: Some(Input::Text { s, .. }),
                ..
            } => Some(s),
            _ => None,
        }
    });
    typed.collect()
}

#[test]
fn an_apps_own_strings_are_the_only_texts_typed() {
    let bench = Bench::new("{ events = 300 }");
    let suite = bench.desk.path("droidtest.toml");
    let text = fs::read_to_string(&suite).unwrap();
    let own = "model = \"builtin:shop\"\nstrings = [\"one\", \"two\"]\n";
    fs::write(&suite, text.replace("model = \"builtin:shop\"\n", own)).unwrap();
    let (_, err) = bench.run("run");
    let typed = typed(&bench);
    assert!(typed.len() > 10, "{err}");
    assert!(typed.iter().all(|s| s == "one" || s == "two"), "{typed:?}");
    assert!(typed.iter().any(|s| s == "two"));
}

#[test]
fn a_run_leaves_journal_summary_junit_and_html_and_exits_with_findings() {
    let bench = Bench::new("{ events = 4000 }");
    let (code, err) = bench.run("run");
    assert_eq!(code, 100, "{err}");
    let run = bench.latest();
    for file in [run.summary(), run.junit(), run.html()] {
        assert!(file.is_file(), "{}", file.display());
    }
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(run.summary()).unwrap()).unwrap();
    let session = &summary["sessions"][0];
    assert_eq!(session["events"], 4000);
    assert_eq!(session["ended"], "events");
    let findings = session["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for finding in findings {
        let folder = run
            .session("shop-sim-random-5")
            .finding(finding["id"].as_str().unwrap());
        assert!(folder.finding().is_file() && folder.hierarchy_before().is_file());
    }
}

#[test]
fn one_seed_gives_one_journal_byte_for_byte() {
    let bench = Bench::new("{ events = 3000 }");
    let read = |id: &str| {
        bench.run(&format!("run --run-id {id}"));
        fs::read(journal(&RunFolder::at(bench.base().join(id)))).unwrap()
    };
    let (first, second) = (read("a"), read("b"));
    assert!(first.len() > 100_000);
    assert!(first == second, "the journals differ");
    bench.run("run --run-id c --seed 6");
    assert!(fs::read(journal(&RunFolder::at(bench.base().join("c")))).unwrap() != first);
}

#[test]
fn reports_are_made_again_from_the_folder_alone() {
    let bench = Bench::new("{ events = 1500 }");
    bench.run("run");
    let run = bench.latest();
    let before = fs::read(run.summary()).unwrap();
    for file in [run.summary(), run.junit(), run.html()] {
        fs::remove_file(file).unwrap();
    }
    let (code, err) = bench.run("report");
    assert_eq!(code, 0, "{err}");
    assert_eq!(fs::read(run.summary()).unwrap(), before);
    assert!(run.junit().is_file() && run.html().is_file());
}

#[test]
fn two_runs_at_once_do_not_meet() {
    let bench = Bench::new("{ events = 5000 }");
    let mut children: Vec<Child> = (0..2)
        .map(|_| bench.command("run").stderr(Stdio::null()).spawn().unwrap())
        .collect();
    for child in &mut children {
        assert_eq!(child.wait().unwrap().code(), Some(100));
    }
    let runs = fs::read_dir(bench.base()).unwrap().filter_map(Result::ok);
    let runs: Vec<_> = runs.filter(|e| e.file_type().unwrap().is_dir()).collect();
    assert_eq!(runs.len(), 2);
    for run in runs {
        let last = events(&RunFolder::at(run.path())).pop();
        assert!(matches!(last, Some(RunEvent::End { events: 5_000, .. })));
    }
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &pid])
            .status()
            .unwrap()
            .success()
    );
}

/// Waits until the session's journal holds a step.
fn until_begun(base: &Path) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        let started = RunFolder::find(base, None).is_ok_and(|run| {
            let sessions = run.sessions().unwrap_or_default();
            let journal = |name: &String| fs::read_to_string(run.session(name).journal());
            let steps = |text: String| text.contains("{\"e\":\"step\",");
            sessions
                .first()
                .is_some_and(|name| journal(name).is_ok_and(steps))
        });
        if started {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the run did not begin");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_whole_reports_and_exits_with_130() {
    let bench = Bench::new("{ events = 100000000 }");
    let mut child = bench.command("run").stderr(Stdio::piped()).spawn().unwrap();
    until_begun(&bench.base());
    let asked = Instant::now();
    signal(&child, "-INT");
    let errors = BufReader::new(child.stderr.take().unwrap());
    let lines: Vec<_> = errors.lines().map_while(Result::ok).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{lines:?}");
    // The promise is 5 s on a dedicated machine; tests share theirs.
    assert!(asked.elapsed() < Duration::from_secs(60));
    let run = bench.latest();
    let last = events(&run).pop();
    assert!(matches!(
        last,
        Some(RunEvent::End {
            reason: droidtest::outcome::run_event::EndReason::Interrupted,
            ..
        })
    ));
    let junit = fs::read_to_string(run.junit()).unwrap();
    roxmltree::Document::parse(&junit).unwrap();
    assert!(fs::read_to_string(run.html()).unwrap().contains("</html>"));
}

#[cfg(unix)]
#[test]
fn killed_at_any_instant_the_folder_opens_and_reports_render() {
    for round in 0..25_u64 {
        let bench = Bench::new("{ events = 100000000 }");
        let mut child = bench.command("run").stderr(Stdio::null()).spawn().unwrap();
        if round % 5 != 0 {
            until_begun(&bench.base());
        }
        // Spread over start, first events and full swing, without a clock's help in choosing.
        std::thread::sleep(Duration::from_micros(round * 997 % 40_000));
        signal(&child, "-KILL");
        child.wait().unwrap();
        let Ok(run) = RunFolder::find(&bench.base(), None) else {
            continue; // before the folder was there
        };
        if run
            .sessions()
            .unwrap()
            .first()
            .is_some_and(|s| run.session(s).journal().is_file())
        {
            let steps = events(&run)
                .iter()
                .filter(|e| matches!(e, RunEvent::Step(_)))
                .count();
            assert!(round % 5 == 0 || steps > 0);
        }
        let (code, err) = bench.run("report");
        assert_eq!(code, 0, "round {round}: {err}");
        assert!(run.summary().is_file() && run.junit().is_file() && run.html().is_file());
    }
}

#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_is_an_error_that_names_the_file() {
    let bench = Bench::new("{ events = 100000 }");
    let program = env!("CARGO_BIN_EXE_cargo-droidtest");
    // A limit on file sizes, its signal ignored, fails a write as a full disk does.
    let script = format!("trap '' XFSZ; ulimit -f 200; exec {program} run");
    let out = Command::new("sh")
        .args(["-c", &script])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir(bench.desk.folder())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(110), "{err}");
    assert!(
        err.contains("journal.jsonl") || err.contains("timing.jsonl"),
        "{err}"
    );
    // What was written before is complete.
    assert!(events(&bench.latest()).len() > 100);
}

const ACCOUNT: &str = "ada<&>lovelace";
const SECRET: &str = "hunter2hunter2";

/// A login whose fields have hints only; the app tells who logs in, on the page and in its crash.
const LOGIN: &str = r#"{
    "meta": { "name": "login", "package": "org.example.login" },
    "global_vars": { "a": "", "b": "" },
    "nodes": [{ "node_id": "Login", "transitions": [
        { "transition_id": 0, "type": "editText", "hint": "Account", "set": "a = input_text", "destination": "Login" },
        { "transition_id": 1, "type": "editText", "hint": "Secret word", "set": "b = input_text", "destination": "Login" },
        { "transition_id": 2, "type": "button", "text": "Go, ada<&>lovelace", "guard": "a == \"ada<&>lovelace\" and b == \"hunter2hunter2\"",
          "crash": { "exception": "java.lang.IllegalStateException", "message": "no ada<&>lovelace", "frame": "org.example.Login.go(Login.java:40)" } }
    ] }]
}"#;

#[test]
fn dynodroid_fills_each_field_with_its_own_text() {
    let bench = Bench::new("{ events = 8 }");
    let suite = bench.desk.path("droidtest.toml");
    let text = fs::read_to_string(&suite).unwrap();
    let own =
        format!("model = \"login.json\"\n[app.text]\naccount = {ACCOUNT:?}\nsecret = {SECRET:?}\n");
    let text = text.replace("model = \"builtin:shop\"\n", &own);
    fs::write(&suite, text.replace("\"random\"", "\"dynodroid\"")).unwrap();
    bench.desk.write("login.json", LOGIN);
    let (code, err) = bench.run("run");
    // Both have to be right for the crash.
    assert_eq!(code, 100, "{err}");
    let typed = typed(&bench);
    assert!(
        typed.iter().all(|s| s == ACCOUNT || s == SECRET),
        "{typed:?}"
    );
    // Both fields are filled before another event is chosen.
    let first = events(&bench.latest())
        .into_iter()
        .filter_map(|event| match event {
            RunEvent::Step(StepRecord { did, .. }) => Some(did),
            _ => None,
        });
    let first: BTreeSet<_> = first
        .take(2)
        .map(|did| match did {
            Did::Event {
                input: Some(Input::Text { s, .. }),
                ..
            } => s,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        first,
        BTreeSet::from([ACCOUNT.to_owned(), SECRET.to_owned()])
    );
}

fn is_clean(text: &str) -> bool {
    !text.contains("lovelace") && !text.contains("hunter2")
}

#[test]
fn a_finding_behind_two_secrets_known_by_hint_is_replayed_and_nothing_tells_them() {
    let bench = Bench::new("{ events = 300 }");
    let suite = bench.desk.path("droidtest.toml");
    let text = fs::read_to_string(&suite).unwrap();
    let own = "model = \"login.json\"\n[app.text]\naccount = { env = \"ACCOUNT\" }\nsecret = { env = \"SECRET\" }\n";
    let text = text.replace("model = \"builtin:shop\"\n", own) + "[minimize]\nenabled = false\n";
    fs::write(&suite, text).unwrap();
    bench.desk.write("login.json", LOGIN);
    let said = |args: &str| {
        let mut command = bench.command(args);
        let ended = Ended::of(command.env("ACCOUNT", ACCOUNT).env("SECRET", SECRET));
        let said = ended.all();
        assert!(is_clean(&said), "{said}");
        (ended.code, said)
    };
    let (code, err) = said("run");
    assert_eq!(code, 100, "{err}");
    let left = files(bench.latest().path());
    let hierarchies = left
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "xml"));
    assert!(hierarchies.count() >= 2);
    for file in &left {
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        assert!(is_clean(&text), "{}: {text}", file.display());
    }
    let traces = left.iter().filter(|file| file.ends_with("trace.toml"));
    let trace = traces.clone().next().unwrap();
    let steps = fs::read_to_string(trace).unwrap();
    assert!(
        steps.contains("secret = \"account\"") && steps.contains("secret = \"secret\""),
        "{steps}"
    );
    for format in ["human", "json"] {
        let trace = trace.display();
        let (code, reported) = said(&format!("replay {trace} --message-format {format}"));
        assert_eq!(code, 100, "{reported}");
        assert!(reported.contains("no ***"), "{reported}");
        // If it does not fit, the message names what is there instead.
        let other = "[finding]\nkind = \"java-crash\"\n[[step]]\ndo = \"click\"\nid = \"gone\"\n";
        let other = format!("version = 1\n[app]\npackage = \"org.example.login\"\n{other}");
        bench.desk.write("other.toml", other);
        let (code, reported) = said(&format!("replay other.toml --message-format {format}"));
        assert_eq!(code, 96, "{reported}");
        assert!(reported.contains("Go, ***"), "{reported}");
    }
}
