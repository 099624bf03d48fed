//! The files that strategies load.

use crate::config::Suite;
use crate::config::diagnose::{Code, Problem};
use crate::config::source::Segment;
use crate::run::Plan;

/// Checks the files that strategies of the plan load.
pub(super) fn check(suite: &Suite, plan: &Plan, problems: &mut Vec<Problem>) {
    for (index, strategy) in suite.settings.strategies.iter().enumerate() {
        if !plan.entries.iter().any(|s| *s.strategy == *strategy) {
            continue;
        }
        for file in strategy.kind.files() {
            let path = suite.on_disk(file.path);
            if path.is_file() || file.folder && path.is_dir() {
                continue;
            }
            let place: Vec<Segment> = [Segment::from("strategy"), Segment::from(index)]
                .into_iter()
                .chain(file.keys.iter().copied().map(Segment::from))
                .collect();
            let (what, path, name) = (file.what, file.path, strategy.name());
            let message = format!("the {what} of the strategy `{name}`, {path}, is missing");
            problems.push(
                Problem::new(Code::MissingFile, message)
                    .at(suite.place(&place, "not found"))
                    .help(file.missing.to_owned()),
            );
        }
    }
}
