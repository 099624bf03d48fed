//! Both engines over the same rows, compared and timed while the first one decides and learns.

use crate::engine::{Lesson, Moments, Network};
use crate::layout::{Rows, Texts};
use std::cell::RefCell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What came of the comparison in this process so far.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The largest difference between two values.
    pub difference: f32,
    /// Batches in which another event had the largest value: how many events there were, and how far the two are apart
    /// by the engine in Rust.
    pub choices: Vec<(usize, f32)>,
    /// The largest difference between two weights after a learning step from the same weights.
    pub weights: f32,
    /// Of each batch of events (a page, or the pages behind the transitions of a learning step) how many there were, and
    /// how long their values took, by the engine in Rust and by libtorch.
    pub values: Vec<(usize, [Duration; 2])>,
    /// How long a step down the gradient took.
    pub steps: Vec<[Duration; 2]>,
}

static COMPARISON: Mutex<Option<Comparison>> = Mutex::new(None);

impl Comparison {
    /// Takes what there is; the next comparison begins anew.
    pub fn take() -> Self {
        let mut kept = COMPARISON.lock().expect("nobody panics with it");
        kept.take().unwrap_or_default()
    }

    fn note(with: impl FnOnce(&mut Self)) {
        let mut kept = COMPARISON.lock().expect("nobody panics with it");
        with(kept.get_or_insert_default());
    }
}

/// The engine in Rust, and libtorch with the same weights.
#[derive(Debug)]
pub struct BothNetworks {
    rust: Box<dyn Network>,
    torch: RefCell<Box<dyn Network>>,
}

impl BothNetworks {
    pub fn new(rust: Box<dyn Network>, torch: Box<dyn Network>) -> Self {
        let torch = RefCell::new(torch);
        Self { rust, torch }
    }
}

fn timed<T>(compute: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (compute(), start.elapsed())
}

/// The largest difference, or infinity where only one of two is a number.
fn largest_difference(ours: &[f32], theirs: &[f32]) -> f32 {
    let apart = ours.iter().zip(theirs).map(|(ours, theirs)| {
        let apart = (ours - theirs).abs();
        if apart.is_nan() && ours.is_nan() != theirs.is_nan() {
            return f32::INFINITY;
        }
        apart
    });
    apart.fold(0.0, f32::max)
}

fn best(values: &[f32]) -> Option<usize> {
    (0..values.len()).reduce(|best, ix| if values[ix] > values[best] { ix } else { best })
}

impl Network for BothNetworks {
    fn values(&self, rows: &Rows, texts: &Texts) -> Vec<f32> {
        let torch = self.torch.borrow();
        let (ours, own) = timed(|| self.rust.values(rows, texts));
        let (theirs, other) = timed(|| torch.values(rows, texts));
        Comparison::note(|all| {
            all.difference = all.difference.max(largest_difference(&ours, &theirs));
            if let (Some(own), Some(other)) = (best(&ours), best(&theirs))
                && own != other
            {
                all.choices.push((rows.len, ours[own] - ours[other]));
            }
            all.values.push((rows.len, [own, other]));
        });
        ours
    }

    fn learn(&mut self, lesson: &Lesson<'_>, rate: f64) -> f32 {
        let torch = self.torch.get_mut();
        let (error, own) = timed(|| self.rust.learn(lesson, rate));
        let (_, other) = timed(|| torch.learn(lesson, rate));
        let (weights, theirs) = (self.rust.weights(), torch.weights());
        Comparison::note(|all| {
            all.weights = all.weights.max(largest_difference(&weights, &theirs));
            all.steps.push([own, other]);
        });
        // Rounding differs: each step begins where the engine in Rust ended the last.
        torch.follow(&weights);
        torch.set_moments(&self.rust.moments());
        error
    }

    fn gradient(&self, lesson: &Lesson<'_>) -> (f32, Vec<f32>) {
        self.rust.gradient(lesson)
    }

    fn weights(&self) -> Vec<f32> {
        self.rust.weights()
    }

    fn moments(&self) -> Moments {
        self.rust.moments()
    }

    fn set_moments(&mut self, moments: &Moments) {
        self.rust.set_moments(moments);
        self.torch.get_mut().set_moments(moments);
    }

    fn twin(&self) -> Box<dyn Network> {
        let torch = self.torch.borrow().twin();
        Box::new(Self::new(self.rust.twin(), torch))
    }

    fn follow(&mut self, weights: &[f32]) {
        self.rust.follow(weights);
        self.torch.get_mut().follow(weights);
    }
}
