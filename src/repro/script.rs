//! A strategy that follows traces: so that what a replay meets gets a session's whole record.

use super::act::Texts;
use super::find::{Fit, find};
use crate::gui::Page;
use crate::outcome::run_event::{Input, RawInput};
use crate::step::{Decision, View};
use crate::strategy::{Strategy, StrategyError};
use crate::trace::{Deed, Gesture, Spot, Step, Trace};
use crate::util::seed::Rng;
use std::collections::VecDeque;
use std::sync::Arc;

/// Follows traces one after another, each from cleared data.
#[derive(Debug)]
pub struct Script {
    traces: VecDeque<VecDeque<Step>>,
    texts: Arc<Vec<(String, String)>>,
}

impl Script {
    /// For these traces, with the texts that they name by key only.
    pub fn new<'t>(
        traces: impl IntoIterator<Item = &'t Trace>,
        texts: Arc<Vec<(String, String)>>,
    ) -> Self {
        let steps = |trace: &Trace| trace.steps.iter().cloned().collect();
        Self {
            traces: traces.into_iter().map(steps).collect(),
            texts,
        }
    }

    /// Is the next step one that cannot be taken on this page?
    pub fn is_lost(&self, view: &View<'_>) -> bool {
        let next = self.traces.front().and_then(VecDeque::front);
        next.is_some_and(|step| decision(step, view, &self.texts).is_none())
    }

    fn next(&mut self) -> Option<Step> {
        self.traces.front_mut()?.pop_front()
    }
}

impl Strategy for Script {
    fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        while let Some(step) = self.next() {
            if let Some(decision) = decision(&step, view, &self.texts) {
                return Ok(decision);
            }
            // From here on the trace says nothing any more.
            if matches!(step, Step::On(..))
                && let Some(steps) = self.traces.front_mut()
            {
                steps.clear();
            }
        }
        self.traces.pop_front();
        Ok(match self.traces.is_empty() {
            true => Decision::Stop,
            false => Decision::Restart,
        })
    }
}

fn decision(step: &Step, view: &View<'_>, texts: &Texts) -> Option<Decision> {
    let page = view.page;
    Some(match step {
        Step::Key(code) => Decision::Raw(RawInput::Key { code: *code }),
        Step::Launch => Decision::Raw(RawInput::AppSwitch),
        Step::System(event) => Decision::System(event.clone()),
        Step::Gesture(gesture) => Decision::Raw(raw(gesture, page)),
        // A session has no word for it, and devices with a clock of their own pass none meanwhile.
        Step::Wait(_) => return None,
        Step::On(target, deed) => {
            let kind = deed.kind();
            let (n, _) = find(page, view.interner, target, kind, Fit::Strict)?;
            let same = |e: &crate::gui::Event| e.kind == kind && e.widget == Some(n);
            let event = page.events.iter().position(same)?;
            let input = match deed {
                Deed::Type(typed) => Some(Input::Text {
                    s: match &typed.secret {
                        None => typed.text.clone(),
                        Some(key) => texts.iter().find(|(known, _)| known == key)?.1.clone(),
                    },
                    enter: typed.enter,
                }),
                Deed::Tap(spot) => {
                    let (x, y) = spot.within(page.widgets[n as usize].bounds);
                    Some(Input::Point(x, y))
                }
                _ => None,
            };
            Decision::Perform { event, input }
        }
    })
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
