//! What a person did in a run, as scripts, as traces and as an event model.

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

/// The suite with settings for its strategy.
fn with(settings: &str) -> String {
    SUITE
        .replace("[minimize]", &format!("{settings}\n[minimize]"))
        .replace("seeds = [5]", "seeds = [5]\nreuse = false")
}

const SHOWN: &str = "demonstrations = [\"target/droidtest/shown\"]";

fn journal(desk: &Desk, run: &str, session: &str) -> String {
    let file = desk.path(&format!(
        "target/droidtest/{run}/sessions/{session}/journal.jsonl"
    ));
    fs::read_to_string(file).unwrap()
}

#[test]
fn fastbot_counts_a_demonstration_first_and_the_same_way_each_time() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| i > 2);
    let run = |settings: &str, id: &str| {
        desk.write("droidtest.toml", with(settings));
        let ended = desk.tool(&format!("run --run-id {id}"));
        assert!(!ended.err.contains("error"), "{}", ended.err);
        journal(&desk, id, "shop-sim-fastbot-5")
    };
    let alone = run("", "alone");
    let first = run(SHOWN, "first");
    assert_ne!(first, alone);
    assert_eq!(run(SHOWN, "second"), first);
    let info = String::from_utf8(desk.read("target/droidtest/first/run.json")).unwrap();
    assert!(info.contains("the file target/droidtest/shown"), "{info}");
    // Reports can be written again; the journals are what is learned from.
    let hash = |info: &str| -> Value {
        let info: Value = serde_json::from_str(info).unwrap();
        info["whole"]["settings"]["the file target/droidtest/shown"].clone()
    };
    fs::remove_file(desk.path("target/droidtest/shown/report.html")).unwrap();
    run(SHOWN, "third");
    let third = String::from_utf8(desk.read("target/droidtest/third/run.json")).unwrap();
    assert_eq!(hash(&third), hash(&info));
}

#[test]
fn the_latest_run_is_the_one_before_the_run_that_learns_from_it() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| i > 2);
    let run = |settings: &str, id: &str| {
        desk.write("droidtest.toml", with(settings));
        let ended = desk.tool(&format!("run --run-id {id}"));
        assert!(!ended.err.contains("error"), "{}", ended.err);
        journal(&desk, id, "shop-sim-fastbot-5")
    };
    let linked = run(&SHOWN.replace("/shown", "/latest"), "linked");
    assert_eq!(linked, run(SHOWN, "named"));
    assert_ne!(linked, run("", "alone"));
}

#[test]
fn a_demonstration_that_cannot_be_used_is_an_error_at_its_key() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| i == 4);
    desk.write(
        "flow.yaml",
        "appId: org.example.shop\n---\n- tapOn: Browse\n",
    );
    desk.write(
        "other.yaml",
        "appId: org.example.other\n---\n- tapOn: Browse\n",
    );
    desk.write(
        "bad.yaml",
        "appId: org.example.shop\n---\n- tapOn: Browse\n- evalScript: ${x}\n",
    );
    let of = |file: &str| format!("demonstrations = [\"{file}\"]");
    for (suite, said) in [
        (
            with(&of("none")),
            "the demonstration of the strategy `fastbot`, none, is missing",
        ),
        (
            with(&of("other.yaml")),
            "it is of the app org.example.other, not of org.example.shop",
        ),
        (
            with(&of("bad.yaml")),
            "bad.yaml:4: the command `evalScript` cannot be read",
        ),
        (with(&of("flow.yaml")), "a trace names no activities"),
        (with(&of("droidtest.toml")), "droidtest.toml:"),
        (
            with(SHOWN) + "[[app]]\nname = \"tape\"\nmodel = \"builtin:tape\"\n",
            "it is of the app org.example.shop, not of org.example.tape",
        ),
        (
            with(SHOWN).replace("\"fastbot\"", "\"random\""),
            "`strategy` has no key `demonstrations`",
        ),
        (
            with(&format!(
                "members = [{{ kind = \"random\" }}, {{ kind = \"monkey\" }}]\n{SHOWN}"
            ))
            .replace("\"fastbot\"", "\"portfolio\""),
            "no member of the portfolio learns from `demonstrations`",
        ),
        (
            with(&format!(
                "members = [{{ kind = \"random\" }}, {{ kind = \"fastbot\" }}]\n{}",
                of("flow.yaml")
            ))
            .replace("\"fastbot\"\nmembers", "\"portfolio\"\nmembers"),
            "a trace names no activities",
        ),
    ] {
        desk.write("droidtest.toml", &suite);
        let ended = desk.tool("run");
        assert!(
            matches!(ended.code, 65 | 96),
            "{}: {suite}{}",
            ended.code,
            ended.err
        );
        let unwrapped = ended.err.replace("\n  │ ", " ");
        assert!(unwrapped.contains(said), "{said}: {}", ended.err);
        assert!(
            ended.err.contains("droidtest.toml:"),
            "{said}: {}",
            ended.err
        );
    }
}

#[test]
fn a_member_of_a_portfolio_gets_what_the_portfolio_is_shown() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| i > 2);
    let run = |settings: &str, id: &str| {
        let members = "members = [{ kind = \"fastbot\" }, { kind = \"random\" }]";
        let suite = with(&format!("{members}\n{settings}"));
        desk.write(
            "droidtest.toml",
            suite.replace("\"fastbot\"\nmembers", "\"portfolio\"\nmembers"),
        );
        let ended = desk.tool(&format!("run --run-id {id}"));
        assert!(!ended.err.contains("error"), "{}", ended.err);
        journal(&desk, id, "shop-sim-portfolio-5")
    };
    assert_ne!(run(SHOWN, "first"), run("", "alone"));
}

#[cfg(feature = "deep")]
#[test]
fn dinodroid_learns_from_a_trace_and_from_a_run_the_same_way_each_time() {
    let desk = Desk::new(SUITE);
    led(&desk, |i| i > 2);
    desk.write(
        "flow.yaml",
        "appId: org.example.shop\n---\n- tapOn: Browse\n- tapOn: Coffee\n",
    );
    let run = |settings: &str, id: &str| {
        let suite = with(settings).replace("\"fastbot\"", "\"dinodroid\"");
        desk.write("droidtest.toml", suite);
        let ended = desk.tool(&format!("run --run-id {id}"));
        assert!(!ended.err.contains("error"), "{}", ended.err);
        journal(&desk, id, "shop-sim-dinodroid-5")
    };
    let alone = run("", "alone");
    let files = "demonstrations = [\"target/droidtest/shown\", \"flow.yaml\"]";
    let first = run(files, "first");
    assert_ne!(first, alone);
    assert_eq!(run(files, "second"), first);
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
