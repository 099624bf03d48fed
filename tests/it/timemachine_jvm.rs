//! Restores on the jvm device, which has no snapshots: cleared data and the steps of a known way.

use crate::common::app;
use crate::common::phone::Phone;
use crate::common::program::{Desk, Ended};
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use droidtest::outcome::run_event::{LedBy, Return};
use droidtest::outcome::{RunEvent, RunSummary};
use std::fs;
use std::process::Command;

#[test]
fn a_saved_state_is_restored_by_the_steps_that_led_to_it() {
    if Phone::with("notes", |_| {}).is_none() {
        return;
    }
    let apk = toml::Value::from(app("notes/notes.apk").to_str().unwrap());
    let desk = Desk::new(&format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 100 }}\nseeds = [1]\n[minimize]\nenabled = false\n\
         [[strategy]]\nkind = \"timemachine\"\nbase = {{ kind = \"random\" }}\nmax-no-progress = 2\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\n[[app]]\nname = \"notes\"\napk = {apk}\n"
    ));
    // With the machine's own environment, which says where the device's parts are.
    let mut run = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"));
    let ran = Ended::of(run.args(["run", "--offline"]).current_dir(desk.folder()));
    let folder = RunFolder::find(&desk.path("target/droidtest"), None)
        .unwrap_or_else(|e| panic!("{e}\n{}", ran.err));
    let session = folder.session(&folder.sessions().unwrap()[0]);
    let journal = JournalReader::open(&session.journal()).unwrap();
    let (mut walked, mut arrived) = (0, 0);
    for event in journal {
        match event.unwrap() {
            RunEvent::Step(step) if step.led == Some(LedBy::Restore) => walked += 1,
            RunEvent::Restore {
                by, arrived: true, ..
            } => {
                assert_eq!(by, Return::Way);
                arrived += 1;
            }
            _ => {}
        }
    }
    assert!(
        arrived > 1 && walked > 1,
        "{arrived}, {walked}\n{}",
        ran.err
    );
    let summary: RunSummary = serde_json::from_slice(&fs::read(folder.summary()).unwrap()).unwrap();
    let session = &summary.sessions[0];
    // The notice is printed as the session starts, and in the report.
    let notice =
        "the device has no snapshots: timemachine returns to a state by a start with cleared data";
    assert!(session.notes[0].starts_with(notice), "{:?}", session.notes);
    for word in ["Warning", "Note"] {
        let mut lines = [&ran.err, &ran.out].into_iter().flat_map(|s| s.lines());
        let printed =
            lines.any(|line| line.trim_start().starts_with(word) && line.contains(notice));
        assert!(printed, "{word}:\n{}\n{}", ran.err, ran.out);
    }
    assert_eq!(session.events, 100);
    let restores = session.restores.unwrap();
    assert_eq!((restores.by_snapshot, restores.by_way), (0, arrived));
    assert!(restores.median_ms.is_some(), "{restores:?}");
}
