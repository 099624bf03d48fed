//! What is in a bench's folder already: what holds, what is run again, what is left alone.

use super::{Case, SUITE};
use serde_json::Value;
use std::fs;

#[test]
fn a_bench_that_was_killed_goes_on_and_ends_as_if_it_had_not() {
    let case = Case::new(SUITE);
    case.bench("");
    let report = case.report();
    let cut = case.journal("shop-sim-random-1");
    let whole = fs::read(&cut).unwrap();
    // As a kill leaves it: one session cut off, one not started.
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let gone = case.journal("notes-sim-monkey-2");
    fs::remove_dir_all(gone.parent().unwrap()).unwrap();
    let kept = case.journal("shop-sim-random-2");
    let before = fs::metadata(&kept).unwrap().modified().unwrap();

    let (code, _, err) = case.bench("");
    assert_eq!(code, 0, "{err}");
    assert_eq!(case.report(), report);
    assert_eq!(fs::read(&cut).unwrap(), whole);
    assert_eq!(fs::metadata(&kept).unwrap().modified().unwrap(), before);
}

#[test]
fn a_total_time_leaves_sessions_to_the_next_call() {
    let case = Case::new(SUITE);
    let (code, _, err) = case.bench("-j 1 --total 1ms");
    assert_eq!(code, 106, "{err}");
    let said = err.split_whitespace().collect::<Vec<_>>().join(" ");
    let notice = "the total time (1ms) was used up before";
    assert!(said.contains(notice), "{said}");
    assert!(
        said.contains("of 12 sessions started; the same command runs them"),
        "{said}"
    );
    let started = |report: &Value| {
        let sessions = report["sessions"].as_array().unwrap().clone();
        let all = sessions
            .iter()
            .filter(|session| !session["ended"].is_null());
        // The time is none that they share: each that started has its whole budget.
        all.inspect(|session| assert_eq!(session["events"], 300, "{session}"))
            .count()
    };
    assert!(started(&case.report()) < 12);
    let (code, _, err) = case.bench("-j 1 --total 1h");
    assert_eq!(code, 0, "{err}");
    assert!(!err.contains("used up"), "{err}");
    assert_eq!(started(&case.report()), 12);
}

#[test]
fn a_session_with_other_settings_is_run_again_the_others_stay() {
    let case = Case::new(SUITE);
    case.bench("");
    let monkey = case.journal("shop-sim-monkey-1");
    let random = case.journal("shop-sim-no-system-1");
    let (old, kept) = (
        fs::read(&monkey).unwrap(),
        fs::metadata(&random).unwrap().modified().unwrap(),
    );
    let changed = SUITE.replace("kind = \"monkey\"", "kind = \"monkey\"\npct-touch = 90");
    case.desk.write("droidtest.toml", changed);
    case.bench("");
    assert_ne!(fs::read(&monkey).unwrap(), old);
    assert_eq!(fs::metadata(&random).unwrap().modified().unwrap(), kept);
}

#[test]
fn a_policy_of_the_same_name_with_other_content_is_another_setting() {
    let learner = |policy: &str| {
        format!(
            "[suite]\nname = \"b\"\nbudget = {{ events = 60 }}\nseeds = [1, 2]\n[[app]]\nname = \"shop\"\n\
             model = \"builtin:shop\"\n[[device]]\nname = \"sim\"\nkind = \"sim\"\n[[strategy]]\n\
             kind = \"q-learning\"\npolicy = {{ {policy} }}\n[[strategy]]\nkind = \"random\"\n"
        )
    };
    let case = Case::new(&learner("save = true"));
    assert_eq!(case.bench("").0, 0);
    let learned = |seed: u32| {
        let journal = case.journal(&format!("shop-sim-q-learning-{seed}"));
        fs::read(journal.with_file_name("policy.safetensors")).unwrap()
    };
    let (first, second) = (learned(1), learned(2));
    assert_ne!(first, second);
    let policy = case.desk.path("learned.safetensors");
    fs::write(&policy, first).unwrap();
    let suite = learner("load = \"learned.safetensors\"");
    case.desk.write("droidtest.toml", suite);
    let (_, _, err) = case.bench("");
    assert!(err.contains("2 earlier sessions are outdated"), "{err}");
    assert!(err.contains("`strategy`"), "{err}");

    let (_, _, err) = case.bench("");
    assert!(!err.contains("anew"), "{err}");
    let random = case.journal("shop-sim-random-1");
    let kept = fs::metadata(&random).unwrap().modified().unwrap();
    fs::write(&policy, second).unwrap();
    let (code, _, err) = case.bench("");
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("2 earlier sessions are outdated and will run again; changed: learned.safetensors (the old results are in "),
        "{err}"
    );
    assert_eq!(fs::metadata(&random).unwrap().modified().unwrap(), kept);
}

#[test]
fn sessions_of_another_build_and_of_another_engine_device_do_not_hold() {
    let case = Case::new(SUITE);
    case.bench("");
    let settings = |session: &str| case.journal(session).with_file_name("settings.json");
    let change = |session: &str, key: &str, value: &str| {
        let mut all: Value = serde_json::from_slice(&fs::read(settings(session)).unwrap()).unwrap();
        assert!(all[key].is_string(), "{all}");
        all[key] = value.into();
        fs::write(settings(session), all.to_string()).unwrap();
    };
    change("shop-sim-monkey-1", "build", "0f");
    let (_, _, err) = case.bench("");
    assert!(
        err.contains(
            "1 earlier session is outdated and will run again; changed: the build of cargo-droidtest (the old results are in "
        ),
        "{err}"
    );
    let (_, _, err) = case.bench("--engine torch:cpu");
    assert!(
        err.contains(
            "12 earlier sessions are outdated and will run again; changed: `engine` (the old results are in "
        ),
        "{err}"
    );
}

#[test]
fn what_events_cost_matters_to_the_sessions_that_it_ends() {
    let case = Case::new(SUITE);
    case.bench("");
    let again = |suite: &str| {
        case.desk.write("droidtest.toml", suite);
        case.bench("").2
    };
    let err = again(&format!("{SUITE}[bench]\ncost = {{ tap = \"9s\" }}\n"));
    assert!(!err.contains("anew"), "{err}");
    let timed = |think: &str| {
        again(&format!(
            "{SUITE}[bench]\ntime = \"1h\"\nthink = {{ monkey = \"{think}\" }}\n"
        ))
    };
    let err = timed("1s");
    assert!(
        err.contains(
            "12 earlier sessions are outdated and will run again; changed: `bench` (the old results are in "
        ),
        "{err}"
    );
    let err = timed("2s");
    assert!(err.contains("4 earlier sessions are outdated"), "{err}");
    // Back to what it was before: the sessions that were put aside hold again.
    let err = timed("1s");
    assert!(!err.contains("anew") && !err.contains("Exploring"), "{err}");
    let err = again(SUITE);
    assert!(!err.contains("anew") && !err.contains("Exploring"), "{err}");
}

#[test]
fn a_model_of_the_same_name_with_other_content_is_another_app() {
    let suite = SUITE.replace("builtin:shop", "m.json");
    let case = Case::new(&suite);
    let model = case.desk.path("m.json");
    let text = |say: &str| {
        format!(
            r#"{{"nodes":[{{"node_id":"A","transitions":[{{"transition_id":1,"type":"button","text":"{say}","destination":"A"}}]}}]}}"#
        )
    };
    fs::write(&model, text("one")).unwrap();
    let (code, _, err) = case.bench("");
    assert_eq!(code, 0, "{err}");
    fs::write(&model, text("two")).unwrap();
    let (_, _, err) = case.bench("");
    let said = "6 earlier sessions are outdated and will run again; changed: the file of app `shop` (the old results are in ";
    assert!(err.contains(said), "{err}");
    let old = case
        .run_folder()
        .join("replaced/shop-sim-random-1/journal.jsonl");
    assert!(fs::read_to_string(old).unwrap().contains("one"));
}

#[test]
fn how_many_devices_there_are_changes_no_session() {
    let case = Case::new(SUITE);
    case.bench("");
    fs::write(
        case.desk.path("droidtest.toml"),
        SUITE.replace("count = 4", "count = 1"),
    )
    .unwrap();
    let (_, _, err) = case.bench("-j 3");
    assert!(!err.contains("anew"), "{err}");
    assert!(
        err.contains("1 at a time, not 3: `count` limits the number of `sim`"),
        "{err}"
    );
}

#[test]
fn a_folder_that_is_not_this_bench_s_is_left_alone() {
    let case = Case::new(SUITE);
    let args = "run --run-id mine --app notes --strategy random --seed 1 --events 20";
    let run = case.desk.tool(args);
    assert!([0, 100].contains(&run.code), "{}", run.err);
    let refused = |args: &str, why: &str| {
        let (code, _, err) = case.bench(args);
        assert_eq!(code, 65, "{err}");
        assert!(err.contains(why) && err.contains("--run-id"), "{err}");
    };
    refused("--run-id mine", "it belongs to a run");
    assert!(
        case.desk
            .path("target/droidtest/mine/sessions/notes-sim-random-1/journal.jsonl")
            .is_file()
    );
    let other = case.desk.path("target/droidtest/other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("thesis.txt"), "").unwrap();
    refused("--run-id other", "it contains other files");
    // What a bench leaves that was killed at once is its own.
    let started = case.desk.path("target/droidtest/started");
    fs::create_dir_all(started.join("sessions")).unwrap();
    fs::write(started.join("bench.lock"), "1").unwrap();
    let (code, _, err) = case.bench("--run-id started --app shop --strategy random --seed 1");
    assert_eq!(code, 0, "{err}");

    let write = |name: &str, text: &str| case.desk.write(name, text);
    let unnamed = SUITE.replace("name = \"b\"\n", "");
    write("one.toml", &unnamed);
    write("two.toml", &unnamed);
    assert_eq!(case.bench("--suite one.toml --seed 1").0, 0);
    for args in ["--suite two.toml", "--suite two.toml --no-run"] {
        refused(args, "it belongs to the suite one.toml");
    }
    // A suite of the same name is the same one, whatever its file is called.
    assert_eq!(case.bench("--seed 1").0, 0);
    write("renamed.toml", SUITE);
    let (code, _, err) = case.bench("--suite renamed.toml --seed 1");
    assert_eq!(code, 0, "{err}");
    assert!(!err.contains("anew"), "{err}");
}

#[test]
fn two_at_once_do_not_clear_each_other_away() {
    let case = Case::new(SUITE);
    case.bench("");
    let lock = fs::File::open(case.run_folder().join("bench.lock")).unwrap();
    lock.lock().unwrap();
    let (code, _, err) = case.bench("");
    assert_eq!(code, 110, "{err}");
    assert!(
        err.contains("is in use by process ") && err.contains("--run-id"),
        "{err}"
    );
    assert_eq!(case.bench("--no-run").0, 0);
    lock.unlock().unwrap();
    assert_eq!(case.bench("").0, 0);
}
