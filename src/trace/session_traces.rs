//! The traces of one session's findings, all from one reading of its journal.

use super::format::Trace;
use super::record::{Tracer, findings};
use super::walks::Mark;
use crate::outcome::finding::Finding;
use crate::outcome::folder::SessionFolder;
use rustc_hash::FxHashMap;
use std::io;
use std::path::PathBuf;

/// Makes the traces of a session's findings when they are needed. It holds each step of the session once: the traces
/// of all findings together could be as large as the square of the session.
#[derive(Debug)]
pub struct SessionTraces {
    folder: SessionFolder,
    tracer: Tracer,
    /// The findings and where they ended, by their folders.
    ends: FxHashMap<PathBuf, (Finding, Mark)>,
}

impl SessionTraces {
    /// Reads a session's journal, as far as it can be read.
    ///
    /// # Errors
    /// The journal cannot be opened.
    pub fn read(folder: &SessionFolder) -> io::Result<Self> {
        let mut ends = FxHashMap::default();
        let tracer = findings(folder, |tracer, finding| {
            let place = folder.finding(&finding.id).path().to_owned();
            let mark = tracer.mark();
            ends.entry(place).or_insert((finding, mark));
            Ok(())
        })?;
        Ok(Self {
            folder: folder.clone(),
            tracer,
            ends,
        })
    }

    /// The traces of this session: those in `last`, or, if these are of another session, new ones that replace them.
    ///
    /// # Errors
    /// The journal cannot be opened.
    pub fn cached<'t>(last: &'t mut Option<Self>, folder: &SessionFolder) -> io::Result<&'t Self> {
        let traces = match last.take() {
            Some(traces) if traces.folder.path() == folder.path() => traces,
            _ => Self::read(folder)?,
        };
        Ok(last.insert(traces))
    }

    /// The trace of the finding of this id, or of this folder's name; `None` if the journal does not have it.
    pub fn trace(&self, id: &str) -> Option<Trace> {
        let (finding, mark) = self.ends.get(self.folder.finding(id).path())?;
        Some(self.tracer.trace_to(*mark, finding))
    }
}
