//! A page without text and controls, for several observations in a row. After the device has reported a limitation of its
//! own that can empty a page, such a page is the device's fault: an environment finding.

use super::{Oracle, finding};
use crate::outcome::EnvironmentLimit;
use crate::outcome::finding::{Blame, Finding, FindingKind};
use crate::step::Step;
use crate::util::{hash, intern::Sym};

/// Limitations that do not affect pages.
const HARMLESS: [&str; 5] = [
    "child-process",
    "network",
    "network-replay",
    "memory",
    "unstable",
];

/// Reports an activity that stays blank.
#[derive(Debug)]
pub struct BlankPage {
    after: u32,
    activity: Sym,
    blank: u32,
    /// The last reported device limitation, a possible cause.
    limit: Option<EnvironmentLimit>,
}

impl BlankPage {
    /// Reports after this many blank observations of one activity in a row.
    pub const fn new(after: u32) -> Self {
        Self {
            after,
            activity: Sym::EMPTY,
            blank: 0,
            limit: None,
        }
    }
}

impl Oracle for BlankPage {
    fn name(&self) -> &'static str {
        "blank-page"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let limits = &step.after.environment;
        let emptying = |limit: &&EnvironmentLimit| !HARMLESS.contains(&limit.rule.as_str());
        if let Some(limit) = limits.iter().rfind(emptying) {
            self.limit = Some(limit.clone());
        }
        let blank =
            step.after.alive && !step.page.activity.is_empty() && step.page.is_blank(step.interner);
        if !blank || step.page.activity != self.activity {
            self.blank = 0;
            self.activity = step.page.activity;
        }
        self.blank += u32::from(blank);
        if !blank || self.blank != self.after {
            return Vec::new();
        }
        let activity = step.interner.get(step.page.activity);
        // Accessibility is what an observation consists of: something may be drawn that it does not report.
        let title = format!("{activity} shows no text and no control to accessibility");
        let evidence = format!("{title} in {} observations in a row", self.after);
        let fingerprint = hash::of_bytes(format!("{activity} shows nothing").as_bytes());
        let mut found = finding(step, FindingKind::BlankPage, fingerprint, title, evidence);
        found.environment = self.limit.as_ref().map(|limit| Blame {
            rule: limit.rule.clone(),
            detail: Some(limit.detail.clone()),
        });
        vec![found]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::{Flags, Page, RawNode, Rect};
    use crate::util::intern::Interner;

    #[test]
    fn it_waits_for_several_and_says_it_once() {
        let mut interner = Interner::default();
        let root = RawNode {
            parent: -1,
            class: "android.widget.FrameLayout".into(),
            flags: Flags::VISIBLE | Flags::ENABLED,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let blank = Page::build(std::slice::from_ref(&root), "A", 0, (9, 9), &mut interner);
        let full = Page::build(
            &[RawNode {
                text: "hi".into(),
                ..root
            }],
            "A",
            0,
            (9, 9),
            &mut interner,
        );
        let after = Observation {
            alive: true,
            ..Observation::default()
        };
        let mut oracle = BlankPage::new(3);
        let mut seen = |page: &Page| {
            oracle
                .inspect(&step(page, page, None, &after, &interner))
                .len()
        };
        let counts: Vec<_> = [&blank, &blank, &full, &blank, &blank, &blank, &blank]
            .into_iter()
            .map(&mut seen)
            .collect();
        assert_eq!(counts, [0, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn a_page_that_a_limit_of_the_device_emptied_is_no_finding_of_the_app() {
        let blamed = |rule: &str| {
            let mut interner = Interner::default();
            let blank = Page::build(&[], "A", 0, (9, 9), &mut interner);
            let after = Observation {
                alive: true,
                environment: vec![EnvironmentLimit {
                    rule: rule.into(),
                    detail: "libfoo.so".into(),
                }],
                ..Observation::default()
            };
            let found = BlankPage::new(1).inspect(&step(&blank, &blank, None, &after, &interner));
            found[0]
                .environment
                .as_ref()
                .map(|blame| blame.rule.clone())
        };
        assert_eq!(blamed("native-library").as_deref(), Some("native-library"));
        assert_eq!(blamed("child-process"), None);
    }
}
