//! Policies: what a strategy learned and how it came about, in a safetensors file. One format for all strategies.
//!
//! The header (the file's `__metadata__`, one JSON text under `droidtest`) names the format's version, the strategy,
//! every session learned from, and under `about` what the strategy must know to use the numbers. Files of version 1,
//! which networks and tables wrote differently, are read for one more version of the tool.

use safetensors::{Dtype, SafeTensorError, SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

/// Version of the format.
pub const VERSION: u32 = 2;
/// No weight and no value of learning that goes on is larger, either way.
pub const LARGEST: f32 = 1e6;
/// Bytes of the largest policy. None of ours comes near; a larger file is something else.
const LARGEST_FILE: usize = 256 << 20;
/// Stands for no tensors at all, which safetensors cannot hold.
const NOTHING: &str = "nothing";

/// One session that a policy learned from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lesson {
    /// Name of the session: app, device, strategy and seed.
    pub session: String,
    /// Package or model; empty in policies of tools that did not keep it.
    #[serde(default)]
    pub package: String,
    /// SHA-256 of the APK or model file; empty in policies of tools that did not keep it.
    #[serde(default)]
    pub content: String,
    /// Seed.
    #[serde(default)]
    pub seed: u64,
    /// Learning steps.
    #[serde(default)]
    pub steps: u64,
}

/// Numbers with a shape.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tensor {
    /// Length of each dimension.
    pub shape: Vec<usize>,
    /// As many finite numbers as the dimensions' product.
    pub numbers: Vec<f32>,
}

impl From<Vec<f32>> for Tensor {
    fn from(numbers: Vec<f32>) -> Self {
        Self {
            shape: vec![numbers.len()],
            numbers,
        }
    }
}

/// A policy of any strategy.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PolicyFile {
    /// The strategy that it belongs to.
    pub strategy: String,
    /// What that strategy must know to use the numbers.
    pub about: Map<String, Value>,
    /// Sessions learned from, in order.
    pub history: Vec<Lesson>,
    /// Numbers by name.
    pub tensors: BTreeMap<String, Tensor>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    strategy: String,
    about: Map<String, Value>,
    history: Vec<Lesson>,
}

/// What is wrong with a policy's file.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// Reading or writing.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is damaged or not a policy.
    #[error(
        "this is not a complete policy file: {0}; make one with `cargo droidtest train policy`"
    )]
    Damaged(String),
    /// It is not written: learning does not end with such numbers.
    #[error("learning diverged: {0}")]
    Diverged(&'static str),
    /// It is another strategy's, another network's or of another version.
    #[error("{0}")]
    Differs(String),
}

pub(super) fn damaged(error: impl std::fmt::Display) -> PolicyError {
    PolicyError::Damaged(error.to_string())
}

impl PolicyFile {
    /// Writes it. The same policy gives the same bytes.
    ///
    /// # Errors
    /// It cannot be written, or a shape does not fit its numbers.
    pub fn write(&self, to: &mut dyn Write) -> Result<(), PolicyError> {
        let mut raw: Vec<(&str, &[usize], Vec<u8>)> = self
            .tensors
            .iter()
            .map(|(name, tensor)| {
                let bytes = tensor.numbers.iter().flat_map(|x| x.to_le_bytes());
                (name.as_str(), tensor.shape.as_slice(), bytes.collect())
            })
            .collect();
        if raw.is_empty() {
            raw.push((NOTHING, &[0], Vec::new()));
        }
        let views: Vec<_> = raw
            .iter()
            .map(|(name, shape, bytes)| {
                let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes);
                view.map(|view| (*name, view))
                    .map_err(|e| damaged(in_words(&e)))
            })
            .collect::<Result<_, _>>()?;
        // One text: the order of several would be chance.
        let header = serde_json::to_string(&Header {
            version: VERSION,
            strategy: self.strategy.clone(),
            about: self.about.clone(),
            history: self.history.clone(),
        });
        let metadata = HashMap::from([("droidtest".to_owned(), header.map_err(damaged)?)]);
        let file =
            safetensors::serialize(views, &Some(metadata)).map_err(|e| damaged(in_words(&e)))?;
        Ok(to.write_all(&file)?)
    }

    /// Reads one of this strategy.
    ///
    /// # Errors
    /// It cannot be read, is cut short, another strategy's, of another version, or holds numbers that are not finite.
    pub fn read(from: &mut dyn Read, strategy: &str) -> Result<Self, PolicyError> {
        let file = all_of(from)?;
        let header = header(&file, strategy)?;
        let mut policy = Self {
            strategy: header.strategy,
            about: header.about,
            history: header.history,
            tensors: BTreeMap::new(),
        };
        let tensors = SafeTensors::deserialize(&file).map_err(|e| damaged(in_words(&e)))?;
        for (name, view) in tensors.tensors() {
            if view.dtype() != Dtype::F32 {
                return Err(damaged(format!("{name} is {:?}, not F32", view.dtype())));
            }
            let (words, _) = view.data().as_chunks::<4>();
            let numbers: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
            if numbers.iter().any(|x| !x.is_finite()) {
                return Err(damaged(format!("{name} holds a number that is not finite")));
            }
            if name != NOTHING {
                let shape = view.shape().to_vec();
                policy.tensors.insert(name, Tensor { shape, numbers });
            }
        }
        Ok(policy)
    }

    /// What the strategy says under this key.
    ///
    /// # Errors
    /// It is missing, or of another form.
    pub fn about<T: for<'de> Deserialize<'de>>(&self, key: &str) -> Result<T, PolicyError> {
        let value = self.about.get(key).unwrap_or(&Value::Null);
        T::deserialize(value).map_err(|e| damaged(format!("its `{key}`: {e}")))
    }
}

fn all_of(from: &mut dyn Read) -> Result<Vec<u8>, PolicyError> {
    let mut file = Vec::new();
    from.take(LARGEST_FILE as u64 + 1).read_to_end(&mut file)?;
    match file.len() {
        0 => Err(damaged("it is empty")),
        1..=LARGEST_FILE => Ok(file),
        _ => Err(damaged("it is larger than 256 MiB")),
    }
}

/// A file's header, brought to the present version.
fn header(file: &[u8], strategy: &str) -> Result<Header, PolicyError> {
    let (_, metadata) = SafeTensors::read_metadata(file).map_err(|e| damaged(in_words(&e)))?;
    let text = metadata
        .metadata()
        .as_ref()
        .and_then(|all| all.get("droidtest"))
        .ok_or_else(|| damaged("it does not have droidtest's header"))?;
    let wrong = |e: serde_json::Error| damaged(format!("its header: {e}"));
    let mut header: Value = serde_json::from_str(text).map_err(wrong)?;
    let theirs = header["strategy"]
        .as_str()
        .ok_or_else(|| damaged("its header names no strategy"))?;
    if theirs != strategy {
        return Err(PolicyError::Differs(format!(
            "strategy: the policy's is {theirs}, the suite's is {strategy}"
        )));
    }
    let header = match &header["version"] {
        Value::Null => return Err(damaged("its header has no version")),
        version if *version == VERSION => header,
        version if *version == 1 => first_of_networks(
            header
                .as_object_mut()
                .map(std::mem::take)
                .unwrap_or_default(),
        ),
        version if *version == "1" => first_of_tables(&header)?,
        version => {
            return Err(PolicyError::Differs(format!(
                "the policy has format version {version}, but this tool reads versions 1 and {VERSION}"
            )));
        }
    };
    serde_json::from_value(header).map_err(wrong)
}

/// Version 1 of networks: all fields beside each other.
fn first_of_networks(mut all: Map<String, Value>) -> Value {
    let mut take = |key: &str| all.remove(key).unwrap_or_default();
    let (_, strategy, history) = (take("version"), take("strategy"), take("history"));
    serde_json::json!({
        "version": VERSION,
        "strategy": strategy,
        "history": history,
        "about": all,
    })
}

/// Version 1 of tables and of small networks: texts only, lists as JSON within them.
fn first_of_tables(header: &Value) -> Result<Value, PolicyError> {
    let texts: BTreeMap<String, String> =
        Deserialize::deserialize(header).map_err(|e| damaged(format!("its header: {e}")))?;
    let list = |key: &str| -> Result<Vec<String>, PolicyError> {
        let text = texts.get(key).map_or("[]", String::as_str);
        serde_json::from_str(text).map_err(|e| damaged(format!("its list of {key}: {e}")))
    };
    let (names, contents) = (list("history")?, list("contents")?);
    if texts.contains_key("contents") && contents.len() != names.len() {
        return Err(damaged(format!(
            "its history is of {} sessions, its contents of {}",
            names.len(),
            contents.len()
        )));
    }
    let history: Vec<Lesson> = names
        .into_iter()
        .zip(
            contents
                .into_iter()
                .map(Some)
                .chain(std::iter::repeat(None)),
        )
        .map(|(session, content)| Lesson {
            session,
            content: content.unwrap_or_default(),
            ..Lesson::default()
        })
        .collect();
    let mut about = Map::new();
    for (key, text) in &texts {
        let value = match key.as_str() {
            "version" | "strategy" | "history" | "contents" => continue,
            "places" | "strings" => list(key)?.into(),
            "choices" => {
                let number = text.parse::<u64>();
                let number = number.map_err(|e| damaged(format!("its `choices`: {e}")))?;
                number.into()
            }
            _ => text.clone().into(),
        };
        about.insert(key.clone(), value);
    }
    Ok(serde_json::json!({
        "version": VERSION,
        "strategy": texts.get("strategy"),
        "history": history,
        "about": about,
    }))
}

/// What the format's reader found, for people who do not know the format.
fn in_words(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::HeaderTooSmall | SafeTensorError::InvalidHeaderLength => {
            "it is cut off".to_owned()
        }
        // The only one of its reasons that a writer of ours could cause is a file that was not written to its end.
        SafeTensorError::MetadataIncompleteBuffer => {
            "it is cut off, or has additional bytes at its end".to_owned()
        }
        SafeTensorError::HeaderTooLarge
        | SafeTensorError::InvalidHeader
        | SafeTensorError::InvalidHeaderStart
        | SafeTensorError::InvalidHeaderDeserialization => {
            "it is something else, or its start is damaged".to_owned()
        }
        SafeTensorError::TensorNotFound(name) => format!("it lacks `{name}`"),
        SafeTensorError::InvalidOffset(name) => {
            format!("its header puts `{name}` at an impossible position")
        }
        SafeTensorError::TensorInvalidInfo
        | SafeTensorError::ValidationOverflow
        | SafeTensorError::InvalidTensorView(..) => "its header has impossible sizes".to_owned(),
        SafeTensorError::IoError(error) => error.to_string(),
        SafeTensorError::JsonError(error) => format!("its header: {error}"),
    }
}

#[cfg(test)]
#[path = "policy_file_tests.rs"]
mod tests;
