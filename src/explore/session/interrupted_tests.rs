//! Where a script leads on from the page that an event led to, the event did not lead to the script's page.

use super::*;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Corpus, Counts, Pages};
use crate::graph::fixed::{Fixed, Limits};
use crate::graph::{EventId, Results, StateId, States};
use crate::gui::EventKind;
use crate::learn::bundle::Bundle;
use crate::outcome::Finding;
use crate::outcome::run_event::SessionHeader;
use crate::reward::Novelty;
use crate::strategy::ares::{Ares, Parameters};
use crate::strategy::learner::{Act, Learner, Scene};
use crate::strategy::{StrategyError, View};
use crate::util::seed::generator;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

/// Three screens in a row; on the second a script presses the button.
const MODEL: &str = r#"{ "nodes": [
    { "node_id": "First", "transitions": [
        { "transition_id": "one", "type": "button", "destination": "Second" } ] },
    { "node_id": "Second", "transitions": [
        { "transition_id": "two", "type": "button", "destination": "Third" } ] },
    { "node_id": "Third", "transitions": [
        { "transition_id": "three", "type": "button", "destination": "Third" } ] } ] }"#;

const SCRIPT: &str =
    "name = \"on\"\nactivity = \"Second\"\nstep = [{ do = \"click\", id = \"Second_two\" }]";

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

/// What a learner saw before it acted, and what it learned that its actions led to.
#[derive(Default)]
struct Log {
    acted: Vec<Vec<u32>>,
    learned: Vec<Vec<u32>>,
}

/// Presses the first button there is, behind the key for back.
struct First(Arc<Mutex<Log>>);

impl Learner for First {
    fn act(&mut self, scene: &Scene<'_>, _: &mut Rng) -> Act {
        self.0.lock().unwrap().acted.push(scene.bits.to_vec());
        Act {
            widget: scene.widgets - 1,
            ..Act::default()
        }
    }
    fn learn(&mut self, _: f32, next: &Scene<'_>, _: bool, _: &mut Rng) {
        self.0.lock().unwrap().learned.push(next.bits.to_vec());
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

fn explore(scripted: bool, seed: u64, strategy: &mut dyn Strategy) {
    let scripts = scripted.then(|| toml::from_str(SCRIPT).unwrap());
    let app = crate::config::App {
        scripts: scripts.into_iter().collect(),
        ..toml::from_str("name = \"a\"\nmodel = \"builtin:shop\"").unwrap()
    };
    explore_model(MODEL, &app, seed, strategy);
}

fn explore_model(model: &str, app: &crate::config::App, seed: u64, strategy: &mut dyn Strategy) {
    let settings = Settings {
        budget: Budget {
            events: Some(4),
            ..Budget::default()
        },
        retries: 0,
        header: SessionHeader::default(),
        manifest_events: Vec::new(),
        texts: TextGenerator::default(),
        changed: None,
        faults: 0.0,
        throttle: Duration::ZERO,
        backoff: Duration::ZERO,
        guide: Guide::new(app, &[]).unwrap(),
        corpus: Corpus::default(),
    };
    let mut device = SimDevice::new("sim", Semantics::Clean, 1);
    let mut nowhere = Nowhere;
    let model = Model::parse(model, "m.json", "m").unwrap();
    device.install_model(Arc::new(model));
    let session = Session::new(
        settings,
        &mut device,
        strategy,
        Vec::new(),
        Box::new(Novelty::default()),
        &mut nowhere,
        generator(seed, "m", "", 0),
    );
    session.run(&Stop::default()).unwrap();
}

#[test]
fn an_ares_agent_learns_the_page_behind_its_own_event() {
    let learned = |scripted| {
        let log = Arc::new(Mutex::new(Log::default()));
        let learner = Box::new(First(Arc::clone(&log)));
        let mut ares = Ares::new("q-learning", learner, Parameters::default(), "s");
        explore(scripted, 1, &mut ares);
        drop(ares);
        Arc::into_inner(log).unwrap().into_inner().unwrap()
    };
    // Without a script what it sees next is what its action led to.
    let free = learned(false);
    assert_eq!(free.learned[0], free.acted[1]);
    // With one it acts next on the third screen, and its action led to the second all the same. (Places are numbered as
    // they are seen, the second screen's first.)
    let led = learned(true);
    assert_ne!(led.learned[0], led.acted[1]);
    assert_eq!(led.learned[0], free.learned[0]);
}

/// A strategy that presses the first button and reads the graph where a script takes over and at the end.
#[derive(Default)]
struct Reader {
    /// The state that the script left, and the event it used there.
    left: Option<(StateId, EventId)>,
    /// Where that event led, how often it was chosen and performed; what starts led to.
    led: Option<(Results, u32, u32)>,
    starts: usize,
}

impl Strategy for Reader {
    fn states(&self) -> Option<Box<dyn States>> {
        Some(Box::new(Fixed::new(Limits::default())))
    }
    fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        let graph = view.map.unwrap().graph;
        self.starts = graph.starts().len();
        if let Some((state, event)) = self.left {
            let to = graph.results(state, event).to_vec();
            self.led = Some((to, graph.count(event), graph.performed(event)));
        }
        let clicks = |event: &crate::gui::Event| event.kind == EventKind::Click;
        let event = view.page.events.iter().position(clicks).unwrap();
        Ok(Decision::Perform { event, input: None })
    }
    fn interrupted(&mut self, view: &View<'_>, _: &mut Rng) -> Result<(), StrategyError> {
        let clicks = |event: &crate::gui::Event| event.kind == EventKind::Click;
        let event = view.page.events.iter().position(clicks).unwrap();
        let sighting = view.map.unwrap().sighting;
        self.left = Some((sighting.state, sighting.events[event]));
        Ok(())
    }
}

#[test]
fn the_graph_shows_where_a_scripts_event_led_also_on_a_page_with_blocked_widgets() {
    // The blocked button comes first, so that the page has another event in its place for the strategy.
    let blocked = r#"{ "transition_id": "not", "type": "button", "destination": "First" },
        { "transition_id": "two","#;
    let model = MODEL.replace(r#"{ "transition_id": "two","#, blocked);
    let app = crate::config::App {
        scripts: vec![toml::from_str(SCRIPT).unwrap()],
        ..toml::from_str(
            "name = \"a\"\nmodel = \"builtin:shop\"\nblock = { widgets = [\"Second_not\"] }",
        )
        .unwrap()
    };
    let mut reader = Reader::default();
    explore_model(&model, &app, 1, &mut reader);
    let (second, _) = reader.left.unwrap();
    // The third state is the next one that was seen.
    let third = StateId(second.0 + 1);
    assert_eq!(reader.led, Some((vec![(third, 1)], 0, 1)));
    assert_eq!(reader.starts, 1);
}

#[test]
fn dinodroid_keeps_the_page_behind_its_own_event_in_the_graph() {
    use crate::feature::txc::Vectors;
    use crate::strategy::dinodroid::{DinoDroid, Settings};
    use droidtest_network::Engine;
    /// The strategy, and what it was shown last: the number of states, and the moves between them.
    struct Watched(DinoDroid, usize, Vec<(u32, u32)>);

    impl Watched {
        fn watch(&mut self, view: &View<'_>) {
            let graph = view.map.unwrap().graph;
            self.1 = graph.size().0;
            self.2 = graph
                .moves()
                .map(|(from, _, to, _)| (from.0, to.0))
                .collect();
        }
    }

    impl Strategy for Watched {
        fn states(&self) -> Option<Box<dyn States>> {
            self.0.states()
        }
        fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
            self.watch(view);
            self.0.decide(view, rng)
        }
        fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
            self.0.learn(step, reward)
        }
        fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
            self.watch(view);
            self.0.interrupted(view, rng)
        }
    }

    let moves = |scripted, seed| {
        let settings = Settings {
            system_rate: 0.0,
            restart: false,
            epsilon: 0.0,
            ..Settings::default()
        };
        let strategy = DinoDroid::new(settings, Engine::Rust, &Vectors::Shipped);
        let mut watched = Watched(strategy, 0, Vec::new());
        explore(scripted, seed, &mut watched);
        (watched.1, watched.2)
    };
    // Pages are numbered as they are seen. Nothing leads from the first straight to the third, and a graph that knows
    // the third knows the second.
    let (first, second, third) = (0, 1, 2);
    for scripted in [false, true] {
        let mut left = 0;
        for seed in 1..9 {
            let (pages, moves) = moves(scripted, seed);
            let leaves = moves.contains(&(first, second));
            assert!(!moves.contains(&(first, third)), "{seed}: {moves:?}");
            if scripted && leaves {
                assert_eq!(pages, 3, "{seed}: {moves:?}");
            }
            left += usize::from(leaves);
        }
        assert!(left > 3, "{left}");
    }
}
