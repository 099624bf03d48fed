//! The screens that a suite's script is for: by the activity in front, by an XPath, or by both.

use super::{Page, XPath, XPathError, activity_name};
use crate::util::intern::Interner;

/// Which screens; the default is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScreenMatch {
    when: Option<XPath>,
    activity: Option<String>,
}

impl ScreenMatch {
    /// Screens on which the path matches a widget and the activity is in front, as far as they are given.
    ///
    /// # Errors
    /// The path cannot be read.
    pub fn new(when: Option<&str>, activity: Option<&str>) -> Result<Self, XPathError> {
        Ok(Self {
            when: when.map(str::parse).transpose()?,
            activity: activity.map(str::to_owned),
        })
    }

    /// Is the page one of them?
    pub fn is_on(&self, page: &Page, interner: &Interner) -> bool {
        let in_front =
            |wanted: &String| activity_name::matches(wanted, interner.get(page.activity));
        (self.when.is_some() || self.activity.is_some())
            && self.activity.as_ref().is_none_or(in_front)
            && self
                .when
                .as_ref()
                .is_none_or(|when| when.matches(page, interner))
    }
}
