//! Checks what a machine needs for the devices, and names the command that fixes each problem.

mod android;
mod checks;
mod chromium;
mod start;
mod suite;

pub use suite::{problem, suite};

use crate::device::jvm::cache::Cache;
use crate::device::progress::Watch;
use serde::Serialize;
use std::fmt::Write as _;

/// Version of the JSON form.
const VERSION: u32 = 1;

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything is fine.
    Ok,
    /// It works, with limitations.
    Warning,
    /// Nothing works until this is fixed.
    Failed,
}

/// One check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Check {
    /// The name of the check.
    pub name: &'static str,
    /// The result.
    pub verdict: Verdict,
    /// What was found.
    pub found: String,
    /// The fix: a command, or a short instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// Is it about a tool that is not there, and that nothing needs?
    #[serde(skip)]
    absent: bool,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self {
            name,
            verdict: Verdict::Ok,
            found: found.into(),
            fix: None,
            absent: false,
        }
    }

    fn absent(name: &'static str, found: impl Into<String>) -> Self {
        Self {
            absent: true,
            ..Self::ok(name, found)
        }
    }

    fn warning(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Warning,
            fix: Some(fix.into()),
            ..Self::ok(name, found)
        }
    }

    fn failed(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Failed,
            fix: Some(fix.into()),
            ..Self::ok(name, found)
        }
    }
}

/// The suite's devices besides jvm devices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Phones, or emulators that run already.
    pub adb: bool,
    /// Emulators that the tool creates.
    pub avd: bool,
    /// Jvm devices whose web views run in Chromium.
    pub chromium: bool,
}

/// Checks everything that the jvm device needs for these Android versions, and what phones and emulators need: if
/// they are not wanted, their lack is not a fault. Changes nothing.
pub fn examine(sdks: &[u32], wanted: Wanted, watch: &Watch) -> Vec<Check> {
    let cache = Cache::locate();
    let mut all = vec![checks::platform(), checks::java(), checks::maven()];
    match &cache {
        Ok(cache) => {
            all.push(checks::cache(cache));
            all.extend(checks::parts(cache, sdks, watch));
            all.extend(start::recordings(cache, sdks, watch));
            all.push(checks::disk(cache));
        }
        Err(error) => all.push(checks::no_cache(error)),
    }
    all.extend(checks::libtorch());
    all.extend(checks::memory());
    all.push(checks::confinement());
    all.push(chromium::chromium(wanted.chromium));
    all.push(android::adb(wanted.adb || wanted.avd));
    all.push(android::emulator(wanted.avd));
    all
}

/// The worst verdict of all.
pub fn worst(checks: &[Check]) -> Verdict {
    checks
        .iter()
        .map(|c| c.verdict)
        .max()
        .unwrap_or(Verdict::Ok)
}

/// The checks as lines for a person.
pub fn human(checks: &[Check], color: bool) -> String {
    let width = checks.iter().map(|c| c.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let (mark, paint) = match check.verdict {
            Verdict::Ok if check.absent => ("-", "\x1b[2m"),
            Verdict::Ok => ("ok", "\x1b[32m"),
            Verdict::Warning => ("warning", "\x1b[33m"),
            Verdict::Failed => ("FAILED", "\x1b[31m"),
        };
        let (paint, plain) = if color { (paint, "\x1b[0m") } else { ("", "") };
        let _ = writeln!(
            text,
            "{paint}{mark:>7}{plain}  {:width$}  {}",
            check.name, check.found
        );
        if let Some(fix) = &check.fix {
            let _ = writeln!(text, "{:>7}  {:width$}  fix: {fix}", "", "");
        }
    }
    text
}

/// The checks as JSON for programs.
pub fn json(checks: &[Check]) -> String {
    let value = serde_json::json!({
        "version": VERSION,
        "verdict": worst(checks),
        "checks": checks,
    });
    format!("{value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<Check> {
        vec![
            Check::ok("Java", "17.0.1"),
            Check::warning("confinement", "none", "a newer kernel"),
            Check::failed("Maven", "not there", "apt install maven"),
            Check::absent("adb", "not installed"),
        ]
    }

    #[test]
    fn people_read_a_line_each_and_how_to_mend_it() {
        insta::assert_snapshot!(human(&some(), false), @r"
             ok  Java         17.0.1
        warning  confinement  none
                              fix: a newer kernel
         FAILED  Maven        not there
                              fix: apt install maven
              -  adb          not installed
        ");
    }

    #[test]
    fn programs_read_the_verdicts() {
        let value: serde_json::Value = serde_json::from_str(&json(&some())).unwrap();
        assert_eq!(value["verdict"], "failed");
        assert_eq!(value["checks"][1]["verdict"], "warning");
        assert_eq!(value["checks"][0].get("fix"), None);
    }
}
