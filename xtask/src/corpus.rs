//! How small a corpus gets, and how fast it is performed: each APK explored by `random`, its corpus minimized, and
//! explored again from it.

use crate::study::{self, name};
use crate::{Result, sh};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// An app's figures.
struct Figures {
    min: Value,
    /// Events a second of the corpus and of the strategy, in the run that starts from the minimized corpus.
    rates: (f64, f64),
}

pub fn run(args: &[String]) -> Result {
    let mut files = study::apks(study::folder(args)?)?;
    if let Some(wanted) = sh::option(args, "--apps")? {
        let wanted: Vec<&str> = wanted.split(',').collect();
        files.retain(|file| wanted.iter().any(|part| name(file).contains(part)));
    }
    let events = sh::number(args, "--events", 300)?;
    let seeds = sh::number(args, "--seeds", 3)?;
    let time = sh::option(args, "--time")?.unwrap_or("10m");
    let keep = sh::option(args, "--keep")?.unwrap_or("probes,transitions,findings");
    let base = sh::target().join("studies").join(format!(
        "corpus-{events}-{seeds}-{time}-{}",
        keep.replace(',', "-")
    ));
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let tool = sh::build_tool()?;
    println!(
        "| app | traces, events before | after | share | probes | transitions | findings | corpus, random (events/s) |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut sums = [0.0; 2];
    for file in &files {
        match one(&tool, &base, file, (events, seeds, time, keep)) {
            Ok(Figures { min, rates }) => {
                let n = |keys: &[&str]| study::num(&min, keys);
                let kept = |what| format!("{} of {}", n(&["kept", what]), n(&["worth", what]));
                let (before, after) = (n(&["before", "events"]), n(&["after", "events"]));
                sums = [sums[0] + before, sums[1] + after];
                println!(
                    "| {} | {}, {before} | {}, {after} | {:.1} % | {} | {} | {} | {:.0}, {:.0} |",
                    name(file),
                    n(&["before", "traces"]),
                    n(&["after", "traces"]),
                    100.0 * after / before.max(1.0),
                    kept("probes"),
                    kept("transitions"),
                    kept("findings"),
                    rates.0,
                    rates.1,
                );
            }
            Err(reason) => println!("| {} | {reason} |", name(file)),
        }
    }
    println!(
        "\nall: {:.1} % of the events",
        100.0 * sums[1] / sums[0].max(1.0)
    );
    Ok(())
}

fn one(
    tool: &Path,
    base: &Path,
    file: &Path,
    (events, seeds, time, keep): (u64, u64, &str, &str),
) -> Result<Figures> {
    let label = name(file);
    let corpus = base.join(format!("{label}.corpus"));
    let result = base.join(format!("{label}.min.json"));
    let file = fs::canonicalize(file).map_err(|e| e.to_string())?;
    let suite = |seeds: Vec<u64>| {
        format!(
            "[suite]\nname = \"study\"\nbudget = {{ events = {events} }}\nseeds = {seeds:?}\ncorpus = {}\n\n\
             [[app]]\nname = \"app\"\napk = {}\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\n\
             [[strategy]]\nkind = \"random\"\n\n[minimize]\nenabled = false\n\n[report]\nhtml = false\n\
             screenshots = \"none\"\ncoverage = {{ xml = false, html = false, lcov = false, cobertura = false }}\n",
            Value::from(corpus.display().to_string()),
            Value::from(file.display().to_string()),
        )
    };
    if !result.is_file() {
        for left in [format!("{label}-grow"), format!("{label}-led")] {
            let _ = fs::remove_dir_all(base.join(left));
        }
        let _ = fs::remove_dir_all(&corpus);
        let grow = format!("{label}-grow");
        study::explore(tool, base, &grow, &suite((1..=seeds).collect()), &[0, 100])?;
        let done = Command::new(tool)
            .args([
                "corpus",
                "min",
                "--message-format",
                "json",
                "--time",
                time,
                "--keep",
                keep,
                "--suite",
            ])
            .arg(base.join(format!("{grow}.toml")))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
        if !done.status.success() {
            return Err(format!("corpus min ended with {}", done.status));
        }
        fs::write(&result, done.stdout).map_err(|e| e.to_string())?;
    }
    let led = format!("{label}-led");
    if !base.join(&led).join("summary.json").is_file() {
        let _ = fs::remove_dir_all(base.join(&led));
        study::explore(tool, base, &led, &suite(vec![seeds + 1]), &[0, 100])?;
    }
    let text = fs::read_to_string(&result).map_err(|e| e.to_string())?;
    Ok(Figures {
        min: serde_json::from_str(text.trim()).map_err(|e| e.to_string())?,
        rates: rates(&base.join(led))?,
    })
}

/// Events a second that the corpus led, and of all others, restarts included.
fn rates(run: &Path) -> Result<(f64, f64)> {
    let session = run
        .join("sessions")
        .join(format!("app-jvm-random-{}", last_seed(run)?));
    let read = |file: &str| {
        let text = fs::read_to_string(session.join(file)).map_err(|e| format!("{file}: {e}"))?;
        let lines = text.lines().map(serde_json::from_str::<Value>);
        lines
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(|e| format!("{file}: {e}"))
    };
    let journal = read("journal.jsonl")?;
    let led = journal
        .iter()
        .filter(|line| line["led"]["corpus"].is_string());
    let led: BTreeSet<u64> = led.filter_map(|line| line["i"].as_u64()).collect();
    // Per side: events and microseconds.
    let mut sides = [(0.0, 0.0); 2];
    let mut last = 0.0;
    for line in read("timing.jsonl")? {
        let (Some(number), Some(at)) = (line["i"].as_u64(), line["us"].as_f64()) else {
            continue;
        };
        if number > 0 {
            let side = &mut sides[usize::from(!led.contains(&number))];
            *side = (side.0 + 1.0, side.1 + at - last);
        }
        last = at;
    }
    let rate = |(events, time): (f64, f64)| 1e6 * events / time.max(1.0);
    Ok((rate(sides[0]), rate(sides[1])))
}

fn last_seed(run: &Path) -> Result<u64> {
    let text = fs::read_to_string(run.join("summary.json")).map_err(|e| e.to_string())?;
    let summary: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    summary["sessions"][0]["seed"]
        .as_u64()
        .ok_or_else(|| "the run has no session".to_owned())
}
