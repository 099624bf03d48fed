//! Measured sessions as a file of lines of JSON, so that sessions of several machines are compared together and a
//! comparison can be repeated without the runs' folders.

use super::measure::Measured;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Version of the lines.
pub const KEPT_VERSION: u32 = 1;

#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "kept")]
    version: u32,
    #[serde(flatten)]
    session: &'a Measured,
}

/// Why a file of measured sessions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The file cannot be read.
    #[error("cannot read {file}: {source}")]
    Read {
        /// The file.
        file: Utf8PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not a measured session.
    #[error(
        "{file}:{line}: not a measured session: {why}; `bench` writes such files (`bench.jsonl`)"
    )]
    Line {
        /// The file.
        file: Utf8PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// Two lines have the same session.
    #[error("{file}:{line}: {session} is in {first} already; remove one of the two lines")]
    Twice {
        /// The file.
        file: Utf8PathBuf,
        /// The line, from 1.
        line: usize,
        /// App, device, strategy and seed.
        session: String,
        /// File and line of the first.
        first: String,
    },
    /// The files have no session.
    #[error("the files contain no session")]
    Nothing,
}

/// One line for each session. The set of probes is left out: it is large, and only unions over runs need it.
///
/// # Errors
/// Those of the encoder.
pub fn write(sessions: &[Measured]) -> serde_json::Result<String> {
    let mut out = String::new();
    for session in sessions {
        out += &serde_json::to_string(&Line {
            version: KEPT_VERSION,
            session,
        })?;
        out.push('\n');
    }
    Ok(out)
}

/// The sessions of all files, in the order of apps, strategies and seeds as the files first name them.
///
/// # Errors
/// See [`KeptError`].
pub fn read(files: &[Utf8PathBuf]) -> Result<Vec<Measured>, KeptError> {
    let mut sessions: Vec<Measured> = Vec::new();
    let mut places = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(file).map_err(|source| KeptError::Read {
            file: file.clone(),
            source,
        })?;
        let lines = text.lines().zip(1..);
        for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
            let session = one(text, file, line)?;
            let planned = &session.planned;
            let name = format!(
                "{} with {}, seed {}",
                session.unit, planned.strategy, planned.seed
            );
            let key = (
                session.unit.clone(),
                planned.device.clone(),
                planned.strategy.clone(),
                planned.seed,
            );
            if let Some(first) = places.insert(key, format!("{file}:{line}")) {
                return Err(KeptError::Twice {
                    file: file.clone(),
                    line,
                    session: name,
                    first,
                });
            }
            sessions.push(session);
        }
    }
    if sessions.is_empty() {
        return Err(KeptError::Nothing);
    }
    Ok(sessions)
}

fn one(text: &str, file: &Utf8Path, line: usize) -> Result<Measured, KeptError> {
    let wrong = |why: String| KeptError::Line {
        file: file.to_owned(),
        line,
        why,
    };
    let read: Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    if read["kept"] != KEPT_VERSION {
        let version = &read["kept"];
        return Err(wrong(format!(
            "version {version}, this tool reads {KEPT_VERSION}"
        )));
    }
    let session: Measured = serde_json::from_value(read).map_err(|e| wrong(e.to_string()))?;
    if !session.curve.is_sorted_by_key(|point| point.events) {
        return Err(wrong("its events run backwards".to_owned()));
    }
    Ok(session)
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
