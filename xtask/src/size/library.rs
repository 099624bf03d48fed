//! Libraries of Maven Central as dex files: what an app that is not shrunk is full of.

use crate::{Result, sh};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Dex files of one library.
pub struct Library {
    pub files: Vec<PathBuf>,
}

/// The padding, in the order in which it is used: 52 MB, then what brings it to 200 MB. No class name occurs twice.
pub const PADDING: [&str; 12] = [
    "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.0.0",
    "com.amazonaws:aws-java-sdk-ec2:1.12.760",
    "org.apache.hadoop:hadoop-client-runtime:3.3.6",
    "com.google.javascript:closure-compiler:v20240317",
    "org.scala-lang:scala-compiler:2.13.14",
    "org.scala-lang:scala-library:2.13.14",
    "org.scala-lang:scala-reflect:2.13.14",
    "org.apache.poi:poi-ooxml-full:5.2.5",
    "org.elasticsearch:elasticsearch:7.17.22",
    "org.jruby:jruby-core:9.4.8.0",
    SHARED,
    EARLIER,
];
/// An earlier version of the first: its packages are moved below another one.
const EARLIER: &str = "org.jetbrains.kotlin:kotlin-compiler-embeddable:1.9.24";
const MOVED: [&str; 4] = ["org", "earlier", "javaslang", "earlier.javaslang"];
/// Moves packages, with the library that is in R8.
const RELOCATE: &str = include_str!("Relocate.java");
/// A library that one class of the app's own is packed together with.
pub const SHARED: &str = "org.codehaus.groovy:groovy:3.0.22";

/// Makes dex files below a folder, which keeps them.
pub struct Dexer {
    folder: PathBuf,
    pub r8: PathBuf,
    pub android: PathBuf,
}

impl Dexer {
    pub fn new(folder: &Path) -> Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            r8: artifact("com.android.tools:r8:8.7.18")?,
            android: artifact("org.robolectric:android-all:14-robolectric-10818077")?,
        })
    }

    /// A library as D8 makes it of a debug build.
    pub fn library(&self, coordinates: &str) -> Result<Library> {
        let name = coordinates.replace(':', "-");
        self.dex(&name, || {
            let jar = artifact(coordinates)?;
            let moved = coordinates == EARLIER;
            Ok(vec![if moved { self.relocated(&jar)? } else { jar }])
        })
    }

    /// A copy of a jar, with its packages moved.
    fn relocated(&self, jar: &Path) -> Result<PathBuf> {
        let failed = |e: std::io::Error| format!("{}: {e}", self.folder.display());
        let source = self.folder.join("Relocate.java");
        fs::create_dir_all(&self.folder).map_err(failed)?;
        fs::write(&source, RELOCATE).map_err(failed)?;
        let to = self.folder.join("relocated.jar");
        let mut java = Command::new("java");
        java.args(["-Xmx3g", "-XX:+UseSerialGC", "-cp"])
            .arg(&self.r8);
        sh::show(java.arg(&source).arg(jar).arg(&to).args(MOVED))?;
        Ok(to)
    }

    /// One class of an app, whose content depends on `edition`; with a library in the same dex file, or alone.
    pub fn marker(&self, edition: u32, beside: Option<&str>) -> Result<Library> {
        let class = if beside.is_some() { "Shared" } else { "Own" };
        self.dex(&format!("marker-{class}-{edition}"), || {
            let folder = self
                .folder
                .join(format!("marker-{class}-{edition}.classes"));
            fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            let source = folder.join(format!("{class}.java"));
            // The first of all strings of a dex file: a new one moves the numbers of all others.
            let text = format!(
                "package aaa.marker;\n\npublic final class {class} {{\n    \
                 public static String edition() {{\n        return \"\\1 {}\";\n    }}\n}}\n",
                "edition ".repeat(edition as usize)
            );
            fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
            let mut javac = Command::new("javac");
            javac.args(["--release", "8", "-Xlint:-options", "-g", "-d"]);
            sh::show(javac.arg(&folder).arg(&source))?;
            let mut inputs = vec![folder.join(format!("aaa/marker/{class}.class"))];
            inputs.extend(beside.map(artifact).transpose()?);
            Ok(inputs)
        })
    }

    fn dex(&self, name: &str, inputs: impl FnOnce() -> Result<Vec<PathBuf>>) -> Result<Library> {
        let folder = self.folder.join(name);
        if !folder.is_dir() {
            eprintln!("xtask: dex files of {name}");
            let new = self.folder.join(format!("{name}.new"));
            let _ = fs::remove_dir_all(&new);
            fs::create_dir_all(&new).map_err(|e| format!("{}: {e}", new.display()))?;
            let mut d8 = Command::new("java");
            d8.args(["-Xmx3g", "-XX:+UseSerialGC", "-cp"]).arg(&self.r8);
            d8.args(["com.android.tools.r8.D8", "--debug", "--no-desugaring"]);
            d8.args(["--min-api", "26", "--lib"]).arg(&self.android);
            d8.arg("--output").arg(&new).args(inputs()?);
            // It warns of classes that the library leaves to others.
            let out = d8.output().map_err(|e| format!("cannot run java: {e}"))?;
            if !out.status.success() {
                let text = String::from_utf8_lossy(&out.stderr);
                return Err(format!("D8 fails on {name}:\n{text}"));
            }
            fs::rename(&new, &folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|x| x == "dex"))
            .collect();
        files.sort();
        Ok(Library { files })
    }
}

/// The path of a jar in Maven's local repository, fetched where it is missing.
pub fn artifact(coordinates: &str) -> Result<PathBuf> {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, name, version] = parts[..] else {
        return Err(format!("{coordinates} is not group:name:version"));
    };
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let repository = std::env::var_os("MAVEN_REPO").map(PathBuf::from);
    let repository = repository
        .or(home.map(|home| home.join(".m2/repository")))
        .ok_or("neither MAVEN_REPO nor HOME is set")?;
    let path = repository
        .join(group.replace('.', "/"))
        .join(name)
        .join(version)
        .join(format!("{name}-{version}.jar"));
    if !path.is_file() {
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B", "dependency:get", "-Dtransitive=false"]);
        maven.arg(format!("-Dartifact={coordinates}"));
        maven.arg(format!("-Dmaven.repo.local={}", repository.display()));
        sh::show(&mut maven)?;
    }
    Ok(path)
}
