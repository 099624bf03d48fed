//! The coverage of the apps: the execution data of all sessions together, and what a report needs.

use super::given::{Given, shown};
use crate::coverage::ExecData;
use crate::outcome::folder::{RunFolder, RunInfo};
use crate::run::coverage::Subject;
use crate::run::local_files::LocalFiles;
use std::collections::BTreeSet;
use std::fs;
use std::io;

/// Writes the merged execution data of each app, and the subject of its report. Returns warnings.
pub(super) fn copy(
    runs: &[Given],
    info: &RunInfo,
    files: &LocalFiles,
    to: &RunFolder,
) -> io::Result<Vec<String>> {
    let mut warnings = Vec::new();
    let apps: BTreeSet<&str> = info
        .sessions
        .iter()
        .map(|planned| planned.app.as_str())
        .collect();
    for app in apps {
        let subjects = runs
            .iter()
            .filter_map(|run| Subject::load(&run.folder, app).transpose());
        let mut subjects: Vec<_> = subjects.flatten().collect();
        if subjects.is_empty() {
            continue;
        }
        let here = |subject: Subject| files.subject(subject);
        subjects = subjects.into_iter().filter_map(here).collect();
        subjects.sort_by_key(|subject| format!("{subject:?}"));
        match subjects.first() {
            Some(subject) => subject.save(to)?,
            None => {
                fs::create_dir_all(to.coverage(app))?;
                warnings.push(format!(
                    "the coverage of {} has no report, only execution data: its classes are not on this machine; merge \
                     on one that has run the same app, in the suite's folder",
                    shown(app)
                ));
            }
        }
        let mut all = ExecData::default();
        for planned in info.sessions.iter().filter(|planned| planned.app == app) {
            let exec = to.session(&planned.session).exec();
            if !exec.is_file() {
                continue;
            }
            // One of another build, or a damaged one, must not hide the rest.
            let added =
                ExecData::load(&exec).and_then(|own| all.clone().merge(own.clone()).map(|()| own));
            match added.and_then(|own| all.merge(own)) {
                Ok(()) => {}
                Err(error) => warnings.push(format!(
                    "the coverage of {} is not counted: {error}",
                    shown(&planned.session)
                )),
            }
        }
        if !all.classes().is_empty() {
            all.save(&to.coverage(app).join("jacoco.exec"))?;
        }
    }
    Ok(warnings)
}
