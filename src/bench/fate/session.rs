//! A strategy that sees pages, run as a session on the sim device in FATE's terms: each event is a step, the app
//! is restarted after every episode.

use super::FateError;
use super::course::Outcome;
use crate::config::Oracles;
use crate::device::sim::curve::Area;
use crate::device::sim::walk::EPISODE;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Counts, Pages, Recorder, Session, Settings, Stop};
use crate::graph::States;
use crate::outcome::Finding;
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::{EndReason, RunEvent};
use crate::reward::Novelty;
use crate::strategy::{Decision, Step, Strategy, StrategyError, View};
use crate::util::seed::Rng;
use rand::RngExt as _;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Runs a strategy for so many events. Its texts are drawn from the strings, as the suite's generator does for models.
///
/// # Errors
/// The session fails: the model has no value for an expression, the tensor engine is broken. Or the user stops it.
pub fn run(
    model: &Model,
    semantics: Semantics,
    strings: &[String],
    steps: u64,
    inner: &mut dyn Strategy,
    rng: Rng,
    stop: &Stop,
) -> Result<Outcome, FateError> {
    let mut strategy = Episodes { inner, steps: 0 };
    explore(model, semantics, strings, steps, &mut strategy, rng, stop)
}

fn explore(
    model: &Model,
    semantics: Semantics,
    strings: &[String],
    steps: u64,
    strategy: &mut dyn Strategy,
    mut rng: Rng,
    stop: &Stop,
) -> Result<Outcome, FateError> {
    let mut device = SimDevice::new("sim", semantics, rng.random());
    device.install_model(Arc::new(model.clone()));
    let mut curve = Curve::default();
    let settings = Settings {
        budget: Budget {
            events: Some(steps),
            ..Budget::default()
        },
        texts: TextGenerator::from_pool(strings.to_vec()),
        ..Settings::default()
    };
    let session = Session::new(
        settings,
        &mut device,
        strategy,
        crate::oracle::registry::make(
            &Oracles::default(),
            &crate::oracle::program::Program::default(),
        ),
        Box::new(Novelty {
            measured: !model.blocks.is_empty(),
            ..Novelty::default()
        }),
        &mut curve,
        rng,
    );
    let ended = session.run(stop);
    let reason = ended.map_err(|e| FateError::Session(e.to_string()))?;
    if reason == EndReason::Interrupted {
        return Err(FateError::Interrupted);
    }
    if let Some(failure) = curve.failure {
        return Err(FateError::Session(failure));
    }
    Ok(Outcome {
        auc: curve.area.value(),
        activities: curve.activities,
    })
}

/// A strategy whose app is started anew every so many events.
struct Episodes<'a> {
    inner: &'a mut dyn Strategy,
    steps: u32,
}

impl Strategy for Episodes<'_> {
    fn states(&self) -> Option<Box<dyn States>> {
        self.inner.states()
    }

    fn saves(&self) -> bool {
        self.inner.saves()
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        if self.steps == EPISODE {
            self.steps = 0;
            return Ok(Decision::Restart);
        }
        let decision = self.inner.decide(view, rng)?;
        let is_event = !matches!(decision, Decision::Save(_) | Decision::Restore(_));
        self.steps += u32::from(is_event);
        Ok(decision)
    }

    fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
        self.inner.interrupted(view, rng)
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
        if !step.after.alive {
            // The session starts it again: that is the next episode.
            self.steps = 0;
        }
        self.inner.learn(step, reward)
    }

    fn explanation(&mut self) -> Option<Explanation> {
        // Nobody reads them here.
        let _ = self.inner.explanation();
        None
    }
}

/// Counts activities event by event.
#[derive(Default)]
struct Curve {
    area: Area,
    activities: u32,
    failure: Option<String>,
}

impl Recorder for Curve {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        let more = |all: &[String]| u32::try_from(all.len()).unwrap_or(u32::MAX);
        match event {
            RunEvent::Launch { activities, .. } => self.activities += more(activities),
            RunEvent::Step(step) => {
                self.activities += more(&step.activities);
                self.area.push(self.activities);
            }
            RunEvent::DeviceFailure { message, .. } => self.failure = Some(message.clone()),
            _ => {}
        }
        Ok(())
    }

    fn timing(&mut self, _: u64, _: Duration, _: Duration) -> io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, _: &Counts) {}

    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::EventKind;
    use crate::util::seed::generator;

    const MODEL: &str = r#"{ "nodes": [
        { "node_id": "First", "transitions": [
            { "transition_id": "on", "type": "button", "destination": "Second" } ] },
        { "node_id": "Second", "transitions": [
            { "transition_id": "stay", "type": "button", "destination": "Second" },
            { "transition_id": "die", "type": "button", "destination": "Second", "crash": { "exception": "E" } } ] } ] }"#;

    /// Stays on the second page, where it lets the app die once, and remembers before which events it saw the first.
    /// The user may stop it midway.
    #[derive(Default)]
    struct Walker {
        events: u64,
        dies_at: u64,
        on_first: Vec<u64>,
        stop: Stop,
        stopped_at: Option<u64>,
    }

    impl Strategy for Walker {
        fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
            let events = view.page.events.iter().zip(0..);
            let clicks: Vec<_> = events
                .filter(|(event, _)| event.kind == EventKind::Click)
                .map(|(_, ix)| ix)
                .collect();
            // The published simulator has no other actions.
            assert_eq!(clicks.len(), view.page.events.len());
            if clicks.len() == 1 {
                self.on_first.push(self.events);
            }
            let event = clicks[usize::from(self.events == self.dies_at)];
            if self.stopped_at == Some(self.events) {
                self.stop.request();
            }
            self.events += 1;
            Ok(Decision::Perform { event, input: None })
        }
    }

    fn walked(mut walker: Walker) -> (Walker, Result<Outcome, FateError>) {
        let model = Model::parse(MODEL, "m.json", "m").unwrap();
        let stop = walker.stop.clone();
        let mut strategy = Episodes {
            inner: &mut walker,
            steps: 0,
        };
        let rng = generator(1, "m", "", 0);
        let semantics = Semantics::FateCompat;
        let outcome = explore(&model, semantics, &[], 700, &mut strategy, rng, &stop);
        (walker, outcome)
    }

    #[test]
    fn an_episode_after_a_death_is_as_long_as_any() {
        let (walker, outcome) = walked(Walker {
            dies_at: 10,
            ..Walker::default()
        });
        assert_eq!(outcome.unwrap().activities, 2);
        assert_eq!(walker.on_first, [0, 11, 311, 611]);
    }

    #[test]
    fn a_session_under_way_ends_when_the_user_stops_it() {
        let (walker, outcome) = walked(Walker {
            dies_at: 10,
            stopped_at: Some(50),
            ..Walker::default()
        });
        assert!(matches!(outcome, Err(FateError::Interrupted)));
        assert_eq!(walker.events, 51);
    }
}
