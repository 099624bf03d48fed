//! Dex files of a library and its tests, as D8 and R8 write them.

use super::library::Subject;
use super::process;
use super::tools::{self, Inputs, Tools, fingerprint};
use crate::Result;
use std::fs;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use zip::ZipArchive;

const RULES: &str = include_str!("keep.pro");
/// The version of class files up to which all that they use has a form in dex.
const JAVA_8: u16 = 52;
/// For the largest programs.
const LIMIT: Duration = Duration::from_secs(1800);

/// How a library becomes dex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// D8 for debug builds, without desugaring: lambdas are `invoke-custom`, interfaces keep their methods.
    Debug,
    /// The same for release builds: registers are shared, local variables are not named.
    Release,
    /// D8 as debug builds use it for Android 5: all of Java 8 and later is desugared.
    Desugared,
    /// R8 over the library and its tests together.
    R8,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 4] = [Mode::Debug, Mode::Release, Mode::Desugared, Mode::R8];

    /// As it is written on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Debug => "debug",
            Mode::Release => "release",
            Mode::Desugared => "desugared",
            Mode::R8 => "r8",
        }
    }

    /// The mode of this name.
    pub fn parse(name: &str) -> Result<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|mode| mode.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Mode::name).join(", ");
            format!("unknown mode {name:?}; there are {known}")
        })
    }

    fn arguments(self, desugar: bool) -> Vec<&'static str> {
        let mut arguments = match self {
            Mode::Debug => vec!["--debug", "--min-api", "26"],
            Mode::Release => vec!["--release", "--min-api", "26"],
            Mode::Desugared => return vec!["--debug", "--min-api", "21"],
            Mode::R8 => return vec!["--release", "--min-api", "26"],
        };
        if !desugar {
            arguments.push("--no-desugaring");
        }
        arguments
    }
}

/// A library and its tests as class files; a program has no tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    pub library: PathBuf,
    pub tests: Option<PathBuf>,
}

impl Code {
    /// The jars, in the order of the class path.
    pub fn jars(&self) -> Vec<PathBuf> {
        self.tests.iter().chain([&self.library]).cloned().collect()
    }
}

/// What a mode made, and what its translation is compared with.
pub struct DexSet {
    pub files: Vec<PathBuf>,
    /// Where all but classes comes from.
    pub resources: Code,
    /// The class files that a correct translation behaves like: the original, or what R8 itself writes as class files
    /// with the same rules.
    pub reference: Code,
    /// The name of the reference.
    pub reference_name: &'static str,
}

/// Makes the dex files, unless they are there.
pub fn make(tools: &Tools, subject: &Subject, inputs: &Inputs, mode: Mode) -> Result<DexSet> {
    let arguments = mode.arguments(subject.desugar);
    // Where nestmates use each other's private members, Android and the JVM would fail alike without desugaring.
    if arguments.contains(&"--no-desugaring") {
        for jar in inputs.code.jars() {
            let newest = newest_version(&jar)?;
            if newest > JAVA_8 {
                return Err(format!(
                    "{} has class files of version {newest}: {} needs `desugar = true`",
                    jar.display(),
                    subject.name
                ));
            }
        }
    }
    if mode != Mode::R8 {
        let folder = compiled(tools, inputs, "D8", mode.name(), &arguments)?;
        return Ok(DexSet {
            files: dex_files(&folder)?,
            resources: inputs.original.clone(),
            reference: inputs.original.clone(),
            reference_name: "original",
        });
    }
    let folder = compiled(tools, inputs, "R8", mode.name(), &arguments)?;
    let class_files = ["--release", "--classfile"];
    let reference = compiled(tools, inputs, "R8", "r8-classfile", &class_files)?;
    let written = reference.join("out.zip");
    // R8 also renames what names classes in resources.
    let resources = |zip: PathBuf| Code {
        library: zip,
        tests: inputs.original.tests.clone(),
    };
    Ok(DexSet {
        files: dex_files(&folder)?,
        resources: resources(folder.join("out.zip")),
        reference: repack(
            tools,
            inputs,
            &written,
            &resources(written.clone()),
            &reference,
        )?,
        reference_name: "r8-classfile",
    })
}

/// The newest version of the class files in a jar.
fn newest_version(jar: &Path) -> Result<u16> {
    let failed = |e: &dyn std::fmt::Display| format!("cannot read {}: {e}", jar.display());
    let file = fs::File::open(jar).map_err(|e| failed(&e))?;
    let mut zip = ZipArchive::new(BufReader::new(file)).map_err(|e| failed(&e))?;
    let mut newest = 0;
    for ix in 0..zip.len() {
        let mut entry = zip.by_index(ix).map_err(|e| failed(&e))?;
        let mut head = [0; 8];
        if entry.name().ends_with(".class") && entry.read_exact(&mut head).is_ok() {
            newest = newest.max(u16::from_be_bytes([head[6], head[7]]));
        }
    }
    Ok(newest)
}

/// Divides translated classes into those of the library and those of its tests, and adds what else their jars have.
pub fn repack(
    tools: &Tools,
    inputs: &Inputs,
    classes: &Path,
    resources: &Code,
    to: &Path,
) -> Result<Code> {
    let made = Code {
        library: to.join("library.jar"),
        tests: inputs.code.tests.as_ref().map(|_| to.join("tests.jar")),
    };
    let none = PathBuf::from("-");
    let names = inputs.code.tests.as_ref().unwrap_or(&none);
    let jar = |resources: &Path, code: &Path, with: &str, out: &Path| {
        tools.helper("Jars", |c| {
            c.arg("repack").arg(classes).arg(resources);
            c.arg(code).arg(names).arg(with).arg(out)
        })
    };
    // R8's own output has no class files that are data.
    let by_r8 = resources.library != inputs.original.library;
    let code = if by_r8 {
        &resources.library
    } else {
        &inputs.code.library
    };
    jar(&resources.library, code, "without", &made.library)?;
    if let (Some(out), Some(resources)) = (&made.tests, &resources.tests) {
        jar(resources, names, "with", out)?;
    }
    Ok(made)
}

/// Runs D8 or R8 into a folder of this name, unless it has run with these arguments.
fn compiled(
    tools: &Tools,
    inputs: &Inputs,
    program: &str,
    name: &str,
    arguments: &[&str],
) -> Result<PathBuf> {
    let folder = inputs.folder.join(name);
    let done = folder.join("done");
    let rules = folder.join("keep.pro");
    let mut java = Command::new("java");
    java.args(["-Xmx3g", "-XX:+UseSerialGC", "-cp"]);
    java.arg(&tools.r8);
    java.arg(format!("com.android.tools.r8.{program}"));
    java.args(arguments).arg("--lib").arg(&tools.java_home);
    // Dependencies stay as they are. D8 takes what is on its class path for desugared, too, and would call companions
    // of their interfaces that nobody has made.
    let as_platform = program == "R8" || name == Mode::Desugared.name();
    let kind = if as_platform { "--lib" } else { "--classpath" };
    for jar in inputs.class_path.iter().chain([&tools.console]) {
        java.arg(kind).arg(jar);
    }
    let zip = folder.join("out.zip");
    if program == "R8" {
        java.arg("--pg-conf").arg(&rules);
        java.arg("--pg-map-output").arg(folder.join("mapping.txt"));
        java.arg("--output").arg(&zip);
    } else {
        java.arg("--output").arg(&folder);
    }
    java.arg(&inputs.code.library).args(&inputs.code.tests);
    let key = fingerprint(&[format!("{java:?}").as_bytes(), RULES.as_bytes()]);
    if fs::read_to_string(&done).is_ok_and(|kept| kept == key) {
        return Ok(folder);
    }
    let _ = fs::remove_dir_all(&folder);
    tools::make_folder(&folder)?;
    tools::write(&rules, RULES)?;
    process::must(&mut java, LIMIT, &folder.join("log"))?;
    if program == "R8" {
        tools.helper("Jars", |c| c.arg("dex").arg(&zip).arg(&folder))?;
    }
    tools::write(&done, &key)?;
    Ok(folder)
}

/// The dex files of a folder as Android numbers them.
fn dex_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = (1..).map(|n| match n {
        1 => folder.join("classes.dex"),
        _ => folder.join(format!("classes{n}.dex")),
    });
    let files: Vec<PathBuf> = files.take_while(|f| f.exists()).collect();
    if files.is_empty() {
        return Err(format!("{} has no dex file", folder.display()));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn modes_are_found_by_their_names() {
        for mode in Mode::ALL {
            assert_eq!(Mode::parse(mode.name()), Ok(mode));
        }
        assert!(Mode::parse("d8").unwrap_err().contains("desugared"));
    }

    #[test]
    fn the_newest_class_file_of_a_jar_decides() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        let mut zip = zip::ZipWriter::new(fs::File::create(&jar).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        for (name, version) in [("A.class", 49), ("B.class", 55), ("C.txt", 61)] {
            zip.start_file(name, options).unwrap();
            zip.write_all(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, version])
                .unwrap();
        }
        zip.finish().unwrap();
        assert_eq!(newest_version(&jar), Ok(55));
    }

    #[test]
    fn dex_files_are_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        assert!(dex_files(folder.path()).is_err());
        for n in ["classes.dex", "classes10.dex"] {
            fs::write(folder.path().join(n), "").unwrap();
        }
        for n in 2..=9 {
            fs::write(folder.path().join(format!("classes{n}.dex")), "").unwrap();
        }
        let names: Vec<String> = dex_files(folder.path())
            .unwrap()
            .iter()
            .map(|f| tools::file_name(f))
            .collect();
        assert_eq!(names.len(), 10);
        assert_eq!(names[1], "classes2.dex");
        assert_eq!(names[9], "classes10.dex");
    }
}
