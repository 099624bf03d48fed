//! The Java development kit the device runs on.

use super::child;
use crate::device::DeviceError;
use crate::device::progress::Watch;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The oldest supported Java.
pub const OLDEST: u32 = 17;

/// A JDK that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// Its version in full.
    pub version: String,
    /// The first number of its version.
    pub major: u32,
}

impl Jdk {
    /// [`Self::at_least`] the oldest supported Java.
    pub fn locate() -> Result<Self, DeviceError> {
        Self::at_least(OLDEST)
    }

    /// `$JAVA_HOME`, else the `java` on the PATH, else, if that is older than `oldest`, the oldest suitable one installed next
    /// to it. It must have a compiler.
    pub fn at_least(oldest: u32) -> Result<Self, DeviceError> {
        let named = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
        let jdk = match named {
            Some(home) => Self::at(Path::new(&home)),
            None => which::which("java")
                .map_err(|_| {
                    setup("no Java found: JAVA_HOME is not set, and `java` is not on the PATH")
                })
                .and_then(|java| Self::of(&java)),
        }?;
        let jdk = match jdk.major < oldest {
            true => jdk.newer_beside(oldest)?,
            false => jdk,
        };
        if !jdk.javac().is_file() {
            return Err(setup(&format!(
                "{} has no compiler (javac): it is only a runtime",
                jdk.home.display()
            )));
        }
        Ok(jdk)
    }

    /// Distributions install every JDK into one folder.
    fn newer_beside(&self, oldest: u32) -> Result<Self, DeviceError> {
        let beside = self.home.parent().map(std::fs::read_dir);
        let mut found: Vec<_> = beside
            .and_then(Result::ok)
            .into_iter()
            .flatten()
            .filter_map(|entry| Self::at(&entry.ok()?.path()).ok())
            .filter(|jdk| jdk.major >= oldest && jdk.javac().is_file())
            .collect();
        found.sort_by(|a, b| (a.major, &a.home).cmp(&(b.major, &b.home)));
        found.into_iter().next().ok_or_else(|| {
            setup_for(
                oldest,
                &format!(
                    "Java {} in {} is too old",
                    self.version,
                    self.home.display()
                ),
            )
        })
    }

    fn of(java: &Path) -> Result<Self, DeviceError> {
        let real = java.canonicalize()?;
        let home = real.parent().and_then(Path::parent);
        if let Some(jdk) = home.and_then(|home| Self::at(home).ok()) {
            return Ok(jdk);
        }
        // A launcher script or stub (macOS): ask it.
        let mut command = Command::new(java);
        command.args(["-XshowSettings:properties", "-version"]);
        let ended = child::run(
            &mut command,
            Duration::from_secs(30),
            &Watch::silent(),
            |_| {},
        )?;
        ended
            .tail
            .iter()
            .find_map(|line| line.trim().strip_prefix("java.home = "))
            .ok_or_else(|| setup("`java` does not print its installation folder"))
            .and_then(|home| Self::at(Path::new(home.trim())))
    }

    /// The JDK in this folder, by its `release` file.
    fn at(home: &Path) -> Result<Self, DeviceError> {
        let no = |what: &str| setup(&format!("{}: {what}", home.display()));
        let release = std::fs::read_to_string(home.join("release"))
            .map_err(|e| no(&format!("not a JDK ({e})")))?;
        let version = version_in(&release).ok_or_else(|| no("its version is unknown"))?;
        let major = major_of(&version).ok_or_else(|| no("its version cannot be read"))?;
        Ok(Self {
            home: home.canonicalize()?,
            version,
            major,
        })
    }

    /// The launcher.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin").join(program("java"))
    }

    /// The compiler.
    pub fn javac(&self) -> PathBuf {
        self.home.join("bin").join(program("javac"))
    }
}

fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

fn setup(what: &str) -> DeviceError {
    setup_for(OLDEST, what)
}

fn setup_for(oldest: u32, what: &str) -> DeviceError {
    DeviceError::Setup(format!(
        "{what}; install a JDK {oldest} or later (Debian: apt install openjdk-{oldest}-jdk-headless) or set JAVA_HOME"
    ))
}

fn version_in(release: &str) -> Option<String> {
    release.lines().find_map(|line| {
        line.strip_prefix("JAVA_VERSION=")
            .map(|value| value.trim().trim_matches('"').to_owned())
    })
}

/// `17.0.15` is 17, `1.8.0_402` is 8.
fn major_of(version: &str) -> Option<u32> {
    let mut numbers = version.split(['.', '_', '-', '+']);
    match numbers.next()?.parse() {
        Ok(1) => numbers.next()?.parse().ok(),
        other => other.ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_in_both_spellings() {
        let release = "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.15\"\n";
        assert_eq!(version_in(release).as_deref(), Some("17.0.15"));
        assert_eq!(major_of("17.0.15"), Some(17));
        assert_eq!(major_of("21"), Some(21));
        assert_eq!(major_of("1.8.0_402"), Some(8));
        assert_eq!(major_of("x"), None);
    }

    #[test]
    fn a_folder_that_is_no_jdk_is_named_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let error = Jdk::at(folder.path()).unwrap_err().to_string();
        assert!(error.contains("not a JDK") && error.contains("JAVA_HOME"));
    }
}
