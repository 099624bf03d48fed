//! The kept sessions of a stage: one line of JSON each, as `bench` writes them, with thinner curves.

use crate::{Result, sh};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Up to here a curve keeps every point; behind it one for each tenth more of events, and those at the places where
/// sessions are compared.
const WHOLE: u64 = 20;

pub struct Rows {
    file: PathBuf,
    /// App, strategy and seed.
    known: BTreeSet<(String, String, u64)>,
}

impl Rows {
    pub fn open(file: &Path) -> Result<Self> {
        Ok(Self {
            file: file.to_owned(),
            known: read(file)?.iter().map(key).collect(),
        })
    }

    pub fn has(&self, app: &str, strategy: &str, seed: u64) -> bool {
        let wanted = (app.to_owned(), strategy.to_owned(), seed);
        self.known.contains(&wanted)
    }

    /// The lines of the sessions of these strategies, of the units that were measured with each of them.
    pub fn compared(&self, strategies: &[&str]) -> Result<String> {
        let mut text = String::new();
        for row in read(&self.file)? {
            let (app, strategy, seed) = key(&row);
            let complete = || strategies.iter().all(|name| self.has(&app, name, seed));
            if strategies.contains(&strategy.as_str()) && complete() {
                text += &format!("{row}\n");
            }
        }
        Ok(text)
    }

    /// Appends what a bench measured and is not there yet; gives the sessions that did not complete, which another
    /// run has to measure.
    pub fn add(&mut self, measured: &Path, build: &str, at: &[u64]) -> Result<Vec<String>> {
        let text = fs::read_to_string(measured)
            .map_err(|e| format!("cannot read {}: {e}", measured.display()))?;
        let root = format!("{}/", sh::root().display());
        let (mut new, mut wrong) = (String::new(), Vec::new());
        for line in text.lines() {
            let mut row = parse(line).map_err(|e| format!("{}: {e}", measured.display()))?;
            let key = key(&row);
            if self.known.contains(&key) {
                continue;
            }
            if row["failed"] == true || !completed(&row["ended"]) {
                wrong.push(format!("{} with {}, seed {}", key.0, key.1, key.2));
                continue;
            }
            thin(&mut row, at);
            row["build"] = json!(build);
            // A message may have a path of this machine.
            new += &row.to_string().replace(&root, "");
            new.push('\n');
            self.known.insert(key);
        }
        let failed = |e| format!("cannot write {}: {e}", self.file.display());
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file)
            .map_err(failed)?;
        file.write_all(new.as_bytes()).map_err(failed)?;
        Ok(wrong)
    }
}

/// The sessions of a file, none if there is no file.
pub fn read(file: &Path) -> Result<Vec<Value>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(format!("cannot read {}: {e}", file.display())),
    };
    let row = |(line, number)| parse(line).map_err(|e| format!("{}:{number}: {e}", file.display()));
    text.lines().zip(1..).map(row).collect()
}

/// It spent its budget, or nothing was left to do: another run would end so, too.
fn completed(ended: &Value) -> bool {
    let lost = ["interrupted", "device-lost"];
    ended.as_str().is_some_and(|reason| !lost.contains(&reason))
}

fn parse(line: &str) -> Result<Value> {
    let row: Value = serde_json::from_str(line).map_err(|e| format!("not a session: {e}"))?;
    if row["planned"]["app"].is_string() {
        Ok(row)
    } else {
        Err("not a session: it names no app".to_owned())
    }
}

fn key(row: &Value) -> (String, String, u64) {
    let planned = &row["planned"];
    let text = |name: &str| planned[name].as_str().unwrap_or_default().to_owned();
    let seed = planned["seed"].as_u64().unwrap_or_default();
    (text("app"), text("strategy"), seed)
}

/// Leaves of each stretch of a curve its last point, which holds until the next stretch begins.
fn thin(row: &mut Value, at: &[u64]) {
    let Some(curve) = row["curve"].as_array_mut() else {
        return;
    };
    let events = |point: &Value| point[0].as_u64().unwrap_or_default();
    let places = places(at);
    let stretch = |point: &Value| places.partition_point(|place| *place < events(point));
    let kept: Vec<Value> = (curve.iter().enumerate())
        .filter(|(ix, point)| {
            let next = curve.get(ix + 1);
            next.is_none_or(|next| stretch(next) != stretch(point))
        })
        .map(|(_, point)| point.clone())
        .collect();
    *curve = kept;
}

/// Numbers of events at which stretches end.
fn places(at: &[u64]) -> Vec<u64> {
    let mut places: Vec<u64> = (0..=WHOLE).collect();
    let mut last = WHOLE;
    while last < 100_000 {
        last += last / 10;
        places.push(last);
    }
    places.extend(at);
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(app: &str, ended: &str, curve: &Value) -> String {
        json!({"kept": 1, "planned": {"app": app, "strategy": "random", "seed": 1}, "ended": ended, "curve": curve})
            .to_string()
    }

    #[test]
    fn units_are_compared_that_have_each_strategy() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept.jsonl");
        let row = |app: &str, strategy: &str, seed: u64| {
            json!({ "planned": { "app": app, "strategy": strategy, "seed": seed } }).to_string()
        };
        let rows = [
            row("a", "random", 1),
            row("a", "monkey", 1),
            row("a", "qbe", 1),
            row("a", "random", 2),
            row("b", "monkey", 1),
        ];
        fs::write(&kept, rows.join("\n")).unwrap();
        let all = Rows::open(&kept).unwrap();
        let compared = |names: &[&str]| all.compared(names).unwrap();
        let both = compared(&["monkey", "random"]);
        assert_eq!(both.lines().collect::<Vec<_>>(), [&rows[0], &rows[1]]);
        assert_eq!(compared(&["monkey"]).lines().count(), 2);
        assert_eq!(compared(&["monkey", "frontier"]), "");
    }

    #[test]
    fn sessions_are_kept_once_and_only_complete_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (kept, bench) = (folder.path().join("a/b.jsonl"), folder.path().join("x"));
        let curve = json!([[0, 0, 1], [1, 1, 2]]);
        let lines = [
            line("a", "events", &curve),
            line("b", "device-lost", &curve),
        ];
        fs::write(&bench, lines.join("\n")).unwrap();
        let mut rows = Rows::open(&kept).unwrap();
        assert_eq!(rows.compared(&["random"]).unwrap(), "");
        let wrong = rows.add(&bench, "abc", &[]).unwrap();
        assert_eq!(wrong, ["b with random, seed 1"]);
        let mut rows = Rows::open(&kept).unwrap();
        assert!(rows.has("a", "random", 1) && !rows.has("b", "random", 1));
        rows.add(&bench, "def", &[]).unwrap();
        let text = fs::read_to_string(&kept).unwrap();
        assert_eq!(text.lines().count(), 1);
        assert!(text.contains("\"build\":\"abc\"") && text.contains("[1,1,2]"));
        fs::write(&kept, "{}\n").unwrap();
        assert!(
            Rows::open(&kept)
                .err()
                .unwrap()
                .contains("b.jsonl:1: not a session")
        );
    }

    #[test]
    fn a_thin_curve_has_the_same_values_where_sessions_are_compared() {
        let points: Vec<Value> = (0..=300u64).map(|n| json!([n, n, 2 * n])).collect();
        let mut row = json!({"curve": points});
        thin(&mut row, &[50, 300]);
        let thinned = row["curve"].as_array().unwrap();
        let at = |events: u64| {
            let mut before = thinned.iter().filter(|p| p[0].as_u64().unwrap() <= events);
            before.next_back().unwrap()[2].as_u64().unwrap()
        };
        assert_eq!([at(7), at(20), at(50), at(300)], [14, 40, 100, 600]);
        assert!(thinned.len() < 60, "{}", thinned.len());
        assert!((2 * 180..=400).contains(&at(200)));
    }
}
