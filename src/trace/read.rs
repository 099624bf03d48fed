//! A trace from its TOML text.

use super::error::TraceError;
use super::format::{
    AppRef, Deed, DeviceRef, Expected, Gesture, Spot, Step, TRACE_VERSION, Target, Trace, Typed,
};
use super::raw::{DEEDS, RawStep};
use crate::gui::{Direction, SystemEvent};
use crate::outcome::finding::FindingKind;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// Android's key codes with a step of their own.
pub(super) const KEYS: [(&str, u32); 3] = [("back", 4), ("menu", 82), ("enter", 66)];

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawTrace {
    version: Spanned<u32>,
    #[serde(default)]
    seed: u64,
    app: RawApp,
    #[serde(default)]
    device: RawDevice,
    finding: RawFinding,
    #[serde(default, rename = "step")]
    steps: Vec<Spanned<RawStep>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawApp {
    #[serde(default)]
    name: String,
    package: String,
    #[serde(default)]
    content: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct RawDevice {
    name: String,
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawFinding {
    kind: FindingKind,
    fingerprint: Option<String>,
    exception: Option<String>,
    frame: Option<String>,
    activity: Option<String>,
    title: Option<String>,
}

/// Reads the text of this file.
///
/// # Errors
/// TOML that cannot be read, unknown keys, steps that do nothing known or lack what they need; each with
/// file, line and place.
pub fn read(text: &str, file: &Path) -> Result<Trace, Box<TraceError>> {
    let raw: RawTrace = toml::from_str(text).map_err(|e| {
        let at = e.span().map(|span| (span, "here"));
        TraceError::new(file, text, e.message().trim(), at, hint(e.message()))
    })?;
    let version = *raw.version.get_ref();
    if version != TRACE_VERSION {
        let message =
            format!("a trace of version {version}; this tool reads version {TRACE_VERSION}");
        let help = "use the version of the tool that wrote it".to_owned();
        let at = Some((raw.version.span(), "this version"));
        return Err(TraceError::new(file, text, &message, at, Some(help)));
    }
    let steps = raw.steps.into_iter().enumerate().map(|(number, raw)| {
        let whole = raw.span();
        step(raw.into_inner()).map_err(|fault| {
            let at = Some((fault.at.unwrap_or(whole), fault.label));
            let message = format!("step {}: {}", number + 1, fault.message);
            TraceError::new(file, text, &message, at, fault.help)
        })
    });
    Ok(Trace {
        app: AppRef {
            name: raw.app.name,
            package: raw.app.package,
            content: raw.app.content,
        },
        device: DeviceRef {
            name: raw.device.name,
            kind: raw.device.kind,
        },
        seed: raw.seed,
        finding: Expected {
            kind: raw.finding.kind,
            fingerprint: raw.finding.fingerprint,
            exception: raw.finding.exception,
            frame: raw.finding.frame,
            activity: raw.finding.activity,
            title: raw.finding.title,
        },
        steps: steps.collect::<Result<_, _>>()?,
    })
}

/// The nearest of the names that serde lists.
fn hint(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let wrong = quoted.next().filter(|_| message.contains("unknown"))?;
    let near = nearest(wrong, quoted)?;
    Some(format!("did you mean `{near}`?"))
}

fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|(distance, name)| *distance <= (name.len().max(word.len()) / 3).max(1))
        .min()
        .map(|(_, name)| name)
}

/// What is wrong with a step.
struct Fault {
    message: String,
    at: Option<Range<usize>>,
    label: &'static str,
    help: Option<String>,
}

impl Fault {
    fn missing(what: &str, field: &str) -> Self {
        Self {
            message: format!("`{what}` needs `{field}`"),
            at: None,
            label: "in this step",
            help: Some(format!("add `{field}`")),
        }
    }
}

fn step(raw: RawStep) -> Result<Step, Fault> {
    let what = raw.r#do.get_ref().clone();
    let Some((_, widget, own)) = DEEDS.iter().find(|(name, ..)| *name == what) else {
        let names = DEEDS.iter().map(|(name, ..)| *name);
        let help = match nearest(&what, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a step can do {}", names.collect::<Vec<_>>().join(", ")),
        };
        return Err(Fault {
            message: format!("nothing is called `{what}`"),
            at: Some(raw.r#do.span()),
            label: "not known",
            help: Some(help),
        });
    };
    if let Some(field) = raw.misplaced(*widget, own) {
        return Err(Fault {
            message: format!("`{what}` has no `{field}`"),
            at: None,
            label: "in this step",
            help: Some(format!("remove `{field}`")),
        });
    }
    if let Some((_, code)) = KEYS.iter().find(|(name, _)| *name == what) {
        return Ok(Step::Key(*code));
    }
    let need = |field: &str| Fault::missing(&what, field);
    let system = |event| Ok(Step::System(event));
    match what.as_str() {
        "key" => Ok(Step::Key(raw.code.ok_or_else(|| need("code"))?)),
        "launch" => Ok(Step::Launch),
        "wait" => Ok(Step::Wait(raw.ms.ok_or_else(|| need("ms"))?)),
        "rotate" => system(SystemEvent::Rotate),
        "home" => system(SystemEvent::Home),
        "relaunch" => system(SystemEvent::Relaunch),
        "location" => system(SystemEvent::Location),
        "sensor" => system(SystemEvent::Sensor {
            sensor: raw.sensor.ok_or_else(|| need("sensor"))?,
        }),
        "broadcast" => system(SystemEvent::Broadcast {
            action: raw.action.ok_or_else(|| need("action"))?,
            component: raw.component,
        }),
        "service" => system(SystemEvent::Service {
            component: raw.component.ok_or_else(|| need("component"))?,
            action: raw.action,
        }),
        "activity" => system(SystemEvent::Activity {
            component: raw.component.ok_or_else(|| need("component"))?,
            action: raw.action,
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
        _ => on_widget(&what, raw),
    }
}

fn on_widget(what: &str, raw: RawStep) -> Result<Step, Fault> {
    let at = spot(raw.at, "at")?;
    let path = match &raw.path {
        None => None,
        Some(text) => Some(u64::from_str_radix(text, 16).map_err(|_| Fault {
            message: format!("`path` {text:?} is no hexadecimal number"),
            at: None,
            label: "in this step",
            help: Some("remove `path`: a widget's other fields will do".to_owned()),
        })?),
    };
    let target = Target {
        id: raw.id.unwrap_or_default(),
        text: raw.text.unwrap_or_default(),
        desc: raw.description.unwrap_or_default(),
        class: raw.class.unwrap_or_default(),
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
        "type" => Deed::Type(match (raw.input, raw.secret) {
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
            _ => return Err(Fault::missing(what, "input` or `secret")),
        }),
        "scroll" => Deed::Scroll(direction(what, raw.direction)?),
        "swipe" => Deed::Swipe(direction(what, raw.direction)?),
        "pinch-in" => Deed::Pinch { inward: true },
        "pinch-out" => Deed::Pinch { inward: false },
        _ => Deed::Tap(spot(raw.inside, "inside")?.unwrap_or(Spot { x: 0.5, y: 0.5 })),
    };
    if target.is_empty() {
        return Err(Fault::missing(what, "id"));
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
    Err(Fault {
        message: format!("`{field}` is outside the screen"),
        at: None,
        label: "in this step",
        help: Some("places are shares of width and height, from 0 to 1".to_owned()),
    })
}
