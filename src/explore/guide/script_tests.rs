use super::*;
use crate::gui::{EventKind, Flags, RawNode, Rect};
use crate::outcome::run_event::{Input, RawInput};
use crate::trace::RawStep;

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
    assert_eq!(typed(scripts.next(&page, 5, &interner, &mut lines)), "ada");
    assert!(matches!(
        &lines[..],
        [RunEvent::Script {
            before: 5,
            lost: None,
            ..
        }]
    ));
    assert_eq!(typed(scripts.next(&page, 6, &interner, &mut lines)), "0815");
    let back = scripts.next(&page, 7, &interner, &mut lines).unwrap();
    assert_eq!(
        back,
        (Decision::Raw(RawInput::Key { code: 4 }), "login".into())
    );
    assert_eq!(scripts.next(&page, 8, &interner, &mut lines), None);
    scripts.launched(Reset::Relaunch);
    assert_eq!(scripts.next(&page, 9, &interner, &mut lines), None);
    scripts.launched(Reset::ClearData);
    assert!(scripts.next(&page, 10, &interner, &mut lines).is_some());
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_step_whose_widget_is_gone_ends_the_script_and_is_told() {
    let (page, interner) = page(&["pin"], "a.Login");
    let mut scripts = login(2);
    let mut lines = Vec::new();
    assert_eq!(scripts.next(&page, 1, &interner, &mut lines), None);
    let lost: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            RunEvent::Script {
                lost: Some(why), ..
            } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(lost.len(), 2, "it was tried twice and no more");
    assert!(lost[0].starts_with("step 1, type"), "{}", lost[0]);
}

#[test]
fn a_start_of_the_app_ends_a_script() {
    let (page, interner) = page(&["user", "pin"], "a.Login");
    let mut scripts = login(1);
    let mut lines = Vec::new();
    assert!(scripts.next(&page, 1, &interner, &mut lines).is_some());
    scripts.launched(Reset::Relaunch);
    assert_eq!(scripts.next(&page, 2, &interner, &mut lines), None);
}

#[test]
fn activity_and_path_must_both_hold_where_both_are_given() {
    let script = |when: Option<&str>, activity: Option<&str>| {
        let script = config::Script {
            name: "s".into(),
            when: when.map(str::to_owned),
            activity: activity.map(str::to_owned),
            times: 1,
            step: vec![toml::from_str::<RawStep>("do = \"back\"").unwrap()],
        };
        Script::new(&script).unwrap()
    };
    let (page, interner) = page(&["pin"], "a.Login");
    let begins = |script: Script| script.begins(&page, &interner);
    let pin = Some("//*[@resource-id='pin']");
    assert!(begins(script(pin, None)));
    assert!(begins(script(None, Some("Login"))));
    assert!(begins(script(pin, Some("a.Login"))));
    assert!(!begins(script(pin, Some("Main"))));
    assert!(!begins(script(Some("//*[@text]"), Some("Login"))));
    assert!(!begins(script(None, None)));
    assert!(page.events.iter().any(|e| e.kind == EventKind::Text));
}
