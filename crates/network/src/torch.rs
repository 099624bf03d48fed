//! The network as libtorch computes it: on a GPU, and as the reference for the engine in Rust.
//!
//! One thread, and nothing random of libtorch's own, whose generator is one for the whole process. So two runs, or one
//! run alone and beside others, learn the same bit for bit.

use crate::engine::{Lesson, Moments, Network, Torch};
use crate::layout::{Rows, Texts, Tower, dense_len};
use crate::shape::{KERNEL, Sizes, Slot, slots};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Once;
use tch::{Device, Kind, Tensor};

/// libtorch's device.
///
/// # Errors
/// A GPU was asked for that libtorch does not have.
pub fn resolve(torch: Torch) -> Result<Device, String> {
    one_thread();
    let has = |n: usize| {
        tch::Cuda::is_available() && i64::try_from(n).is_ok_and(|n| n < tch::Cuda::device_count())
    };
    match torch {
        Torch::Auto if has(0) => Ok(Device::Cuda(0)),
        Torch::Auto | Torch::Cpu => Ok(Device::Cpu),
        Torch::Cuda(n) if has(n) => Ok(Device::Cuda(n)),
        Torch::Cuda(n) => Err(format!(
            "cuda:{n} does not exist ({}); use `torch:cpu` or `rust`",
            if tch::Cuda::is_available() {
                "libtorch sees fewer GPUs"
            } else {
                "this libtorch has no CUDA, or no GPU is available"
            }
        )),
    }
}

/// Sums in one order: one thread, set once for the process.
fn one_thread() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tch::set_num_threads(1);
        tch::set_num_interop_threads(1);
    });
}

/// Multiplies two small matrices where `torch:auto` computes: a libtorch that is there but broken gives something else.
/// Returns the name of the GPU that it takes, if it sees one.
///
/// # Errors
/// What libtorch reported, or what it computed.
pub fn probe() -> Result<Option<String>, String> {
    let device = resolve(Torch::Auto)?;
    let a = tch::Tensor::from_slice(&[1.0_f32, 2.0, 3.0, 4.0]).reshape([2, 2]);
    let product = a
        .f_to_device(device)
        .and_then(|a| a.f_matmul(&a))
        .and_then(|product| product.f_to_device(Device::Cpu));
    let product = product.map_err(|e| e.to_string())?;
    let values = Vec::<f32>::try_from(product.reshape([4])).map_err(|e| e.to_string())?;
    if values == [7.0, 10.0, 15.0, 22.0] {
        Ok(match device {
            Device::Cuda(n) => Some(format!("cuda:{n}")),
            _ => None,
        })
    } else {
        Err(format!(
            "its multiplication gives a wrong result: {values:?}"
        ))
    }
}

/// The network. All weights lie in one flat tensor; the layers' are views of it.
#[derive(Debug)]
pub struct TorchNetwork {
    towers: Vec<Tower>,
    sizes: Sizes,
    flat: Tensor,
    weights: Vec<Tensor>,
    device: Device,
    steps: i32,
    mean: Tensor,
    square: Tensor,
    /// What each tower's filters give for a text, until the weights change.
    known: RefCell<FxHashMap<String, Known>>,
}

/// What the filters give for texts.
#[derive(Debug, Default)]
struct Known {
    places: FxHashMap<u32, i64>,
    rows: Option<Tensor>,
}

impl TorchNetwork {
    /// A network with these weights.
    pub fn new(towers: &[Tower], sizes: Sizes, weights: &[f32], device: Device) -> Self {
        one_thread();
        let flat = Tensor::from_slice(weights).to_device(device);
        let mut start = 0;
        let view = |slot: &Slot| {
            let shape: Vec<i64> = slot.shape.iter().map(|&n| long(n)).collect();
            let part = flat.narrow(0, start, long(slot.len())).reshape(shape);
            start += long(slot.len());
            part.detach().set_requires_grad(true)
        };
        Self {
            weights: slots(towers, sizes).iter().map(view).collect(),
            towers: towers.to_vec(),
            sizes,
            device,
            steps: 0,
            mean: flat.zeros_like(),
            square: flat.zeros_like(),
            flat,
            known: RefCell::default(),
        }
    }

    /// The value of each row as a tensor of `rows.len`. `masks`: see [`Lesson::masks`]; `None`: only values are wanted.
    fn forward(&self, rows: &Rows, texts: &Texts, masks: Option<&[Vec<f32>]>) -> Tensor {
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
        let (mut at, mut spoken) = (0, 0);
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
                    let Some(masks) = masks else {
                        let mut known = self.known.borrow_mut();
                        let known = known.entry(name.clone()).or_default();
                        joined.push(known.of_texts(&rows.texts, self.device, convolved));
                        continue;
                    };
                    let values = Known::default().of_texts(&rows.texts, self.device, convolved);
                    joined.push(match masks.get(spoken) {
                        Some(mask) => {
                            let mask = Tensor::from_slice(mask).to_device(self.device);
                            &values * mask.reshape_as(&values)
                        }
                        None => values,
                    });
                    spoken += 1;
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

    /// The mean squared error, and its gradient by all weights.
    fn error(&self, lesson: &Lesson<'_>) -> (f32, Tensor) {
        let values = self.forward(lesson.rows, lesson.texts, Some(lesson.masks));
        let wanted = Tensor::from_slice(lesson.wanted).to_device(self.device);
        let error = (values - wanted).square().mean(Kind::Float);
        for weight in &self.weights {
            weight.shallow_clone().zero_grad();
        }
        error.backward();
        let gradients: Vec<Tensor> = self
            .weights
            .iter()
            .map(|w| w.grad().reshape([-1]))
            .collect();
        let gradient = tch::no_grad(|| Tensor::cat(&gradients, 0));
        (f32::try_from(&error).unwrap_or(f32::NAN), gradient)
    }
}

impl Known {
    /// What is given for each of the texts; for each that is new, `convolved` computes it.
    fn of_texts(
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

impl Network for TorchNetwork {
    fn values(&self, rows: &Rows, texts: &Texts) -> Vec<f32> {
        if rows.len == 0 {
            return Vec::new();
        }
        numbers(&tch::no_grad(|| self.forward(rows, texts, None)))
    }

    fn learn(&mut self, lesson: &Lesson<'_>, rate: f64) -> f32 {
        let (error, gradient) = self.error(lesson);
        self.steps = self.steps.saturating_add(1);
        tch::no_grad(|| {
            self.mean *= Moments::BETA1;
            self.mean += &gradient * (1.0 - Moments::BETA1);
            self.square *= Moments::BETA2;
            self.square += gradient.square() * (1.0 - Moments::BETA2);
            let rate = Moments::rate(rate, self.steps);
            self.flat -= &self.mean / (self.square.sqrt() + Moments::EPSILON) * rate;
        });
        self.known.take();
        error
    }

    fn gradient(&self, lesson: &Lesson<'_>) -> (f32, Vec<f32>) {
        let (error, gradient) = self.error(lesson);
        (error, numbers(&gradient))
    }

    fn weights(&self) -> Vec<f32> {
        numbers(&self.flat)
    }

    fn moments(&self) -> Moments {
        Moments {
            steps: self.steps,
            mean: numbers(&self.mean),
            square: numbers(&self.square),
        }
    }

    fn set_moments(&mut self, moments: &Moments) {
        self.steps = moments.steps;
        let own = [&mut self.mean, &mut self.square];
        for (tensor, values) in own.into_iter().zip([&moments.mean, &moments.square]) {
            assert_eq!(tensor.numel(), values.len(), "one number a weight");
            tensor.copy_(&Tensor::from_slice(values));
        }
    }

    fn twin(&self) -> Box<dyn Network> {
        let twin = Self::new(&self.towers, self.sizes, &self.weights(), self.device);
        Box::new(twin)
    }

    fn follow(&mut self, weights: &[f32]) {
        assert_eq!(weights.len(), self.flat.numel(), "one number a weight");
        tch::no_grad(|| self.flat.copy_(&Tensor::from_slice(weights)));
        self.known.take();
    }
}

/// A size as libtorch counts.
fn long(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A tensor's numbers.
fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat = tensor
        .to_device(Device::Cpu)
        .to_kind(Kind::Float)
        .reshape([-1]);
    let mut out = vec![0.0; flat.numel()];
    flat.copy_data(&mut out, flat.numel());
    out
}
