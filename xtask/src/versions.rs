//! What a policy learned on one version of an app is worth on the next: docs/policy.md.

use crate::learners::{self, Course, Learner, Lesson};
use crate::page::Part;
use crate::{Result, halves, sh, study};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const TABLES: Part = Part {
    page: "docs/policy.md",
    chore: "versions",
};
const KINDS: [&str; 2] = ["q-learning", "ares-sac"];
/// What is counted, by its place in a curve's points.
const METRICS: [(usize, &str); 2] = [(1, "activities"), (2, "probes")];

/// Two versions of one app, the older first.
struct Pair {
    package: String,
    versions: [String; 2],
    files: [PathBuf; 2],
}

/// What a learner did on the newer version, by seed.
struct Row {
    package: String,
    kind: &'static str,
    cold: Vec<Course>,
    warm: Vec<Course>,
}

pub fn run(args: &[String]) -> Result {
    let folder = study::folder(args)?;
    let events = sh::number(args, "--events", 500)?;
    let seeds = sh::number(args, "--seeds", 3)?;
    let base = learners::base("versions", args)?;
    let tool = sh::build_tool()?;
    let mut pairs = pairs(folder)?;
    if let Some(wanted) = sh::option(args, "--apps")? {
        let wanted: Vec<&str> = wanted.split(',').collect();
        pairs.retain(|pair| wanted.contains(&pair.package.as_str()));
    }
    if pairs.is_empty() {
        return Err(format!("{folder} does not contain two versions of an app"));
    }
    let mut rows: Vec<Row> = pairs.iter().flat_map(fresh).collect();
    let mut left_out = Vec::new();
    // All apps with the first seed before any with the second: a study that is stopped has something of each.
    for seed in 1..=seeds {
        for (pair, own) in pairs.iter().zip(rows.chunks_mut(KINDS.len())) {
            let study = Study {
                tool: &tool,
                base: &base,
                pair,
                events,
            };
            match study.seed(seed) {
                Ok(all) => {
                    for (row, [cold, warm]) in own.iter_mut().zip(all) {
                        row.cold.push(cold);
                        row.warm.push(warm);
                    }
                }
                Err(why) => left_out.push(format!("{}, seed {seed}: {why}", pair.package)),
            }
        }
    }
    rows.retain(|row| !row.cold.is_empty());
    let text = document(&pairs, &rows, &left_out, events, seeds);
    print!("{text}");
    TABLES.write(&text)?;
    if left_out.is_empty() {
        Ok(())
    } else {
        Err(left_out.join("\n"))
    }
}

struct Study<'a> {
    tool: &'a Path,
    base: &'a Path,
    pair: &'a Pair,
    events: u64,
}

impl Study<'_> {
    /// By learner: cold and warm on the newer version.
    fn seed(&self, seed: u64) -> Result<Vec<[Course; 2]>> {
        let lesson = |which: usize, learners| Lesson {
            base: self.base,
            name: format!(
                "{}-{}-{}-{seed}",
                self.pair.package,
                ["old", "new"][which],
                self.events
            ),
            apk: &self.pair.files[which],
            events: self.events,
            seed,
            learners,
        };
        let learner = |kind: &'static str, how: &str, load| Learner {
            name: format!("{kind}{how}"),
            kind,
            load,
        };
        let old = lesson(0, KINDS.map(|kind| learner(kind, "", None)).into());
        let old = old.run(self.tool)?;
        let cold = KINDS.map(|kind| learner(kind, "-cold", None));
        let warm = KINDS
            .iter()
            .zip(&old)
            .map(|(kind, old)| learner(kind, "-warm", Some(old.policy.clone())));
        let new = lesson(1, cold.into_iter().chain(warm).collect());
        let mut cold = new.run(self.tool)?;
        let warm = cold.split_off(KINDS.len());
        Ok(cold
            .into_iter()
            .zip(warm)
            .map(|(cold, warm)| [cold, warm])
            .collect())
    }
}

fn fresh(pair: &Pair) -> impl Iterator<Item = Row> {
    KINDS.iter().map(|kind| Row {
        package: pair.package.clone(),
        kind,
        cold: Vec::new(),
        warm: Vec::new(),
    })
}

/// Apps of which the folder's index has more than one version: the oldest and the newest.
fn pairs(folder: &str) -> Result<Vec<Pair>> {
    let versions = versions(folder)?;
    let mut apps: BTreeMap<String, Vec<(Vec<u64>, String, PathBuf)>> = BTreeMap::new();
    for apk in halves::apks(folder)? {
        let version = versions
            .get(&study::name(&apk.file))
            .cloned()
            .unwrap_or_default();
        let all = apps.entry(apk.package.clone()).or_default();
        all.push((numbers(&version), version, apk.file));
    }
    let pair = |(package, mut all): (String, Vec<(Vec<u64>, String, PathBuf)>)| {
        all.sort();
        let (_, new, newer) = all.pop()?;
        let (_, old, older) = all.into_iter().next()?;
        Some(Pair {
            package,
            versions: [old, new],
            files: [older, newer],
        })
    };
    Ok(apps.into_iter().filter_map(pair).collect())
}

/// By file: the column `version` of the folder's index.
fn versions(folder: &str) -> Result<BTreeMap<String, String>> {
    let index = Path::new(folder).join("INDEX.tsv");
    let text =
        fs::read_to_string(&index).map_err(|e| format!("cannot read {}: {e}", index.display()))?;
    let mut lines = text.lines().map(|line| line.split('\t'));
    let head: Vec<&str> = lines.next().into_iter().flatten().collect();
    let column = |name: &str| {
        let at = head.iter().position(|column| *column == name);
        at.ok_or_else(|| format!("{}: no column `{name}`", index.display()))
    };
    let (file, version) = (column("file")?, column("version")?);
    Ok(lines
        .filter_map(|cells| {
            let cells: Vec<&str> = cells.collect();
            let cell = |at: usize| cells.get(at).map(|cell| (*cell).to_owned());
            Some((cell(file)?, cell(version)?))
        })
        .collect())
}

/// The numbers that a version starts with. One that is in the app's resources (`@7F..`) has none: only apps of
/// long ago wrote theirs so, and it sorts first.
fn numbers(version: &str) -> Vec<u64> {
    let begin = version.split(|c: char| !c.is_ascii_digit() && c != '.');
    let begin = begin.into_iter().next().unwrap_or_default();
    begin.split('.').map_while(|n| n.parse().ok()).collect()
}

fn mean(of: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = of.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

fn document(pairs: &[Pair], rows: &[Row], left_out: &[String], events: u64, seeds: u64) -> String {
    let seeds = match seeds {
        1 => "seed 1".to_owned(),
        many => format!("seeds 1 to {many}"),
    };
    let mut out = format!(
        "\n{events} events per session, {seeds}. Means over seeds, cold / warm:\n\n\
         | app | versions | strategy | activities | probes hit | lines (or instructions) covered, % | probes, mean over the events |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let versions = pairs.iter().find(|pair| pair.package == row.package);
        let [old, new] = versions.map_or(["?", "?"], |pair| {
            [&pair.versions[0], &pair.versions[1]].map(|version| match version.as_str() {
                inside if inside.starts_with('@') => "older",
                plain => plain,
            })
        });
        let both = |of: &dyn Fn(&Course) -> f64| {
            [&row.cold, &row.warm].map(|courses| mean(courses.iter().map(of)))
        };
        let end = |what| both(&move |course: &Course| course.last(what) as f64);
        let [activities, probes] = METRICS.map(|(what, _)| end(what));
        let lines = both(&|course| study::coverage_percent(&course.session).unwrap_or(0.0));
        let means = both(&|course| course.mean(2));
        let _ = writeln!(
            out,
            "| {} | {old} to {new} | {} | {:.1} / {:.1} | {:.0} / {:.0} | {:.1} / {:.1} | {:.0} / {:.0} |",
            row.package,
            row.kind,
            activities[0],
            activities[1],
            probes[0],
            probes[1],
            lines[0],
            lines[1],
            means[0],
            means[1],
        );
    }
    out += "\nEvents to equal coverage, which is the most that all sessions of a row reached:\n\n\
            | app | strategy | of | level | cold, by seed | warm, by seed | means |\n|---|---|---|---|---|---|---|\n";
    let mut tally: BTreeMap<(&str, &str), [u64; 3]> = BTreeMap::new();
    for row in rows {
        for (what, name) in METRICS {
            let all = || row.cold.iter().chain(&row.warm);
            let level = all().map(|course| course.last(what)).min().unwrap_or(0);
            let [cold, warm] = [&row.cold, &row.warm].map(|courses| {
                let to = courses.iter().map(|c| c.events_to(what, level));
                to.map(|n| n.unwrap_or(events)).collect::<Vec<u64>>()
            });
            let tally = tally.entry((row.kind, name)).or_default();
            for (cold, warm) in cold.iter().zip(&warm) {
                tally[match warm.cmp(cold) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                }] += 1;
            }
            let reported = |all: &[u64]| {
                let all: Vec<String> = all.iter().map(u64::to_string).collect();
                all.join(", ")
            };
            let of = |all: &[u64]| mean(all.iter().map(|&n| n as f64));
            let _ = writeln!(
                out,
                "| {} | {} | {name} | {level} | {} | {} | {:.0} / {:.0} |",
                row.package,
                row.kind,
                reported(&cold),
                reported(&warm),
                of(&cold),
                of(&warm),
            );
        }
    }
    out += "\nSeed by seed, over all pairs:\n\n| strategy | of | warm earlier | equal | cold earlier |\n\
            |---|---|---|---|---|\n";
    for ((kind, name), [warm, equal, cold]) in &tally {
        let _ = writeln!(out, "| {kind} | {name} | {warm} | {equal} | {cold} |");
    }
    for why in left_out {
        let _ = write!(out, "\nSkipped: {why}\n");
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let mut all = [
            "2.12.1",
            "@7F0800F4",
            "2.8.11",
            "10.9.992-b191202",
            "2.8 (x)",
        ];
        all.sort_by_key(|version| numbers(version));
        assert_eq!(
            all,
            [
                "@7F0800F4",
                "2.8 (x)",
                "2.8.11",
                "2.12.1",
                "10.9.992-b191202"
            ]
        );
    }

    #[test]
    fn equal_coverage_is_what_all_reached() {
        let course = |curve: &[[u64; 3]]| Course {
            session: json!({}),
            curve: curve.to_vec(),
            starts: 1,
            policy: PathBuf::new(),
        };
        let row = Row {
            package: "org.a".into(),
            kind: "ares-sac",
            cold: vec![course(&[[0, 1, 5], [90, 2, 30], [100, 2, 30]])],
            warm: vec![course(&[[0, 1, 5], [10, 2, 20], [100, 2, 20]])],
        };
        let text = document(&[], &[row], &[], 100, 1);
        assert!(
            text.contains("| org.a | ares-sac | activities | 2 | 90 | 10 | 90 / 10 |"),
            "{text}"
        );
        assert!(
            text.contains("| org.a | ares-sac | probes | 20 | 90 | 10 |"),
            "{text}"
        );
        assert!(text.contains("| ares-sac | probes | 1 | 0 | 0 |"), "{text}");
    }
}
