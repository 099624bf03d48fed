//! An SDK of stand-ins in a folder, and the tool run against it as a person runs it.

use crate::server::{ALONE, AdbServer, adb};
use droidtest::device::jvm::cache::{CACHE_VARIABLE, Cache};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An SDK in a separate folder, with an adb server of its own.
#[derive(Debug)]
pub struct Sdk {
    /// Where it lies; runs of the tool happen here.
    pub folder: PathBuf,
    /// The server.
    pub server: AdbServer,
    tool: PathBuf,
}

impl Sdk {
    /// Lays it out; `program` is the `rig-sdk` binary.
    ///
    /// # Panics
    /// The folder cannot be written.
    pub fn new(folder: &Path, program: &Path) -> Self {
        for name in [
            "emulator/emulator",
            "cmdline-tools/latest/bin/avdmanager",
            "cmdline-tools/latest/bin/sdkmanager",
            "tool/cargo-droidtest",
        ] {
            link(program, &folder.join(name));
        }
        link(&adb(), &folder.join("platform-tools/adb"));
        Self {
            folder: folder.to_owned(),
            server: AdbServer::start(),
            tool: folder.join("tool/cargo-droidtest"),
        }
    }

    /// The tool, in this SDK's world.
    ///
    /// # Panics
    /// There is no cache folder.
    pub fn tool(&self) -> Command {
        let mut command = Command::new(&self.tool);
        let cache = Cache::locate().expect("a cache folder");
        command
            .current_dir(&self.folder)
            .env("HOME", &self.folder)
            .env("ANDROID_HOME", &self.folder)
            .env("ANDROID_ADB_SERVER_PORT", self.server.port.to_string())
            .env(CACHE_VARIABLE, cache.root())
            .envs(ALONE)
            .env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    /// Runs a suite to its end.
    ///
    /// # Panics
    /// The tool cannot be started.
    pub fn run(&self, suite: &str, set: &[(&str, &str)]) -> Output {
        let file = self.folder.join("droidtest.toml");
        std::fs::write(&file, suite).expect("the suite is written");
        let mut command = self.tool();
        command
            .args(["run", "--suite"])
            .arg(&file)
            .envs(set.iter().copied());
        command.output().expect("the tool runs")
    }

    /// The last run's summary.
    ///
    /// # Panics
    /// There is none, or it is no JSON.
    pub fn summary(&self) -> serde_json::Value {
        let file = self.folder.join("target/droidtest/latest/summary.json");
        let text = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Processes that were started from this SDK and still run.
    pub fn left_behind(&self) -> Vec<String> {
        self.emulators().into_iter().map(|(_, line)| line).collect()
    }

    /// The same, each with its number.
    pub fn emulators(&self) -> Vec<(u32, String)> {
        self.processes("emulator")
    }

    /// Processes of programs below this folder of the SDK.
    fn processes(&self, below: &str) -> Vec<(u32, String)> {
        let ours = self.folder.join(below).display().to_string();
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter_map(|p| {
                let number = p.file_name().to_str()?.parse().ok()?;
                let line = std::fs::read(p.path().join("cmdline")).ok()?;
                Some((number, String::from_utf8_lossy(&line).replace('\0', " ")))
            })
            .filter(|(_, line)| line.starts_with(&ours))
            .collect()
    }
}

/// A test that fails in the middle of a run leaves the tool, and what it has started: these would continue, and start the
/// server again that ends next.
impl Drop for Sdk {
    fn drop(&mut self) {
        for (number, _) in ["tool", "emulator"].map(|n| self.processes(n)).concat() {
            let _ = Command::new("kill")
                .args(["-9", &number.to_string()])
                .status();
        }
    }
}

fn link(program: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("it is made");
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, to).expect("a link");
    #[cfg(not(unix))]
    std::fs::copy(program, to).expect("a copy");
}
