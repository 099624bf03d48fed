//! A step from its TOML form.

use super::format::{Deed, Gesture, Spot, Step, Target, Typed};
use super::raw::{DEEDS, LONGEST_WAIT, RawStep};
use crate::gui::{Direction, SystemEvent};
use serde_json::Number;
use std::borrow::Borrow;

/// Android's key codes with a separate step.
pub(super) const KEYS: [(&str, u32); 3] = [("back", 4), ("menu", 82), ("enter", 66)];

/// What is wrong with a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// In one sentence.
    pub message: String,
    /// Is its `do` wrong, not the complete step?
    pub in_do: bool,
    /// The fix.
    pub help: Option<String>,
}

impl Fault {
    fn new(message: String, help: &str) -> Self {
        Self {
            message,
            in_do: false,
            help: Some(help.to_owned()),
        }
    }

    fn missing(what: &str, field: &str) -> Self {
        Self::new(
            format!("`{what}` needs `{field}`"),
            &format!("add `{field}`"),
        )
    }
}

impl<D: Borrow<str>> RawStep<D> {
    /// What the step says.
    ///
    /// # Errors
    /// Unknown step, missing or invalid field, or superfluous field.
    pub fn step(&self) -> Result<Step, Fault> {
        step(self)
    }
}

fn step<D: Borrow<str>>(raw: &RawStep<D>) -> Result<Step, Fault> {
    let what: &str = raw.r#do.borrow();
    let Some((_, widget, own)) = DEEDS.iter().find(|(name, ..)| *name == what) else {
        let names = DEEDS.iter().map(|(name, ..)| *name);
        let help = match nearest(what, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("valid steps: {}", names.collect::<Vec<_>>().join(", ")),
        };
        return Err(Fault {
            message: format!("unknown step `{what}`"),
            in_do: true,
            help: Some(help),
        });
    };
    if let Some(field) = raw.misplaced(*widget, own) {
        return Err(Fault::new(
            format!("`{what}` has no `{field}`"),
            &format!("remove `{field}`"),
        ));
    }
    if let Some((_, code)) = KEYS.iter().find(|(name, _)| *name == what) {
        return Ok(Step::Key(*code));
    }
    if let Some(fault) = crate::gui::Fault::of(what) {
        return Ok(Step::System(SystemEvent::Fault { fault }));
    }
    let need = |field: &str| Fault::missing(what, field);
    let system = |event| Ok(Step::System(event));
    match what {
        "key" => Ok(Step::Key(raw.code.ok_or_else(|| need("code"))?)),
        "launch" => Ok(Step::Launch),
        "wait" => match raw.ms.ok_or_else(|| need("ms"))? {
            ms if ms > LONGEST_WAIT => Err(Fault::new(
                format!("`ms` is {ms}, longer than a day"),
                &format!("wait for at most {LONGEST_WAIT} milliseconds"),
            )),
            ms => Ok(Step::Wait(ms)),
        },
        "rotate" => system(SystemEvent::Rotate),
        "home" => system(SystemEvent::Home),
        "relaunch" => system(SystemEvent::Relaunch),
        "location" => system(SystemEvent::Location {
            values: place(raw.values.as_deref().unwrap_or_default())?,
        }),
        "call" => system(SystemEvent::Call {
            extras: raw.extras.clone().unwrap_or_default(),
        }),
        "sensor" => system(SystemEvent::Sensor {
            sensor: raw.sensor.ok_or_else(|| need("sensor"))?,
            values: raw.values.clone().unwrap_or_default(),
        }),
        "broadcast" => system(SystemEvent::Broadcast {
            action: raw.action.clone().ok_or_else(|| need("action"))?,
            component: raw.component.clone(),
            extras: raw.extras.clone().unwrap_or_default(),
        }),
        "service" => system(SystemEvent::Service {
            component: raw.component.clone().ok_or_else(|| need("component"))?,
            action: raw.action.clone(),
        }),
        "activity" => system(SystemEvent::Activity {
            component: raw.component.clone().ok_or_else(|| need("component"))?,
            action: raw.action.clone(),
            data: raw.data.clone(),
        }),
        "drag" => {
            let at = spot(raw.at, "at")?.ok_or_else(|| need("at"))?;
            let to = spot(raw.to, "to")?.ok_or_else(|| need("to"))?;
            Ok(Step::Gesture(Gesture::Drag(at, to)))
        }
        "trackball" => Ok(Step::Gesture(Gesture::Trackball {
            moves: raw.moves.ok_or_else(|| need("moves"))?.map(|[x, y]| (x, y)),
            press: raw.press.unwrap_or(false),
        })),
        _ => on_widget(what, raw),
    }
}

/// A position: none, latitude and longitude, or these and the accuracy.
fn place(values: &[Number]) -> Result<Vec<Number>, Fault> {
    let floats: Vec<f64> = values.iter().filter_map(Number::as_f64).collect();
    let within = |at: usize, most: f64| floats.get(at).is_none_or(|value| value.abs() <= most);
    if matches!(values.len(), 0 | 2 | 3) && within(0, 90.0) && within(1, 180.0) {
        return Ok(values.to_vec());
    }
    Err(Fault::new(
        "`values` is not a position".to_owned(),
        "write latitude (-90 to 90), longitude (-180 to 180) and, if you like, the accuracy in metres",
    ))
}

fn on_widget<D>(what: &str, raw: &RawStep<D>) -> Result<Step, Fault> {
    let at = spot(raw.at, "at")?;
    let path = match &raw.path {
        None => None,
        Some(text) => Some(u64::from_str_radix(text, 16).map_err(|_| {
            Fault::new(
                format!("`path` {text:?} is not a hexadecimal number"),
                "remove `path`: the widget's other fields are enough",
            )
        })?),
    };
    let target = Target {
        id: raw.id.clone().unwrap_or_default(),
        text: raw.text.clone().unwrap_or_default(),
        desc: raw.description.clone().unwrap_or_default(),
        caption: raw.caption.clone().unwrap_or_default(),
        class: raw.class.clone().unwrap_or_default(),
        path,
        nth: raw.nth,
        at,
    };
    let bare = Target {
        at: None,
        ..target.clone()
    };
    if let (true, Some(at)) = (bare.is_empty(), at) {
        let gesture = match what {
            "tap" if raw.inside.is_none() => Some(Gesture::Tap(at)),
            "pinch-in" => Some(Gesture::Pinch { at, inward: true }),
            "pinch-out" => Some(Gesture::Pinch { at, inward: false }),
            _ => None,
        };
        if let Some(gesture) = gesture {
            return Ok(Step::Gesture(gesture));
        }
    }
    let deed = match what {
        "click" => Deed::Click,
        "long-click" => Deed::LongClick,
        "type" => Deed::Type(match (raw.input.clone(), raw.secret.clone()) {
            (Some(text), None) => Typed {
                text,
                secret: None,
                enter: raw.enter.unwrap_or(false),
            },
            (None, Some(key)) => Typed {
                text: String::new(),
                secret: Some(key),
                enter: raw.enter.unwrap_or(false),
            },
            (None, None) => return Err(Fault::missing(what, "input` or `secret")),
            (Some(_), Some(_)) => {
                return Err(Fault::new(
                    format!("`{what}` has both `input` and `secret`"),
                    "remove one of them",
                ));
            }
        }),
        "scroll" => Deed::Scroll(direction(what, raw.direction)?),
        "swipe" => Deed::Swipe(direction(what, raw.direction)?),
        "pinch-in" => Deed::Pinch { inward: true },
        "pinch-out" => Deed::Pinch { inward: false },
        _ => Deed::Tap(spot(raw.inside, "inside")?.unwrap_or(Spot { x: 0.5, y: 0.5 })),
    };
    if target.is_empty() {
        return Err(Fault::new(
            format!("`{what}` does not identify a widget"),
            "add `id`, `text`, `description`, `caption` or `class`",
        ));
    }
    Ok(Step::On(target, deed))
}

fn direction(what: &str, direction: Option<Direction>) -> Result<Direction, Fault> {
    direction.ok_or_else(|| Fault::missing(what, "direction"))
}

fn spot(place: Option<[f64; 2]>, field: &str) -> Result<Option<Spot>, Fault> {
    let Some([x, y]) = place else { return Ok(None) };
    if [x, y].iter().all(|share| (0.0..=1.0).contains(share)) {
        return Ok(Some(Spot { x, y }));
    }
    Err(Fault::new(
        format!("`{field}` is outside the screen"),
        "positions are fractions of the width and height, from 0 to 1",
    ))
}

/// The nearest of these names, if one is near.
pub(super) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|(distance, name)| *distance <= (name.len().max(word.len()) / 3).max(1))
        .min()
        .map(|(_, name)| name)
}
