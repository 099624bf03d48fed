//! A network's weights and the optimiser's state as a policy file. A policy that does not fit is refused with what
//! differs.

use super::policy_file::{LARGEST, Lesson, PolicyError, PolicyFile, Tensor, damaged};
use droidtest_network::{Sizes, Slot, Tower, slots};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{Read, Write};

/// The strategy whose policies these are.
const STRATEGY: &str = "dinodroid";

/// Largest layer, and most towers.
const LAYER: usize = 1 << 16;

/// What a policy says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
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
            Err(damaged("its layers are of impossible sizes"))
        }
    }
}

/// A policy: the header, the weights and the optimiser's state, each as the network's flat vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    /// What it says of itself.
    pub header: Header,
    /// Sessions learned from, in order.
    pub history: Vec<Lesson>,
    /// Weights.
    pub weights: Vec<f32>,
    /// Adam's means.
    pub mean: Vec<f32>,
    /// Adam's mean squares.
    pub square: Vec<f32>,
}

impl Policy {
    /// Writes it. The same policy gives the same bytes.
    ///
    /// # Errors
    /// It cannot be written, or holds numbers that are not finite.
    pub fn write(&self, to: &mut dyn Write) -> Result<(), PolicyError> {
        let places = slots(&self.header.towers, self.header.sizes);
        let parts = [
            ("weights", &self.weights),
            ("mean", &self.mean),
            ("square", &self.square),
        ];
        let about = serde_json::to_value(&self.header).map_err(damaged)?;
        let mut file = PolicyFile {
            strategy: STRATEGY.into(),
            about: about.as_object().cloned().unwrap_or_default(),
            history: self.history.clone(),
            ..PolicyFile::default()
        };
        for (part, numbers) in parts {
            if numbers.iter().any(|x| !x.is_finite()) || (part == "weights" && diverged(numbers)) {
                return Err(PolicyError::Diverged(
                    "the network's numbers are not finite or beyond a million, and are not written; lower the strategy's `learning-rate`",
                ));
            }
            let mut rest: &[f32] = numbers;
            for place in &places {
                let (here, behind) = rest
                    .split_at_checked(place.len())
                    .ok_or_else(|| damaged(format!("too few numbers for {}", place.name)))?;
                rest = behind;
                let tensor = Tensor {
                    shape: place.shape.clone(),
                    numbers: here.to_vec(),
                };
                file.tensors.insert(name(part, place), tensor);
            }
        }
        file.write(to)
    }

    /// Reads one.
    ///
    /// # Errors
    /// Those of [`PolicyFile::read`], and numbers that learning does not end with.
    pub fn read(from: &mut dyn Read) -> Result<Self, PolicyError> {
        let mut file = PolicyFile::read(from, STRATEGY)?;
        let about = std::mem::take(&mut file.about);
        let header: Header = serde_json::from_value(about.into())
            .map_err(|e| damaged(format!("its header: {e}")))?;
        header.bounded()?;
        let places = slots(&header.towers, header.sizes);
        let part = |part: &str| -> Result<Vec<f32>, PolicyError> {
            let mut numbers = Vec::new();
            for place in &places {
                let name = name(part, place);
                let tensor = file.tensors.get(&name);
                let tensor = tensor.ok_or_else(|| damaged(format!("it lacks `{name}`")))?;
                if tensor.shape != place.shape {
                    return Err(damaged(format!(
                        "{name} is {:?}, not {:?}",
                        tensor.shape, place.shape
                    )));
                }
                numbers.extend(&tensor.numbers);
            }
            Ok(numbers)
        };
        let policy = Self {
            weights: part("weights")?,
            mean: part("mean")?,
            square: part("square")?,
            history: file.history,
            header,
        };
        if diverged(&policy.weights) {
            return Err(damaged(
                "it holds a weight beyond a million: learning diverged",
            ));
        }
        if diverged(&policy.mean) || policy.square.iter().any(|x| *x > 1e12) {
            return Err(damaged(
                "a mean of its optimiser is too large for a gradient: learning diverged",
            ));
        }
        // Either would make every weight infinite with the first step of the optimiser.
        if policy.header.steps < 0 || policy.square.iter().any(|x| *x < 0.0) {
            return Err(damaged(
                "its optimiser has made a negative number of steps, or one of its mean squares is negative",
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
fn diverged(weights: &[f32]) -> bool {
    weights.iter().any(|weight| weight.abs() > LARGEST)
}

fn described(tower: &Tower) -> String {
    match tower {
        Tower::Vector { name, len } => format!("{name} ({len})"),
        Tower::Words { name, count, dim } => format!("{name} ({count} x {dim})"),
    }
}

fn name(part: &str, place: &Slot) -> String {
    format!("{part}.{}", place.name)
}
