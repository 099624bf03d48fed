//! What computes a network, and how a caller names it.

use crate::layout::{Rows, Texts, Tower};
use crate::rust::RustNetwork;
use crate::shape::Sizes;
use std::fmt;
use std::str::FromStr;

/// What computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Rust, on one core, in every build.
    #[default]
    Rust,
    /// libtorch, in a build with the feature `tch`.
    Torch(Torch),
    /// Both, the second only to be compared: see [`crate::Comparison`]. No text names it.
    #[cfg(feature = "tch")]
    Both,
}

/// Where libtorch computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Torch {
    /// The first GPU where libtorch has CUDA and finds one, else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU of this number.
    Cuda(usize),
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let torch = match text {
            "rust" => return Ok(Self::Rust),
            "torch" | "torch:cpu" => Torch::Cpu,
            "torch:auto" => Torch::Auto,
            "torch:cuda" => Torch::Cuda(0),
            _ => {
                let number = text.strip_prefix("torch:cuda:").unwrap_or_default();
                let number = number.parse().map_err(|_| {
                    format!(
                        "{text:?} is not an engine: `rust`, `torch:cpu`, `torch:auto`, or a GPU such as `torch:cuda:0`"
                    )
                })?;
                Torch::Cuda(number)
            }
        };
        Ok(Self::Torch(torch))
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rust => f.write_str("rust"),
            #[cfg(feature = "tch")]
            Self::Both => f.write_str("both"),
            Self::Torch(Torch::Auto) => f.write_str("torch:auto"),
            Self::Torch(Torch::Cpu) => f.write_str("torch:cpu"),
            Self::Torch(Torch::Cuda(number)) => write!(f, "torch:cuda:{number}"),
        }
    }
}

impl Engine {
    /// Is it there?
    ///
    /// # Errors
    /// This build lacks libtorch, or libtorch lacks the GPU.
    pub fn check(self) -> Result<(), String> {
        match self {
            Self::Rust => Ok(()),
            #[cfg(feature = "tch")]
            Self::Torch(torch) => crate::torch::resolve(torch).map(drop),
            #[cfg(feature = "tch")]
            Self::Both => Ok(()),
            #[cfg(not(feature = "tch"))]
            Self::Torch(_) => Err(no_libtorch(self)),
        }
    }

    /// A network with these weights, in the order of [`crate::slots`].
    ///
    /// # Errors
    /// As for [`Engine::check`], or there are fewer or more weights than the slots hold.
    pub fn network(
        self,
        towers: &[Tower],
        sizes: Sizes,
        weights: &[f32],
    ) -> Result<Box<dyn Network>, String> {
        let wanted: usize = crate::slots(towers, sizes).iter().map(|s| s.len()).sum();
        if weights.len() != wanted {
            return Err(format!(
                "the network has {wanted} weights, and {} were given",
                weights.len()
            ));
        }
        match self {
            Self::Rust => Ok(Box::new(RustNetwork::new(towers, sizes, weights))),
            #[cfg(feature = "tch")]
            Self::Torch(torch) => {
                let device = crate::torch::resolve(torch)?;
                let network = crate::torch::TorchNetwork::new(towers, sizes, weights, device);
                Ok(Box::new(network))
            }
            #[cfg(feature = "tch")]
            Self::Both => {
                let [rust, torch] = [Self::Rust, Self::Torch(Torch::Cpu)]
                    .map(|engine| engine.network(towers, sizes, weights));
                Ok(Box::new(crate::both::BothNetworks::new(rust?, torch?)))
            }
            #[cfg(not(feature = "tch"))]
            Self::Torch(_) => Err(no_libtorch(self)),
        }
    }
}

/// Has libtorch, in a build with it, compute something. Returns the name of the GPU that `torch:auto` takes, if there is
/// one; nothing in a build without libtorch.
///
/// # Errors
/// What libtorch reported, or what it computed.
pub fn probe() -> Option<Result<Option<String>, String>> {
    #[cfg(feature = "tch")]
    return Some(crate::torch::probe());
    #[cfg(not(feature = "tch"))]
    None
}

#[cfg(not(feature = "tch"))]
fn no_libtorch(engine: Engine) -> String {
    format!(
        "this build has no libtorch, which `{engine}` needs; use `rust`, or build the tool with `--features tch`"
    )
}

/// What one step learns from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The events.
    pub rows: &'a Rows,
    /// Their texts.
    pub texts: &'a Texts,
    /// The value that each event should have.
    pub wanted: &'a [f32],
    /// For each tower of words a mask of `rows.len` x filters: 0 for what is dropped, else what keeps the mean. Empty:
    /// nothing is dropped.
    pub masks: &'a [Vec<f32>],
}

/// The state of Adam (Kingma and Ba, 2015), in the order of the weights.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moments {
    /// Steps taken.
    pub steps: i32,
    /// Running means of the gradient.
    pub mean: Vec<f32>,
    /// Running means of its square.
    pub square: Vec<f32>,
}

impl Moments {
    /// Of mean.
    pub(crate) const BETA1: f64 = 0.9;
    /// Of square.
    pub(crate) const BETA2: f64 = 0.999;
    /// Keras's, which the published code uses.
    pub(crate) const EPSILON: f64 = 1e-7;

    /// The factor that takes out the bias towards 0 of the first steps, times the learning rate.
    pub(crate) fn rate(rate: f64, steps: i32) -> f64 {
        rate * (1.0 - power(Self::BETA2, steps)).sqrt() / (1.0 - power(Self::BETA1, steps))
    }
}

/// `base` to the power `exponent`. The last bit of `f64::powi` may differ from one compiler to the next.
fn power(mut base: f64, exponent: i32) -> f64 {
    let mut exponent = exponent.max(0);
    let mut product = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}

/// A network on an engine.
pub trait Network: fmt::Debug + Send {
    /// The value of each row, without dropout.
    fn values(&self, rows: &Rows, texts: &Texts) -> Vec<f32>;

    /// One step of Adam down the gradient of the mean squared error. Returns the error before the step.
    fn learn(&mut self, lesson: &Lesson<'_>, rate: f64) -> f32;

    /// The mean squared error, and its gradient by each weight.
    fn gradient(&self, lesson: &Lesson<'_>) -> (f32, Vec<f32>);

    /// All weights, in the order of [`crate::slots`].
    fn weights(&self) -> Vec<f32>;

    /// The optimiser's state.
    fn moments(&self) -> Moments;

    /// Goes on from a state of the optimiser.
    ///
    /// # Panics
    /// It is of another network.
    fn set_moments(&mut self, moments: &Moments);

    /// A copy with the same weights, which only change by [`Network::follow`]: what its filters give for a text is
    /// computed once between two changes.
    fn twin(&self) -> Box<dyn Network>;

    /// Takes over these weights, given as [`Network::weights`] returns them.
    ///
    /// # Panics
    /// They are of another network.
    fn follow(&mut self, weights: &[f32]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_named_as_they_are_read() {
        for engine in [
            Engine::Rust,
            Engine::Torch(Torch::Auto),
            Engine::Torch(Torch::Cpu),
            Engine::Torch(Torch::Cuda(3)),
        ] {
            assert_eq!(engine.to_string().parse(), Ok(engine));
        }
        assert_eq!("torch".parse(), Ok(Engine::Torch(Torch::Cpu)));
        for wrong in ["cpu", "cuda:0", "torch:cuda:x", "torch:gpu", ""] {
            let why = wrong.parse::<Engine>().unwrap_err();
            assert!(why.contains("`torch:cuda:0`"), "{why}");
        }
    }

    #[test]
    #[cfg(not(feature = "tch"))]
    fn without_libtorch_its_engine_is_refused_with_the_feature_to_build_with() {
        let why = Engine::Torch(Torch::Cpu).check().unwrap_err();
        assert!(
            why.contains("`torch:cpu`") && why.contains("--features tch"),
            "{why}"
        );
    }
}
