//! What each strategy costs, by how many events came before, and the memory of a session with 10^5 events: the table of
//! docs/performance.md. Each strategy runs in a process of its own, on an app of 20 events a page with 400,000 pages.
//!
//! ```text
//! cargo bench --bench strategies --no-default-features
//! cargo bench --bench strategies --no-default-features -- --events 1000    # shorter sessions
//! ```

use droidtest::config::Oracles;
use droidtest::device::{Action, App, Caps, Device, DeviceError, Observation, Reset};
use droidtest::explore::{Budget, Counts, Pages, Recorder, Session, Settings, Stop};
use droidtest::graph::States;
use droidtest::gui::{Flags, Page, RawNode, Rect};
use droidtest::outcome::explanation::Explanation;
use droidtest::outcome::{Finding, RunEvent};
use droidtest::reward::Novelty;
use droidtest::strategy::definition::Context;
use droidtest::strategy::{self, Decision, Step, Strategy, StrategyError, View};
use droidtest::util::cpu_time;
use droidtest::util::intern::Interner;
use droidtest::util::seed::{self, Rng};
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fs, io};

/// Strategies as suites write them, with the number of events: the networks of the `ares-` strategies learn at each.
const STRATEGIES: [(&str, &str, u64); 16] = [
    ("random", "", LONG),
    ("monkey", "", LONG),
    ("dynodroid", "", LONG),
    ("frontier", "", LONG),
    ("timemachine", "", LONG),
    ("timemachine", "base = { kind = \"random\" }", LONG),
    ("fastbot", "select = \"model\"", LONG),
    ("fastbot", "select = \"learned\"", LONG),
    ("fastbot", "", LONG),
    ("q-learning", "", LONG),
    ("qbe", "", LONG),
    ("portfolio", "", LONG),
    ("portfolio", MEMBERS, LONG),
    ("ares-sac", "", 10_000),
    ("ares-td3", "", 1_000),
    ("ares-ddpg", "", 10_000),
];
const MEMBERS: &str =
    "members = [{ kind = \"random\" }, { kind = \"fastbot\" }, { kind = \"frontier\" }]";
const LONG: u64 = 100_000;
/// The costs are means over the last tenth of the events until here.
const AT: [u64; 4] = [100, 1_000, 10_000, LONG];

/// Pages: so many activities, each with so many windows of its buttons.
const ACTIVITIES: u64 = 1_000;
const WINDOWS: u64 = 400;
const BUTTONS: u64 = 19;

fn main() {
    let most = argument("--events").unwrap_or(LONG);
    if let Some(row) = argument("--one") {
        measure(row as usize, most);
        return;
    }
    println!("strategy | events | pages | peak MB | ms of a decision / of an event at {AT:?}");
    for row in 0..STRATEGIES.len() {
        let program = env::current_exe().expect("this program");
        let ended = Command::new(program)
            .args(["--one", &row.to_string(), "--events", &most.to_string()])
            .status();
        assert!(ended.is_ok_and(|status| status.success()), "row {row}");
    }
}

/// The number behind an option of the command line.
fn argument(option: &str) -> Option<u64> {
    let mut arguments = env::args().skip_while(|argument| argument != option);
    arguments.nth(1)?.parse().ok()
}

/// An app without end: each event of a page leads to one of all pages, always the same.
struct World {
    at: u64,
}

impl World {
    fn page(&self, interner: &mut Interner) -> Page {
        let node = |parent, id: String, flags| RawNode {
            parent,
            class: "android.widget.Button".into(),
            resource_id: id,
            flags: flags | Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let first = self.at / ACTIVITIES;
        let mut nodes = vec![node(-1, String::new(), 0)];
        let button = |n| node(0, format!("{}", first + n), Flags::CLICKABLE);
        nodes.extend((0..BUTTONS).map(button));
        Page::build(&nodes, &self.activity(), 0, (9, 9), interner)
    }

    fn activity(&self) -> String {
        format!("a.Page{}", self.at % ACTIVITIES)
    }
}

impl Device for World {
    fn id(&self) -> &str {
        "world"
    }

    fn caps(&self) -> Caps {
        Caps::default()
    }

    fn install(&mut self, _: &App) -> Result<(), DeviceError> {
        Ok(())
    }

    fn reset(&mut self, _: Reset) -> Result<(), DeviceError> {
        self.at = 0;
        Ok(())
    }

    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        let event = match action {
            Action::Click { n } => u64::from(*n),
            Action::Key { .. } => BUTTONS + 1,
            _ => return Ok(()),
        };
        // SplitMix64: neighbours lead far apart.
        let mut next = (self.at * (BUTTONS + 2) + event).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        next = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.at = (next ^ (next >> 27)) % (ACTIVITIES * WINDOWS);
        Ok(())
    }

    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        Ok(Observation {
            page: Some(Arc::new(self.page(interner))),
            alive: true,
            visited: vec![self.activity()],
            settled: true,
            ..Observation::default()
        })
    }
}

/// Measures what a strategy computes for its decisions.
struct Timed {
    inner: Box<dyn Strategy>,
    spent: Arc<Mutex<Duration>>,
}

impl Timed {
    fn of<T>(&mut self, what: impl FnOnce(&mut dyn Strategy) -> T) -> T {
        let started = cpu_time::of_thread();
        let done = what(self.inner.as_mut());
        *self.spent.lock().expect("a time") += cpu_time::of_thread() - started;
        done
    }
}

impl Strategy for Timed {
    fn states(&self) -> Option<Box<dyn States>> {
        self.inner.states()
    }

    fn saves(&self) -> bool {
        self.inner.saves()
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        self.of(|inner| inner.decide(view, rng))
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
        self.of(|inner| inner.learn(step, reward))
    }

    fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
        self.of(|inner| inner.interrupted(view, rng))
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.of(|inner| inner.explanation())
    }
}

/// Adds up what was spent, in decisions and in all.
struct Costs {
    decisions: Arc<Mutex<Duration>>,
    started: Duration,
    last: u64,
    pages: HashSet<u64>,
    /// Milliseconds of a decision and of an event, at each of [`AT`].
    means: Vec<(f64, f64)>,
}

impl Recorder for Costs {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        if let RunEvent::Step(step) = event {
            self.pages.insert(step.to.0);
        }
        Ok(())
    }

    fn timing(&mut self, number: u64, _: Duration, _: Duration) -> io::Result<()> {
        // The steps of a way back have the number of the event before them.
        if number == self.last {
            return Ok(());
        }
        self.last = number;
        let now = cpu_time::of_thread();
        if AT.iter().any(|at| number == at - at / 10) {
            self.started = now;
            *self.decisions.lock().expect("a time") = Duration::ZERO;
        }
        if AT.contains(&number) {
            let events = (number / 10) as f64;
            let mean = |spent: Duration| spent.as_secs_f64() * 1e3 / events;
            let decisions = *self.decisions.lock().expect("a time");
            self.means.push((mean(decisions), mean(now - self.started)));
        }
        Ok(())
    }

    fn progress(&mut self, _: &Counts) {}

    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
}

fn measure(row: usize, most: u64) {
    let (name, toml, events) = STRATEGIES[row];
    let events = events.min(most);
    let entry = strategy::entry(name).expect("a strategy");
    let table = toml::from_str(toml).expect("TOML");
    let kind = entry.with(table).expect("its settings");
    let spent = Arc::new(Mutex::new(Duration::ZERO));
    let context = Context {
        seed: 1,
        ..Context::bare("world")
    };
    let mut strategy = Timed {
        inner: kind.make(&context).expect("a strategy"),
        spent: Arc::clone(&spent),
    };
    let mut costs = Costs {
        decisions: spent,
        started: Duration::ZERO,
        last: 0,
        pages: HashSet::new(),
        means: Vec::new(),
    };
    let mut device = World { at: 0 };
    let session = Session::new(
        Settings {
            budget: Budget {
                events: Some(events),
                ..Budget::default()
            },
            ..Settings::default()
        },
        &mut device,
        &mut strategy,
        droidtest::oracle::registry::make(&Oracles::default(), &Default::default()),
        Box::new(Novelty::default()),
        &mut costs,
        seed::generator(1, "world", name, 0),
    );
    session.run(&Stop::default()).expect("a session");
    let means = costs.means.iter();
    let means: Vec<_> = means
        .map(|(own, all)| format!("{own:.4} / {all:.4}"))
        .collect();
    println!(
        "{name} {toml} | {events} | {} | {} | {}",
        costs.pages.len(),
        peak_mb(),
        means.join(" | ")
    );
}

/// The most memory that this process has had, in MB.
fn peak_mb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kb.map_or(0, |kb| kb * 1024 / 1_000_000)
}
