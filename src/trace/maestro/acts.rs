//! What a flow does with widgets, keys, the screen and the app's surroundings.

use super::super::format::{Deed, Gesture, Spot, Step, Target};
use super::KEYS;
use super::commands::{Gone, Reader};
use super::nested::times;
use super::selector::{spot, target};
use super::texts::Resolved;
use super::yaml::{Mistake, Node, Value};
use crate::gui::{Direction, SystemEvent};
use crate::util::text::shorten;
use serde_json::Number;
use std::ops::Range;

/// How long Maestro takes for a swipe, in milliseconds, if a flow does not say it; from then on it is a scroll.
const SWIPE: u64 = 400;
/// Characters of a random text at most.
const LONGEST: usize = 1000;

impl Reader<'_> {
    pub(super) fn tap(&mut self, value: &Node) -> Result<(), Mistake> {
        let target = target(value, &["point", "repeat"])?;
        let at = value.get("point").map(spot).transpose()?;
        // As in Maestro, which taps at least once.
        let times = times(value, "repeat")?.unwrap_or(1).max(1);
        let more = usize::try_from(times - 1).unwrap_or(usize::MAX);
        let text = more.saturating_mul(value.size);
        self.work.spend(more, text, &value.at)?;
        for _ in 0..times {
            match (at, target.is_empty()) {
                (Some(at), true) => self.steps.push(Step::Gesture(Gesture::Tap(at))),
                (Some(at), false) => self.on(target.clone(), Deed::Tap(at), value)?,
                (None, _) => self.on(target.clone(), Deed::Click, value)?,
            }
        }
        // A row that is known by the texts inside it is no field.
        if at.is_none() && target.caption.is_empty() {
            self.field = self.steps.len().checked_sub(1);
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

    /// A text that may be any: each has the kind's form, and is another one than before.
    pub(super) fn input_random(
        &mut self,
        name: &str,
        value: &Node,
        at: &Range<usize>,
    ) -> Result<(), Mistake> {
        value.only(
            &["length", "label", "optional"],
            "a random text",
            "delete it",
        )?;
        let length = value.number_of("length")?.unwrap_or(8);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > LONGEST {
            let message = format!("a random text longer than {LONGEST} characters");
            return Err(Mistake::new(at, message, "make it shorter"));
        }
        let number = self.steps.len();
        let cycle = |letters: &str| -> String {
            letters.chars().cycle().skip(number).take(length).collect()
        };
        let text = match name {
            "inputRandomEmail" => format!("ada.lovelace{number}@example.com"),
            "inputRandomNumber" => cycle("1729384506"),
            "inputRandomText" => cycle("q7w3e9r1t5y8u2i6o4p0"),
            "inputRandomPersonName" => "Ada Lovelace".to_owned(),
            "inputRandomCityName" => "Reykjavik".to_owned(),
            "inputRandomCountryName" => "Iceland".to_owned(),
            "inputRandomColorName" => "Turquoise".to_owned(),
            _ => {
                let message = format!("the command `{}` cannot be read", shorten(name, 60));
                let help = "write the text with `inputText`";
                return Err(Mistake::new(at, message, help));
            }
        };
        self.input(&Node::new(Value::Text(text), at.clone()), at)
    }

    pub(super) fn key(&mut self, value: &Node) -> Result<(), Mistake> {
        let name = value.text().or(value.text_of("key")?).unwrap_or_default();
        if name.eq_ignore_ascii_case("home") {
            self.leave(Gone::Home, &value.at);
            return Ok(());
        }
        let found = KEYS
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(name));
        let Some((code, _)) = found else {
            let names = KEYS.map(|(_, name)| name).join(", ");
            let help = format!("the keys that can be read: Home, {names}");
            return Err(Mistake::new(&value.at, format!("no key `{name}`"), help));
        };
        let typing = self.field == self.steps.len().checked_sub(1);
        match self.steps.last_mut() {
            Some(Step::On(_, Deed::Type(typed))) if typing && *code == 66 && !typed.enter => {
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
        let known = [
            "start",
            "end",
            "direction",
            "from",
            "duration",
            "label",
            "optional",
            "waitToSettleTimeoutMs",
        ];
        value.only(&known, "a swipe", "delete it")?;
        let slow = value.number_of("duration")?.unwrap_or(SWIPE) >= SWIPE;
        match (value.get("start"), value.get("end"), value.get("direction")) {
            (None, None, _) => {}
            (Some(start), Some(end), None) if value.get("from").is_none() => {
                let (from, to) = (spot(start)?, spot(end)?);
                self.steps.push(Step::Gesture(Gesture::Drag(from, to)));
                return Ok(());
            }
            _ => {
                let help =
                    "write `start` and `end`, or `direction`, with `from` if it is on a widget";
                return Err(Mistake::new(at, "a swipe that is not one movement", help));
            }
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
        let deed = match slow {
            true => Deed::Scroll(direction.opposite()),
            false => Deed::Swipe(direction),
        };
        self.on(target(from, &[])?, deed, from)
    }

    /// A deep link; its label names the activity that it opens, as `export` writes it.
    pub(super) fn link(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let known = ["link", "label", "optional", "autoVerify"];
        value.only(&known, "a link", "delete it")?;
        let class = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '/');
        let label = value.text_of("label")?.filter(|label| !label.is_empty());
        let Some(component) = label.filter(|label| label.chars().all(class)) else {
            let message = "nothing says which activity the link opens";
            let help =
                "write `link: ADDRESS` and `label: CLASS`, the activity's class, below `openLink`";
            return Err(Mistake::new(at, message, help));
        };
        let data = match self.resolved(value.text_of("link")?.unwrap_or_default(), value)? {
            Resolved::Text(data) if !data.is_empty() => data,
            Resolved::Text(_) => {
                return Err(Mistake::new(at, "a link without an address", "add `link`"));
            }
            Resolved::Secret(_) => {
                let help = "write the address: a trace holds secrets only where they are typed";
                return Err(Mistake::new(at, "a secret as a link", help));
            }
        };
        self.steps.push(Step::System(SystemEvent::Activity {
            component: component.to_owned(),
            action: Some("android.intent.action.VIEW".to_owned()),
            data: Some(data),
        }));
        Ok(())
    }

    pub(super) fn location(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let number = |key: &str, most: f64| {
            let number: Option<f64> = value
                .get(key)
                .and_then(|node| node.text()?.trim().parse().ok());
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
