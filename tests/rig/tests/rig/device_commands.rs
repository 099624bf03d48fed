//! `before` and `after` of an app: commands in a phone's shell, the last ones however a session ended.

use droidtest::config::{HumanDuration, ShellCommand};
use droidtest::device::adb::AdbDevice;
use droidtest::device::progress::Watch;
use droidtest::device::{App, Device as _};
use droidtest_rig::bench::{Bench, notes};
use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig};
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

struct Left {
    phone: Arc<Phone>,
    said: String,
    code: Option<i32>,
}

fn run(app: &str) -> Left {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let phone = Phone::new(Config::sim(34, "shop"));
    let rig = Rig::start(Arc::clone(&phone), 0).unwrap();
    sdk.server.connect(&rig.serial());
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 5 }}\nseeds = [5]\n\
         [[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n\
         [[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"{}\"\n\
         [[app]]\nname = \"shop\"\napk = {apk:?}\n{app}",
        rig.serial()
    );
    let Output { status, stderr, .. } = sdk.run(&suite, &[]);
    Left {
        phone,
        said: String::from_utf8_lossy(&stderr).into_owned(),
        code: status.code(),
    }
}

impl Left {
    fn setting(&self, key: &str) -> Option<String> {
        setting(&self.phone, key)
    }
}

fn setting(phone: &Phone, key: &str) -> Option<String> {
    let state = phone.state.lock().unwrap();
    let at = ("global".to_owned(), key.to_owned());
    state.settings.get(&at).cloned()
}

#[test]
fn commands_run_before_and_after_a_session_with_their_words_as_they_are() {
    let left = run(
        "before = [{ run = [\"settings\", \"put\", \"global\", \"shown\", \"a b; settings put global other 1\"] }]\n\
         after = [{ run = [\"settings\", \"put\", \"global\", \"done\", \"1\"], limit = \"10s\" }]\n",
    );
    let shown = left.setting("shown");
    assert_eq!(
        shown.as_deref(),
        Some("a b; settings put global other 1"),
        "{}",
        left.said
    );
    assert_eq!(left.setting("other"), None);
    assert_eq!(left.setting("done").as_deref(), Some("1"), "{}", left.said);
}

#[test]
fn a_command_that_fails_ends_the_session_before_it_starts_and_those_after_run() {
    let left = run("before = [{ run = [\"settings\", \"nonsense\"] }]\n\
         after = [{ run = [\"settings\", \"put\", \"global\", \"done\", \"1\"] }]\n");
    assert_eq!(left.code, Some(107), "{}", left.said);
    let why = "the command `settings nonsense` of `before`: ended with 255: Invalid command";
    assert!(left.said.contains(why), "{}", left.said);
    assert_eq!(left.setting("done").as_deref(), Some("1"));
}

#[test]
fn one_that_fails_afterwards_is_reported_and_the_next_one_runs() {
    let left = run(
        "after = [{ run = [\"settings\", \"nonsense\"] }, { run = [\"settings\", \"put\", \"global\", \"done\", \"1\"] }]\n",
    );
    let why = "the command `settings nonsense` of `after`: ended with 255";
    assert!(left.said.contains(why), "{}", left.said);
    assert_eq!(left.setting("done").as_deref(), Some("1"));
}

#[test]
fn an_interrupt_does_not_cut_them_off_and_what_a_lost_phone_did_not_do_is_named() {
    for lost in [false, true] {
        let bench = Bench::new(Config::sim(34, "notes"));
        let phone = &bench.rig.phone;
        let stop = Arc::new(AtomicBool::new(false));
        let watch = Watch::new(|_| {}, Arc::clone(&stop));
        let mut device = AdbDevice::new("rig", bench.settings(true), watch);
        let run = ["settings", "put", "global", "done", "1"];
        let after = ShellCommand {
            run: run.map(str::to_owned).to_vec(),
            limit: HumanDuration::secs(5),
        };
        let app = App {
            after: vec![after],
            ..notes()
        };
        device.install(&app).unwrap();
        stop.store(true, Ordering::Relaxed);
        if lost {
            phone.power_off();
        }
        let undone = device.leave();
        assert_eq!(undone.is_empty(), !lost, "{undone:?}");
        let line = "the command `settings put global done 1` of `after`: ";
        assert!(
            undone.iter().all(|said| said.starts_with(line)),
            "{undone:?}"
        );
        assert_eq!(setting(phone, "done").is_some(), !lost);
    }
}
