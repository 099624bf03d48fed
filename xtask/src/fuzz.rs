//! Every parser against good inputs mutated at random: no panic, at most so much time and memory an input.

use crate::page::Part;
use crate::{Result, sh};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Inputs of one process by default: what is lost when a machine goes down.
const CHUNK: u64 = 10_000;
const TABLE: Part = Part {
    page: "docs/reliability.md",
    chore: "fuzz",
};

pub fn run(args: &[String]) -> Result {
    let inputs = sh::number(args, "--inputs", 1_000_000)?;
    let seed = sh::number(args, "--seed", 1)?;
    let chunk_of = sh::number(args, "--chunk", CHUNK)?.max(1);
    let base = sh::target().join("studies").join("fuzz");
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    let failures = base.join("failures");
    fs::create_dir_all(&failures)
        .map_err(|e| format!("cannot make {}: {e}", failures.display()))?;
    let worker = build()?;
    let known = list(&worker)?;
    let named: Vec<&String> = args.iter().take_while(|a| !a.starts_with("--")).collect();
    if let Some(unknown) = named.iter().find(|name| !known.contains(name)) {
        return Err(format!(
            "no parser is named {unknown:?}; there are {}",
            known.join(", ")
        ));
    }
    let store = base.join("results.jsonl");
    let mut done = read(&store)?;
    let chosen = known
        .iter()
        .filter(|name| named.is_empty() || named.contains(name));
    for parser in chosen {
        while let Some((from, to)) = gap(&done, parser, seed, inputs) {
            let to = to.min(from + chunk_of);
            let chunk = Chunk {
                worker: &worker,
                base: &base,
                parser,
                seed,
            };
            let row = chunk.run(from, to)?;
            let mut file = OpenOptions::new()
                .append(true)
                .create(true)
                .open(&store)
                .map_err(|e| format!("cannot write {}: {e}", store.display()))?;
            writeln!(file, "{row}")
                .map_err(|e| format!("cannot write {}: {e}", store.display()))?;
            eprintln!("{parser}: {to} of {inputs}");
            done.push(row);
        }
    }
    let table = table(&known, &done, &TABLE.read()?);
    print!("{table}");
    TABLE.write(&table)?;
    let failed: u64 = done.iter().map(|row| count(&row["failures"])).sum();
    if failed > 0 {
        return Err(format!(
            "{failed} inputs failed; they are in {}",
            failures.display()
        ));
    }
    Ok(())
}

/// Optimised, for ten times the inputs, but with the checks that tests are built with.
fn build() -> Result<PathBuf> {
    let mut build = sh::cargo();
    build.args(["build", "--release", "--package", "droidtest-fuzz"]);
    for package in ["cargo-droidtest", "dex2class", "droidtest-fuzz"] {
        for check in ["overflow-checks", "debug-assertions"] {
            build.arg("--config");
            build.arg(format!("profile.release.package.{package}.{check}=true"));
        }
    }
    sh::show(&mut build)?;
    Ok(sh::target()
        .join("release")
        .join(format!("droidtest-fuzz{}", std::env::consts::EXE_SUFFIX)))
}

fn list(worker: &Path) -> Result<Vec<String>> {
    let out = Command::new(worker).arg("list").output();
    let out = out.map_err(|e| format!("cannot run {}: {e}", worker.display()))?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let names = text.lines().filter_map(|line| line.split(' ').next());
    Ok(names.map(str::to_owned).collect())
}

fn read(store: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(store).unwrap_or_default();
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<std::result::Result<_, _>>()
        .map_err(|e| format!("{}: {e}; --fresh starts over", store.display()))
}

/// The first inputs below `inputs` that have not been run.
fn gap(done: &[Value], parser: &str, seed: u64, inputs: u64) -> Option<(u64, u64)> {
    let own = |row: &&Value| row["parser"] == parser && row["seed"] == seed;
    let range = |row: &Value| Some((row["from"].as_u64()?, row["to"].as_u64()?));
    let mut ranges: Vec<(u64, u64)> = done.iter().filter(own).filter_map(range).collect();
    ranges.sort_unstable();
    let mut from = 0;
    for (begin, end) in ranges {
        if begin > from {
            break;
        }
        from = from.max(end);
    }
    let next = done.iter().filter(own).filter_map(range);
    let next = next.map(|(begin, _)| begin).filter(|&begin| begin > from);
    (from < inputs).then(|| (from, next.min().unwrap_or(inputs).min(inputs)))
}

fn count(list: &Value) -> u64 {
    list.as_array().map_or(0, |all| all.len() as u64)
}

struct Chunk<'a> {
    worker: &'a Path,
    base: &'a Path,
    parser: &'a str,
    seed: u64,
}

impl Chunk<'_> {
    /// Runs these inputs; one that ends the process is noted, and the next process starts behind it.
    fn run(&self, from: u64, to: u64) -> Result<Value> {
        let state = self.base.join(format!("{}.state", self.parser));
        let (mut failures, mut begin) = (Vec::new(), from);
        let (mut taken, mut seconds, mut slowest, mut megabytes) = (0, 0.0, 0.0_f64, 0);
        while begin < to {
            let out = Command::new(self.worker)
                .arg(self.parser)
                .args([self.seed, begin, to].map(|n| n.to_string()))
                .args([&state, &self.base.join("failures")])
                .output()
                .map_err(|e| format!("cannot run {}: {e}", self.worker.display()))?;
            for line in String::from_utf8_lossy(&out.stdout).lines() {
                let reported: Value =
                    serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
                if reported["failure"].is_string() {
                    eprintln!("{}: {reported}", self.parser);
                    failures.push(reported);
                } else {
                    taken += reported["taken"].as_u64().unwrap_or(0);
                    seconds += reported["seconds"].as_f64().unwrap_or(0.0);
                    slowest = slowest.max(reported["slowest_ms"].as_f64().unwrap_or(0.0));
                    megabytes = megabytes.max(reported["megabytes"].as_u64().unwrap_or(0));
                }
            }
            if out.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&out.stderr);
            let said = said.trim();
            if out.status.code() == Some(1) || out.status.code() == Some(2) {
                return Err(format!("{}: {said}", self.parser));
            }
            let number = fs::read_to_string(&state)
                .ok()
                .and_then(|n| n.parse::<u64>().ok());
            let number = number
                .ok_or_else(|| format!("{} ended with {}: {said}", self.parser, out.status))?;
            let what = match out.status.code() {
                Some(3) => "an input that did not finish".to_owned(),
                _ => format!("{}: {said}", out.status),
            };
            let failure = json!({"failure": what, "number": number});
            eprintln!("{}: {failure}", self.parser);
            failures.push(failure);
            begin = number + 1;
        }
        Ok(json!({
            "parser": self.parser, "seed": self.seed, "from": from, "to": to, "taken": taken,
            "seconds": seconds, "slowest_ms": slowest, "megabytes": megabytes, "failures": failures,
        }))
    }
}

/// A row for each parser: of what was run, else the one that the page has.
fn table(known: &[String], rows: &[Value], page: &str) -> String {
    let mut out = String::from(
        "| parser | inputs | accepted | failed | slowest, ms | most memory, MB | inputs/s |\n|---|---|---|---|---|---|---|\n",
    );
    let mut all: BTreeMap<&str, [f64; 6]> = BTreeMap::new();
    for row in rows {
        let num = |key: &str| row[key].as_f64().unwrap_or(0.0);
        let own = all
            .entry(row["parser"].as_str().unwrap_or_default())
            .or_default();
        own[0] += num("to") - num("from");
        own[1] += num("taken");
        own[2] += count(&row["failures"]) as f64;
        own[3] = own[3].max(num("slowest_ms"));
        own[4] = own[4].max(num("megabytes"));
        own[5] += num("seconds");
    }
    let (mut total, mut failures) = (0.0, 0.0);
    for parser in known {
        let row = match all.get(parser.as_str()) {
            Some([inputs, taken, failed, slowest, memory, seconds]) => {
                let share = 100.0 * taken / inputs.max(1.0);
                let rate = inputs / seconds.max(1e-9);
                format!(
                    "| {parser} | {inputs} | {share:.0} % | {failed} | {slowest:.0} | {memory} | {rate:.0} |"
                )
            }
            None => match page.lines().find(|line| cell(line, 1) == parser) {
                Some(kept) => kept.to_owned(),
                None => continue,
            },
        };
        let number = |ix| cell(&row, ix).parse().unwrap_or(0.0);
        total += number(2);
        failures += number(4);
        let _ = writeln!(out, "{row}");
    }
    let _ = writeln!(out, "| all | {total} | | {failures} | | | |");
    out
}

fn cell(row: &str, ix: usize) -> &str {
    row.split('|').nth(ix).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_a_parser_become_one_row() {
        let row = |from: u64, failures: Value| json!({"parser": "guard", "seed": 1, "from": from, "to": from + 10, "taken": 5, "seconds": 0.5, "slowest_ms": from as f64, "megabytes": 3, "failures": failures});
        let rows = [row(0, json!([])), row(10, json!([{"failure": "panic"}]))];
        let page = "| apk | 50 | 18 % | 0 | 2 | 0 | |\n| guard | 7 | 50 % | 1 | 10 | 3 | 1 |\n";
        let known = ["guard", "suite", "apk"].map(str::to_owned);
        let table = table(&known, &rows, page);
        assert!(
            table.contains("| guard | 20 | 50 % | 1 | 10 | 3 | 20 |"),
            "{table}"
        );
        // What was run before and not now stays.
        assert!(table.contains("| apk | 50 | 18 % | 0 | 2 | 0 | |\n"));
        assert!(table.contains("| all | 70 | | 1 | | | |") && !table.contains("suite"));
        assert_eq!(gap(&rows, "guard", 1, 20), None);
        assert_eq!(gap(&rows, "guard", 1, 30), Some((20, 30)));
        assert_eq!(gap(&rows[1..], "guard", 1, 30), Some((0, 10)));
        assert_eq!(gap(&rows, "guard", 2, 30), Some((0, 30)));
    }
}
