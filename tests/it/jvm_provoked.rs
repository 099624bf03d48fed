//! Findings that a fault provoked on the jvm device: minimizing keeps the fault among the fewest steps, replaying
//! brings it about again, and it stays named as what provoked the finding.

use crate::common::app;
use crate::common::phone::Phone;
use droidtest::device::jvm::Network;
use droidtest::gui::{Fault, SystemEvent};
use droidtest::outcome::Minimality;
use droidtest::repro::replay::Gone;
use droidtest::repro::{Means, Runner, Spare, task};
use droidtest::trace::find::Fit;
use droidtest::trace::{self, Moves, Step, Trace};
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// The fewest steps to each crash: what opens the page, what is to be done there before the fault, the fault, and what
/// is done after it.
const WAYS: [(Fault, &str, &str, &str, &str); 6] = [
    (
        Fault::PermissionRevoked,
        "held",
        "",
        "agenda",
        "no calendar",
    ),
    (Fault::ProcessDeath, "held", "hold", "", "null"),
    (
        Fault::LowStorage,
        "fragile",
        "",
        "save",
        "the file is not whole",
    ),
    (
        Fault::DateChange,
        "fragile",
        "",
        "today",
        "a list of two days",
    ),
    (
        Fault::ScreenSize,
        "fragile",
        "",
        "",
        "no layout for a tablet",
    ),
    (Fault::Offline, "fragile", "", "sync", "half of it came"),
];

/// The way with steps that it can do without: more for the first one, as every step costs a start of the device.
fn drowned(page: &str, before: &str, fault: Fault, after: &str) -> Trace {
    let around: &[&str] = match fault == WAYS[0].0 {
        true => &["rotate", "night-mode"],
        false => &[],
    };
    let mut steps: Vec<String> = around
        .iter()
        .map(|name| format!("do = \"{name}\""))
        .collect();
    let click = |id: &str| format!("do = \"click\"\nid = \"{id}\"");
    steps.push(click(page));
    if !before.is_empty() {
        steps.push(click(before));
    }
    steps.push(format!("do = \"{}\"", fault.name()));
    steps.push("do = \"wait\"\nms = 500".to_owned());
    if !after.is_empty() {
        steps.push(click(after));
    }
    let text = format!(
        "version = 1\nseed = 1\n[app]\nname = \"outside\"\npackage = \"org.droidtest.outside\"\n\
         [finding]\nkind = \"java-crash\"\n{}",
        steps
            .iter()
            .map(|step| format!("[[step]]\n{step}\n"))
            .collect::<String>()
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.toml");
    fs::write(&file, text).unwrap();
    trace::load(&file).unwrap()
}

fn runner() -> Option<(Runner, TempDir)> {
    let stubs = app("outside/stubs");
    let phone = Phone::with("outside", |s| s.network = Network::Replay(stubs))?;
    Some(phone.into_runner())
}

#[test]
fn the_fault_is_among_the_fewest_steps_and_replays() {
    if Phone::with("outside", |_| {}).is_none() {
        return;
    }
    let folders = Mutex::new(Vec::new());
    let make = |_: usize, _: u64| {
        let (runner, folder) = runner().unwrap();
        folders.lock().unwrap().push(folder);
        Ok(runner)
    };
    let means = Means {
        replays: 60,
        time: Duration::from_secs(600),
        confirm: 1,
        workers: 1,
        later: false,
    };
    let (mut replayer, _folder) = runner().unwrap();
    let mut wrong = Vec::new();
    for (fault, page, before, after, message) in WAYS {
        let trace = drowned(page, before, fault, after);
        let found = task::minimize(
            &trace,
            &Moves::default(),
            &make,
            &means,
            &|_| None,
            &Spare::default(),
        )
        .unwrap();
        let result = &found.reproduction;
        println!("{}: {result:?}", fault.name());
        let Some(least) = found.trace else {
            wrong.push(format!("{}: not reproduced", fault.name()));
            continue;
        };
        let is_fault = |step: &&Step| matches!(step, Step::System(SystemEvent::Fault { fault: of }) if *of == fault);
        let needed = 2 + usize::from(!before.is_empty()) + usize::from(!after.is_empty());
        let title = least.expected().title.clone().unwrap_or_default();
        for (what, holds) in [
            (
                "has the fault once",
                least.steps.iter().filter(is_fault).count() == 1,
            ),
            ("has the fewest steps", least.steps.len() == needed),
            (
                "names what provoked it",
                trace::provoked_by(&least.steps) == [fault.name()],
            ),
            (
                "is one-minimal",
                result.minimality == Minimality::OneMinimal,
            ),
            ("comes again", result.reproduced == 1 && result.of == 1),
            ("is the crash meant", title.contains(message)),
        ] {
            if !holds {
                wrong.push(format!(
                    "{}: not: {what}: {:?} {title}",
                    fault.name(),
                    result.steps
                ));
            }
        }
        // The shortest trace as a file, replayed in another process.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("least.toml");
        fs::write(&file, trace::write(&least)).unwrap();
        let least = trace::load(&file).unwrap();
        let how = (Fit::Loose, Gone::Ends);
        let replay = replayer
            .replay(&least.steps, least.finding.as_ref(), how, None)
            .unwrap();
        if !replay.reproduced() {
            wrong.push(format!("{}: replay: {:?}", fault.name(), replay.end));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As a user has it: a run finds what a fault provokes and makes it short, its summary names the fault, and `replay`
/// of what the run wrote encounters it again.
#[test]
fn a_run_finds_shortens_and_names_it() {
    if Phone::with("outside", |_| {}).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let apk = app("outside/outside.apk");
    let suite = format!(
        "[suite]\nname = \"provoked\"\nseeds = [1]\nbudget = {{ events = 60 }}\n\
         [minimize]\nreplays = 40\nconfirm = 1\n[faults]\nrate = 0.3\n\
         [[app]]\nname = \"outside\"\napk = {}\n\
         [[app.script]]\nname = \"in\"\nactivity = \"MainActivity\"\ntimes = 50\n\
         step = [{{ do = \"click\", id = \"fragile\" }}]\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\
         [[strategy]]\nkind = \"random\"\n",
        toml::Value::from(apk.to_str().unwrap())
    );
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let tool = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"));
        let done = command
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        );
        (done.status.code(), text)
    };
    let (code, text) = tool(&["run", "--offline", "--out", "out"]);
    assert_eq!(code, Some(100), "{text}");
    let summary = fs::read_to_string(folder.path().join("out/latest/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let sessions = summary["sessions"].as_array().unwrap().iter();
    let tablet = sessions
        .flat_map(|session| session["findings"].as_array().unwrap())
        .find(|f| {
            f["title"]
                .as_str()
                .unwrap()
                .contains("no layout for a tablet")
        })
        .unwrap_or_else(|| panic!("{text}"));
    assert_eq!(
        tablet["provoked_by"],
        serde_json::json!(["screen-size"]),
        "{tablet}"
    );
    let sessions = folder.path().join("out/latest/sessions");
    let id = tablet["id"].as_str().unwrap();
    let least = fs::read_dir(sessions)
        .unwrap()
        .map(|session| {
            session
                .unwrap()
                .path()
                .join("findings")
                .join(id)
                .join("minimized.toml")
        })
        .find(|file| file.exists())
        .unwrap_or_else(|| panic!("{tablet}\n{text}"));
    let steps = trace::load(&least).unwrap().steps;
    assert_eq!(trace::provoked_by(&steps), ["screen-size"]);
    assert_eq!(steps.len(), 2, "{steps:?}");
    let (code, text) = tool(&["replay", "--offline", least.to_str().unwrap()]);
    assert_eq!(code, Some(100), "{text}");
}
