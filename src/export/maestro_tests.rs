use super::*;
use crate::trace::{Target, maestro, read};
use proptest::prelude::*;
use std::path::Path;

/// The commands of a flow, without its comments.
fn commands(trace: &Trace) -> String {
    let text = flow(trace).text;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| format!("{line}\n")).collect()
}

fn read_back(trace: &Trace) -> Trace {
    let text = flow(trace).text;
    let read = maestro::read(&text, Path::new("flow.yaml"));
    read.unwrap_or_else(|e| panic!("{e}\n{text}")).trace
}

#[test]
fn a_flow_reads_back_into_steps_that_are_the_same_flow() {
    let file = "tests/fixtures/export/every-step.toml";
    let mut trace = read(
        include_str!("../../tests/fixtures/export/every-step.toml"),
        Path::new(file),
    )
    .unwrap();
    // Maestro has no widgets without an id or a text: it swipes over the screen.
    let nameless = |step: &Step| match step {
        Step::On(target, Deed::Swipe(_)) => !Selector::new(target, &Deed::Click).is_named(),
        _ => false,
    };
    trace.steps.retain(|step| !nameless(step));
    let again = read_back(&trace);
    assert_eq!(again.app.package, trace.app.package);
    assert_eq!(commands(&again), commands(&trace));
    assert!(again.steps.len() > 30, "{}", again.steps.len());
}

#[test]
fn what_a_new_process_finds_reset_is_reset_in_a_flow() {
    let steps = |names: &[&str]| {
        let step = |name: &&str| format!("[[step]]\ndo = \"{name}\"\n");
        let steps: String = names.iter().map(step).collect();
        let text = format!("version = 1\n[app]\npackage = \"org.x\"\n{steps}");
        read(&text, Path::new("trace.toml")).unwrap()
    };
    for end in ["relaunch", "process-death"] {
        for set in ["rotate", "night-mode", "offline"] {
            for more in ["back", set] {
                let trace = steps(&["back", set, end, more, "back", end, "back"]);
                assert_eq!(read_back(&trace).steps, trace.steps, "{end} {set} {more}");
            }
        }
    }
}

proptest! {
    #[test]
    fn whatever_an_app_shows_and_a_person_types_reads_back(
        shown in "\\PC+|[\\x00-\\x7f]+|[.*+?|\\\\\"{}$\u{2028}é…]+",
        said in "\\PC*|[\\x00-\\x7f]*|[$\\\\\"{}a]*",
    ) {
        let target = |text: &str| Target { text: text.to_owned(), ..Target::default() };
        let typed = Typed { text: said, secret: None, enter: false };
        let field = Target { id: "field".to_owned(), ..Target::default() };
        let steps = vec![Step::On(target(&shown), Deed::Click), Step::On(field, Deed::Type(typed))];
        let trace = Trace { steps: steps.clone(), ..empty() };
        prop_assert_eq!(read_back(&trace).steps, steps);
    }
}

fn empty() -> Trace {
    let text = "version = 1\n[app]\npackage = \"org.x\"\n";
    read(text, Path::new("trace.toml")).unwrap()
}
