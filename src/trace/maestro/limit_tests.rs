//! What a hostile flow may cost.

use super::tests::flow;
use super::*;
use std::time::{Duration, Instant};

/// The error of these commands.
fn refused(commands: &str) -> String {
    flow(commands).expect_err("too much").to_string()
}

/// These commands so many times, at most 10,000.
fn often(times: usize, commands: &str) -> String {
    let (outer, inner) = (times.div_ceil(100), times.min(100));
    format!(
        "- repeat: {{times: {outer}, commands: [repeat: {{times: {inner}, commands: {commands}}}]}}\n"
    )
}

#[test]
fn a_long_selector_needs_no_stack() {
    for text in [
        ".*".repeat(200_000),
        "\\.*".repeat(200_000),
        "(".repeat(300_000),
    ] {
        let read = flow(&format!("- tapOn: '{text}'\n"));
        assert_eq!(read.is_err(), text.contains('*'));
    }
}

#[test]
fn whatever_is_repeated_counts_each_time() {
    let optional = "[".to_owned() + &"{tapOn: {id: a, optional: true}},".repeat(1000) + "]";
    let many = [
        often(10_000, &optional),
        often(100, "[tapOn: {id: a, repeat: 100}]"),
        often(10_000, "[assertTrue: x]"),
    ];
    for commands in many {
        let error = refused(&commands);
        assert!(
            error.starts_with("flow.yaml:5: more than 10000 commands"),
            "{error}"
        );
    }
    let long = "a".repeat(200_000);
    let text = format!("[tapOn: f, inputText: {long}]");
    let map: String = (0..2000)
        .map(|n| format!("k{n}: {},", "v".repeat(100)))
        .collect();
    let large = [
        often(1000, &text),
        often(1000, &format!("[tapOn: {long}]")),
        often(9, &format!("[tapOn: {{id: {long}, repeat: 100}}]")),
        often(1000, &format!("[assertVisible: {{{map}}}]")),
        often(1000, &format!("[{{? assert{long} : x}}]")),
    ];
    for commands in large {
        let error = refused(&commands);
        assert!(error.contains("more than 16 MiB"), "{error}");
        assert!(error.starts_with("flow.yaml:5: "), "{error}");
    }
}

#[test]
fn what_variables_stand_for_counts_each_time() {
    let read = |commands: &str| {
        let text = format!(
            "appId: org.x\nenv:\n  V: {}\n---\n- tapOn: f\n{commands}",
            "v".repeat(100_000)
        );
        read(&text, Path::new("flow.yaml"))
    };
    let wide = format!("- inputText: '{}'\n", "${V}".repeat(200));
    let long = often(1000, "['inputText': '${V}${V}']");
    let link = often(1000, "[openLink: {link: '${V}', label: org.x.A}]");
    for commands in [wide, long, link] {
        let error = read(&commands).expect_err("too much").to_string();
        assert!(
            error.starts_with("flow.yaml:6: more than 16 MiB"),
            "{error}"
        );
    }
    assert!(read("- inputText: '${V}${V}'\n").is_ok());
}

/// Seconds are much for a megabyte, and little for what grows with its square: 50,000 keys took over a minute.
#[test]
fn time_grows_with_the_size_of_the_file() {
    let began = Instant::now();
    let env: String = (0..45_000).map(|n| format!("  k{n}: v\n")).collect();
    let text = format!("appId: org.x\nenv:\n{env}---\n- tapOn: f\n- inputText: ${{k44999}}\n");
    let read = read(&text, Path::new("flow.yaml")).unwrap();
    assert_eq!(read.trace.steps.len(), 1);
    let lines = "- assertTrue: x\n".repeat(9000) + "- back\n- assertTrue: x\n";
    let read = flow(&lines).unwrap();
    assert_eq!(read.left_out.len(), 9001);
    assert!(
        read.left_out[9000].starts_with("flow.yaml:9006: "),
        "{}",
        read.left_out[9000]
    );
    let typed = format!("- tapOn: f\n- inputText: {}\n", "é".repeat(400_000));
    let erased = flow(&(typed + &often(9000, "[eraseText: 1]"))).unwrap();
    assert_eq!(erased.trace.steps.len(), 1);
    // The square of the size would take hours.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(300), "{took:?}");
}

#[test]
fn a_key_is_there_once() {
    let error = refused("- tapOn: {id: a, text: b, 'id': c}\n");
    assert!(
        error.starts_with("flow.yaml:5: a key that is there already"),
        "{error}"
    );
}
