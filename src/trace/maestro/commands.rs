//! The commands of a flow as steps.

use super::super::format::{Deed, Step};
use super::selector::target;
use super::yaml::{Mistake, Node, Value};
use crate::gui::{Fault, SystemEvent};
use std::ops::Range;

/// Commands of a flow at most, repeated ones counted each time, and repetitions of a command.
const COMMANDS: usize = 10_000;
const TIMES: u64 = 100;

/// What has happened to the app that a `launchApp` is to follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    No,
    /// To the background.
    Home,
    /// Its process ended in the background.
    Killed,
    /// Its process ended.
    Stopped,
}

/// The place of a command that is no step, and why.
pub type LeftOut = (Range<usize>, String);

/// The steps so far.
pub struct Reader<'f> {
    package: &'f str,
    pub(super) variables: Vec<(String, String)>,
    pub(super) steps: Vec<Step>,
    performed: usize,
    left_out: Vec<LeftOut>,
    started: bool,
    turned: bool,
    /// With the place of the command.
    gone: (Gone, Range<usize>),
}

impl<'f> Reader<'f> {
    pub fn new(package: &'f str, variables: Vec<(String, String)>) -> Self {
        Self {
            package,
            variables,
            steps: Vec::new(),
            performed: 0,
            left_out: Vec::new(),
            started: false,
            turned: false,
            gone: (Gone::No, 0..0),
        }
    }

    /// The steps, and what was left out.
    pub fn finish(mut self) -> Result<(Vec<Step>, Vec<LeftOut>), Mistake> {
        self.returned()?;
        Ok((self.steps, self.left_out))
    }

    pub fn commands(&mut self, list: &Node) -> Result<(), Mistake> {
        let Value::List(commands) = &list.value else {
            let help = "write each command behind `- `";
            return Err(Mistake::new(&list.at, "not a list of commands", help));
        };
        for command in commands {
            let nothing = Node {
                value: Value::Null,
                at: command.at.clone(),
            };
            let (name, value) = match (&command.value, command.entries()) {
                (Value::Text(name), _) => (name.as_str(), &nothing),
                (_, [(name, value)]) => (name.need("a command")?, value),
                _ => {
                    let help = "write one command behind each `- `";
                    return Err(Mistake::new(&command.at, "not one command", help));
                }
            };
            let at = &command.at;
            if value.is_true("optional") && name != "extendedWaitUntil" {
                self.leave_out(at, name, "it is optional");
                continue;
            }
            self.performed += 1;
            if self.performed > COMMANDS {
                let message = format!("more than {COMMANDS} commands");
                return Err(Mistake::new(at, message, "split the flow"));
            }
            self.command(name, value, at)?;
        }
        Ok(())
    }

    fn command(&mut self, name: &str, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        // These belong to a start that follows.
        match name {
            "launchApp" => return self.launch(value),
            "stopApp" => return self.leave(Gone::Stopped, at),
            "killApp" if self.gone.0 == Gone::Home => return self.leave(Gone::Killed, at),
            "killApp" => return self.leave(Gone::Stopped, at),
            "setOrientation" => return self.turn(value, at),
            _ => self.returned()?,
        }
        match name {
            "tapOn" => self.tap(value)?,
            "longPressOn" => self.on(target(value, &["duration"])?, Deed::LongClick, value)?,
            "inputText" => self.input(value)?,
            "eraseText" => self.typed(at)?.text.clear(),
            "back" => self.steps.push(Step::Key(4)),
            "pressKey" => self.key(value)?,
            "scroll" => self.drag((0.5, 0.5), (0.5, 0.1)),
            "swipe" => self.swipe(value, at)?,
            "openLink" => self.link(value, at)?,
            "setLocation" => self.location(value, at)?,
            "toggleDarkMode" => self.steps.push(fault(Fault::NightMode)),
            "toggleAirplaneMode" => self.steps.push(fault(Fault::Offline)),
            "extendedWaitUntil" if value.is_true("optional") => {
                let ms = value.number_of("timeout")?.unwrap_or(0);
                self.steps.push(Step::Wait(ms));
            }
            "repeat" => self.repeat(value, at)?,
            "runFlow" => self.inner(value, at)?,
            "clearState" if !self.started => {}
            "hideKeyboard" => self.leave_out(at, name, "no keyboard covers the screen"),
            "extendedWaitUntil" | "waitForAnimationToEnd" => {
                self.leave_out(at, name, "each step waits until the app is idle");
            }
            "takeScreenshot" | "startRecording" | "stopRecording" => {
                self.leave_out(at, name, "the report has pictures");
            }
            name if name.starts_with("assert") => {
                self.leave_out(at, name, "a trace has no assertions");
            }
            name => {
                let message = format!("the command `{name}` cannot be read");
                let help = "delete it, or write what it does with `tapOn`, `inputText`, `swipe`, `back` and others of docs/demonstrations.md";
                return Err(Mistake::new(at, message, help));
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, at: &Range<usize>, name: &str, why: &str) {
        let why = format!("`{name}` is left out: {why}");
        self.left_out.push((at.clone(), why));
    }

    pub(super) fn leave(&mut self, how: Gone, at: &Range<usize>) -> Result<(), Mistake> {
        self.gone = (how, at.clone());
        Ok(())
    }

    /// A command that acts on the app follows.
    fn returned(&mut self) -> Result<(), Mistake> {
        let (gone, at) = std::mem::replace(&mut self.gone, (Gone::No, 0..0));
        match gone {
            Gone::No => Ok(()),
            Gone::Home => {
                self.steps.push(Step::Key(3));
                Ok(())
            }
            Gone::Killed | Gone::Stopped => {
                let message = "the app is ended, and not started again";
                Err(Mistake::new(&at, message, "add `- launchApp` behind it"))
            }
        }
    }

    fn launch(&mut self, value: &Node) -> Result<(), Mistake> {
        let known = ["appId", "clearState", "stopApp", "permissions", "label"];
        let other = value.entries().iter().find(|(key, _)| {
            let name = key.text().unwrap_or_default();
            !known.contains(&name)
        });
        if let Some((key, _)) = other {
            let message = format!("`{}` of a start cannot be read", key.text().unwrap_or("?"));
            return Err(Mistake::new(&key.at, message, "delete it"));
        }
        let app = value.text().or(value.text_of("appId")?);
        if app.is_some_and(|app| app != self.package) {
            let help = format!("a trace is of one app, here {}", self.package);
            return Err(Mistake::new(&value.at, "another app is started", help));
        }
        let stop = value.text_of("stopApp")? != Some("false");
        let (gone, _) = std::mem::replace(&mut self.gone, (Gone::No, 0..0));
        if !std::mem::replace(&mut self.started, true) && self.steps.is_empty() {
            return Ok(());
        }
        if value.is_true("clearState") {
            let message = "the app is started with cleared data in the middle of the flow";
            let help = "split the flow: a trace starts once with cleared data";
            return Err(Mistake::new(&value.at, message, help));
        }
        self.steps.push(match (gone, stop) {
            (Gone::Killed, _) => fault(Fault::ProcessDeath),
            (Gone::Home, false) => Step::System(SystemEvent::Home),
            (Gone::No, false) => Step::Launch,
            (Gone::Stopped, _) | (_, true) => Step::System(SystemEvent::Relaunch),
        });
        Ok(())
    }

    fn turn(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let to = match value.need("the orientation")? {
            "PORTRAIT" => false,
            "LANDSCAPE_LEFT" | "LANDSCAPE_RIGHT" => true,
            other => {
                let message = format!("the orientation `{other}` cannot be read");
                let help = "write PORTRAIT, LANDSCAPE_LEFT or LANDSCAPE_RIGHT";
                return Err(Mistake::new(at, message, help));
            }
        };
        // An app that is started again starts upright.
        if self.gone.0 == Gone::No && to != self.turned {
            self.steps.push(Step::System(SystemEvent::Rotate));
        }
        self.turned = to;
        Ok(())
    }

    /// The commands inside, so many times.
    fn repeat(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let Some(commands) = value
            .get("commands")
            .filter(|_| value.get("while").is_none())
        else {
            let help = "write `times` and `commands`: conditions are not read";
            return Err(Mistake::new(at, "a repetition with a condition", help));
        };
        for _ in 0..times(value, "times")?.unwrap_or(1) {
            self.commands(commands)?;
        }
        Ok(())
    }

    /// The commands inside.
    fn inner(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let keys = ["commands", "label"];
        let known = |(key, _): &(Node, Node)| key.text().is_some_and(|key| keys.contains(&key));
        match value
            .get("commands")
            .filter(|_| value.entries().iter().all(known))
        {
            Some(commands) => self.commands(commands),
            None => {
                let help =
                    "put the commands of that flow here: other files and conditions are not read";
                Err(Mistake::new(at, "a flow inside the flow", help))
            }
        }
    }
}

const fn fault(fault: Fault) -> Step {
    Step::System(SystemEvent::Fault { fault })
}

/// How often something is repeated, if the key is there.
pub(super) fn times(node: &Node, key: &str) -> Result<Option<u64>, Mistake> {
    let times = node.number_of(key)?;
    match times.filter(|times| *times > TIMES) {
        None => Ok(times),
        Some(_) => {
            let message = format!("more than {TIMES} repetitions");
            Err(Mistake::new(&node.at, message, "repeat it less often"))
        }
    }
}
