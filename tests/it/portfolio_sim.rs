//! A portfolio in complete runs on the sim device: turns in the journal, who found what in the report, the event model;
//! and members side by side.

use crate::common::program::{Desk, Ended};
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::summary::MemberSummary;
use droidtest::outcome::{RunEvent, RunSummary};
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 300 }\nseeds = [3]\nstrategies = [\"all\"]\nreuse = true\n\
    [[strategy]]\nname = \"all\"\nkind = \"portfolio\"\n\
    members = [{ kind = \"fastbot\", system-rate = 0.0 }, \"mine\", { kind = \"frontier\" }]\n\
    [[strategy]]\nname = \"mine\"\nkind = \"random\"\nsystem-rate = 0.0\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";

#[test]
fn members_take_turns_and_the_report_says_what_each_brought() {
    let desk = Desk::new(SUITE);
    let run = |id: &str| {
        let ended = Ended::of(&mut desk.command(&format!("run --run-id {id}")));
        assert!(!ended.err.contains("arning"), "{}", ended.err);
        let folder = RunFolder::at(desk.path(&format!("target/droidtest/{id}")));
        let session = folder.session(&folder.sessions().unwrap()[0]);
        let journal = fs::read(session.journal()).unwrap();
        (folder, journal)
    };
    let (folder, first) = run("first");
    let summary: RunSummary = serde_json::from_slice(&fs::read(folder.summary()).unwrap()).unwrap();
    let members = &summary.sessions[0].members;
    let mut names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["fastbot", "frontier", "mine"]);
    let sum: u64 = members.iter().map(|member| member.events).sum();
    assert_eq!(sum, summary.sessions[0].events);
    let found: u64 = members.iter().map(|member| member.probes).sum();
    let reached = summary.sessions[0].probes.covered;
    // The first start has reached the rest.
    assert!(found > 0 && found <= reached, "{members:?}");
    let report = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("Members of the portfolio"));
    assert!(report.contains("<th><span class=\"text\">mine</span></th>"));
    let reasons = String::from_utf8_lossy(&first);
    assert!(
        reasons.contains(r#""why":"untried""#),
        "frontier has given no reason"
    );
    let segments = |member: &MemberSummary| member.turns >= member.events / 20;
    assert!(members.iter().all(segments), "{members:?}");
    // The fastbot in it has left its model: the second run starts from it, and differs by that.
    assert!(
        desk.path("target/droidtest/models/org.example.shop.jsonl")
            .is_file()
    );
    let (_, second) = run("second");
    assert_ne!(first, second);
    fs::remove_dir_all(desk.path("target/droidtest/models")).unwrap();
    let (_, third) = run("third");
    assert_eq!(first, third, "the same seed and no model: the same journal");
}

/// The default strategy, twice in one folder: nothing of the first run changes the second, and none of it is trained.
#[test]
fn a_suite_without_a_strategy_repeats_with_its_seed() {
    let suite = "[suite]\nname = \"s\"\nbudget = { events = 300 }\nseeds = [3]\nreuse = true\n\
        [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";
    let desk = Desk::new(suite);
    let journal = |id: &str| {
        let ended = Ended::of(&mut desk.command(&format!("run --run-id {id}")));
        assert!(!ended.err.contains("arning"), "{}", ended.err);
        let folder = RunFolder::at(desk.path(&format!("target/droidtest/{id}")));
        fs::read_to_string(folder.session(&folder.sessions().unwrap()[0]).journal()).unwrap()
    };
    let first = journal("first");
    assert!(
        first.contains(r#"{"e":"member","name":"frontier"}"#),
        "another default"
    );
    assert_eq!(first, journal("second"));
    assert!(!desk.path("target/droidtest/models").exists());
    let ended = Ended::of(&mut desk.command("train policy"));
    assert_eq!(ended.code, 96, "{}", ended.all());
    assert!(
        ended.err.contains("no selected strategy learns"),
        "{}",
        ended.err
    );
}

/// [`SUITE`] with its members on so many devices.
fn side_by_side(devices: usize) -> Desk {
    let together = format!("kind = \"portfolio\"\nside-by-side = {devices}\n");
    let suite = SUITE.replace("kind = \"portfolio\"\n", &together);
    let device = format!("[[device]]\nname = \"sim\"\nkind = \"sim\"\ncount = {devices}\n");
    Desk::new(&(suite + &device))
}

#[test]
fn members_side_by_side_repeat_byte_for_byte_and_share_the_budget() {
    for devices in [2, 4] {
        let desk = side_by_side(devices);
        let run = |id: &str| {
            let _ = fs::remove_dir_all(desk.path("target/droidtest/models"));
            // One job: a group runs at once all the same.
            let ended = Ended::of(&mut desk.command(&format!("run -j 1 --run-id {id}")));
            assert!(!ended.err.contains("Warning"), "{}", ended.err);
            RunFolder::at(desk.path(&format!("target/droidtest/{id}")))
        };
        let (first, second) = (run("first"), run("second"));
        let names = first.sessions().unwrap();
        assert_eq!(names.len(), devices);
        assert!(names[1].ends_with("-all-3-d2"), "{names:?}");
        for name in &names {
            let journal = |run: &RunFolder| fs::read(run.session(name).journal()).unwrap();
            assert!(journal(&first) == journal(&second), "{name} differs");
        }
        let read = |run: &RunFolder| -> RunSummary {
            serde_json::from_slice(&fs::read(run.summary()).unwrap()).unwrap()
        };
        let summary = read(&first);
        let events = summary.sessions.iter().map(|session| session.events);
        assert_eq!(events.sum::<u64>(), 300);
        // All say the same of the group: its members chose all events, and each had a device of its own.
        let group = &summary.sessions[0].group;
        assert_eq!(group.iter().map(|member| member.events).sum::<u64>(), 300);
        assert!(group.len() >= devices.min(3), "{group:?}");
        assert!(
            summary
                .sessions
                .iter()
                .all(|session| session.group == *group)
        );
        let found = group.iter().map(|member| member.news).sum::<u64>();
        assert!(found > 10 && found < 300, "{group:?}");
        let report = fs::read_to_string(first.path().join("report.html")).unwrap();
        assert!(report.contains("side by side, "), "no line of the group");
    }
}

/// A member that had no turn leaves its policy, too, and a session without one is complete if there was none to write.
#[test]
fn a_session_whose_learning_member_had_no_turn_is_complete() {
    let suite = |segment: usize, devices: usize| {
        format!(
            "[suite]\nname = \"s\"\nbudget = {{ events = 30 }}\nseeds = [1]\n[[app]]\nname = \"shop\"\nmodel = \
             \"builtin:shop\"\n[[device]]\nname = \"sim\"\nkind = \"sim\"\ncount = {devices}\n[[strategy]]\nkind = \
             \"portfolio\"\nsegment = {segment}\nside-by-side = {devices}\nmembers = [{{ kind = \"random\" }}, \
             {{ kind = \"frontier\" }}, {{ kind = \"qbe\", policy = {{ save = true }} }}]\n"
        )
    };
    // The turn of `qbe` is the third.
    for (segment, devices, without) in [(20, 1, 1), (20, 2, 2), (5, 1, 0)] {
        let desk = Desk::new(&suite(segment, devices));
        let run = |args: &str| Ended::of(&mut desk.command(&format!("run {args}"))).err;
        run("--run-id one");
        let folder = RunFolder::at(desk.path("target/droidtest/one"));
        let names = folder.sessions().unwrap();
        assert_eq!(names.len(), devices);
        let policy = |name: &String| folder.session(name).policy();
        assert!(names.iter().map(policy).all(|policy| policy.is_file()));
        let resumed = run("--resume one");
        let all = format!("{devices} of {devices} session");
        assert!(resumed.contains(&all), "{resumed}");
        names
            .iter()
            .for_each(|name| fs::remove_file(policy(name)).unwrap());
        let resumed = run("--resume one");
        let rest = format!("{without} of {devices} session");
        assert!(resumed.contains(&rest), "{resumed}");
    }
}

#[test]
fn a_group_that_was_cut_off_starts_again_as_a_whole() {
    let desk = side_by_side(2);
    let ended = Ended::of(&mut desk.command("run --run-id one"));
    assert!(ended.code == 0 || ended.code == 100, "{}", ended.err);
    let run = RunFolder::at(desk.path("target/droidtest/one"));
    let names = run.sessions().unwrap();
    let journals = || -> Vec<Vec<u8>> {
        let of = |name: &String| fs::read(run.session(name).journal()).unwrap();
        names.iter().map(of).collect()
    };
    let before = journals();
    // As if the second had been killed: its last line is missing.
    let cut = run.session(&names[1]).journal();
    let lines = String::from_utf8(before[1].clone()).unwrap();
    let end = lines.trim_end().rfind('\n').unwrap() + 1;
    assert!(matches!(
        serde_json::from_str(&lines[end..]).unwrap(),
        RunEvent::End { .. }
    ));
    fs::write(&cut, &lines[..end]).unwrap();
    let again = Ended::of(&mut desk.command("run --resume one"));
    assert!(again.code == 0 || again.code == 100, "{}", again.err);
    assert!(journals() == before, "the group was not repeated");
    let aside = fs::read_dir(run.path().join("replaced")).unwrap();
    assert_eq!(aside.count(), 2);
}

#[test]
fn too_few_devices_and_a_bench_are_refused_at_their_key() {
    let desk = side_by_side(2);
    let suite = desk.path("droidtest.toml");
    let text = fs::read_to_string(&suite).unwrap();
    let bench = desk.tool("bench");
    assert_eq!(bench.code, 96, "{}", bench.err);
    assert!(
        bench
            .err
            .contains("`bench` uses one device for each session"),
        "{}",
        bench.err
    );
    assert!(bench.err.contains("side-by-side = 2"), "{}", bench.err);
    let few = desk.tool("run --events 1");
    assert_eq!(few.code, 96, "{}", few.err);
    assert!(
        few.err.contains("more than the budget's events (1)"),
        "{}",
        few.err
    );
    fs::write(&suite, text.replace("count = 2", "count = 1")).unwrap();
    let run = desk.tool("run");
    assert_eq!(run.code, 96, "{}", run.err);
    assert!(
        run.err.contains("runs on 2 devices side by side"),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("set `count = 2` for the device"),
        "{}",
        run.err
    );
}

#[test]
fn a_member_without_faults_is_no_news_on_a_device_without_faults() {
    let suite = "[suite]\nname = \"s\"\nbudget = { events = 40 }\n[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n\
        [[strategy]]\nkind = \"portfolio\"\nmembers = [{ kind = \"random\" }, { kind = \"monkey\" }]\n";
    let desk = Desk::new(suite);
    let ended = desk.tool("run");
    assert!(!ended.err.contains("faults"), "{}", ended.err);
    let report = String::from_utf8(desk.read("target/droidtest/latest/report.html")).unwrap();
    assert!(!report.contains("has no faults"));
}

#[test]
fn a_policy_is_trained_into_the_file_that_the_suite_loads() {
    let suite = "[suite]\nname = \"s\"\nbudget = { events = 40 }\n[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n\
        [[strategy]]\nkind = \"qbe\"\nlearn = false\npolicy = { load = \"table.safetensors\" }\n";
    let desk = Desk::new(suite);
    let untrained = desk.tool("run");
    assert!(
        untrained.err.contains("table.safetensors, is missing"),
        "{}",
        untrained.err
    );
    for done in ["Learned", "1 of 1 sessions done"] {
        let trained = desk.tool("train policy --policy table.safetensors");
        assert_eq!(trained.code, 0, "{}", trained.err);
        assert!(trained.err.contains(done), "{done}: {}", trained.err);
    }
    let used = desk.tool("run");
    assert!(!used.err.contains("is missing"), "{}", used.err);
    // Sessions that train share no time.
    let timed = desk.tool("train policy --policy table.safetensors --total 1s");
    let notice = "training has no total time: `total = 1s` does not apply";
    assert!(timed.err.contains(notice), "{}", timed.err);
    assert!(!desk.tool("train policy --help").out.contains("--total"));
}
