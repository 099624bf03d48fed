//! What the learner has learned, after the paper's evaluation of its behaviour: on which pages the event of the
//! highest value is one never performed, one with children never performed, OK rather than Cancel; and the
//! orderings of its table II. Trained on some made-up apps, judged on others, beside a learner that was never
//! trained and beside chance, on the same pages. Only the largest value counts: no rule, no chance.

mod tally;

use super::super::Settings as Dino;
use super::*;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Counts, Pages, Recorder, Session, Settings, Stop};
use crate::graph::generations::{BUCKETS, Walk as Generations};
use crate::outcome::{Finding, RunEvent};
use crate::reward::Novelty;
use crate::settings::Oracles;
use crate::util::seed::generator;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tally::{FRESH, Mean, Tallies, Tally};

/// An app of made-up screens. What a button says means nothing, but for dialogs: OK leads on, Cancel back.
fn app(seed: u64) -> Model {
    const LABELS: [&str; 24] = [
        "Albums", "Archive", "Colours", "Contacts", "Drafts", "Events", "Filters", "Folders",
        "Games", "History", "Labels", "Maps", "Music", "News", "Notes", "Photos", "Places",
        "Recipes", "Reports", "Routes", "Sounds", "Stations", "Tasks", "Themes",
    ];
    let mut rng = generator(seed, "app", "made-up", 0);
    let screens = rng.random_range(9..14);
    let mut nodes = Vec::new();
    for screen in 0..screens {
        let dialog = screen % 3 == 2;
        let mut buttons = Vec::new();
        let mut button = |text: &str, to: usize, pays: bool| {
            let id = buttons.len();
            let blocks = if pays {
                format!("[\"made.S{screen}.on{id}:1\"]")
            } else {
                "[]".into()
            };
            buttons.push(format!(
                r#"{{ "transition_id": "b{id}", "type": "button", "text": "{text}", "destination": "S{to}", "blocks": {blocks} }}"#
            ));
        };
        if dialog {
            let (ok, cancel) = ((screen + 1) % screens, screen - 1);
            // Their order must not matter.
            if rng.random_bool(0.5) {
                button("OK", ok, true);
                button("Cancel", cancel, false);
            } else {
                button("Cancel", cancel, false);
                button("OK", ok, true);
            }
        } else {
            button(
                LABELS[rng.random_range(0..LABELS.len())],
                (screen + 1) % screens,
                true,
            );
            for _ in 0..rng.random_range(2..6) {
                let to = rng.random_range(0..screens);
                // Of a real app's events nearly all run code of their own the first time.
                let pays = rng.random_bool(0.9);
                button(LABELS[rng.random_range(0..LABELS.len())], to, pays);
            }
        }
        let buttons = buttons.join(", ");
        nodes.push(format!(
            r#"{{ "node_id": "S{screen}", "blocks": ["made.S{screen}.show:1"], "transitions": [{buttons}] }}"#
        ));
    }
    let nodes = nodes.join(",\n");
    let text = format!(
        r#"{{ "meta": {{ "name": "made{seed}", "package": "made", "about": "", "back": "history", "strings": ["a"] }},
             "global_vars": {{}}, "nodes": [{nodes}] }}"#
    );
    Model::parse(&text, "made-up", "made-up").unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

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

/// A session of so many events with this strategy.
fn explore(seed: u64, events: u64, strategy: &mut dyn Strategy) {
    let mut device = SimDevice::new("sim", Semantics::Clean, seed);
    device.install_model(Arc::new(app(seed)));
    let settings = Settings {
        budget: Budget {
            events: Some(events),
            ..Budget::default()
        },
        texts: TextGenerator::from_pool(vec!["a".into()]),
        ..Settings::default()
    };
    let oracles = crate::oracle::registry::make(&Oracles::default(), &Default::default());
    let rng = generator(seed, "made", "test", 0);
    let (reward, recorder) = (Box::new(Novelty::default()), &mut Nowhere);
    let session = Session::new(
        settings,
        &mut device,
        strategy,
        oracles,
        reward,
        recorder,
        rng,
    );
    session.run(&Stop::default()).unwrap();
}

fn learner(settings: Dino) -> DinoDroid {
    DinoDroid::new(settings, Engine::Rust, &Vectors::Shipped)
}

fn settings() -> Dino {
    Dino {
        system_rate: 0.0,
        // The walk that pages are judged on never starts anew: such events would stay fresh for ever.
        restart: false,
        ..Dino::default()
    }
}

/// A policy trained on made-up apps, the graph and the memory dropped with each.
fn trained(apps: std::ops::Range<u64>, events: u64) -> Vec<u8> {
    let mut policy = Vec::new();
    for seed in apps {
        let mut learner = learner(settings());
        if !policy.is_empty() {
            learner.load(&mut policy.as_slice()).unwrap();
        }
        explore(seed, events, &mut learner);
        policy.clear();
        learner.save(&mut policy).unwrap();
    }
    policy
}

/// A learner that judges pages and never changes: a trained one, or the untrained one of this number.
fn judge(policy: Result<&[u8], u32>) -> DinoDroid {
    let mut learner = learner(Dino {
        learn: false,
        ..settings()
    });
    match policy {
        Ok(mut policy) => learner.load(&mut policy).unwrap(),
        Err(number) => {
            let mut rng = generator(11, "", "untrained", number);
            let network = Dqn::new(
                &learner.towers(),
                learner.settings.learner(Engine::Rust),
                &mut rng,
            );
            learner.learner = Some(network.unwrap());
        }
    }
    learner
}

/// Walks at random, and asks each learner of every page which event has the highest value.
struct Walk {
    learners: Vec<(DinoDroid, Tallies)>,
}

impl Strategy for Walk {
    fn states(&self) -> Option<Box<dyn States>> {
        self.learners[0].0.states()
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let chosen = rng.random_range(0..view.page.events.len());
        for (learner, tallies) in &mut self.learners {
            let mut seen = learner.see(view)?;
            if learner.conclude(&seen, rng) {
                seen.values = learner.values(&seen.rows);
            }
            tally(learner, view, &seen, tallies);
            learner.tried = Some(Tried {
                event: seen.map.sighting.events[chosen],
                row: seen.rows.row(chosen),
                reward: 0.0,
                known: false,
                restart: false,
                done: false,
            });
        }
        Ok(Decision::Perform {
            event: chosen,
            input: None,
        })
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
        for (learner, _) in &mut self.learners {
            learner.learn(step, reward)?;
        }
        Ok(())
    }
}

fn tally(learner: &mut DinoDroid, view: &View<'_>, seen: &Valuation<'_>, tallies: &mut Tallies) {
    let Map { graph, sighting } = seen.map;
    let events = &sighting.events;
    let all: Vec<usize> = (0..events.len()).collect();
    let counts: Vec<u32> = events.iter().map(|e| graph.count(*e)).collect();
    let scale = learner.settings.encoding.scale();
    // What was performed just now is counted in what the page is valued by.
    let width = seen.rows.dense.len() / seen.rows.len;
    for (row, event) in seen.rows.dense.chunks_exact(width).zip(events) {
        assert!(
            row[scale.bucket(graph.count(*event))] > 0.0,
            "another count is valued"
        );
    }
    tallies
        .unexecuted
        .note(&all, &seen.values, |ix| counts[ix] == 0);
    for (ix, &value) in seen.values.iter().enumerate() {
        let count = counts[ix] as usize;
        tallies.by_count[count.min(BUCKETS - 1)].note(value);
    }
    // All else equal: the page's rows with another number of children never performed.
    for (generation, means) in tallies.by_fresh.iter_mut().enumerate() {
        for (fresh, mean) in FRESH.into_iter().zip(means) {
            let mut rows = seen.rows.clone();
            for row in rows.dense.chunks_exact_mut(width) {
                row[(1 + generation) * BUCKETS] = (fresh as f32).ln_1p() / 2.0;
            }
            let values = learner
                .learner
                .as_ref()
                .unwrap()
                .values(&rows, texts(&learner.features));
            let performed = values.iter().zip(&counts).filter(|(_, count)| **count > 0);
            performed.for_each(|(value, _)| mean.note(*value));
        }
    }
    // Events performed equally often: what tells them apart is what lies behind them.
    let mut walk = Generations::new(learner.settings.generation_size, scale);
    let fresh: Vec<bool> = events
        .iter()
        .map(|e| graph.generations(*e, &mut walk)[0][0] > 0)
        .collect();
    for count in 1..BUCKETS as u32 {
        let equal: Vec<usize> = (0..events.len())
            .filter(|&ix| counts[ix] == count)
            .collect();
        tallies.children.note(&equal, &seen.values, |ix| fresh[ix]);
    }
    let says = |ix: usize, text: &str| {
        let widget = view.page.events.get(ix).and_then(|e| e.widget);
        widget.is_some_and(|w| view.interner.get(view.page.widgets[w as usize].text) == text)
    };
    let both: Vec<usize> = (0..events.len())
        .filter(|&ix| says(ix, "OK") || says(ix, "Cancel"))
        .collect();
    tallies.ok.note(&both, &seen.values, |ix| says(ix, "OK"));
}

/// Untrained networks that each app is judged by: a single one's taste is a matter of its first weights.
const UNTRAINED: u32 = 5;

/// The trained learner's tallies over walks through apps that were kept back, and those of the untrained ones.
fn judged(policy: &[u8]) -> [Tallies; 2] {
    let mut sums = [Tallies::default(); 2];
    for (number, seed) in (0..).zip(100..110) {
        let untrained = (0..UNTRAINED).map(|n| judge(Err(number * UNTRAINED + n)));
        let learners = std::iter::once(judge(Ok(policy))).chain(untrained);
        let learners = learners
            .map(|learner| (learner, Tallies::default()))
            .collect();
        let mut walk = Walk { learners };
        explore(seed, 150, &mut walk);
        for (ix, (_, tallies)) in walk.learners.into_iter().enumerate() {
            sums[ix.min(1)].add(&tallies);
        }
    }
    sums
}

fn holds(what: &str, least: f64, trained: &Tally, untrained: &Tally) {
    let (share, other, chance) = (trained.share(), untrained.share(), trained.by_chance());
    let pages = trained.pages;
    println!(
        "{what}: trained {share:.3}, untrained {other:.3}, chance {chance:.3} on {pages} pages"
    );
    assert!(pages >= 50, "{what}: only {pages} pages to judge by");
    assert!(share >= least, "{what}: {share:.3} is less than {least}");
    assert!(
        share >= chance + 0.2,
        "{what}: {share:.3} against {chance:.3} by chance"
    );
    assert!(
        share >= other + 0.2,
        "{what}: {share:.3} against {other:.3} untrained"
    );
}

#[test]
fn a_trained_policy_prefers_what_the_paper_says_it_prefers() {
    let policy = trained(0..10, 500);
    let [trained, untrained] = judged(&policy);
    holds(
        "unexecuted",
        0.85,
        &trained.unexecuted,
        &untrained.unexecuted,
    );
    holds(
        "unexecuted children",
        0.81,
        &trained.children,
        &untrained.children,
    );
    holds("OK over Cancel", 0.7, &trained.ok, &untrained.ok);
    orderings(&trained);
}

/// Table II: the value falls with the event's own count, 0 far highest; more children never performed are
/// worth more, in each generation.
fn orderings(tallies: &Tallies) {
    let by_count = tallies.by_count.map(Mean::value);
    println!("value by own count: {by_count:.2?}");
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (few, many) = (mean(&by_count[1..4]), mean(&by_count[6..]));
    assert!(by_count[0] > few && few > many, "{by_count:?}");
    assert!(by_count[0] - few > few - many, "{by_count:?}");
    for (generation, means) in (1..).zip(&tallies.by_fresh) {
        let [none, some, more] = means.map(Mean::value);
        println!(
            "value by fresh children of generation {generation}: {none:.2} {some:.2} {more:.2}"
        );
        assert!(
            none < some && some < more,
            "generation {generation}: {none} {some} {more}"
        );
    }
}
