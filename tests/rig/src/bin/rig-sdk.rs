//! Stand-ins for `emulator`, `avdmanager` and `sdkmanager`: one program that goes by the name it is called by.
//!
//! State is in the SDK's folder (`ANDROID_HOME`); what is to go wrong is reported by `RIG_FAIL`.

use droidtest::device::Listens;
use droidtest_rig::console;
use droidtest_rig::files::File as PhoneFile;
use droidtest_rig::pipe_lock as lock;
use droidtest_rig::{Behind, Config, Phone, Rig};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let name = PathBuf::from(&args[0]);
    let name = name
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let option = |flag: &str| {
        args.iter()
            .position(|a| a == flag)
            .and_then(|at| args.get(at + 1))
            .cloned()
    };
    match name.as_str() {
        "emulator" if args.iter().any(|a| a == "-list-avds") => {
            if fails("no-list") {
                println!("PANIC: Cannot find AVD system path. Please define ANDROID_SDK_ROOT");
                return ExitCode::FAILURE;
            }
            for avd in names("avds") {
                println!("{avd}");
            }
            ExitCode::SUCCESS
        }
        "emulator" => emulator(
            &option("-avd").unwrap_or_default(),
            option("-port").and_then(|p| p.parse().ok()).unwrap_or(5554),
            args.iter().any(|a| a == "-wipe-data"),
        ),
        "avdmanager" => avdmanager(
            &option("--name").unwrap_or_default(),
            &option("--package").unwrap_or_default(),
            args.iter().any(|a| a == "--force"),
            option("--sdcard").as_deref(),
        ),
        "sdkmanager" => sdkmanager(&args[1..]),
        // The tool itself, so that a test of this crate has a program to run.
        "cargo-droidtest" => droidtest::cli::main(std::env::args_os()).into(),
        other => {
            eprintln!("rig-sdk: called as {other}");
            ExitCode::FAILURE
        }
    }
}

fn state(folder: &str) -> PathBuf {
    let root = PathBuf::from(std::env::var_os("ANDROID_HOME").unwrap_or_default());
    let folder = root.join("rig-state").join(folder);
    let _ = fs::create_dir_all(&folder);
    folder
}

fn names(folder: &str) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(state(folder))
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn fails(what: &str) -> bool {
    std::env::var("RIG_FAIL").is_ok_and(|all| all.split(',').any(|f| f == what))
}

fn answers() -> String {
    let mut text = String::new();
    let _ = std::io::stdin().read_to_string(&mut text);
    text
}

fn sdkmanager(args: &[String]) -> ExitCode {
    let Some(image) = args.iter().find(|a| a.starts_with("system-images;")) else {
        return ExitCode::SUCCESS;
    };
    console::dawdle("slow-fetch");
    println!("License android-sdk-license:\nAccept? (y/N): ");
    if !answers().starts_with('y') {
        println!("Skipping following packages as the license is not accepted");
        return ExitCode::FAILURE;
    }
    if fails("no-network") {
        eprintln!("Warning: Failed to download any source lists!");
        return ExitCode::FAILURE;
    }
    let done = fs::write(state("images").join(image), b"");
    println!("[=======================================] 100% Unzipping...");
    ExitCode::from(u8::from(done.is_err()))
}

fn avdmanager(name: &str, image: &str, force: bool, card: Option<&str>) -> ExitCode {
    if names("avds").iter().any(|avd| avd == name) && !force {
        eprintln!("Error: Android Virtual Device '{name}' already exists.");
        eprintln!("Use --force if you want to replace it.");
        return ExitCode::FAILURE;
    }
    if !names("images").iter().any(|i| i == image) {
        eprintln!("Error: Package path is not valid. Valid system image paths are:");
        for image in names("images") {
            eprintln!("{image}");
        }
        return ExitCode::FAILURE;
    }
    console::dawdle("slow-create");
    println!("Do you wish to create a custom hardware profile? [no] ");
    let _ = answers();
    if let Some(size) = card {
        let _ = fs::write(state("cards").join(name), size);
    }
    ExitCode::from(u8::from(
        fs::write(state("avds").join(name), image).is_err(),
    ))
}

/// What an AVD's data partition holds: its files, which outlive the emulator unless it wipes them.
type Kept = BTreeMap<String, Vec<u8>>;

fn data_file(avd: &str) -> PathBuf {
    state("data").join(format!("{avd}.json"))
}

fn load_data(avd: &str, phone: &Phone) {
    let text = fs::read(data_file(avd)).unwrap_or_default();
    let kept: Kept = serde_json::from_slice(&text).unwrap_or_default();
    for (name, data) in kept {
        let (mode, time) = (0o100_644, 0);
        let _ = lock(&phone.files).write(&name, PhoneFile { mode, time, data });
    }
}

fn save_data(avd: &str, phone: &Phone) {
    let files = lock(&phone.files);
    let own = files.all().filter(|(name, _)| name.starts_with("/sdcard/"));
    let kept: Kept = own
        .map(|(name, file)| (name.clone(), file.data.clone()))
        .collect();
    let _ = fs::write(
        data_file(avd),
        serde_json::to_vec(&kept).unwrap_or_default(),
    );
}

fn emulator(avd: &str, port: u16, wipes: bool) -> ExitCode {
    println!("INFO    | Android emulator version 35.1.4.0 (build_id 11672324) (CL:N/A)");
    if !names("avds").iter().any(|a| a == avd) {
        println!("ERROR   | Unknown AVD name [{avd}], use -list-avds to see valid list.");
        return ExitCode::FAILURE;
    }
    let running = File::create(state("running").join(avd));
    let Ok(Ok(())) = running.as_ref().map(File::try_lock) else {
        println!("ERROR   | Running multiple emulators with the same AVD");
        println!(
            "ERROR   | is an experimental feature. Please use -read-only flag to enable this feature."
        );
        return ExitCode::FAILURE;
    };
    if fails("no-kvm") {
        println!(
            "ERROR   | x86_64 emulation currently requires hardware acceleration!\nCPU acceleration status: /dev/kvm is not found"
        );
        return ExitCode::FAILURE;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let boot = if fails("no-boot") {
        Duration::MAX
    } else {
        Duration::from_millis(number("RIG_BOOT_MS").unwrap_or(300))
    };
    let behind = match std::env::var("RIG_BEHIND")
        .ok()
        .as_deref()
        .and_then(|b| b.split_once(':'))
    {
        Some(("sim", model)) => Behind::Sim {
            model: model.to_owned(),
            seed: 7,
        },
        _ => Behind::Jvm {
            work: state("work").join(port.to_string()),
            seed: 7,
        },
    };
    let config = Config {
        api: number("RIG_API")
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(34),
        model: avd.to_owned(),
        asks_for_key: false,
        boot,
        delay: Duration::from_millis(number("RIG_DELAY_MS").unwrap_or(0)),
        behind,
    };
    let phone = Phone::new(config);
    phone
        .shell_delay_ms
        .store(number("RIG_SHELL_MS").unwrap_or(0), Ordering::Relaxed);
    let mut state = lock(&phone.state);
    state.exec_numbered = std::env::var_os("RIG_COVERAGE").is_some();
    state.listens = std::env::var_os("RIG_LISTENS").map(|_| Listens {
        location: true,
        // A step counter is none of the console's.
        sensors: vec![1, 19],
        telephony: true,
        ..Listens::default()
    });
    drop(state);
    if !wipes {
        load_data(avd, &phone);
    }
    let rig = match Rig::start(phone, port + 1) {
        Ok(rig) => rig,
        Err(why) => {
            println!("ERROR   | adb port {}: {why}", port + 1);
            return ExitCode::FAILURE;
        }
    };
    let console = match console::serve(port, &rig) {
        Ok(console) => console,
        Err(why) => {
            println!("ERROR   | console port {port}: {why}");
            return ExitCode::FAILURE;
        }
    };
    let server = number("ANDROID_ADB_SERVER_PORT")
        .and_then(|n| u16::try_from(n).ok())
        .unwrap_or(5037);
    while !rig.phone.is_off() && !console.is_ended() {
        // The real server looks at these ports by itself once a second.
        if !rig.is_connected() {
            droidtest_rig::server::try_announce(server, rig.port);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    save_data(avd, &rig.phone);
    println!(
        "INFO    | Wait for emulator (pid {}) 20 seconds to shutdown gracefully",
        std::process::id()
    );
    ExitCode::SUCCESS
}
