//! Failed sessions: why they failed, and isolation of the other sessions from them.

use crate::explore::session::SessionError;
use crate::outcome::folder::{SessionFolder, write_whole};
use crate::outcome::run_event::EndReason;
use crate::util::text::{Redactor, shorten};
use camino::Utf8Path;
use std::io;
use std::panic::{self, AssertUnwindSafe};

/// Most characters of a failure's message.
const WORDS: usize = 500;

/// Why a session failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SessionFailed {
    /// Its record cannot be written.
    #[error("cannot write the session's record: {0}")]
    Output(String),
    /// Its device is not available.
    #[error("{0}")]
    Device(String),
    /// Its strategy failed.
    #[error("{0}")]
    Strategy(String),
    /// The tool panicked.
    #[error("the tool failed (a bug in cargo-droidtest): {0}")]
    Tool(String),
}

impl From<SessionError> for SessionFailed {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Record(e) => Self::Output(e.to_string()),
            SessionError::Strategy(e) => Self::Strategy(e.to_string()),
        }
    }
}

/// Runs a session; a panic in it affects no other session and no report.
pub fn guarded(
    session: impl FnOnce() -> Result<EndReason, SessionFailed>,
) -> Result<EndReason, SessionFailed> {
    panic::catch_unwind(AssertUnwindSafe(session)).unwrap_or_else(|thrown| {
        let text = thrown.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| thrown.downcast_ref::<String>().cloned());
        Err(SessionFailed::Tool(text.unwrap_or_default()))
    })
}

/// Writes why a session failed into its folder, in one line, for the reports. Reports may be shared, so the line
/// contains neither secrets nor `base`, the folder that paths start at. An unavailable device is already in the
/// journal.
///
/// # Errors
/// It cannot be written.
pub fn keep(
    folder: &SessionFolder,
    failed: &SessionFailed,
    secrets: &Redactor,
    base: &Utf8Path,
) -> io::Result<()> {
    if matches!(failed, SessionFailed::Device(_)) {
        return Ok(());
    }
    let mut said = failed.to_string();
    if base.is_absolute() {
        said = said.replace(base.join("").as_str(), "");
    }
    let said = secrets.redact(&said).replace(char::is_control, " ");
    folder.create()?;
    write_whole(
        &folder.failed(),
        format!("{}\n", shorten(&said, WORDS)).as_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_kept_is_one_line_without_secrets_and_folders() {
        let runs = tempfile::tempdir().unwrap();
        let folder = SessionFolder::at(runs.path().join("s"));
        let secrets = Redactor::new(["hunter2".to_owned()]);
        let base = Utf8Path::new("/home/ada/app/");
        let said = "/home/ada/app/learned.bin: hunter2\nand more ".repeat(30);
        keep(&folder, &SessionFailed::Strategy(said), &secrets, base).unwrap();
        let kept = folder.why_failed().unwrap();
        assert!(
            kept.starts_with("learned.bin: *** and more learned"),
            "{kept}"
        );
        assert!(
            kept.chars().count() <= WORDS && !kept.contains(['\n', '/']),
            "{kept}"
        );
        fs::remove_file(folder.failed()).unwrap();
        keep(
            &folder,
            &SessionFailed::Device("gone".into()),
            &secrets,
            base,
        )
        .unwrap();
        assert_eq!(folder.why_failed(), None);
    }

    #[test]
    fn a_panic_is_a_failed_session_with_its_words() {
        let failed = guarded(|| panic!("index {} of {}", 45, 42)).unwrap_err();
        assert!(failed.to_string().ends_with("index 45 of 42"), "{failed}");
        assert_eq!(
            guarded(|| Ok(EndReason::Events)).ok(),
            Some(EndReason::Events)
        );
    }
}
