//! What the actor-critics share: from numbers in -1 to 1 to an action and back, critics, memory of the last step.

use super::learner::{Act, Scene};
use crate::learn::bundle::{Bundle, bounded};
use crate::learn::descent::Adam;
use crate::learn::mlp::{Batch, Mlp, Shape};
use crate::learn::observations::Observations;
use crate::util::seed::Rng;
use ndarray::Array2;
use rand::RngExt as _;
use std::sync::Arc;

/// Strings that an order can be drawn for.
pub(super) const STRINGS: usize = 1 << 16;

/// How actions come about. Two numbers on FATE models (widget, string), three on devices.
#[derive(Debug)]
pub struct Body {
    /// Numbers of an action.
    pub numbers: usize,
    /// By number in the network's order: the string. Drawn by chance, so that nothing can be made of the pool's
    /// order, which a network would take neighbours in for alike.
    order: Vec<u32>,
    /// What was seen when the last action was chosen, and its numbers.
    last: Option<(Arc<[u32]>, [f32; 3])>,
    /// What was met, each once.
    met: Observations,
    /// Are the activities of the episode seen?
    pub visited: bool,
}

impl Body {
    /// For actions of so many numbers, at most 3. `visited`: see [`Body::see`].
    pub fn new(numbers: usize, visited: bool) -> Self {
        Self {
            numbers: numbers.clamp(1, 3),
            order: Vec::new(),
            last: None,
            met: Observations::default(),
            visited,
        }
    }

    /// The places that are on, shared with all steps where they are the same. With `visited` those of the activities
    /// that the episode has been at are on, too: what an activity pays depends on them.
    pub fn see(&mut self, scene: &Scene<'_>) -> Arc<[u32]> {
        if !self.visited {
            return self.met.share(scene.bits);
        }
        let mut on = [scene.bits, scene.visited].concat();
        // In whatever order they were met.
        on[scene.bits.len()..].sort_unstable();
        self.met.share(&on)
    }

    /// Numbers drawn evenly. Where FATE's sampling is asked for, the widget's is one of those that stand for a
    /// whole number, the one beyond the last among them.
    pub fn any(&self, scene: &Scene<'_>, rng: &mut Rng) -> [f32; 3] {
        let mut raw = [0.0; 3];
        for number in &mut raw[..self.numbers] {
            *number = rng.random::<f32>() * 2.0 - 1.0;
        }
        if scene.beyond && scene.widgets > 0 {
            let widget = rng.random_range(0..=scene.widgets);
            raw[0] = 2.0 * widget as f32 / scene.widgets as f32 - 1.0;
        }
        raw
    }

    /// The action that these numbers mean: each range is cut into as many equal parts as there are choices.
    pub fn choose(
        &mut self,
        bits: Arc<[u32]>,
        raw: [f32; 3],
        scene: &Scene<'_>,
        rng: &mut Rng,
    ) -> Act {
        let strings = (scene.strings.max(1) as usize).min(STRINGS);
        while self.order.len() < strings {
            // Fisher and Yates's shuffle, inside out.
            let at = rng.random_range(0..=self.order.len());
            let new = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
            self.order.push(new);
            let last = self.order.len() - 1;
            self.order.swap(at, last);
        }
        self.last = Some((bits, raw));
        let string = part(raw[1], u32::try_from(strings).unwrap_or(u32::MAX));
        // With fewer strings than were met before, those that are not there are passed over.
        let from = self
            .order
            .iter()
            .cycle()
            .skip(string as usize)
            .take(self.order.len());
        let there = from.copied().find(|&s| s < scene.strings).unwrap_or(0);
        Act {
            widget: match raw[0] {
                // FATE's range ends at one beyond the last.
                edge if scene.beyond && edge >= 1.0 => scene.widgets,
                inside => part(inside, scene.widgets),
            },
            string: there,
            second: raw[2] > 0.0,
        }
    }

    /// What was seen and done in the last step.
    pub fn take(&mut self) -> Option<(Arc<[u32]>, [f32; 3])> {
        self.last.take()
    }

    /// Puts the order of strings to what was learned.
    pub fn export(&self, into: &mut Bundle) {
        let order = self.order.iter().map(|&n| n as f32).collect();
        into.tensors.insert("order".into(), order);
    }

    /// Takes the order of strings over.
    ///
    /// # Errors
    /// It is none: each of the numbers from 0 on must stand there once.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked below
    pub fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        let numbers = learned.tensor("order")?;
        let order: Vec<u32> = numbers.iter().map(|&n| n as u32).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let whole = numbers.iter().zip(&order).all(|(n, &own)| *n == own as f32);
        if !whole || !sorted.iter().copied().eq((0..).take(order.len())) {
            return Err(
                "its `order` of strings names one twice, or one that does not exist".into(),
            );
        }
        self.order = order;
        Ok(())
    }
}

/// Which of `count` equal parts of -1 to 1 this number lies in; 0 where there is none.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
fn part(number: f32, count: u32) -> u32 {
    // A number that stands for a whole one may lie a little below it.
    let at = (f64::from(number) + 1.0) / 2.0 * f64::from(count) + 1e-5;
    (at.max(0.0) as u32).min(count.saturating_sub(1))
}

/// A network with its optimiser.
#[derive(Clone, Debug)]
pub struct Approximator {
    /// The network.
    pub net: Mlp,
    adam: Adam,
    grads: Vec<f32>,
}

impl Approximator {
    /// A fresh one.
    pub fn new(shape: Shape, last: f32, rate: f32, rng: &mut Rng) -> Self {
        Self {
            net: Mlp::new(shape, last, rng),
            adam: Adam::new(rate),
            grads: Vec::new(),
        }
    }

    /// Gradient of the loss by its outputs goes in; the weights take a step. Gives the gradient by dense inputs.
    pub fn step(
        &mut self,
        batch: &Batch<'_>,
        pass: &crate::learn::mlp::Pass,
        by_out: &Array2<f32>,
    ) {
        self.grads.clear();
        self.grads.resize(self.net.weights().len(), 0.0);
        self.net.backward(batch, pass, by_out, &mut self.grads);
        self.adam.step(self.net.weights_mut(), &self.grads);
    }

    /// A critic's step: half the mean squared distance of its values from these.
    pub fn regress(&mut self, batch: &Batch<'_>, wanted: &[f32]) {
        let pass = self.net.forward(batch);
        let share = 1.0 / wanted.len() as f32;
        let mut by_out = pass.out.clone();
        for (value, wanted) in by_out.iter_mut().zip(wanted) {
            *value = (*value - wanted) * share;
        }
        self.step(batch, &pass, &by_out);
    }

    /// A critic's values, and how each changes with the action's numbers, row by row.
    pub fn slopes(&mut self, batch: &Batch<'_>) -> (Vec<f32>, Vec<f32>) {
        let pass = self.net.forward(batch);
        let ones = Array2::ones(pass.out.raw_dim());
        self.grads.clear();
        self.grads.resize(self.net.weights().len(), 0.0);
        let slopes = self.net.backward(batch, &pass, &ones, &mut self.grads);
        (pass.out.iter().copied().collect(), slopes)
    }

    /// Puts the weights to what was learned.
    pub fn export(&self, name: &str, into: &mut Bundle) {
        into.tensors.insert(name.into(), self.net.all());
    }

    /// Takes weights over; momentum begins anew.
    ///
    /// # Errors
    /// They are of another shape, or such as learning cannot go on from.
    pub fn import(&mut self, name: &str, learned: &Bundle) -> Result<(), String> {
        let weights = learned.tensor(name)?.to_vec();
        bounded(name, &weights)?;
        let net = Mlp::with(self.net.shape(), weights);
        self.net = net.ok_or_else(|| format!("its `{name}` is a network of another shape"))?;
        Ok(())
    }
}

/// Does each of these critics know as many places as the policy? They meet places together.
///
/// # Errors
/// One does not.
pub fn meet_alike(actor: &Approximator, critics: &[Approximator]) -> Result<(), String> {
    let known = actor.net.places();
    match critics.iter().find(|one| one.net.places() != known) {
        None => Ok(()),
        Some(other) => Err(format!(
            "its `actor` knows {known} places, but a critic knows {}",
            other.net.places()
        )),
    }
}

/// A number from the standard normal distribution (Box and Muller, 1958).
pub fn normal(rng: &mut Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    let angle = std::f64::consts::TAU * rng.random::<f64>();
    #[allow(clippy::cast_possible_truncation)] // a few units
    let drawn = (radius * angle.cos()) as f32;
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;

    #[test]
    fn each_choice_has_an_equal_part_of_the_range() {
        let mut counts = [0; 5];
        for n in 0..10_000_u16 {
            counts[part(f32::from(n) / 5000.0 - 1.0, 5) as usize] += 1;
        }
        assert!(
            counts.iter().all(|n| (1990..=2010).contains(n)),
            "{counts:?}"
        );
        assert_eq!((part(1.0, 5), part(-1.0, 5), part(0.3, 0)), (4, 0, 0));
    }

    #[test]
    fn activities_of_the_episode_are_seen_where_that_is_wanted() {
        let scene = |visited| Scene {
            key: 0,
            bits: &[3, 1],
            visited,
            widgets: 1,
            strings: 1,
            beyond: false,
            rows: 0,
            fields: &[],
        };
        let mut body = Body::new(2, true);
        assert_eq!(*body.see(&scene(&[])), [3, 1]);
        let there = body.see(&scene(&[9, 7]));
        assert_eq!(*there, [3, 1, 7, 9]);
        assert!(Arc::ptr_eq(&there, &body.see(&scene(&[7, 9]))));
        assert_eq!(*Body::new(2, false).see(&scene(&[7, 9])), [3, 1]);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_deviation_1() {
        let mut rng = generator(1, "", "", 0);
        let drawn: Vec<f32> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = drawn.iter().sum::<f32>() / 20_000.0;
        let square = drawn.iter().map(|x| x * x).sum::<f32>() / 20_000.0;
        assert!(
            mean.abs() < 0.03 && (square - 1.0).abs() < 0.05,
            "{mean} {square}"
        );
    }

    #[test]
    fn every_string_can_be_chosen_and_their_order_is_chance() {
        let scene = Scene {
            key: 0,
            bits: &[],
            visited: &[],
            widgets: 1,
            strings: 7,
            beyond: false,
            rows: 0,
            fields: &[],
        };
        let mut orders = Vec::new();
        for seed in 0..4 {
            let mut rng = generator(seed, "", "", 0);
            let mut body = Body::new(2, false);
            let bits = body.see(&scene);
            let of = |n: u8| [0.0, (f32::from(n) + 0.5) / 3.5 - 1.0, 0.0];
            let order: Vec<u32> = (0..7)
                .map(|n| {
                    body.choose(Arc::clone(&bits), of(n), &scene, &mut rng)
                        .string
                })
                .collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5, 6]);
            orders.push(order);
        }
        orders.dedup();
        assert!(orders.len() > 2);
    }
}
