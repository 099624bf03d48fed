//! Java, the helper programs of `round_trip/java`, R8, JUnit, and what Maven fetches.

use super::dex::Code;
use super::library::{Check, Coordinates, Subject};
use super::process;
use crate::{Result, sh};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const R8: &str = "com.android.tools:r8:8.7.18";
const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.10.2";
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
/// Parts of the names of jars that JUnit's console brings itself, in another version.
const CONSOLE_HAS: [&str; 3] = ["junit-jupiter", "junit-platform", "junit-vintage"];
/// For a download.
const PATIENCE: Duration = Duration::from_secs(900);
/// For one of the helper programs.
const SHORT: Duration = Duration::from_secs(300);

/// The programs that a round trip needs.
pub struct Tools {
    /// The folder of the study.
    pub folder: PathBuf,
    /// The helper programs, compiled.
    pub classes: PathBuf,
    /// JUnit's launcher and engines.
    pub console: PathBuf,
    pub r8: PathBuf,
    /// Java's own classes as a jar, for translators.
    pub platform: PathBuf,
    /// Java's folder, for D8.
    pub java_home: String,
}

/// The jars of a subject as it is published.
pub struct Inputs {
    /// Where all that is made of it lies.
    pub folder: PathBuf,
    /// As published, without signatures and versions for other Javas.
    pub original: Code,
    /// The same with the class files that become dex.
    pub code: Code,
    /// What both need.
    pub class_path: Vec<PathBuf>,
}

impl Tools {
    /// Fetches and compiles what is not there yet.
    pub fn prepare(folder: &Path) -> Result<Self> {
        make_folder(folder)?;
        let jars = folder.join("jars");
        let console = fetch(&Coordinates::parse(CONSOLE)?, "jar", "", &jars)?;
        let r8 = fetch(&Coordinates::parse(R8)?, "jar", "", &jars)?;
        let java = java_properties()?;
        let sources = sh::root().join("xtask/src/round_trip/java");
        let key = fingerprint(&[java.as_bytes(), &content(&sources)?]);
        let classes = folder.join(format!("tools-{key}"));
        if !classes.join("done").exists() {
            make_folder(&classes)?;
            let mut javac = Command::new("javac");
            javac.arg("-nowarn").arg("-cp").arg(&console).arg("-d");
            javac.arg(&classes).args(files(&sources)?);
            process::must(&mut javac, SHORT, &folder.join("javac.log"))?;
            write(&classes.join("done"), "")?;
        }
        let tools = Self {
            folder: folder.to_owned(),
            platform: classes.join("platform.jar"),
            classes,
            console,
            r8,
            java_home: property(&java, "java.home")?,
        };
        if !tools.platform.exists() {
            let part = tools.platform.with_extension("part");
            tools.helper("Jars", |c| c.arg("platform").arg(&part))?;
            fs::rename(&part, &tools.platform).map_err(|e| e.to_string())?;
        }
        Ok(tools)
    }

    /// Runs one of the helper programs, and gives what it prints.
    pub fn helper(
        &self,
        name: &str,
        arguments: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Result<String> {
        let log = self.folder.join(format!("{name}.log"));
        let mut java = Command::new("java");
        java.arg("-cp").arg(&self.classes).arg(name);
        process::must(arguments(&mut java), SHORT, &log)?;
        fs::read_to_string(&log).map_err(|e| format!("{}: {e}", log.display()))
    }

    /// Fetches a library and its tests, and finds its class path by its POM.
    pub fn fetch(&self, subject: &Subject) -> Result<Inputs> {
        let at = &subject.coordinates;
        let folder = self.folder.join(format!("{}-{}", subject.name, at.version));
        let jars = folder.join("jars");
        let divided = |classifier: &str, name: &str| -> Result<[PathBuf; 2]> {
            let published = fetch(at, "jar", classifier, &jars)?;
            let both = ["original", "code"].map(|side| folder.join(side).join(name));
            let key = fingerprint(&[subject.data.as_bytes()]);
            let done = folder.join(format!("{name}-{key}"));
            if !done.exists() {
                make_folder(&folder.join("original"))?;
                make_folder(&folder.join("code"))?;
                self.helper("Jars", |c| {
                    c.arg("divide")
                        .arg(published)
                        .args(&both)
                        .arg(&subject.data)
                })?;
                write(&done, "")?;
            }
            Ok(both)
        };
        let [original, code] = divided("", "library.jar")?;
        let tests = match &subject.check {
            Check::Tests(tests) => Some(divided(&tests.classifier, "tests.jar")?),
            Check::Runs(_) => None,
        };
        let side = |library: PathBuf, n: usize| Code {
            library,
            tests: tests.as_ref().map(|both| both[n].clone()),
        };
        let mut class_path: Vec<PathBuf> = pom_class_path(at, &folder)?
            .into_iter()
            .filter(|jar| {
                let name = file_name(jar);
                let left_out = |part: &&str| name.contains(*part);
                let less = subject.less.iter().any(|part| name.contains(part.as_str()));
                let own = is_version_of(&name, &at.artifact);
                !own && !CONSOLE_HAS.iter().any(left_out) && !less
            })
            .collect();
        for more in &subject.more {
            class_path.push(fetch(&Coordinates::parse(more)?, "jar", "", &jars)?);
        }
        Ok(Inputs {
            original: side(original, 0),
            code: side(code, 1),
            folder,
            class_path,
        })
    }
}

/// Whether a jar is a version of an artifact: libraries that test each other bring older ones of themselves.
fn is_version_of(jar: &str, artifact: &str) -> bool {
    let version = jar.strip_prefix(artifact).and_then(|v| v.strip_prefix('-'));
    version.is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()))
}

/// The jars that an artifact's POM names, those of its tests too.
fn pom_class_path(at: &Coordinates, folder: &Path) -> Result<Vec<PathBuf>> {
    let kept = folder.join("class-path");
    if !kept.exists() {
        let fetched = fetch(at, "pom", "", folder)?;
        let part = folder.join("class-path.part");
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B", "-Dstyle.color=never", "-f"]);
        maven.arg(&fetched).arg(CLASS_PATH);
        maven.arg("-DincludeScope=test");
        maven.arg(format!("-Dmdep.outputFile={}", part.display()));
        process::must(&mut maven, PATIENCE, &folder.join("class-path.log"))?;
        fs::rename(&part, &kept).map_err(|e| format!("{}: {e}", part.display()))?;
    }
    let text = fs::read_to_string(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
    let jars = split(text.trim());
    match jars.iter().find(|jar| !jar.exists()) {
        None => Ok(jars.into_iter().filter(|j| j.is_file()).collect()),
        // Maven's own cache was emptied.
        Some(_) => {
            let _ = fs::remove_file(&kept);
            Err(format!("{} is out of date: run again", kept.display()))
        }
    }
}

/// Has Maven copy an artifact into a folder, unless it lies there.
pub fn fetch(at: &Coordinates, packaging: &str, classifier: &str, to: &Path) -> Result<PathBuf> {
    let file = to.join(at.file(packaging, classifier));
    if file.exists() {
        return Ok(file);
    }
    make_folder(to)?;
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B", "-Dstyle.color=never", COPY]);
    maven.arg(format!("-Dartifact={}", at.with(packaging, classifier)));
    maven.arg(format!("-DoutputDirectory={}", to.display()));
    process::must(&mut maven, PATIENCE, &to.join("maven.log"))?;
    if file.exists() {
        Ok(file)
    } else {
        Err(format!("Maven did not write {}", file.display()))
    }
}

fn java_properties() -> Result<String> {
    let output = Command::new("java")
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .map_err(|e| format!("cannot run java: {e}; install a JDK"))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn property(java: &str, name: &str) -> Result<String> {
    let wanted = format!("{name} = ");
    java.lines()
        .find_map(|line| line.trim().strip_prefix(&wanted))
        .map(str::to_owned)
        .ok_or_else(|| format!("java does not say its {name}"))
}

/// Some characters that stand for contents.
pub fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let hex: Vec<String> = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    hex[..6].concat()
}

/// The files of a folder, sorted.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    Ok(files)
}

fn content(folder: &Path) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    for file in files(folder)? {
        all.extend(fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?);
    }
    Ok(all)
}

/// A file's name without folder.
pub fn file_name(file: &Path) -> String {
    file.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The jars of a class path; none for an empty one.
fn split(class_path: &str) -> Vec<PathBuf> {
    let paths = std::env::split_paths(class_path);
    paths.filter(|p| !p.as_os_str().is_empty()).collect()
}

/// A class path as Java reads it.
pub fn joined<'a>(jars: impl IntoIterator<Item = &'a PathBuf>) -> Result<String> {
    std::env::join_paths(jars)
        .map(|path| path.to_string_lossy().into_owned())
        .map_err(|e| format!("a jar's path has a separator of paths: {e}"))
}

/// Makes a folder and those above it.
pub fn make_folder(folder: &Path) -> Result {
    fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))
}

/// Writes a file.
pub fn write(file: &Path, text: &str) -> Result {
    fs::write(file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_versions_of_a_library_are_known_by_their_names() {
        let is = |jar| is_version_of(jar, "commons-lang3");
        assert!(is("commons-lang3-3.14.0.jar"));
        assert!(!is("commons-lang-2.0.jar"));
        assert!(!is("commons-lang3-extra-1.jar"));
        assert!(!is("hamcrest-2.2.jar"));
    }

    #[test]
    fn an_empty_class_path_has_no_jars() {
        assert!(split("").is_empty());
        let both = joined(&[PathBuf::from("/a.jar"), PathBuf::from("/b.jar")]).unwrap();
        assert_eq!(split(&both).len(), 2);
    }

    #[test]
    fn a_property_of_java_is_found_in_its_settings() {
        let said = "Property settings:\n    java.home = /j\n    java.home.other = /k\n";
        assert_eq!(property(said, "java.home").unwrap(), "/j");
        assert!(property(said, "java.version").is_err());
    }

    #[test]
    fn a_fingerprint_tells_where_parts_end() {
        assert_ne!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"a", b"bc"]));
        assert_eq!(fingerprint(&[b"ab"]).len(), 12);
    }
}
