//! A session's screen, as those who watch the run see it.

use crate::explore::shown::Coming;
use crate::gui::{EventKind, ExactId, Page, RawNode, Rect};
use crate::util::text::shorten;
use serde::Serialize;

/// Most widgets of a screen that are outlined.
const OUTLINES: usize = 1000;
/// Longest text of a widget, in characters.
const TEXT: usize = 80;

/// The screen.
#[derive(Clone, Debug, Serialize)]
pub struct Screen {
    /// The activity in front.
    pub activity: String,
    /// The page's identity: what a person's event is for.
    pub page: ExactId,
    /// Width and height in pixels.
    pub size: (i32, i32),
    /// Widgets that have a text or take an event, those behind first.
    pub outlines: Vec<Outline>,
    /// The event about to be performed; `None` while a person is in control.
    #[serde(skip)]
    pub coming: Option<Coming>,
    /// Is there a picture?
    pub picture: bool,
}

/// A widget's place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outline {
    /// In pixels.
    pub at: Rect,
    /// Its text, description or hint.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Does it take a click, a long click, a text?
    pub takes: [bool; 3],
}

/// The outlines of a page, with the texts of `nodes`, its widgets in raw form.
pub fn outlines(page: &Page, nodes: &[RawNode]) -> Vec<Outline> {
    let mut takes = vec![[false; 3]; page.widgets.len()];
    for event in &page.events {
        let at = match event.kind {
            EventKind::Click | EventKind::Point => 0,
            EventKind::LongClick => 1,
            EventKind::Text => 2,
            _ => continue,
        };
        if let Some(takes) = event.widget.and_then(|n| takes.get_mut(n as usize)) {
            takes[at] = true;
        }
    }
    let widgets = page.widgets.iter().zip(nodes).zip(takes);
    let shown = widgets.filter(|((widget, _), _)| widget.is_live());
    let outline = |((_, node), takes): ((_, &RawNode), _)| {
        let texts = [&node.text, &node.description, &node.hint];
        let text = texts.into_iter().find(|text| !text.is_empty());
        let text = text.map(|text| shorten(text, TEXT).into_owned());
        Outline {
            at: node.bounds,
            text: text.unwrap_or_default(),
            takes,
        }
    };
    let of_use = |outline: &Outline| !outline.text.is_empty() || outline.takes != [false; 3];
    shown.map(outline).filter(of_use).take(OUTLINES).collect()
}
