//! The coverage reports of an app's own tests: read before anything starts.

use super::AppInputs;
use crate::config::diagnose::{Code, Problem};
use crate::coverage::theirs::Theirs;

impl AppInputs<'_> {
    pub(super) fn tests_coverage(&self, problems: &mut Vec<Problem>) {
        // The build command may create them later.
        if self.app.build.is_some() {
            return;
        }
        for (index, path) in self.app.tests_coverage.iter().enumerate() {
            let key = ["tests-coverage".into(), index.into()];
            let on_disk = self.suite.on_disk(path).into_std_path_buf();
            if !on_disk.is_file() {
                problems.push(self.missing("coverage report", path, &key));
            } else if let Err(error) = Theirs::load(&[on_disk]) {
                let said = format!(
                    "the coverage report of the app `{}`: {error}",
                    self.app.name
                );
                problems.push(
                    Problem::new(Code::BadFile, said)
                        .at(self.suite.place(&self.path(&key), "this file"))
                        .help(
                            "name JaCoCo's XML (`.xml`) or LCOV's tracefile of the app's tests"
                                .to_owned(),
                        ),
                );
            }
        }
    }
}
