//! Adam (Kingma and Ba, 2015) over a network's flat weights; its state can be kept, for learning that goes on
//! another day.

use super::network::{Network, numbers};
use tch::Tensor;

/// Of the mean.
const BETA1: f64 = 0.9;
/// Of the mean square.
const BETA2: f64 = 0.999;
/// Keras's.
const EPSILON: f64 = 1e-7;

/// What Adam remembers, and how fast it goes.
#[derive(Debug)]
pub struct Adam {
    rate: f64,
    steps: i32,
    mean: Tensor,
    square: Tensor,
}

impl Adam {
    /// For this network, with learning rate `rate`.
    pub fn new(network: &mut Network, rate: f64) -> Self {
        let (flat, _) = network.parameters();
        Self {
            rate,
            steps: 0,
            mean: flat.zeros_like(),
            square: flat.zeros_like(),
        }
    }

    /// Steps taken, means and mean squares, as [`Adam::restore`] takes them.
    pub fn state(&self) -> (i32, Vec<f32>, Vec<f32>) {
        (self.steps, numbers(&self.mean), numbers(&self.square))
    }

    /// Goes on from a state.
    ///
    /// # Panics
    /// It is of another network.
    pub fn restore(&mut self, steps: i32, mean: &[f32], square: &[f32]) {
        self.steps = steps;
        for (tensor, values) in [(&mut self.mean, mean), (&mut self.square, square)] {
            assert_eq!(tensor.numel(), values.len(), "one number for each weight");
            tensor.copy_(&Tensor::from_slice(values));
        }
    }

    /// One step down the gradient of `loss`.
    pub fn step(&mut self, network: &mut Network, loss: &Tensor) {
        let (flat, weights) = network.parameters();
        for weight in weights.iter_mut() {
            weight.zero_grad();
        }
        loss.backward();
        tch::no_grad(|| {
            let grads: Vec<Tensor> = weights.iter().map(|w| w.grad().reshape([-1])).collect();
            let grad = Tensor::cat(&grads, 0);
            self.steps = self.steps.saturating_add(1);
            self.mean *= BETA1;
            self.mean += &grad * (1.0 - BETA1);
            self.square *= BETA2;
            self.square += grad.square() * (1.0 - BETA2);
            let bias = (1.0 - BETA2.powi(self.steps)).sqrt() / (1.0 - BETA1.powi(self.steps));
            *flat -= &self.mean / (self.square.sqrt() + EPSILON) * (self.rate * bias);
        });
    }
}
