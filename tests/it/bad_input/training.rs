//! `train policy` where a course cannot continue, or must not continue as if nothing had happened.

use crate::common::program::Desk;
use droidtest::learn::policy_file::PolicyFile;
use std::fs::{self, File};

/// Short sessions of a strategy on these apps, with more lines for the strategy.
fn suite(apps: &[(&str, &str)], kind: &str, events: u32, more: &str) -> String {
    let apps: String = apps
        .iter()
        .map(|(name, model)| format!("[[app]]\nname = \"{name}\"\nmodel = \"{model}\"\n"))
        .collect();
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = {events} }}\nseeds = [1]\n{apps}\
         [[strategy]]\nkind = \"{kind}\"\n{more}\n"
    )
}

const BUILTIN: [(&str, &str); 3] = [
    ("notes", "builtin:notes"),
    ("shop", "builtin:shop"),
    ("tape", "builtin:tape"),
];

const TRAIN: &str = "train policy --policy p.safetensors --out training";

/// What the course says, which completes.
fn trained(desk: &Desk) -> String {
    let said = desk.tool(TRAIN);
    assert_eq!(said.code, 0, "{}", said.err);
    said.err
}

#[test]
fn apps_with_other_texts_are_told_before_the_first_session_and_one_list_mends_it() {
    for kind in ["q-learning", "ares-sac"] {
        let desk = Desk::new(&suite(&BUILTIN, kind, 10, ""));
        let said = desk.refused(
            TRAIN,
            &[
                "droidtest.toml:15",
                &format!("`{kind}` learns texts by their numbers"),
                "`notes` on `sim`: [\"",
                "; `shop` on `sim`: [\"",
                "`strings = [\"",
                "--app NAME",
            ],
        );
        assert!(!desk.path("training").exists(), "a session was started");
        assert!(!desk.path("p.safetensors").exists());
        // The list that it says is one that does it.
        let (_, list) = said.split_once("`strings = ").unwrap();
        let (list, _) = list.split_once("]`").unwrap();
        desk.write(
            "droidtest.toml",
            suite(&BUILTIN, kind, 10, &format!("strings = {list}]")),
        );
        assert!(trained(&desk).contains("p.safetensors: 3 sessions"));
        assert!(trained(&desk).contains("3 of 3 sessions done"));
    }
}

/// A model that is the shop, or another one of the same name.
fn model(name: &str) -> String {
    let source = droidtest::device::sim::Model::builtin(name).unwrap();
    source.source().to_owned()
}

/// The same name, but what was learned is of something else.
fn an_app_that_changed_is_learned_from_again(kind: &str) {
    let desk = Desk::new(&suite(&[("app", "app.json")], kind, 30, ""));
    desk.write("app.json", model("shop"));
    trained(&desk);
    let said = trained(&desk);
    assert!(said.contains("1 of 1 sessions done"), "{said}");
    assert!(!said.contains("has changed"), "{said}");
    let first = desk.read("p.safetensors");
    desk.write("app.json", model("shop").replacen("shop", "shop 2", 1));
    let said = trained(&desk);
    let session = format!("app-sim-{kind}-1");
    assert!(said.contains(&format!("{session} has changed")), "{said}");
    assert!(said.contains(&format!("Learned {session}")), "{said}");
    assert!(desk.read("p.safetensors") != first);
    let said = trained(&desk);
    assert!(said.contains("1 of 1 sessions done"), "{said}");
    assert!(!said.contains("Learned"), "{said}");
}

#[test]
fn dinodroid_learns_again_from_an_app_that_changed() {
    an_app_that_changed_is_learned_from_again("dinodroid");
}

#[test]
fn the_other_learners_learn_again_from_an_app_that_changed() {
    an_app_that_changed_is_learned_from_again("q-learning");
    an_app_that_changed_is_learned_from_again("ares-sac");
}

#[test]
fn a_policy_that_does_not_say_what_its_apps_were_is_gone_on_with_as_it_is() {
    let desk = Desk::new(&suite(&[("app", "app.json")], "q-learning", 30, ""));
    desk.write("app.json", model("shop"));
    trained(&desk);
    let policy = desk.read("p.safetensors");
    let mut policy = PolicyFile::read(&mut policy.as_slice(), "q-learning").unwrap();
    assert!(!std::mem::take(&mut policy.history[0].content).is_empty());
    let mut older = File::create(desk.path("p.safetensors")).unwrap();
    policy.write(&mut older).unwrap();
    let said = trained(&desk);
    assert!(said.contains("1 of 1 sessions done"), "{said}");
    assert!(!said.contains("Learned"), "{said}");
}

#[test]
fn a_course_that_is_done_is_none_of_a_strategy_with_other_inputs() {
    let apps = [("notes", "builtin:notes")];
    let desk = Desk::new(&suite(&apps, "dinodroid", 10, ""));
    trained(&desk);
    let policy = desk.read("p.safetensors");
    desk.write(
        "droidtest.toml",
        suite(&apps, "dinodroid", 10, "features = [\"fcr\"]"),
    );
    let words = [
        "p.safetensors: the policy does not fit: inputs: the policy's is",
        "name another file with --policy",
    ];
    desk.refused(TRAIN, &words);
    assert!(desk.read("p.safetensors") == policy);
}

/// The lesson would come again with every course.
#[test]
fn a_session_too_short_to_learn_in_is_done_all_the_same() {
    for kind in ["q-learning", "ares-sac", "ares-td3", "ares-ddpg"] {
        let desk = Desk::new(&suite(&[("notes", "builtin:notes")], kind, 3, ""));
        assert!(trained(&desk).contains("Learned notes"), "{kind}");
        let said = trained(&desk);
        assert!(said.contains("1 of 1 sessions done"), "{kind}: {said}");
        assert!(!said.contains("Learned"), "{kind}: {said}");
    }
}

/// Nothing is lost, since nothing was started.
fn unwritten(desk: &Desk, policy: &str, words: &[&str]) {
    let said = desk.tool(&format!("train policy --policy {policy} --out training"));
    assert_eq!(said.code, 110, "{}", said.err);
    for word in words {
        assert!(said.err.contains(word), "no `{word}` in {}", said.err);
    }
    assert!(!desk.path("training").exists(), "a session was started");
}

#[test]
fn a_policy_that_could_not_be_written_is_told_before_anything_runs() {
    let desk = Desk::new(&suite(&[("notes", "builtin:notes")], "q-learning", 3, ""));
    let words = [
        "nodir/x.st: there is no folder nodir; create it",
        "--policy",
    ];
    unwritten(&desk, "nodir/x.st", &words);
    desk.write("file", "");
    unwritten(&desk, "file/x.st", &["there is no folder file"]);
    fs::create_dir(desk.path("folder")).unwrap();
    unwritten(&desk, "folder", &["it is a folder; name a file in it"]);
    fs::create_dir(desk.path("x.st.lock")).unwrap();
    unwritten(&desk, "x.st", &["cannot write in ."]);
}

#[test]
fn two_courses_with_one_file_do_not_undo_each_other() {
    let desk = Desk::new(&suite(&[("notes", "builtin:notes")], "q-learning", 3, ""));
    let lock = desk.path("p.safetensors.lock");
    fs::write(&lock, "4242").unwrap();
    let held = File::open(&lock).unwrap();
    held.lock().unwrap();
    let words = [
        "p.safetensors: process 4242 is training this policy",
        "name another file with --policy",
    ];
    unwritten(&desk, "p.safetensors", &words);
    assert!(!desk.path("p.safetensors").exists());
    drop(held);
    assert!(trained(&desk).contains("Learned notes"));
}
