//! What a run is called in what people read. Its suite's name, which machines compare, stays as it is.

use crate::outcome::summary::RunSummary;
use crate::settings::SuiteSection;

/// The suite's name; of a run whose suite has none, its app, or the first of its apps and how many more.
pub fn title(summary: &RunSummary) -> String {
    match summary.apps.as_slice() {
        _ if summary.suite != SuiteSection::default().name => summary.suite.clone(),
        [] => summary.suite.clone(),
        [app] => app.app.clone(),
        [first, more @ ..] => format!("{} and {} more", first.app, more.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::summary::AppSummary;

    #[test]
    fn a_run_whose_suite_has_no_name_is_called_by_its_apps() {
        let of = |suite: &str, apps: &[&str]| {
            let app = |app: &&str| AppSummary {
                app: (*app).to_owned(),
                ..AppSummary::default()
            };
            title(&RunSummary {
                suite: suite.to_owned(),
                apps: apps.iter().map(app).collect(),
                ..RunSummary::default()
            })
        };
        assert_eq!(of("suite", &["b"]), "b");
        assert_eq!(of("suite", &["b", "a", "c"]), "b and 2 more");
        assert_eq!(of("mine", &["b"]), "mine");
        assert_eq!(of("suite", &[]), "suite");
    }
}
