//! How short minimized findings come out on a real app: each planted crash's witness, drowned in random events,
//! against the fewest events that cause it. Takes minutes, so it is requested:
//!
//! ```text
//! cargo test --test it jvm_shortness:: -- --ignored --nocapture
//! ```

use crate::common::phone::Phone;
use crate::common::planted::{Planted, planted};
use droidtest::config::{Oracles, Screenshots};
use droidtest::explore::follow::{Texts, decision};
use droidtest::explore::{Budget, Session, Settings, Stop};
use droidtest::oracle;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::run_event::{JOURNAL_VERSION, SessionHeader};
use droidtest::repro::{Means, Runner, Spare, task};
use droidtest::reward::Novelty;
use droidtest::run::observer::Silent;
use droidtest::run::record::SessionRecorder;
use droidtest::step::{Decision, View};
use droidtest::strategy::{Strategy, StrategyError};
use droidtest::trace::find::Fit;
use droidtest::trace::{Moves, Step, Trace, record};
use droidtest::util::seed::{Rng, generator};
use rand::RngExt as _;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

/// Random events before a step of a witness at most.
const NOISE: usize = 6;
/// Before so many of a hundred steps there are any: what happens between a menu and its item closes the menu.
const NOISY: u32 = 30;
/// Walks tried until one ends in the crash meant.
const WALKS: u64 = 40;

/// A witness with random events before each of its steps.
struct Noisy {
    steps: VecDeque<Step>,
    left: usize,
    backs: usize,
}

impl Strategy for Noisy {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        if self.left > 0 && !view.page.events.is_empty() {
            self.left -= 1;
            let event = rng.random_range(0..view.page.events.len());
            return Ok(Decision::Perform { event, input: None });
        }
        // Witnesses are written manually: they name a menu's row by the text inside it.
        let follow = |step: &Step| {
            decision(
                step,
                view.page,
                view.interner,
                &Texts::default(),
                Fit::Loose,
            )
            .ok()
        };
        let Some(next) = self.steps.front() else {
            return Ok(Decision::Stop);
        };
        let next = follow(next);
        if next.is_none() && self.backs > 0 {
            self.backs -= 1;
            let back = |e: &droidtest::gui::Event| e.kind == droidtest::gui::EventKind::Back;
            if let Some(event) = view.page.events.iter().position(back) {
                return Ok(Decision::Perform { event, input: None });
            }
        }
        self.backs = 4;
        self.left = if rng.random_ratio(NOISY, 100) {
            rng.random_range(1..=NOISE)
        } else {
            0
        };
        self.steps.pop_front();
        Ok(next.unwrap_or(Decision::Stop))
    }
}

/// A session's trace that ends in this crash; `None`: no walk did.
fn drowned(runner: &mut Runner, crash: &Planted, moves: &mut Moves) -> Option<Trace> {
    (0..WALKS).find_map(|walk| {
        let folder = tempfile::tempdir().unwrap();
        let folder = RunFolder::at(folder.path()).session("noisy");
        let mut recorder =
            SessionRecorder::create(folder.clone(), &[], Screenshots::None, &Silent, 0).unwrap();
        let mut strategy = Noisy {
            steps: crash.witness.steps.iter().cloned().collect(),
            left: NOISE,
            backs: 4,
        };
        let settings = Settings {
            budget: Budget {
                events: Some(400),
                ..Budget::default()
            },
            retries: 1,
            header: SessionHeader {
                version: JOURNAL_VERSION,
                tool: String::new(),
                session: "noisy".into(),
                app: "notes".into(),
                package: "org.droidtest.notes".into(),
                content: String::new(),
                device: "jvm".into(),
                device_kind: "jvm".into(),
                strategy: "noisy".into(),
                seed: walk,
                activities_declared: Vec::new(),
                activities_reachable: Vec::new(),
                secrets: Vec::new(),
                scripts: Vec::new(),
                notes: Vec::new(),
                capability: None,
            },
            ..Settings::default()
        };
        let session = Session::new(
            settings,
            runner.device.as_mut(),
            &mut strategy,
            oracle::registry::make(&Oracles::default(), &Default::default()),
            Box::new(Novelty::default()),
            &mut recorder,
            generator(walk, &crash.id, "noisy", 0),
        );
        session.run(&Stop::default()).unwrap();
        recorder.finish().unwrap();
        moves.add(&folder);
        let mut meant = None;
        let take = |finding, trace| {
            if crash.witness.expected().is(&finding) && meant.is_none() {
                meant = Some(trace);
            }
            Ok(())
        };
        record::each(&folder, take).unwrap();
        meant
    })
}

#[test]
#[ignore = "takes minutes"]
fn drowned_witnesses_come_out_nearly_as_short_as_they_can_be() {
    let Some(phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    let (mut walker, _folder) = phone.into_runner();
    let folders = Mutex::new(Vec::new());
    let make = |_: usize, _: u64| {
        let (runner, folder) = Phone::with("notes", |_| {}).unwrap().into_runner();
        folders.lock().unwrap().push(folder);
        Ok(runner)
    };
    let means = Means {
        replays: 200,
        time: Duration::from_secs(3600),
        confirm: 5,
        workers: 1,
        later: false,
    };
    let (mut close, mut all) = (0, 0);
    println!(
        "{:<18} {:>6} {:>5} {:>5} {:>7}  again",
        "crash", "walk", "short", "least", "replays"
    );
    for crash in planted() {
        // What a run's sessions have seen is theirs only; so each crash has its own.
        let mut moves = Moves::default();
        let Some(trace) = drowned(&mut walker, &crash, &mut moves) else {
            println!("{:<18} no walk of {WALKS} ended in it", crash.id);
            continue;
        };
        let spare = Spare::default();
        let found = task::minimize(&trace, &moves, &make, &means, &|_| None, &spare).unwrap();
        let result = found.reproduction;
        let short = result.steps.len();
        println!(
            "{:<18} {:>6} {short:>5} {:>5} {:>7}  {} of {} {:?}",
            crash.id,
            trace.steps.len(),
            crash.least,
            result.replays,
            result.reproduced,
            result.of,
            result.minimality
        );
        all += 1;
        close += usize::from(short <= crash.least + 1 && result.reproduced == result.of);
        assert!(
            short >= crash.least,
            "{}: planted.toml claims more: {:?}",
            crash.id,
            result.steps
        );
    }
    println!("{close} of {all} within one event of the least and again in every fresh process");
    assert!(all >= 8 && close * 10 >= all * 9, "{close} of {all}");
}
