//! One measurement: the tool on one APK, its time, its first page, and what its processes cost.

use super::cache::Cache;
use super::material::App;
use super::processes::Costs;
use crate::Result;
use crate::processes::Process;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Events of a run: enough to see that the app answers.
const EVENTS: u64 = 3;
/// How often the processes are looked at.
const PAUSE: Duration = Duration::from_millis(100);
/// A run that takes longer does not count as one.
const LIMIT: Duration = Duration::from_secs(1800);

/// What is done with an APK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A run with nothing of any app in the cache.
    First,
    /// The same run again.
    Cached,
    /// A run of a build that differs in one class from the one before.
    Second,
    /// All classes at once, with nothing of any app in the cache.
    Inspect,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Cached => "cached",
            Self::Second => "second",
            Self::Inspect => "inspect",
        }
    }
}

/// A build of the tool, and where it works.
pub struct Bench {
    pub tool: PathBuf,
    /// Folder of runs.
    pub base: PathBuf,
    pub cache: Cache,
}

impl Bench {
    /// Measures once; a failure of the tool is a result.
    pub fn measure(&self, app: &App, kind: Kind) -> Result<Value> {
        if matches!(kind, Kind::First | Kind::Inspect) {
            self.cache.reset()?;
        }
        let folder = self.base.join("run");
        let _ = fs::remove_dir_all(&folder);
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let mut command = Command::new(&self.tool);
        if kind == Kind::Inspect {
            command
                .args(["inspect", "--kind", "translation"])
                .arg(&app.file);
        } else {
            fs::write(folder.join("droidtest.toml"), suite(&app.file)).map_err(failed)?;
            command.args(["run", "--offline", "--color", "never", "-j", "1"]);
            command.args([
                "--suite",
                "droidtest.toml",
                "--out",
                "out",
                "--run-id",
                "run",
            ]);
            command.env("DROIDTEST_SUITE__REUSE", "false");
        }
        let log = fs::File::create(folder.join("log")).map_err(failed)?;
        let load = load();
        let start = Instant::now();
        let child = command
            .current_dir(&folder)
            .env("DROIDTEST_CACHE", self.cache.folder())
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(failed)?)
            .stderr(log)
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", self.tool.display()))?;
        let (code, costs) = watch(child)?;
        let wall = start.elapsed().as_secs_f64();
        let text = fs::read_to_string(folder.join("log")).unwrap_or_default();
        Ok(json!({
            "app": app.name, "kind": kind.name(), "dex_bytes": app.dex_bytes, "code": code, "wall": round(wall),
            "first_page": first_page(&folder.join("out/run")), "costs": costs.json(),
            "cache_bytes": self.cache.size(), "load": load, "failure": failure(kind, code, &text),
        }))
    }
}

/// Waits for the end, and looks at the processes meanwhile.
fn watch(mut child: Child) -> Result<(Option<i32>, Costs)> {
    let root = Process::running(child.id()).ok_or("a process has gone at once")?;
    let mut costs = Costs::new(child.id());
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok((status.code(), costs));
        }
        costs.look(&root);
        if start.elapsed() > LIMIT {
            child.kill().map_err(|e| e.to_string())?;
            let _ = child.wait();
            return Ok((None, costs));
        }
        thread::sleep(PAUSE);
    }
}

fn suite(apk: &Path) -> String {
    format!(
        "[suite]\nname = \"size\"\nbudget = {{ events = {EVENTS} }}\nseeds = [1]\n\n\
         [[app]]\nname = \"app\"\napk = {}\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\n\
         [[strategy]]\nkind = \"random\"\n\n[faults]\nrate = 0\n\n[minimize]\nenabled = false\n",
        // A JSON string is a TOML basic string.
        Value::from(apk.display().to_string()),
    )
}

/// Seconds from the session's start to the first page: the first line of `timing.jsonl`.
fn first_page(run: &Path) -> Option<f64> {
    let sessions = fs::read_dir(run.join("sessions")).ok()?;
    let session = sessions.flatten().next()?.path();
    let text = fs::read_to_string(session.join("timing.jsonl")).ok()?;
    let line: Value = serde_json::from_str(text.lines().next()?).ok()?;
    Some(round(line["us"].as_f64()? / 1e6))
}

/// Why the tool has no result, from its last lines.
fn failure(kind: Kind, code: Option<i32>, text: &str) -> Option<String> {
    // Findings and an incomplete run have a first page; `inspect` ends with 0, or names what fails to link.
    let fine = match kind {
        // Progress comes before it.
        Kind::Inspect => text.lines().any(|line| line.starts_with('{')),
        _ => matches!(code, Some(0 | 100)),
    };
    if fine {
        return None;
    }
    let said = ["not a usable", "Error", "error", "Failed"];
    let telling = said
        .iter()
        .find_map(|word| text.lines().find(|line| line.contains(word)))
        .or_else(|| text.lines().rfind(|line| !line.trim().is_empty()));
    let line = telling.unwrap_or("no output").trim();
    let line = line.chars().take(300).collect::<String>();
    Some(match code {
        Some(code) => format!("{code}: {line}"),
        None => format!("killed: {line}"),
    })
}

/// Programs that wanted a processor in the last minute: whether the machine was quiet.
fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_named_by_the_line_that_says_why() {
        let text =
            "   Preparing\n  x.apk is not a usable APK: OutOfMemoryError\n   Finished 1 session\n";
        let found = failure(Kind::First, Some(107), text).unwrap();
        assert_eq!(found, "107: x.apk is not a usable APK: OutOfMemoryError");
        assert_eq!(failure(Kind::First, Some(100), text), None);
        assert_eq!(
            failure(Kind::Inspect, Some(1), " 3 of 4\n{\"classes\": 1}"),
            None
        );
        assert_eq!(
            failure(Kind::Cached, None, "").unwrap(),
            "killed: no output"
        );
    }
}
