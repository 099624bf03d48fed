//! From a step of a trace or a script to what it does on the current page.

use super::secret_fields::SecretFields;
use crate::gui::{Event, EventKind, Page, SystemEvent};
use crate::outcome::run_event::{Input, RawInput};
use crate::step::Decision;
use crate::trace::find::{By, Fit, find};
use crate::trace::{Deed, Gesture, Spot, Step, Typed};
use crate::util::intern::Interner;

/// What is typed where a step names a text by its key: from the suite, the environment and a person's answers.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// Key and value.
    values: Vec<(String, String)>,
    /// Where secrets may be typed; `None`: anywhere.
    fields: Option<SecretFields>,
}

impl Texts {
    /// For steps of the suite itself.
    pub const fn new(values: Vec<(String, String)>) -> Self {
        Self {
            values,
            fields: None,
        }
    }

    /// For steps of traces, which may be anyone's: they type secrets into these fields only.
    pub const fn for_traces(values: Vec<(String, String)>, fields: SecretFields) -> Self {
        Self {
            values,
            fields: Some(fields),
        }
    }

    /// Replaces the text of a key, or removes it.
    pub fn set(&mut self, key: &str, value: Option<String>) {
        self.values.retain(|(known, _)| known != key);
        self.values
            .extend(value.map(|value| (key.to_owned(), value)));
    }

    /// All texts.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(_, value)| value.as_str())
    }
}

/// Why a step cannot be performed here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Hindrance {
    /// The widget is not on the page.
    #[error("the widget was not found")]
    Gone,
    /// A secret to type is not known.
    #[error(
        "no value for the secret `{0}`: define it under [app.text] in the suite and set its variable, or use --ask if a script asks for it"
    )]
    Secret(String),
    /// The suite does not name this field for the secret.
    #[error(
        "the secret `{key}` is not typed into the field `{field}`, which the suite does not name for it: add a key of that name to [app.text], or a script that types it there"
    )]
    Field {
        /// The secret's key.
        key: String,
        /// The field's id, hint, description or class.
        field: String,
    },
}

/// A step on this page.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// An event of this kind on this widget, which was identified so.
    On(u32, By, EventKind, Option<Input>),
    /// Raw input.
    Raw(RawInput),
    /// A system event.
    System(SystemEvent),
}

/// What a step does on this page.
///
/// # Errors
/// Its widget is gone, or its secret is not known or not meant for the field.
pub fn find_step(
    step: &Step,
    page: &Page,
    interner: &Interner,
    texts: &Texts,
    fit: Fit,
) -> Result<Found, Hindrance> {
    Ok(match step {
        Step::Key(code) => Found::Raw(RawInput::Key { code: *code }),
        Step::Launch => Found::Raw(RawInput::AppSwitch),
        Step::System(event) => Found::System(event.clone()),
        Step::Gesture(gesture) => Found::Raw(raw(gesture, page)),
        Step::Wait(ms) => Found::Raw(RawInput::Wait { ms: *ms }),
        Step::On(target, deed) => {
            let (n, by) = find(page, interner, target, deed.kind(), fit).ok_or(Hindrance::Gone)?;
            let input = match deed {
                Deed::Type(typed) => {
                    let input = text(typed, texts)?;
                    if let (Some(key), Some(fields)) = (&typed.secret, &texts.fields) {
                        fields.check(key, page, n, interner)?;
                    }
                    Some(input)
                }
                Deed::Tap(spot) => {
                    let (x, y) = spot.within(page.widgets[n as usize].bounds);
                    Some(Input::Point(x, y))
                }
                _ => None,
            };
            Found::On(n, by, deed.kind(), input)
        }
    })
}

fn text(typed: &Typed, texts: &Texts) -> Result<Input, Hindrance> {
    let enter = typed.enter;
    let Some(key) = &typed.secret else {
        let s = typed.text.clone();
        return Ok(Input::Text { s, enter });
    };
    let known = texts.values.iter().find(|(known, _)| known == key);
    let (key, s) = known
        .cloned()
        .ok_or_else(|| Hindrance::Secret(key.clone()))?;
    Ok(Input::Secret { key, s, enter })
}

/// The decision for a step.
///
/// # Errors
/// Its widget is gone or takes no such event, or its secret is not known or not meant for the field.
pub fn decision(
    step: &Step,
    page: &Page,
    interner: &Interner,
    texts: &Texts,
    fit: Fit,
) -> Result<Decision, Hindrance> {
    match find_step(step, page, interner, texts, fit)? {
        Found::Raw(raw) => Ok(Decision::Raw(raw)),
        Found::System(event) => Ok(Decision::System(event)),
        Found::On(n, _, kind, input) => {
            let same = |e: &Event| e.kind == kind && e.widget == Some(n);
            if let Some(event) = page.events.iter().position(same) {
                return Ok(Decision::Perform { event, input });
            }
            // A text inside a row that takes the click.
            let bounds = page.widgets[n as usize].bounds;
            let (x, y) = Spot { x: 0.5, y: 0.5 }.within(bounds);
            match kind {
                EventKind::Click => Ok(Decision::Raw(RawInput::Tap { x, y })),
                _ => Err(Hindrance::Gone),
            }
        }
    }
}

fn raw(gesture: &Gesture, page: &Page) -> RawInput {
    let pixel = |spot: &Spot| spot.within(page.bounds());
    match gesture {
        Gesture::Tap(at) => {
            let (x, y) = pixel(at);
            RawInput::Tap { x, y }
        }
        Gesture::Drag(at, to) => {
            let ((x, y), (x2, y2)) = (pixel(at), pixel(to));
            RawInput::Drag { x, y, x2, y2 }
        }
        Gesture::Pinch { at, inward } => {
            let ((x, y), inward) = (pixel(at), *inward);
            RawInput::Pinch { x, y, inward }
        }
        Gesture::Trackball { moves, press } => RawInput::Trackball {
            moves: *moves,
            click: *press,
        },
    }
}
