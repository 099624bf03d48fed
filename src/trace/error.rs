//! What is wrong with a trace's file: the place that causes it, and the mend.

use miette::{Diagnostic, NamedSource, SourceSpan};
use std::ops::Range;
use std::path::Path;

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
    /// The way out.
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
        let (span, label) = match at {
            Some((span, label)) => (Some(span), label.to_owned()),
            None => (None, String::new()),
        };
        // A person finds a line faster than an offset.
        let line = span.as_ref().map(|span: &Range<usize>| {
            let before = text.get(..span.start).unwrap_or(text);
            before.matches('\n').count() + 1
        });
        let place = line.map_or_else(|| name.clone(), |line| format!("{name}:{line}"));
        Box::new(Self {
            message: format!("{place}: {message}"),
            source_code: NamedSource::new(name, text.to_owned()),
            span: span.map(Into::into),
            label,
            help,
        })
    }

    /// For programs, as the suite's problems are told.
    pub fn to_json(&self) -> serde_json::Value {
        let span = self.span.map(|s| [s.offset(), s.offset() + s.len()]);
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
