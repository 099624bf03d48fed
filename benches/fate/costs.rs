//! Where the time of a run of the deep strategies goes, and how much memory it takes.

use droidtest::bench::fate::contender::Contender;
use droidtest::bench::fate::{course, pool};
use droidtest::device::sim::{Model, Semantics};
use droidtest::learn::bundle::Bundle;
use droidtest::strategy::agent::{Act, Agent, Scene};
use droidtest::util::seed::{self, Rng};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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

/// An agent with a clock at its doors.
struct Timed {
    agent: Box<dyn Agent>,
    acting: Duration,
    learning: Duration,
}

impl Agent for Timed {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        let begun = Instant::now();
        let act = self.agent.act(scene, rng);
        self.acting += begun.elapsed();
        act
    }

    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, rng: &mut Rng) {
        let begun = Instant::now();
        self.agent.learn(reward, next, terminal, rng);
        self.learning += begun.elapsed();
    }

    fn begin(&mut self) {
        self.agent.begin();
    }

    fn updates(&self) -> u64 {
        self.agent.updates()
    }

    fn export(&self) -> Bundle {
        self.agent.export()
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        self.agent.import(learned)
    }
}

/// The most memory the process has had resident since this was last asked, in MB; nothing where the system does not
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
fn models() -> Vec<(Model, Vec<String>)> {
    let Some(folder) = std::env::var_os("DROIDTEST_FATE_MODELS").map(PathBuf::from) else {
        let model = Model::builtin("shop").expect("a built-in model");
        let strings = model.strings.clone();
        return vec![(model, strings)];
    };
    let read = |name: &&str| {
        let file = folder.join(format!("{name}.json"));
        let file = camino::Utf8PathBuf::from_path_buf(file).expect("a path in UTF-8");
        let model = Model::load(file.as_std_path()).expect("a published model");
        let all = pool::all(None, Some(&file), &model).expect("strings");
        let strings = pool::limited(all, STRINGS, &model).expect("enough strings");
        (model, strings)
    };
    MODELS.iter().map(read).collect()
}

/// One row for each model and strategy: microseconds a step, and what they are spent on.
pub fn print() {
    println!(
        "| model | strategy | updates | steps/s | a step, us | environment | forward | update | peak, MB |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    for (model, strings) in models() {
        let strings: Vec<&str> = strings.iter().map(String::as_str).collect();
        for name in CONTENDERS {
            let contender: Contender = name.parse().expect("a known strategy");
            let mut rng = seed::generator(1, &model.name, name, 0);
            let agent = contender.kind.agent(&mut rng).expect("an agent");
            let mut timed = Timed {
                agent,
                acting: Duration::ZERO,
                learning: Duration::ZERO,
            };
            let _ = peak();
            let begun = Instant::now();
            let semantics = Semantics::FateCompat;
            course::learn(&model, semantics, &strings, STEPS, &mut timed, &mut rng)
                .expect("a walk");
            let whole = begun.elapsed();
            let a_step = |spent: Duration| spent.as_secs_f64() * 1e6 / STEPS as f64;
            let (act, learn) = (a_step(timed.acting), a_step(timed.learning));
            let rest = a_step(whole) - act - learn;
            println!(
                "| {} | {name} | {} | {:.0} | {:.1} | {rest:.2} | {act:.1} | {learn:.1} | {} |",
                model.name,
                timed.updates(),
                STEPS as f64 / whole.as_secs_f64(),
                a_step(whole),
                peak().map_or_else(|| "?".to_owned(), |mb| mb.to_string()),
            );
        }
    }
}
