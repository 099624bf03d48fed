//! A trace from its TOML text.

use super::error::TraceError;
use super::format::{AppRef, DeviceRef, Expected, MAX_SEED, TRACE_VERSION, Trace};
use super::raw::RawStep;
use super::step::nearest;
use crate::outcome::finding::FindingKind;
use crate::util::foreign;
use serde::Deserialize;
use std::io::Read as _;
use std::path::Path;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawTrace {
    version: Spanned<u32>,
    seed: Option<Spanned<u64>>,
    app: RawApp,
    #[serde(default)]
    device: RawDevice,
    finding: Option<RawFinding>,
    #[serde(default, rename = "step")]
    steps: Vec<Spanned<RawStep<Spanned<String>>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawApp {
    #[serde(default)]
    name: String,
    package: String,
    #[serde(default)]
    content: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct RawDevice {
    name: String,
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawFinding {
    kind: FindingKind,
    fingerprint: Option<Spanned<String>>,
    exception: Option<String>,
    frame: Option<String>,
    activity: Option<String>,
    title: Option<String>,
}

/// Much larger than any trace.
const LARGEST: u64 = 256 << 20;

/// Reads this file.
///
/// # Errors
/// It cannot be read, is not UTF-8, or what [`read`] says.
pub fn load(file: &Path) -> Result<Trace, Box<TraceError>> {
    read(&text_of(file, LARGEST)?, file)
}

/// The text of a file of at most so many bytes.
pub(super) fn text_of(file: &Path, largest: u64) -> Result<String, Box<TraceError>> {
    let plain =
        |message: &str, help: &str| TraceError::new(file, "", message, None, Some(help.to_owned()));
    let mut bytes = Vec::new();
    foreign::open(file)
        .and_then(|opened| opened.take(largest + 1).read_to_end(&mut bytes))
        .map_err(|e| plain(&format!("cannot read the trace: {e}"), "check the path"))?;
    if bytes.len() as u64 > largest {
        let message = format!("larger than {} MiB: this is not a trace", largest >> 20);
        return Err(plain(&message, "check the path"));
    }
    String::from_utf8(bytes).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(e.as_bytes());
        // The invalid part starts where the valid part ends.
        let at = Some((good..good, "not UTF-8 from here on"));
        let help = "save the trace as UTF-8 text".to_owned();
        TraceError::new(file, &text, "not UTF-8", at, Some(help))
    })
}

/// Reads the text of this file.
///
/// # Errors
/// TOML that cannot be read, unknown keys, steps that do nothing known or lack what they need; each with
/// file, line and place.
pub fn read(text: &str, file: &Path) -> Result<Trace, Box<TraceError>> {
    let raw: RawTrace = toml::from_str(text).map_err(|e| {
        let at = e.span().map(|span| (span, "here"));
        let message = in_words(e.message().trim());
        TraceError::new(file, text, &message, at, hint(e.message()))
    })?;
    let version = *raw.version.get_ref();
    if version != TRACE_VERSION {
        let message =
            format!("a trace of version {version}; this tool reads version {TRACE_VERSION}");
        let help = "use the version of the tool that wrote it".to_owned();
        let at = Some((raw.version.span(), "this version"));
        return Err(TraceError::new(file, text, &message, at, Some(help)));
    }
    if let Some(seed) = raw.seed.as_ref().filter(|seed| *seed.get_ref() > MAX_SEED) {
        let at = Some((seed.span(), "too large"));
        let help = format!("a trace's seed is at most {MAX_SEED}");
        return Err(TraceError::new(
            file,
            text,
            "the seed is too large",
            at,
            Some(help),
        ));
    }
    let fingerprint = raw.finding.as_ref().and_then(|f| f.fingerprint.as_ref());
    if let Some(fingerprint) = fingerprint {
        let shown = fingerprint.get_ref();
        // Traces of older versions have the digits alone.
        let digits = shown.strip_prefix("v2:").unwrap_or(shown);
        let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if digits.len() != 16 || !digits.chars().all(digit) {
            let at = Some((fingerprint.span(), "not a fingerprint"));
            let help = "a fingerprint is `v2:` and 16 digits and letters a to f, as in summary.json; without one the finding is identified by `kind`, `exception` and `frame`".to_owned();
            let message = "an invalid fingerprint";
            return Err(TraceError::new(file, text, message, at, Some(help)));
        }
    }
    let steps = raw.steps.into_iter().enumerate().map(|(number, raw)| {
        let (whole, raw) = (raw.span(), raw.into_inner());
        raw.step().map_err(|fault| {
            let at = Some(match fault.in_do {
                true => (raw.r#do.span(), "not known"),
                false => (whole, "in this step"),
            });
            let message = format!("step {}: {}", number + 1, fault.message);
            TraceError::new(file, text, &message, at, fault.help)
        })
    });
    Ok(Trace {
        app: AppRef {
            name: raw.app.name,
            package: raw.app.package,
            content: raw.app.content,
        },
        device: DeviceRef {
            name: raw.device.name,
            kind: raw.device.kind,
        },
        seed: raw.seed.map_or(0, Spanned::into_inner),
        finding: raw.finding.map(|raw| Expected {
            kind: raw.kind,
            fingerprint: raw.fingerprint.map(Spanned::into_inner),
            exception: raw.exception,
            frame: raw.frame,
            activity: raw.activity,
            title: raw.title,
        }),
        steps: steps.collect::<Result<_, _>>()?,
    })
}

/// The reader's message with numbers named for people, not for the compiler.
fn in_words(message: &str) -> String {
    match message.rsplit_once("expected ") {
        Some((before, "u8" | "u32" | "u64" | "usize")) => {
            format!("{before}expected a whole number from 0")
        }
        Some((before, "i8" | "i32")) => format!("{before}expected a whole number"),
        Some((before, "f64")) => format!("{before}expected a number"),
        _ => message.to_owned(),
    }
}

/// The nearest of the names that serde lists; for a key that is not there, where to find what it holds.
fn hint(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    if message.starts_with("missing field") {
        let key = quoted.next()?;
        return Some(format!(
            "add `{key}`: a trace needs `version`, `app.package`, in `[finding]` a `kind`, and in each step `do`"
        ));
    }
    let wrong = quoted.next().filter(|_| message.contains("unknown"))?;
    let near = nearest(wrong, quoted)?;
    Some(format!("did you mean `{near}`?"))
}
