use super::*;
use crate::config::{self, Request};
use crate::explore::Stop;
use crate::outcome::RunEvent;
use crate::outcome::folder::Division;
use crate::run::local_files::LocalFiles;
use crate::run::merge::merge;
use crate::run::observer::Silent;
use crate::run::partition::Partition;
use crate::run::{Inputs, Observer, Outcome, execute};
use camino::Utf8PathBuf;
use std::collections::BTreeMap as Map;
use std::fs;
use std::sync::{Arc, Mutex};

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 60 }\nseeds = [1, 2]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"fastbot\"\n";

fn run(base: &Path, id: &str, reuse: bool, suite: &str) -> Result<Outcome, RunError> {
    shard(base, id, reuse, suite, None)
}

/// Continues a run.
fn resume(earlier: &RunFolder, base: &Path) -> Result<Outcome, RunError> {
    let options = |options: &mut Options| {
        options.run_id = None;
        options.resume = Some(earlier.clone());
    };
    execute_with(base, "", true, SUITE, None, options)
}

fn shard(
    base: &Path,
    id: &str,
    reuse: bool,
    suite: &str,
    index: Option<u64>,
) -> Result<Outcome, RunError> {
    execute_with(base, id, reuse, suite, index, |_| {})
}

fn execute_with(
    base: &Path,
    id: &str,
    reuse: bool,
    suite: &str,
    index: Option<u64>,
    change: impl Fn(&mut Options),
) -> Result<Outcome, RunError> {
    let observer: Arc<dyn Observer> = Arc::new(Silent);
    observed(base, suite, index, &observer, |options| {
        options.run_id = Some(id.to_owned());
        options.reuse = reuse;
        change(options);
    })
}

fn observed(
    base: &Path,
    suite: &str,
    index: Option<u64>,
    observer: &Arc<dyn Observer>,
    change: impl Fn(&mut Options),
) -> Result<Outcome, RunError> {
    let path = base.join("droidtest.toml");
    fs::write(&path, suite).unwrap();
    let request = Request {
        suite: Utf8PathBuf::from_path_buf(path).ok(),
        ..Request::default()
    };
    let suite = config::load(&request).unwrap();
    let mut plan = Plan::new(&suite).unwrap();
    if let Some(index) = index {
        plan = plan.shard(Partition::new(Division::Slice, index, 2).unwrap());
    }
    let inputs = Inputs::gather(&suite, &plan, &Map::new()).unwrap();
    let mut options = Options {
        base: base.join("runs"),
        run_id: None,
        jobs: 2,
        offline: true,
        gate: None,
        bench: false,
        resume: None,
        reuse: true,
        corpus: None,
    };
    change(&mut options);
    execute(&suite, &plan, &inputs, &options, observer, &Stop::default())
}

fn stored(base: &Path) -> PathBuf {
    file(&base.join("runs").join(STORE), "org.example.shop")
}

fn journal(outcome: &Outcome, session: &str) -> Vec<u8> {
    fs::read(outcome.folder.session(session).journal()).unwrap()
}

#[test]
fn a_run_starts_from_the_sum_of_those_before_it_and_says_which() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let first = run(base, "one", true, SUITE).unwrap();
    assert!(first.folder.info().unwrap().models.is_empty());
    let after_one = fs::read(stored(base)).unwrap();
    let model = EventModel::open(&stored(base), "org.example.shop").unwrap();
    let started = first.folder.info().unwrap().started.unwrap();
    let name = |seed| format!("one/shop-sim-fastbot-{seed} {started}");
    assert_eq!(model.sessions, [1, 2].map(name));
    let second = run(base, "two", true, SUITE).unwrap();
    let names: Vec<_> = second.folder.info().unwrap().models.into_iter().collect();
    let hash = sha256::of_bytes(&after_one);
    assert_eq!(names, [("org.example.shop".to_owned(), hash)]);
    let kept = file(&second.folder.path().join(REUSED), "org.example.shop");
    assert_eq!(fs::read(kept).unwrap(), after_one);
    assert_ne!(fs::read(stored(base)).unwrap(), after_one);
    let session = "shop-sim-fastbot-2";
    assert_ne!(journal(&first, session), journal(&second, session));
    // One seed and one model is one run, whatever other runs add meanwhile.
    fs::write(stored(base), &after_one).unwrap();
    let third = run(base, "three", true, SUITE).unwrap();
    assert_eq!(journal(&third, session), journal(&second, session));
}

#[test]
fn without_reuse_nothing_is_read_and_nothing_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let first = run(base, "one", false, SUITE).unwrap();
    assert!(!stored(base).exists());
    let session = first.folder.session("shop-sim-fastbot-1");
    let own = EventModel::open(&session.event_model(), "org.example.shop").unwrap();
    assert!(own.size().0 > 3);
    run(base, "two", true, SUITE).unwrap();
    let third = run(base, "three", false, SUITE).unwrap();
    let name = "shop-sim-fastbot-1";
    assert_eq!(journal(&first, name), journal(&third, name));
    let unsaved = format!("{SUITE}model = {{ save = false }}\n");
    let fourth = run(base, "four", true, &unsaved).unwrap();
    assert_eq!(journal(&first, name), journal(&fourth, name));
    assert!(!fourth.folder.session(name).event_model().exists());
}

/// Looks after each event whether the session's model is written.
struct Looking {
    model: PathBuf,
    there: Mutex<Vec<bool>>,
}

impl Observer for Looking {
    fn event(&self, _: usize, event: &RunEvent) {
        if matches!(event, RunEvent::Step(_)) {
            self.there.lock().unwrap().push(self.model.is_file());
        }
    }
}

#[test]
fn a_session_of_the_default_budget_writes_its_model_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let suite = SUITE.replace(
        "budget = { events = 60 }\nseeds = [1, 2]\n",
        "seeds = [1]\n",
    );
    let looking = Arc::new(Looking {
        model: RunFolder::at(base.join("runs/one"))
            .session("shop-sim-fastbot-1")
            .event_model(),
        there: Mutex::default(),
    });
    let observer: Arc<dyn Observer> = looking.clone();
    let id = |options: &mut Options| options.run_id = Some("one".to_owned());
    observed(base, &suite, None, &observer, id).unwrap();
    let there = looking.there.lock().unwrap();
    assert!(there.len() >= 500, "{}", there.len());
    // Not each event is of the strategy's choice.
    let first = there.iter().position(|there| *there);
    assert!(first.is_some_and(|first| first < 200), "{first:?}");
}

#[test]
fn a_session_is_added_once_however_often_its_run_continues() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let outcome = run(base, "one", true, SUITE).unwrap();
    let before = fs::read(stored(base)).unwrap();
    let reuse = Reuse {
        store: base.join("runs").join(STORE),
        models: BTreeMap::new(),
    };
    let sessions = ["shop-sim-fastbot-1", "shop-sim-fastbot-2"];
    reuse
        .add(&outcome.folder, "org.example.shop", &sessions)
        .unwrap();
    assert_eq!(fs::read(stored(base)).unwrap(), before);
}

/// How often all events of a model were counted.
fn counts(model: &EventModel) -> u64 {
    let results = model.events().flat_map(|(event, _)| model.results(event));
    results.map(|(_, times)| u64::from(*times)).sum()
}

#[test]
fn a_run_with_the_name_of_an_earlier_one_is_added_too() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let open = |path: &Path| EventModel::open(path, "org.example.shop").unwrap();
    let mut own = 0;
    for number in 1..5 {
        let outcome = run(base, "nightly", true, SUITE).unwrap();
        for session in outcome.folder.sessions().unwrap() {
            own += counts(&open(&outcome.folder.session(&session).event_model()));
        }
        let mut sum = open(&stored(base));
        assert_eq!((counts(&sum), sum.sessions.len()), (own, 2 * number));
        fs::remove_dir_all(outcome.folder.path()).unwrap();
        // As versions before named them, without the time.
        for session in &mut sum.sessions {
            session.truncate("nightly/shop-sim-fastbot-1".len());
        }
        fs::write(stored(base), sum.to_bytes().unwrap()).unwrap();
    }
}

#[test]
fn a_bench_that_is_called_again_adds_its_sessions_once() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let bench = |options: &mut Options| options.bench = true;
    let call = || execute_with(base, "b", true, SUITE, None, bench).unwrap();
    call();
    let before = fs::read(stored(base)).unwrap();
    call();
    assert_eq!(fs::read(stored(base)).unwrap(), before);
}

#[test]
fn a_session_whose_model_cannot_be_read_keeps_no_other_out() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let outcome = run(base, "one", false, SUITE).unwrap();
    let sessions = ["shop-sim-fastbot-1", "shop-sim-fastbot-2"];
    let damaged = outcome.folder.session(sessions[0]).event_model();
    let whole = fs::read(&damaged).unwrap();
    let reuse = Reuse {
        store: base.join("runs").join(STORE),
        models: BTreeMap::new(),
    };
    let add = || reuse.add(&outcome.folder, "org.example.shop", &sessions);
    let added = || {
        let sum = EventModel::open(&stored(base), "org.example.shop");
        sum.unwrap().sessions
    };
    fs::write(&damaged, "x").unwrap();
    let error = add().unwrap_err().to_string();
    assert!(error.contains("shop-sim-fastbot-1"), "{error}");
    let only = added();
    assert!(only[0].starts_with("one/shop-sim-fastbot-2 "), "{only:?}");
    assert_eq!(only.len(), 1);
    fs::write(&damaged, whole).unwrap();
    add().unwrap();
    assert_eq!(added().len(), 2);
}

#[test]
fn a_run_that_continues_starts_from_its_own_copy() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    run(base, "one", true, SUITE).unwrap();
    let two = run(base, "two", true, SUITE).unwrap();
    let session = "shop-sim-fastbot-2";
    let before = journal(&two, session);
    let sum = fs::read(stored(base)).unwrap();
    // As if it had been killed in its second session.
    let path = two.folder.session(session).journal();
    fs::write(&path, &before[..before.len() / 2]).unwrap();
    let again = resume(&two.folder, base).unwrap();
    assert_eq!(journal(&again, session), before);
    assert_eq!(fs::read(stored(base)).unwrap(), sum);
    // Its copy is what `run.json` names, or it does not continue.
    fs::write(&path, &before[..before.len() / 2]).unwrap();
    let copy = file(&two.folder.path().join(REUSED), "org.example.shop");
    fs::write(copy, &sum).unwrap();
    let error = resume(&two.folder, base).unwrap_err().to_string();
    assert!(
        error.contains("it is not the model that the run started from"),
        "{error}"
    );
}

#[test]
fn a_damaged_or_foreign_model_stops_the_run_before_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    run(base, "one", true, SUITE).unwrap();
    let good = fs::read(stored(base)).unwrap();
    let refused = |content: &[u8], id| {
        fs::write(stored(base), content).unwrap();
        let error = run(base, id, true, SUITE).unwrap_err().to_string();
        assert!(!base.join("runs").join(id).exists(), "{error}");
        assert!(error.contains("org.example.shop.jsonl:"), "{error}");
        assert!(
            error.contains("set `reuse = false` in `[suite]`"),
            "{error}"
        );
        error
    };
    let cut = refused(&good[..good.len() - 9], "two");
    assert!(cut.contains("jsonl:2: it is cut off"), "{cut}");
    let other = EventModel::new("other.app").to_bytes().unwrap();
    let foreign = refused(&other, "three");
    assert!(foreign.contains("it is of \"other.app\""), "{foreign}");
    fs::write(stored(base), &good).unwrap();
    run(base, "four", true, SUITE).unwrap();
}

#[test]
fn a_file_of_the_suite_goes_before_what_the_runs_left() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let first = run(base, "one", true, SUITE).unwrap();
    let sum = fs::read(stored(base)).unwrap();
    let one = "runs/one/sessions/shop-sim-fastbot-1/model.jsonl";
    let two = "runs/one/sessions/shop-sim-fastbot-2/model.jsonl";
    let suite = format!("{SUITE}model = {{ load = \"{one}\", merge = [\"{two}\"] }}\n");
    let named = run(base, "two", true, &suite).unwrap();
    assert_eq!(fs::read(stored(base)).unwrap(), sum);
    let stored = run(base, "three", true, SUITE).unwrap();
    let session = "shop-sim-fastbot-1";
    assert_eq!(journal(&named, session), journal(&stored, session));
    assert_ne!(journal(&named, session), journal(&first, session));
    fs::write(base.join(two), "x").unwrap();
    let error = run(base, "four", true, &suite).unwrap_err();
    let words = error.to_string();
    assert!(
        words.contains("model.jsonl:1: it is not an event model"),
        "{words}"
    );
    // It is shown at its key, with what to do.
    let shown = format!("{error:?}");
    assert!(shown.contains("this file"), "{shown}");
    assert!(shown.contains("without `model.load`"), "{shown}");
}

#[test]
fn merged_shards_have_the_sum_of_their_models() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let runs = [1, 2].map(|index| {
        let id = index.to_string();
        let outcome = shard(base, &id, false, SUITE, Some(index));
        outcome.unwrap().folder
    });
    run(base, "whole", true, SUITE).unwrap();
    let out = base.join("merged");
    let files = LocalFiles::default();
    merge(&runs, &out, &files).unwrap();
    let package = "org.example.shop";
    let mut sum = EventModel::open(&file(&out.join(STORE), package), package).unwrap();
    let mut whole = EventModel::open(&stored(base), package).unwrap();
    for model in [&mut sum, &mut whole] {
        model.sessions.clear();
    }
    assert_eq!(sum, whole);
    // What cannot be used is named, and left out.
    fs::write(runs[0].session("shop-sim-fastbot-1").event_model(), "x").unwrap();
    let merged = merge(&runs, &base.join("again"), &LocalFiles::default()).unwrap();
    assert!(
        merged.warnings[0].contains("shop-sim-fastbot-1 is left out"),
        "{:?}",
        merged.warnings
    );
}

#[cfg(unix)]
#[test]
fn a_model_is_read_as_a_plain_file_only() {
    let base = tempfile::tempdir().unwrap();
    let (model, link) = (base.path().join("a.jsonl"), base.path().join("b.jsonl"));
    let absent = read(&model).unwrap_err();
    assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    let absent = read(&base.path().join("models/a.jsonl")).unwrap_err();
    assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    fs::write(&model, "x").unwrap();
    assert_eq!(read(&model).unwrap(), b"x");
    std::os::unix::fs::symlink(&model, &link).unwrap();
    assert!(read(&link).is_err());
}
