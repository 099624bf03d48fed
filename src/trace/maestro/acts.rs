//! What a flow does with widgets, keys, the screen and the app's surroundings.

use super::super::format::{Deed, Gesture, Spot, Step, Target, Typed};
use super::KEYS;
use super::commands::{Gone, Reader, times};
use super::selector::{spot, target};
use super::yaml::{Mistake, Node};
use crate::gui::{Direction, SystemEvent};
use serde_json::Number;
use std::ops::Range;

/// How long Maestro takes for a swipe, in milliseconds, if a flow does not say it; from then on it is a scroll.
const SWIPE: u64 = 400;

impl Reader<'_> {
    pub(super) fn tap(&mut self, value: &Node) -> Result<(), Mistake> {
        let target = target(value, &["point", "repeat"])?;
        let times = times(value, "repeat")?.unwrap_or(1);
        for _ in 0..times {
            match (value.get("point"), target.is_empty()) {
                (Some(point), true) => {
                    let at = spot(point)?;
                    self.steps.push(Step::Gesture(Gesture::Tap(at)));
                }
                (Some(point), false) => self.on(target.clone(), Deed::Tap(spot(point)?), value)?,
                (None, _) => self.on(target.clone(), Deed::Click, value)?,
            }
        }
        Ok(())
    }

    pub(super) fn on(&mut self, target: Target, deed: Deed, node: &Node) -> Result<(), Mistake> {
        if target.is_empty() {
            let help = "select it by `id` or `text`";
            return Err(Mistake::new(&node.at, "no widget is selected", help));
        }
        self.steps.push(Step::On(target, deed));
        Ok(())
    }

    /// The text that is typed into the widget of the last step.
    pub(super) fn typed(&mut self, at: &Range<usize>) -> Result<&mut Typed, Mistake> {
        if let Some(Step::On(_, deed @ Deed::Click)) = self.steps.last_mut() {
            *deed = Deed::Type(Typed {
                text: String::new(),
                secret: None,
                enter: false,
            });
        }
        match self.steps.last_mut() {
            Some(Step::On(_, Deed::Type(typed))) if !typed.enter => Ok(typed),
            _ => {
                let message = "nothing says into which field this is typed";
                let help = "add a `tapOn` of the field before it";
                Err(Mistake::new(at, message, help))
            }
        }
    }

    pub(super) fn input(&mut self, value: &Node) -> Result<(), Mistake> {
        let text = value.text().or(value.text_of("text")?).unwrap_or_default();
        let (text, secret) = self.resolved(text, value)?;
        let typed = self.typed(&value.at)?;
        typed.text += &text;
        typed.secret = secret.or(typed.secret.take());
        if typed.secret.is_some() && !typed.text.is_empty() {
            let message = "a secret with more text around it";
            return Err(Mistake::new(&value.at, message, "type them separately"));
        }
        Ok(())
    }

    /// A text without scripts, or the key of the suite's text that it stands for: `${TEXT_KEY}`, as `export` writes it.
    fn resolved(&self, text: &str, node: &Node) -> Result<(String, Option<String>), Mistake> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some(at) = rest.find("${") {
            let (before, script) = rest.split_at(at);
            let inside = script[2..].split('$').next().unwrap_or_default();
            let Some(end) = inside.find('}') else {
                out += &rest[..at + 2];
                rest = &rest[at + 2..];
                continue;
            };
            if let Some(before) = before.strip_suffix('\\') {
                // It stands for itself.
                out += before;
                out += "${";
                rest = &script[2..];
                continue;
            }
            let name = inside[..end].trim();
            let whole = out.is_empty() && before.is_empty() && script.len() == end + 3;
            let known = self.variables.iter().find(|(known, _)| known == name);
            match (known, name.strip_prefix("TEXT_")) {
                (Some((_, value)), _) => {
                    out += before;
                    out += value;
                }
                (None, Some(key)) if whole => {
                    return Ok((String::new(), Some(key.to_lowercase())));
                }
                _ => {
                    let message = format!("the script `${{{name}}}` is not run");
                    let help = "write the text, add the variable to `env`, or name a key of the suite's `[app.text]` as ${TEXT_KEY}";
                    return Err(Mistake::new(&node.at, message, help));
                }
            }
            rest = &script[end + 3..];
        }
        Ok((out + rest, None))
    }

    pub(super) fn key(&mut self, value: &Node) -> Result<(), Mistake> {
        let name = value.text().or(value.text_of("key")?).unwrap_or_default();
        if name.eq_ignore_ascii_case("home") {
            return self.leave(Gone::Home, &value.at);
        }
        let found = KEYS
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(name));
        let Some((code, _)) = found else {
            let names = KEYS.map(|(_, name)| name).join(", ");
            let help = format!("the keys that can be read: Home, {names}");
            return Err(Mistake::new(&value.at, format!("no key `{name}`"), help));
        };
        match self.steps.last_mut() {
            Some(Step::On(_, Deed::Type(typed))) if *code == 66 && !typed.enter => {
                typed.enter = true;
            }
            _ => self.steps.push(Step::Key(*code)),
        }
        Ok(())
    }

    pub(super) fn drag(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64)) {
        let (from, to) = (Spot { x, y }, Spot { x: to_x, y: to_y });
        self.steps.push(Step::Gesture(Gesture::Drag(from, to)));
    }

    pub(super) fn swipe(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        if let (Some(start), Some(end)) = (value.get("start"), value.get("end")) {
            let (from, to) = (spot(start)?, spot(end)?);
            self.steps.push(Step::Gesture(Gesture::Drag(from, to)));
            return Ok(());
        }
        let direction = match value
            .text_of("direction")?
            .map(str::to_uppercase)
            .as_deref()
        {
            Some("UP") => Direction::Up,
            Some("DOWN") => Direction::Down,
            Some("LEFT") => Direction::Left,
            Some("RIGHT") => Direction::Right,
            _ => {
                let message = "a swipe without a direction";
                let help = "add `direction`: UP, DOWN, LEFT or RIGHT, or `start` and `end`";
                return Err(Mistake::new(at, message, help));
            }
        };
        let Some(from) = value.get("from") else {
            // Maestro's places.
            match direction {
                Direction::Up => self.drag((0.5, 0.5), (0.5, 0.1)),
                Direction::Down => self.drag((0.5, 0.2), (0.5, 0.9)),
                Direction::Left => self.drag((0.9, 0.5), (0.1, 0.5)),
                Direction::Right => self.drag((0.1, 0.5), (0.9, 0.5)),
            }
            return Ok(());
        };
        let slow = value.number_of("duration")?.unwrap_or(SWIPE) >= SWIPE;
        let deed = match slow {
            true => Deed::Scroll(direction.opposite()),
            false => Deed::Swipe(direction),
        };
        self.on(target(from, &[])?, deed, from)
    }

    /// A deep link; its label names the activity that it opens, as `export` writes it.
    pub(super) fn link(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let link = value.text().or(value.text_of("link")?).unwrap_or_default();
        let Some(component) = value.text_of("label")? else {
            let message = "nothing says which activity the link opens";
            let help =
                "write `link: ADDRESS` and `label: CLASS`, the activity's class, below `openLink`";
            return Err(Mistake::new(at, message, help));
        };
        let (data, _) = self.resolved(link, value)?;
        self.steps.push(Step::System(SystemEvent::Activity {
            component: component.to_owned(),
            action: Some("android.intent.action.VIEW".to_owned()),
            data: Some(data),
        }));
        Ok(())
    }

    pub(super) fn location(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let number = |key: &str, most: f64| {
            let number: Option<f64> = value.get(key).and_then(|node| node.text()?.parse().ok());
            let number = number.filter(|number| number.abs() <= most);
            number.and_then(Number::from_f64).ok_or_else(|| {
                let help = format!("write `{key}` in degrees, from -{most} to {most}");
                Mistake::new(at, format!("no `{key}`"), help)
            })
        };
        let values = vec![number("latitude", 90.0)?, number("longitude", 180.0)?];
        self.steps
            .push(Step::System(SystemEvent::Location { values }));
        Ok(())
    }
}
