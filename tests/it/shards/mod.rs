//! Runs of several machines: shards, their merge, and runs that continue.

mod merge;
mod resume;
#[cfg(unix)]
mod templates;
mod total;
mod wrong;

use crate::common::program::{Desk, Ended};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// A suite of two models with these seeds.
pub fn suite(seeds: &str, more: &str) -> String {
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 1500 }}\nseeds = {seeds}\n{more}[[app]]\nname = \"shop\"\nmodel = \
         \"builtin:shop\"\n[[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n[[strategy]]\nkind = \"random\"\n"
    )
}

/// A folder with this suite, where runs are below `runs`.
pub fn desk(suite: &str) -> Desk {
    Desk::new(suite)
}

/// Runs the program with its runs below `runs`.
pub fn tool(desk: &Desk, args: &str) -> Ended {
    Ended::of(desk.command(args).env("DROIDTEST_OUT", "runs"))
}

/// Each file below a folder with its content; without the names in `left_out`.
pub fn content(folder: &Path, left_out: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let files = crate::common::files(folder).into_iter();
    let files = files.filter(|file| !left_out.iter().any(|name| file.ends_with(name)));
    let named = files.map(|file| {
        let name = file
            .strip_prefix(folder)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        (name, fs::read(&file).unwrap())
    });
    named.collect()
}

/// The findings of a run, session by session: fingerprint, first event, count and the length when minimized.
pub fn findings(run: &Path) -> Vec<String> {
    let summary: Value =
        serde_json::from_slice(&fs::read(run.join("summary.json")).unwrap()).unwrap();
    let mut all = Vec::new();
    for session in summary["sessions"].as_array().unwrap() {
        for kind in ["findings", "environment_findings"] {
            for finding in session[kind].as_array().unwrap() {
                all.push(format!(
                    "{} {} {} {} {} {}",
                    session["session"],
                    finding["fingerprint"],
                    finding["first_event"],
                    finding["count"],
                    finding["minimized_length"],
                    finding["warning"],
                ));
            }
        }
    }
    all
}

/// The journal of each session.
pub fn journals(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = content(&run.join("sessions"), &[]);
    all.retain(|name, _| name.ends_with("journal.jsonl"));
    all
}

/// Waits until the journal of a session holds a step.
pub fn until_begun(desk: &Desk, run: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        let journals = match desk.path(run).join("sessions").is_dir() {
            true => journals(&desk.path(run)),
            false => Default::default(),
        };
        let steps = |text: &Vec<u8>| String::from_utf8_lossy(text).contains("{\"e\":\"step\",");
        if journals.values().any(steps) {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("{run} did not begin");
}

/// Removes the end of a session's journal, as if the run had been killed there.
pub fn cut(desk: &Desk, run: &str, session: &str) {
    let journal = format!("runs/{run}/sessions/{session}/journal.jsonl");
    let bytes = desk.read(&journal);
    desk.write(&journal, &bytes[..bytes.len() * 2 / 3]);
}
