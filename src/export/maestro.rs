//! A flow of Maestro (its commands as version 2.10 reads them).

use super::quote::{pattern, variable, without_scripts};
use super::selector::{Selector, start};
use super::{Export, asks, numbered, one_line};
use crate::device::{Action, key, lower_system};
use crate::gui::{Direction, Fault, SystemEvent};
use crate::trace::maestro::KEYS;
use crate::trace::{Deed, Gesture, Spot, Step, Trace, Typed};
use crate::util::quote::double_quoted as yaml;

/// Characters that are deleted before a text is typed.
const ERASED: u32 = 200;
/// How long a scroll and a swipe take, in milliseconds, as on an adb device.
const SCROLL: u32 = 400;
const SWIPE: u32 = 100;

/// The flow. It passes if the app does not fail.
pub fn flow(trace: &Trace) -> Export {
    let mut flow = Flow {
        asks: asks(&trace.steps),
        turned: false,
        dark: false,
        offline: false,
        text: String::new(),
        notices: Vec::new(),
    };
    let expected = trace.expected();
    let title = expected.title.clone();
    let title = one_line(&title.unwrap_or_else(|| expected.kind.to_string()));
    flow.text = format!(
        "# {title}\n# From `cargo droidtest export`. The flow fails while the finding is there.\nappId: {}\n---\n",
        yaml(&trace.app.package)
    );
    flow.launch(true, true);
    for (number, words, step) in numbered(trace) {
        flow.line(&format!("# step {number}: {words}"));
        for why in flow.step(step) {
            flow.line(&format!("# not as in the trace: {}", one_line(&why)));
            flow.notices.push(format!("step {number} ({words}): {why}"));
        }
    }
    flow.line("# Android's dialog of an app that failed, in English.");
    flow.line("- assertNotVisible:");
    flow.line("    text: \".*(has stopped|keeps stopping|isn't responding).*\"");
    flow.notices.push(
        "a flow cannot read the log: it fails if a step finds no widget, or at Android's dialog of an app that failed"
            .to_owned(),
    );
    Export {
        text: flow.text,
        notices: flow.notices,
    }
}

struct Flow {
    asks: bool,
    /// Is the screen turned?
    turned: bool,
    /// Is night mode on?
    dark: bool,
    offline: bool,
    text: String,
    notices: Vec<String>,
}

impl Flow {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn launch(&mut self, clear: bool, stop: bool) {
        let all = if self.asks { "unset" } else { "allow" };
        self.line("- launchApp:");
        self.line(&format!("    clearState: {clear}\n    stopApp: {stop}"));
        self.line(&format!("    permissions:\n      all: {all}"));
    }

    /// Performs a step; what differs from the trace, in sentences.
    fn step(&mut self, step: &Step) -> Vec<String> {
        let done = match step {
            Step::On(target, deed) => return self.on(&Selector::new(target, deed), deed),
            Step::Key(code) => self.key(*code),
            Step::Launch => {
                self.launch(false, false);
                Ok(())
            }
            Step::Wait(ms) => {
                self.line("- extendedWaitUntil:");
                self.line("    visible: \"nothing shows this text, so that the time passes\"");
                self.line(&format!("    timeout: {ms}\n    optional: true"));
                Ok(())
            }
            Step::Gesture(gesture) => self.gesture(gesture),
            Step::System(event) => self.system(event),
        };
        done.err().into_iter().collect()
    }

    fn on(&mut self, selector: &Selector<'_>, deed: &Deed) -> Vec<String> {
        let command = match deed {
            Deed::Click | Deed::Type(_) | Deed::Tap(_) => "tapOn",
            Deed::LongClick => "longPressOn",
            Deed::Scroll(reveal) => return self.swipe(selector, reveal.opposite(), SCROLL),
            Deed::Swipe(direction) => return self.swipe(selector, *direction, SWIPE),
            Deed::Pinch { .. } => return vec![NO_PINCH.to_owned()],
        };
        let mut notices = Vec::new();
        match (selected(selector), selector.at) {
            (Some(lines), _) => {
                self.line(&format!("- {command}:"));
                self.indented(&lines, 4);
                if let Deed::Tap(inside) = deed {
                    self.line(&format!("    point: \"{}\"", percent(*inside)));
                }
            }
            (None, Some(at)) => {
                self.line(&format!("- {command}:\n    point: \"{}\"", percent(at)));
                notices.push(
                    "Maestro selects no widget by its class: the recorded place is used".to_owned(),
                );
            }
            (None, None) => return vec!["Maestro selects no widget by its class".to_owned()],
        }
        if let Deed::Type(typed) = deed {
            notices.extend(self.text(typed));
        }
        notices
    }

    fn text(&mut self, typed: &Typed) -> Option<String> {
        self.line(&format!("- eraseText: {ERASED}"));
        match &typed.secret {
            Some(key) => self.line(&format!("- inputText: ${{{}}}", variable(key))),
            None if typed.text.is_empty() => {}
            None => self.line(&format!(
                "- inputText: {}",
                yaml(&without_scripts(&typed.text))
            )),
        }
        if typed.enter {
            self.line("- pressKey: Enter");
        }
        match &typed.secret {
            Some(key) => Some(format!("pass the text with -e {}=TEXT", variable(key))),
            None => (!typed.text.is_ascii())
                .then(|| "Maestro may not type letters beyond ASCII on Android".to_owned()),
        }
    }

    fn swipe(&mut self, selector: &Selector<'_>, finger: Direction, ms: u32) -> Vec<String> {
        let direction = format!("{finger:?}").to_uppercase();
        let mut notices = Vec::new();
        self.line("- swipe:");
        match selected(selector) {
            Some(lines) => {
                self.line("    from:");
                self.indented(&lines, 8);
            }
            None => notices
                .push("Maestro selects no widget by its class: the screen is swiped".to_owned()),
        }
        self.line(&format!("    direction: {direction}\n    duration: {ms}"));
        notices
    }

    fn indented(&mut self, lines: &[String], by: usize) {
        for line in lines {
            self.line(&format!("{:by$}{line}", ""));
        }
    }

    fn key(&mut self, code: u32) -> Result<(), String> {
        match code {
            key::BACK => {
                self.line("- back");
                return Ok(());
            }
            key::HOME => {
                self.line("- pressKey: Home");
                self.launch(false, false);
                return Ok(());
            }
            _ => {}
        }
        let Some((_, name)) = KEYS.iter().find(|(known, _)| *known == code) else {
            return Err(format!("Maestro has no key of the code {code}"));
        };
        self.line(&format!("- pressKey: {name}"));
        Ok(())
    }

    fn gesture(&mut self, gesture: &Gesture) -> Result<(), String> {
        match gesture {
            Gesture::Tap(at) => self.line(&format!("- tapOn:\n    point: \"{}\"", percent(*at))),
            Gesture::Drag(at, to) => self.line(&format!(
                "- swipe:\n    start: \"{}\"\n    end: \"{}\"\n    duration: {SWIPE}",
                percent(*at),
                percent(*to)
            )),
            Gesture::Pinch { .. } => return Err(NO_PINCH.to_owned()),
            Gesture::Trackball { .. } => return Err("Maestro has no trackball".to_owned()),
        }
        Ok(())
    }

    fn system(&mut self, event: &SystemEvent) -> Result<(), String> {
        match event {
            SystemEvent::Rotate => self.turn(!self.turned),
            SystemEvent::Home => {
                self.line("- pressKey: Home");
                self.launch(false, false);
            }
            SystemEvent::Relaunch => {
                self.line("- stopApp");
                self.as_at_start();
                self.launch(false, true);
            }
            SystemEvent::Activity {
                data: Some(data),
                component,
                ..
            } => self.line(&format!(
                "- openLink:\n    link: {}\n    label: {}",
                yaml(&without_scripts(data)),
                yaml(&without_scripts(component))
            )),
            SystemEvent::Location { .. } => {
                let Some(Action::Location { values }) = lower_system(event, 0) else {
                    return Err("the place is not known".to_owned());
                };
                self.line("- setLocation:");
                for (name, value) in ["latitude", "longitude"].iter().zip(values) {
                    self.line(&format!("    {name}: {value}"));
                }
            }
            SystemEvent::Fault { fault } => return self.fault(*fault),
            SystemEvent::Call { .. } => return Err("Maestro cannot call the phone".to_owned()),
            SystemEvent::Activity { .. } => {
                return Err("Maestro starts no activity without a link".to_owned());
            }
            SystemEvent::Broadcast { .. } => return Err("Maestro sends no broadcast".to_owned()),
            SystemEvent::Service { .. } => return Err("Maestro starts no service".to_owned()),
            SystemEvent::Sensor { .. } => return Err("Maestro sets no sensor".to_owned()),
        }
        Ok(())
    }

    fn turn(&mut self, to: bool) {
        self.turned = to;
        let orientation = if to { "LANDSCAPE_LEFT" } else { "PORTRAIT" };
        self.line(&format!("- setOrientation: {orientation}"));
    }

    fn darken(&mut self) {
        self.dark = !self.dark;
        self.line("- toggleDarkMode");
    }

    fn cut_off(&mut self) {
        self.offline = !self.offline;
        self.line("- toggleAirplaneMode");
    }

    /// A new process finds the phone as the first one did, in a replay; in Maestro it stays as it was set.
    fn as_at_start(&mut self) {
        if self.turned {
            self.turn(false);
        }
        if self.dark {
            self.darken();
        }
        if self.offline {
            self.cut_off();
        }
    }

    fn fault(&mut self, fault: Fault) -> Result<(), String> {
        match fault {
            Fault::ProcessDeath => {
                self.line("- pressKey: Home\n- killApp");
                self.as_at_start();
                self.launch(false, false);
            }
            Fault::NightMode => self.darken(),
            Fault::Offline => self.cut_off(),
            other => return Err(format!("Maestro cannot cause the fault {}", other.name())),
        }
        Ok(())
    }
}

const NO_PINCH: &str = "Maestro has one finger only";

/// A widget as the lines of a selector. Maestro's texts are regular expressions for the text, the hint or the description;
/// it selects by one of them.
fn selected(selector: &Selector<'_>) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    if !selector.id.is_empty() {
        lines.push(format!("id: {}", yaml(&pattern(selector.id))));
    }
    let own = [selector.text, selector.desc];
    let own = own.into_iter().find(|said| !said.is_empty());
    match own {
        Some(said) => lines.push(format!("text: {}", matching(said))),
        None if selector.caption.is_empty() => {}
        None if selector.id.is_empty() => {
            lines.push(format!("text: {}", matching(selector.caption)));
        }
        // The hint of a field with an id is gone when it has a text.
        None if selector.field => {}
        None => {
            lines.push("containsDescendants:".to_owned());
            lines.push(format!("  - text: {}", matching(selector.caption)));
        }
    }
    let index = selector.nth.filter(|_| !lines.is_empty());
    lines.extend(index.map(|nth| format!("index: {nth}")));
    (!lines.is_empty()).then_some(lines)
}

fn matching(text: &str) -> String {
    let (text, is_start) = start(text);
    let more = if is_start { ".*" } else { "" };
    yaml(&(pattern(text) + more))
}

/// Whole percents: Maestro reads no others.
fn percent(spot: Spot) -> String {
    format!("{:.0}%,{:.0}%", 100.0 * spot.x, 100.0 * spot.y)
}

#[cfg(test)]
#[path = "maestro_tests.rs"]
mod tests;
