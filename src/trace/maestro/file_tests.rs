//! Flows inside flows: in files, and under conditions.

use super::*;
use crate::trace::format::{Deed, Step};
use std::fs;
use std::path::PathBuf;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.at(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What the flow `main.yaml` taps, and the notes on it without the folder.
    fn taps(&self) -> (Vec<String>, Vec<String>) {
        let flow = load(&self.at("main.yaml")).unwrap_or_else(|e| panic!("{e}"));
        let tapped = |step: Step| match step {
            Step::On(target, Deed::Click) => target.text,
            other => format!("{other:?}"),
        };
        let folder = format!("{}/", self.0.path().display());
        let said = flow.left_out.iter().map(|said| said.replace(&folder, ""));
        (
            flow.trace.steps.into_iter().map(tapped).collect(),
            said.collect(),
        )
    }

    fn error(&self) -> String {
        let folder = format!("{}/", self.0.path().display());
        let error = load(&self.at("main.yaml"))
            .expect_err("an error")
            .to_string();
        error.replace(&folder, "")
    }
}

const HEAD: &str = "appId: org.x\n---\n";

fn main(commands: &str) -> String {
    format!("{HEAD}{commands}")
}

#[test]
fn files_are_read_relative_to_the_flow_that_names_them() {
    let folder = Folder::new(&[
        (
            "main.yaml",
            &main(
                "- tapOn: one\n- runFlow: parts/login.yaml\n- runFlow:\n    file: parts/more/deep.yaml\n    env: {WHO: Ada}\n- tapOn: end\n",
            ),
        ),
        (
            "parts/login.yaml",
            "appId: org.x\nenv:\n  NAME: Bob\n---\n- tapOn: ${NAME}\n- runFlow: ../shared.yaml\n- assertVisible: x\n",
        ),
        (
            "parts/more/deep.yaml",
            &main("- tapOn: ${WHO}\n- runFlow: ../../shared.yaml\n"),
        ),
        ("shared.yaml", "name: shared\n---\n- tapOn: shared\n"),
    ]);
    let (taps, said) = folder.taps();
    assert_eq!(taps, ["one", "Bob", "shared", "Ada", "shared", "end"]);
    assert_eq!(
        said,
        ["main.yaml:4: parts/login.yaml:7: `assertVisible` is left out: a trace has no assertions"]
    );
}

#[test]
fn the_variables_of_a_file_are_its_own_and_may_have_defaults() {
    let folder = Folder::new(&[
        (
            "main.yaml",
            "appId: org.x\nenv: {A: outer}\n---\n- runFlow: {file: in.yaml, env: {B: given}}\n- runFlow: in.yaml\n- tapOn: ${A}\n",
        ),
        (
            "in.yaml",
            "appId: org.x\nenv:\n  C: ${B || 'none'}\n---\n- tapOn: ${A} ${C}\n",
        ),
    ]);
    assert_eq!(folder.taps().0, ["outer given", "outer none", "outer"]);
}

#[test]
fn conditions_are_judged_as_far_as_they_can_be() {
    let when = |when: &str| format!("- runFlow:\n    when: {when}\n    commands: [{{tapOn: x}}]\n");
    for (condition, runs, said) in [
        ("{platform: Android}", true, ""),
        ("{platform: android, true: '${1}'}", true, ""),
        ("{platform: iOS}", false, "it is for iOS"),
        ("{true: '${true}'}", true, ""),
        ("{true: '${false}'}", false, "its condition is not true"),
        ("{true: 'false'}", false, "its condition is not true"),
        ("{true: true}", true, ""),
        ("{visible: Allow}", false, "only while something is shown"),
        (
            "{visible: {id: a}, platform: Android}",
            false,
            "only while something is shown",
        ),
        ("{notVisible: Home}", true, "is performed"),
        ("{notVisible: Home, platform: iOS}", false, "it is for iOS"),
    ] {
        let folder = Folder::new(&[("main.yaml", &main(&when(condition)))]);
        let (taps, notices) = folder.taps();
        assert_eq!(taps.len(), usize::from(runs), "{condition}");
        assert_eq!(
            notices.is_empty(),
            said.is_empty(),
            "{condition}: {notices:?}"
        );
        assert!(
            notices.iter().all(|notices| notices.contains(said)),
            "{condition}: {notices:?}"
        );
    }
}

#[test]
fn a_flow_that_is_tried_again_is_performed_once() {
    let folder = Folder::new(&[
        (
            "main.yaml",
            &main("- retry: {maxRetries: 3, commands: [{tapOn: x}]}\n- retry: {file: in.yaml}\n"),
        ),
        ("in.yaml", &main("- tapOn: y\n")),
    ]);
    assert_eq!(folder.taps().0, ["x", "y"]);
}

#[test]
fn an_end_of_the_app_that_nothing_follows_is_left_out() {
    for end in ["killApp", "stopApp"] {
        let folder = Folder::new(&[(
            "main.yaml",
            &main(&format!("- tapOn: x\n- {end}\n- assertNotVisible: x\n")),
        )]);
        let (taps, said) = folder.taps();
        assert_eq!(taps, ["x"]);
        assert!(
            said[1].contains("main.yaml:4: the end of the app is left out"),
            "{said:?}"
        );
    }
}

#[test]
fn texts_that_may_be_any_are_the_same_each_time() {
    let commands = "- tapOn: {id: f}\n- inputRandomEmail\n- eraseText\n- inputRandomNumber: {length: 4}\n- eraseText\n- inputRandomText\n- eraseText\n- inputRandomPersonName\n- clearKeychain\n";
    let folder = Folder::new(&[("main.yaml", &main(commands))]);
    let typed = |flow: Flow| -> Vec<String> {
        let texts = flow.trace.steps.into_iter().filter_map(|step| match step {
            Step::On(_, Deed::Type(typed)) => Some(typed.text),
            _ => None,
        });
        texts.filter(|text| !text.is_empty()).collect()
    };
    let texts = typed(load(&folder.at("main.yaml")).unwrap());
    let last = texts.last().unwrap();
    assert!(last.split(' ').count() == 2, "{texts:?}");
    assert_eq!(texts, typed(load(&folder.at("main.yaml")).unwrap()));
    for (command, why) in [
        ("inputRandomThing", "cannot be read"),
        ("inputRandomText: {length: 100000}", "longer than"),
    ] {
        let text = main(&format!("- tapOn: {{id: f}}\n- {command}\n"));
        let error = read(&text, Path::new("flow.yaml"))
            .expect_err(command)
            .to_string();
        assert!(
            error.starts_with("flow.yaml:4: ") && error.contains(why),
            "{error}"
        );
    }
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_line() {
    for (inner, why) in [
        (
            main("- tapOn: a\n- frobnicate\n"),
            "in.yaml:4: the command `frobnicate`",
        ),
        ("- tapOn: a\n".to_owned(), "in.yaml:1: not a flow"),
        (
            "appId: org.y\n---\n- back\n".to_owned(),
            "in.yaml:1: another app",
        ),
        (main("- tapOn: [\n"), "in.yaml:"),
        (
            main("- runFlow: in.yaml\n"),
            "more than 16 flows inside each other",
        ),
        (main("- runFlow: ../in.yaml\n"), "not below the folder"),
    ] {
        let folder = Folder::new(&[
            ("main.yaml", &main("- back\n- runFlow: in.yaml\n")),
            ("in.yaml", &inner),
        ]);
        let error = folder.error();
        assert!(error.starts_with("main.yaml:4: "), "{error}");
        assert!(error.contains(why), "{why}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn no_other_file_of_this_machine_is_read() {
    let folder = Folder::new(&[
        ("flows/main.yaml", &main("- runFlow: link.yaml\n")),
        ("secret.yaml", &main("- tapOn: secret\n")),
    ]);
    std::os::unix::fs::symlink(folder.at("secret.yaml"), folder.at("flows/link.yaml")).unwrap();
    std::os::unix::fs::symlink(folder.0.path(), folder.at("flows/up")).unwrap();
    for name in ["link.yaml", "up/secret.yaml", "../secret.yaml"] {
        fs::write(
            folder.at("flows/main.yaml"),
            main(&format!("- runFlow: {name}\n")),
        )
        .unwrap();
        let error = load(&folder.at("flows/main.yaml"))
            .expect_err(name)
            .to_string();
        assert!(!error.contains("tapOn"), "{error}");
    }
    let path = folder.at("secret.yaml");
    fs::write(
        folder.at("flows/main.yaml"),
        main(&format!("- runFlow: {}\n", path.display())),
    )
    .unwrap();
    assert!(load(&folder.at("flows/main.yaml")).is_err());
    // The user's own path to the flow may be a link.
    fs::write(folder.at("flows/main.yaml"), main("- runFlow: in.yaml\n")).unwrap();
    fs::write(folder.at("flows/in.yaml"), main("- tapOn: in\n")).unwrap();
    std::os::unix::fs::symlink(folder.at("flows"), folder.at("linked")).unwrap();
    assert_eq!(
        load(&folder.at("linked/main.yaml"))
            .unwrap()
            .trace
            .steps
            .len(),
        1
    );
}
