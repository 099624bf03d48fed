//! What is wrong with a trace file: the place that causes it, and the fix.

use crate::util::text::{excerpt, shorten};
use miette::{Diagnostic, NamedSource, SourceSpan};
use std::ops::Range;
use std::path::Path;

/// Longest message, in characters: a file's words may be of any length.
const MESSAGE: usize = 1000;

/// A trace that cannot be read.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
#[diagnostic(code("bad-trace"))]
pub struct TraceError {
    /// In one sentence, the file named.
    pub message: String,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("{label}")]
    span: Option<SourceSpan>,
    label: String,
    /// The part of the file, in bytes; the source code shown has its long lines cut.
    place: Option<Range<usize>>,
    /// The fix.
    #[help]
    pub help: Option<String>,
}

impl TraceError {
    /// An error in this text, at this part of it.
    pub(super) fn new(
        file: &Path,
        text: &str,
        message: &str,
        at: Option<(Range<usize>, &str)>,
        help: Option<String>,
    ) -> Box<Self> {
        let name = file.display().to_string();
        let message = &shorten(message, MESSAGE);
        // A line is easier to find than an offset.
        let line = at.as_ref().map(|(span, _)| {
            let before = text.get(..span.start).unwrap_or(text);
            before.matches('\n').count() + 1
        });
        let place = at.as_ref().map(|(span, _)| span.clone());
        let (text, span, label) = match at {
            Some((span, label)) => {
                let (text, span) = excerpt(text, span);
                (text, Some(span), label.to_owned())
            }
            None => (String::new(), None, String::new()),
        };
        let named = line.map_or_else(|| name.clone(), |line| format!("{name}:{line}"));
        Box::new(Self {
            message: format!("{named}: {message}"),
            source_code: NamedSource::new(name, text),
            span: span.map(Into::into),
            label,
            place,
            help,
        })
    }

    /// Where it is, as nothing or `:LINE`, and what is wrong, without the file's name.
    pub fn place_and_reason(&self) -> (String, String) {
        let name = self.source_code.name();
        let rest = self.message.strip_prefix(name).unwrap_or(&self.message);
        let (place, reason) = rest.split_once(": ").unwrap_or(("", rest));
        (place.to_owned(), reason.to_owned())
    }

    /// For programs, in the format of the suite's problems.
    pub fn to_json(&self) -> serde_json::Value {
        let span = self.place.as_ref().map(|place| [place.start, place.end]);
        serde_json::json!({
            "level": "error",
            "code": "bad-trace",
            "message": self.message,
            "help": self.help,
            "places": span.map(|span| serde_json::json!([{
                "source": self.source_code.name(),
                "span": span,
                "label": self.label,
            }])).unwrap_or_else(|| serde_json::json!([])),
        })
    }
}
