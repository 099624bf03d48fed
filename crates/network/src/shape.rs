//! The layers of a network, and the place of each weight in the flat list of all.

use crate::layout::Tower;
use serde::{Deserialize, Serialize};

/// Words that a filter looks at.
pub(crate) const KERNEL: usize = 3;

/// Sizes of the layers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Outputs of a vector's tower.
    pub vector: usize,
    /// Filters of a tower of words.
    pub filters: usize,
    /// Outputs of the first two layers behind the towers.
    pub hidden: [usize; 2],
}

impl Default for Sizes {
    /// The published code's: 29,071 weights with its inputs.
    fn default() -> Self {
        Self {
            vector: 10,
            filters: 20,
            hidden: [50, 30],
        }
    }
}

/// One weight tensor's place in the flat list of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Layer and part, such as `fcr.weight`.
    pub name: String,
    /// Shape: a weight's is outputs x inputs, row by row.
    pub shape: Vec<usize>,
}

impl Slot {
    /// Numbers in it.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Is it of no size?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How many first weights a layer has, and the limit to draw them within.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Initial {
    /// Weights to draw evenly from `-limit..limit` (Glorot and Bengio, 2010).
    pub weights: usize,
    /// The limit.
    pub limit: f32,
    /// Biases behind them, which begin as 0.
    pub biases: usize,
}

/// A layer: `inputs` x `outputs`, and what Glorot's limit counts.
#[derive(Debug)]
pub(crate) struct Layer {
    name: String,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    fan_out: usize,
}

/// The layers of a network for these inputs, in the order of their weights: one for each tower, and three behind them.
pub(crate) fn layers(towers: &[Tower], sizes: Sizes) -> Vec<Layer> {
    let dense = |name: &str, inputs: usize, outputs: usize| Layer {
        name: name.to_owned(),
        inputs,
        outputs,
        fan_out: outputs,
    };
    let mut layers: Vec<Layer> = towers
        .iter()
        .map(|tower| match tower {
            Tower::Vector { name, len } => dense(name, *len, sizes.vector),
            // A filter is used at each word: Glorot counts its outputs once for each place in the kernel.
            Tower::Words { name, dim, .. } => Layer {
                fan_out: KERNEL * sizes.filters,
                ..dense(name, KERNEL * dim, sizes.filters)
            },
        })
        .collect();
    let joined = layers.iter().map(|layer| layer.outputs).sum();
    layers.push(dense("hidden1", joined, sizes.hidden[0]));
    layers.push(dense("hidden2", sizes.hidden[0], sizes.hidden[1]));
    layers.push(dense("value", sizes.hidden[1], 1));
    layers
}

/// The slots of a network for these inputs, in the order they lie in.
pub fn slots(towers: &[Tower], sizes: Sizes) -> Vec<Slot> {
    let of_layer = |layer: &Layer| {
        let slot = |part: &str, shape: Vec<usize>| Slot {
            name: format!("{}.{part}", layer.name),
            shape,
        };
        [
            slot("weight", vec![layer.outputs, layer.inputs]),
            slot("bias", vec![layer.outputs]),
        ]
    };
    layers(towers, sizes).iter().flat_map(of_layer).collect()
}

/// How the first weights of each layer are drawn, in the order they lie in.
pub fn first_limits(towers: &[Tower], sizes: Sizes) -> Vec<Initial> {
    let of_layer = |layer: Layer| Initial {
        weights: layer.inputs * layer.outputs,
        limit: (6.0 / (layer.inputs + layer.fan_out) as f32).sqrt(),
        biases: layer.outputs,
    };
    layers(towers, sizes).into_iter().map(of_layer).collect()
}
