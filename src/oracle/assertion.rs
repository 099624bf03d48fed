//! Properties that the suite's scripts assert: on each page that a script matches, its property must hold.
//!
//! The page after a step is checked, whether the script runs there or not, so that a replay without scripts finds the
//! same.

use super::{Oracle, finding};
use crate::gui::{Flags, Page, ScreenMatch, Widget, XPath};
use crate::outcome::finding::{Finding, FindingKind};
use crate::settings::{Assert, Script};
use crate::step::Step;
use crate::util::hash;
use crate::util::intern::Interner;
use crate::util::text::shorten;
use regex::Regex;
use std::sync::Arc;

/// Longest text of a widget in a finding, in characters.
const SHOWN: usize = 80;

/// What one script asserts.
#[derive(Clone, Debug)]
pub struct Assertion {
    script: String,
    screen: ScreenMatch,
    widget: XPath,
    exists: bool,
    text: Option<Regex>,
    enabled: Option<bool>,
    checked: Option<bool>,
}

impl Assertion {
    /// What this script asserts, if anything.
    ///
    /// # Errors
    /// An XPath or the regular expression that cannot be read, in words; a suite that was loaded has none.
    pub fn of(script: &Script) -> Result<Option<Self>, String> {
        let Some(assert) = &script.assert else {
            return Ok(None);
        };
        let Assert {
            widget,
            exists,
            text,
            enabled,
            checked,
        } = assert;
        let said = |why: String| format!("the script `{}`: {why}", script.name);
        let screen = ScreenMatch::new(script.when.as_deref(), script.activity.as_deref());
        let regex = text.as_deref().map(Regex::new).transpose();
        Ok(Some(Self {
            script: script.name.clone(),
            screen: screen.map_err(|e| said(e.to_string()))?,
            widget: XPath::of_widget(widget).map_err(|e| said(e.to_string()))?,
            exists: *exists,
            text: regex.map_err(|e| said(e.to_string()))?,
            enabled: *enabled,
            checked: *checked,
        }))
    }

    /// What does not hold on this page: the property in a few words, and what is there instead.
    fn violation(&self, page: &Page, interner: &Interner) -> Option<(String, String)> {
        if !self.screen.is_on(page, interner) {
            return None;
        }
        let widgets = self.widget.select(page, interner);
        let name = &self.widget;
        let instead = || match widgets.len() {
            0 => "no such widget is there".to_owned(),
            1 => "it is there".to_owned(),
            count => format!("{count} such widgets are there"),
        };
        match (self.exists, widgets.is_empty()) {
            (true, true) => return Some((format!("{name} is on the screen"), instead())),
            (false, false) => return Some((format!("{name} is not on the screen"), instead())),
            _ => {}
        }
        let widgets = widgets.iter().map(|n| &page.widgets[*n as usize]);
        let (property, widget) = { widgets }.find_map(|widget| {
            let property = self.missing(widget, interner)?;
            Some((property, widget))
        })?;
        let text = interner.get(widget.text);
        let flag = |flag: u32| if widget.flags.has(flag) { "" } else { "not " };
        let instead = format!(
            "its text is {:?}, it is {}enabled and {}checked",
            shorten(text, SHOWN),
            flag(Flags::ENABLED),
            flag(Flags::CHECKED)
        );
        Some((format!("{name} {property}"), instead))
    }

    /// The first property that the widget does not have.
    fn missing(&self, widget: &Widget, interner: &Interner) -> Option<String> {
        if let Some(regex) = &self.text
            && !regex.is_match(interner.get(widget.text))
        {
            return Some(format!("has a text like {:?}", regex.as_str()));
        }
        let flags = [
            (self.enabled, Flags::ENABLED, "enabled"),
            (self.checked, Flags::CHECKED, "checked"),
        ];
        flags.into_iter().find_map(|(wanted, flag, name)| {
            let wanted = wanted.filter(|wanted| *wanted != widget.flags.has(flag))?;
            Some(format!("is {}{name}", if wanted { "" } else { "not " }))
        })
    }
}

/// Checks each page for what the scripts of its app assert.
#[derive(Debug)]
pub struct Assertions(Arc<[Assertion]>);

impl Assertions {
    /// For these.
    pub const fn new(assertions: Arc<[Assertion]>) -> Self {
        Self(assertions)
    }
}

impl Oracle for Assertions {
    fn name(&self) -> &'static str {
        "assertion"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let violated = self.0.iter().filter_map(|assertion| {
            let (property, instead) = assertion.violation(step.page, step.interner)?;
            let script = &assertion.script;
            let hash = hash::mix(
                hash::of_bytes(b"assertion"),
                hash::of_bytes(script.as_bytes()),
            );
            let title = format!("{script}: does not hold: {property}");
            let evidence = format!("{title}\n{instead}");
            Some(finding(step, FindingKind::Assertion, hash, title, evidence))
        });
        violated.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::{RawNode, Rect};

    fn page(total: &str, flags: u32) -> (Page, Interner) {
        let mut interner = Interner::default();
        let node = RawNode {
            parent: -1,
            resource_id: "a:id/total".into(),
            text: total.into(),
            flags: flags | Flags::VISIBLE,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let page = Page::build(&[node], "a.Cart", 0, (9, 9), &mut interner);
        (page, interner)
    }

    fn found(assert: &str, page: &(Page, Interner)) -> Vec<Finding> {
        let script = format!("name = \"cart\"\nactivity = \"Cart\"\nassert = {assert}");
        let script: Script = toml::from_str(&script).unwrap();
        let assertion = Assertion::of(&script).unwrap().unwrap();
        let after = Observation::default();
        let (page, interner) = page;
        Assertions::new([assertion].into()).inspect(&step(page, page, None, &after, interner))
    }

    #[test]
    fn what_does_not_hold_is_one_finding_by_the_scripts_name() {
        let cart = page("12.50 EUR", 0);
        for holds in [
            "{ widget = \"total\" }",
            "{ widget = \"total\", text = '^\\d+\\.\\d\\d EUR$' }",
            "{ widget = \"//*[@text='Error']\", exists = false }",
            "{ widget = \"total\", enabled = false, checked = false }",
        ] {
            assert!(found(holds, &cart).is_empty(), "{holds}");
        }
        let mut fingerprints = Vec::new();
        for (violated, title) in [
            (
                "{ widget = \"total\", text = '^-' }",
                "cart: does not hold: total has a text like \"^-\"",
            ),
            (
                "{ widget = \"total\", enabled = true }",
                "cart: does not hold: total is enabled",
            ),
            (
                "{ widget = \"sum\" }",
                "cart: does not hold: sum is on the screen",
            ),
            (
                "{ widget = \"total\", exists = false }",
                "cart: does not hold: total is not on the screen",
            ),
        ] {
            let one = found(violated, &cart);
            assert_eq!(one.len(), 1, "{violated}");
            assert_eq!(one[0].title, title);
            assert_eq!(one[0].kind, FindingKind::Assertion);
            fingerprints.push(one[0].fingerprint.clone());
        }
        fingerprints.dedup();
        assert_eq!(fingerprints.len(), 1);
    }

    #[test]
    fn another_screen_is_not_checked() {
        let mut cart = page("", 0);
        cart.0.activity = cart.1.intern("a.Main");
        assert!(found("{ widget = \"sum\" }", &cart).is_empty());
    }
}
