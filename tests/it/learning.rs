//! Whole runs of the program with a learning strategy, on the sim device.

use crate::common::program;
use droidtest::learn::policy::Policy;
use droidtest::learn::policy_file::PolicyFile;
use droidtest::outcome::RunEvent;
use droidtest::outcome::explanation::Why;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

const SUITE: &str = r#"
[suite]
name = "s"
budget = { events = 40 }
seeds = [5]
[[app]]
name = "shop"
model = "builtin:shop"
[[app]]
name = "notes"
model = "builtin:notes"
[[device]]
name = "sim"
kind = "sim"
count = 2
[[strategy]]
kind = "dinodroid"
warm-up = 5
"#;

/// The suite of an agent that starts with nothing learned.
fn fresh() -> String {
    format!("{SUITE}policy = {{ fresh = true }}\n")
}

fn droidtest(folder: &Path, args: &str) -> (i32, String) {
    let mut command = program::droidtest(folder);
    let ended = program::Ended::of(command.args(args.split_whitespace()));
    (ended.code, ended.err)
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("droidtest.toml"), SUITE).unwrap();
    folder
}

/// Initial weights, dropout and noise come from the session's generator: another session simultaneously, in the
/// same process, has no effect. The journals hold each step's loss and values, so that they are equal bit for bit.
fn journals_are_equal(suite: &str) {
    let folder = folder();
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let journal = |run: &str, session: &str| {
        let base = folder.path().join("target/droidtest").join(run);
        fs::read(RunFolder::at(base).session(session).journal()).unwrap()
    };
    for (run, jobs) in [("alone", 1), ("again", 1), ("beside", 2)] {
        let (code, said) = droidtest(folder.path(), &format!("run --run-id {run} -j {jobs}"));
        assert!([0, 100].contains(&code), "{said}");
    }
    for session in ["shop-sim-dinodroid-5", "notes-sim-dinodroid-5"] {
        let alone = journal("alone", session);
        let losses = String::from_utf8_lossy(&alone).matches("\"loss\":").count();
        assert!(losses >= 20, "{session}: {losses} losses");
        assert!(alone == journal("again", session), "{session}");
        assert!(alone == journal("beside", session), "{session}");
    }
}

#[test]
fn two_runs_with_one_seed_write_the_same_journal_also_beside_each_other() {
    journals_are_equal(SUITE);
}

/// The C library has variants of its functions for processors with more instructions; here it must do without them.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn journals_do_not_depend_on_what_the_processor_can_do() {
    const MASK: &str =
        "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-FMA,-FMA4,-BMI1,-BMI2,-SSE4_1,-SSE4_2";
    let (own, _) = SUITE.split_once("[[strategy]]").unwrap();
    let kinds = [
        "dinodroid",
        "q-learning",
        "ares-sac",
        "ares-td3",
        "ares-ddpg",
        "fastbot",
        "timemachine",
        "dynodroid",
        "portfolio",
    ];
    let strategies = kinds.map(|kind| format!("[[strategy]]\nkind = \"{kind}\"\n"));
    let folder = folder();
    // `fastbot` would go on with the event model of the first run.
    let own = own.replace("events = 40 }", "events = 150 }\nreuse = false");
    let suite = format!("{own}[minimize]\nenabled = false\n{}", strategies.concat());
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let run = |id: &str, mask: Option<&str>| {
        let mut command = program::droidtest(folder.path());
        command.envs(mask.map(|mask| ("GLIBC_TUNABLES", mask)));
        let ended = program::Ended::of(command.args(["run", "--run-id", id]));
        assert!([0, 100].contains(&ended.code), "{}", ended.err);
        RunFolder::at(folder.path().join("target/droidtest").join(id))
    };
    let (whole, masked) = (run("whole", None), run("masked", Some(MASK)));
    let sessions = whole.sessions().unwrap();
    assert_eq!(sessions.len(), 2 * kinds.len());
    for session in sessions {
        let journal = |run: &RunFolder| fs::read(run.session(&session).journal()).unwrap();
        assert!(journal(&whole) == journal(&masked), "{session}");
    }
}

#[test]
fn the_same_holds_for_an_agent_with_nothing_learned() {
    journals_are_equal(&fresh());
}

/// Both presets start unlearned with twenty events at random, fill fields, send a system event every ten of their own
/// and explain themselves.
#[test]
fn the_presets_of_the_paper_and_of_its_code_explore_and_learn() {
    for preset in ["paper", "published"] {
        let folder = folder();
        fs::write(
            folder.path().join("droidtest.toml"),
            SUITE.replace("warm-up = 5", &format!("preset = {preset:?}")),
        )
        .unwrap();
        let (code, said) = droidtest(folder.path(), "run --app shop --events 100");
        assert!([0, 100].contains(&code), "{preset}: {said}");
        let run = RunFolder::find(&folder.path().join("target/droidtest"), None).unwrap();
        let journal = run.session("shop-sim-dinodroid-5").journal();
        let explained: Vec<_> = JournalReader::open(&journal)
            .unwrap()
            .filter_map(|event| match event.unwrap() {
                RunEvent::Explain(why) => Some(why),
                _ => None,
            })
            .collect();
        assert_eq!(explained.len(), 100, "{preset}");
        let whys: Vec<Why> = explained.iter().map(|e| e.why).collect();
        let own = |why: &&Why| !matches!(why, Why::System | Why::Fill);
        assert!(whys.contains(&Why::Fill), "{preset}");
        let own: Vec<Why> = whys.iter().filter(own).copied().collect();
        let by_chance = own.iter().take_while(|why| **why == Why::WarmUp).count();
        assert_eq!(by_chance, 20, "{preset}");
        let system = whys.iter().filter(|why| **why == Why::System).count();
        assert!(
            system >= 4 && (own.len() - 1) / 10 == system,
            "{preset}: {system}"
        );
        assert!(explained.iter().any(|e| e.loss.is_some()), "{preset}");
    }
}

#[test]
fn the_journal_says_of_each_decision_why_it_was_taken() {
    let folder = folder();
    droidtest(folder.path(), "run --app shop");
    let run = RunFolder::find(&folder.path().join("target/droidtest"), None).unwrap();
    let reader = JournalReader::open(&run.session("shop-sim-dinodroid-5").journal()).unwrap();
    let (mut explained, mut steps) = (Vec::new(), Vec::new());
    for event in reader {
        match event.unwrap() {
            RunEvent::Explain(why) => explained.push(why),
            RunEvent::Step(step) => steps.push(step.i),
            _ => {}
        }
    }
    assert_eq!(steps.len(), 40);
    assert_eq!(explained.iter().map(|why| why.i).collect::<Vec<_>>(), steps);
    let last = explained.last().unwrap();
    assert!(!last.best.is_empty() && last.best.len() <= 5 && last.loss.is_some());
    assert!(
        last.best.windows(2).all(|pair| pair[0].q >= pair[1].q),
        "{last:?}"
    );
    assert_eq!(last.best[0].features.len(), 3, "{last:?}");
}

#[test]
fn a_policy_is_trained_across_apps_and_taken_up_where_it_stopped() {
    let folder = folder();
    fs::write(folder.path().join("droidtest.toml"), fresh()).unwrap();
    let file = folder.path().join("policy.safetensors");
    let history = || {
        let policy = Policy::read(&mut fs::File::open(&file).unwrap()).unwrap();
        let names: Vec<_> = policy.history.iter().map(|l| l.session.clone()).collect();
        (names, policy.header.steps)
    };
    let (code, said) = droidtest(folder.path(), "train policy --app notes");
    assert_eq!(code, 0, "{said}");
    let (names, steps) = history();
    assert_eq!(names, ["notes-sim-dinodroid-5"]);
    let (code, said) = droidtest(folder.path(), "train policy");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("1 of 2 sessions done"), "{said}");
    let (names, more) = history();
    assert_eq!(names, ["notes-sim-dinodroid-5", "shop-sim-dinodroid-5"]);
    assert!(more > steps, "{steps} {more}");
    let bytes = fs::read(&file).unwrap();
    droidtest(folder.path(), "train policy");
    assert!(
        fs::read(&file).unwrap() == bytes,
        "nothing was left to learn"
    );

    // It serves a run; one of another network is refused before anything starts, with what differs.
    let with = |more: &str| {
        let suite = format!("{SUITE}policy = {{ load = \"policy.safetensors\" }}\n{more}");
        fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
        droidtest(folder.path(), "run --app shop")
    };
    let (code, said) = with("learn = false");
    assert!([0, 100].contains(&code), "{said}");
    let (code, said) = with("features = [\"fcr\"]");
    assert_eq!(code, 96, "{said}");
    assert!(
        said.contains("inputs") && said.contains("policy.safetensors"),
        "{said}"
    );
    fs::remove_file(&file).unwrap();
    let (code, said) = with("");
    assert_eq!(code, 96, "{said}");
    assert!(said.contains("train policy"), "{said}");
}

/// A policy that a course starts from names what it learned from itself: those are lessons of this course all the same.
#[test]
fn a_course_stopped_and_gone_on_with_learns_from_each_of_its_apps() {
    let folder = folder();
    // The policy that ships has learned from sessions of these names.
    let suite = SUITE
        .replace("\"shop\"", "\"model-shop\"")
        .replace("[5]", "[1]");
    let suite = suite.replace("\"notes\"", "\"model-notes\"");
    let write = |suite: &str| fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    for (more, file) in [
        ("", "a.safetensors"),
        ("policy = { load = \"a.safetensors\" }\n", "b.safetensors"),
    ] {
        write(&format!("{suite}{more}"));
        let (code, said) = droidtest(
            folder.path(),
            &format!("train policy --app model-shop --policy {file}"),
        );
        assert_eq!(code, 0, "{said}");
        let (code, said) = droidtest(folder.path(), &format!("train policy --policy {file}"));
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("1 of 2 sessions done"), "{file}: {said}");
        assert!(said.contains("Learned model-notes"), "{file}: {said}");
        let (_, said) = droidtest(folder.path(), &format!("train policy --policy {file}"));
        assert!(said.contains("2 of 2 sessions done"), "{file}: {said}");
    }
}

/// A lesson that completed is learned, also where the user stops while its findings are minimized.
#[cfg(unix)]
#[test]
fn a_course_stopped_while_findings_are_minimized_keeps_the_lesson() {
    let folder = folder();
    let suite = SUITE.replace("[5]", "[1]").replace("= 40", "= 400");
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let mut tool = program::droidtest(folder.path())
        .args(["train", "policy", "--app", "notes"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reported = BufReader::new(tool.stderr.take().unwrap()).lines();
    assert!(reported.any(|line| line.unwrap().contains("Minimizing")));
    let pid = rustix::process::Pid::from_child(&tool);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    // Read to its end, so that the tool can say what it has to say.
    reported.for_each(drop);
    tool.wait().unwrap();
    let (code, said) = droidtest(folder.path(), "train policy --app notes");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("1 of 1 sessions done"), "{said}");
}

/// A session in which others chose every event leaves no policy, and no half of one.
#[test]
fn where_the_strategy_chose_nothing_there_is_nothing_to_keep() {
    let folder = folder();
    let script = "[[app.script]]\nname = \"go\"\nwhen = \"//*\"\nstep = [{ do = \"rotate\" }]\n";
    let next = "[[app]]\nname = \"notes\"";
    let suite = fresh().replace(next, &format!("{script}{next}"));
    fs::write(
        folder.path().join("droidtest.toml"),
        suite.replace("= 40", "= 1"),
    )
    .unwrap();
    let (code, said) = droidtest(folder.path(), "train policy");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("learned nothing from shop"), "{said}");
    let policy = folder.path().join("policy.safetensors");
    let policy = Policy::read(&mut fs::File::open(&policy).unwrap()).unwrap();
    let learned: Vec<_> = policy.history.iter().map(|l| l.session.as_str()).collect();
    assert_eq!(learned, ["notes-sim-dinodroid-5"]);
}

/// What the other learners learned goes from app to app and from run to run in the same way.
#[test]
fn every_learner_is_trained_across_apps_and_its_policy_goes_on() {
    for kind in ["qbe", "q-learning", "ares-sac", "ares-td3", "ares-ddpg"] {
        let folder = folder();
        let suite = |more: &str| {
            let suite = format!(
                "[suite]\nbudget = {{ events = 150 }}\nseeds = [5]\n\
                 [[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\nstrings = [\"a\", \"50%\"]\n\
                 [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\nstrings = [\"a\", \"50%\"]\n\
                 [[strategy]]\nkind = \"{kind}\"\n{more}"
            );
            fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
        };
        suite("");
        let file = folder.path().join("policy.safetensors");
        let (code, said) = droidtest(folder.path(), "train policy --app notes");
        assert_eq!(code, 0, "{kind}: {said}");
        let first = fs::read(&file).unwrap();
        let (code, said) = droidtest(folder.path(), "train policy");
        assert_eq!(code, 0, "{kind}: {said}");
        assert!(said.contains("1 of 2 sessions done"), "{kind}: {said}");
        let both = fs::read(&file).unwrap();
        assert!(first != both, "{kind} learned nothing more");
        droidtest(folder.path(), "train policy");
        assert!(
            fs::read(&file).unwrap() == both,
            "{kind}: nothing was left to learn"
        );
        let sessions = |bytes: &[u8]| -> Vec<String> {
            let policy = PolicyFile::read(&mut &*bytes, kind).unwrap();
            let lessons = policy.history.into_iter();
            lessons.map(|lesson| lesson.session).collect()
        };
        let learned = ["notes", "shop"].map(|app| format!("{app}-sim-{kind}-5"));
        assert_eq!(sessions(&both), learned);
        // A run starts from it, and keeps what it learned beyond it.
        suite("policy = { load = \"policy.safetensors\", save = true }\n");
        let (code, said) = droidtest(folder.path(), "run --app shop --run-id again");
        assert!([0, 100].contains(&code), "{kind}: {said}");
        let kept = format!("target/droidtest/again/sessions/shop-sim-{kind}-5/policy.safetensors");
        let kept = fs::read(folder.path().join(kept)).unwrap();
        assert!(kept != both, "{kind}");
        assert_eq!(sessions(&kept).len(), 3, "{kind}");
    }
    // Another strategy's is refused by name, and stays.
    let folder = folder();
    fs::write(folder.path().join("droidtest.toml"), fresh()).unwrap();
    let file = folder.path().join("policy.safetensors");
    let other = PolicyFile {
        strategy: "ares-sac".into(),
        ..PolicyFile::default()
    };
    other.write(&mut fs::File::create(&file).unwrap()).unwrap();
    let before = fs::read(&file).unwrap();
    let suite = fresh()
        .replace("dinodroid", "q-learning")
        .replace("warm-up = 5\n", "");
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let (code, said) = droidtest(folder.path(), "train policy");
    assert_eq!(code, 96, "{said}");
    assert!(
        said.contains("ares-sac") && said.contains("--policy"),
        "{said}"
    );
    assert!(fs::read(&file).unwrap() == before);
}
