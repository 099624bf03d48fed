//! Where Android's programs are: the PATH, ANDROID_HOME, ANDROID_SDK_ROOT, and where installers put them.

use std::path::PathBuf;

/// Android's SDK folders that there are, the user's own choice first.
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
    program(&["cmdline-tools/latest/bin", "tools/bin"], "avdmanager")
}

/// `sdkmanager`.
pub fn sdkmanager() -> Option<PathBuf> {
    program(&["cmdline-tools/latest/bin", "tools/bin"], "sdkmanager")
}

/// A program of the build-tools, of the newest ones that the SDK has.
pub fn build_tool(name: &str) -> Option<PathBuf> {
    let mut versions: Vec<String> = roots()
        .iter()
        .filter_map(|root| std::fs::read_dir(root.join("build-tools")).ok())
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    // By their numbers: 9 is older than 34.
    versions.sort_by_key(|version| {
        let numbers = version
            .split(['.', '-'])
            .map(|n| n.parse::<u32>().unwrap_or(0));
        std::cmp::Reverse(numbers.collect::<Vec<_>>())
    });
    let folders: Vec<String> = versions
        .iter()
        .map(|v| format!("build-tools/{v}"))
        .collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    program(&folders, name)
}
