//! A strategy that sees pages, run as a session on the sim device in FATE's terms: each event is a step, the app
//! is started anew after every episode.

use super::FateError;
use super::course::Outcome;
use crate::config::Oracles;
use crate::device::sim::curve::Area;
use crate::device::sim::walk::EPISODE;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Counts, Guide, Pages, Recorder, Session, Settings, Stop};
use crate::feature::txc::Vectors;
use crate::outcome::Finding;
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::{RunEvent, SessionHeader};
use crate::reward::Novelty;
use crate::strategy::dinodroid::{DinoDroid, Parameters};
use crate::strategy::{Decision, Step, Strategy, StrategyError, View};
use crate::util::seed::Rng;
use rand::RngExt as _;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Runs DinoDroid for so many events. Its texts are drawn from the strings, as the suite's generator does for models.
///
/// # Errors
/// The session fails: the model has no value for an expression, the tensor engine is broken.
pub fn run(
    model: &Model,
    semantics: Semantics,
    strings: &[String],
    steps: u64,
    parameters: &Parameters,
    mut rng: Rng,
) -> Result<Outcome, FateError> {
    let mut device = SimDevice::new("sim", semantics, rng.random());
    device.install_model(Arc::new(model.clone()));
    let mut strategy = Episodes {
        inner: DinoDroid::new(parameters.clone(), &Vectors::Shipped),
        steps: 0,
    };
    let mut curve = Curve::default();
    let settings = Settings {
        budget: Budget {
            events: Some(steps),
            ..Budget::default()
        },
        retries: 0,
        header: SessionHeader::default(),
        manifest_events: Vec::new(),
        texts: TextGenerator::from_pool(strings.to_vec()),
        throttle: Duration::ZERO,
        backoff: Duration::ZERO,
        guide: Guide::default(),
    };
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        crate::oracle::registry::make(&Oracles::default(), None),
        Box::new(Novelty {
            measured: !model.blocks.is_empty(),
            ..Novelty::default()
        }),
        &mut curve,
        rng,
    );
    let ended = session.run(&Stop::default());
    ended.map_err(|e| FateError::Session(e.to_string()))?;
    if let Some(failure) = curve.failure {
        return Err(FateError::Session(failure));
    }
    Ok(Outcome {
        auc: curve.area.value(),
        activities: curve.activities,
    })
}

/// A strategy whose app is started anew every so many events.
struct Episodes<S> {
    inner: S,
    steps: u32,
}

impl<S: Strategy> Strategy for Episodes<S> {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        if self.steps == EPISODE {
            self.steps = 0;
            return Ok(Decision::Restart);
        }
        self.steps += 1;
        self.inner.decide(view, rng)
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
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
