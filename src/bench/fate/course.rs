//! One run in the raw walk: an agent, or random, so many steps, and the area under the curve.

use super::FateError;
use crate::device::sim::curve::Area;
use crate::device::sim::walk::Dice;
use crate::device::sim::{Model, Semantics, Walk};
use crate::strategy::agent::{Agent, Scene};
use crate::util::seed::Rng;
use rand::RngExt as _;

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Area under the curve of activities ever seen, over the first 3999 steps.
    pub auc: f64,
    /// Activities seen at the end.
    pub activities: u32,
}

/// What agents see at each node: the published observation, which depends on the node alone.
#[derive(Debug)]
pub struct Scenes {
    bits: Vec<Vec<u32>>,
    fields: Vec<Vec<bool>>,
    rows: u32,
}

impl Scenes {
    /// Of all nodes of a model.
    pub fn new(model: &Model) -> Self {
        let offset = u32::try_from(model.nodes.len()).unwrap_or(u32::MAX);
        let nodes = || model.nodes.iter().zip(0_u32..);
        let widgets = nodes().map(|(node, _)| node.widgets.end - node.widgets.start);
        Self {
            rows: widgets.max().unwrap_or(0) + 1,
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

    /// What is seen where the walk stands.
    #[inline]
    fn at(&self, walk: &Walk<'_>) -> Scene<'_> {
        let node = walk.state().0.node as usize;
        Scene {
            key: node as u64,
            bits: &self.bits[node],
            widgets: walk.widgets(),
            strings: walk.strings(),
            beyond: true,
            rows: self.rows,
            fields: &self.fields[node],
        }
    }
}

/// An agent learns for so many steps.
///
/// # Errors
/// The model has no value for a guard or set.
pub fn learn(
    model: &Model,
    semantics: Semantics,
    strings: &[&str],
    steps: u64,
    agent: &mut dyn Agent,
    rng: &mut Rng,
) -> Result<Outcome, FateError> {
    let scenes = Scenes::new(model);
    let mut walk = Walk::new(model, semantics, strings, rng.random());
    let mut area = Area::default();
    let mut activities = 1;
    for _ in 0..steps {
        let act = agent.act(&scenes.at(&walk), rng);
        let step = walk.step(act.widget, act.string)?;
        area.push(step.activities);
        activities = step.activities;
        agent.learn(step.reward, &scenes.at(&walk), !walk.alive(), rng);
        if step.done {
            walk.reset();
            agent.begin();
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
/// The model has no value for a guard or set.
pub fn random(
    model: &Model,
    semantics: Semantics,
    strings: &[&str],
    steps: u64,
    rng: &mut Rng,
) -> Result<Outcome, FateError> {
    let mut walk = Walk::new(model, semantics, strings, rng.random());
    let mut dice = Dice::new(rng.random());
    let mut area = Area::default();
    let mut activities = 1;
    walk.random(&mut dice, steps, |step| {
        area.push(step.activities);
        activities = step.activities;
    })?;
    Ok(Outcome {
        auc: area.value(),
        activities,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::bundle::Bundle;
    use crate::strategy::agent::Act;
    use crate::util::seed::generator;

    /// Operates one widget, and remembers what it is told.
    #[derive(Default)]
    struct Told {
        widget: u32,
        steps: Vec<(f32, bool)>,
        begun: Vec<usize>,
    }

    impl Agent for Told {
        fn act(&mut self, _: &Scene<'_>, _: &mut Rng) -> Act {
            Act {
                widget: self.widget,
                ..Act::default()
            }
        }

        fn learn(&mut self, reward: f32, _: &Scene<'_>, terminal: bool, _: &mut Rng) {
            self.steps.push((reward, terminal));
        }

        fn begin(&mut self) {
            self.begun.push(self.steps.len());
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

    fn told(widget: u32, steps: u64) -> Told {
        let text = r#"{ "nodes": [ { "node_id": "A", "transitions": [
            { "transition_id": 0, "type": "button", "destination": "A" },
            { "transition_id": 1, "type": "button", "exit": true } ] } ] }"#;
        let model = Model::parse(text, "m.json", "m").unwrap();
        let mut told = Told {
            widget,
            ..Told::default()
        };
        let mut rng = generator(1, "m", "", 0);
        learn(
            &model,
            Semantics::FateCompat,
            &["a"],
            steps,
            &mut told,
            &mut rng,
        )
        .unwrap();
        told
    }

    #[test]
    fn an_episode_that_ran_out_of_time_is_no_end_to_the_learner() {
        let told = told(0, 650);
        assert_eq!(told.begun, [300, 600]);
        assert!(told.steps.iter().all(|step| *step == (-1.0, false)));
    }

    #[test]
    fn an_app_that_died_is_an_end_and_the_next_episode_begins() {
        let told = told(1, 3);
        assert_eq!(told.begun, [1, 2, 3]);
        assert!(told.steps.iter().all(|(_, terminal)| *terminal));
    }
}
