//! `cargo xtask rig`: `example-configs/avd.toml` end to end on stand-ins for Android's programs and a device that the
//! stock adb takes for one. Its results lie where every run's do.

use crate::{Result, sh};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the suite; `--sim` puts a model behind the emulators instead of the APK itself;
/// `--bench` measures what the way through adb costs.
pub fn run(args: &[String]) -> Result {
    crate::tests::adb()?;
    if let Some(at) = args.iter().position(|a| a == "--bench") {
        let mut bench = sh::cargo();
        bench.args([
            "bench",
            "--package",
            "droidtest-rig",
            "--bench",
            "adb",
            "--",
        ]);
        return sh::show(bench.args(&args[at + 1..]));
    }
    let tool = sh::build_tool()?;
    sh::show(sh::cargo().args(["build", "--quiet", "--package", "droidtest-rig", "--bins"]))?;
    let program = sh::target().join("debug/rig-sdk");
    let folder = tempfile_folder()?;
    for name in [
        "emulator/emulator",
        "cmdline-tools/latest/bin/avdmanager",
        "cmdline-tools/latest/bin/sdkmanager",
    ] {
        link(&program, &folder.join(name))?;
    }
    let port = free_port()?;
    let mut command = Command::new(&tool);
    command
        .args(["run", "--suite", "example-configs/avd.toml"])
        .current_dir(sh::root())
        .env("ANDROID_HOME", &folder)
        .env("ANDROID_ADB_SERVER_PORT", port.to_string());
    if args.iter().any(|a| a == "--sim") {
        command.env("RIG_BEHIND", "sim:notes");
    }
    let ended = command
        .status()
        .map_err(|e| format!("the tool does not start: {e}"));
    // The server is the run's own.
    let _ = Command::new("adb")
        .args(["-P", &port.to_string(), "kill-server"])
        .status();
    let _ = fs::remove_dir_all(&folder);
    match ended?.code() {
        // Findings are what an exploration is for.
        Some(0 | 100) => Ok(()),
        code => Err(format!("the run ended with {code:?}")),
    }
}

fn tempfile_folder() -> Result<std::path::PathBuf> {
    let folder = sh::target().join(format!("rig-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).map_err(|e| e.to_string())?;
    listener
        .local_addr()
        .map(|a| a.port())
        .map_err(|e| e.to_string())
}

fn link(program: &Path, to: &Path) -> Result {
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    #[cfg(unix)]
    let done = std::os::unix::fs::symlink(program, to);
    #[cfg(not(unix))]
    let done = fs::copy(program, to).map(|_| ());
    done.map_err(|e| format!("{}: {e}", to.display()))
}
