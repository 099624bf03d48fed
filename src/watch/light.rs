//! When stopping is sensible: how likely the next event is to lead to a page that was never seen.
//!
//! The Good-Turing estimator of STADS (Böhme, "STADS: Software Testing as Species Discovery", TOSEM 27(2), 2018,
//! section 4.2): of `n` events, the share of those that led to a page seen exactly once estimates the probability that
//! the next event leads to a new page. It takes events for independent draws, which those of a session are not, so the
//! light also asks for a stretch without anything new.

use crate::gui::PageId;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Events that the rule looks ahead and back.
pub const SPAN: u64 = 100;
/// Pages that are counted; later ones count as new whenever they are seen, which keeps the light from green.
const PAGES: usize = 200_000;

/// The light.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Light {
    /// Too few events, or new pages are expected.
    GoOn,
    /// One of the rule's two conditions holds.
    Soon,
    /// Fewer than one new page is expected in the next [`SPAN`] events, and the last [`SPAN`] brought nothing new.
    Stop,
}

/// The pages that events led to, and the last news.
#[derive(Debug, Default)]
pub struct Pages {
    seen: FxHashMap<PageId, u32>,
    once: u64,
    events: u64,
    last_new: u64,
}

impl Pages {
    /// An event led to this page; `new`: it brought coverage, an activity or a finding.
    pub fn event(&mut self, to: PageId, new: bool) {
        self.events += 1;
        let full = self.seen.len() >= PAGES && !self.seen.contains_key(&to);
        let times = if full {
            1
        } else {
            let times = self.seen.entry(to).or_default();
            *times = times.saturating_add(1);
            *times
        };
        match times {
            1 => self.once += 1,
            2 => self.once -= 1,
            _ => {}
        }
        if new || times == 1 {
            self.last_new = self.events;
        }
    }

    /// New pages expected in the next [`SPAN`] events, and the events since the last news.
    pub fn expected(&self) -> (f64, u64) {
        let expected = self.once as f64 / self.events.max(1) as f64 * SPAN as f64;
        (expected, self.events - self.last_new)
    }

    /// The light now.
    pub fn light(&self) -> Light {
        let (expected, idle) = self.expected();
        let conditions = [self.events >= SPAN && expected < 1.0, idle >= SPAN];
        match conditions.iter().filter(|holds| **holds).count() {
            2 => Light::Stop,
            1 => Light::Soon,
            _ => Light::GoOn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_light_turns_when_pages_repeat_and_nothing_new_comes() {
        let mut pages = Pages::default();
        assert_eq!(pages.light(), Light::GoOn);
        for page in 0..50 {
            pages.event(PageId(page), false);
        }
        assert_eq!(pages.expected(), (100.0, 0));
        assert_eq!(pages.light(), Light::GoOn);
        // Each a second time: no page was seen only once.
        for page in 0..50 {
            pages.event(PageId(page), false);
        }
        assert_eq!(pages.expected(), (0.0, 50));
        assert_eq!(pages.light(), Light::Soon);
        (0..50).for_each(|page| pages.event(PageId(page), false));
        assert_eq!(pages.light(), Light::Stop);
        // Code that was not covered before.
        pages.event(PageId(3), true);
        assert_eq!((pages.expected().1, pages.light()), (0, Light::Soon));
    }
}
