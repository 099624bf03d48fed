//! DinoDroid's network: a tower for each input, joined, three dense layers, one number: the value of an event.
//!
//! After the published code (`facts`: 29,071 weights with its inputs): a vector goes through a dense layer of
//! 10; words through a convolution of 20 filters over 3 words, tanh, the largest of each filter, dropout; all
//! is joined, dense 50 tanh, dense 30 tanh, dense 1. A page's events are one batch.

use super::engine;
use super::layout::{Rows, Texts, Tower, dense_len};
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use tch::{Device, Kind, Tensor};

/// Words that a filter looks at.
const KERNEL: usize = 3;

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
    fn default() -> Self {
        Self {
            vector: 10,
            filters: 20,
            hidden: [50, 30],
        }
    }
}

/// One weight tensor's place in the flat vector of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Layer and part, such as `fcr.weight`.
    pub name: String,
    /// Shape.
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

/// The network. All weights lie in one flat tensor; the layers' are views of it.
#[derive(Debug)]
pub struct Network {
    towers: Vec<Tower>,
    places: Vec<Slot>,
    flat: Tensor,
    weights: Vec<Tensor>,
    device: Device,
    said: Option<RefCell<FxHashMap<String, Said>>>,
}

/// What the filters say of texts, kept while the weights stand still.
#[derive(Debug, Default)]
struct Said {
    places: FxHashMap<u32, i64>,
    rows: Option<Tensor>,
}

impl Network {
    /// A network for these inputs with first weights drawn evenly after Glorot and Bengio (2010), biases 0.
    pub fn new(towers: &[Tower], sizes: Sizes, device: Device, rng: &mut Rng) -> Self {
        let layers = layers(towers, sizes);
        let places = places(&layers);
        let mut flat = Vec::new();
        for layer in &layers {
            let limit = (6.0 / (layer.fan_in + layer.fan_out) as f32).sqrt();
            let draw = || (rng.random::<f32>() * 2.0 - 1.0) * limit;
            flat.extend(std::iter::repeat_with(draw).take(layer.inputs * layer.outputs));
            flat.extend(std::iter::repeat_n(0.0, layer.outputs));
        }
        Self::with(towers, places, &flat, device)
    }

    /// The places of the weights of a network for these inputs, in the order they lie in.
    pub fn places(towers: &[Tower], sizes: Sizes) -> Vec<Slot> {
        places(&layers(towers, sizes))
    }

    /// A network with these weights, as [`Network::weights`] gave them.
    ///
    /// # Panics
    /// There are fewer or more than the places hold.
    pub fn with(towers: &[Tower], places: Vec<Slot>, flat: &[f32], device: Device) -> Self {
        engine::one_thread();
        let wanted: usize = places.iter().map(Slot::len).sum();
        assert_eq!(flat.len(), wanted, "one number for each weight");
        let flat = Tensor::from_slice(flat).to_device(device);
        let mut start = 0;
        let weights = places
            .iter()
            .map(|place| {
                let shape: Vec<i64> = place.shape.iter().map(|&n| long(n)).collect();
                let part = flat.narrow(0, start, long(place.len())).reshape(shape);
                start += long(place.len());
                part.detach().set_requires_grad(true)
            })
            .collect();
        Self {
            towers: towers.to_vec(),
            places,
            flat,
            weights,
            device,
            said: None,
        }
    }

    /// An independent network with the same weights, which only change by [`Network::follow`]: what its filters
    /// say of a text is computed once between two changes.
    pub fn twin(&self) -> Self {
        let places = self.places.clone();
        Self {
            said: Some(RefCell::default()),
            ..Self::with(&self.towers, places, &self.weights(), self.device)
        }
    }

    /// Takes over the other's weights.
    pub fn track(&mut self, other: &Self) {
        tch::no_grad(|| self.flat.copy_(&other.flat));
        if let Some(said) = &mut self.said {
            said.take();
        }
    }

    /// All weights in one.
    pub fn weights(&self) -> Vec<f32> {
        numbers(&self.flat)
    }

    /// What it reads.
    pub fn towers(&self) -> &[Tower] {
        &self.towers
    }

    /// Where it is computed.
    pub(super) const fn device(&self) -> Device {
        self.device
    }

    /// The flat tensor and the layers' views of it, for an optimiser.
    pub(super) fn parameters(&mut self) -> (&mut Tensor, &mut [Tensor]) {
        self.said = None;
        (&mut self.flat, &mut self.weights)
    }

    /// The value of each row, without dropout.
    pub fn values(&self, rows: &Rows, texts: &Texts) -> Vec<f32> {
        if rows.len == 0 {
            return Vec::new();
        }
        numbers(&tch::no_grad(|| self.forward(rows, texts, None)))
    }

    /// The value of each row as a tensor of `rows.len`. `dropout`: the share of a text's filters left out, and
    /// where the masks are drawn from.
    pub(super) fn forward(
        &self,
        rows: &Rows,
        texts: &Texts,
        mut dropout: Option<(f32, &mut Rng)>,
    ) -> Tensor {
        engine::one_thread();
        let n = long(rows.len);
        let width = dense_len(&self.towers);
        let dense = (width > 0).then(|| {
            let all = Tensor::from_slice(&rows.dense).to_device(self.device);
            all.reshape([n, long(width)])
        });
        let mut weights = self.weights.chunks_exact(2);
        let mut layer = || match weights.next() {
            Some([weight, bias]) => (weight, bias),
            _ => unreachable!("each layer has a weight and a bias"),
        };
        let mut joined = Vec::with_capacity(self.towers.len());
        let mut at = 0;
        for tower in &self.towers {
            let (weight, bias) = layer();
            match (tower, &dense) {
                (Tower::Vector { len, .. }, Some(dense)) => {
                    let part = dense.narrow(1, at, long(*len));
                    at += long(*len);
                    joined.push(part.linear(weight, Some(bias)));
                }
                (Tower::Vector { .. }, None) => {}
                (Tower::Words { name, count, dim }, _) => {
                    let convolved =
                        |new: &[u32]| convolve(&self.words(new, texts, *count, *dim), weight, bias);
                    let mut fresh = Said::default();
                    let said = match &self.said {
                        Some(kept) if dropout.is_none() => {
                            let mut kept = kept.borrow_mut();
                            let kept = kept.entry(name.clone()).or_default();
                            kept.of(&rows.texts, self.device, convolved)
                        }
                        _ => fresh.of(&rows.texts, self.device, convolved),
                    };
                    joined.push(match &mut dropout {
                        Some((rate, rng)) if *rate > 0.0 => {
                            &said * self.mask(said.numel(), *rate, rng).reshape_as(&said)
                        }
                        _ => said,
                    });
                }
            }
        }
        let mut x = Tensor::cat(&joined, 1);
        for _ in 0..2 {
            let (weight, bias) = layer();
            x = x.linear(weight, Some(bias)).tanh();
        }
        let (weight, bias) = layer();
        x.linear(weight, Some(bias)).reshape([n])
    }

    /// These texts, each with a row of zeros before and after its words.
    fn words(&self, which: &[u32], texts: &Texts, count: usize, dim: usize) -> Tensor {
        let margin = KERNEL / 2 * dim;
        let mut cells = Vec::with_capacity(which.len() * (count + KERNEL - 1) * dim);
        for &text in which {
            cells.resize(cells.len() + margin, 0.0);
            match texts.get(text) {
                Some(matrix) => cells.extend_from_slice(matrix),
                None => cells.resize(cells.len() + count * dim, 0.0),
            }
            cells.resize(cells.len() + margin, 0.0);
        }
        let shape = [long(which.len()), long(count + KERNEL - 1), long(dim)];
        Tensor::from_slice(&cells)
            .reshape(shape)
            .to_device(self.device)
    }

    /// `size` numbers: 0 for what is dropped, else what keeps the mean.
    fn mask(&self, size: usize, rate: f32, rng: &mut Rng) -> Tensor {
        let kept = 1.0 / (1.0 - rate);
        let draw = || {
            if rng.random::<f32>() < rate {
                0.0
            } else {
                kept
            }
        };
        let mask: Vec<f32> = std::iter::repeat_with(draw).take(size).collect();
        Tensor::from_slice(&mask).to_device(self.device)
    }
}

impl Said {
    /// What is said of each of the texts; of each that is new, `convolved` tells it once.
    fn of(
        &mut self,
        texts: &[u32],
        device: Device,
        convolved: impl Fn(&[u32]) -> Tensor,
    ) -> Tensor {
        let mut new = Vec::new();
        let place: Vec<i64> = texts
            .iter()
            .map(|&text| {
                let next = long(self.places.len());
                *self.places.entry(text).or_insert_with(|| {
                    new.push(text);
                    next
                })
            })
            .collect();
        if !new.is_empty() {
            let added = convolved(&new);
            self.rows = Some(match self.rows.take() {
                Some(rows) => Tensor::cat(&[rows, added], 0),
                None => added,
            });
        }
        let place = Tensor::from_slice(&place).to_device(device);
        match &self.rows {
            Some(rows) => rows.index_select(0, &place),
            None => convolved(texts),
        }
    }
}

/// A convolution over words that keeps their number, tanh, and the largest of each filter.
fn convolve(words: &Tensor, weight: &Tensor, bias: &Tensor) -> Tensor {
    let count = words.size()[1] - long(KERNEL) + 1;
    let shifted: Vec<Tensor> = (0..long(KERNEL))
        .map(|k| words.narrow(1, k, count))
        .collect();
    let seen = Tensor::cat(&shifted, 2).linear(weight, Some(bias)).tanh();
    seen.amax([1], false)
}

/// A dense layer: `inputs` x `outputs`, and what Glorot's limit counts.
struct Layer {
    name: String,
    inputs: usize,
    outputs: usize,
    fan_in: usize,
    fan_out: usize,
}

fn layers(towers: &[Tower], sizes: Sizes) -> Vec<Layer> {
    let dense = |name: &str, inputs: usize, outputs: usize| Layer {
        name: name.to_owned(),
        inputs,
        outputs,
        fan_in: inputs,
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

fn places(layers: &[Layer]) -> Vec<Slot> {
    let of = |layer: &Layer| {
        let place = |part: &str, shape: Vec<usize>| Slot {
            name: format!("{}.{part}", layer.name),
            shape,
        };
        [
            place("weight", vec![layer.outputs, layer.inputs]),
            place("bias", vec![layer.outputs]),
        ]
    };
    layers.iter().flat_map(of).collect()
}

/// A size as the engine counts.
pub(super) fn long(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A tensor's numbers.
pub(super) fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat = tensor
        .to_device(Device::Cpu)
        .to_kind(Kind::Float)
        .reshape([-1]);
    let mut out = vec![0.0; flat.numel()];
    flat.copy_data(&mut out, flat.numel());
    out
}
