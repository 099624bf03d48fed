//! A strategy is one file, its `mod` line and its row: `toy` has nothing else and works everywhere.

use super::observer::Silent;
use super::{Inputs, Observer, Options, Outcome, Plan, RunError, execute};
use crate::bench::fate::Contender;
use crate::config::check::check;
use crate::config::source::{Source, parse};
use crate::config::{self, Request, schema};
use crate::explore::Stop;
use crate::outcome::RunEvent;
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::Did;
use camino::Utf8PathBuf;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn run(folder: &Path, strategy: &str) -> Result<Outcome, RunError> {
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 6 }}\n[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n\
         [[strategy]]\nkind = \"toy\"\n{strategy}"
    );
    let file = folder.join("droidtest.toml");
    fs::write(&file, suite).unwrap();
    let suite = config::load(&Request {
        suite: Utf8PathBuf::from_path_buf(file).ok(),
        ..Request::default()
    });
    let suite = suite.unwrap();
    let plan = Plan::new(&suite).unwrap();
    let inputs = Inputs::gather(&suite, &plan, &suite_env()).unwrap();
    let options = Options {
        base: folder.join("runs"),
        run_id: None,
        jobs: 1,
        offline: true,
        corpus: None,
        gate: None,
        bench: false,
        resume: None,
        reuse: false,
    };
    let observer: Arc<dyn Observer> = Arc::new(Silent);
    execute(
        &suite,
        &plan,
        &inputs,
        &options,
        &observer,
        &Stop::default(),
    )
}

fn suite_env() -> std::collections::BTreeMap<String, String> {
    std::collections::BTreeMap::new()
}

/// The numbers of the events that a session performed.
fn performed(outcome: &Outcome) -> (Vec<u32>, PathBuf) {
    let session = outcome
        .folder
        .session(&outcome.folder.sessions().unwrap()[0]);
    let journal = JournalReader::open(&session.journal()).unwrap();
    let steps = journal.map(Result::unwrap).filter_map(|event| match event {
        RunEvent::Step(step) => match step.did {
            Did::Event { ix, .. } => Some(ix),
            _ => None,
        },
        _ => None,
    });
    (steps.collect(), session.policy())
}

#[test]
fn a_suite_names_it_its_presets_and_its_policy() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(folder.path(), "policy = { save = true }\n").unwrap();
    let (events, policy) = performed(&first);
    assert_eq!(events[..2], [0, 1]);
    assert_eq!(fs::read_to_string(&policy).unwrap(), "6");

    let paper = run(folder.path(), "preset = \"paper\"\n").unwrap();
    assert_eq!(performed(&paper).0[..2], [0, 3]);

    // It continues from a policy; a policy that does not fit is an error at the key that names it.
    let load = format!("policy = {{ load = {policy:?} }}\n");
    let (events, _) = performed(&run(folder.path(), &load).unwrap());
    assert_ne!(events[0], 0);
    fs::write(&policy, "six").unwrap();
    let error = run(folder.path(), &load).unwrap_err();
    let RunError::Learned(problems) = error else {
        panic!("{error}")
    };
    let shown = format!("{problems:?}");
    assert!(
        shown.contains("is not a number") && shown.contains("this file"),
        "{shown}"
    );
}

#[test]
fn the_schema_and_the_bench_know_it() {
    let schema = schema::document().to_string();
    assert!(schema.contains("\"const\":\"toy\"") && schema.contains("Events that are left out"));
    assert!("toy:paper".parse::<Contender>().is_ok());
    assert!("toy:published".parse::<Contender>().is_err());
}

/// No other source file contains its name; the list contains it twice: as a module and as a row.
#[test]
fn nothing_else_names_it() {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&src, &mut all);
    let word = regex::Regex::new(r"\btoy(_tests)?\b").unwrap();
    let mut lines = Vec::new();
    for file in all
        .iter()
        .filter(|file| !file.ends_with("toy.rs") && !file.ends_with("toy_tests.rs"))
    {
        let text = fs::read_to_string(file).unwrap();
        let name = file.strip_prefix(&src).unwrap().display().to_string();
        let named = text.lines().filter(|line| word.is_match(line));
        lines.extend(named.map(|line| format!("{name}: {}", line.trim())));
    }
    lines.sort();
    assert_eq!(
        lines,
        [
            "run/mod.rs: mod toy_tests;",
            "strategy/mod.rs: Entry::of::<toy::Settings>(),",
            "strategy/mod.rs: pub mod toy;",
        ]
    );
}

#[test]
fn a_preset_that_it_does_not_have_is_refused() {
    let entry = crate::strategy::entry("toy").unwrap();
    let table = |preset: &str| serde_json::Map::from_iter([("preset".to_owned(), preset.into())]);
    assert_eq!(entry.with(table("paper")).unwrap().values()["stride"], 2);
    let error = entry.with(table("published")).unwrap_err();
    assert_eq!(error, "`toy` has no preset `published`");

    let text = "[[strategy]]\nkind = \"toy\"\npreset = \"published\"\n";
    let source = Source::new("s.toml", text);
    let problems = check(&source, &parse(&source).unwrap());
    let reported: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(
        reported,
        ["`published` is not a value of `strategy.preset`"]
    );
}
