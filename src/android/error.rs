//! Where and why a text was not understood.

use std::fmt;

/// A text that is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// Stable kebab-case name of the failure, such as `cut-off` or `no-idle-state`.
    pub code: &'static str,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1, where it is known.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// The fix, where it is known.
    pub fix: Option<&'static str>,
}

impl FormatError {
    /// A failure at a line.
    pub fn new(code: &'static str, line: usize, message: impl Into<String>) -> Self {
        Self {
            code,
            line,
            column: None,
            message: message.into(),
            fix: None,
        }
    }

    /// A failure at a byte of a text.
    pub fn at(code: &'static str, text: &str, byte: usize, message: impl Into<String>) -> Self {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            column: Some(before[start..].chars().count() + 1),
            ..Self::new(code, before.matches('\n').count() + 1, message)
        }
    }

    /// The same, with the fix.
    #[must_use]
    pub fn fix(mut self, fix: &'static str) -> Self {
        self.fix = Some(fix);
        self
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.message)?;
        match self.fix {
            Some(fix) => write!(f, " ({fix})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FormatError {}
