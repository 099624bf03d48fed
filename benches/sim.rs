//! What a step of a model costs: the raw walk, and the device as a session drives it.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use droidtest::config::{Oracles, Screenshots};
use droidtest::device::sim::generate::{Wish, depth_for, generate};
use droidtest::device::sim::walk::Dice;
use droidtest::device::sim::{Model, Semantics, SimDevice, Walk};
use droidtest::device::{Action, Device, Reset};
use droidtest::explore::text::TextGenerator;
use droidtest::explore::{Budget, Session, Settings, Stop};
use droidtest::gui::EventKind;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::run_event::SessionHeader;
use droidtest::reward::Novelty;
use droidtest::run::observer::Silent;
use droidtest::run::record::SessionRecorder;
use droidtest::strategy;
use droidtest::strategy::definition::{Context, Preset};
use droidtest::util::intern::Interner;
use droidtest::util::seed;
use std::sync::Arc;

fn main() {
    divan::main();
}

const MODELS: [&str; 3] = ["notes", "shop", "tape"];

/// Steps of an iteration of the raw walk.
const WALK: u64 = 1_000_000;

/// Random actions as the published simulator samples them, resets included.
#[divan::bench(args = MODELS, sample_count = 20, sample_size = 1)]
fn raw_walk(bencher: Bencher<'_, '_>, name: &str) {
    let model = Model::builtin(name).expect("a built-in model");
    let pool: Vec<&str> = model.strings.iter().map(String::as_str).collect();
    let mut dice = Dice::new(7);
    bencher.counter(ItemsCount::new(WALK)).bench_local(|| {
        let mut walk = Walk::new(&model, Semantics::FateCompat, &pool, 0);
        let mut rewards = 0.0;
        let walked = walk.random(&mut dice, WALK, |step| rewards += step.reward);
        walked.expect("a walk");
        black_box(rewards)
    });
}

/// Events of an iteration of the device.
const EVENTS: u64 = 100_000;

/// `perform` and `observe`, with a reset after each crash: all a session spends on its device.
#[divan::bench(args = MODELS, sample_count = 20, sample_size = 1)]
fn perform_and_observe(bencher: Bencher<'_, '_>, name: &str) {
    let model = Arc::new(Model::builtin(name).expect("a built-in model"));
    let pool = model.strings.clone();
    let mut device = SimDevice::new("sim", Semantics::Clean, 0);
    device.install_model(model);
    device.reset(Reset::ClearData).expect("a start");
    let mut interner = Interner::default();
    let mut page = device.observe(&mut interner).expect("a page").page();
    let mut dice = Dice::new(7);
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        for _ in 0..EVENTS {
            let offered = u32::try_from(page.events.len()).unwrap_or(u32::MAX);
            let texts = u32::try_from(pool.len()).unwrap_or(u32::MAX);
            let (event, text) = dice.pair(offered, texts);
            let event = &page.events[event as usize];
            let n = event.widget.unwrap_or(0);
            let action = match event.kind {
                EventKind::Click => Action::Click { n },
                EventKind::Text => Action::Text {
                    n,
                    s: pool[text as usize].clone(),
                    ime: false,
                },
                _ => Action::Key { code: 4 },
            };
            device.perform(&action).expect("performed");
            let seen = device.observe(&mut interner).expect("observed");
            match seen.page {
                Some(shown) => page = shown,
                None => {
                    device.reset(Reset::ClearData).expect("a start");
                    page = device.observe(&mut interner).expect("a page").page();
                }
            }
        }
    });
}

/// Reading a model.
#[divan::bench(args = MODELS)]
fn read(name: &str) -> Model {
    Model::builtin(black_box(name)).expect("a built-in model")
}

/// A complete session as `run` has it, with journal and timing on disk: the cost of an event must not grow with
/// their number.
#[divan::bench(args = [1_000_u64, 10_000, 100_000], sample_count = 5, sample_size = 1)]
fn session_with_journal(bencher: Bencher<'_, '_>, events: u64) {
    let model = Arc::new(Model::builtin("shop").expect("a built-in model"));
    sessions(bencher, &model, events, "random");
}

/// The same of strategies that search the state graph, on a model of 100,000 screens.
#[divan::bench(
    args = [
        ("random", 10_000_u64), ("random", 100_000),
        ("timemachine", 10_000), ("timemachine", 100_000),
        ("frontier", 10_000), ("frontier", 100_000),
    ],
    sample_count = 3,
    sample_size = 1
)]
fn session_of(bencher: Bencher<'_, '_>, (strategy, events): (&str, u64)) {
    let wish = Wish {
        screens: 100_000,
        branching: 15,
        depth: depth_for(100_000, 15),
        ..Wish::default()
    };
    let text = generate(&wish).expect("a model");
    let model = Model::parse(&text, "generated.json", "generated").expect("a model");
    sessions(bencher, &Arc::new(model), events, strategy);
}

fn sessions(bencher: Bencher<'_, '_>, model: &Arc<Model>, events: u64, strategy: &str) {
    let entry = strategy::entry(strategy).expect("a strategy");
    let kind = entry.preset(Preset::Default).expect("its defaults");
    let base = tempfile::tempdir().expect("a temporary folder");
    let run = RunFolder::at(base.path());
    let mut number = 0;
    bencher.counter(ItemsCount::new(events)).bench_local(|| {
        number += 1;
        let folder = run.session(&number.to_string());
        let recorder = SessionRecorder::create(folder, &[], Screenshots::None, &Silent, 0);
        let mut recorder = recorder.expect("a session folder");
        let mut device = SimDevice::new("sim", Semantics::Clean, 0);
        device.install_model(Arc::clone(model));
        let context = Context {
            seed: 1,
            pool: Some(&model.strings),
            ..Context::bare(&model.package)
        };
        let mut strategy = kind.make(&context).expect("a strategy");
        let session = Session::new(
            Settings {
                budget: Budget {
                    events: Some(events),
                    ..Budget::default()
                },
                header: header(model),
                texts: TextGenerator::from_pool(model.strings.clone()),
                ..Settings::default()
            },
            &mut device,
            strategy.as_mut(),
            droidtest::oracle::registry::make(&Oracles::default(), &Default::default()),
            Box::new(Novelty::default()),
            &mut recorder,
            seed::generator(1, &model.name, "random", 0),
        );
        session.run(&Stop::default()).expect("a session");
    });
}

fn header(model: &Model) -> SessionHeader {
    SessionHeader {
        version: 1,
        tool: env!("CARGO_PKG_VERSION").into(),
        session: "bench".into(),
        app: model.name.clone(),
        package: model.package.clone(),
        content: String::new(),
        device: "sim".into(),
        device_kind: "sim".into(),
        strategy: "random".into(),
        seed: 1,
        activities_declared: model.activities().map(str::to_owned).collect(),
        activities_reachable: Vec::new(),
        secrets: Vec::new(),
        scripts: Vec::new(),
        notes: Vec::new(),
        capability: None,
    }
}
