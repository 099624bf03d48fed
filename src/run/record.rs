//! The recorder of a session: journal, timing, files of findings, app log, live totals.

mod redact;

use super::observer::Observer;
use super::screen::{Screen, outlines};
use crate::config::Screenshots;
use crate::explore::shown::Shown;
use crate::explore::{Counts, Pages, Recorder};
use crate::gui::{ExactId, Page, PageId, RawNode, hierarchy};
use crate::outcome::folder::{SessionFolder, pretty, write_whole};
use crate::outcome::journal::{JournalError, JournalWriter, Timing, TimingWriter};
use crate::outcome::{Finding, LogLine, RestoreCost, RunEvent};
use crate::util::intern::Interner;
use crate::util::text::Redactor;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Most screenshots of pages: enough to recognise an app, few enough not to slow a session.
const PAGE_PICTURES: usize = 100;
/// Most bytes of the app's log.
const LOG_LIMIT: u64 = 16 << 20;

/// Writes a session's folder as things happen.
pub struct SessionRecorder<'a> {
    folder: SessionFolder,
    journal: JournalWriter,
    timing: TimingWriter,
    log: BufWriter<File>,
    logged: u64,
    redactor: Redactor,
    screenshots: Screenshots,
    /// The pages with a screenshot, each as it was then.
    pictures: FxHashMap<PageId, ExactId>,
    observer: &'a dyn Observer,
    session: usize,
}

fn plain(error: JournalError) -> io::Error {
    match error {
        JournalError::Io { path, source } => {
            io::Error::new(source.kind(), format!("{}: {source}", path.display()))
        }
        other => io::Error::other(other.to_string()),
    }
}

impl<'a> SessionRecorder<'a> {
    /// A recorder in a new session folder.
    ///
    /// # Errors
    /// The folder or its files cannot be created.
    pub fn create(
        folder: SessionFolder,
        secrets: &[String],
        screenshots: Screenshots,
        observer: &'a dyn Observer,
        session: usize,
    ) -> io::Result<Self> {
        folder.create()?;
        fs::create_dir_all(folder.logs())?;
        if screenshots != Screenshots::None {
            fs::create_dir_all(folder.pages())?;
        }
        Ok(Self {
            journal: JournalWriter::create(&folder.journal()).map_err(plain)?,
            timing: TimingWriter::create(&folder.timing()).map_err(plain)?,
            log: BufWriter::new(File::create(folder.logs().join("app.log"))?),
            logged: 0,
            redactor: Redactor::new(secrets.iter().cloned()),
            folder,
            screenshots,
            pictures: FxHashMap::default(),
            observer,
            session,
        })
    }

    /// Flushes everything to the disk.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.timing.flush().map_err(plain)?;
        self.log.flush()?;
        if self.screenshots == Screenshots::Findings {
            fs::remove_dir_all(self.folder.pages())?;
        }
        self.journal.sync().map_err(plain)
    }

    /// The page's widgets, redacted.
    fn nodes(&self, page: &Page, interner: &Interner) -> Vec<RawNode> {
        let mut nodes = page.to_raw(interner);
        for node in &mut nodes {
            redact::node(node, &self.redactor);
        }
        nodes
    }

    fn hierarchy(&self, page: &Page, interner: &Interner) -> Vec<u8> {
        // Redacted before escaping for XML, which would change a secret.
        hierarchy::to_xml(&self.nodes(page, interner), page.rotation).into_bytes()
    }
}

impl Recorder for SessionRecorder<'_> {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        let mut event = Cow::Borrowed(event);
        if !self.redactor.is_empty() {
            redact::event(event.to_mut(), &self.redactor);
        }
        if let RunEvent::DeviceFailure { message, .. } = &*event {
            self.observer.note(self.session, message);
        }
        self.journal.write(&event).map_err(plain)?;
        self.observer.event(self.session, &event);
        Ok(())
    }

    fn secret_typed(&mut self, kept: &str) {
        self.redactor.hide_cut(kept);
    }

    fn timing(&mut self, number: u64, at: Duration, waited: Duration) -> io::Result<()> {
        let us = |d: Duration| u64::try_from(d.as_micros()).unwrap_or(u64::MAX);
        let timing = Timing {
            i: number,
            us: us(at),
            wait_us: us(waited),
        };
        self.timing.write(timing).map_err(plain)
    }

    fn restored(&mut self, cost: &RestoreCost) -> io::Result<()> {
        self.timing.write_restore(cost).map_err(plain)
    }

    fn progress(&mut self, counts: &Counts) {
        self.observer.counts(self.session, counts);
    }

    fn page_picture(&mut self, page: &Page) -> Option<PathBuf> {
        // The screenshot before a finding must exist before the finding is recorded.
        if self.screenshots == Screenshots::None || self.pictures.len() >= PAGE_PICTURES {
            return None;
        }
        self.pictures.insert(page.id, page.exact);
        Some(self.folder.page_image(page.id))
    }

    fn finding(&mut self, finding: &Finding, pages: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        let mut finding = finding.clone();
        redact::finding(&mut finding, &self.redactor);
        self.observer.finding(self.session, &finding);
        let folder = self.folder.finding(&finding.id);
        folder.create()?;
        write_whole(&folder.finding(), &pretty(&finding)?)?;
        write_whole(
            &folder.hierarchy_before(),
            &self.hierarchy(pages.before, pages.interner),
        )?;
        write_whole(
            &folder.hierarchy_after(),
            &self.hierarchy(pages.after, pages.interner),
        )?;
        let before = self.folder.page_image(pages.before.id);
        // A page that has changed since its screenshot is in the hierarchy only.
        let same = self.pictures.get(&pages.before.id) == Some(&pages.before.exact);
        if same && before.is_file() {
            fs::copy(before, folder.before())?;
        }
        Ok((self.screenshots != Screenshots::None).then(|| folder.path().to_owned()))
    }

    fn shown(&mut self, shown: Shown<'_>) {
        let mut coming = shown.coming;
        if let Some(coming) = &mut coming {
            let event = coming.event.iter_mut();
            event.for_each(|event| redact::event(event, &self.redactor));
            redact::deed(&mut coming.did, &self.redactor);
        }
        let nodes = self.nodes(shown.page, shown.interner);
        let screen = Screen {
            activity: shown.interner.get(shown.page.activity).to_owned(),
            page: shown.page.exact,
            size: shown.page.screen,
            outlines: outlines(shown.page, &nodes),
            coming,
            picture: shown.picture,
        };
        self.observer.shown(self.session, screen);
    }

    fn log(&mut self, number: u64, lines: &[LogLine]) {
        for line in lines {
            if self.logged > LOG_LIMIT {
                return;
            }
            let letter = b"??VDIWEF"
                .get(usize::from(line.priority))
                .copied()
                .unwrap_or(b'?') as char;
            let tag = self.redactor.redact(&line.tag);
            for text in self.redactor.redact(&line.message).lines() {
                // A log that cannot be written must not lose a finding.
                let _ = writeln!(self.log, "{number:>6} {letter} {tag}: {text}");
                self.logged += text.len() as u64 + tag.len() as u64 + 12;
            }
        }
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
