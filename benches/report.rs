//! How soon a browser has opened the HTML report, and how high the page is at first sight.
//!
//! Arguments: reports to measure. Without one, that of a run of twelve sessions of a model.

#[path = "../src/report/html/dom.rs"]
mod dom;

use droidtest::device::jvm::browser::Chromium;
use droidtest::util::process;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Times that each report is opened.
const TIMES: usize = 9;
const SUITE: &str = "[suite]
seeds = [1, 2, 3, 4, 5, 6]
budget = { events = 300 }
[[app]]
name = \"notes\"
model = \"builtin:notes\"
[[device]]
name = \"sim\"
kind = \"sim\"
[[strategy]]
kind = \"random\"
[[strategy]]
kind = \"monkey\"
";
/// The clock starts with the navigation; the height is known after layout.
const SCRIPT: &str = "
    out.height = document.documentElement.scrollHeight;
    out.milliseconds = performance.now();
    out.sessions = all('.session').length;";

fn main() {
    let chromium = match Chromium::locate() {
        Ok(chromium) => chromium.program,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    let named = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let mut reports: Vec<PathBuf> = named.map(PathBuf::from).collect();
    let base = tempfile::tempdir().expect("a folder");
    if reports.is_empty() {
        reports.push(of_model(base.path()));
    }
    for report in &reports {
        let page = fs::read_to_string(report)
            .unwrap_or_else(|e| panic!("{}: {e}; name a report.html", report.display()));
        let opened: Vec<_> = (0..TIMES)
            .map(|_| dom::result(&chromium, &page, SCRIPT, false))
            .collect();
        let mut times: Vec<f64> = opened
            .iter()
            .filter_map(|out| out["milliseconds"].as_f64())
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "{}: {} sessions, {} KB, {} pixels high at first sight, opens in {:.0} ms ({:.0} to {:.0}, {TIMES} times)",
            report.display(),
            opened[0]["sessions"],
            page.len() / 1000,
            opened[0]["height"],
            times[times.len() / 2],
            times[0],
            times[times.len() - 1],
        );
    }
}

/// The report of a run of twelve sessions.
fn of_model(base: &Path) -> PathBuf {
    fs::write(base.join("droidtest.toml"), SUITE).expect("a suite");
    let done = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .args(["droidtest", "run", "--quiet", "--run-id", "r"])
        .args(["--out", "runs"])
        .current_dir(base)
        .output()
        .expect("the tool starts");
    // 100: there are findings.
    assert!(
        [Some(0), Some(100)].contains(&done.status.code()),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    base.join("runs/r/report.html")
}
