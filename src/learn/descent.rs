//! Adam over plain numbers, for networks that no tensor engine computes.

/// Adam (Kingma and Ba, 2015) over a network's weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adam {
    rate: f32,
    steps: i32,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    /// With learning rate `rate`.
    pub fn new(rate: f32) -> Self {
        Self {
            rate,
            ..Self::default()
        }
    }

    /// One step against the gradient. Weights that are new since the last step begin with no momentum.
    pub fn step(&mut self, weights: &mut [f32], grads: &[f32]) {
        const BETA: (f32, f32) = (0.9, 0.999);
        self.mean.resize(weights.len(), 0.0);
        self.square.resize(weights.len(), 0.0);
        self.steps = self.steps.saturating_add(1);
        let bias = (1.0 - BETA.1.powi(self.steps)).sqrt() / (1.0 - BETA.0.powi(self.steps));
        let rate = self.rate * bias;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, grad), (mean, square)) in weights.iter_mut().zip(grads).zip(moments) {
            *mean += (1.0 - BETA.0) * (grad - *mean);
            *square += (1.0 - BETA.1) * (grad * grad - *square);
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }
}
