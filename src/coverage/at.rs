//! Line coverage of sessions in the middle of their course: a journal names the probes step by step, so JaCoCo can be
//! asked what had been run by any step.

use super::report::{AT_ONCE, CoverageError, Ground, Job, Subject, io_error, is_of_coverage};
use super::tool::Tool;
use super::{ExecData, Sources};
use crate::outcome::folder::{RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::summary::Ratio;
use crate::util::foreign;
use std::collections::BTreeMap;

/// Lines covered after the first so many entries of a session's journal.
pub type LinesAt = BTreeMap<u64, Ratio>;

/// A place in a session's course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPoint {
    /// The session.
    pub session: String,
    /// How many entries of its journal count.
    pub entries: u64,
}

/// What is known of a session; nothing if the file is missing or cannot be read.
pub fn known(folder: &SessionFolder) -> LinesAt {
    let text = foreign::read(&folder.lines_at()).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Works out the lines at these places of an app's sessions and keeps them in the sessions' folders, as soon as they
/// are known: some places at a time, by one call of JaCoCo. `reported` receives the places of each call.
///
/// # Errors
/// See [`CoverageError`]; what was worked out before stays. A call under way fails once it is `stopped`.
pub fn complete(
    tool: &Tool,
    subject: &Subject<'_>,
    run: &RunFolder,
    places: &[&SessionPoint],
    mut reported: impl FnMut(&[&SessionPoint]),
    stopped: &dyn Fn() -> bool,
) -> Result<(), CoverageError> {
    let Ground {
        scratch, jar, ids, ..
    } = Ground::of(subject, run)?;
    let job = Job {
        tool,
        name: subject.app,
        classes: &jar,
        sources: &Sources::default(),
        html: false,
        stopped,
    };
    for some in places.chunks(AT_ONCE) {
        if stopped() {
            break;
        }
        reported(some);
        let mut data = Vec::with_capacity(some.len());
        for place in some {
            let entries = usize::try_from(place.entries).unwrap_or(usize::MAX);
            let events: Vec<_> = JournalReader::open(&run.session(&place.session).journal())?
                .take(entries)
                .filter(is_of_coverage)
                .collect::<Result<_, _>>()?;
            data.push(ExecData::from_journal(&place.session, &events, |class| {
                ids.get(class)
            }));
        }
        let reports = job.run(&data, &scratch.path().join("places"))?;
        for (place, report) in some.iter().zip(&reports) {
            let folder = run.session(&place.session);
            let mut all = known(&folder);
            all.insert(place.entries, report.total.code.line);
            let file = folder.lines_at();
            pretty(&all)
                .and_then(|text| write_whole(&file, &text))
                .map_err(io_error(&file))?;
        }
    }
    Ok(())
}
