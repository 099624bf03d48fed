//! A POSIX shell script of adb commands. It finds each widget in a dump of the screen, as the adb device does without
//! its agent.

use super::quote::{entities, variable};
use super::selector::Selector;
use super::{Export, asks, numbered, one_line};
use crate::device::adb::input::{self, Way, can_type};
use crate::device::adb::quote::quote;
use crate::device::avd::senses;
use crate::device::{Action, key, lower_system};
use crate::gui::{Direction, Fault, SystemEvent};
use crate::outcome::FindingKind;
use crate::trace::{Deed, Gesture, Spot, Step, Trace, Typed};

/// The functions of the script.
const FUNCTIONS: &str = include_str!("adb.sh");
/// Chooses a widget in a dump; without single quotes.
const CHOOSE: &str = include_str!("choose.awk");

/// The script. It exits with 0 if the finding is reproduced, 1 if not, 2 on failures of the device or a missing widget,
/// 3 if the kind of finding cannot be checked.
pub fn script(trace: &Trace) -> Export {
    let mut script = Script {
        package: &trace.app.package,
        text: String::new(),
        notices: Vec::new(),
    };
    script.head(trace);
    for (number, words, step) in numbered(trace) {
        script.line(&format!("step {number} {}", quote(&words)));
        if let Err(why) = script.step(step) {
            script.line(&format!("not_performed {}", quote(&one_line(&why))));
            script
                .notices
                .push(format!("step {number} ({words}): {why}"));
        }
    }
    script.end(trace.expected().kind);
    Export {
        text: script.text,
        notices: script.notices,
    }
}

struct Script<'a> {
    package: &'a str,
    text: String,
    notices: Vec<String>,
}

impl Script<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn head(&mut self, trace: &Trace) {
        let expected = trace.expected();
        let title = expected.title.as_deref();
        let title = one_line(title.unwrap_or(&expected.kind.to_string()));
        self.text = format!(
            "#!/bin/sh\n\
             # {title}\n\
             # The steps of a finding as adb commands, from `cargo droidtest export`. The app is installed on the device;\n\
             # ANDROID_SERIAL selects one of several devices, ADB another adb.\n\
             # Exit codes: 0 reproduced, 1 not reproduced, 2 a step or the device failed, 3 cannot be checked by a script.\n\
             # shellcheck disable=SC1003,SC2016,SC2317,SC2329\n"
        );
        for key in trace.secrets() {
            let name = variable(key);
            self.line(&format!(": \"${{{name}:?set it to a text to type}}\""));
        }
        let frame = expected.frame.as_deref().unwrap_or_default();
        let frame = frame.split('(').next().unwrap_or_default();
        for (name, value) in [
            ("package", self.package),
            (
                "exception",
                expected.exception.as_deref().unwrap_or_default(),
            ),
            ("frame", frame),
        ] {
            self.line(&format!("{name}={}", quote(value)));
        }
        self.line(&format!("choose='{CHOOSE}'"));
        self.text += FUNCTIONS;
        let reproduced = match expected.kind {
            FindingKind::JavaCrash | FindingKind::OutOfMemory => "has_crashed",
            FindingKind::Anr => "has_anr",
            FindingKind::AppExit | FindingKind::ProcessDeath => {
                "[ \"$number\" -gt 0 ] && ! is_alive"
            }
            FindingKind::BlankPage
            | FindingKind::RotationLoss
            | FindingKind::Assertion
            | FindingKind::Environment => {
                self.notices.push(format!(
                    "a script cannot check for this kind of finding: {}",
                    expected.kind
                ));
                "false"
            }
        };
        self.line(&format!("\nreproduced() {{\n    {reproduced}\n}}\n"));
        let grants = u8::from(!asks(&trace.steps));
        self.line(&format!("prepare {grants}\nlaunch"));
    }

    fn end(&mut self, kind: FindingKind) {
        let end = match kind {
            // A blocked app is reported when an input waits for it.
            FindingKind::Anr => "device \"input keyevent 59\"\nawait 15",
            FindingKind::BlankPage
            | FindingKind::RotationLoss
            | FindingKind::Assertion
            | FindingKind::Environment => "finish 3",
            _ => "await 3",
        };
        self.line(end);
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::On(target, deed) => {
                let performed = on(deed)?;
                self.line(&find(&Selector::new(target, deed)));
                self.line(&performed);
                Ok(())
            }
            Step::Key(code) => self.action(&Action::Key { code: *code }),
            Step::Launch => self.action(&Action::Launch),
            Step::Wait(ms) => self.action(&Action::Wait { ms: *ms }),
            Step::Gesture(gesture) => self.gesture(gesture),
            Step::System(SystemEvent::Rotate) => {
                self.line("turn $(((rotation + 1) % 2))");
                Ok(())
            }
            Step::System(SystemEvent::Fault { fault }) => self.fault(*fault),
            Step::System(event) => match lower_system(event, 0) {
                Some(action) => self.action(&action),
                None => {
                    self.line("relaunch");
                    Ok(())
                }
            },
        }
    }

    /// As the adb device performs it.
    fn action(&mut self, action: &Action) -> Result<(), String> {
        if let Some(command) = senses::command(action) {
            self.line(&format!("emulator {}", quote(&command)));
            return Ok(());
        }
        let line = match input::lower(action, self.package, &[], (0, 0)) {
            Way::Shell(line) | Way::System { line, .. } => format!("device {}", quote(&line)),
            Way::Launch => "launch".to_owned(),
            Way::Away(_) => "away".to_owned(),
            Way::Rotate(to) => format!("turn {to}"),
            Way::Network => "toggle_network".to_owned(),
            Way::Wait(ms) => format!("sleep {}", ms.div_ceil(1000)),
            Way::Cannot(_, why) => return Err(why),
            Way::Stale => return Err("it needs a widget".to_owned()),
        };
        self.line(&line);
        Ok(())
    }

    fn gesture(&mut self, gesture: &Gesture) -> Result<(), String> {
        match gesture {
            Gesture::Tap(at) => self.line(&format!("find_place {}\ntap", place(*at))),
            Gesture::Drag(at, to) => self.line(&format!(
                "find_place {}\nfrom_x=$x from_y=$y\nfind_place {}\n\
                 device \"input swipe $from_x $from_y $x $y 60\"",
                place(*at),
                place(*to)
            )),
            Gesture::Pinch { .. } => return Err(ONE_FINGER.to_owned()),
            Gesture::Trackball { moves, press } => {
                let (moves, click) = (*moves, *press);
                return self.action(&Action::Trackball { moves, click });
            }
        }
        Ok(())
    }

    fn fault(&mut self, fault: Fault) -> Result<(), String> {
        let package = quote(self.package);
        match fault {
            Fault::ProcessDeath => {
                self.line(&format!("away {}", quote(&format!("am kill {package}"))));
            }
            Fault::LowMemory => self.line(&format!(
                "device {}",
                quote(&format!("am send-trim-memory {package} RUNNING_CRITICAL"))
            )),
            other => {
                return self.action(&Action::Fault {
                    name: other.name().to_owned(),
                });
            }
        }
        Ok(())
    }
}

const ONE_FINGER: &str = "a shell has one finger only";

/// The command that finds a widget.
fn find(selector: &Selector<'_>) -> String {
    let names = [
        selector.id,
        selector.text,
        selector.desc,
        selector.caption,
        selector.class,
    ];
    let nth = selector.nth.map(|nth| nth.to_string());
    let names = names.map(|name| quote(&entities(name))).join(" ");
    let at = selector.at.map_or_else(|| "'' ''".to_owned(), place);
    format!(
        "find_widget {names} {} {at}",
        quote(&nth.unwrap_or_default())
    )
}

/// A place in ten-thousandths of the screen.
fn place(spot: Spot) -> String {
    let share = |share: f64| (share * 1e4).round() as i64;
    format!("{} {}", share(spot.x), share(spot.y))
}

/// What is done to the widget that was found.
fn on(deed: &Deed) -> Result<String, String> {
    Ok(match deed {
        Deed::Click => "tap".to_owned(),
        Deed::LongClick => "long_press".to_owned(),
        Deed::Type(typed) => text(typed)?,
        Deed::Scroll(reveal) => format!("swipe {} 5 400", finger(reveal.opposite())),
        Deed::Swipe(direction) => format!("swipe {} 8 100", finger(*direction)),
        Deed::Pinch { .. } => return Err(ONE_FINGER.to_owned()),
        Deed::Tap(spot) => format!("tap_inside {}", place(*spot)),
    })
}

fn text(typed: &Typed) -> Result<String, String> {
    let what = match &typed.secret {
        Some(key) => format!("\"${}\"", variable(key)),
        None if can_type(&typed.text) => quote(&typed.text),
        None => return Err("a shell types ASCII only".to_owned()),
    };
    let enter = match typed.enter {
        true => format!("\ndevice 'input keyevent {}'", key::ENTER),
        false => String::new(),
    };
    Ok(format!("type_text {what}{enter}"))
}

fn finger(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

#[cfg(all(test, unix))]
#[path = "adb_shell_tests.rs"]
mod shell_tests;

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    /// What the script's program makes of this dump, by each awk of this machine.
    fn chosen(dump: &str, wanted: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dump.xml");
        std::fs::write(&file, dump).unwrap();
        let mut all = Vec::new();
        for awk in ["awk", "mawk", "gawk", "busybox awk"] {
            let mut words = awk.split(' ');
            let mut command = Command::new(words.next().unwrap());
            command
                .args(words)
                .arg(CHOOSE)
                .arg(&file)
                .env("LC_ALL", "C");
            for name in [
                "ID",
                "TEXT",
                "DESCRIPTION",
                "CAPTION",
                "CLASS",
                "NTH",
                "AT_X",
                "AT_Y",
            ] {
                let value = wanted.iter().find(|(known, _)| *known == name);
                command.env(
                    name,
                    value.map_or_else(String::new, |(_, value)| entities(value)),
                );
            }
            if let Ok(done) = command.output() {
                let complaint = String::from_utf8_lossy(&done.stderr);
                assert!(complaint.is_empty(), "{awk}: {complaint}");
                all.push(String::from_utf8(done.stdout).unwrap().trim().to_owned());
            }
        }
        all.dedup();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    #[test]
    fn the_widget_is_chosen_by_what_is_known_of_it() {
        assert!(!CHOOSE.contains('\''), "it is in single quotes");
        let node = |text: &str, id: &str, class: &str, bounds: &str, end: &str| {
            format!(
                "<node index=\"0\" text=\"{text}\" resource-id=\"{id}\" class=\"{class}\" content-desc=\"\" bounds=\"{bounds}\"{end}>"
            )
        };
        let dump = [
            "<?xml version='1.0' encoding='UTF-8' ?><hierarchy rotation=\"0\">".to_owned(),
            node("", "", "F", "[0,0][100,200]", ""),
            node("", "a:id/row", "R", "[0,0][100,20]", ""),
            node(
                "Milk &amp;lt; &#10;&#233;&#55357;&#56832;",
                "",
                "T",
                "[0,0][50,20]",
                " /",
            ),
            "</node>".to_owned(),
            node("", "a:id/row", "R", "[0,20][100,40]", ""),
            node("it&apos;s &quot;x&quot;", "", "T", "[0,20][50,40]", " /"),
            "</node>".to_owned(),
            node(
                "typed",
                "a:id/name",
                "android.widget.EditText",
                "[0,40][100,60]",
                " /",
            ),
            "</node></hierarchy>".to_owned(),
        ]
        .concat();
        for (wanted, expected) in [
            (&[("ID", "row")][..], "50 10 0 0 100 20 0 all"),
            (
                &[("ID", "a:id/row"), ("NTH", "1")],
                "50 30 0 20 100 40 0 all",
            ),
            (
                &[("ID", "a:id/row"), ("NTH", "2")],
                "50 10 0 0 100 20 0 resource-id",
            ),
            (
                &[("ID", "a:id/row"), ("AT_X", "5000"), ("AT_Y", "1500")],
                "50 30 0 20 100 40 0 all",
            ),
            (
                &[("ID", "a:id/row"), ("CAPTION", "it's \"x\"")],
                "50 30 0 20 100 40 0 all",
            ),
            (&[("TEXT", "Milk &lt; \né😀")], "25 10 0 0 50 20 17 all"),
            (
                &[("ID", "name"), ("TEXT", "other")],
                "50 50 0 40 100 60 5 all",
            ),
            (&[("CLASS", "T"), ("NTH", "1")], "25 30 0 20 50 40 8 all"),
            (
                &[("TEXT", "gone"), ("AT_X", "2000"), ("AT_Y", "500")],
                "20 10 0 0 50 20 17 place",
            ),
            (&[("TEXT", "gone")], ""),
        ] {
            assert_eq!(chosen(&dump, wanted), expected, "{wanted:?}");
        }
        assert_eq!(chosen("", &[("ID", "row")]), "");
    }
}
