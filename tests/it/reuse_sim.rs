//! Which commands start from the event model that earlier runs of an app left: `run` does; a shard and `bench` only if the
//! suite says so.

use crate::common::files;
use crate::common::program::Desk;
use droidtest::outcome::RunInfo;
use droidtest::outcome::folder::RunFolder;
use droidtest::util::sha256;
use std::fs;

/// Commands that have no model unless the suite has `reuse = true`.
const WITHOUT: [&str; 2] = ["run --partition slice:1/1", "bench"];

/// A suite with this in its first table. Without faults, which `bench` never has: all commands have the same sessions.
fn suite(reuse: &str) -> String {
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 100 }}\nseeds = [1]\n{reuse}\
         [[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n\
         [[strategy]]\nkind = \"fastbot\"\n[faults]\nrate = 0.0\n"
    )
}

/// What a command did.
#[derive(Debug)]
struct Done {
    /// The SHA-256 of the model that its session started from, by `run.json`.
    model: Option<String>,
    journal: String,
    /// Did the session leave what it counted?
    counted: bool,
}

fn perform(desk: &Desk, command: &str, id: &str) -> Done {
    let ended = desk.tool(&format!("{command} --run-id {id}"));
    assert!(matches!(ended.code, 0 | 100), "{}", ended.all());
    let run = RunFolder::at(desk.path(&format!("target/droidtest/{id}")));
    let info: RunInfo = run.info().unwrap();
    let model = info.models.into_values().next();
    let kept = run.path().join("reused");
    assert_eq!(kept.exists(), model.is_some(), "{command}: {model:?}");
    let session = run.session(&run.sessions().unwrap()[0]);
    Done {
        model,
        journal: fs::read_to_string(session.journal()).unwrap(),
        counted: session.event_model().is_file(),
    }
}

/// The stored model's content.
fn stored(desk: &Desk) -> Option<Vec<u8>> {
    let folder = desk.path("target/droidtest/models");
    let all = folder.exists().then(|| files(&folder));
    let mut models = all.into_iter().flatten();
    let model = models.find(|file| file.extension().is_some_and(|end| end == "jsonl"));
    model.map(|file| fs::read(file).unwrap())
}

#[test]
fn only_a_run_of_the_complete_plan_starts_from_the_stored_model_by_default() {
    let desk = Desk::new(&suite(""));
    let first = perform(&desk, "run", "first");
    assert_eq!(first.model, None);
    let left = stored(&desk).expect("`run` leaves a model");
    for (number, command) in WITHOUT.iter().enumerate() {
        let done = perform(&desk, command, &format!("without-{number}"));
        assert_eq!(done.model, None, "{command}");
        assert!(done.counted, "{command}: nothing for `merge`");
        let same = done.journal == first.journal;
        assert!(same, "{command}: not the session of a run without a model");
        let now = stored(&desk);
        assert!(now.as_ref() == Some(&left), "{command} has added to it");
    }
    let second = perform(&desk, "run", "second");
    assert_eq!(second.model, Some(sha256::of_bytes(&left)));
    assert_ne!(second.journal, first.journal);
    assert!(stored(&desk) != Some(left), "nothing was added");
}

#[test]
fn with_reuse_a_shard_and_a_bench_start_from_the_stored_model_too() {
    let desk = Desk::new(&suite("reuse = true\n"));
    let first = perform(&desk, "run", "first");
    for (number, command) in WITHOUT.iter().enumerate() {
        let before = stored(&desk).expect("a model");
        let done = perform(&desk, command, &format!("with-{number}"));
        assert_eq!(done.model, Some(sha256::of_bytes(&before)), "{command}");
        assert_ne!(done.journal, first.journal, "{command}");
        assert!(stored(&desk) != Some(before), "{command} adds nothing");
    }
}

#[test]
fn without_reuse_a_run_neither_reads_nor_stores_a_model() {
    let desk = Desk::new(&suite("reuse = false\n"));
    let first = perform(&desk, "run", "first");
    let second = perform(&desk, "run", "second");
    assert_eq!((first.model, second.model), (None, None));
    assert_eq!(first.journal, second.journal);
    assert_eq!(stored(&desk), None);
}
