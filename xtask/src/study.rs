//! Running the tool on many APKs, each in a separate process, with results kept so that a study can continue after a stop.

use crate::{Result, sh};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How each APK is run.
pub struct Study {
    /// Folder under `target/studies`.
    pub name: String,
    /// The suite's `[[strategy]]`; empty: the default.
    pub strategy: String,
    pub events: u64,
    pub plateau: Option<u64>,
    pub seed: u64,
    pub screenshots: bool,
}

/// One APK's outcome.
pub struct Outcome {
    pub file: PathBuf,
    /// The run's folder.
    pub folder: PathBuf,
    /// The session of its `summary.json`; the reason where there is none.
    pub session: std::result::Result<Value, String>,
}

/// All APKs of a folder, sorted.
pub fn apks(dir: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).map_err(|e| format!("cannot read {dir}: {e}"))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|x| x.eq_ignore_ascii_case("apk")))
        .collect();
    files.sort();
    if files.is_empty() {
        Err(format!("{dir} contains no .apk file"))
    } else {
        Ok(files)
    }
}

/// The DIR argument of a study.
pub fn folder(args: &[String]) -> Result<&str> {
    args.first()
        .filter(|a| !a.starts_with("--"))
        .map(String::as_str)
        .ok_or_else(|| "the first argument must be the folder of APKs".to_owned())
}

/// What `work` makes of all items, `jobs` at a time, in the items' order.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>> {
    let todo: Mutex<VecDeque<(usize, &T)>> = Mutex::new(items.iter().enumerate().collect());
    let done: Mutex<Vec<(usize, R)>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let next = todo.lock().map(|mut t| t.pop_front()).unwrap_or(None);
                    let Some((ix, item)) = next else { break };
                    let made = work(item);
                    if let Ok(mut done) = done.lock() {
                        done.push((ix, made));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().map_err(|_| "a worker panicked")?;
    done.sort_by_key(|(ix, _)| *ix);
    Ok(done.into_iter().map(|(_, made)| made).collect())
}

impl Study {
    /// Runs every file, `jobs` at a time; files with a kept result are not run again unless `fresh`.
    pub fn run(
        &self,
        tool: &Path,
        files: &[PathBuf],
        jobs: usize,
        fresh: bool,
    ) -> Result<Vec<Outcome>> {
        let base = sh::target().join("studies").join(&self.name);
        if fresh {
            let _ = fs::remove_dir_all(&base);
        }
        fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
        let done = AtomicUsize::new(0);
        each(files, jobs, |file| {
            let outcome = self.one(tool, file, &base);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            eprintln!("[{done}/{}] {}", files.len(), name(file));
            outcome
        })
    }

    fn one(&self, tool: &Path, file: &Path, base: &Path) -> Outcome {
        let folder = base.join(name(file));
        // A run that was interrupted has a summary, too, of as much as there was.
        let kept = read_summary(&folder).is_ok_and(|summary| summary["interrupted"] != true);
        if !kept {
            let _ = fs::remove_dir_all(&folder);
            if let Err(reason) = self.explore(tool, file, base) {
                return Outcome {
                    file: file.into(),
                    folder,
                    session: Err(reason),
                };
            }
        }
        let session = read_session(&folder);
        Outcome {
            file: file.into(),
            folder,
            session,
        }
    }

    fn explore(&self, tool: &Path, file: &Path, base: &Path) -> Result {
        let file = fs::canonicalize(file).map_err(|e| e.to_string())?;
        let plateau = self
            .plateau
            .map(|n| format!(", plateau = {n}"))
            .unwrap_or_default();
        let pages = if self.screenshots { "pages" } else { "none" };
        // The published runs had a new emulator, and Monkey refuses what leaves its app.
        let outside = if self.strategy.contains("monkey") {
            "outside = \"empty\"\n"
        } else {
            ""
        };
        // The published figures count all code of the apps, and so do the studies.
        let toml = format!(
            "[suite]\nname = \"study\"\nbudget = {{ events = {}{plateau} }}\nseeds = [{}]\n\n\
             [[app]]\nname = \"app\"\napk = {}\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n{outside}\n\
             {}\n\n[faults]\nrate = 0\n\n[minimize]\nenabled = false\n\n[coverage]\nscope = \"all\"\n\n\
             [report]\nhtml = false\nscreenshots = \"{pages}\"\ncoverage = {{ xml = true, html = false, lcov = false, cobertura = false }}\n",
            self.events,
            self.seed,
            // A JSON string is a TOML basic string.
            Value::from(file.display().to_string()),
            self.strategy,
        );
        // An app that cannot be had is a result, too.
        explore(tool, base, &name(&file), &toml, &[0, 100, 106, 107])
    }
}

/// A suite's table of a strategy.
pub fn table(kind: &str) -> String {
    format!("[[strategy]]\nkind = \"{kind}\"")
}

/// A file's name without folder.
pub fn name(file: &Path) -> String {
    file.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn read_summary(folder: &Path) -> std::result::Result<Value, String> {
    let text = fs::read_to_string(folder.join("summary.json"))
        .map_err(|e| format!("no summary.json: {e}"))?;
    serde_json::from_str(&text).map_err(|e| format!("summary.json: {e}"))
}

fn read_session(folder: &Path) -> std::result::Result<Value, String> {
    read_summary(folder)?["sessions"]
        .get(0)
        .cloned()
        .ok_or_else(|| "the run has no session".to_owned())
}

/// A number at a path of keys, 0 if there is none.
pub fn num(value: &Value, keys: &[&str]) -> f64 {
    keys.iter()
        .fold(value, |v, k| &v[*k])
        .as_f64()
        .unwrap_or(0.0)
}

/// Percent of lines covered, or of instructions where most of the code has no line numbers.
pub fn coverage_percent(session: &Value) -> Option<f64> {
    let coverage = &session["coverage"];
    let total = |what: &str| num(coverage, &[what, "total"]);
    let percent = |what: &str| 100.0 * num(coverage, &[what, "covered"]) / total(what);
    // An app without line numbers may hold a library that has them: see `coverage::has_lines`.
    let has_lines = total("line") > 0.0 && total("line") * 4.0 >= total("method");
    let shown = if has_lines { "line" } else { "instruction" };
    (total(shown) > 0.0).then(|| percent(shown))
}

/// Runs the tool on a suite, whose text, log and run take this name in the study's folder; `fine`: exit
/// codes that leave a result.
pub fn explore(tool: &Path, base: &Path, name: &str, suite: &str, fine: &[i32]) -> Result {
    let file = base.join(format!("{name}.toml"));
    fs::write(&file, suite).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    let path = base.join(format!("{name}.log"));
    let log = fs::File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let status = Command::new(tool)
        .args(["run", "--color", "never", "-j", "1", "--suite"])
        .arg(&file)
        .arg("--out")
        .arg(base)
        .args(["--run-id", name])
        // What one run of a study has seen must not help the next.
        .env("DROIDTEST_SUITE__REUSE", "false")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .status()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    match status.code() {
        Some(code) if fine.contains(&code) => Ok(()),
        _ => Err(format!("it ended with {status}; see {}", path.display())),
    }
}
