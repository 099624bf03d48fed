//! An APK from a project: aapt2, javac, R8's d8, and a debug key.
//!
//! JDK, dexer and the framework to compile against are those of the agent for devices; aapt2 and apksigner are the
//! user's (Android's build-tools, or the distribution's).

use super::Project;
use crate::device::DeviceError;
use crate::device::adb::agent_jar::{self, FRAMEWORK, R8};
use crate::device::adb::sdk;
use crate::device::build_tools::{ALIAS, PASSWORD, debug_keystore, run};
use crate::device::jvm::cache::Cache;
use crate::device::jvm::jdk::Jdk;
use crate::device::progress::Watch;
use crate::util::sha256::files_below;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The oldest Android that the app runs on, and the one it is made for.
const API: (&str, &str) = ("21", "34");
/// What is used.
#[derive(Debug)]
pub struct Tools {
    cache: Cache,
    jdk: Jdk,
    aapt2: PathBuf,
    /// Without it the APK stays unsigned: the jvm device takes it, Android does not.
    pub apksigner: Option<PathBuf>,
    android: PathBuf,
    r8: PathBuf,
}

impl Tools {
    /// Finds them, and fetches the jars the first time.
    ///
    /// # Errors
    /// Something is missing; the text says which command installs it.
    pub fn locate(offline: bool, watch: &Watch) -> Result<Self, DeviceError> {
        let cache = Cache::locate()?;
        let jdk = Jdk::locate()?;
        let aapt2 = sdk::aapt2()?;
        let fetch = |artifact| agent_jar::fetched(&cache, artifact, &jdk, offline, watch);
        let (android, r8) = (fetch(FRAMEWORK)?, fetch(R8)?);
        Ok(Self {
            jdk,
            aapt2,
            apksigner: sdk::build_tool("apksigner"),
            android,
            r8,
            cache,
        })
    }

    /// Makes the APK.
    ///
    /// # Errors
    /// A tool fails (its output is in the error), or the file cannot be written.
    pub fn build(&self, project: &Project, to: &Path, watch: &Watch) -> Result<(), DeviceError> {
        let scratch = tempfile::tempdir()?;
        let at = |name: &str| scratch.path().join(name);
        let (apk, java) = (at("app.apk"), at("java"));
        watch.report("packing", &project.package, 0, 0);
        self.link(project, scratch.path(), &apk, &java)?;
        for (path, text) in &project.java {
            put(&java.join(path), text)?;
        }
        watch.report("compiling", &project.package, 0, 0);
        let classes = at("classes");
        self.compile(&java, &classes)?;
        let dex = at("dex");
        self.dex(&classes, &dex)?;
        append(&apk, &dex)?;
        if let Some(apksigner) = &self.apksigner {
            watch.report("signing", &project.package, 0, 0);
            self.sign(apksigner, &apk)?;
        }
        let beside = to.with_extension("apk.part");
        fs::copy(&apk, &beside)
            .and_then(|_| fs::rename(&beside, to))
            .map_err(|e| {
                DeviceError::Io(io::Error::new(e.kind(), format!("{}: {e}", to.display())))
            })
    }

    fn link(
        &self,
        project: &Project,
        scratch: &Path,
        apk: &Path,
        java: &Path,
    ) -> Result<(), DeviceError> {
        let (res, packed) = (scratch.join("res"), scratch.join("res.zip"));
        for (path, text) in &project.resources {
            put(&res.join(path), text)?;
        }
        let manifest = scratch.join("AndroidManifest.xml");
        put(&manifest, &project.manifest)?;
        let mut compile = Command::new(&self.aapt2);
        compile.arg("compile").arg("--dir").arg(&res);
        compile.arg("-o").arg(&packed);
        run(&mut compile, "aapt2 rejects the resources")?;
        let mut link = Command::new(&self.aapt2);
        link.arg("link").arg("-o").arg(apk);
        link.arg("-I").arg(&self.android);
        link.arg("--manifest").arg(&manifest);
        link.args(["--min-sdk-version", API.0, "--target-sdk-version", API.1]);
        link.args(["--version-code", "1", "--version-name", "1.0"]);
        link.arg("--java").arg(java).arg(&packed);
        run(&mut link, "aapt2 rejects the manifest")
    }

    fn compile(&self, java: &Path, classes: &Path) -> Result<(), DeviceError> {
        fs::create_dir_all(classes)?;
        let list = java.join("sources");
        put(&list, &argument_file(java, ".java")?)?;
        let mut javac = Command::new(self.jdk.javac());
        javac
            .args(["--release", "8", "-encoding", "UTF-8", "-proc:none"])
            .args(["-nowarn", "-Xlint:none", "-g", "-d"])
            .arg(classes)
            .arg("-cp")
            .arg(&self.android)
            .arg(format!("@{}", list.display()));
        run(&mut javac, "the app does not compile")
    }

    fn dex(&self, classes: &Path, dex: &Path) -> Result<(), DeviceError> {
        fs::create_dir_all(dex)?;
        let list = dex.join("classes");
        let files = files_below(classes)?;
        let files = files.iter().filter(|file| file.ends_with(".class"));
        let names: Vec<String> = files
            .map(|file| classes.join(file).display().to_string())
            .collect();
        put(&list, &names.join("\n"))?;
        let mut d8 = Command::new(self.jdk.java());
        d8.arg("-cp")
            .arg(&self.r8)
            .args(["com.android.tools.r8.D8", "--debug", "--min-api", API.0])
            .arg("--lib")
            .arg(&self.android)
            .arg("--output")
            .arg(dex)
            .arg(format!("@{}", list.display()));
        run(&mut d8, "the app cannot be converted to dex")
    }

    fn sign(&self, apksigner: &Path, apk: &Path) -> Result<(), DeviceError> {
        let mut command = Command::new(apksigner);
        command.arg("sign").arg("--ks");
        command.arg(debug_keystore(&self.cache, &self.jdk)?);
        command
            .args(["--ks-key-alias", ALIAS])
            .arg(format!("--ks-pass=pass:{PASSWORD}"))
            .arg(format!("--key-pass=pass:{PASSWORD}"))
            .env("JAVA_HOME", &self.jdk.home)
            .arg(apk);
        run(&mut command, "apksigner failed to sign")
    }
}

/// The paths of all files below a folder with this ending, a line each, quoted as javac wants them.
fn argument_file(below: &Path, ending: &str) -> Result<String, DeviceError> {
    let files = files_below(below)?;
    let files = files.iter().filter(|file| file.ends_with(ending));
    let lines: Vec<String> = files
        .map(|file| {
            let path = below.join(file).display().to_string();
            format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
        })
        .collect();
    Ok(lines.join("\n"))
}

/// Puts the dex files into the archive that aapt2 wrote, which stays unchanged, alignment included.
fn append(apk: &Path, dex: &Path) -> Result<(), DeviceError> {
    let bad = |e: zip::result::ZipError| DeviceError::Setup(format!("{}: {e}", apk.display()));
    let file = OpenOptions::new().read(true).write(true).open(apk)?;
    let mut archive = ZipWriter::new_append(file).map_err(bad)?;
    let mut names = files_below(dex)?;
    names.retain(|name| name.ends_with(".dex"));
    names.sort_unstable();
    for name in names {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        archive.start_file(name.as_str(), options).map_err(bad)?;
        io::copy(&mut File::open(dex.join(name))?, &mut archive)?;
    }
    archive.finish().map_err(bad)?;
    Ok(())
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
