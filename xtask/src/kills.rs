//! Does anything outlive the tool? A run is killed at an instant drawn at random, and what it started has two seconds to go.

use crate::processes::{Known, Process};
use crate::{Result, sh};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What may be left then is left for good.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the processes are looked at.
const PAUSE: Duration = Duration::from_millis(25);
/// A run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(600);
const EVENTS: u64 = 60;
/// Stands in the environment of the tool, which hands it to what it starts unless it is confined.
const MARK: &str = "XTASK_KILLS";

pub fn run(args: &[String]) -> Result {
    if !cfg!(target_os = "linux") {
        return Err("only Linux shows the processes of others in /proc".into());
    }
    let times = sh::number(args, "--times", 50)?;
    let seed = sh::number(args, "--seed", 1)?;
    let base = sh::target().join("studies").join("kills");
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let study = Study {
        tool: sh::build_tool()?,
        seed,
        store: base.join(format!("seed-{seed}.jsonl")),
        base,
    };
    let mut rows = study.rows()?;
    let lengths = [study.length(&rows, 0)?, study.length(&rows, 1)?];
    let kills = |rows: &[Value]| rows.iter().filter(|r| r["left"].is_array()).count() as u64;
    while kills(&rows) < times {
        let number = kills(&rows);
        let row = study.kill(number, &lengths)?;
        eprintln!("[{}/{times}] {row}", number + 1);
        study.keep(&row)?;
        rows.push(row);
    }
    rows.retain(|row| row["left"].is_array());
    rows.truncate(usize::try_from(times).unwrap_or(usize::MAX));
    verdict(&rows)
}

fn verdict(rows: &[Value]) -> Result {
    let list = |row: &Value, key: &str| row[key].as_array().map_or(0, Vec::len);
    let left: usize = rows.iter().map(|row| list(row, "left")).sum();
    let clean = rows.iter().filter(|row| list(row, "left") == 0).count();
    let with = |name: &str| {
        let has = |row: &&Value| row["alive"].to_string().contains(name);
        rows.iter().filter(has).count()
    };
    println!(
        "{clean} of {}: {left} left ({} killed while Java ran, {} in runs that translate the app first)",
        rows.len(),
        with("java"),
        rows.iter().filter(|row| row["translates"] == true).count(),
    );
    match left {
        0 => Ok(()),
        _ => Err(format!(
            "{left} processes outlived the tool by {PATIENCE:?}"
        )),
    }
}

struct Study {
    tool: PathBuf,
    seed: u64,
    base: PathBuf,
    store: PathBuf,
}

impl Study {
    fn rows(&self) -> Result<Vec<Value>> {
        let text = fs::read_to_string(&self.store).unwrap_or_default();
        let rows = text.lines().map(serde_json::from_str);
        rows.collect::<std::result::Result<_, _>>()
            .map_err(|e| format!("{}: {e}; --fresh starts over", self.store.display()))
    }

    fn keep(&self, row: &Value) -> Result {
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.store)
            .map_err(|e| format!("cannot write {}: {e}", self.store.display()))?;
        writeln!(file, "{row}").map_err(|e| format!("cannot write {}: {e}", self.store.display()))
    }

    /// How long a run takes in milliseconds: of an app that is translated already (even), and of one that is not (odd).
    fn length(&self, rows: &[Value], kind: u64) -> Result<u64> {
        let kept = rows.iter().find(|row| row["whole"] == kind);
        if let Some(ms) = kept.and_then(|row| row["ms"].as_u64()) {
            return Ok(ms);
        }
        if kind == 0 {
            // Translates what the even ones find.
            self.whole(kind)?;
        }
        let ms = self.whole(kind)?;
        self.keep(&json!({"whole": kind, "ms": ms}))?;
        Ok(ms)
    }

    /// A run that nobody kills.
    fn whole(&self, number: u64) -> Result<u64> {
        let started = Instant::now();
        let mut run = self.start(number)?;
        let code = wait(&mut run.child, LIMIT)?;
        Self::tidy(run.apk.as_deref());
        match code {
            // 100: with findings.
            Some(0 | 100) => Ok(u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)),
            _ => Err(format!(
                "a run that was not killed ended with {code:?}; {} has its output",
                self.base.join("run/log").display()
            )),
        }
    }

    /// Starts a run of the sample app; of one with another comment in its archive for odd numbers.
    fn start(&self, number: u64) -> Result<Run> {
        let folder = self.base.join("run");
        let _ = fs::remove_dir_all(&folder);
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let mut bytes = fs::read(sh::root().join("tests/apps/notes/notes.apk")).map_err(failed)?;
        if number % 2 == 1 {
            let comment = format!("{} {number}", self.seed);
            let length = u16::try_from(comment.len()).unwrap_or(0).to_le_bytes();
            let at = bytes.len().saturating_sub(2);
            bytes.splice(at.., length);
            bytes.extend(comment.as_bytes());
        }
        let apk = folder.join("notes.apk");
        fs::write(&apk, &bytes).map_err(failed)?;
        let suite = format!(
            "[suite]\nname = \"kills\"\nbudget = {{ events = {EVENTS} }}\nseeds = [1]\n\n\
             [[app]]\nname = \"notes\"\napk = \"notes.apk\"\n\n\
             [[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\n[[strategy]]\nkind = \"random\"\n"
        );
        fs::write(folder.join("droidtest.toml"), suite).map_err(failed)?;
        let mark = format!("{}-{number}", std::process::id());
        let log = fs::File::create(folder.join("log")).map_err(failed)?;
        let child = Command::new(&self.tool)
            .current_dir(&folder)
            .args(["run", "--suite", "droidtest.toml"])
            .env(MARK, &mark)
            .env("DROIDTEST_OUT", folder.join("out"))
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(failed)?)
            .stderr(log)
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", self.tool.display()))?;
        let known = Known::new(
            child.id(),
            vec![format!("{MARK}={mark}"), folder.display().to_string()],
        );
        let changed = number % 2 == 1;
        let apk = changed.then(|| {
            Sha256::digest(&bytes)
                .iter()
                .take(8)
                .map(|b| format!("{b:02x}"))
                .collect()
        });
        Ok(Run { child, known, apk })
    }

    /// Removes from the cache what the tool made of an app that is there for one run.
    fn tidy(apk: Option<&str>) {
        let Some(apk) = apk else { return };
        let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let base = std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or(home);
        let cache = std::env::var_os("DROIDTEST_CACHE").map(PathBuf::from);
        let Some(cache) = cache.or(base.map(|base| base.join("cargo-droidtest"))) else {
            return;
        };
        remove_those(&cache.join("apps"), apk);
        remove_those(&cache.join("locks"), &format!("apps-{apk}"));
    }

    fn kill(&self, number: u64, lengths: &[u64; 2]) -> Result<Value> {
        let length = lengths[usize::from(number % 2 == 1)];
        let mut at = draw(self.seed, number) % length.max(1);
        loop {
            let mut run = self.start(number)?;
            let started = Instant::now();
            let due = Duration::from_millis(at);
            while started.elapsed() < due {
                run.known.look();
                thread::sleep(PAUSE.min(due.saturating_sub(started.elapsed())));
            }
            run.known.look();
            let ended = run.child.try_wait().map_err(|e| e.to_string())?.is_some();
            let alive = run.known.alive();
            run.child.kill().map_err(|e| e.to_string())?;
            let _ = run.child.wait();
            let killed = Instant::now();
            let mut left = run.known.alive();
            let mut gone_ms = None;
            while killed.elapsed() < PATIENCE {
                run.known.look();
                left = run.known.alive();
                if left.is_empty() {
                    gone_ms.get_or_insert(killed.elapsed().as_millis());
                } else {
                    gone_ms = None;
                }
                thread::sleep(PAUSE);
            }
            for process in &left {
                process.end();
            }
            Self::tidy(run.apk.as_deref());
            if ended {
                // It was quicker than the one that was measured.
                at = at * 7 / 10;
                continue;
            }
            let names = |all: &[Process]| all.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
            return Ok(json!({
                "number": number, "at_ms": at, "translates": number % 2 == 1, "seen": run.known.count(),
                "alive": names(&alive), "left": names(&left),
                "gone_ms": gone_ms.map(|ms| u64::try_from(ms).unwrap_or(u64::MAX)),
            }));
        }
    }
}

struct Run {
    child: Child,
    known: Known,
    /// How the cache names the app, where it is there for this run alone.
    apk: Option<String>,
}

/// Its exit code, once it has ended.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<i32>> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(status.code());
        }
        thread::sleep(PAUSE);
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("a run did not end within {limit:?}"))
}

fn remove_those(folder: &Path, start: &str) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|e| e.file_name().to_string_lossy().starts_with(start)) {
        // What cannot be removed costs room, no more.
        let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
    }
}

/// The number's draw from a seed (`SplitMix64`).
fn draw(seed: u64, number: u64) -> u64 {
    let mut x = seed
        .wrapping_mul(0x2545_f491_4f6c_dd1d)
        .wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_and_repeat() {
        let all: Vec<u64> = (0..50).map(|n| draw(1, n) % 1000).collect();
        assert_eq!(draw(1, 7), draw(1, 7));
        assert!(all.iter().any(|n| *n < 200) && all.iter().any(|n| *n > 800));
        assert_ne!(all, (0..50).map(|n| draw(2, n) % 1000).collect::<Vec<_>>());
    }

    #[test]
    fn one_that_is_left_fails_the_study() {
        let row = |left: Value| json!({"alive": ["java"], "left": left, "translates": true});
        assert!(verdict(&[row(json!([]))]).is_ok());
        assert!(verdict(&[row(json!([])), row(json!(["java"]))]).is_err());
    }
}
