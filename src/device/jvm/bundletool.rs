//! An app bundle (`.aab`) made into one universal APK by Google's bundletool, which Maven fetches, and the aapt2 of the
//! user's Android SDK or distribution. Both read the bundle in a sandbox, as all tools that read an app do.

use super::cache::Cache;
use super::checked::{self, Entry};
use super::confine::Rules;
use super::jdk::Jdk;
use super::limits::Limits;
use super::maven;
use super::{child, pins, process, sandbox, sources};
use crate::device::DeviceError;
use crate::device::adb::sdk;
use crate::device::build_tools::{ALIAS, PASSWORD, debug_keystore};
use crate::device::progress::Watch;
use crate::util::sha256;
use crate::util::untrusted::{Folder, remove_folder};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The project file that names bundletool's version; its jars are pinned by hash.
const POM: &[u8] = include_bytes!("bundletool.xml");
/// The largest apps take a minute.
const LIMIT: Duration = Duration::from_secs(900);
const HEAP_MB: u32 = 1500;
/// The largest APK that is taken, in bytes.
const LARGEST: u64 = 2 << 30;
/// Raised when the way an APK is made changes.
const LAYOUT: u32 = 1;

/// The folder of bundletool's jars (19 MB), fetched once.
///
/// # Errors
/// No JDK, no Maven, no network for the first time, or other jars than this version was built with.
pub fn fetched(offline: bool, watch: &Watch) -> Result<PathBuf, DeviceError> {
    let cache = Cache::locate()?;
    let jdk = Jdk::locate()?;
    let name = format!("bundletool/{}", sources::short(&sha256::of_bytes(POM)));
    let folder = cache.ensure(&name, watch, |to| {
        if offline {
            return Err(maven::not_fetched("bundletool", &cache));
        }
        maven::fetch_libraries(POM, "bundletool", to, &jdk.home, watch)?;
        pins::check(to)
    })?;
    checked::check(&cache, &[Entry::Fetched(name)])?;
    Ok(folder)
}

/// The universal APK of a bundle, for all devices and signed with the debug key; made once for the same content.
///
/// # Errors
/// aapt2 is missing, bundletool rejects the bundle, or those of [`fetched`].
pub fn universal(bundle: &Path, offline: bool, watch: &Watch) -> Result<PathBuf, DeviceError> {
    let cache = Cache::locate()?;
    let content = sha256::of_file(bundle)
        .map_err(|e| DeviceError::Setup(format!("{}: {e}", bundle.display())))?;
    let made_by = sources::short(&sha256::of_bytes(POM));
    let entry = format!("bundles/{}-{made_by}-{LAYOUT}", sources::short(&content));
    let folder = cache.ensure(&entry, watch, |to| {
        let libraries = fetched(offline, watch)?;
        build(&cache, &libraries, bundle, to, watch)
    })?;
    Ok(folder.join("universal.apk"))
}

fn build(
    cache: &Cache,
    libraries: &Path,
    bundle: &Path,
    to: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    let jdk = Jdk::locate()?;
    let aapt2 = sdk::aapt2()?.canonicalize()?;
    let keys = debug_keystore(cache, &jdk)?;
    let bundle = bundle.canonicalize()?;
    let detail = bundle.file_name().unwrap_or_default().to_string_lossy();
    watch.report("converting", &detail, 0, 0);
    let (scratch, out) = (to.join("tmp"), to.join("out"));
    fs::create_dir(&scratch)?;
    let java = jdk.java();
    let mut rules = Rules::for_program(&java, &jdk.home);
    rules
        .read
        .extend([libraries.to_owned(), keys.clone(), bundle.clone()]);
    // An SDK's program has its libraries beside it.
    rules.read.extend(aapt2.parent().map(Path::to_owned));
    rules.execute.push(aapt2.clone());
    // The JVM starts other programs through this one.
    rules.execute.push(jdk.home.join("lib/jspawnhelper"));
    rules.write.push(to.to_owned());
    rules.processes = true;
    rules.heap_mb = Some(HEAP_MB);
    let mut command = sandbox::command(&java, &rules, sandbox::strongest())?;
    command
        .arg(format!("-Xmx{HEAP_MB}m"))
        .args(["-XX:+UseSerialGC", "-XX:-UsePerfData"])
        .arg(format!("-Djava.io.tmpdir={}", scratch.display()))
        .arg("-cp")
        .arg(libraries.join("*"))
        .arg("com.android.tools.build.bundletool.BundleToolMain")
        .args([
            "build-apks",
            "--mode=universal",
            "--output-format=DIRECTORY",
        ])
        .arg(format!("--bundle={}", bundle.display()))
        .arg(format!("--output={}", out.display()))
        .arg(format!("--aapt2={}", aapt2.display()))
        .arg(format!("--ks={}", keys.display()))
        .arg(format!("--ks-key-alias={ALIAS}"))
        .args([
            format!("--ks-pass=pass:{PASSWORD}"),
            format!("--key-pass=pass:{PASSWORD}"),
        ])
        .current_dir(to);
    process::strip_environment(&mut command, &scratch);
    let limits = Some(Limits::of_tool("bundletool", to.to_owned()));
    let mut refusal = None;
    let ended = child::run_within(&mut command, LIMIT, limits, watch, |line| {
        if let Some((_, reason)) = line.split_once("] Error: ") {
            refusal = Some(crate::util::text::for_terminal(reason).into_owned());
        }
    })?;
    if !ended.status.success() {
        let reason = refusal.unwrap_or_else(|| ended.reason());
        return Err(DeviceError::Setup(format!(
            "{}: bundletool cannot make an APK of this bundle: {reason}; build it again (`./gradlew bundleDebug`), or name an APK",
            bundle.display()
        )));
    }
    // What read the bundle may have left anything under this name.
    let made = Folder::open(to)?;
    made.copy(
        Path::new("out/universal.apk"),
        &to.join("universal.apk"),
        LARGEST,
    )?;
    remove_folder(&out)?;
    remove_folder(&scratch)?;
    Ok(())
}
