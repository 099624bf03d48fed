//! A UiAutomator or an Espresso test, in Java or Kotlin.
//!
//! Calls read the same in both languages, so that only literals and ends of lines differ; the class around them is in
//! `test.java` and `test.kt`, of which an export takes the imports and helpers that it uses.

mod class;
mod espresso;
mod uiautomator;

use super::quote::{java, kotlin, variable};
use super::selector::Selector;
use super::{Export, asks, numbered, one_line};
use crate::device::adb::input::system_words;
use crate::device::{Action, key, lower_system};
use crate::gui::{Fault, SystemEvent};
use crate::outcome::FindingKind;
use crate::trace::{Deed, Gesture, Spot, Step, Trace};

/// The language of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Language {
    /// Java
    #[default]
    Java,
    /// Kotlin
    Kotlin,
}

impl Language {
    fn text(self, text: &str) -> String {
        match self {
            Self::Java => java(text),
            Self::Kotlin => kotlin(text),
        }
    }
}

/// Who touches the widgets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// UiAutomator, from outside the app.
    UiAutomator,
    /// Espresso, in the app's process; UiAutomator what is outside of it.
    Espresso,
}

/// The test, which fails while the finding is there.
pub fn test(trace: &Trace, by: By, language: Language, class: &str) -> Export {
    let mut test = Test {
        trace,
        by,
        language,
        steps: Vec::new(),
        notices: Vec::new(),
    };
    test.start();
    for (number, words, step) in numbered(trace) {
        // A backslash would start a Unicode escape of Java, even here.
        let said = words.replace('\\', "\\\\");
        test.steps.push(format!("// step {number}: {said}"));
        if let Err(why) = test.step(step) {
            let said = one_line(&why).replace('\\', "\\\\");
            test.steps.push(format!("// not performed: {said}"));
            test.notices.push(format!("step {number} ({words}): {why}"));
        }
    }
    test.check();
    Export {
        text: class::around(&test, class),
        notices: test.notices,
    }
}

struct Test<'a> {
    trace: &'a Trace,
    by: By,
    language: Language,
    /// Calls and comments, a line each.
    steps: Vec<String>,
    notices: Vec<String>,
}

impl Test<'_> {
    fn call(&mut self, call: impl Into<String>) {
        self.steps.push(call.into());
    }

    fn text(&self, text: &str) -> String {
        self.language.text(text)
    }

    fn start(&mut self) {
        match self.by {
            By::UiAutomator => {
                self.call("clear()");
                self.call(format!("shell({})", self.text("logcat -b crash -b events -c")));
            }
            By::Espresso => self.notices.push(
                "the data of the app must be cleared before an Espresso test: run it with the orchestrator and clearPackageData"
                    .to_owned(),
            ),
        }
        if !asks(&self.trace.steps) {
            self.call("grant()");
        }
        self.call("launch()");
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::On(target, deed) => {
                let selector = Selector::new(target, deed);
                let app = format!("{}:", self.trace.app.package);
                let other = selector.id.contains('/')
                    && ![app.as_str(), "android:"]
                        .iter()
                        .any(|own| selector.id.starts_with(own));
                match self.by {
                    By::Espresso if !other => self.view(&selector, deed),
                    _ => self.widget(&selector, deed),
                }
            }
            Step::Key(code) => self.key(*code),
            Step::Launch => {
                self.call("launch()");
                Ok(())
            }
            Step::Wait(ms) => {
                self.call(format!("SystemClock.sleep({ms})"));
                Ok(())
            }
            Step::Gesture(gesture) => self.gesture(gesture),
            Step::System(event) => self.system(event),
        }
    }

    fn key(&mut self, code: u32) -> Result<(), String> {
        let call = match code {
            key::BACK => "device.pressBack()".to_owned(),
            key::HOME => "away(\"\")".to_owned(),
            key::MENU => "device.pressMenu()".to_owned(),
            key::ENTER => "device.pressEnter()".to_owned(),
            code => format!("device.pressKeyCode({code})"),
        };
        self.call(call);
        Ok(())
    }

    fn gesture(&mut self, gesture: &Gesture) -> Result<(), String> {
        let call = match gesture {
            Gesture::Tap(at) => format!("tapAt({})", shares(*at)),
            Gesture::Drag(at, to) => format!("drag({}, {})", shares(*at), shares(*to)),
            Gesture::Pinch { .. } => {
                return Err(
                    "UiAutomator pinches widgets only, not a place of the screen".to_owned(),
                );
            }
            Gesture::Trackball { moves, press } => {
                let sum = |part: fn(&(i8, i8)) -> i8| -> i32 {
                    moves.iter().map(|m| i32::from(part(m))).sum()
                };
                let (x, y) = (sum(|m| m.0), sum(|m| m.1));
                self.call(format!("shell(\"input trackball roll {x} {y}\")"));
                match press {
                    true => "shell(\"input trackball press\")".to_owned(),
                    false => return Ok(()),
                }
            }
        };
        self.call(call);
        Ok(())
    }

    fn system(&mut self, event: &SystemEvent) -> Result<(), String> {
        let package = &self.trace.app.package;
        let call = match event {
            SystemEvent::Rotate => "turn(!turned)".to_owned(),
            SystemEvent::Home => "away(\"\")".to_owned(),
            SystemEvent::Relaunch
            | SystemEvent::Fault {
                fault: Fault::ProcessDeath,
            } if self.by == By::Espresso => {
                return Err(
                    "an Espresso test runs in the app's process, and ends with it".to_owned(),
                );
            }
            SystemEvent::Relaunch => "relaunch()".to_owned(),
            SystemEvent::Fault {
                fault: Fault::ProcessDeath,
            } => {
                format!("away({})", self.text(&format!("am kill {package}")))
            }
            SystemEvent::Fault {
                fault: Fault::LowMemory,
            } => {
                let line = format!("am send-trim-memory {package} RUNNING_CRITICAL");
                format!("shell({})", self.text(&line))
            }
            SystemEvent::Fault { fault } => {
                return Err(format!("a test cannot cause the fault {}", fault.name()));
            }
            SystemEvent::Location { .. } => return Err("a test cannot set the location".to_owned()),
            SystemEvent::Sensor { .. } => return Err("a test cannot set sensors".to_owned()),
            SystemEvent::Call { .. } => return Err("a test cannot call the phone".to_owned()),
            SystemEvent::Broadcast { .. }
            | SystemEvent::Service { .. }
            | SystemEvent::Activity { .. } => {
                let action = lower_system(event, 0);
                self.shell_of(action.as_ref())?
            }
        };
        self.call(call);
        Ok(())
    }

    /// The command of the activity manager. A test's commands reach no shell that could read quotes: words are split at
    /// blanks.
    fn shell_of(&self, action: Option<&Action>) -> Result<String, String> {
        let words = action.and_then(|action| system_words(action, &self.trace.app.package));
        let (words, _) = words.ok_or_else(|| "there is no command for it".to_owned())?;
        if words
            .iter()
            .any(|word| word.is_empty() || word.contains(char::is_whitespace))
        {
            return Err("a command of a test takes no text with blanks".to_owned());
        }
        Ok(format!("shell({})", self.text(&words.join(" "))))
    }

    /// What fails while the finding is there, besides the test's end with the app's process.
    fn check(&mut self) {
        let expected = self.trace.expected();
        let frame = expected.frame.as_deref().unwrap_or_default();
        let frame = frame.split('(').next().unwrap_or_default();
        let exception = expected.exception.as_deref().unwrap_or_default();
        match expected.kind {
            FindingKind::JavaCrash | FindingKind::OutOfMemory => {
                let crash = format!("hasCrashed({}, {})", self.text(exception), self.text(frame));
                self.call(format!("assertFalse({crash})"));
            }
            FindingKind::Anr => self.call("assertFalse(isBlocked())"),
            FindingKind::AppExit | FindingKind::ProcessDeath => {
                self.call("assertFalse(isGone())");
            }
            kind => self.notices.push(format!(
                "a test does not check for this kind of finding: {kind}"
            )),
        }
    }

    /// The number among equal ones and the recorded place, as the helpers take them.
    fn chosen(selector: &Selector<'_>) -> String {
        let nth = selector
            .nth
            .map_or_else(|| "-1".to_owned(), |nth| nth.to_string());
        let at = selector.at.unwrap_or(Spot { x: -1.0, y: -1.0 });
        format!("{nth}, {}", shares(at))
    }

    fn typed(&self, typed: &crate::trace::Typed) -> String {
        match &typed.secret {
            Some(key) => format!("argument({})", self.text(&variable(key))),
            None => self.text(&typed.text),
        }
    }
}

/// Fractions with a decimal point, as both languages want them.
fn shares(spot: Spot) -> String {
    format!("{:?}, {:?}", spot.x, spot.y)
}

const NOT_SELECTED: &str = "nothing in the trace identifies the widget";

/// Is there anything but a place?
fn is_selected(selector: &Selector<'_>) -> Result<(), String> {
    match selector.is_named() || !selector.class.is_empty() {
        true => Ok(()),
        false => Err(NOT_SELECTED.to_owned()),
    }
}

/// The tap at the recorded place, where nothing else is known.
fn at_place(selector: &Selector<'_>, deed: &Deed) -> Option<String> {
    match (is_selected(selector), selector.at, deed) {
        (Err(_), Some(at), Deed::Click) => Some(format!("tapAt({})", shares(at))),
        _ => None,
    }
}
