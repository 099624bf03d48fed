//! Journals on disk: one JSON object per line, complete lines only, readable after any cut.
//!
//! A line goes out in one write call and without a buffer of our own behind it, so killing the process
//! loses nothing; findings and the end are also synced, so that a power cut keeps them. What the clock
//! said is in a file apart ([`TimingWriter`]), which makes journals of equal runs equal byte for byte.

use super::restore_cost::RestoreCost;
use super::run_event::{JOURNAL_VERSION, RunEvent, SessionHeader, StepRecord};
use super::step_line;
use crate::util::durable::sync_folder;
use crate::util::foreign;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

/// The longest line read: a page of thousands of widgets has a tenth of it.
const LONGEST: u64 = 64 << 20;

/// Why a journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed; a full disk is found here.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An earlier write failed, so later lines would follow a gap.
    #[error("{}: nothing more is written after an earlier error", .0.display())]
    Broken(PathBuf),
    /// Written by a newer version of the tool.
    #[error("{}: journal version {version}, this tool reads up to {JOURNAL_VERSION}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A complete line that is no event.
    #[error("{}:{line}: not an event: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: u64,
        /// What is wrong with it.
        message: String,
    },
}

impl JournalError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

/// Appends run events to a journal.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    file: File,
    line: Vec<u8>,
    whole: u64,
    broken: bool,
}

impl JournalWriter {
    /// A new, empty journal; one that is there already is an error.
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        let file = File::create_new(path).map_err(JournalError::io(path))?;
        // A journal that is synced later and has no name by then is lost.
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        sync_folder(folder.unwrap_or(Path::new("."))).map_err(JournalError::io(path))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            line: Vec::with_capacity(512),
            whole: 0,
            broken: false,
        })
    }

    /// Writes one event; a finding and the end are synced to the disk.
    pub fn write(&mut self, event: &RunEvent) -> Result<(), JournalError> {
        self.line.clear();
        match event {
            RunEvent::Step(step) => step_line::write(&mut self.line, step),
            other => serde_json::to_writer(&mut self.line, other).map_err(io::Error::from),
        }
        .map_err(JournalError::io(&self.path))?;
        self.put()?;
        match event {
            RunEvent::Finding(_) | RunEvent::End { .. } => self.sync(),
            _ => Ok(()),
        }
    }

    /// Writes one step without wrapping it in an event.
    pub fn write_step(&mut self, step: &StepRecord) -> Result<(), JournalError> {
        self.line.clear();
        step_line::write(&mut self.line, step).map_err(JournalError::io(&self.path))?;
        self.put()
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(JournalError::io(&self.path))
    }

    fn put(&mut self) -> Result<(), JournalError> {
        if self.broken {
            return Err(JournalError::Broken(self.path.clone()));
        }
        self.line.push(b'\n');
        match self.file.write_all(&self.line) {
            Ok(()) => {
                self.whole += self.line.len() as u64;
                Ok(())
            }
            Err(source) => {
                self.broken = true;
                // Half a line is legal at the end, but a complete one is kinder to other readers.
                let _ = self.file.set_len(self.whole);
                Err(JournalError::io(&self.path)(source))
            }
        }
    }
}

/// Reads the events of a journal, complete or cut.
///
/// A last line that is cut is left out ([`JournalReader::cut`]); lines of a kind this version doesn't
/// know are passed over and counted ([`JournalReader::skipped`]). A complete line that is neither is an
/// error, after which nothing more is read.
pub struct JournalReader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: u64,
    first: Option<RunEvent>,
    cut: bool,
    skipped: u64,
    over: bool,
}

impl JournalReader {
    /// Opens a journal and checks its version.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let file = foreign::open(path).map_err(JournalError::io(path))?;
        Self::over(path, Box::new(BufReader::with_capacity(1 << 16, file)))
    }

    /// A reader of the file at this path.
    fn over(path: &Path, input: Box<dyn BufRead + Send>) -> Result<Self, JournalError> {
        let mut reader = Self {
            path: path.to_owned(),
            input,
            line: Vec::new(),
            number: 0,
            first: None,
            cut: false,
            skipped: 0,
            over: false,
        };
        reader.first = reader.read()?;
        Ok(reader)
    }

    /// The session's description; `None` when the journal is cut within its first line.
    pub fn header(&self) -> Option<&SessionHeader> {
        match &self.first {
            Some(RunEvent::Session(header)) => Some(header),
            _ => None,
        }
    }

    /// Did the journal end within a line? Known after reading everything.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// Events of kinds this version doesn't know, so far.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Reads only the version from the first line: a newer one may have changed everything else.
    fn check_version(&mut self) -> Result<(), JournalError> {
        #[derive(Deserialize)]
        struct First {
            version: u32,
        }
        match serde_json::from_slice(&self.line) {
            Ok(First { version }) if version > JOURNAL_VERSION => {
                self.over = true;
                Err(JournalError::Newer {
                    path: self.path.clone(),
                    version,
                })
            }
            _ => Ok(()),
        }
    }

    fn read(&mut self) -> Result<Option<RunEvent>, JournalError> {
        while !self.over {
            self.line.clear();
            let mut input = (&mut self.input).take(LONGEST + 1);
            let read = input.read_until(b'\n', &mut self.line);
            let read = read.map_err(JournalError::io(&self.path))?;
            if read == 0 {
                self.over = true;
                break;
            }
            self.number += 1;
            if read as u64 > LONGEST {
                self.over = true;
                return Err(JournalError::Damaged {
                    path: self.path.clone(),
                    line: self.number,
                    message: format!("over {} MiB", LONGEST >> 20),
                });
            }
            if self.number == 1 {
                self.check_version()?;
            }
            if let Some(step) = step_line::read(&self.line) {
                return Ok(Some(RunEvent::Step(step)));
            }
            let error = match serde_json::from_slice(&self.line) {
                Ok(event) => return Ok(Some(event)),
                Err(error) => error,
            };
            if self.line.last() != Some(&b'\n') {
                (self.cut, self.over) = (true, true);
            } else if is_newer_kind(&self.line) {
                self.skipped += 1;
            } else {
                self.over = true;
                return Err(JournalError::Damaged {
                    path: self.path.clone(),
                    line: self.number,
                    message: error.to_string(),
                });
            }
        }
        Ok(None)
    }
}

impl Iterator for JournalReader {
    type Item = Result<RunEvent, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.first.take() {
            Some(first) => Some(Ok(first)),
            None => self.read().transpose(),
        }
    }
}

/// Is this line an object of a kind that the derive doesn't list?
fn is_newer_kind(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Kind {
        e: String,
    }
    let Ok(kind) = serde_json::from_slice::<Kind>(line) else {
        return false;
    };
    // The derive knows the kinds: it reports an unknown one as such.
    let probe = serde_json::json!({ "e": kind.e });
    serde_json::from_value::<RunEvent>(probe)
        .is_err_and(|e| e.to_string().starts_with("unknown variant"))
}

/// The times of one event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Number of the event.
    pub i: u64,
    /// Microseconds from the session's start to the event's end.
    pub us: u64,
    /// Of this event's time, how long the device was waited for.
    pub wait_us: u64,
}

/// Appends to `timing.jsonl`. Buffered: a kill may lose the last second of it, never of the journal.
#[derive(Debug)]
pub struct TimingWriter {
    path: PathBuf,
    file: io::BufWriter<File>,
    flushed_us: u64,
}

impl TimingWriter {
    /// A new, empty file.
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        // Other writers (an emulator's snapshots) append and do not overwrite these.
        let options = File::options().append(true).create_new(true).clone();
        let file = options.open(path).map_err(JournalError::io(path))?;
        Ok(Self {
            path: path.to_owned(),
            file: io::BufWriter::with_capacity(1 << 16, file),
            flushed_us: 0,
        })
    }

    /// Writes what a restore cost.
    pub fn write_restore(&mut self, cost: &RestoreCost) -> Result<(), JournalError> {
        self.line(cost).map_err(JournalError::io(&self.path))
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, line)?;
        self.file.write_all(b"\n")
    }

    /// Writes one line.
    pub fn write(&mut self, timing: Timing) -> Result<(), JournalError> {
        let mut put = || {
            self.line(&timing)?;
            if timing.us.saturating_sub(self.flushed_us) > 1_000_000 {
                self.flushed_us = timing.us;
                self.file.flush()?;
            }
            Ok(())
        };
        put().map_err(JournalError::io(&self.path))
    }

    /// Hands everything to the system.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        self.file.flush().map_err(JournalError::io(&self.path))
    }
}

/// The lines of a `timing.jsonl`; truncated or unreadable lines are skipped.
pub fn read_timing(path: &Path) -> Result<impl Iterator<Item = Timing>, JournalError> {
    let file = foreign::open(path).map_err(JournalError::io(path))?;
    Ok(BufReader::with_capacity(1 << 16, file)
        .split(b'\n')
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_slice(&line).ok()))
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
