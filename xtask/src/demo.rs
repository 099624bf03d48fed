//! The README's first command: the sample apps explored from a fresh clone.

use crate::{Result, sh};
use std::process::Command;

/// Exit code of a run with findings: what the demo is for.
const FINDINGS: i32 = 100;

/// A demonstration spends less on minimizing than a run does. Studies use the suite as it is.
const QUICK: [(&str, &str); 2] = [
    ("DROIDTEST_MINIMIZE__TIME", "5s"),
    ("DROIDTEST_MINIMIZE__CONFIRM", "1"),
];

pub fn run() -> Result {
    let tool = sh::build_tool()?;
    sh::show(Command::new(&tool).current_dir(sh::root()).arg("setup"))?;
    let status = Command::new(&tool)
        .current_dir(sh::root())
        .args(["run", "--suite", "example-configs/demo.toml"])
        .envs(QUICK)
        .status()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    match status.code() {
        Some(FINDINGS) => {
            println!(
                "\nThe sample apps have crashes planted in them, so exit code {FINDINGS} (findings) is expected."
            );
            println!("Open target/droidtest/latest/report.html to see them.");
            Ok(())
        }
        Some(0) => Err("the demo found none of the sample apps' planted crashes".into()),
        _ => Err(format!("the demo's run failed ({status})")),
    }
}
