//! What `fastbot` costs and what its reuse is worth: the figures of docs/strategies/fastbot.md.
//!
//! ```text
//! cargo bench --bench fastbot --no-default-features
//! ```

use droidtest::config::Oracles;
use droidtest::device::sim::generate::{Wish, generate};
use droidtest::device::sim::{Model, Semantics, SimDevice};
use droidtest::device::{Caps, Observation};
use droidtest::explore::text::TextGenerator;
use droidtest::explore::{Budget, Counts, Pages, Recorder, Session, Settings, Stop};
use droidtest::graph::fastbot::StaticTexts;
use droidtest::graph::tracker::Ended;
use droidtest::graph::{By, Tracker};
use droidtest::gui::{Flags, Page, RawNode, Rect};
use droidtest::learn::event_model::EventModel;
use droidtest::outcome::{Finding, RunEvent};
use droidtest::reward::Novelty;
use droidtest::strategy::definition::Definition as _;
use droidtest::strategy::fastbot::algorithm::Fastbot;
use droidtest::strategy::{Decision, Step, Strategy, View, fastbot};
use droidtest::util::cpu_time;
use droidtest::util::intern::Interner;
use droidtest::util::seed;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

/// States of the large app, each with 20 of its activity's 100 events and back.
const STATES: usize = 100_000;
/// Events of a session on a generated model.
const EVENTS: usize = 400;
const SEEDS: std::ops::Range<u64> = 1..9;
/// Numbers of events after which sessions are compared.
const AT: [usize; 5] = [50, 100, 200, 300, 400];

fn main() {
    for activities in [40, 1000] {
        costs(activities);
    }
    reuse();
}

fn made(toml: &str, history: EventModel) -> Fastbot {
    let settings = fastbot::Settings::read(toml).expect("settings");
    let own = EventModel::new("app");
    Fastbot::new(settings, StaticTexts::default(), history, own, None)
}

/// The page of a state: a window of its activity's buttons.
fn page(state: usize, activities: usize, interner: &mut Interner) -> Page {
    let node = |parent, id: String, flags| RawNode {
        parent,
        class: "android.widget.Button".into(),
        resource_id: id,
        flags: flags | Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let (activity, first) = (state % activities, state / activities);
    let mut nodes = vec![node(-1, String::new(), 0)];
    nodes.extend((0..19).map(|n| {
        let id = format!("{}", first + n);
        node(0, id, Flags::CLICKABLE)
    }));
    Page::build(&nodes, &format!("a.Page{activity}"), 0, (9, 9), interner)
}

/// Visits every state once, and prints the processor time of decisions with what they learn, by thousands of steps.
fn costs(activities: usize) {
    let mut interner = Interner::default();
    let mut strategy = made("system-rate = 0.0", EventModel::new("app"));
    let mut tracker = Tracker::new(strategy.states().expect("it reads a graph"));
    let mut rng = seed::generator(1, "bench", "fastbot", 0);
    let mut spent = Duration::ZERO;
    for number in 1..=STATES {
        let here = page(number * 7919 % STATES, activities, &mut interner);
        let next = page((number + 1) * 7919 % STATES, activities, &mut interner);
        tracker.arrive(&here, &interner);
        let view = View {
            page: &here,
            system: &[],
            links: &[],
            number: number as u64,
            interner: &interner,
            caps: Caps::ALL,
            map: tracker.map(),
        };
        let started = cpu_time::of_thread();
        let decision = strategy.decide(&view, &mut rng).expect("a decision");
        let after = Observation {
            alive: true,
            ..Default::default()
        };
        let step = Step {
            number: number as u64,
            decision: Some(&decision),
            ..Step::to(&here, &after, &next, &interner)
        };
        strategy.learn(&step, 0.0).expect("learned");
        spent += cpu_time::of_thread() - started;
        let event = match decision {
            Decision::Perform { event, .. } => Some(event),
            _ => None,
        };
        let ended = Ended {
            by: By::Strategy,
            leads: true,
            new: false,
        };
        tracker.performed(event, ended);
        if number.is_multiple_of(1000) {
            if [1000, 10_000, 50_000, STATES].contains(&number) {
                let (states, events) = tracker.map().expect("a graph").graph.size();
                // Milliseconds of one, in seconds of a thousand.
                let each = spent.as_secs_f64();
                println!(
                    "{activities} activities, step {number}: {states} states, {events} events, {each:.4} ms a decision"
                );
            }
            spent = Duration::ZERO;
        }
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmHWM")) {
        println!("peak memory: {line}");
    }
}

struct Nowhere(Vec<usize>, usize);

impl Recorder for Nowhere {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        if let RunEvent::Step(step) = event {
            self.1 += step.activities.len();
            self.0.push(self.1);
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

/// Activities by step of a session, and the model that it leaves.
fn session(
    model: &Arc<Model>,
    toml: &str,
    history: EventModel,
    seed: u64,
) -> (Vec<usize>, EventModel) {
    let mut device = SimDevice::new("sim", Semantics::Clean, seed);
    device.install_model(Arc::clone(model));
    let mut strategy = made(toml, history);
    let mut recorder = Nowhere(Vec::new(), 0);
    let settings = Settings {
        budget: Budget {
            events: Some(EVENTS as u64),
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
        seed::generator(seed, "app", "fastbot", 0),
    );
    session.run(&Stop::default()).expect("a session");
    let mut bytes = Vec::new();
    strategy.save_model(&mut bytes).expect("a model");
    let model = EventModel::from_bytes(&bytes, "app").expect("its own model");
    (recorder.0, model)
}

/// The next version of an app: every tenth button has another text, three screens are new.
fn newer(text: &str) -> String {
    let mut model: Value = serde_json::from_str(text).expect("JSON");
    let nodes = model["nodes"].as_array_mut().expect("nodes");
    let first = nodes[0]["node_id"].clone();
    let mut number = 0;
    for node in nodes.iter_mut() {
        for transition in node["transitions"].as_array_mut().expect("transitions") {
            if let Some(text) = transition["text"].as_str().map(str::to_owned) {
                number += 1;
                if number % 10 == 0 {
                    transition["text"] = format!("{text} now").into();
                }
            }
        }
    }
    for new in 0..3 {
        let at = 5 + 11 * new;
        let name = format!("New{new}");
        let way = json!({ "type": "button", "text": format!("Open {name}"), "destination": name });
        let transitions = nodes[at]["transitions"].as_array_mut();
        transitions.expect("transitions").push(way);
        let home = json!({ "type": "button", "text": "Home", "destination": first });
        nodes.push(json!({ "node_id": name, "transitions": [home] }));
    }
    model.to_string()
}

/// Compares sessions on the newer version that start from a model of the older one (two sessions) with fresh ones.
fn reuse() {
    let parsed = |text: &str| Arc::new(Model::parse(text, "app.json", "app").expect("a model"));
    for toml in [
        "",
        "preset = \"published\"",
        "preset = \"paper\"",
        "select = \"model\"",
        "select = \"learned\"",
    ] {
        let mut shares = [0.0; AT.len()];
        let apps = 4;
        for app in 1..=apps {
            let wish = Wish {
                screens: 40,
                seed: app,
                ..Wish::default()
            };
            let text = generate(&wish).expect("a model");
            let (old, new) = (parsed(&text), parsed(&newer(&text)));
            let mut history = EventModel::new("app");
            for seed in 1..=2 {
                history.add(&session(&old, toml, EventModel::new("app"), seed).1);
            }
            let fresh = || EventModel::new("app");
            let cold: Vec<_> = SEEDS.map(|s| session(&new, toml, fresh(), s).0).collect();
            let warm: Vec<_> = SEEDS
                .map(|s| session(&new, toml, history.clone(), s + 10).0)
                .collect();
            let total = |all: &[Vec<usize>], at: usize| -> usize {
                all.iter().map(|one| one[at - 1]).sum()
            };
            for (share, at) in shares.iter_mut().zip(AT) {
                let wanted = total(&cold, at);
                let there = (1..=EVENTS).find(|n| total(&warm, *n) >= wanted);
                *share += there.unwrap_or(EVENTS) as f64 / at as f64 / apps as f64;
            }
        }
        let shares: Vec<_> = AT
            .iter()
            .zip(shares)
            .map(|(at, share)| format!("{at}: {share:.2}"))
            .collect();
        println!(
            "reuse, {toml:24} share of the events of a fresh run: {}",
            shares.join(", ")
        );
    }
}
