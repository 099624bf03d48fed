//! The commands of a flow as steps.

use super::super::format::{Deed, Step};
use super::files::Files;
use super::selector::target;
use super::variables::Variables;
use super::work::Work;
use super::yaml::{Map, Mistake, Node, Value};
use crate::gui::{Fault, SystemEvent};
use std::collections::HashSet;
use std::ops::Range;

/// The longest wait, in milliseconds: ten minutes. A device may end a step earlier.
const WAIT: u64 = 600_000;
/// Characters of a command's name that a notice shows.
pub(super) const NAME: usize = 60;

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

/// What a user sets on the phone. Maestro's restarts of the app keep it; a trace's find the phone as the first start did
/// (`Device::reset`, and a process that the system ended).
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Phone {
    turned: bool,
    dark: bool,
    offline: bool,
}

/// The steps so far.
pub struct Reader<'f> {
    package: &'f str,
    pub(super) variables: Variables,
    pub(super) work: Work,
    pub(super) files: Files,
    pub(super) steps: Vec<Step>,
    /// The step that taps or fills the field with the focus, if the flow tells.
    pub(super) field: Option<usize>,
    pub(super) left_out: Vec<LeftOut>,
    /// Where the commands left out begin: one that is repeated is named once.
    pub(super) named: HashSet<usize>,
    started: bool,
    /// As the flow sets it.
    wanted: Phone,
    /// As the steps leave it.
    there: Phone,
    /// With the place of the command.
    gone: (Gone, Range<usize>),
}

impl<'f> Reader<'f> {
    pub fn new(package: &'f str, variables: Variables, work: Work, files: Files) -> Self {
        Self {
            package,
            variables,
            work,
            files,
            steps: Vec::new(),
            field: None,
            left_out: Vec::new(),
            named: HashSet::new(),
            started: false,
            wanted: Phone::default(),
            there: Phone::default(),
            gone: (Gone::No, 0..0),
        }
    }

    /// The steps, and what was left out.
    pub fn finish(mut self) -> Result<(Vec<Step>, Vec<LeftOut>), Mistake> {
        if matches!(self.gone.0, Gone::Killed | Gone::Stopped) {
            // Flows leave the phone as they found it; each trace begins with the app's start.
            let (_, at) = std::mem::replace(&mut self.gone, (Gone::No, 0..0));
            self.tell(
                &at,
                "the end of the app is left out: nothing follows it".to_owned(),
            );
        }
        self.returned()?;
        Ok((self.steps, self.left_out))
    }

    pub fn commands(&mut self, list: &Node) -> Result<(), Mistake> {
        let Value::List(commands) = &list.value else {
            let help = "write each command behind `- `";
            return Err(Mistake::new(&list.at, "not a list of commands", help));
        };
        for command in commands {
            let nothing = Node::new(Value::Null, command.at.clone());
            let (name, value) = match (&command.value, command.entries()) {
                (Value::Text(name), _) => (name.as_str(), &nothing),
                (_, [(name, value)]) => (name.need("a command")?, value),
                _ => {
                    let help = "write one command behind each `- `";
                    return Err(Mistake::new(&command.at, "not one command", help));
                }
            };
            let at = &command.at;
            self.work.spend(1, command.size, at)?;
            let optional = self.filled_key(value, "optional")?;
            let optional = optional.flag("optional")?.unwrap_or(false);
            if let Some(why) = looks_only(name) {
                self.leave_out(at, name, why);
            } else if name == "extendedWaitUntil" {
                self.wait(value, at, optional)?;
            } else if optional {
                self.leave_out(at, name, "it is optional");
                // It may have moved the focus.
                self.field = None;
            } else {
                let filled = match name {
                    // What is typed may be a secret; commands that are scripts are refused by their names.
                    "inputText" | "evalScript" | "runScript" => None,
                    name => Some(self.variables.fill_node(
                        value,
                        unfilled(name),
                        &mut self.work,
                    )?),
                };
                self.command(name, filled.as_ref().unwrap_or(value), at)?;
            }
        }
        Ok(())
    }

    /// Of the value of a command this key alone, with what its variables stand for.
    fn filled_key(&mut self, value: &Node, key: &str) -> Result<Node, Mistake> {
        let mut map = Map::default();
        let found = value
            .entries()
            .iter()
            .find(|(name, _)| name.text() == Some(key));
        if let Some((name, value)) = found {
            let value = self.variables.fill_node(value, &[], &mut self.work)?;
            map.add(name.clone(), value);
        }
        Ok(Node::new(Value::Map(map), value.at.clone()))
    }

    fn command(&mut self, name: &str, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        // These belong to a start that follows, or may.
        match name {
            "launchApp" => return self.launch(value),
            "stopApp" => return self.stop(Gone::Stopped, value, at),
            "killApp" => {
                let how = match self.gone.0 {
                    Gone::Home | Gone::Killed => Gone::Killed,
                    Gone::No | Gone::Stopped => Gone::Stopped,
                };
                return self.stop(how, value, at);
            }
            "clearState" => return self.clear(value, at),
            "setOrientation" => return self.turn(value, at),
            "toggleDarkMode" => {
                self.wanted.dark = !self.wanted.dark;
                self.set();
                return Ok(());
            }
            "toggleAirplaneMode" => {
                self.wanted.offline = !self.wanted.offline;
                self.set();
                return Ok(());
            }
            "repeat" => return self.repeat(value, at),
            "runFlow" | "retry" => return self.inner(value, at),
            _ => self.returned()?,
        }
        match name {
            "tapOn" => self.tap(value)?,
            "longPressOn" => self.on(target(value, &["duration"])?, Deed::LongClick, value)?,
            "inputText" => self.input(value, at)?,
            "eraseText" => self.erase(value, at)?,
            name if name.starts_with("inputRandom") => self.input_random(name, value, at)?,
            "back" => self.steps.push(Step::Key(4)),
            "pressKey" => self.key(value)?,
            "scroll" => self.drag((0.5, 0.5), (0.5, 0.1)),
            "swipe" => self.swipe(value, at)?,
            "openLink" => self.link(value, at)?,
            "setLocation" => self.location(value, at)?,
            name => {
                let message = format!("the command `{name}` cannot be read");
                let help = "delete it, or write what it does with `tapOn`, `inputText`, `swipe`, `back` and others of docs/demonstrations.md";
                return Err(Mistake::new(at, message, help));
            }
        }
        Ok(())
    }

    /// What ended the app is at this place of the file that goes on.
    pub(super) fn move_end(&mut self, at: &Range<usize>) {
        if self.gone.0 != Gone::No {
            self.gone.1 = at.clone();
        }
    }

    /// An optional wait takes all its time where nothing is looked at.
    fn wait(&mut self, value: &Node, at: &Range<usize>, optional: bool) -> Result<(), Mistake> {
        let name = "extendedWaitUntil";
        let ms = match optional {
            true => self.filled_key(value, "timeout")?.number_of("timeout")?,
            false => None,
        };
        let Some(ms) = ms else {
            self.leave_out(at, name, "each step waits until the app is idle");
            return Ok(());
        };
        if matches!(self.gone.0, Gone::Killed | Gone::Stopped) {
            self.leave_out(at, name, "the app is not started");
            return Ok(());
        }
        self.returned()?;
        if ms > WAIT {
            let message = format!("`{name}` waits {WAIT} ms, not {ms}: no step waits longer");
            self.tell(at, message);
        }
        self.steps.push(Step::Wait(ms.min(WAIT)));
        Ok(())
    }

    pub(super) fn leave(&mut self, how: Gone, at: &Range<usize>) {
        self.gone = (how, at.clone());
    }

    fn stop(&mut self, how: Gone, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        self.this_app(value)?;
        self.leave(how, at);
        Ok(())
    }

    /// The app of a command must be the flow's.
    fn this_app(&self, value: &Node) -> Result<(), Mistake> {
        match value.text().or(value.text_of("appId")?) {
            Some(app) => self.is_this_app(app, value),
            None => Ok(()),
        }
    }

    pub(super) fn is_this_app(&self, app: &str, named: &Node) -> Result<(), Mistake> {
        match app == self.package {
            true => Ok(()),
            false => {
                let help = format!("a trace is of one app, here {}", self.package);
                Err(Mistake::new(&named.at, "another app than the flow's", help))
            }
        }
    }

    /// Nothing has been done yet: the start with cleared data is still to come.
    const fn is_first(&self) -> bool {
        !self.started && self.steps.is_empty()
    }

    fn clear(&self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        self.this_app(value)?;
        match self.is_first() {
            true => Ok(()),
            false => {
                let message = "the app's data are cleared in the middle of the flow";
                let help = "split the flow: a trace starts once with cleared data";
                Err(Mistake::new(at, message, help))
            }
        }
    }

    /// A command that acts on the app follows.
    fn returned(&mut self) -> Result<(), Mistake> {
        let (gone, at) = std::mem::replace(&mut self.gone, (Gone::No, 0..0));
        match gone {
            Gone::No => {}
            Gone::Home => self.steps.push(Step::Key(3)),
            Gone::Killed | Gone::Stopped => {
                let message = "the app is ended, and not started again";
                return Err(Mistake::new(&at, message, "add `- launchApp` behind it"));
            }
        }
        self.settle();
        Ok(())
    }

    fn launch(&mut self, value: &Node) -> Result<(), Mistake> {
        let known = [
            "appId",
            "clearState",
            "clearKeychain",
            "stopApp",
            "permissions",
            "label",
            "optional",
        ];
        value.only(&known, "a start", "delete it")?;
        self.this_app(value)?;
        let stop = value.flag("stopApp")?.unwrap_or(true);
        let clear = value.flag("clearState")?.unwrap_or(false);
        let (gone, _) = std::mem::replace(&mut self.gone, (Gone::No, 0..0));
        let first = self.is_first();
        self.started = true;
        if !first {
            if clear {
                let message = "the app is started with cleared data in the middle of the flow";
                let help = "split the flow: a trace starts once with cleared data";
                return Err(Mistake::new(&value.at, message, help));
            }
            let (step, again) = match (gone, stop) {
                (Gone::Killed, false) => (fault(Fault::ProcessDeath), true),
                (Gone::Home, false) => (Step::System(SystemEvent::Home), false),
                (Gone::No, false) => (Step::Launch, false),
                // A stop forgets what the system had saved of an ended process.
                (Gone::Stopped, _) | (_, true) => (Step::System(SystemEvent::Relaunch), true),
            };
            self.steps.push(step);
            if again {
                self.there = Phone::default();
            }
        }
        self.settle();
        Ok(())
    }

    fn turn(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let said = value.text().or(value.text_of("orientation")?);
        let said = said.unwrap_or_default();
        // Maestro reads them in capitals or not, with or without the line.
        self.wanted.turned = match said.to_uppercase().replace('_', "").as_str() {
            "PORTRAIT" => false,
            "LANDSCAPELEFT" | "LANDSCAPERIGHT" => true,
            _ => {
                let message = format!("the orientation `{said}` cannot be read");
                let help = "write PORTRAIT, LANDSCAPE_LEFT or LANDSCAPE_RIGHT";
                return Err(Mistake::new(at, message, help));
            }
        };
        self.set();
        Ok(())
    }

    /// The phone is set: at once where the app is on the screen, else behind its next start.
    fn set(&mut self) {
        if self.gone.0 == Gone::No && !self.is_first() {
            self.settle();
        }
    }

    /// The phone becomes as the flow has set it.
    fn settle(&mut self) {
        let (wanted, there) = (self.wanted, self.there);
        for (differs, step) in [
            (
                wanted.turned != there.turned,
                Step::System(SystemEvent::Rotate),
            ),
            (wanted.dark != there.dark, fault(Fault::NightMode)),
            (wanted.offline != there.offline, fault(Fault::Offline)),
        ] {
            self.steps.extend(differs.then_some(step));
        }
        self.there = wanted;
    }
}

/// The keys of a command whose variables are not replaced at once: commands inside come later, `env` and `link` have
/// errors of their own, and a label may say anything.
fn unfilled(name: &str) -> &'static [&'static str] {
    match name {
        "openLink" => &["link"],
        _ => &["commands", "env", "label"],
    }
}

/// Why a command of this name is no step, if all it does is to look at the screen.
fn looks_only(name: &str) -> Option<&'static str> {
    match name {
        "hideKeyboard" => Some("no keyboard covers the screen"),
        "waitForAnimationToEnd" => Some("each step waits until the app is idle"),
        "takeScreenshot" | "startRecording" | "stopRecording" => Some("the report has pictures"),
        "clearKeychain" => Some("Android has none"),
        name if name.starts_with("assert") => Some("a trace has no assertions"),
        _ => None,
    }
}

const fn fault(fault: Fault) -> Step {
    Step::System(SystemEvent::Fault { fault })
}
