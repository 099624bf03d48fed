//! `bench fate` in an optimised build, and the figure that it prints.

use super::Figure;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit code of a model that cannot be read, has too few strings, or has no value for an expression.
const CONFIG: i32 = 96;

/// How it is run.
pub struct Tool {
    pub program: PathBuf,
    pub store: PathBuf,
    pub jobs: u64,
    /// Is what is not kept run?
    pub run: bool,
}

/// Why there is no figure.
#[derive(Debug)]
pub enum Refused {
    /// The model is at fault: others may do.
    Model(String),
    /// So would all others be refused.
    All(String),
}

impl Refused {
    pub fn reported(self) -> String {
        match self {
            Self::Model(why) | Self::All(why) => why,
        }
    }
}

impl Tool {
    /// The figure of one strategy on one model, with the strings of `pool` or those next to the model.
    pub fn figure(
        &self,
        file: &Path,
        pool: Option<&Path>,
        strings: u64,
        strategy: &str,
        seeds: u64,
    ) -> Result<Option<Figure>, Refused> {
        let out = self
            .command(file, pool, strings, strategy, seeds)
            .output()
            .map_err(|e| Refused::All(format!("cannot run {}: {e}", self.program.display())))?;
        if out.status.success() {
            return Ok(figure(&out.stdout));
        }
        let why = format!("{strategy} on {}: {}", file.display(), said(&out.stderr));
        Err(match out.status.code() {
            Some(CONFIG) => Refused::Model(why),
            _ => Refused::All(why),
        })
    }

    pub fn command(
        &self,
        file: &Path,
        pool: Option<&Path>,
        strings: u64,
        strategy: &str,
        seeds: u64,
    ) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["bench", "fate", "--message-format", "json", "--quiet"])
            .arg(file)
            .args(["--strings", &strings.to_string()])
            .args(["--strategies", strategy])
            .args(["--seeds", &seeds.to_string()])
            .args(["--jobs", &self.jobs.to_string(), "--store"])
            .arg(&self.store);
        if !self.run {
            command.arg("--no-run");
        }
        if let Some(pool) = pool {
            command.arg("--pool").arg(pool);
        }
        command
    }
}

/// What the tool said, line by line: each is a JSON object with a message, where it is the tool's own.
pub fn said(errors: &[u8]) -> String {
    let errors = String::from_utf8_lossy(errors);
    let lines = errors.lines().map(|line| {
        let parsed = serde_json::from_str::<Value>(line).ok();
        let message = parsed.and_then(|parsed| Some(parsed["message"].as_str()?.to_owned()));
        message.unwrap_or_else(|| line.to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn figure(json: &[u8]) -> Option<Figure> {
    let parsed: Value = serde_json::from_slice(json).ok()?;
    let row = parsed["rows"].get(0)?;
    let number = |key: &str| row[key].as_f64();
    Some(Figure {
        mean: number("auc_mean")?,
        sd: number("auc_sd")?,
        seeds: number("seeds")?,
        speed: number("steps_per_second")?,
    })
}
