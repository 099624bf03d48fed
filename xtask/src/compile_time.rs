//! What the tool costs to compile from nothing, held against a budget, so that later work notices what it adds.

use crate::{Result, sh};
use serde_json::Value;
use std::fs;
use std::time::Instant;

/// Units of work that a build of the tool may have: crates, and their build scripts.
const UNITS: usize = 285;
/// All units' time, as a multiple of [`REFERENCE`]'s: machines differ, this hardly does.
const RATIO: f64 = 34.0;
/// A crate that every build compiles, and that changes rarely.
const REFERENCE: &str = "regex-automata";
/// Units that are printed.
const SLOWEST: usize = 12;

/// A unit of work.
#[derive(Debug, PartialEq)]
struct Unit {
    name: String,
    seconds: f64,
}

pub fn run() -> Result {
    let target = sh::target().join("compile-time");
    let _ = fs::remove_dir_all(&target);
    let start = Instant::now();
    let mut build = sh::cargo();
    build.args([
        "build",
        "--locked",
        "--timings",
        "--package",
        "cargo-droidtest",
        "--bins",
    ]);
    sh::show(
        build
            .arg("--target-dir")
            .arg(&target)
            .env("CARGO_INCREMENTAL", "0"),
    )?;
    let wall = start.elapsed().as_secs();
    let page = target.join("cargo-timings/cargo-timing.html");
    let page = fs::read_to_string(&page).map_err(|e| format!("{}: {e}", page.display()))?;
    let mut units = units(&page)?;
    units.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for unit in units.iter().take(SLOWEST) {
        println!("{:8.1} s  {}", unit.seconds, unit.name);
    }
    let (ratio, all) = measured(&units)?;
    println!(
        "{wall} s in all; {} units, {all:.0} s of work, {ratio:.1} times {REFERENCE}",
        units.len()
    );
    over_budget(units.len(), ratio)
}

fn over_budget(units: usize, ratio: f64) -> Result {
    if units > UNITS {
        return Err(format!("{units} units of work; the budget is {UNITS}"));
    }
    if ratio > RATIO {
        return Err(format!(
            "{ratio:.1} times {REFERENCE}; the budget is {RATIO}"
        ));
    }
    Ok(())
}

/// All units' time as a multiple of the reference's, and in seconds.
fn measured(units: &[Unit]) -> Result<(f64, f64)> {
    let all: f64 = units.iter().map(|unit| unit.seconds).sum();
    let is_reference = |unit: &&Unit| unit.name == REFERENCE;
    let reference = units.iter().find(is_reference).map(|unit| unit.seconds);
    match reference {
        Some(seconds) if seconds > 0.0 => Ok((all / seconds, all)),
        _ => Err(format!("the build did not compile {REFERENCE}")),
    }
}

/// The units of cargo's own report.
fn units(page: &str) -> Result<Vec<Unit>> {
    let data = page
        .split_once("const UNIT_DATA = ")
        .and_then(|(_, rest)| rest.split_once("];"))
        .map(|(data, _)| format!("{data}]"))
        .ok_or("cargo's report of timings has another form")?;
    let all: Vec<Value> = serde_json::from_str(&data).map_err(|e| e.to_string())?;
    let unit = |value: &Value| {
        let target = value["target"].as_str().unwrap_or_default();
        Some(Unit {
            name: format!("{}{target}", value["name"].as_str()?),
            seconds: value["duration"].as_f64()?,
        })
    };
    Ok(all.iter().filter_map(unit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_cargos_report_and_held_against_the_reference() {
        let page = "<script>const UNIT_DATA = [{\"i\":0,\"name\":\"regex-automata\",\"target\":\"\",\"duration\":2.0},\n\
            {\"i\":1,\"name\":\"syn\",\"target\":\" build-script\",\"duration\":3.0}];\nconst X = [];</script>";
        let units = units(page).unwrap();
        assert_eq!(units[1].name, "syn build-script");
        assert_eq!(measured(&units), Ok((2.5, 5.0)));
        assert!(measured(&units[1..]).unwrap_err().contains(REFERENCE));
        assert!(super::units("<script></script>").is_err());
        assert_eq!(over_budget(UNITS, RATIO), Ok(()));
        assert!(over_budget(UNITS + 1, RATIO).is_err() && over_budget(1, RATIO + 1.0).is_err());
    }
}
