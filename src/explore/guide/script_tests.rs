use super::*;
use crate::explore::Stop;
use crate::explore::asks::{Asks, Question};
use crate::gui::{EventKind, Flags, RawNode, Rect};
use crate::outcome::run_event::{Input, RawInput};
use crate::trace::RawStep;
use crate::util::seed::generator;
use std::sync::{Arc, Mutex};

fn page(fields: &[&str], activity: &str) -> (Page, Interner) {
    let mut interner = Interner::default();
    let node = |id: &&str| RawNode {
        parent: -1,
        resource_id: format!("a:id/{id}"),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE | Flags::CLICKABLE,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let nodes: Vec<_> = fields.iter().map(node).collect();
    let page = Page::build(&nodes, activity, 0, (9, 9), &mut interner);
    (page, interner)
}

fn rng() -> Rng {
    generator(1, "", "", 0)
}

/// Types the name, then the secret PIN, on any page with a field for the PIN.
fn login(times: u32) -> Scripts {
    let toml = r#"
        name = "login"
        when = "//*[@resource-id='pin']"
        step = [
            { do = "type", id = "user", input = "ada" },
            { do = "type", id = "pin", secret = "pin" },
            { do = "back" },
        ]
    "#;
    let script = config::Script {
        times,
        ..toml::from_str(toml).unwrap()
    };
    Scripts::new(&[script], &[("pin".into(), "0815".into())]).unwrap()
}

fn typed(decision: Option<(Decision, String)>) -> String {
    match decision {
        Some((
            Decision::Perform {
                input: Some(Input::Text { s, .. } | Input::Secret { s, .. }),
                ..
            },
            _,
        )) => s,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_script_runs_step_by_step_once_until_data_are_cleared() {
    let (page, interner) = page(&["user", "pin"], "a.Login");
    let mut scripts = login(1);
    let mut lines = Vec::new();
    assert_eq!(
        typed(scripts.next(&page, 5, &interner, &mut rng(), &mut lines)),
        "ada"
    );
    assert!(matches!(
        &lines[..],
        [RunEvent::Script {
            before: 5,
            lost: None,
            ..
        }]
    ));
    assert_eq!(
        typed(scripts.next(&page, 6, &interner, &mut rng(), &mut lines)),
        "0815"
    );
    let back = scripts
        .next(&page, 7, &interner, &mut rng(), &mut lines)
        .unwrap();
    assert_eq!(
        back,
        (Decision::Raw(RawInput::Key { code: 4 }), "login".into())
    );
    assert_eq!(
        scripts.next(&page, 8, &interner, &mut rng(), &mut lines),
        None
    );
    scripts.launched(Reset::Relaunch);
    assert_eq!(
        scripts.next(&page, 9, &interner, &mut rng(), &mut lines),
        None
    );
    scripts.launched(Reset::ClearData);
    assert!(
        scripts
            .next(&page, 10, &interner, &mut rng(), &mut lines)
            .is_some()
    );
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_step_whose_widget_is_gone_ends_the_script_and_is_told() {
    let (page, interner) = page(&["pin"], "a.Login");
    let mut scripts = login(2);
    let mut lines = Vec::new();
    assert_eq!(
        scripts.next(&page, 1, &interner, &mut rng(), &mut lines),
        None
    );
    let lost: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            RunEvent::Script {
                lost: Some(why), ..
            } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(lost.len(), 1, "it does not begin again on this page");
    assert!(lost[0].starts_with("step 1, type"), "{}", lost[0]);
}

#[test]
fn a_start_of_the_app_ends_a_script() {
    let (page, interner) = page(&["user", "pin"], "a.Login");
    let mut scripts = login(1);
    let mut lines = Vec::new();
    assert!(
        scripts
            .next(&page, 1, &interner, &mut rng(), &mut lines)
            .is_some()
    );
    scripts.launched(Reset::Relaunch);
    assert_eq!(
        scripts.next(&page, 2, &interner, &mut rng(), &mut lines),
        None
    );
}

#[test]
fn activity_and_path_must_both_hold_where_both_are_given() {
    let script = |when: Option<&str>, activity: Option<&str>| {
        let script = config::Script {
            name: "s".into(),
            when: when.map(str::to_owned),
            activity: activity.map(str::to_owned),
            times: 1,
            probability: 1.0,
            ask: None,
            assert: None,
            step: vec![toml::from_str::<RawStep>("do = \"back\"").unwrap()],
        };
        Script::new(&script).unwrap()
    };
    let (page, interner) = page(&["pin"], "a.Login");
    let begins = |script: Script| script.begins(&page, &interner, &mut rng());
    let pin = Some("//*[@resource-id='pin']");
    assert!(begins(script(pin, None)));
    assert!(begins(script(None, Some("Login"))));
    assert!(begins(script(pin, Some("a.Login"))));
    assert!(!begins(script(pin, Some("Main"))));
    assert!(!begins(script(Some("//*[@text]"), Some("Login"))));
    assert!(!begins(script(None, None)));
    assert!(page.events.iter().any(|e| e.kind == EventKind::Text));
}

#[test]
fn a_script_with_a_probability_runs_at_that_share_of_the_pages() {
    // A script does not begin twice on a page that it leaves unchanged.
    let pages = [page(&["pin"], "a.Login"), page(&["pin", "name"], "a.Login")];
    let runs = |probability: f64, seed: u64| {
        let script = config::Script {
            times: u32::MAX,
            probability,
            ..toml::from_str("name = \"s\"\nactivity = \"Login\"\nstep = [{ do = \"back\" }]")
                .unwrap()
        };
        let mut scripts = Scripts::new(&[script], &[]).unwrap();
        let mut rng = generator(seed, "", "", 0);
        let mut ran = Vec::new();
        let mut at = 0;
        for n in 0..1000 {
            let (page, interner) = &pages[at];
            let turn = scripts.next(page, n, interner, &mut rng, &mut Vec::new());
            at = if turn.is_some() { 1 - at } else { at };
            ran.push(turn.is_some());
        }
        ran
    };
    let count = |turns: Vec<bool>| turns.into_iter().filter(|ran| *ran).count();
    assert_eq!(count(runs(0.0, 1)), 0);
    assert_eq!(count(runs(1.0, 1)), 1000);
    assert!((200..300).contains(&count(runs(0.25, 1))));
    assert_eq!(runs(0.25, 1), runs(0.25, 1));
    assert_ne!(runs(0.25, 1), runs(0.25, 2));
}

/// Gives the answers one by one, and keeps the questions.
#[derive(Debug, Default)]
struct Prompter {
    answers: Mutex<Vec<&'static str>>,
    asked: Mutex<Vec<String>>,
}

impl Asks for Prompter {
    fn ask(&self, question: &Arc<Question>) {
        let mut asked = self.asked.lock().unwrap();
        asked.push(format!("{}: {}", question.session(), question.text()));
        question.answer(self.answers.lock().unwrap().pop().map(str::to_owned));
    }
}

fn asking(times: u32) -> Scripts {
    let toml = r#"
        name = "code"
        activity = "Login"
        ask = "The code?"
        step = [{ do = "type", id = "pin", secret = "code" }]
    "#;
    let script = config::Script {
        times,
        ..toml::from_str(toml).unwrap()
    };
    Scripts::new(&[script], &[]).unwrap()
}

#[test]
fn an_answer_is_typed_under_the_scripts_name_and_each_run_asks_again() {
    let (page, interner) = page(&["pin"], "a.Login");
    let prompter = Arc::new(Prompter::default());
    // Too short to be hidden from the other tests of this process.
    *prompter.answers.lock().unwrap() = vec!["q7", "x4"];
    let mut scripts = asking(3);
    scripts.ask_with(Asking::new(
        "s-1".into(),
        vec![prompter.clone()],
        Stop::default(),
    ));
    let mut lines = Vec::new();
    let other = self::page(&["pin", "wrong"], "a.Login");
    for (code, page, interner) in [("x4", &page, &interner), ("q7", &other.0, &other.1)] {
        let next = scripts.next(page, 1, interner, &mut rng(), &mut lines);
        assert!(matches!(
            &next,
            Some((Decision::Perform { input: Some(Input::Secret { key, .. }), .. }, _)) if key == "code"
        ));
        assert_eq!(typed(next), code);
    }
    let next = scripts.next(&page, 3, &interner, &mut rng(), &mut lines);
    assert_eq!(next, None, "no third answer");
    assert_eq!(*prompter.asked.lock().unwrap(), ["s-1: The code?"; 3]);
    assert!(matches!(
        lines.last(),
        Some(RunEvent::Script { lost: Some(_), .. })
    ));
}

#[test]
fn a_script_that_may_not_ask_does_not_begin() {
    let (page, interner) = page(&["pin"], "a.Login");
    let mut lines = Vec::new();
    let next = asking(1).next(&page, 1, &interner, &mut rng(), &mut lines);
    assert_eq!((next, lines), (None, Vec::new()));
}

#[test]
fn a_script_that_leaves_a_page_unchanged_does_not_begin_on_it_again() {
    let (still, _) = page(&["pin"], "a.Login");
    let (moved, interner) = page(&["pin", "more"], "a.Login");
    let script: config::Script = toml::from_str(
        "name = \"s\"\nactivity = \"Login\"\nstep = [{ do = \"back\" }, { do = \"back\" }]",
    )
    .unwrap();
    let script = config::Script {
        times: 10,
        ..script
    };
    let mut scripts = Scripts::new(&[script], &[]).unwrap();
    let mut lines = Vec::new();
    let mut runs = |scripts: &mut Scripts, pages: &[&Page]| {
        let step = |page: &&Page| {
            scripts
                .next(page, 1, &interner, &mut rng(), &mut lines)
                .is_some()
        };
        pages.iter().map(step).collect::<Vec<_>>()
    };
    // The first run changes the page in between, and ends where it began.
    let seen = runs(&mut scripts, &[&still, &moved, &still, &still]);
    assert_eq!(seen, [true, true, false, false]);
    // Another page is another matter; one that a run leaves may be come back to.
    let seen = runs(
        &mut scripts,
        &[&moved, &moved, &still, &moved, &moved, &moved],
    );
    assert_eq!(seen, [true, true, false, true, true, false]);
    scripts.launched(Reset::Relaunch);
    assert_eq!(runs(&mut scripts, &[&still]), [false]);
    scripts.launched(Reset::ClearData);
    assert_eq!(runs(&mut scripts, &[&still]), [true]);
}
