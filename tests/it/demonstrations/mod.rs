//! What a person did in a run, as scripts, as traces and as an event model.

mod learned;

use crate::common::program::Desk;
use droidtest::learn::event_model::EventModel;
use droidtest::outcome::folder::{RunFolder, SessionFolder};
use droidtest::run::demonstration::Demonstration;
use serde_json::{Value, json};
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 40 }\nseeds = [5]\n\
    [[strategy]]\nkind = \"fastbot\"\n[minimize]\nenabled = false\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";

/// A run in which a person did what the strategy did, in the steps that are wanted by their number.
fn led(desk: &Desk, wanted: impl Fn(u64) -> bool) -> (RunFolder, SessionFolder) {
    let ended = desk.tool("run --run-id shown");
    let folder = RunFolder::find(&desk.path("target/droidtest"), Some("shown"))
        .unwrap_or_else(|e| panic!("{e}\n{}", ended.err));
    let session = folder.session("shop-sim-fastbot-5");
    let mut lines = String::new();
    for line in fs::read_to_string(session.journal()).unwrap().lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if event["e"] == "step" && wanted(event["i"].as_u64().unwrap()) {
            assert!(event["led"].is_null(), "{line}");
            event["led"] = json!("person");
            lines += &format!("{event}\n");
        } else {
            lines += &format!("{line}\n");
        }
    }
    fs::write(session.journal(), lines).unwrap();
    (folder, session)
}

#[test]
fn the_model_of_what_a_person_did_is_what_fastbot_counts_of_the_same_steps() {
    let desk = Desk::new(SUITE);
    let (_, session) = led(&desk, |_| true);
    let counted = EventModel::open(&session.event_model(), "org.example.shop").unwrap();
    let found = Demonstration::read(&session).unwrap();
    let model = found.model(&Default::default());
    assert!(model.size().0 > 5, "{:?}", model.size());
    let all = |model: &EventModel| {
        let names = String::from_utf8(model.to_bytes().unwrap()).unwrap();
        let body: Value = serde_json::from_str(names.lines().nth(1).unwrap()).unwrap();
        let name = |number: &Value| body["activities"][number.as_u64().unwrap() as usize].clone();
        let mut all: Vec<_> = (body["events"].as_object().unwrap().iter())
            .map(|(key, event)| {
                let to = event[1].as_array().unwrap().iter();
                let mut to: Vec<_> = to.map(|r| format!("{} {}", name(&r[0]), r[1])).collect();
                to.sort();
                format!("{key} at {} to {to:?}", name(&event[0]))
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(all(&model), all(&counted));
}

#[test]
fn a_stretch_becomes_a_script_that_the_suite_takes_and_performs() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| (3..6).contains(&i));
    let ended = desk.tool("demonstration shown --to script");
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert_eq!(
        ended.out.matches("[[app.script]]").count(),
        1,
        "{}",
        ended.out
    );
    desk.write("droidtest.toml", format!("{SUITE}{}", ended.out));
    let again = desk.tool("run --run-id again");
    let folder = RunFolder::find(&desk.path("target/droidtest"), Some("again"))
        .unwrap_or_else(|e| panic!("{e}\n{}", again.err));
    let journal = fs::read_to_string(folder.session("shop-sim-fastbot-5").journal()).unwrap();
    let steps = journal.matches("{\"script\":\"shown-1\"}").count();
    assert_eq!(steps, 3, "{}\n{}", ended.out, again.err);
}

#[test]
fn a_demonstration_becomes_one_trace_a_start_that_replays_and_is_added_once() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| i == 4 || i == 9);
    let added = desk.tool("demonstration shown --to corpus --output corpus");
    assert_eq!(added.code, 0, "{}", added.err);
    let files: Vec<_> = fs::read_dir(desk.path("corpus/org.example.shop"))
        .unwrap()
        .collect();
    assert_eq!(files.len(), 1);
    let file = files[0].as_ref().unwrap().path();
    let trace = droidtest::trace::load(&file).unwrap();
    assert_eq!(trace.steps.len(), 9);
    let replayed = desk.tool(&format!("replay {}", file.display()));
    assert!(replayed.out.contains("9 steps"), "{}", replayed.all());
    let again = desk.tool("demonstration latest --to corpus --output corpus");
    assert!(again.err.contains("Unchanged"), "{}", again.err);
}

#[test]
fn what_cannot_be_kept_is_said() {
    let desk = Desk::new(SUITE);
    let (_, session) = led(&desk, |i| i == 4);
    for (args, code, said) in [
        ("demonstration shown --to model", 2, "--output FILE"),
        (
            "demonstration shown --to corpus",
            2,
            "the suite has no `corpus`",
        ),
        (
            "demonstration shown --to script --app other",
            4,
            "no person did anything",
        ),
        ("demonstration none --to script", 4, "none"),
    ] {
        let ended = desk.tool(args);
        assert_eq!(ended.code, code, "{args}: {}", ended.err);
        assert!(ended.err.contains(said), "{args}: {}", ended.err);
    }
    let ended = desk.tool("demonstration shown --to model --output shown.json");
    assert_eq!(ended.code, 0, "{}", ended.err);
    let lines = fs::read_to_string(session.journal()).unwrap();
    let fifth = lines.lines().nth(4).unwrap();
    fs::write(session.journal(), lines.replacen(fifth, "garbage", 1)).unwrap();
    let ended = desk.tool("demonstration shown --to script");
    assert_eq!(ended.code, 65, "{}", ended.err);
    assert!(ended.err.contains("journal.jsonl:5: "), "{}", ended.err);
    let loads = SUITE.replace(
        "[minimize]",
        "model = { load = \"shown.json\" }\n[minimize]",
    );
    desk.write("droidtest.toml", loads);
    let ended = desk.tool("run");
    assert!(!ended.err.contains("error"), "{}", ended.err);
}

fn journal(desk: &Desk, run: &str, session: &str) -> String {
    let file = desk.path(&format!(
        "target/droidtest/{run}/sessions/{session}/journal.jsonl"
    ));
    fs::read_to_string(file).unwrap()
}

#[test]
fn a_flow_of_maestro_becomes_a_script_or_a_trace_that_a_run_performs() {
    let desk = Desk::new(SUITE);
    let flow = "appId: org.example.shop\n---\n- launchApp\n- assertVisible: Shop\n- tapOn: Browse\n- tapOn: Coffee\n- back\n";
    desk.write("flow.yaml", flow);
    let kept = desk.tool("demonstration flow.yaml --to corpus --output corpus");
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(
        kept.err
            .contains("flow.yaml:4: `assertVisible` is left out"),
        "{}",
        kept.err
    );
    let ran = desk.tool("run --corpus corpus --run-id ran --events 3");
    assert!(!ran.err.contains("error"), "{}", ran.err);
    let lines = journal(&desk, "ran", "shop-sim-fastbot-5");
    assert_eq!(lines.matches("\"led\":{\"corpus\":").count(), 3, "{lines}");
    let script = desk.tool("demonstration flow.yaml --to script");
    assert_eq!(script.code, 0, "{}", script.err);
    desk.write("droidtest.toml", format!("{SUITE}{}", script.out));
    let ran = desk.tool("run --run-id scripted");
    assert!(!ran.err.contains("error"), "{}", ran.err);
    let lines = journal(&desk, "scripted", "shop-sim-fastbot-5");
    assert_eq!(
        lines.matches("{\"script\":\"shown-1\"}").count(),
        3,
        "{lines}"
    );
    for (flow, args, code, said) in [
        (
            flow,
            "--to model --output m.json",
            2,
            "a flow names no activities",
        ),
        (
            "appId: x\n---\n- assertVisible: a\n",
            "--to script",
            4,
            "the flow has no steps",
        ),
        (
            "appId: x\n---\n- travel: a\n",
            "--to script",
            96,
            "flow.yaml:3: the command `travel` cannot be read",
        ),
    ] {
        desk.write("flow.yaml", flow);
        let ended = desk.tool(&format!("demonstration flow.yaml {args}"));
        assert_eq!(ended.code, code, "{}", ended.err);
        assert!(ended.err.contains(said), "{}", ended.err);
    }
}
