//! What building apps takes besides the JDK: programs run to their end, and the debug key.

use super::DeviceError;
use super::jvm::cache::Cache;
use super::jvm::jdk::Jdk;
use super::progress::Watch;
use crate::util::process;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A slow machine under load takes this long for the largest app.
const LIMIT: Duration = Duration::from_secs(1800);
/// The password of the keystore and of the key, which proves nothing.
pub const PASSWORD: &str = "android";
/// The key's name in the keystore.
pub const ALIAS: &str = "androiddebugkey";

/// Runs a program to its end.
///
/// # Errors
/// It fails: `what` and its output.
pub fn run(command: &mut Command, what: &str) -> Result<(), DeviceError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = process::run(command, LIMIT)
        .map_err(|e| DeviceError::Setup(format!("{what}: {name}: {e}")))?;
    if done.status.success() {
        return Ok(());
    }
    let words =
        String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
    Err(DeviceError::Setup(format!("{what}: {}", words.trim())))
}

/// The keystore with the debug key: one a machine, so that an app built again can replace the one installed.
///
/// # Errors
/// The JDK's keytool fails, or the cache cannot be written.
pub fn debug_keystore(cache: &Cache, jdk: &Jdk) -> Result<PathBuf, DeviceError> {
    let folder = cache.ensure("debug-key/1", &Watch::silent(), |to| {
        let keytool = jdk
            .java()
            .with_file_name(format!("keytool{}", std::env::consts::EXE_SUFFIX));
        let mut command = Command::new(keytool);
        command
            .args(["-genkeypair", "-alias", ALIAS, "-keyalg", "RSA"])
            .args(["-keysize", "2048", "-validity", "10000"])
            .args(["-dname", "CN=Android Debug, O=Android, C=US"])
            .args(["-storepass", PASSWORD, "-keypass", PASSWORD, "-keystore"])
            .arg(to.join("debug.keystore"));
        run(&mut command, "keytool failed to create a key")
    })?;
    Ok(folder.join("debug.keystore"))
}
