//! The app's ends and starts, what is set on the phone over them, and waits.

use super::super::format::Step;
use super::tests::{flow, steps};
use crate::gui::{Fault, SystemEvent};

const TURN: Step = Step::System(SystemEvent::Rotate);
const AGAIN: Step = Step::System(SystemEvent::Relaunch);
const BACK: Step = Step::Key(4);

const fn fault(fault: Fault) -> Step {
    Step::System(SystemEvent::Fault { fault })
}

#[test]
fn a_new_process_finds_an_upright_screen_and_the_flow_turns_it_again() {
    let (left, up) = (
        "- setOrientation: LANDSCAPE_LEFT\n",
        "- setOrientation: PORTRAIT\n",
    );
    let (home, start) = ("- pressKey: Home\n", "- launchApp\n");
    let resumed = "- launchApp: {stopApp: false}\n";
    let back = "- back\n";
    let death = || fault(Fault::ProcessDeath);
    for (commands, expected) in [
        // In Maestro the screen stays turned.
        (
            format!("{left}{back}{start}{back}"),
            vec![TURN, BACK, AGAIN, TURN, BACK],
        ),
        (
            format!("{left}{back}{start}{up}{back}"),
            vec![TURN, BACK, AGAIN, TURN, TURN, BACK],
        ),
        (
            format!("{left}{back}- stopApp\n{up}{start}{back}"),
            vec![TURN, BACK, AGAIN, BACK],
        ),
        (
            format!("{left}{home}- killApp\n{resumed}{back}"),
            vec![TURN, death(), TURN, BACK],
        ),
        (
            format!("{left}{home}- killApp\n{up}{resumed}{back}"),
            vec![TURN, death(), BACK],
        ),
        // The process goes on, and the screen is as it was.
        (
            format!("{left}{home}{resumed}{up}"),
            vec![TURN, Step::System(SystemEvent::Home), TURN],
        ),
        (
            format!("{left}{back}{resumed}{up}"),
            vec![TURN, BACK, Step::Launch, TURN],
        ),
        // Turned while the app is away.
        (
            format!("{back}{home}{left}{resumed}{up}"),
            vec![BACK, Step::System(SystemEvent::Home), TURN, TURN],
        ),
        (
            format!("{back}{home}{left}"),
            vec![BACK, Step::Key(3), TURN],
        ),
        (
            format!("{back}- stopApp\n{left}{start}"),
            vec![BACK, AGAIN, TURN],
        ),
    ] {
        let read = steps(&format!("- launchApp\n{commands}"));
        assert_eq!(read, expected, "{commands}");
    }
    // Before the first start, which needs no step.
    for commands in [
        format!("{left}{start}{back}"),
        format!("{left}{back}"),
        format!("{left}- clearState\n{start}{back}"),
        format!("{left}- stopApp\n- assertVisible: x\n{start}{back}"),
    ] {
        assert_eq!(steps(&commands), [TURN, BACK], "{commands}");
    }
    assert_eq!(steps(left), [TURN]);
    for name in [
        "landscapeLeft",
        "landscape_right",
        "{orientation: LANDSCAPE_LEFT}",
    ] {
        assert_eq!(steps(&format!("- setOrientation: {name}\n")), [TURN]);
    }
}

#[test]
fn a_new_process_finds_the_network_and_daylight_too() {
    let (dark, off) = ("- toggleDarkMode\n", "- toggleAirplaneMode\n");
    let (night, offline) = (fault(Fault::NightMode), fault(Fault::Offline));
    let read = steps(&format!(
        "- launchApp\n- back\n{dark}{off}- launchApp\n{off}"
    ));
    let set = [night, offline.clone()];
    let expected = [&[BACK][..], &set, &[AGAIN], &set, &[offline]].concat();
    assert_eq!(read, expected);
    let read = steps(&format!(
        "- launchApp\n- back\n{dark}- stopApp\n{dark}- launchApp\n"
    ));
    assert_eq!(read, [BACK, fault(Fault::NightMode), AGAIN]);
}

#[test]
fn only_this_app_is_ended_cleared_and_started() {
    for command in ["stopApp", "killApp", "clearState", "launchApp"] {
        for app in ["org.y", "{appId: org.y}", "org.${NAME}"] {
            let error = flow(&format!("- {command}: {app}\n")).unwrap_err();
            let error = error.to_string();
            assert!(error.starts_with("flow.yaml:5: another app"), "{error}");
        }
    }
    assert_eq!(
        steps("- launchApp\n- back\n- stopApp: org.x\n- launchApp: org.x\n"),
        [BACK, AGAIN]
    );
    for (commands, why) in [
        ("- back\n- clearState\n", "flow.yaml:6: the app's data"),
        (
            "- launchApp\n- back\n- stopApp\n- clearState\n",
            "flow.yaml:8: the app's data",
        ),
        (
            "- back\n- launchApp: {clearState: True}\n",
            "flow.yaml:6: the app is started with cleared data",
        ),
        (
            "- back\n- launchApp: {clearState: 1}\n",
            "flow.yaml:6: `clearState` is neither",
        ),
        (
            "- back\n- launchApp: {stopApp: No}\n",
            "flow.yaml:6: `stopApp` is neither",
        ),
    ] {
        let error = flow(commands).expect_err(commands).to_string();
        assert!(error.starts_with(why), "{error}");
    }
    let resumed = steps("- back\n- launchApp: {stopApp: False, optional: false}\n");
    assert_eq!(resumed, [BACK, Step::Launch]);
}

#[test]
fn a_wait_is_at_most_ten_minutes_and_never_nothing() {
    let wait = |more: &str| {
        flow(&format!(
            "- back\n- extendedWaitUntil: {{visible: x{more}}}\n"
        ))
    };
    let cut = |ms: u64| {
        format!("flow.yaml:6: `extendedWaitUntil` waits 600000 ms, not {ms}: no step waits longer")
    };
    for (timeout, waits, said) in [
        (600_000, 600_000, None),
        (600_001, 600_000, Some(cut(600_001))),
        (u64::MAX, 600_000, Some(cut(u64::MAX))),
    ] {
        let read = wait(&format!(", timeout: {timeout}, optional: true")).unwrap();
        assert_eq!(read.trace.steps, [BACK, Step::Wait(waits)]);
        assert_eq!(read.left_out, Vec::from_iter(said));
    }
    for more in [", optional: true", ", timeout: 5000", ", timeout: '${T}'"] {
        let read = wait(more).unwrap();
        assert_eq!(read.trace.steps, [BACK], "{more}");
        assert!(read.left_out[0].contains("is left out"), "{more}");
    }
    assert!(wait(", timeout: soon, optional: true").is_err());
}

#[test]
fn a_repetition_is_as_often_as_the_flow_says() {
    assert_eq!(
        steps("- repeat: {times: 2, commands: [back]}\n"),
        [BACK, BACK]
    );
    let tapped = steps("- tapOn: {text: a, repeat: 0}\n");
    assert_eq!(tapped.len(), 1, "Maestro taps once");
    for (commands, why) in [
        ("- repeat: {commands: [back]}\n", "without `times`"),
        ("- repeat: {times: 2}\n", "without `times` or `commands`"),
        (
            "- runFlow: {commands: [back], when: {enabled: a}}\n",
            "`enabled` of a condition",
        ),
        (
            "- swipe: {start: '1%,1%', direction: UP}\n",
            "not one movement",
        ),
        ("- swipe: {start: '1%,1%'}\n", "not one movement"),
        ("- swipe: {direction: UP, speed: 3}\n", "`speed` of a swipe"),
    ] {
        let error = flow(commands).expect_err(commands).to_string();
        assert!(
            error.starts_with("flow.yaml:5: ") && error.contains(why),
            "{error}"
        );
    }
    let read = flow("- repeat: {times: 3, commands: [assertTrue: x, back]}\n").unwrap();
    assert_eq!(read.left_out.len(), 1, "{:?}", read.left_out);
    assert_eq!(
        steps("- runFlow: {commands: [back], optional: false}\n"),
        [BACK]
    );
}
