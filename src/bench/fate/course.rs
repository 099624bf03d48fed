//! One run in the raw walk: a learner, or random, so many steps, and the area under the curve.

use super::FateError;
use crate::device::sim::curve::Area;
use crate::device::sim::walk::Dice;
use crate::device::sim::{Model, Semantics, Walk};
use crate::explore::Stop;
use crate::strategy::learner::{Learner, Scene};
use crate::util::seed::Rng;
use rand::RngExt as _;

/// After so many steps the user's interrupt is checked: a third of a second of those who learn most in a step, and
/// too many to be felt by those who take millions a second.
const ASKED: u64 = 64;

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Area under the curve of activities ever seen, over the first 3999 steps.
    pub auc: f64,
    /// Activities seen at the end.
    pub activities: u32,
}

/// What learners see at each node: the published observation, which depends on the node alone.
#[derive(Debug)]
pub struct Scenes {
    bits: Vec<Vec<u32>>,
    fields: Vec<Vec<bool>>,
    rows: u32,
    /// The place of the first node as one that the episode has been at; those of the others follow.
    visited: u32,
}

impl Scenes {
    /// Of all nodes of a model.
    pub fn new(model: &Model) -> Self {
        let offset = u32::try_from(model.nodes.len()).unwrap_or(u32::MAX);
        let nodes = || model.nodes.iter().zip(0_u32..);
        let widgets = nodes().map(|(node, _)| node.widgets.end - node.widgets.start);
        Self {
            rows: widgets.max().unwrap_or(0) + 1,
            visited: offset + u32::try_from(model.widgets.len()).unwrap_or(u32::MAX - offset),
            bits: nodes()
                .map(|(node, ix)| {
                    let own = node.widgets.clone().map(|widget| offset + widget);
                    std::iter::once(ix).chain(own).collect()
                })
                .collect(),
            fields: nodes()
                .map(|(node, _)| {
                    let own = node.widgets.start as usize..node.widgets.end as usize;
                    model.widgets[own].iter().map(|w| w.editable).collect()
                })
                .collect(),
        }
    }

    /// The place of the walk's node as one that the episode has been at.
    fn place(&self, walk: &Walk<'_>) -> u32 {
        self.visited.saturating_add(walk.state().0.node)
    }

    /// What is seen where the walk stands.
    #[inline]
    fn at<'s>(&'s self, walk: &Walk<'_>, visited: &'s [u32]) -> Scene<'s> {
        let node = walk.state().0.node as usize;
        Scene {
            key: node as u64,
            bits: &self.bits[node],
            visited,
            widgets: walk.widgets(),
            strings: walk.strings(),
            beyond: true,
            rows: self.rows,
            fields: &self.fields[node],
        }
    }
}

/// A learner learns for so many steps.
///
/// # Errors
/// The model has no value for a guard or set, or the user stops it.
pub fn learn(
    model: &Model,
    semantics: Semantics,
    strings: &[&str],
    steps: u64,
    learner: &mut dyn Learner,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<Outcome, FateError> {
    let scenes = Scenes::new(model);
    let mut walk = Walk::new(model, semantics, strings, rng.random());
    let mut area = Area::default();
    let mut activities = 1;
    let mut visited = vec![scenes.place(&walk)];
    for number in 0..steps {
        if number.is_multiple_of(ASKED) && stop.requested() {
            return Err(FateError::Interrupted);
        }
        let act = learner.act(&scenes.at(&walk, &visited), rng);
        let step = walk.step(act.widget, act.string)?;
        area.push(step.activities);
        activities = step.activities;
        if step.new {
            visited.push(scenes.place(&walk));
        }
        let next = scenes.at(&walk, &visited);
        learner.learn(step.reward, &next, !walk.alive(), rng);
        if step.done {
            walk.reset();
            learner.begin();
            visited.clear();
            visited.push(scenes.place(&walk));
        }
    }
    Ok(Outcome {
        auc: area.value(),
        activities,
    })
}

/// FATE's random walk.
///
/// # Errors
/// The model has no value for a guard or set, or the user stops it.
pub fn random(
    model: &Model,
    semantics: Semantics,
    strings: &[&str],
    steps: u64,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<Outcome, FateError> {
    let mut walk = Walk::new(model, semantics, strings, rng.random());
    let mut dice = Dice::new(rng.random());
    let mut area = Area::default();
    let mut activities = 1;
    let mut left = steps;
    while left > 0 {
        if stop.requested() {
            return Err(FateError::Interrupted);
        }
        let now = left.min(ASKED);
        walk.random(&mut dice, now, |step| {
            area.push(step.activities);
            activities = step.activities;
        })?;
        left -= now;
    }
    Ok(Outcome {
        auc: area.value(),
        activities,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::bundle::Bundle;
    use crate::strategy::learner::Act;
    use crate::util::seed::generator;

    /// Operates one widget, and records every call. The user may stop it midway.
    #[derive(Default)]
    struct Told {
        widget: u32,
        steps: Vec<(f32, bool)>,
        visited: Vec<Vec<u32>>,
        started: Vec<usize>,
        stop: Stop,
        stopped_at: Option<usize>,
    }

    impl Learner for Told {
        fn act(&mut self, _: &Scene<'_>, _: &mut Rng) -> Act {
            Act {
                widget: self.widget,
                ..Act::default()
            }
        }

        fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, _: &mut Rng) {
            self.visited.push(next.visited.to_vec());
            self.steps.push((reward, terminal));
            if self.stopped_at == Some(self.steps.len()) {
                self.stop.request();
            }
        }

        fn begin(&mut self) {
            self.started.push(self.steps.len());
        }

        fn updates(&self) -> u64 {
            0
        }

        fn export(&self) -> Bundle {
            Bundle::default()
        }

        fn import(&mut self, _: &Bundle) -> Result<(), String> {
            Ok(())
        }
    }

    /// Its learner, and what came of the run.
    fn run(mut reported: Told, steps: u64) -> (Told, Result<Outcome, FateError>) {
        let text = r#"{ "nodes": [ { "node_id": "A", "transitions": [
            { "transition_id": 0, "type": "button", "destination": "A" },
            { "transition_id": 1, "type": "button", "exit": true } ] } ] }"#;
        let model = Model::parse(text, "m.json", "m").unwrap();
        let mut rng = generator(1, "m", "", 0);
        let stop = reported.stop.clone();
        let semantics = Semantics::FateCompat;
        let outcome = learn(
            &model,
            semantics,
            &["a"],
            steps,
            &mut reported,
            &mut rng,
            &stop,
        );
        (reported, outcome)
    }

    fn reported(widget: u32, steps: u64) -> Told {
        let started = Told {
            widget,
            ..Told::default()
        };
        let (reported, outcome) = run(started, steps);
        outcome.unwrap();
        reported
    }

    #[test]
    fn an_episode_that_ran_out_of_time_is_no_end_to_the_learner() {
        let reported = reported(0, 650);
        assert_eq!(reported.started, [300, 600]);
        assert!(reported.steps.iter().all(|step| *step == (-1.0, false)));
    }

    #[test]
    fn what_the_episode_has_been_at_is_what_is_paid_by() {
        let text = r#"{ "nodes": [
            { "node_id": "A", "transitions": [ { "transition_id": 0, "type": "button", "destination": "B" } ] },
            { "node_id": "B", "transitions": [ { "transition_id": 0, "type": "button", "destination": "A" } ] } ] }"#;
        let model = Model::parse(text, "m.json", "m").unwrap();
        let mut rng = generator(1, "m", "", 0);
        let mut reported = Told::default();
        let (semantics, stop) = (Semantics::Clean, Stop::default());
        learn(
            &model,
            semantics,
            &["a"],
            302,
            &mut reported,
            &mut rng,
            &stop,
        )
        .unwrap();
        // Two nodes, two widgets, then the nodes again.
        assert_eq!(reported.visited[..2], [[4, 5], [4, 5]]);
        // The episode's last step, then the next one's first.
        assert_eq!(reported.visited[299..], [[4, 5], [4, 5], [4, 5]]);
        let paid: Vec<usize> = (0..302).filter(|&ix| reported.steps[ix].0 > 0.0).collect();
        assert_eq!(paid, [0, 300]);
    }

    #[test]
    fn a_run_under_way_ends_when_the_user_stops_it() {
        let started = Told {
            stopped_at: Some(100),
            ..Told::default()
        };
        let (reported, outcome) = run(started, 5000);
        assert!(matches!(outcome, Err(FateError::Interrupted)));
        assert!(reported.steps.len() < 100 + 2 * usize::try_from(ASKED).unwrap());
        let model = Model::builtin("shop").unwrap();
        let mut rng = generator(1, "shop", "", 0);
        let semantics = Semantics::FateCompat;
        let walked = random(&model, semantics, &["a"], 5000, &mut rng, &reported.stop);
        assert!(matches!(walked, Err(FateError::Interrupted)));
    }

    /// The walk is taken in pieces, between which the user's interrupt is checked.
    #[test]
    fn a_walk_in_pieces_is_the_walk_in_one() {
        let model = Model::builtin("shop").unwrap();
        let (semantics, steps) = (Semantics::FateCompat, 10 * ASKED + 7);
        let mut rng = generator(1, "shop", "", 0);
        let mut walk = Walk::new(&model, semantics, &["a", "b"], rng.random());
        let mut dice = Dice::new(rng.random());
        let mut area = Area::default();
        let mut activities = 1;
        let each = |step: crate::device::sim::walk::WalkStep| {
            area.push(step.activities);
            activities = step.activities;
        };
        walk.random(&mut dice, steps, each).unwrap();
        let mut rng = generator(1, "shop", "", 0);
        let stop = Stop::default();
        let pieces = random(&model, semantics, &["a", "b"], steps, &mut rng, &stop).unwrap();
        let auc = area.value();
        assert_eq!(pieces, Outcome { auc, activities });
    }

    #[test]
    fn an_app_that_died_is_an_end_and_the_next_episode_begins() {
        let reported = reported(1, 3);
        assert_eq!(reported.started, [1, 2, 3]);
        assert!(reported.steps.iter().all(|(_, terminal)| *terminal));
    }
}
