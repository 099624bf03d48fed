//! Downloads with Maven's client, which knows the user's proxies, mirrors and credentials.

use super::cache::{CACHE_VARIABLE, Cache};
use super::child;
use crate::device::DeviceError;
use crate::device::progress::Watch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A fixed version of the plugin, so that its options have the same meaning everywhere.
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";
/// Time limit, enough for 350 MB over a slow connection.
const LIMIT: Duration = Duration::from_secs(2 * 3600);

/// The command that downloads everything ahead of time.
pub const SETUP_COMMAND: &str = "cargo droidtest setup";

/// The error where something is missing in the cache and must not be downloaded.
pub fn not_fetched(what: &str, cache: &Cache) -> DeviceError {
    DeviceError::Setup(format!(
        "cannot download with --offline: {what} is not in the cache {}; fetch it once with the network: `{SETUP_COMMAND}`",
        cache.root().display()
    ))
}

/// Maven's launcher.
pub fn locate() -> Result<PathBuf, DeviceError> {
    which::which("mvn").map_err(|_| {
        DeviceError::Setup(
            "no Maven found (`mvn` on the PATH): it fetches the parts of the jvm device; \
             install it (Debian: apt install maven)"
                .to_owned(),
        )
    })
}

/// Fetches the libraries that a project file names into `to`.
pub fn fetch_libraries(
    pom: &[u8],
    what: &str,
    to: &Path,
    java: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    let scratch = tempfile::tempdir()?;
    fs::write(scratch.path().join("pom.xml"), pom)?;
    let mut command = maven(java, scratch.path())?;
    command
        .arg("-f")
        .arg("pom.xml")
        .arg(format!("{PLUGIN}:copy-dependencies"))
        .arg("-DincludeScope=runtime")
        .arg(format!("-DoutputDirectory={}", to.display()));
    run(&mut command, what, watch)
}

/// Fetches one artifact (`group:name:version`) into `to`.
pub fn fetch_artifact(
    artifact: &str,
    to: &Path,
    java: &Path,
    watch: &Watch,
) -> Result<(), DeviceError> {
    let scratch = tempfile::tempdir()?;
    let mut command = maven(java, scratch.path())?;
    command
        .arg(format!("{PLUGIN}:copy"))
        .arg(format!("-Dartifact={artifact}"))
        .arg(format!("-DoutputDirectory={}", to.display()));
    run(&mut command, artifact, watch)
}

fn maven(java_home: &Path, folder: &Path) -> Result<Command, DeviceError> {
    let mut command = Command::new(locate()?);
    // -B: no questions, no control characters; -C: a checksum that does not match is an error.
    command
        .args(["-B", "-C", "-Dstyle.color=never"])
        .env("JAVA_HOME", java_home)
        .current_dir(folder);
    Ok(command)
}

fn run(command: &mut Command, what: &str, watch: &Watch) -> Result<(), DeviceError> {
    watch.report("fetching", what, 0, 0);
    let mut fetched = 0;
    let mut errors: Vec<String> = Vec::new();
    let ended = child::run(command, LIMIT, watch, |line| {
        if let Some(rest) = line.strip_prefix("[INFO] Downloaded from") {
            fetched += 1;
            watch.report("fetching", file_of(rest), fetched, 0);
        } else if let Some(error) = line.strip_prefix("[ERROR] ") {
            errors.push(error.to_owned());
        }
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let reason = errors
        .into_iter()
        .find(|e| !e.trim().is_empty())
        .unwrap_or_else(|| ended.text());
    Err(DeviceError::Setup(format!(
        "Maven could not fetch {what}: {reason}\nOnce there is a network connection, run: `{SETUP_COMMAND}` \
         (or copy another machine's cache folder and set {CACHE_VARIABLE} to it)"
    )))
}

/// The file name in one of Maven's lines: `central: https://host/path/a.jar (12 kB at 1 MB/s)`.
fn file_of(line: &str) -> &str {
    let address = line
        .split_whitespace()
        .find(|word| word.contains("://"))
        .unwrap_or(line);
    address.rsplit('/').next().unwrap_or(address)
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_file_name_of_an_address_is_shown() {
        let line = " central: https://example.org/maven2/a/b-1.jar (12 kB at 1.0 MB/s)";
        assert_eq!(super::file_of(line), "b-1.jar");
    }
}
