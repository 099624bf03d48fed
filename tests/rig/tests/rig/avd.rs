//! Whole suites on emulators that the tool created, with stand-ins for Android's programs.

use droidtest::device::jvm::cache::Cache;
use droidtest_rig::sdk::Sdk;
use std::path::Path;
use std::process::Output;

const SIM: (&str, &str) = ("RIG_BEHIND", "sim:notes");

fn sdk(folder: &tempfile::TempDir) -> Sdk {
    Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")))
}

fn suite(device: &str, events: u32) -> String {
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = {events} }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"pixel\"\nkind = \"avd\"\n{device}\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n"
    )
}

fn words(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout)
}

#[test]
fn an_emulator_is_made_started_explored_on_and_ended() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    // Where `sdkmanager 'cmdline-tools;16.0'` puts them.
    let tools = folder.path().join("cmdline-tools");
    std::fs::rename(tools.join("latest"), tools.join("16.0")).unwrap();
    let device = "install = true\nprofile = \"pixel_6\"\ndisk = 2048\ncount = 2";
    let text = suite(device, 60).replace("seeds = [7]", "seeds = [7, 8, 9]");
    let out = sdk.run(&text, &[SIM]);
    let code = out.status.code();
    assert!(
        code == Some(0) || code == Some(100),
        "{code:?}: {}",
        words(&out)
    );
    let summary = sdk.summary();
    let sessions = summary["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 3, "{summary}");
    for session in sessions {
        assert_eq!(session["events"], 60, "{session}");
    }
    assert_eq!(sdk.left_behind(), [""; 0]);
    let avds: Vec<_> = std::fs::read_dir(folder.path().join("rig-state/avds"))
        .unwrap()
        .collect();
    assert!((1..=2).contains(&avds.len()));
    // `disk` is for data; it made an SD card of that size, too.
    assert!(!folder.path().join("rig-state/cards").exists());
}

#[test]
fn what_is_missing_or_fails_is_said_with_the_emulators_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    let run = |device: &str, fail: &str| {
        let out = sdk.run(&suite(device, 5), &[SIM, ("RIG_FAIL", fail)]);
        assert_eq!(out.status.code(), Some(107), "{}", words(&out));
        words(&out)
    };
    let said = run("", "");
    assert!(
        said.contains("sdkmanager 'system-images;android-34"),
        "{said}"
    );
    let said = run(
        "avd = \"mine\"\nimage = \"system-images;android-34;google_apis;x86_64\"\ninstall = true",
        "no-network",
    );
    assert!(said.contains("sdkmanager does not install"), "{said}");
    let said = run("install = true", "no-kvm");
    assert!(said.contains("/dev/kvm is not found"), "{said}");
    let said = run("boot = \"20s\"", "no-boot");
    assert!(said.contains("sys.boot_completed is not 1"), "{said}");
    assert_eq!(sdk.left_behind(), [""; 0]);
}

#[test]
fn ones_own_avd_is_neither_made_by_a_misspelt_name_nor_made_anew_where_the_list_fails() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    let avds = folder.path().join("rig-state/avds");
    std::fs::create_dir_all(&avds).unwrap();
    std::fs::write(avds.join("own-phone"), "mine").unwrap();
    let image = "system-images;android-34;google_apis;x86_64";
    std::fs::create_dir_all(folder.path().join("rig-state/images")).unwrap();
    std::fs::write(folder.path().join("rig-state/images").join(image), "").unwrap();
    let run = |device: &str, fail: &str| {
        let out = sdk.run(&suite(device, 5), &[SIM, ("RIG_FAIL", fail)]);
        assert_eq!(out.status.code(), Some(107), "{}", words(&out));
        words(&out)
    };
    let said = run("avd = \"own-fone\"", "");
    assert!(
        said.contains("no AVD `own-fone` (available: own-phone)"),
        "{said}"
    );
    let named = format!("avd = \"own-phone\"\nimage = \"{image}\"");
    let said = run(&named, "no-list");
    assert!(said.contains("Cannot find AVD system path"), "{said}");
    let there: Vec<_> = std::fs::read_dir(&avds).unwrap().collect();
    assert_eq!(there.len(), 1);
    assert_eq!(std::fs::read(avds.join("own-phone")).unwrap(), b"mine");
}

#[test]
fn an_emulator_killed_in_the_midst_is_started_anew_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    let file = folder.path().join("droidtest.toml");
    std::fs::write(&file, suite("install = true", 120)).unwrap();
    let mut tool = sdk.tool();
    tool.args(["run", "--suite"]).arg(&file);
    tool.envs([SIM, ("RIG_DELAY_MS", "10")]);
    tool.stdout(std::process::Stdio::null());
    tool.stderr(std::process::Stdio::piped());
    let child = tool.spawn().unwrap();
    let journal = folder
        .path()
        .join("target/droidtest/latest/sessions/notes-pixel-random-7/journal.jsonl");
    let steps = || {
        let text = std::fs::read_to_string(&journal).unwrap_or_default();
        text.lines()
            .filter(|l| l.contains("\"e\":\"step\""))
            .count()
    };
    let until = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while steps() < 20 && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let emulators = sdk.emulators();
    assert_eq!(emulators.len(), 1, "{emulators:?}");
    let killed = std::process::Command::new("kill")
        .args(["-9", &emulators[0].0.to_string()])
        .status();
    assert!(killed.unwrap().success());
    let out = child.wait_with_output().unwrap();
    let code = out.status.code();
    assert!(
        code == Some(0) || code == Some(100),
        "{code:?}: {}",
        words(&out)
    );
    let summary = sdk.summary();
    let session = &summary["sessions"][0];
    assert_eq!(
        (&session["events"], &session["ended"]),
        (&120.into(), &"events".into())
    );
    let failures = session["device_failures"].as_array().unwrap();
    assert!((1..=2).contains(&failures.len()), "{failures:?}");
    assert_eq!(sdk.left_behind(), [""; 0]);
}

#[test]
fn what_lay_on_an_emulator_of_ours_is_gone_at_its_next_start_and_what_lay_on_ones_own_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    let run = |device: &str| {
        let out = sdk.run(&suite(device, 5), &[SIM]);
        assert_eq!(out.status.code(), Some(0), "{}", words(&out));
    };
    run("install = true");
    let data = |avd: &str| folder.path().join(format!("rig-state/data/{avd}.json"));
    let plant = |avd: &str| std::fs::write(data(avd), "{\"/sdcard/left\":[1]}").unwrap();
    let lies_there = |avd: &str| {
        let text = std::fs::read_to_string(data(avd)).unwrap();
        text.contains("/sdcard/left")
    };
    let ran = std::fs::read_dir(folder.path().join("rig-state/avds"))
        .unwrap()
        .next();
    let ran = ran.unwrap().unwrap().file_name().into_string().unwrap();
    let (kind, _) = ran.rsplit_once('-').unwrap();
    // Other tests may have the first of them by now.
    let ours: Vec<_> = (1..20).map(|n| format!("{kind}-{n}")).collect();
    ours.iter().for_each(|avd| plant(avd));
    run("install = true");
    assert_eq!(ours.iter().filter(|avd| !lies_there(avd)).count(), 1);
    std::fs::write(folder.path().join("rig-state/avds/own-data"), "").unwrap();
    plant("own-data");
    run("avd = \"own-data\"");
    assert!(lies_there("own-data"));
}

fn avds(folder: &Path) -> usize {
    let all = std::fs::read_dir(folder.join("rig-state/avds")).unwrap();
    all.count()
}

/// The suite with a second device that differs in its locale only.
fn two_locales(device: &str) -> String {
    let one = suite(device, 30);
    let second = format!(
        "[[device]]\nname = \"other\"\nkind = \"avd\"\nlocale = \"de\"\n{device}\n[[strategy]]"
    );
    one.replace("[[strategy]]", &second)
}

#[test]
fn devices_that_differ_in_their_locale_only_and_two_runs_at_once_get_avds_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    let file = folder.path().join("droidtest.toml");
    std::fs::write(&file, two_locales("install = true")).unwrap();
    let run = || {
        let mut tool = sdk.tool();
        tool.args(["run", "-j", "2", "--suite"]).arg(&file);
        tool.envs([SIM, ("RIG_DELAY_MS", "20")]).output().unwrap()
    };
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(run);
        (run(), one.join().unwrap())
    });
    for out in [one, other] {
        let code = out.status.code();
        assert!(code == Some(0) || code == Some(100), "{}", words(&out));
    }
    assert!((2..=4).contains(&avds(folder.path())));
    assert_eq!(sdk.left_behind(), [""; 0]);
}

#[test]
fn two_devices_on_ones_own_avd_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    std::fs::create_dir_all(folder.path().join("rig-state/avds")).unwrap();
    std::fs::write(folder.path().join("rig-state/avds/own-turns"), "").unwrap();
    let out = sdk.run(&two_locales("avd = \"own-turns\""), &[SIM]);
    let code = out.status.code();
    assert!(code == Some(0) || code == Some(100), "{}", words(&out));
    assert_eq!(sdk.summary()["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(sdk.left_behind(), [""; 0]);
}

#[test]
fn an_emulator_that_a_killed_run_left_is_ended_by_the_next_and_its_avd_is_free() {
    // The run of another test may be the next that starts, and ends it.
    assert!((0..3).any(|_| left_by_a_killed_run_and_ended_by_the_next()));
}

fn left_by_a_killed_run_and_ended_by_the_next() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(&folder);
    let avds = folder.path().join("rig-state/avds");
    std::fs::create_dir_all(&avds).unwrap();
    std::fs::write(avds.join("own-killed"), "").unwrap();
    let file = folder.path().join("droidtest.toml");
    std::fs::write(&file, suite("avd = \"own-killed\"", 5)).unwrap();
    let mut tool = sdk.tool();
    tool.args(["run", "--suite"]).arg(&file).envs([SIM]);
    tool.env("RIG_BOOT_MS", "60000");
    tool.stdout(std::process::Stdio::null());
    tool.stderr(std::process::Stdio::null());
    let mut killed = tool.spawn().unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    // Its entry is written right after the start; before that, the same program lists the AVDs there are.
    let entries = Cache::locate().unwrap().root().join("emulators");
    let is_written = |number: u32| {
        let all = std::fs::read_dir(&entries).into_iter().flatten().flatten();
        let named = format!("\"emulator\":{number},");
        all.filter(|e| e.path().extension().is_some_and(|e| e == "json"))
            .any(|e| std::fs::read_to_string(e.path()).is_ok_and(|text| text.contains(&named)))
    };
    let started = || {
        let all = sdk.emulators();
        all.iter()
            .any(|(number, line)| line.contains(" -port ") && is_written(*number))
    };
    while !started() && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = sdk.emulators().len();
    let out = sdk.run(&suite("avd = \"own-killed\"", 5), &[SIM]);
    assert_eq!(out.status.code(), Some(0), "{}", words(&out));
    assert_eq!(sdk.left_behind(), [""; 0]);
    left == 1 && words(&out).contains("left by a run that was killed")
}
