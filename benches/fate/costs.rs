//! Where the time of a run of the deep strategies goes, and how much memory it takes.

use droidtest::bench::fate::contender::{Contender, Runs};
use droidtest::bench::fate::{course, pool};
use droidtest::device::sim::{Model, Semantics};
use droidtest::explore::Stop;
use droidtest::learn::bundle::Bundle;
use droidtest::strategy::learner::{Act, Learner, Scene};
use droidtest::util::cpu_time;
use droidtest::util::seed::{self, Rng};
use rand::RngExt as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Of FATE's runs.
const STEPS: u64 = 4000;
const STRINGS: usize = 20;
/// Of the published models, those that figures are given for.
const MODELS: [&str; 3] = ["social", "bank", "player"];
const CONTENDERS: [&str; 6] = [
    "ares-sac",
    "ares-td3",
    "ares-ddpg",
    "ares-sac:published",
    "ares-td3:published",
    "ares-ddpg:published",
];

/// A learner with a clock at its doors; processor time, for other work on the machine is not ours.
struct Timed {
    learner: Box<dyn Learner>,
    acting: Duration,
    learning: Duration,
}

impl Learner for Timed {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        let started = cpu_time::of_thread();
        let act = self.learner.act(scene, rng);
        self.acting += cpu_time::of_thread() - started;
        act
    }

    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, rng: &mut Rng) {
        let started = cpu_time::of_thread();
        self.learner.learn(reward, next, terminal, rng);
        self.learning += cpu_time::of_thread() - started;
    }

    fn begin(&mut self) {
        self.learner.begin();
    }

    fn updates(&self) -> u64 {
        self.learner.updates()
    }

    fn export(&self) -> Bundle {
        self.learner.export()
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        self.learner.import(learned)
    }
}

/// What nobody learns from: the environment alone.
struct Idle;

impl Learner for Idle {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        Act {
            widget: rng.random_range(0..=scene.widgets),
            string: rng.random_range(0..scene.strings),
            second: false,
        }
    }

    fn learn(&mut self, _: f32, _: &Scene<'_>, _: bool, _: &mut Rng) {}

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

/// Processor time of one call of the clock, in microseconds.
fn clock() -> f64 {
    const CALLS: u32 = 100_000;
    let started = cpu_time::of_thread();
    for _ in 0..CALLS {
        std::hint::black_box(cpu_time::of_thread());
    }
    (cpu_time::of_thread() - started).as_secs_f64() * 1e6 / f64::from(CALLS)
}

/// The most memory the process has had resident since this was last asked, in MB; nothing if the system does not
/// tell.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    // proc(5): 5 resets the peak.
    fs::write("/proc/self/clear_refs", "5").ok()?;
    Some(kilobytes / 1024)
}

/// The models of the folder in `DROIDTEST_FATE_MODELS`, else a built-in one, with their strings.
fn models() -> Vec<Course> {
    let Some(folder) = std::env::var_os("DROIDTEST_FATE_MODELS").map(PathBuf::from) else {
        let model = Model::builtin("shop").expect("a built-in model");
        let strings = model.strings.clone();
        return vec![Course { model, strings }];
    };
    let read = |name: &&str| {
        let file = folder.join(format!("{name}.json"));
        let file = camino::Utf8PathBuf::from_path_buf(file).expect("a path in UTF-8");
        let model = Model::load(file.as_std_path()).expect("a published model");
        let all = pool::all(None, Some(&file), &model).expect("strings");
        let strings = pool::limited(all, STRINGS, &model).expect("enough strings");
        Course { model, strings }
    };
    MODELS.iter().map(read).collect()
}

/// A model with its strings.
struct Course {
    model: Model,
    strings: Vec<String>,
}

impl Course {
    /// Processor time of so many steps, in microseconds a step.
    fn run(&self, learner: &mut dyn Learner, steps: u64, rng: &mut Rng) -> f64 {
        let strings: Vec<&str> = self.strings.iter().map(String::as_str).collect();
        let semantics = Semantics::FateCompat;
        let started = cpu_time::of_thread();
        let stop = Stop::default();
        course::learn(&self.model, semantics, &strings, steps, learner, rng, &stop)
            .expect("a walk");
        (cpu_time::of_thread() - started).as_secs_f64() * 1e6 / steps as f64
    }

    fn row(&self, name: &str, environment: f64, clock: f64) {
        let contender: Contender = name.parse().expect("a known strategy");
        let begin = || {
            let mut rng = seed::generator(1, &self.model.name, name, 0);
            let Runs::Strategy(kind) = &contender.runs else {
                panic!("{name} does not learn")
            };
            let learner = kind.learner(2, &mut rng).expect("a walker");
            (learner, rng)
        };
        let (mut learner, mut rng) = begin();
        let _ = peak();
        let whole = self.run(learner.as_mut(), STEPS, &mut rng);
        let peak = peak().map_or_else(|| "?".to_owned(), |mb| mb.to_string());
        let updates = learner.updates();
        drop(learner);
        let (learner, mut rng) = begin();
        let mut timed = Timed {
            learner,
            acting: Duration::ZERO,
            learning: Duration::ZERO,
        };
        self.run(&mut timed, STEPS, &mut rng);
        let a_step = |spent: Duration| spent.as_secs_f64() * 1e6 / STEPS as f64 - clock;
        println!(
            "| {} | {name} | {updates} | {:.0} | {whole:.1} | {environment:.2} | {:.1} | {:.1} | {peak} |",
            self.model.name,
            1e6 / whole,
            a_step(timed.acting),
            a_step(timed.learning),
        );
    }
}

/// One row for each model and strategy: processor time of a step in microseconds, and what it is spent on.
pub fn print() {
    println!(
        "| model | strategy | updates | steps/s | a step, us | environment | forward | update | peak, MB |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    let clock = clock();
    for course in models() {
        let mut rng = seed::generator(1, &course.model.name, "idle", 0);
        let environment = course.run(&mut Idle, 1_000_000, &mut rng);
        for name in CONTENDERS {
            course.row(name, environment, clock);
        }
    }
}
