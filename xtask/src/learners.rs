//! Learners' sessions on real apps with what they learned kept: what `versions` and `long-runs` are made of.

use crate::{Result, sh, study};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A strategy of a lesson.
pub struct Learner {
    /// Its name in the suite.
    pub name: String,
    pub kind: &'static str,
    /// The policy it starts from; `None`: nothing learned.
    pub load: Option<PathBuf>,
}

/// Strategies on one app with one seed, in a separate run.
pub struct Lesson<'a> {
    pub base: &'a Path,
    /// The run's folder below `base`.
    pub name: String,
    pub apk: &'a Path,
    pub events: u64,
    pub seed: u64,
    pub learners: Vec<Learner>,
}

/// One session as its journal and summary tell it.
pub struct Course {
    pub session: Value,
    /// Events, activities reached, probes hit: wherever something new came, and at the end.
    pub curve: Vec<[u64; 3]>,
    pub starts: u64,
    /// The policy that it left.
    pub policy: PathBuf,
}

/// The folder of a study, made, and emptied where `--fresh` is requested.
pub fn base(name: &str, args: &[String]) -> Result<PathBuf> {
    let base = sh::target().join("studies").join(name);
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    Ok(base)
}

impl Lesson<'_> {
    /// Runs it, unless it has been run to its end before; its sessions in the order of the learners.
    pub fn run(&self, tool: &Path) -> Result<Vec<Course>> {
        let folder = self.base.join(&self.name);
        if !whole(&folder) {
            let _ = fs::remove_dir_all(&folder);
            eprintln!("{}", self.name);
            study::explore(tool, self.base, &self.name, &self.toml(), &[0, 100])?;
        }
        let summary = summary(&folder)?;
        let sessions = summary["sessions"].as_array().into_iter().flatten();
        let sessions: Vec<&Value> = sessions.collect();
        let find = |learner: &Learner| {
            let own = sessions
                .iter()
                .find(|session| session["strategy"] == *learner.name);
            let own = own.ok_or_else(|| format!("{}: no {}", folder.display(), learner.name))?;
            course(&folder, own)
        };
        self.learners.iter().map(find).collect()
    }

    fn toml(&self) -> String {
        // A JSON string is a TOML basic string.
        let path = |path: &Path| Value::from(path.display().to_string());
        let mut toml = format!(
            "[suite]\nname = \"learners\"\nbudget = {{ events = {} }}\nseeds = [{}]\n\n\
             [faults]\nrate = 0\n\n[minimize]\nenabled = false\n\n[report]\nhtml = false\nscreenshots = \"none\"\n\
             coverage = {{ xml = true, html = false, lcov = false, cobertura = false }}\n\n\
             [[app]]\nname = \"app\"\napk = {}\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n",
            self.events,
            self.seed,
            path(self.apk),
        );
        for Learner { name, kind, load } in &self.learners {
            let load = load
                .as_ref()
                .map_or_else(String::new, |file| format!("load = {}, ", path(file)));
            let _ = write!(
                toml,
                "\n[[strategy]]\nname = \"{name}\"\nkind = \"{kind}\"\npolicy = {{ {load}save = true }}\n"
            );
        }
        toml
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn summary(folder: &Path) -> Result<Value> {
    let path = folder.join("summary.json");
    serde_json::from_str(&read(&path)?).map_err(|e| format!("{}: {e}", path.display()))
}

/// Has every session complete?
pub fn whole(folder: &Path) -> bool {
    summary(folder).is_ok_and(|summary| {
        let sessions = summary["sessions"].as_array();
        sessions.is_some_and(|all| {
            let ended = |s: &Value| s["ended"].is_string() && s["ended"] != "interrupted";
            !all.is_empty() && all.iter().all(ended)
        })
    })
}

fn course(folder: &Path, session: &Value) -> Result<Course> {
    let name = session["session"].as_str().unwrap_or_default();
    let own = folder.join("sessions").join(name);
    let journal = own.join("journal.jsonl");
    let (curve, starts) =
        follow(&read(&journal)?).map_err(|e| format!("{}: {e}", journal.display()))?;
    Ok(Course {
        session: session.clone(),
        curve,
        starts,
        policy: own.join("policy.safetensors"),
    })
}

/// The curve, and how often the app was started.
fn follow(journal: &str) -> std::result::Result<(Vec<[u64; 3]>, u64), serde_json::Error> {
    let (mut now, mut starts, mut curve) = ([0; 3], 0, Vec::new());
    for line in journal.lines() {
        let event: Value = serde_json::from_str(line)?;
        let kind = event["e"].as_str().unwrap_or_default();
        if kind != "launch" && kind != "step" {
            continue;
        }
        let new = |key: &str| event[key].as_array().map_or(0, |all| all.len() as u64);
        let news = [new("activities"), new("probes")];
        starts += u64::from(kind == "launch");
        now[0] = event["i"].as_u64().unwrap_or(now[0]);
        now[1] += news[0];
        now[2] += news[1];
        if news != [0, 0] {
            curve.push(now);
        }
    }
    curve.push(now);
    Ok((curve, starts))
}

impl Course {
    /// Activities (1) or probes (2) at the end.
    pub fn last(&self, what: usize) -> u64 {
        self.curve.last().map_or(0, |point| point[what])
    }

    /// At which event there were so many; `None`: never.
    pub fn events_to(&self, what: usize, level: u64) -> Option<u64> {
        let reached = |point: &&[u64; 3]| point[what] >= level;
        self.curve.iter().find(reached).map(|point| point[0])
    }

    /// The mean over all events: the area under the curve by its width.
    pub fn mean(&self, what: usize) -> f64 {
        let width = self.last(0);
        let area: u64 = self
            .curve
            .windows(2)
            .map(|two| (two[1][0] - two[0][0]) * two[0][what])
            .sum();
        area as f64 / width.max(1) as f64
    }

    /// Why it ended, in the summary's words.
    pub fn ended(&self) -> &str {
        self.session["ended"].as_str().unwrap_or("?")
    }

    /// Failures of the device.
    pub fn failures(&self) -> usize {
        self.session["device_failures"]
            .as_array()
            .map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_read_from_its_journal() {
        let journal = "{\"e\":\"launch\",\"activities\":[\"a\"],\"probes\":[[1,1],[1,2]]}\n\
                       {\"e\":\"step\",\"i\":1}\n{\"e\":\"page\",\"activities\":[\"x\"]}\n\
                       {\"e\":\"step\",\"i\":4,\"activities\":[\"b\"],\"probes\":[[1,3]]}\n\
                       {\"e\":\"launch\"}\n{\"e\":\"step\",\"i\":8}\n{\"e\":\"end\"}\n";
        let (curve, starts) = follow(journal).unwrap();
        let course = Course {
            session: Value::Null,
            curve,
            starts,
            policy: PathBuf::new(),
        };
        assert_eq!(course.starts, 2);
        assert_eq!(course.curve, [[0, 1, 2], [4, 2, 3], [8, 2, 3]]);
        assert_eq!((course.last(1), course.last(2)), (2, 3));
        assert_eq!(course.events_to(1, 2), Some(4));
        assert_eq!(course.events_to(2, 2), Some(0));
        assert_eq!(course.events_to(2, 4), None);
        assert_eq!(course.mean(2), 2.5);
    }
}
