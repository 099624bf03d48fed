//! `[suite] total`: a run needs some time.

use super::super::diagnose::{Code, Problem};
use super::super::source::Segment;
use super::Rules;

impl Rules<'_> {
    /// With a total of 0 no session would start.
    pub(super) fn total(&mut self) {
        let total = self.settings.suite.total;
        if total.is_some_and(|total| total.0.is_zero()) {
            let path = ["suite", "total"].map(Segment::from);
            let what = "`suite.total` is 0, so no session would start".to_owned();
            let problem = Problem::new(Code::OutOfRange, what)
                .at(self.stack.place(&path, "no time"))
                .help("write a time such as \"20m\", or delete the key".to_owned());
            self.problems.push(problem);
        }
    }
}
