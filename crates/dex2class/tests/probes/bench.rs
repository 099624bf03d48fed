//! Makes class files with probes, and asks JaCoCo about them.

use dex2class::class::code::op;
use dex2class::class::{Class, Code, Insn, Pool, ReadError, read};
use dex2class::pass::probes::{Accessor, write_probed};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
const ACCESSOR: Accessor = Accessor {
    owner: b"Recorder",
    name: b"of",
};

/// A folder, JaCoCo, and the Java programs of this test.
pub struct Bench {
    folder: PathBuf,
    pub jars: Vec<PathBuf>,
}

impl Bench {
    /// None, saying so, where Maven has not fetched the jars.
    pub fn new(name: &str) -> Option<Self> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probes");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("probes-{name}"));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        let list = folder.join("class-path");
        let found = Command::new("mvn")
            .args(["-o", "-q", "-B", PLUGIN, "-f"])
            .arg(sources.join("pom.xml"))
            .arg(format!("-Dmdep.outputFile={}", list.display()))
            .output();
        if !found.is_ok_and(|done| done.status.success()) {
            crate::skip::skip("Maven has not fetched what tests/probes/pom.xml names");
            return None;
        }
        let list = fs::read_to_string(list).unwrap();
        let jars = std::env::split_paths(&list).collect();
        let bench = Self { folder, jars };
        let mut compile = Command::new("javac");
        compile.args([
            "-d".as_ref(),
            bench.path("tools").as_os_str(),
            "-cp".as_ref(),
        ]);
        compile.arg(join(&bench.jars));
        compile.args(["Reference.java", "Recorder.java"].map(|name| sources.join(name)));
        output(&mut compile);
        Some(bench)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn jar(&self, name: &str) -> &Path {
        let named = |jar: &&PathBuf| jar.file_name().is_some_and(|file| file == name);
        self.jars.iter().find(named).unwrap()
    }

    fn reference(&self, command: &str, paths: &[&Path]) -> String {
        let mut class_path = self.jars.clone();
        class_path.push(self.path("tools"));
        let mut java = Command::new("java");
        java.arg("-cp").arg(join(&class_path));
        output(java.arg("Reference").arg(command).args(paths))
    }

    /// Empties the folders of classes.
    pub fn clear(&self) {
        for name in ["jar", "plain", "probed"] {
            _ = fs::remove_dir_all(self.path(name));
            fs::create_dir_all(self.path(name)).unwrap();
        }
    }

    /// Writes the classes of a jar into the folders `plain` and `probed`, and checks the first's numbers.
    pub fn compare(&self, jar: &Path) -> Work {
        self.clear();
        output(
            Command::new("jar")
                .arg("xf")
                .arg(jar)
                .current_dir(self.path("jar")),
        );
        let mut work = Work::default();
        let mut numbers = String::new();
        for file in class_files(&self.path("jar")) {
            match read(&fs::read(&file).unwrap()) {
                Ok(class) => {
                    let name = file.strip_prefix(self.path("jar")).unwrap();
                    self.probe(name, class, &mut work, &mut numbers);
                }
                // Java 5 and older.
                Err(ReadError::Unsupported(_)) => work.unread += 1,
                Err(error) => panic!("{}: {error}", file.display()),
            }
        }
        self.check_numbers(&numbers);
        work
    }

    /// Adds what `write_probed` makes of a class to the folders, and its numbers to the text.
    pub fn probe(&self, name: &Path, class: Class, work: &mut Work, numbers: &mut String) {
        let start = Instant::now();
        let files = match write_probed(class, &ACCESSOR) {
            Ok(files) => files,
            Err(error) => panic!("{}: {error}", name.display()),
        };
        work.time += start.elapsed();
        work.bytes += files.plain.len();
        work.classes += 1;
        work.probes += files.probes as usize;
        work.without += files.without.len();
        writeln!(numbers, "class {} {:x}", name.display(), files.id).unwrap();
        write_numbers(&read(&files.probed).unwrap(), numbers);
        for (folder, bytes) in [("plain", &files.plain), ("probed", &files.probed)] {
            let to = self.path(folder).join(name);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
    }

    /// Checks that JaCoCo gives the classes of the folder `plain` these numbers.
    pub fn check_numbers(&self, numbers: &str) {
        let theirs = self.path("numbers");
        self.reference("number", &[&self.path("plain"), &theirs]);
        let theirs = fs::read_to_string(theirs).unwrap();
        let mut class = "";
        for (ours, theirs) in numbers.lines().zip(theirs.lines()) {
            if ours.starts_with("class ") {
                class = ours;
            }
            assert_eq!(ours, theirs, "{class}");
        }
        assert_eq!(numbers.len(), theirs.len());
    }

    /// Checks that a class with probes links if it does without.
    pub fn link(&self, jars: &[&Path]) {
        let mut failures = Vec::new();
        for name in ["plain", "probed"] {
            let (classes, out) = (self.path(name), self.path("failures"));
            let tools = self.path("tools");
            let mut paths = vec![classes.as_path(), out.as_path()];
            paths.extend(jars);
            paths.push(&tools);
            print!("{name}: {}", self.reference("link", &paths));
            failures.push(fs::read_to_string(out).unwrap());
        }
        assert_eq!(failures[0], failures[1]);
        println!(
            "{} classes fail to link with and without probes",
            failures[0].lines().count()
        );
    }

    /// Runs the tests of a jar and writes which probes were hit.
    fn run_tests(&self, classes: &Path, tests: &Path, exec: &Path) -> String {
        let mut class_path = vec![classes.to_owned(), self.path("tools")];
        class_path.extend(self.jars.iter().cloned());
        let mut java = Command::new("java");
        java.arg(format!("-Dexec={}", exec.display()));
        java.args([
            "-Duser.language=en",
            "-Duser.country=US",
            "-Duser.timezone=UTC",
            "-cp",
        ]);
        java.arg(join(&class_path));
        java.args([
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--details=none",
        ]);
        java.args([
            "--exclude-classname",
            ".*(Performance|Benchmark).*",
            "--reports-dir",
        ]);
        java.arg(self.path("reports"))
            .arg("--scan-classpath")
            .arg(tests);
        // Some tests fail without the project's folder, with any probes.
        java.current_dir(&self.folder).output().unwrap();
        // JUnit 4 and 5 have a report each.
        let counts = ["vintage", "jupiter"].map(|engine| {
            let report = self.path(&format!("reports/TEST-junit-{engine}.xml"));
            let report = fs::read_to_string(report).unwrap();
            let suite = report.split_once("<testsuite ").unwrap().1;
            suite.split_once(" time=").unwrap().0.to_owned()
        });
        counts.join("; ")
    }

    /// Runs the tests of a library with JaCoCo's probes and with ours.
    pub fn compare_tests(&self, library: &Path, tests: &Path) {
        self.compare(library);
        let theirs = self.path("jacoco");
        self.reference("instrument", &[&self.path("plain"), &theirs]);
        let execs = ["jacoco.exec", "ours.exec"].map(|name| self.path(name));
        let counts = self.run_tests(&theirs, tests, &execs[0]);
        println!("{counts}");
        assert_eq!(
            self.run_tests(&self.path("probed"), tests, &execs[1]),
            counts
        );
        let plain = self.path("plain");
        let paths = [&execs[0], &execs[1], &plain].map(PathBuf::as_path);
        print!("{}", self.reference("compare", &paths));
    }
}

/// What was done with the classes of a jar.
#[derive(Default)]
pub struct Work {
    pub classes: usize,
    /// Classes that are not read.
    pub unread: usize,
    pub bytes: usize,
    pub probes: usize,
    /// Methods without room for probes.
    pub without: usize,
    /// Of two writes with the probes between them.
    pub time: Duration,
}

fn join(paths: &[PathBuf]) -> std::ffi::OsString {
    std::env::join_paths(paths).unwrap()
}

fn output(command: &mut Command) -> String {
    let done = command.output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {text}{errors}");
    text
}

/// In the order in which Java sorts paths.
fn class_files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "class") {
                found.push(path);
            }
        }
    }
    found.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    found
}

/// Writes the numbers of the probes that each method of an instrumented class has.
fn write_numbers(class: &Class, to: &mut String) {
    for method in &class.methods {
        let Some(code) = &method.code else { continue };
        let mut probes = hit_by(code, &class.pool);
        probes.sort_unstable();
        if let (Some(first), Some(last)) = (probes.first(), probes.last()) {
            let all: Vec<i32> = (*first..=*last).collect();
            assert_eq!(probes, all, "each number once");
            let text = |ix| String::from_utf8_lossy(class.pool.text(ix)).into_owned();
            let named = text(method.name) + &text(method.descriptor);
            writeln!(to, "method {named} {first} {}", last + 1).unwrap();
        }
    }
}

/// The numbers in the order of the code.
fn hit_by(code: &Code, pool: &Pool) -> Vec<i32> {
    let gives_array = |insn: &Insn| match insn {
        Insn::Invoke(_, ix) => {
            let (owner, name, ..) = pool.member(*ix);
            name == b"$jacocoInit" || (owner, name) == (ACCESSOR.owner, ACCESSOR.name)
        }
        _ => false,
    };
    let mut insns = code.insns.iter().skip_while(|insn| !gives_array(insn));
    let stored = insns.find_map(|insn| match insn {
        Insn::Var(op::ASTORE, slot) => Some(*slot),
        _ => None,
    });
    let Some(slot) = stored else {
        return Vec::new();
    };
    let load = Insn::Var(op::ALOAD, slot);
    let after = code.insns.windows(2).filter(|two| two[0] == load);
    let number = |two: &[Insn]| match two[1] {
        Insn::Push(number) => number,
        // A number of more than 16 bits is a constant.
        Insn::Const(ix) => match pool.get(ix) {
            dex2class::class::Entry::Int(number) => number,
            other => panic!("{other:?}"),
        },
        ref other => panic!("{other:?}"),
    };
    after.map(number).collect()
}
