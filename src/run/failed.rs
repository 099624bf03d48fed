//! Sessions that are not carried through: why, and that they take no other session with them.

use crate::explore::session::SessionError;
use crate::outcome::run_event::EndReason;
use std::panic::{self, AssertUnwindSafe};

/// Why a session was not carried through.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SessionFailed {
    /// Its record cannot be written.
    #[error("cannot write the session's record: {0}")]
    Output(String),
    /// Its device cannot be had.
    #[error("{0}")]
    Device(String),
    /// Its strategy failed.
    #[error("{0}")]
    Strategy(String),
    /// The tool itself did.
    #[error("the tool failed, which is a fault of its own: {0}")]
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

/// A session whose panic costs no other session, and no report.
pub fn guarded(
    session: impl FnOnce() -> Result<EndReason, SessionFailed>,
) -> Result<EndReason, SessionFailed> {
    panic::catch_unwind(AssertUnwindSafe(session)).unwrap_or_else(|thrown| {
        let text = thrown.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| thrown.downcast_ref::<String>().cloned());
        Err(SessionFailed::Tool(text.unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
