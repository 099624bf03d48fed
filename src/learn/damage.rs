//! What is wrong with a policy's file before any of its numbers are looked at, in plain words.

use safetensors::{SafeTensorError, SafeTensors};
use serde_json::Value;
use std::io::{self, Read};

/// Bytes of the largest policy. None of ours comes near; a larger file is something else.
const LARGEST: usize = 256 << 20;

/// Why a file gives no header.
#[derive(Debug)]
pub(super) enum Damage {
    /// It cannot be read.
    Io(io::Error),
    /// In words that go on from "this is no whole policy file: ".
    Told(String),
}

/// All of a file.
///
/// # Errors
/// It cannot be read, is empty, or larger than any policy.
pub(super) fn read(from: &mut dyn Read) -> Result<Vec<u8>, Damage> {
    let mut file = Vec::new();
    from.take(LARGEST as u64 + 1)
        .read_to_end(&mut file)
        .map_err(Damage::Io)?;
    match file.len() {
        0 => Err(Damage::Told("it is empty".to_owned())),
        1..=LARGEST => Ok(file),
        _ => Err(Damage::Told("it is larger than 256 MiB".to_owned())),
    }
}

/// What droidtest wrote into a file's metadata.
///
/// # Errors
/// It is no safetensors file, or none of droidtest's.
pub(super) fn header(file: &[u8]) -> Result<Value, Damage> {
    let (_, metadata) = SafeTensors::read_metadata(file).map_err(|e| Damage::Told(in_words(&e)))?;
    let texts = metadata
        .metadata()
        .as_ref()
        .and_then(|all| all.get("droidtest"))
        .ok_or_else(|| Damage::Told("it has no header of droidtest's".to_owned()))?;
    serde_json::from_str(texts).map_err(|e| Damage::Told(format!("its header: {e}")))
}

/// What the format's reader found, for people who do not know the format.
pub(super) fn in_words(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::HeaderTooSmall | SafeTensorError::InvalidHeaderLength => {
            "it is cut short".to_owned()
        }
        // The only one of its reasons that a writer of ours could cause is a file that was not written to its end.
        SafeTensorError::MetadataIncompleteBuffer => {
            "it is cut short, or something was put behind its end".to_owned()
        }
        SafeTensorError::HeaderTooLarge
        | SafeTensorError::InvalidHeader
        | SafeTensorError::InvalidHeaderStart
        | SafeTensorError::InvalidHeaderDeserialization => {
            "it is something else, or its beginning is damaged".to_owned()
        }
        SafeTensorError::TensorNotFound(name) => format!("it lacks `{name}`"),
        SafeTensorError::InvalidOffset(name) => {
            format!("its header puts `{name}` where it cannot be")
        }
        SafeTensorError::TensorInvalidInfo
        | SafeTensorError::ValidationOverflow
        | SafeTensorError::InvalidTensorView(..) => {
            "its header tells of sizes that cannot be".to_owned()
        }
        SafeTensorError::IoError(error) => error.to_string(),
        SafeTensorError::JsonError(error) => format!("its header: {error}"),
    }
}
