//! The live view: a person takes over in a real browser, nobody else gets in, and no browser holds up a run.

mod browser;
mod chromium;
mod door;
mod keep;
mod run;

pub use self::run::{Run, status};
use crate::common::program::Desk;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

impl Run {
    fn start(desk: &Desk, args: &str) -> Self {
        Self::of(desk.command(args).env("PATH", "/usr/bin:/bin"))
    }

    fn interrupt(&self) {
        let process = Pid::from_raw(self.id().try_into().unwrap()).unwrap();
        kill_process(process, Signal::INT).unwrap();
    }
}

/// The lines of a session's journal of this kind.
fn journal(desk: &Desk, session: &str, kind: &str) -> Vec<Value> {
    let text = desk.read(&format!(
        "target/droidtest/r/sessions/{session}/journal.jsonl"
    ));
    let lines = String::from_utf8(text).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["e"] == kind).collect()
}
