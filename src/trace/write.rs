//! A trace as TOML text: what matters to a reader first, and every step in words above it.

use super::format::{Deed, Gesture, MAX_SEED, Spot, Step, TRACE_VERSION, Target, Trace};
use super::raw::RawStep;
use super::step::KEYS;
use super::words;
use crate::gui::SystemEvent;
use crate::util::text::{for_terminal, shorten};
use serde::Serialize;
use serde_json::Number;

/// The greatest number that TOML holds: a wait of 292 million years.
const GREATEST: u64 = i64::MAX.unsigned_abs();

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    seed: u64,
    app: App<'a>,
    device: Device<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<Finding<'a>>,
}

#[derive(Serialize)]
struct App<'a> {
    name: &'a str,
    package: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    content: &'a str,
}

#[derive(Serialize)]
struct Device<'a> {
    name: &'a str,
    kind: &'a str,
}

#[derive(Serialize)]
struct Finding<'a> {
    kind: crate::outcome::FindingKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exception: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    activity: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

/// The trace's file.
pub fn write(trace: &Trace) -> String {
    let head = Head {
        version: TRACE_VERSION,
        seed: trace.seed & MAX_SEED,
        app: App {
            name: &trace.app.name,
            package: &trace.app.package,
            content: &trace.app.content,
        },
        device: Device {
            name: &trace.device.name,
            kind: &trace.device.kind,
        },
        finding: trace.finding.as_ref().map(|finding| Finding {
            kind: finding.kind,
            fingerprint: finding.fingerprint.as_deref(),
            exception: finding.exception.as_deref(),
            frame: finding.frame.as_deref(),
            activity: finding.activity.as_deref(),
            title: finding.title.as_deref(),
        }),
    };
    let mut text = "# Replay it with `cargo droidtest replay FILE`. Widgets are found by id, text,\n\
                    # description and class; `path` and `at` (fractions of the screen) are fallbacks.\n"
        .to_owned();
    text += &toml::to_string(&head).unwrap_or_default();
    let words = words::steps(&trace.steps);
    for (number, (step, words)) in trace.steps.iter().zip(&words).enumerate() {
        let words = shorten(words, 200);
        text += &format!("\n# {}. {}\n[[step]]\n", number + 1, for_terminal(&words));
        let mut raw = RawStep::from(step);
        // In its line: a table of its own would belong to the file, not to the step.
        let extras = raw.extras.take().map(toml::Value::try_from);
        text += &toml::to_string(&raw).unwrap_or_default();
        if let Some(Ok(extras)) = extras {
            text += &format!("extras = {extras}\n");
        }
    }
    text
}

impl From<&Step> for RawStep {
    fn from(step: &Step) -> Self {
        match step {
            Step::On(target, deed) => on_widget(target, deed),
            Step::Key(code) => match KEYS.iter().find(|(_, known)| known == code) {
                Some((name, _)) => RawStep::new(name),
                None => RawStep {
                    code: Some(*code),
                    ..RawStep::new("key")
                },
            },
            Step::Gesture(gesture) => on_screen(gesture),
            Step::System(event) => system(event),
            Step::Launch => RawStep::new("launch"),
            Step::Wait(ms) => RawStep {
                ms: Some((*ms).min(GREATEST)),
                ..RawStep::new("wait")
            },
        }
    }
}

const fn pair(spot: Spot) -> Option<[f64; 2]> {
    Some([spot.x, spot.y])
}

fn on_widget(target: &Target, deed: &Deed) -> RawStep {
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    let mut raw = RawStep {
        id: some(&target.id),
        text: some(&target.text),
        description: some(&target.desc),
        caption: some(&target.caption),
        class: some(&target.class),
        path: target.path.map(|path| format!("{path:016x}")),
        nth: target.nth,
        at: target.at.and_then(pair),
        ..RawStep::new("click")
    };
    let name = match deed {
        Deed::Click => "click",
        Deed::LongClick => "long-click",
        Deed::Type(typed) => {
            match &typed.secret {
                Some(key) => raw.secret = Some(key.clone()),
                None => raw.input = Some(typed.text.clone()),
            }
            raw.enter = typed.enter.then_some(true);
            "type"
        }
        Deed::Scroll(direction) => {
            raw.direction = Some(*direction);
            "scroll"
        }
        Deed::Swipe(direction) => {
            raw.direction = Some(*direction);
            "swipe"
        }
        Deed::Pinch { inward: true } => "pinch-in",
        Deed::Pinch { inward: false } => "pinch-out",
        Deed::Tap(spot) => {
            raw.inside = pair(*spot);
            "tap"
        }
    };
    name.clone_into(&mut raw.r#do);
    raw
}

fn on_screen(gesture: &Gesture) -> RawStep {
    match gesture {
        Gesture::Tap(at) => RawStep {
            at: pair(*at),
            ..RawStep::new("tap")
        },
        Gesture::Drag(at, to) => RawStep {
            at: pair(*at),
            to: pair(*to),
            ..RawStep::new("drag")
        },
        Gesture::Pinch { at, inward } => RawStep {
            at: pair(*at),
            ..RawStep::new(if *inward { "pinch-in" } else { "pinch-out" })
        },
        Gesture::Trackball { moves, press } => RawStep {
            moves: Some(moves.map(|(x, y)| [x, y])),
            press: Some(*press),
            ..RawStep::new("trackball")
        },
    }
}

/// Numbers as TOML holds them.
fn held(values: &[Number]) -> Vec<Number> {
    let one = |number: &Number| match number.as_u64() {
        Some(large) if large > GREATEST => number.as_f64().and_then(Number::from_f64),
        _ => None,
    };
    let held = values
        .iter()
        .map(|number| one(number).unwrap_or_else(|| number.clone()));
    held.collect()
}

fn system(event: &SystemEvent) -> RawStep {
    let with = |name: &str, action: &Option<String>, component: &str| RawStep {
        action: action.clone(),
        component: Some(component.to_owned()),
        ..RawStep::new(name)
    };
    match event {
        SystemEvent::Rotate => RawStep::new("rotate"),
        SystemEvent::Home => RawStep::new("home"),
        SystemEvent::Relaunch => RawStep::new("relaunch"),
        SystemEvent::Broadcast {
            action,
            component,
            extras,
        } => RawStep {
            action: Some(action.clone()),
            component: component.clone(),
            extras: (!extras.is_empty()).then(|| extras.clone()),
            ..RawStep::new("broadcast")
        },
        SystemEvent::Service { component, action } => with("service", action, component),
        SystemEvent::Activity {
            component,
            action,
            data,
        } => RawStep {
            data: data.clone(),
            ..with("activity", action, component)
        },
        SystemEvent::Location { values } => RawStep {
            values: (!values.is_empty()).then(|| held(values)),
            ..RawStep::new("location")
        },
        SystemEvent::Call { extras } => RawStep {
            extras: (!extras.is_empty()).then(|| extras.clone()),
            ..RawStep::new("call")
        },
        SystemEvent::Sensor { sensor, values } => RawStep {
            sensor: Some(*sensor),
            values: (!values.is_empty()).then(|| held(values)),
            ..RawStep::new("sensor")
        },
        SystemEvent::Fault { fault } => RawStep::new(fault.name()),
    }
}
