//! Parts of an app that are left alone: blocked ones, and all but the allowed ones.

use super::GuideError;
use crate::config::Parts;
use crate::device::Action;
use crate::explore::lower::{Lowered, widget_at};
use crate::gui::{Event, EventKind, Flags, Page, Rect, XPath, activity_name};
use crate::util::intern::Interner;
use std::sync::Arc;

/// Keys that act on the widget in focus: the pad's middle, space, enter, the number pad's enter.
const PRESSES: [u32; 4] = [23, 62, 66, 160];

/// What is blocked, and what alone is allowed.
#[derive(Clone, Debug, Default)]
pub(super) struct Fence {
    block: Area,
    allow: Area,
    last: Option<Fenced>,
}

#[derive(Clone, Debug, Default)]
struct Area {
    activities: Vec<String>,
    widgets: Vec<XPath>,
    regions: Vec<[f64; 4]>,
}

/// A page beside what is left of it.
#[derive(Clone, Debug)]
struct Fenced {
    whole: Arc<Page>,
    open: Arc<Page>,
    /// By widget: is nothing to be done with it?
    barred: Vec<bool>,
}

impl Area {
    fn new(parts: &Parts) -> Result<Self, GuideError> {
        let widgets = parts.widgets.iter().map(|text| {
            XPath::of_widget(text).map_err(|why| GuideError::Path {
                text: text.clone(),
                why,
            })
        });
        Ok(Self {
            activities: parts.activities.clone(),
            widgets: widgets.collect::<Result<_, _>>()?,
            regions: parts.regions.clone(),
        })
    }

    fn names(&self, activity: &str) -> bool {
        let mut all = self.activities.iter();
        all.any(|pattern| activity_name::matches(pattern, activity))
    }

    /// The widgets named, with all that is in them.
    fn widgets(&self, page: &Page, interner: &Interner) -> Vec<bool> {
        let mut named = vec![false; page.widgets.len()];
        for path in &self.widgets {
            for n in path.select(page, interner) {
                named[n as usize] = true;
            }
        }
        for (ix, widget) in page.widgets.iter().enumerate() {
            // Parents come first.
            named[ix] |= widget.parent.is_some_and(|parent| named[parent as usize]);
        }
        named
    }

    fn holds(&self, (x, y): (i32, i32), screen: (i32, i32)) -> bool {
        let share = |at: i32, size: i32| (f64::from(at) + 0.5) / f64::from(size.max(1));
        let (x, y) = (share(x, screen.0), share(y, screen.1));
        let inside = |[left, top, right, bottom]: &[f64; 4]| {
            (left..right).contains(&&x) && (top..bottom).contains(&&y)
        };
        self.regions.iter().any(inside)
    }
}

impl Fence {
    pub(super) fn new(block: &Parts, allow: &Parts) -> Result<Self, GuideError> {
        Ok(Self {
            block: Area::new(block)?,
            allow: Area::new(allow)?,
            last: None,
        })
    }

    pub(super) fn blocks(&self, activity: &str) -> bool {
        let allowed = &self.allow;
        !activity.is_empty()
            && (self.block.names(activity)
                || !allowed.activities.is_empty() && !allowed.names(activity))
    }

    /// Says nothing of what is on a page?
    pub(super) fn is_open(&self) -> bool {
        let says = |area: &Area| !area.widgets.is_empty() || !area.regions.is_empty();
        !says(&self.block) && !says(&self.allow)
    }

    pub(super) fn open(&mut self, page: &Arc<Page>, interner: &Interner) -> Arc<Page> {
        if self.is_open() {
            return page.clone();
        }
        if let Some(last) = self.last.as_ref().filter(|l| Arc::ptr_eq(&l.whole, page)) {
            return last.open.clone();
        }
        let mut barred = self.block.widgets(page, interner);
        if !self.allow.widgets.is_empty() {
            let allowed = self.allow.widgets(page, interner);
            for (barred, allowed) in barred.iter_mut().zip(allowed) {
                *barred |= !allowed;
            }
        }
        let stays = |event: &&Event| !self.bars(event, page, &barred);
        let events: Vec<_> = page.events.iter().filter(stays).copied().collect();
        let open = if events.len() == page.events.len() {
            page.clone()
        } else {
            Arc::new(Page {
                events,
                ..Page::clone(page)
            })
        };
        self.last = Some(Fenced {
            whole: page.clone(),
            open: open.clone(),
            barred,
        });
        open
    }

    fn bars(&self, event: &Event, page: &Page, barred: &[bool]) -> bool {
        let Some(n) = event.widget.map(|n| n as usize) else {
            return event.kind == EventKind::Enter && focus_is_barred(page, barred);
        };
        if barred[n] {
            return true;
        }
        match event.kind {
            // Its point is drawn later, and drawn again where it is blocked.
            EventKind::Point => false,
            EventKind::Click | EventKind::LongClick => {
                self.bars_point(middle(page.widgets[n].bounds), page, barred)
            }
            _ => self.bars_place(middle(page.widgets[n].bounds), page),
        }
    }

    fn bars_place(&self, at: (i32, i32), page: &Page) -> bool {
        let allowed = &self.allow;
        self.block.holds(at, page.screen)
            || !allowed.regions.is_empty() && !allowed.holds(at, page.screen)
    }

    /// A finger meets what lies on top.
    fn bars_point(&self, at: (i32, i32), page: &Page, barred: &[bool]) -> bool {
        let on_top = || match widget_at(page, at.0, at.1) {
            Some(n) => barred[n as usize],
            None => !self.allow.widgets.is_empty(),
        };
        self.bars_place(at, page) || on_top()
    }

    pub(super) fn stops(&self, lowered: &Lowered) -> bool {
        let Some(Fenced { whole, barred, .. }) = &self.last else {
            return false;
        };
        let Lowered::Perform(action, _) = lowered else {
            return false;
        };
        let point = |x, y| self.bars_point((x, y), whole, barred);
        match *action {
            Action::Tap { x, y } | Action::Drag { x, y, .. } => point(x, y),
            // Of the decisions, only raw ones come to a widget that no event was made for.
            Action::Pinch { n, .. } => barred.get(n as usize) == Some(&true),
            Action::Key { code } => PRESSES.contains(&code) && focus_is_barred(whole, barred),
            Action::Trackball { click, .. } => click && focus_is_barred(whole, barred),
            _ => false,
        }
    }
}

fn focus_is_barred(page: &Page, barred: &[bool]) -> bool {
    let mut widgets = page.widgets.iter().zip(barred);
    widgets.any(|(widget, barred)| *barred && widget.flags.has(Flags::FOCUSED))
}

const fn middle(bounds: Rect) -> (i32, i32) {
    (
        bounds.left + bounds.width() / 2,
        bounds.top + bounds.height() / 2,
    )
}

#[cfg(test)]
#[path = "fence_tests.rs"]
mod tests;
