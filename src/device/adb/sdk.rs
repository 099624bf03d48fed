//! Where Android's programs are: the PATH, ANDROID_HOME, ANDROID_SDK_ROOT, and where installers put them.

use crate::device::DeviceError;
use std::path::PathBuf;

/// Android's SDK folders that there are, the user's choice first.
pub fn roots() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
        .iter()
        .filter_map(std::env::var_os)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
        .collect();
    let home = std::env::home_dir().unwrap_or_default();
    all.extend(
        [
            "Android/Sdk",
            "Library/Android/sdk",
            "AppData/Local/Android/Sdk",
            "android-sdk",
        ]
        .map(|below| home.join(below)),
    );
    all.extend(
        [
            "/usr/lib/android-sdk",
            "/opt/android-sdk",
            "/usr/local/lib/android/sdk",
            "/usr/local/share/android-sdk",
        ]
        .map(PathBuf::from),
    );
    all.retain(|root| root.is_dir());
    all.dedup();
    all
}

/// A program of the SDK, by its folder there. The SDK that the user names goes before the PATH: its programs fit
/// one another.
pub fn program(folders: &[&str], name: &str) -> Option<PathBuf> {
    let file = |root: &PathBuf, folder: &&str| {
        let plain = root.join(folder).join(name);
        let endings = if cfg!(windows) {
            vec![".exe", ".bat"]
        } else {
            vec![""]
        };
        endings
            .into_iter()
            .map(|e| PathBuf::from(format!("{}{e}", plain.display())))
            .find(|p| p.is_file())
    };
    let in_sdk = || {
        roots()
            .iter()
            .flat_map(|root| {
                folders
                    .iter()
                    .filter_map(|f| file(root, f))
                    .collect::<Vec<_>>()
            })
            .next()
    };
    let named = ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
        .iter()
        .any(|v| std::env::var_os(v).is_some_and(|v| !v.is_empty()));
    if named {
        in_sdk().or_else(|| which::which(name).ok())
    } else {
        which::which(name).ok().or_else(in_sdk)
    }
}

/// `adb`.
pub fn adb() -> Option<PathBuf> {
    program(&["platform-tools"], "adb")
}

/// `emulator`.
pub fn emulator() -> Option<PathBuf> {
    program(&["emulator"], "emulator")
}

/// `avdmanager`.
pub fn avdmanager() -> Option<PathBuf> {
    command_line_tool("avdmanager")
}

/// `sdkmanager`.
pub fn sdkmanager() -> Option<PathBuf> {
    command_line_tool("sdkmanager")
}

/// A program of the command-line tools: `latest` where there is one, else the newest, else the SDK's first ones.
fn command_line_tool(name: &str) -> Option<PathBuf> {
    let mut folders = versions("cmdline-tools");
    folders
        .iter_mut()
        .for_each(|folder| folder.push_str("/bin"));
    folders.push("tools/bin".to_owned());
    in_one_of(&folders, name)
}

/// `aapt2`.
///
/// # Errors
/// It is missing; the text says which command installs it.
pub fn aapt2() -> Result<PathBuf, DeviceError> {
    build_tool("aapt2").ok_or_else(|| {
        DeviceError::Setup(
            "no aapt2 found, neither on the PATH nor in an Android SDK's build-tools; install it (Debian: \
             apt install aapt; with an SDK: sdkmanager \"build-tools;34.0.0\", and set ANDROID_HOME)"
                .to_owned(),
        )
    })
}

/// A program of the build-tools, of the newest ones that the SDK has.
pub fn build_tool(name: &str) -> Option<PathBuf> {
    in_one_of(&versions("build-tools"), name)
}

fn in_one_of(folders: &[String], name: &str) -> Option<PathBuf> {
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    program(&folders, name)
}

/// The folders of a part of the SDK that is there in several versions, the newest first.
fn versions(part: &str) -> Vec<String> {
    let mut names: Vec<String> = roots()
        .iter()
        .filter_map(|root| std::fs::read_dir(root.join(part)).ok())
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    newest_first(&mut names);
    names.iter().map(|name| format!("{part}/{name}")).collect()
}

/// By their numbers, since 9 is older than 34; `latest` before all.
fn newest_first(names: &mut [String]) {
    names.sort_by_key(|name| {
        let numbers = name
            .split(['.', '-'])
            .map(|n| n.parse::<u32>().unwrap_or(0));
        std::cmp::Reverse((name == "latest", numbers.collect::<Vec<_>>()))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_go_by_their_numbers_and_latest_before_all() {
        let mut names = ["9.0", "16.0", "latest", "latest-2", "11.0"].map(str::to_owned);
        newest_first(&mut names);
        assert_eq!(names, ["latest", "16.0", "11.0", "9.0", "latest-2"]);
    }
}
