//! A session of `dinodroid` on a model whose events are not kept.

use droidtest::config::Oracles;
use droidtest::device::sim::{Model, Semantics, SimDevice};
use droidtest::explore::text::TextGenerator;
use droidtest::explore::{Budget, Counts, Pages, Recorder, Session, Settings, Stop};
use droidtest::feature::txc::Vectors;
use droidtest::outcome::{Finding, RunEvent};
use droidtest::reward::Novelty;
use droidtest::strategy::dinodroid::{self, DinoDroid};
use droidtest::util::seed;
use droidtest_network::Engine;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub mod bed;

/// Keeps nothing.
struct Nowhere;

impl Recorder for Nowhere {
    fn event(&mut self, _: &RunEvent) -> io::Result<()> {
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

/// So many events on the model `shop`.
pub fn run(engine: Engine, events: u64) {
    let model = Arc::new(Model::builtin("shop").expect("a built-in model"));
    let mut device = SimDevice::new("sim", Semantics::Clean, 0);
    device.install_model(Arc::clone(&model));
    let settings = dinodroid::Settings::default();
    let mut strategy = DinoDroid::new(settings, engine, &Vectors::Shipped);
    let mut recorder = Nowhere;
    let settings = Settings {
        budget: Budget {
            events: Some(events),
            ..Budget::default()
        },
        texts: TextGenerator::from_pool(model.strings.clone()),
        ..Settings::default()
    };
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        droidtest::oracle::registry::make(&Oracles::default(), &Default::default()),
        Box::new(Novelty::default()),
        &mut recorder,
        seed::generator(1, "shop", "dinodroid", 0),
    );
    session.run(&Stop::default()).expect("a session");
}
