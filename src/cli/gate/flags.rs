//! The flags of `[gate]`.

use camino::Utf8PathBuf;
use clap::{Args, ValueHint};

use crate::config::{Gate, Override};

/// Settings of `[gate]`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Gate")]
pub struct GateFlags {
    /// Compare with this file of known findings: only new ones fail
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<Utf8PathBuf>,
    /// Fail on stale entries of the baseline
    #[arg(long)]
    pub strict: bool,
    /// Allow this many new findings
    #[arg(long, value_name = "N")]
    pub max_new: Option<u32>,
    /// Allow this many distinct crashes, known ones included
    #[arg(long, value_name = "N")]
    pub max_crashes: Option<u32>,
    /// Allow this many distinct ANRs, known ones included
    #[arg(long, value_name = "N")]
    pub max_anrs: Option<u32>,
    /// Require this line coverage of each app, in percent
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub min_lines: Option<f64>,
    /// Require this coverage of the changed lines of each app, in percent; needs --changed-since
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub min_changed_lines: Option<f64>,
    /// Allow line coverage this far below the baseline's, in percentage points
    #[arg(long, value_name = "POINTS", value_parser = percent)]
    pub max_drop: Option<f64>,
}

/// A number of 0 to 100.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n| (0.0..=100.0).contains(n));
    number.ok_or_else(|| "write a number of 0 to 100".to_owned())
}

impl GateFlags {
    /// The flags as settings.
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides = Vec::new();
        if let Some(file) = &self.baseline {
            let over = Override::new("--baseline", file.as_str(), "gate.baseline", file.as_str());
            overrides.push(over);
        }
        if self.strict {
            overrides.push(Override::new("--strict", "", "gate.strict", true));
        }
        for (flag, key, number) in [
            ("--max-new", "gate.max-new", self.max_new),
            ("--max-crashes", "gate.max-crashes", self.max_crashes),
            ("--max-anrs", "gate.max-anrs", self.max_anrs),
        ] {
            if let Some(number) = number {
                let value = i64::from(number);
                overrides.push(Override::new(flag, &number.to_string(), key, value));
            }
        }
        for (flag, key, number) in [
            ("--min-lines", "gate.min-lines", self.min_lines),
            (
                "--min-changed-lines",
                "gate.min-changed-lines",
                self.min_changed_lines,
            ),
            ("--max-drop", "gate.max-drop", self.max_drop),
        ] {
            if let Some(number) = number {
                overrides.push(Override::new(flag, &number.to_string(), key, number));
            }
        }
        overrides
    }

    /// The settings with these flags, for a run judged without its suite.
    pub fn over(&self, gate: Gate) -> Gate {
        let number = |flag: Option<u32>, set: Option<u64>| flag.map(u64::from).or(set);
        Gate {
            baseline: self.baseline.clone().unwrap_or(gate.baseline),
            strict: self.strict || gate.strict,
            max_new: number(self.max_new, gate.max_new),
            max_crashes: number(self.max_crashes, gate.max_crashes),
            max_anrs: number(self.max_anrs, gate.max_anrs),
            min_lines: self.min_lines.or(gate.min_lines),
            min_changed_lines: self.min_changed_lines.or(gate.min_changed_lines),
            max_drop: self.max_drop.or(gate.max_drop),
            ..gate
        }
    }
}

/// Settings of `[gate]` that need devices.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Gate")]
pub struct ReplayFlags {
    /// Replay new findings on this base build: those that reproduce there do not fail; may be repeated
    #[arg(long, value_name = "APK", value_hint = ValueHint::FilePath)]
    pub base: Vec<Utf8PathBuf>,
    /// The mapping.txt of the base build
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "base")]
    pub base_mapping: Option<Utf8PathBuf>,
    /// Replay new findings on this device of the suite: those that do not reproduce there do not fail
    #[arg(long, value_name = "NAME")]
    pub confirm: Option<String>,
}

impl ReplayFlags {
    /// The flags as settings.
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides = Vec::new();
        if !self.base.is_empty() {
            let files: Vec<_> = self.base.iter().map(ToString::to_string).collect();
            overrides.push(Override::new(
                "--base",
                &files.join(" "),
                "gate.base",
                files,
            ));
        }
        for (flag, key, text) in [
            (
                "--base-mapping",
                "gate.base-mapping",
                self.base_mapping.as_ref().map(|f| f.as_str()),
            ),
            ("--confirm", "gate.confirm", self.confirm.as_deref()),
        ] {
            if let Some(text) = text {
                overrides.push(Override::new(flag, text, key, text));
            }
        }
        overrides
    }
}
