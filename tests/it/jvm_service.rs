//! An app that closes its window at once is told from one that cannot be started.

use crate::common::app;
use crate::common::phone::Phone;
use crate::common::program::{Desk, Ended};
use droidtest::device::Reset;
use droidtest::outcome::RunSummary;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::run_event::EndReason;
use std::fs;
use std::process::Command;

const WORDS: &str = "the app closes its window at start";

#[test]
fn an_app_without_screens_closes_its_window_at_start() {
    let Some(mut phone) = Phone::with("service", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    assert!(phone.now.closed_itself(), "{:?}", phone.now);
    phone.finish();

    let apk = toml::Value::from(app("service/service.apk").to_str().unwrap());
    let desk = Desk::new(&format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 5 }}\nseeds = [1]\n\
         [[strategy]]\nkind = \"random\"\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\
         [[app]]\nname = \"service\"\napk = {apk}\n"
    ));
    // With the machine's own environment, which says where the device's parts are.
    let mut run = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"));
    let ran = Ended::of(run.args(["run", "--offline"]).current_dir(desk.folder()));
    assert!(ran.err.contains(WORDS), "{}", ran.all());
    assert!(!ran.all().contains("cannot be started"), "{}", ran.all());
    // Incomplete: nothing was explored, and nothing is wrong with the app.
    assert_eq!(ran.code, 106, "{}", ran.all());

    let folder = RunFolder::find(&desk.path("target/droidtest"), None).unwrap();
    let summary: RunSummary = serde_json::from_slice(&fs::read(folder.summary()).unwrap()).unwrap();
    let session = &summary.sessions[0];
    assert_eq!(session.ended, Some(EndReason::ClosesAtStart));
    assert!(session.findings.is_empty(), "{:?}", session.findings);
    let junit = fs::read_to_string(folder.junit()).unwrap();
    assert!(junit.contains(WORDS), "{junit}");
}
