//! Why an embedding file is refused: the file, the location, the problem and the fix.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The complete file.
    File,
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
}

/// An embedding file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {reason}; {fix}", path.display())]
pub struct EmbedError {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub place: Location,
    /// What is wrong there.
    pub reason: String,
    /// What to do about it.
    pub fix: &'static str,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Byte(byte) => write!(f, ": byte {byte}"),
        }
    }
}

/// Fixes that several readers suggest.
pub(super) mod fix {
    pub const AGAIN: &str = "the file is cut off or damaged: fetch or create it again";
    pub const RETRAIN: &str =
        "create the file again (`cargo droidtest train embeddings`) or fetch it again";
    pub const FORMATS: &str = "use word2vec (text or binary), GloVe text, finalfusion, or what `cargo droidtest train embeddings` writes";
    pub const COUNTS: &str =
        "the first line is `WORDS DIM`: correct it, or fetch or create the file again";
    pub const NO_WORD: &str = "give it a word, or leave the row out and correct the counts";
    pub const UTF_8: &str = "convert the file to UTF-8 (for a text, `iconv -t UTF-8`), or create it again from UTF-8 text";
    pub const PATH: &str = "check the path and that the file can be read";
}

/// Makes errors of one file.
#[derive(Clone, Copy)]
pub(super) struct In<'a>(pub &'a Path);

impl In<'_> {
    pub fn error(
        self,
        place: Location,
        reason: impl Into<String>,
        fix: &'static str,
    ) -> EmbedError {
        EmbedError {
            path: self.0.to_owned(),
            place,
            reason: reason.into(),
            fix,
        }
    }

    /// The number at this place is not a number that a network could use.
    pub fn not_finite(self, place: Location, word: &str, column: usize, value: f32) -> EmbedError {
        let word = crate::util::text::shorten(word, 40);
        self.error(
            place,
            format!(
                "the vector of `{word}` holds {value} in column {}",
                column + 1
            ),
            fix::RETRAIN,
        )
    }
}
