//! What strategies learn from demonstrations before their first event.

use super::{SUITE, journal, led};
use crate::common::program::Desk;
use serde_json::Value;
use std::fs;

/// The suite with settings for its strategy.
fn with(settings: &str) -> String {
    SUITE
        .replace("[minimize]", &format!("{settings}\n[minimize]"))
        .replace("seeds = [5]", "seeds = [5]\nreuse = false")
}

const SHOWN: &str = "demonstrations = [\"target/droidtest/shown\"]";

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
                "members = [\"calm\", {{ kind = \"monkey\" }}]\n{SHOWN}\n[[strategy]]\nname = \"calm\"\nkind = \"random\"\n"
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

#[test]
fn a_trace_is_for_the_members_that_learn_from_it() {
    let desk = Desk::new(SUITE);
    desk.write(
        "flow.yaml",
        "appId: org.example.shop\n---\n- tapOn: Browse\n- tapOn: Coffee\n",
    );
    let run = |settings: &str, id: &str| {
        desk.write(
            "droidtest.toml",
            with(settings).replace("\"fastbot\"", "\"portfolio\""),
        );
        let ended = desk.tool(&format!("run --events 120 --run-id {id}"));
        assert!(!ended.err.contains("error"), "{}", ended.err);
        journal(&desk, id, "shop-sim-portfolio-5")
    };
    // The members are the default ones: `fastbot` cannot use a trace, `dinodroid` can, and has a turn after 40 events.
    let shown = run("demonstrations = [\"flow.yaml\"]", "shown");
    assert_ne!(shown, run("", "alone"));
    // What a member's own table names is for it alone.
    let own =
        "members = [{ kind = \"dinodroid\" }, { kind = \"FB\", demonstrations = [\"flow.yaml\"] }]";
    desk.write(
        "droidtest.toml",
        with(own)
            .replace("\"fastbot\"", "\"portfolio\"")
            .replace("FB", "fastbot"),
    );
    let ended = desk.tool("run");
    assert!(
        ended.err.contains("a trace names no activities"),
        "{}",
        ended.err
    );
}

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
