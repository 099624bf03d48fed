//! What of a flow is no step, each named once with its place.

use super::commands::{LeftOut, NAME, Reader};
use crate::util::text::shorten;
use std::collections::HashSet;
use std::ops::Range;

impl Reader<'_> {
    pub(super) fn leave_out(&mut self, at: &Range<usize>, name: &str, why: &str) {
        let name = shorten(name, NAME);
        self.tell(at, format!("`{name}` is left out: {why}"));
    }

    pub(super) fn tell(&mut self, at: &Range<usize>, what: String) {
        if self.named.insert(at.start) {
            self.left_out.push((at.clone(), what));
        }
    }

    /// What was noted so far, while a file with places of its own is read.
    pub(super) fn take_notices(&mut self) -> (Vec<LeftOut>, HashSet<usize>) {
        (
            std::mem::take(&mut self.left_out),
            std::mem::take(&mut self.named),
        )
    }

    /// Puts it back; what was noted since.
    pub(super) fn put_back_notices(
        &mut self,
        noted: (Vec<LeftOut>, HashSet<usize>),
    ) -> Vec<LeftOut> {
        self.named = noted.1;
        std::mem::replace(&mut self.left_out, noted.0)
    }

    /// Tells something of a file at the command that reads it, once.
    pub(super) fn add_notice(&mut self, at: &Range<usize>, what: String) {
        if !self.left_out.iter().any(|(_, noted)| *noted == what) {
            self.left_out.push((at.clone(), what));
        }
    }
}
