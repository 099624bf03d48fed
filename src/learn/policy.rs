//! Policies: a network's weights and how they came about, in a safetensors file.
//!
//! The header (the file's `__metadata__`, one JSON text under `droidtest`) names the format's version, the
//! inputs, the layers, what the inputs rest on and every session learned from. A policy that does not fit is
//! refused with what differs.

use super::bundle;
use super::damage::{self, in_words};
use super::layout::Tower;
use super::network::{Network, Place, Sizes};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

/// Version of the format.
pub const POLICY_VERSION: u32 = 1;
/// The strategy whose policies these are. What other strategies keep is a [`bundle::Bundle`].
const STRATEGY: &str = "dinodroid";

/// Largest layer, and most towers.
const LAYER: usize = 1 << 16;

/// One session that a policy learned from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lesson {
    /// Name of the session: app, device, strategy and seed.
    pub session: String,
    /// Package or model.
    pub package: String,
    /// SHA-256 of the APK or model file.
    pub content: String,
    /// Seed.
    pub seed: u64,
    /// Learning steps.
    pub steps: u64,
}

/// What a policy says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// [`POLICY_VERSION`].
    pub version: u32,
    /// Strategy that it belongs to.
    pub strategy: String,
    /// How counts became numbers, and whatever else changes what an input means.
    pub encoding: String,
    /// Inputs.
    pub towers: Vec<Tower>,
    /// Layers.
    pub sizes: Sizes,
    /// What the inputs rest on: the hash of the embedding, by feature.
    pub basis: BTreeMap<String, String>,
    /// Steps of the optimiser.
    pub steps: i32,
    /// Sessions learned from, in order.
    pub history: Vec<Lesson>,
}

impl Header {
    /// Are all sizes such as a network of ours has?
    fn bounded(&self) -> Result<(), PolicyError> {
        let Sizes {
            vector,
            filters,
            hidden: [first, second],
        } = self.sizes;
        let towers = self.towers.iter().flat_map(|tower| match tower {
            Tower::Vector { len, .. } => [*len, 1],
            Tower::Words { count, dim, .. } => [*count, *dim],
        });
        let mut sizes = towers.chain([vector, filters, first, second]);
        if sizes.all(|size| (1..=LAYER).contains(&size)) && self.towers.len() <= LAYER {
            Ok(())
        } else {
            Err(PolicyError::Damaged(
                "its layers are of impossible sizes".into(),
            ))
        }
    }
}

/// A policy: the header, the weights and the optimiser's state, each as the network's flat vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    /// What it says of itself.
    pub header: Header,
    /// Weights.
    pub weights: Vec<f32>,
    /// Adam's means.
    pub mean: Vec<f32>,
    /// Adam's mean squares.
    pub square: Vec<f32>,
}

/// What went wrong with a policy's file.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// Reading or writing.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is damaged or not a policy.
    #[error("this is no whole policy file: {0}; make one with `cargo droidtest train policy`")]
    Damaged(String),
    /// It is not written: its numbers are not such as learning ends with.
    #[error("learning ran away: {0}")]
    Diverged(&'static str),
    /// It is another network's.
    #[error("{0}")]
    Differs(String),
}

impl Policy {
    /// Writes it. The same policy gives the same bytes.
    ///
    /// # Errors
    /// It cannot be written, or holds numbers that are not finite.
    pub fn write(&self, to: &mut dyn Write) -> Result<(), PolicyError> {
        let places = Network::places(&self.header.towers, self.header.sizes);
        let parts = [
            ("weights", &self.weights),
            ("mean", &self.mean),
            ("square", &self.square),
        ];
        let mut bytes = Vec::new();
        for (part, numbers) in parts {
            if numbers.iter().any(|x| !x.is_finite()) || (part == "weights" && runaway(numbers)) {
                return Err(PolicyError::Diverged(
                    "the network's numbers are not finite or beyond a million, and are not written; lower the strategy's `learning-rate`",
                ));
            }
            let mut rest: &[f32] = numbers;
            for place in &places {
                let (here, behind) = rest.split_at_checked(place.len()).ok_or_else(|| {
                    PolicyError::Damaged(format!("too few numbers for {}", place.name))
                })?;
                rest = behind;
                let raw: Vec<u8> = here.iter().flat_map(|x| x.to_le_bytes()).collect();
                bytes.push((name(part, place), place.shape.clone(), raw));
            }
        }
        let views: Vec<_> = bytes
            .iter()
            .map(|(name, shape, raw)| {
                let view = TensorView::new(Dtype::F32, shape.clone(), raw);
                view.map(|view| (name.as_str(), view))
                    .map_err(|e| damaged(in_words(&e)))
            })
            .collect::<Result<_, _>>()?;
        let header = serde_json::to_string(&self.header).map_err(damaged)?;
        let metadata = HashMap::from([("droidtest".to_owned(), header)]);
        let file =
            safetensors::serialize(views, &Some(metadata)).map_err(|e| damaged(in_words(&e)))?;
        Ok(to.write_all(&file)?)
    }

    /// Reads one.
    ///
    /// # Errors
    /// It cannot be read, is cut short, another strategy's, of another version, or holds numbers that are not finite.
    pub fn read(from: &mut dyn Read) -> Result<Self, PolicyError> {
        let file = damage::read(from)?;
        let header = damage::header(&file)?;
        // Before its version, which is that of other policies than these.
        if let Some(strategy) = header["strategy"].as_str().filter(|own| *own != STRATEGY) {
            return Err(PolicyError::Differs(format!(
                "strategy: the policy's is {strategy}, the suite's is {STRATEGY}"
            )));
        }
        let version = &header["version"];
        if version.is_null() {
            return Err(PolicyError::Damaged("its header says no version".into()));
        }
        if *version != POLICY_VERSION {
            return Err(PolicyError::Differs(format!(
                "the policy's format is of version {version}, this tool reads version {POLICY_VERSION}"
            )));
        }
        let header: Header =
            serde_json::from_value(header).map_err(|e| damaged(format!("its header: {e}")))?;
        header.bounded()?;
        let tensors = SafeTensors::deserialize(&file).map_err(|e| damaged(in_words(&e)))?;
        let places = Network::places(&header.towers, header.sizes);
        let part = |part: &str| -> Result<Vec<f32>, PolicyError> {
            let mut numbers = Vec::new();
            for place in &places {
                let name = name(part, place);
                let tensor = tensors.tensor(&name).map_err(|e| damaged(in_words(&e)))?;
                if tensor.dtype() != Dtype::F32 || tensor.shape() != place.shape {
                    return Err(PolicyError::Damaged(format!(
                        "{name} is {:?} {:?}, not F32 {:?}",
                        tensor.dtype(),
                        tensor.shape(),
                        place.shape
                    )));
                }
                let (words, _) = tensor.data().as_chunks::<4>();
                numbers.extend(words.iter().map(|word| f32::from_le_bytes(*word)));
                if numbers.iter().any(|x| !x.is_finite()) {
                    return Err(PolicyError::Damaged(format!(
                        "{name} holds a number that is not finite"
                    )));
                }
            }
            Ok(numbers)
        };
        let policy = Self {
            weights: part("weights")?,
            mean: part("mean")?,
            square: part("square")?,
            header,
        };
        if runaway(&policy.weights) {
            return Err(PolicyError::Damaged(
                "it holds a weight beyond a million, so that learning ran away".into(),
            ));
        }
        if runaway(&policy.mean) || policy.square.iter().any(|x| *x > 1e12) {
            return Err(PolicyError::Damaged(
                "a mean of its optimiser is beyond any slope's, so that learning ran away".into(),
            ));
        }
        // Either would make every weight infinite with the first step of the optimiser.
        if policy.header.steps < 0 || policy.square.iter().any(|x| *x < 0.0) {
            return Err(PolicyError::Damaged(
                "its optimiser has made a negative number of steps, or a mean square of its is negative".into(),
            ));
        }
        Ok(policy)
    }

    /// Does it fit a network with this header (history and steps aside)?
    ///
    /// # Errors
    /// All that differs, in words.
    pub fn fits(&self, wanted: &Header) -> Result<(), PolicyError> {
        let mut differs = Vec::new();
        let mut compare = |what: &str, theirs: String, ours: String| {
            if theirs != ours {
                differs.push(format!(
                    "{what}: the policy's is {theirs}, the suite's is {ours}"
                ));
            }
        };
        let inputs = |header: &Header| {
            let names: Vec<_> = header.towers.iter().map(described).collect();
            names.join(", ")
        };
        let own = &self.header;
        compare("strategy", own.strategy.clone(), wanted.strategy.clone());
        compare("inputs", inputs(own), inputs(wanted));
        compare("encoding", own.encoding.clone(), wanted.encoding.clone());
        compare(
            "layers",
            format!("{:?}", own.sizes),
            format!("{:?}", wanted.sizes),
        );
        compare(
            "embedding",
            format!("{:?}", own.basis),
            format!("{:?}", wanted.basis),
        );
        if differs.is_empty() {
            Ok(())
        } else {
            Err(PolicyError::Differs(differs.join("; ")))
        }
    }
}

/// Is a weight such as no learning that goes on has? Values of events computed with it need not be finite.
fn runaway(weights: &[f32]) -> bool {
    weights.iter().any(|weight| weight.abs() > bundle::LARGEST)
}

fn described(tower: &Tower) -> String {
    match tower {
        Tower::Vector { name, len } => format!("{name} ({len})"),
        Tower::Words { name, count, dim } => format!("{name} ({count} x {dim})"),
    }
}

fn name(part: &str, place: &Place) -> String {
    format!("{part}.{}", place.name)
}

impl From<damage::Damage> for PolicyError {
    fn from(damage: damage::Damage) -> Self {
        match damage {
            damage::Damage::Io(error) => Self::Io(error),
            damage::Damage::Told(what) => Self::Damaged(what),
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> PolicyError {
    PolicyError::Damaged(error.to_string())
}
