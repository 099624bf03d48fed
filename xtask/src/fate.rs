//! The strategies on FATE's models next to the paper's table and the original code's measured figures: docs/fate.md.

mod anchors;
mod kept_back;
mod tool;

use crate::{Result, sh};
use anchors::ANCHORS;
use kept_back::KeptBack;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tool::{Refused, Tool};

/// What the original code was measured of.
const HELD: [&str; 2] = ["random", MEASURED];

/// The deep ones at the paper's settings.
const DEEP: [&str; 3] = ["ares-td3", "ares-sac", "ares-ddpg"];
/// The paper's settings except for the scale of rewards and what the state shows.
const SCALED: &str = "ares-sac:default";

/// One in a hundred, one-sided, of the normal distribution.
const ONE_PERCENT: f64 = 2.326;

/// Mean, standard deviation, seeds, steps per second.
#[derive(Clone, Copy)]
struct Figure {
    mean: f64,
    sd: f64,
    seeds: f64,
    speed: f64,
}

impl Figure {
    /// How many combined standard errors this mean is above the other.
    fn above(self, mean: f64, sd: f64, seeds: f64) -> f64 {
        let error = (self.sd * self.sd / self.seeds + sd * sd / seeds).sqrt();
        (self.mean - mean) / error.max(1e-9)
    }
}

/// In the order they are run, and how many times `--seeds` each has: what is quick can be known better.
const STRATEGIES: [(&str, u64); 10] = [
    ("random", QUICK),
    (MEASURED, QUICK),
    ("q-learning", QUICK),
    ("q-learning:default", QUICK),
    ("ares-sac", 5),
    ("ares-ddpg", 5),
    ("ares-ddpg:default", 1),
    (SCALED, 15),
    ("dinodroid", 1),
    (SLOW, 1),
];
/// Of strategies that run hundreds of thousands of steps per second and more.
const QUICK: u64 = 30;
/// What the measured code is: epsilon .6, the first of equal values. `q-learning` alone is the paper's preset.
const MEASURED: &str = "q-learning:published";
/// It learns 40,000 times in a run at the paper's settings: its seeds take as long as all others together.
const SLOW: &str = "ares-td3";
/// Those that run on models kept back.
const KEPT_BACK: [&str; 8] = [
    "random",
    "q-learning",
    "q-learning:default",
    "ares-sac",
    "ares-ddpg",
    "ares-sac:default",
    "ares-ddpg:default",
    "dinodroid",
];

/// By strategy: a figure of each model.
type Table = Vec<(String, Vec<Option<Figure>>)>;

/// What was run.
struct Study {
    /// `--seeds`.
    seeds: u64,
    /// Those that the original was measured of, with so many seeds.
    few: Table,
    /// All, with as many as they have.
    table: Table,
}

pub fn run(args: &[String]) -> Result {
    let folder = args.first().filter(|a| !a.starts_with("--")).ok_or(
        "the first argument must be the folder of the published models (player.json, social.json, .., strings.json)",
    )?;
    let seeds = sh::number(args, "--seeds", 60)?;
    if sh::option(args, "--slow-seeds")?.is_some() {
        return Err("--slow-seeds was removed: stop the study at any time, the page is written after each row".into());
    }
    let jobs = sh::number(args, "--jobs", 1)?;
    let strings = sh::number(args, "--kept-back-strings", 20)?;
    let mut kept_back = match sh::option(args, "--kept-back")? {
        Some(own) => Some(KeptBack::of(Path::new(own), Path::new(folder), strings)?),
        None => None,
    };
    sh::show(sh::cargo().args([
        "build",
        "--release",
        "--package",
        "cargo-droidtest",
        "--bin",
        "cargo-droidtest",
    ]))?;
    let tool = Tool {
        program: sh::target()
            .join("release")
            .join(format!("cargo-droidtest{}", std::env::consts::EXE_SUFFIX)),
        store: sh::target().join("studies").join("fate.jsonl"),
        jobs,
        run: !args.iter().any(|arg| arg == "--no-run"),
    };
    let path = sh::root().join("docs").join("fate.md");
    let write = |study: &Study, kept_back: Option<&KeptBack>| {
        fs::write(&path, document(study, kept_back))
            .map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    let mut study = Study {
        seeds,
        few: Vec::new(),
        table: Vec::new(),
    };
    let run = |strategy: &str, ix: usize, seeds: u64| {
        let file = Path::new(folder).join(format!("{}.json", ANCHORS[ix].model));
        tool.figure(&file, None, ANCHORS[ix].strings, strategy, seeds)
            .map_err(Refused::reported)
    };
    for strategy in HELD {
        let figures: Result<_> = (0..ANCHORS.len())
            .map(|ix| run(strategy, ix, seeds))
            .collect();
        study.few.push((strategy.to_owned(), figures?));
    }
    for (strategy, times) in STRATEGIES {
        study
            .table
            .push((strategy.to_owned(), vec![None; ANCHORS.len()]));
        for ix in 0..ANCHORS.len() {
            let figure = run(strategy, ix, seeds * times)?;
            if let Some((_, figures)) = study.table.last_mut() {
                figures[ix] = figure;
            }
            // After each row, so that a study that is stopped has something to show.
            write(&study, kept_back.as_ref())?;
        }
        eprintln!("{strategy}: done");
    }
    let Some(kept_back) = &mut kept_back else {
        return Ok(());
    };
    for strategy in KEPT_BACK {
        let pool = kept_back.pool.clone();
        kept_back.run(strategy, |file| {
            tool.figure(file, pool.as_deref(), strings, strategy, seeds)
        })?;
        eprintln!("{strategy} on the held-out models: done");
        write(&study, Some(kept_back))?;
    }
    Ok(())
}

fn find<'t>(table: &'t Table, strategy: &str) -> Option<&'t [Option<Figure>]> {
    table
        .iter()
        .find(|(name, _)| name == strategy)
        .map(|(_, figures)| figures.as_slice())
}

fn document(study: &Study, kept_back: Option<&KeptBack>) -> String {
    let table = &study.table;
    let mut out = String::from(
        "# FATE\n\nResults of `bench fate` on the published models, compared with the paper's Table 1 (means of \
         60 runs) and the original code, measured again. `cargo xtask fate DIR` writes this file; DIR contains \
         the models; it resumes where it was stopped. 4000 steps per run, resets as in the published simulator \
         (`fate-compat`), area under the curve of activities over the first 3999 steps: 3998 is a run that \
         never left its first activity. The distributions are bimodal (logged in, or never), so means are \
         compared with their standard errors. `--kept-back DIR` adds a table of models for which nothing is \
         published.\n\nRewards, episodes, resets and actions are the published simulator's: \
         pages have the model's widgets and no keys, and no strategy starts the app by itself. Two things it leaves open: \
         the end of an episode after its 300 steps is not terminal for the learners (the value of what could \
         follow counts), with every preset, and no key changes that; and if a model has a planted crash or an \
         exit, which no published one has, the episode ends there and the state is terminal. On devices: \
         [ares.md](strategies/ares.md).\n",
    );
    out.push_str("\n## The same semantics\n\n");
    same(study, &mut out);
    out.push_str("\n## The paper's learners at the paper's settings\n\n");
    deep(table, &mut out);
    out.push_str("\n## All strategies, and the best of the paper\n\n");
    best(study, &mut out);
    let whole = |name, seeds: u64| {
        let row = find(table, name).unwrap_or_default();
        let figures = row.iter().flatten();
        figures.filter(|f| f.seeds >= seeds as f64).count()
    };
    let missing: Vec<String> = STRATEGIES
        .into_iter()
        .filter_map(
            |(name, times)| match ANCHORS.len() - whole(name, study.seeds * times) {
                0 => None,
                all if all == ANCHORS.len() => Some(name.to_owned()),
                rows => Some(format!("{name} on {rows} rows")),
            },
        )
        .collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        let _ = writeln!(out, "\nNot run yet with all their seeds: {missing}.");
    }
    if let Some(kept_back) = kept_back.filter(|kept_back| kept_back.has_run()) {
        out.push_str("\n## Held-out models\n\n");
        kept_back.document(&mut out);
    }
    out.push_str("\n## Speed\n\nSteps per second of one run on one core, including learning; the machine was shared, so the figures are lower bounds.\n\n");
    speed(table, &mut out);
    out
}

fn same(study: &Study, out: &mut String) {
    out.push_str(
        "Our results compared with the original code's measured mean, in combined standard errors. The measured \
         code corresponds to `q-learning:published` here: epsilon .6, the first of equal values. `q-learning` \
         alone, below, is the paper's preset: epsilon .8, a random one of equal values. Mean ± standard \
         deviation (seeds): first with as many seeds as the paper has runs, then with all seeds. If the \
         measured deviation is unknown, ours is used instead.\n\n\
         | model | strings | random: measured | ours | apart | ours, more seeds | apart | q-learning: measured | ours | apart | \
         ours, more seeds | apart |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut near, mut all) = ([0, 0], [0, 0]);
    for (ix, anchor) in ANCHORS.iter().enumerate() {
        let _ = write!(out, "| {} | {} ", anchor.model, anchor.strings);
        for (strategy, (mean, sd, seeds)) in HELD.into_iter().zip(anchor.measured) {
            let ours = [&study.few, &study.table]
                .map(|table| find(table, strategy).and_then(|figures| figures[ix]));
            let known = sd > 0.0;
            let sd = match ours[0] {
                Some(ours) if !known => ours.sd,
                _ => sd,
            };
            let _ = match known {
                true => write!(out, "| {mean:.0} ± {sd:.0} ({seeds}) "),
                false => write!(out, "| {mean:.0} ({seeds}) "),
            };
            for (which, ours) in ours.into_iter().enumerate() {
                let Some(ours) = ours else {
                    out.push_str("| | ");
                    continue;
                };
                let apart = ours.above(mean, sd, seeds);
                all[which] += 1;
                near[which] += usize::from(apart.abs() <= 3.3);
                let _ = write!(
                    out,
                    "| {:.0} ± {:.0} ({}) | {apart:+.1} ",
                    ours.mean, ours.sd, ours.seeds
                );
            }
        }
        out.push_str("|\n");
    }
    let _ = writeln!(
        out,
        "\nWithin 3.3 standard errors: {} of {}; with more seeds {} of {}. If no run of the original passed the \
         login, its deviation is nearly 0, and a mean with runs that did is many of its errors away.",
        near[0], all[0], near[1], all[1]
    );
}

fn deep(table: &Table, out: &mut String) {
    out.push_str(
        "Mean ± standard deviation (seeds), and in combined standard errors above our random (1 % one-sided: \
         2.33). `ares-sac:default` has them, too, except that rewards are multiplied by .1 and the state shows \
         the episode's activities: the scale was chosen on these rows with 100 of its seeds; the noise of \
         `ares-ddpg` is ours, and its size was chosen on two of these rows. [ares.md](strategies/ares.md) describes what \
         was tried where they are below. If no run of a learner passed the login, its deviation is nearly 0, \
         and a few runs of `random` that did are many errors.\n\n\
         | model | strings | random | ares-td3 | | ares-sac | | ares-ddpg | | ares-sac:default | |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let shown = || DEEP.into_iter().chain([SCALED]);
    let mut counts = [(0, 0); DEEP.len() + 1];
    for (ix, anchor) in ANCHORS.iter().enumerate() {
        let Some(random) = find(table, "random").and_then(|f| f[ix]) else {
            continue;
        };
        let _ = write!(
            out,
            "| {} | {} | {:.0} ",
            anchor.model, anchor.strings, random.mean
        );
        for (strategy, count) in shown().zip(&mut counts) {
            match find(table, strategy).and_then(|f| f[ix]) {
                Some(ours) => {
                    let above = ours.above(random.mean, random.sd, random.seeds);
                    count.0 += usize::from(above > ONE_PERCENT);
                    count.1 += usize::from(above < -ONE_PERCENT);
                    let _ = write!(
                        out,
                        "| {:.0} ± {:.0} ({}) | {above:+.1} ",
                        ours.mean, ours.sd, ours.seeds
                    );
                }
                None => out.push_str("| | "),
            }
        }
        out.push_str("|\n");
    }
    for (strategy, (above, below)) in shown().zip(counts) {
        if find(table, strategy).is_some() {
            let _ = writeln!(
                out,
                "\n{strategy}: significantly above random on {above} rows, below on {below}."
            );
        }
    }
}

fn best(study: &Study, out: &mut String) {
    let Study { seeds, table, .. } = study;
    out.push_str("| model | strings | best of the paper |");
    for (name, _) in table {
        let _ = write!(out, " {name} |");
    }
    out.push_str(" above the paper's best |\n|---|---|---|");
    out.push_str(&"---|".repeat(table.len() + 1));
    out.push('\n');
    let mut won = 0;
    for (ix, anchor) in ANCHORS.iter().enumerate() {
        let paper = anchor.paper.iter().copied().fold(0.0, f64::max);
        let _ = write!(
            out,
            "| {} | {} | {paper:.0} |",
            anchor.model, anchor.strings
        );
        let mut highest: Option<(&str, f64)> = None;
        for (name, figures) in table {
            match figures[ix] {
                Some(figure) => {
                    let counts = figure.seeds >= *seeds as f64;
                    let _ = match counts {
                        true => write!(out, " {:.0} |", figure.mean),
                        false => write!(out, " {:.0} ({}) |", figure.mean, figure.seeds),
                    };
                    if counts && highest.is_none_or(|(_, mean)| figure.mean > mean) {
                        highest = Some((name, figure.mean));
                    }
                }
                None => out.push_str(" |"),
            }
        }
        match highest.filter(|(_, mean)| *mean > paper) {
            Some((name, _)) => {
                won += 1;
                let _ = writeln!(out, " {name} |");
            }
            None => out.push_str(" no |\n"),
        }
    }
    let _ = writeln!(
        out,
        "\nThe best of ours, with {seeds} seeds at least, is above the best of the paper on {won} of {} rows. \
         With fewer, their number is in brackets, and the figure is not counted. `q-learning:default` sees only \
         string indices, and which widgets are text fields; nothing else of the model.",
        ANCHORS.len()
    );
}

fn speed(table: &Table, out: &mut String) {
    out.push_str("| strategy | lowest row | highest row |\n|---|---|---|\n");
    for (name, figures) in table {
        let speeds = || figures.iter().flatten().map(|figure| figure.speed);
        if speeds().next().is_none() {
            continue;
        }
        let low = speeds().fold(f64::INFINITY, f64::min);
        let high = speeds().fold(0.0, f64::max);
        let _ = writeln!(out, "| {name} | {low:.0} | {high:.0} |");
    }
}

#[cfg(test)]
mod tests;
