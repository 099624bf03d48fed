//! `cargo xtask demo --seeds N`: how many of a sample app's planted crashes are found, and how short and how reliable they
//! are passed on, against what the tool is to reach.

use crate::{Result, learners, sh, study};
use lesson::Lesson;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml::{Table, Value as Toml};

#[path = "planted_lesson.rs"]
mod lesson;

/// The sample apps, each with the suite that explores it.
const SAMPLES: [(&str, &str); 2] = [
    ("notes", "example-configs/demo.toml"),
    ("pantry", "example-configs/compose.toml"),
];
/// Planted crashes that the median seed is to find.
const ENOUGH: f64 = 8.0;
/// Percent of the minimized that are to be within one event of the least.
const SHORT: usize = 90;
/// Replays in fresh processes, all of which are to show the crash.
const AGAIN: u64 = 5;

/// One planted crash.
struct Planted {
    id: String,
    exception: String,
    frame: String,
    least: u64,
    flaky: bool,
}

/// A planted crash that a session found.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    /// Its place in the list of planted ones.
    planted: usize,
    /// The fewest steps it was passed on with; `None`: not minimized.
    steps: Option<u64>,
    /// In how many fresh processes it reproduced, and of how many.
    again: (u64, u64),
}

/// One seed.
struct Row {
    seed: u64,
    dinodroid: Vec<Found>,
    random: Vec<Found>,
}

pub fn run(args: &[String]) -> Result {
    let seeds = sh::number(args, "--seeds", 10)?;
    let events = sh::number(args, "--events", 2000)?;
    // One by one: minimizing ends by the clock, so sessions next to it would make its results longer.
    let jobs = usize::try_from(sh::number(args, "--jobs", 1)?).unwrap_or(1);
    let (app, suite) = sample(args)?;
    let base = learners::base(&format!("planted-{app}"), args)?;
    let tool = sh::build_tool()?;
    of_this_build(&base, &tool)?;
    let truth = truth(app);
    let planted = planted(&read(&truth)?).map_err(|e| format!("{}: {e}", truth.display()))?;
    let demo = read(&sh::root().join(suite))?;
    sh::show(Command::new(&tool).current_dir(sh::root()).arg("setup"))?;
    let seeds: Vec<u64> = (1..=seeds).collect();
    let rows = study::each(&seeds, jobs, |&seed| {
        let found = |strategy| {
            let lesson = Lesson {
                base: &base,
                app,
                demo: &demo,
                strategy,
                events,
                seed,
            };
            found(&lesson.run(&tool)?, &planted)
        };
        let row = Row {
            seed,
            dinodroid: found("dinodroid")?,
            random: found("random")?,
        };
        eprintln!("seed {seed}: {} planted crashes", row.dinodroid.len());
        Ok(row)
    })?;
    let rows: Vec<Row> = rows.into_iter().collect::<Result<_>>()?;
    print!("{}", table(&rows, &planted));
    let missed = missed(&rows, &planted);
    if missed.is_empty() {
        println!("\nAll targets are reached.");
        Ok(())
    } else {
        Err(format!("not reached:\n  {}", missed.join("\n  ")))
    }
}

/// The app that `--app` names, `notes` by default, and its suite.
fn sample(args: &[String]) -> Result<(&'static str, &'static str)> {
    let name = sh::option(args, "--app")?.unwrap_or("notes");
    let found = SAMPLES.into_iter().find(|(app, _)| *app == name);
    found.ok_or_else(|| format!("no sample app is called {name:?}: notes or pantry"))
}

/// The ground truth of a sample app.
fn truth(app: &str) -> PathBuf {
    let apps = sh::root().join("tests/apps");
    apps.join(app).join("planted.toml")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Results of another build of the tool are dropped, and that is reported.
fn of_this_build(base: &Path, tool: &Path) -> Result {
    let bytes = fs::read(tool).map_err(|e| format!("cannot read {}: {e}", tool.display()))?;
    let hash = Sha256::digest(&bytes);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let note = base.join("tool.sha256");
    let then = fs::read_to_string(&note).ok();
    if then.as_ref().is_some_and(|then| *then != hash) {
        eprintln!("the tool was rebuilt: the study starts over");
        let _ = fs::remove_dir_all(base);
    }
    let written = fs::create_dir_all(base).and_then(|()| fs::write(&note, hash));
    written.map_err(|e| format!("cannot write {}: {e}", note.display()))
}

/// The crashes of a ground truth, one at least.
fn planted(text: &str) -> Result<Vec<Planted>> {
    let table: Table = text.parse().map_err(|e| format!("{e}"))?;
    let crashes = table.get("crash").and_then(Toml::as_array);
    let one = |crash: &Toml| {
        let text = |name| Some(crash.get(name)?.as_str()?.to_owned());
        Some(Planted {
            id: text("id")?,
            exception: text("exception")?,
            frame: text("frame")?,
            least: u64::try_from(crash.get("min_events")?.as_integer()?).ok()?,
            flaky: crash
                .get("flaky")
                .is_some_and(|flaky| flaky == &Toml::Boolean(true)),
        })
    };
    let all: Option<Vec<Planted>> = crashes.into_iter().flatten().map(one).collect();
    all.filter(|all| !all.is_empty())
        .ok_or_else(|| "a crash lacks a field, or there is none".to_owned())
}

impl Planted {
    /// Is this finding it? By kind, exception and the app's innermost frame, as traces know a finding.
    fn is(&self, finding: &Value) -> bool {
        let same = match self.exception.as_str() {
            "ANR" => finding["kind"] == "anr",
            class => finding["kind"] == "java-crash" && finding["exception"] == class,
        };
        let frame = finding["frame"].as_str().unwrap_or_default();
        let rest = frame.strip_prefix(&self.frame);
        // `A.go` is no `A.gone`.
        let word = |c: char| c.is_alphanumeric() || c == '_';
        same && rest.is_some_and(|rest| !rest.starts_with(word))
    }
}

/// What of the planted a session found, each once, by its shortest steps.
fn found(session: &Path, planted: &[Planted]) -> Result<Vec<Found>> {
    let mut all: Vec<Found> = Vec::new();
    let findings = match fs::read_dir(session.join("findings")) {
        Ok(findings) => findings,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(all),
        Err(e) => return Err(format!("{}: {e}", session.display())),
    };
    for folder in findings.filter_map(|entry| entry.ok()) {
        let json = |name: &str| -> Result<Value> {
            let path = folder.path().join(name);
            serde_json::from_str(&read(&path)?).map_err(|e| format!("{}: {e}", path.display()))
        };
        let finding = json("finding.json")?;
        let Some(place) = planted.iter().position(|planted| planted.is(&finding)) else {
            continue;
        };
        let result = json("reproduction.json").unwrap_or_default();
        let number = |key: &str| result[key].as_u64().unwrap_or(0);
        let steps = result["steps"].as_array().map(|steps| steps.len() as u64);
        let one = Found {
            planted: place,
            steps: steps.filter(|_| result["minimality"] != "not-reproduced"),
            again: (number("reproduced"), number("of")),
        };
        let length = |found: &Found| found.steps.unwrap_or(u64::MAX);
        match all.iter_mut().find(|known| known.planted == place) {
            None => all.push(one),
            Some(known) if length(known) > length(&one) => *known = one,
            Some(_) => {}
        }
    }
    all.sort_by_key(|found| found.planted);
    Ok(all)
}

fn is_short(found: &Found, planted: &[Planted]) -> bool {
    let least = planted[found.planted].least;
    found.steps.is_some_and(|steps| steps <= least + 1)
}

fn is_sure(found: &Found, planted: &[Planted]) -> bool {
    let (times, of) = found.again;
    planted[found.planted].flaky || of >= AGAIN && times == of
}

fn median(mut counts: Vec<usize>) -> f64 {
    counts.sort_unstable();
    let middle = counts.len() / 2;
    match counts.len() % 2 {
        _ if counts.is_empty() => 0.0,
        0 => (counts[middle - 1] + counts[middle]) as f64 / 2.0,
        _ => counts[middle] as f64,
    }
}

fn medians(rows: &[Row]) -> [f64; 2] {
    let counts = |of: fn(&Row) -> &Vec<Found>| rows.iter().map(|row| of(row).len()).collect();
    [
        median(counts(|row| &row.dinodroid)),
        median(counts(|row| &row.random)),
    ]
}

/// By seed, then by crash.
fn table(rows: &[Row], planted: &[Planted]) -> String {
    let mut out = String::from(
        "\n| seed | planted crashes found by dinodroid | by random | minimized | within one event of the least | reproduced in all fresh processes |\n|---|---|---|---|---|---|\n",
    );
    let mut line = |name: &str, of: &[&Found], dinodroid: &str, random: &str| {
        let count = |good: &dyn Fn(&Found) -> bool| of.iter().filter(|f| good(f)).count();
        let _ = writeln!(
            out,
            "| {name} | {dinodroid} of {} | {random} | {} of {all} | {} of {all} | {} of {all} |",
            planted.len(),
            count(&|f| f.steps.is_some()),
            count(&|f| is_short(f, planted)),
            count(&|f| is_sure(f, planted)),
            all = of.len(),
        );
    };
    for row in rows {
        let of: Vec<&Found> = row.dinodroid.iter().collect();
        let counts = [of.len(), row.random.len()].map(|n| n.to_string());
        line(&row.seed.to_string(), &of, &counts[0], &counts[1]);
    }
    let all: Vec<&Found> = rows.iter().flat_map(|row| &row.dinodroid).collect();
    let [dinodroid, random] = medians(rows).map(|median| median.to_string());
    line("median, sums", &all, &dinodroid, &random);
    out += "\n| crash | least | seeds of dinodroid that found it | of random | steps of the trace | reproduced |\n|---|---|---|---|---|---|\n";
    for (place, crash) in planted.iter().enumerate() {
        let of = |own: fn(&Row) -> &Vec<Found>| -> Vec<&Found> {
            let all = rows.iter().flat_map(own);
            all.filter(|found| found.planted == place).collect()
        };
        let (dinodroid, random) = (of(|row| &row.dinodroid), of(|row| &row.random));
        let steps = |f: &&Found| f.steps.map_or("-".to_owned(), |steps| steps.to_string());
        let steps: Vec<String> = dinodroid.iter().map(steps).collect();
        let again = |f: &&Found| format!("{} of {}", f.again.0, f.again.1);
        let again: Vec<String> = dinodroid.iter().map(again).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            crash.id,
            crash.least,
            dinodroid.len(),
            random.len(),
            steps.join(", "),
            again.join(", ")
        );
    }
    out
}

/// What was to be reached and was not.
fn missed(rows: &[Row], planted: &[Planted]) -> Vec<String> {
    let mut missed = Vec::new();
    let [dinodroid, random] = medians(rows);
    if dinodroid < ENOUGH {
        missed.push(format!(
            "the median seed finds {dinodroid} planted crashes; the target is {ENOUGH}"
        ));
    }
    if dinodroid <= random {
        missed.push(format!(
            "the median seed finds {dinodroid} planted crashes, no more than random's {random}"
        ));
    }
    let all = || rows.iter().flat_map(|row| &row.dinodroid);
    let open = all().filter(|found| found.steps.is_none()).count();
    if open > 0 {
        missed.push(format!("{open} found planted crashes are not minimized"));
    }
    let minimized = all().filter(|found| found.steps.is_some()).count();
    let short = all().filter(|found| is_short(found, planted)).count();
    if short * 100 < minimized * SHORT {
        missed.push(format!(
            "{short} of {minimized} minimized are within one event of the least; the target is {SHORT} %"
        ));
    }
    let handed = || all().filter(|found| found.steps.is_some());
    let unsure = handed().filter(|found| !is_sure(found, planted)).count();
    if unsure > 0 {
        missed.push(format!(
            "{unsure} of {minimized} minimized do not reproduce in each of {AGAIN} fresh processes"
        ));
    }
    missed
}

#[cfg(test)]
#[path = "planted_tests.rs"]
mod tests;
