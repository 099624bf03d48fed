use super::super::format::{Deed, Gesture, Spot, Step, Target, Typed};
use super::*;
use crate::gui::{Direction, Fault, SystemEvent};

pub(super) fn flow(commands: &str) -> Result<Flow, Box<TraceError>> {
    let text = format!("appId: org.x\nenv:\n  NAME: Ada\n---\n{commands}");
    read(&text, Path::new("flow.yaml"))
}

pub(super) fn steps(commands: &str) -> Vec<Step> {
    flow(commands).unwrap().trace.steps
}

pub(super) fn on(text: &str, deed: Deed) -> Step {
    let target = Target {
        text: text.to_owned(),
        ..Target::default()
    };
    Step::On(target, deed)
}

pub(super) fn typed(text: &str, enter: bool) -> Deed {
    Deed::Type(Typed {
        text: text.to_owned(),
        secret: None,
        enter,
    })
}

#[test]
fn commands_that_act_become_steps() {
    let read = flow(
        "- launchApp:\n    clearState: true\n\
         - assertVisible: Welcome\n\
         - tapOn: Sign in?\n\
         - tapOn:\n    id: 'org\\.x:id/name'\n    index: 1\n\
         - inputText: ${NAME} L.\n\
         - pressKey: enter\n\
         - hideKeyboard\n\
         - tapOn: Password\n- eraseText\n- inputText: ${TEXT_PASS_WORD}\n\
         - longPressOn: {text: Row}\n\
         - tapOn: {point: '50%, 25%'}\n\
         - tapOn: {id: board, point: '10%,90%'}\n\
         - scroll\n\
         - swipe: {direction: LEFT}\n\
         - swipe: {from: {id: list}, direction: UP}\n\
         - swipe: {from: {id: list}, direction: UP, duration: 100}\n\
         - back\n\
         - repeat: {times: 2, commands: [pressKey: Tab]}\n\
         - extendedWaitUntil: {visible: x, timeout: 1500, optional: true}\n",
    )
    .unwrap();
    assert_eq!(read.trace.app.package, "org.x");
    let id = |id: &str, nth| Target {
        id: id.to_owned(),
        nth,
        ..Target::default()
    };
    let spot = |x, y| Spot { x, y };
    let secret = Deed::Type(Typed {
        text: String::new(),
        secret: Some("pass_word".to_owned()),
        enter: false,
    });
    let expected = [
        on("Sign in?", Deed::Click),
        Step::On(id("org.x:id/name", Some(1)), typed("Ada L.", true)),
        on("Password", secret),
        on("Row", Deed::LongClick),
        Step::Gesture(Gesture::Tap(spot(0.5, 0.25))),
        Step::On(id("board", None), Deed::Tap(spot(0.1, 0.9))),
        Step::Gesture(Gesture::Drag(spot(0.5, 0.5), spot(0.5, 0.1))),
        Step::Gesture(Gesture::Drag(spot(0.9, 0.5), spot(0.1, 0.5))),
        Step::On(id("list", None), Deed::Scroll(Direction::Down)),
        Step::On(id("list", None), Deed::Swipe(Direction::Up)),
        Step::Key(4),
        Step::Key(61),
        Step::Key(61),
        Step::Wait(1500),
    ];
    assert_eq!(read.trace.steps, expected);
    let left_out = [
        "flow.yaml:7: `assertVisible` is left out: a trace has no assertions",
        "flow.yaml:14: `hideKeyboard` is left out: no keyboard covers the screen",
    ];
    assert_eq!(read.left_out, left_out);
}

#[test]
fn what_ends_the_app_is_one_step_with_the_start_behind_it() {
    let again = "- launchApp: {stopApp: false}\n";
    let fault = |fault| Step::System(SystemEvent::Fault { fault });
    for (commands, step) in [
        ("- pressKey: Home\n", Step::System(SystemEvent::Home)),
        ("- stopApp\n", Step::System(SystemEvent::Relaunch)),
        ("- killApp\n", Step::System(SystemEvent::Relaunch)),
        ("- pressKey: Home\n- killApp\n", fault(Fault::ProcessDeath)),
        ("", Step::Launch),
    ] {
        let steps = steps(&format!("- launchApp\n- back\n{commands}{again}"));
        assert_eq!(steps, [Step::Key(4), step], "{commands}");
    }
    // A start stops the app first, unless it says otherwise: nothing of the ended process comes back.
    for before in ["", "- pressKey: Home\n- killApp\n"] {
        let relaunched = steps(&format!("- launchApp\n- back\n{before}- launchApp\n"));
        assert_eq!(relaunched[1..], [Step::System(SystemEvent::Relaunch)]);
    }
    let turned = steps(
        "- launchApp\n- setOrientation: LANDSCAPE_LEFT\n- setOrientation: LANDSCAPE_RIGHT\n\
         - stopApp\n- setOrientation: PORTRAIT\n- launchApp\n- setOrientation: PORTRAIT\n",
    );
    let expected = [SystemEvent::Rotate, SystemEvent::Relaunch].map(Step::System);
    assert_eq!(turned, expected);
    assert_eq!(steps("- launchApp\n- pressKey: Home\n"), [Step::Key(3)]);
}

#[test]
fn what_a_trace_cannot_hold_is_an_error_with_its_line() {
    for (commands, line, why) in [
        (
            "- doubleTapOn: x\n",
            5,
            "the command `doubleTapOn` cannot be read",
        ),
        (
            "- back\n- tapOn: {below: x}\n",
            6,
            "`below` is not a selector",
        ),
        (
            "- tapOn: {enabled: false}\n",
            5,
            "`enabled` is not a selector",
        ),
        ("- tapOn: .*Save.*\n", 5, "a regular expression"),
        ("- tapOn: ${OTHER}\n", 5, "the script `${OTHER}` is not run"),
        ("- tapOn: A|B\n", 5, "a regular expression (`|`)"),
        ("- tapOn: '\\d+'\n", 5, "a regular expression (`\\d`)"),
        ("- tapOn:\n", 5, "no widget is selected"),
        ("- tapOn: {point: '10,20'}\n", 5, "not in percent"),
        ("- tapOn: {point: '10%,120%'}\n", 5, "not in percent"),
        (
            "- tapOn: {text: a, repeat: 101}\n",
            5,
            "more than 100 repetitions",
        ),
        (
            "- tapOn: {text: a, index: b}\n",
            5,
            "`index` is not a whole number",
        ),
        ("- inputText: a\n", 5, "into which field"),
        (
            "- tapOn: a\n- pressKey: Enter\n- inputText: ${x + 1}\n",
            7,
            "the script `${x + 1}` is not run",
        ),
        (
            "- tapOn: a\n- inputText: b${TEXT_KEY}\n",
            6,
            "the script `${TEXT_KEY}`",
        ),
        ("- pressKey: Lock\n", 5, "no key `Lock`"),
        ("- swipe\n", 5, "a swipe without a direction"),
        ("- openLink: x://y\n", 5, "which activity the link opens"),
        (
            "- setLocation: {latitude: 91, longitude: 0}\n",
            5,
            "no `latitude`",
        ),
        ("- launchApp: org.y\n", 5, "another app than the flow's"),
        (
            "- launchApp: {arguments: {a: b}}\n",
            5,
            "`arguments` of a start",
        ),
        (
            "- launchApp\n- back\n- launchApp: {clearState: true}\n",
            7,
            "in the middle of the flow",
        ),
        ("- back\n- stopApp\n- back\n", 6, "not started again"),
        (
            "- setOrientation: UPSIDE_DOWN\n",
            5,
            "the orientation `UPSIDE_DOWN`",
        ),
        (
            "- runFlow: other.yaml\n",
            5,
            "the flow `other.yaml` cannot be read",
        ),
        ("- runFlow: ../other.yaml\n", 5, "not below the folder"),
        ("- runFlow: {label: x}\n", 5, "a flow inside the flow"),
        (
            "- repeat: {while: {visible: a}, commands: [back]}\n",
            5,
            "`while` of a repetition cannot be read",
        ),
        ("- {back: , scroll: }\n", 5, "not one command"),
        ("back\n", 5, "not a list of commands"),
        ("- tapOn: [\n", 6, "not YAML"),
        ("- tapOn: &a x\n- tapOn: *a\n", 6, "an alias"),
        (
            "- tapOn: {id: a, id: b}\n",
            5,
            "a key that is there already",
        ),
    ] {
        let error = flow(commands).expect_err(commands);
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("flow.yaml:{line}: ")),
            "{commands}: {text}"
        );
        assert!(text.contains(why), "{commands}: {text}");
        assert!(error.help.is_some(), "{commands}");
    }
    for (text, why) in [
        ("- back\n", "it has two parts"),
        ("name: x\n---\n- back\n", "no `appId`"),
        (
            "appId: ${APP}\n---\n- back\n",
            "the script `${APP}` is not run",
        ),
        (
            "appId: x\nonFlowStart: [back]\n---\n- back\n",
            "`onFlowStart` is not read",
        ),
    ] {
        let error = read(text, Path::new("flow.yaml")).expect_err(text);
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn a_file_that_would_take_all_memory_or_time_is_refused() {
    let deep = "- ".to_owned() + &"[".repeat(50) + &"]".repeat(50);
    let message = flow(&deep).expect_err("deep").to_string();
    assert!(
        message.contains("more than 32 values inside each other"),
        "{message}"
    );
    let inside = |commands: &str| format!("[repeat: {{times: 100, commands: {commands}}}]");
    let nested = (0..5).fold("[assertTrue: x]".to_owned(), |all, _| inside(&all));
    let message = flow(&nested).expect_err("long").to_string();
    assert!(message.contains("more than 10000 commands"), "{message}");
    let wide = format!("- tapOn: [{}]\n", "a,".repeat(100_001));
    let message = flow(&wide).expect_err("wide").to_string();
    assert!(message.contains("more than 100000 values"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.yaml");
    std::fs::write(&file, " ".repeat(1 << 21)).unwrap();
    let message = load(&file).expect_err("large").to_string();
    assert!(message.contains("larger than 1 MiB"), "{message}");
}
