//! The parts of the jvm device: jars fetched by Maven, an Android framework, our agent compiled.
//!
//! Each is a separate cache entry, so a change of the agent only compiles for seconds, and a second Android version
//! downloads one jar. Everything works offline afterwards.

use super::cache::Cache;
use super::checked::{self, Entry};
use super::jdk::{self, Jdk};
use super::maven;
use super::prepare::{compile, direct, list_platform, schedule, unpack_aars};
use super::{native, pins, sources};
use crate::device::DeviceError;
use crate::device::progress::Watch;
use crate::util::sha256;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The Android version the agent is compiled against, and the default one to run.
pub const DEFAULT_SDK: u32 = 34;
/// The supported Android versions: the agent replaces the activity manager, whose calls differ between versions.
pub const SDKS: std::ops::RangeInclusive<u32> = 34..=36;
/// Version of the changes to the libraries after fetching.
const LAYOUT: u32 = 2;
/// Folder of the classes of libraries that are changed, beside the framework's jar.
pub(super) const CHANGED: &str = "changed";

/// The Java agent's jar.
pub(super) const SCHEDULER: &str = "scheduler.jar";

/// The list of the platform's classes in its entry.
pub(super) const INDEX: &str = "classes.index";

/// Everything the Java process needs, complete.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The Android version.
    pub sdk: u32,
    /// The JDK.
    pub jdk: Jdk,
    /// Folder of the libraries.
    pub libraries: PathBuf,
    /// Folder of the libraries of the web view engine, which are not on the class path.
    pub web: PathBuf,
    /// Folder of the Android framework's jar, with direct calls where no shadow can exist.
    pub framework: PathBuf,
    /// The framework's jar.
    pub framework_jar: PathBuf,
    /// Folder of the agent's classes.
    pub agent: PathBuf,
    /// The jar that schedules this JDK's threads on the device's scheduler.
    pub scheduler: PathBuf,
    /// The list of the platform's classes that an app can see: what the translator knows of them.
    pub platform_index: PathBuf,
    /// Folder of the agent and of changed library classes as jars.
    pub jars: Option<PathBuf>,
    /// The class data recording of a start ([`recording`](super::recording)).
    pub recording: Option<PathBuf>,
}

impl Parts {
    /// Finds or creates the parts for one Android version.
    pub fn ensure(
        cache: &Cache,
        sdk: u32,
        offline: bool,
        watch: &Watch,
    ) -> Result<Self, DeviceError> {
        let jdk = Jdk::at_least(java_for(sdk))?;
        let fetch = Fetch {
            cache,
            jdk: &jdk,
            offline,
            watch,
        };
        let libraries = fetch.libraries()?;
        let web = fetch.web()?;
        let instrumented = fetch.framework(sdk)?;
        checked::check(cache, &used(cache, sdk, &jdk))?;
        let agent = match cache.find(&agent_entry()) {
            Some(found) => found,
            None => {
                let android = fetch.framework(DEFAULT_SDK)?;
                checked::check(cache, &[Entry::Fetched(framework_entry(DEFAULT_SDK))])?;
                cache.ensure(&agent_entry(), watch, |to| {
                    let beside = [libraries.as_path(), web.as_path()];
                    compile(&jdk, &beside, &android, to, watch)
                })?
            }
        };
        let framework = cache.ensure(&direct_entry(sdk), watch, |to| {
            checked::check(cache, &[Entry::Fetched(framework_entry(sdk))])?;
            direct(&jdk, &libraries, &instrumented, &agent, to, watch)
        })?;
        let scheduler = cache.ensure(&scheduler_entry(&jdk), watch, |to| {
            schedule(&jdk, &libraries, &agent, to, watch)
        })?;
        let framework_jar = framework.join(jar_name(sdk));
        let path = class_path(&agent, &framework, &libraries, &framework_jar)?;
        let platform = cache.ensure(&platform_entry(sdk, &jdk), watch, |to| {
            list_platform(&jdk, &path, to, watch)
        })?;
        Ok(Self {
            sdk,
            scheduler: scheduler.join(SCHEDULER),
            platform_index: platform.join(INDEX),
            framework_jar,
            jdk,
            libraries,
            web,
            framework,
            agent,
            jars: None,
            recording: None,
        })
    }

    /// The parts for one Android version if all exist. Creates nothing.
    pub fn found(cache: &Cache, sdk: u32, watch: &Watch) -> Option<Self> {
        let jdk = Jdk::at_least(java_for(sdk)).ok()?;
        let mut names = entries(sdk);
        names.extend([scheduler_entry(&jdk), platform_entry(sdk, &jdk)]);
        if names.iter().any(|name| cache.find(name).is_none()) {
            return None;
        }
        Self::ensure(cache, sdk, true, watch).ok()
    }

    /// The class path: agent, changed library classes, libraries, and the framework last (annotations mention its
    /// types).
    pub fn class_path(&self) -> Result<OsString, DeviceError> {
        class_path(
            &self.agent,
            &self.framework,
            &self.libraries,
            &self.framework_jar,
        )
    }
}

fn class_path(
    agent: &Path,
    framework: &Path,
    libraries: &Path,
    framework_jar: &Path,
) -> Result<OsString, DeviceError> {
    let mut all = vec![agent.to_owned(), framework.join(CHANGED)];
    all.extend(jars_in(libraries)?);
    all.push(framework_jar.to_owned());
    join(all)
}

/// Fetches and compiles ahead of time what these Android versions need; recreates damaged entries.
pub fn setup(
    cache: &Cache,
    sdks: &[u32],
    offline: bool,
    watch: &Watch,
) -> Result<Vec<Parts>, DeviceError> {
    for &sdk in sdks {
        let mut all: Vec<_> = fetched(sdk).into_iter().map(Entry::Fetched).collect();
        all.extend([agent_entry(), direct_entry(sdk)].map(Entry::Made));
        if let Ok(jdk) = Jdk::at_least(java_for(sdk)) {
            let made = [scheduler_entry(&jdk), platform_entry(sdk, &jdk)];
            all.extend(made.map(Entry::Made));
        }
        discard_changed(cache, &all, watch)?;
    }
    sdks.iter()
        .map(|&sdk| Parts::ensure(cache, sdk, offline, watch)?.recorded_again(cache, watch))
        .collect()
}

/// Removes changed entries, so that they are recreated.
pub(super) fn discard_changed(
    cache: &Cache,
    entries: &[Entry],
    watch: &Watch,
) -> Result<(), DeviceError> {
    for entry in entries.iter().filter(|e| cache.find(e.name()).is_some()) {
        watch.report("checking", entry.name(), 0, 0);
        if checked::wrong(cache, entry).is_some() {
            cache.discard(entry.name(), watch)?;
        }
    }
    Ok(())
}

/// The existing entries that every start reads. The prepared framework is too large to compare each time.
fn used(cache: &Cache, sdk: u32, jdk: &Jdk) -> Vec<Entry> {
    let mut all = vec![
        Entry::Fetched(libraries_entry()),
        Entry::Fetched(web_entry()),
        Entry::Made(agent_entry()),
        Entry::Made(scheduler_entry(jdk)),
        Entry::Made(platform_entry(sdk, jdk)),
    ];
    all.retain(|entry| cache.find(entry.name()).is_some());
    all
}

/// The entries a machine needs for one Android version, for `doctor`.
pub fn entries(sdk: u32) -> Vec<String> {
    let mut all = fetched(sdk);
    all.extend([agent_entry(), direct_entry(sdk)]);
    all
}

/// The downloaded ones; the others are made from them.
pub fn fetched(sdk: u32) -> Vec<String> {
    let mut all = vec![libraries_entry(), web_entry(), framework_entry(DEFAULT_SDK)];
    if sdk != DEFAULT_SDK {
        all.push(framework_entry(sdk));
    }
    all
}

fn libraries_entry() -> String {
    format!("libraries/{}-{LAYOUT}", sources::pom_key())
}

fn web_entry() -> String {
    format!("web/{}", sources::web_pom_key())
}

fn agent_entry() -> String {
    let (java, pom, web) = (
        sources::java_key(),
        sources::pom_key(),
        sources::web_pom_key(),
    );
    format!("agent/{java}-{pom}-{web}")
}

fn framework_entry(sdk: u32) -> String {
    format!("frameworks/{}", framework_version(sdk))
}

fn direct_entry(sdk: u32) -> String {
    let key = sources::framework_key(&libraries_entry());
    format!("{}-{key}", framework_entry(sdk))
}

/// A recording of a JDK's classes fits only that JDK.
fn scheduler_entry(jdk: &Jdk) -> String {
    format!("schedulers/{}-{}", jdk_key(jdk), sources::scheduler_key())
}

/// The list holds classes of all parts that are on the class path, and of the JDK.
fn platform_entry(sdk: u32, jdk: &Jdk) -> String {
    let agent = sources::platform_key();
    let parts = [agent, libraries_entry(), direct_entry(sdk)].join(" ");
    let parts = sources::short(&sha256::of_bytes(parts.as_bytes()));
    format!("platforms/{sdk}-{}-{parts}", jdk_key(jdk))
}

fn jdk_key(jdk: &Jdk) -> String {
    let home = sha256::of_bytes(jdk.home.as_os_str().as_encoded_bytes());
    format!("{}-{}", jdk.version, &home[..8])
}

/// The framework's jar, by the name that Robolectric looks for.
pub(super) fn jar_name(sdk: u32) -> String {
    format!("android-all-instrumented-{}.jar", framework_version(sdk))
}

/// Robolectric's name for an Android version (its `DefaultSdkProvider`, 4.16.1).
fn framework_version(sdk: u32) -> String {
    let build = match sdk {
        35 => "15-robolectric-13954326",
        36 => "16-robolectric-13921718",
        _ => "14-robolectric-10818077",
    };
    format!("{build}-i7")
}

/// The oldest Java that a framework runs on (the same source).
fn java_for(sdk: u32) -> u32 {
    if sdk >= 36 { 21 } else { jdk::OLDEST }
}

struct Fetch<'a> {
    cache: &'a Cache,
    jdk: &'a Jdk,
    offline: bool,
    watch: &'a Watch,
}

impl Fetch<'_> {
    fn libraries(&self) -> Result<PathBuf, DeviceError> {
        self.entry(&libraries_entry(), |to| {
            maven::fetch_libraries(sources::pom(), "libraries", to, &self.jdk.home, self.watch)?;
            pins::check(to)?;
            unpack_aars(to)?;
            Ok(native::lay_out(to)?)
        })
    }

    fn web(&self) -> Result<PathBuf, DeviceError> {
        self.entry(&web_entry(), |to| {
            let (pom, what) = (sources::web_pom(), "the web engine");
            maven::fetch_libraries(pom, what, to, &self.jdk.home, self.watch)?;
            pins::check(to)
        })
    }

    fn framework(&self, sdk: u32) -> Result<PathBuf, DeviceError> {
        if !SDKS.contains(&sdk) {
            return Err(DeviceError::Setup(format!(
                "Android API level {sdk} is not supported; set `api` to a level from {} to {}",
                SDKS.start(),
                SDKS.end()
            )));
        }
        let version = framework_version(sdk);
        let artifact = format!("org.robolectric:android-all-instrumented:{version}");
        let folder = self.entry(&framework_entry(sdk), |to| {
            maven::fetch_artifact(&artifact, to, &self.jdk.home, self.watch)?;
            pins::check(to)
        })?;
        Ok(folder.join(jar_name(sdk)))
    }

    fn entry(
        &self,
        name: &str,
        fetch: impl FnOnce(&Path) -> Result<(), DeviceError>,
    ) -> Result<PathBuf, DeviceError> {
        self.cache.ensure(name, self.watch, |to| {
            if self.offline {
                return Err(maven::not_fetched(name, self.cache));
            }
            fetch(to)
        })
    }
}

/// The jars of a folder, in order.
pub(super) fn jars_in(folder: &Path) -> Result<Vec<PathBuf>, DeviceError> {
    let mut jars = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "jar") {
            jars.push(path);
        }
    }
    jars.sort_unstable();
    Ok(jars)
}

/// A class path.
pub(super) fn join(paths: Vec<PathBuf>) -> Result<OsString, DeviceError> {
    std::env::join_paths(paths).map_err(|e| {
        DeviceError::Setup(format!(
            "the cache folder's name cannot be part of a class path: {e}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::maven::SETUP_COMMAND;
    use super::*;

    #[test]
    fn without_parts_offline_names_the_command_that_fetches() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let Err(DeviceError::Setup(text)) = Parts::ensure(&cache, 34, true, &Watch::silent())
        else {
            panic!("parts out of nowhere");
        };
        // A machine without a JDK says that first.
        assert!(
            text.contains(SETUP_COMMAND) || text.contains("JAVA_HOME"),
            "{text}"
        );
    }

    #[test]
    fn every_version_on_offer_has_a_framework_of_its_own() {
        let mut all: Vec<_> = SDKS.map(framework_version).collect();
        all.dedup();
        assert_eq!(all.len(), SDKS.count());
        assert_eq!(entries(DEFAULT_SDK).len(), 5);
    }
}
