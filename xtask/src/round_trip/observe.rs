//! Runs the tests of a library, or a program, in a JVM that verifies every class.

use super::dex::Code;
use super::library::{Check, Coordinates, Input, ProgramRun, Subject, Tests};
use super::outcomes::{Outcomes, SUCCESSFUL};
use super::process::{self, Ended};
use super::tools::{self, Inputs, Tools, fingerprint};
use crate::{Result, sh};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// So often the tests are started again without the class of a test that did not end, or ended all others.
const STARTS: usize = 8;
/// Seconds for one test.
const TEST_LIMIT: &str = "60";
/// Verification is on for classes of the class path by default; named here, since all depends on it.
const VM: [&str; 12] = [
    "-Xmx1g",
    "-XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+BytecodeVerificationRemote",
    "-Djava.awt.headless=true",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.net=ALL-UNNAMED",
];

/// What is run, with which tools.
pub struct Observer<'a> {
    pub tools: &'a Tools,
    pub subject: &'a Subject,
    pub inputs: &'a Inputs,
    /// Only test classes with names that match this (Java's regular expression).
    pub only: Option<&'a str>,
}

impl Observer<'_> {
    /// Two runs of the reference, kept in its folder.
    pub fn reference(&self, code: &Code, name: &str) -> Result<[Outcomes; 2]> {
        let said = format!("{:?}{:?}{VM:?}", self.subject, self.only);
        let jars: Vec<Vec<u8>> = code.jars().iter().map(read).collect::<Result<_>>()?;
        let mut parts: Vec<&[u8]> = jars.iter().map(Vec::as_slice).collect();
        parts.push(said.as_bytes());
        let key = fingerprint(&parts);
        let run = |round: u32| {
            let file = format!("{name}-{key}-{round}.jsonl");
            let file = self.inputs.folder.join(file);
            if !file.exists() {
                let part = file.with_extension("part");
                let outcomes = self.run(code, &part, &[])?;
                self.usable(&outcomes)
                    .map_err(|why| format!("the {name} form {why}; see {}*", part.display()))?;
                fs::rename(&part, &file).map_err(|e| format!("{}: {e}", part.display()))?;
            }
            Outcomes::read(&file)
        };
        Ok([run(1)?, run(2)?])
    }

    /// Whether the outcomes of a reference are something to compare with.
    fn usable(&self, outcomes: &Outcomes) -> std::result::Result<(), &'static str> {
        // A program that fails at once writes the same nothing in any form.
        let needed = match &self.subject.check {
            Check::Tests(_) => 1,
            Check::Runs(runs) => runs.len(),
        };
        if !outcomes.complete {
            Err("does not end within its limit")
        } else if outcomes.passing() < needed {
            Err("fails")
        } else {
            Ok(())
        }
    }

    /// Runs the tests or the program, and writes what happens to `out`. With `classes`, only the tests of these.
    pub fn run(&self, code: &Code, out: &Path, classes: &[&str]) -> Result<Outcomes> {
        let _ = fs::remove_file(out);
        tools::write(out, "")?;
        match &self.subject.check {
            Check::Tests(tests) => self.tests(tests, code, out, classes)?,
            Check::Runs(runs) => self.programs(runs, code, out)?,
        }
        Outcomes::read(out)
    }

    fn tests(&self, tests: &Tests, code: &Code, out: &Path, classes: &[&str]) -> Result {
        let jar = code.tests.as_ref().ok_or("a library without tests")?;
        let include = self.only.unwrap_or(&tests.include);
        let include = narrowed(include, classes);
        let mut skipped: Vec<String> = Vec::new();
        for _ in 0..STARTS {
            let place = self.working_folder(out)?;
            let mut java = self.java(code, &place)?;
            java.arg("RunTests").arg(out).arg(jar);
            java.args([&include, &tests.exclude, TEST_LIMIT]);
            java.args(&skipped);
            let limit = Duration::from_secs(self.subject.limit);
            process::run(&mut java, limit, &out.with_extension("log"))?;
            let _ = fs::remove_dir_all(&place);
            let sofar = Outcomes::read(out)?;
            let top = |class: &str| class.split('$').next().unwrap_or(class).to_owned();
            let stopped: Vec<String> = sofar.stopped().into_iter().map(top).collect();
            if sofar.complete || stopped.len() == skipped.len() {
                break;
            }
            skipped = stopped;
        }
        Ok(())
    }

    /// Each run of a program counts as a test that passes if it ends with 0, and as one for each file that it writes.
    fn programs(&self, runs: &[ProgramRun], code: &Code, out: &Path) -> Result {
        let mut lines = String::new();
        let mut complete = true;
        for (n, run) in runs.iter().enumerate() {
            let place = self.working_folder(out)?;
            let written = place.join("out");
            tools::make_folder(&written)?;
            let input = self.input(&run.input)?;
            let libraries = tools::joined(&self.inputs.class_path)?;
            let mut java = self.java(code, &place)?;
            java.arg(&run.main);
            for argument in &run.arguments {
                let argument = argument.replace("{input}", &input.display().to_string());
                let argument = argument.replace("{libs}", &libraries);
                let argument = argument.replace("{jdk}", &self.tools.java_home);
                let argument = argument.replace("{folder}", &own_folder().display().to_string());
                java.arg(argument.replace("{out}", &written.display().to_string()));
            }
            let limit = Duration::from_secs(self.subject.limit);
            let log = out.with_extension(format!("{n}.log"));
            let ended = process::run(&mut java, limit, &log)?;
            complete &= ended != Ended::Limit;
            let name = format!("{} {n}", run.main);
            let status = match ended {
                Ended::Code(0) => SUCCESSFUL.to_owned(),
                _ => format!("{ended:?}"),
            };
            let line = json!({"id": name, "class": run.main, "status": status});
            lines += &format!("{line}\n");
            for (file, hash) in hashes(&written)? {
                let id = format!("{name}: {file}");
                let line = json!({"id": id, "class": run.main, "status": hash});
                lines += &format!("{line}\n");
            }
            let _ = fs::remove_dir_all(&place);
        }
        if complete {
            lines += "{\"end\":true}\n";
        }
        tools::write(out, &lines)
    }

    fn input(&self, input: &Input) -> Result<PathBuf> {
        let jars = self.inputs.folder.join("input");
        let from = |at: &Coordinates, kind| tools::fetch(at, "jar", kind, &jars);
        match input {
            Input::Jar(at) => from(at, ""),
            Input::Sources(at) => {
                let folder = jars.join(format!("{}-{}", at.artifact, at.version));
                if !folder.join("done").exists() {
                    let jar = from(at, "sources")?;
                    tools::make_folder(&folder)?;
                    self.tools
                        .helper("Jars", |c| c.arg("files").arg(&jar).arg(&folder))?;
                    tools::write(&folder.join("done"), "")?;
                }
                Ok(folder)
            }
            Input::File(name) => Ok(own_folder().join(name)),
        }
    }

    /// An empty folder to run in, with the resources of the tests where they are in a source tree.
    fn working_folder(&self, out: &Path) -> Result<PathBuf> {
        let place = out.with_extension("run");
        let _ = fs::remove_dir_all(&place);
        tools::make_folder(&place.join("tmp"))?;
        if let Some(tests) = &self.inputs.original.tests {
            let resources = place.join("src/test/resources");
            tools::make_folder(&resources)?;
            self.tools
                .helper("Jars", |c| c.arg("resources").arg(tests).arg(&resources))?;
        }
        Ok(place)
    }

    fn java(&self, code: &Code, place: &Path) -> Result<Command> {
        let own = code.jars();
        let helpers = [&self.tools.classes, &self.tools.console];
        let mut path: Vec<&PathBuf> = Vec::new();
        if self.inputs.original.tests.is_some() {
            path.extend(helpers);
        }
        path.extend(own.iter().chain(&self.inputs.class_path));
        let mut java = Command::new("java");
        java.args(VM).current_dir(place);
        java.arg(format!("-Djava.io.tmpdir={}", place.join("tmp").display()));
        java.arg("-cp").arg(tools::joined(path)?);
        Ok(java)
    }

    /// Loads and verifies every class; gives those that the JVM rejects with the reason, and the number of all.
    pub fn link(&self, code: &Code) -> Result<(Vec<(String, String)>, u64)> {
        let mut path = vec![self.tools.classes.clone(), self.tools.console.clone()];
        path.extend(code.jars());
        path.extend(self.inputs.class_path.iter().cloned());
        let log = self.inputs.folder.join("link.log");
        let mut java = Command::new("java");
        java.args(VM).arg("-cp").arg(tools::joined(&path)?);
        java.arg("LinkClasses").arg(tools::joined(&code.jars())?);
        let limit = Duration::from_secs(self.subject.limit);
        process::must(&mut java, limit, &log)?;
        let text = fs::read_to_string(&log).map_err(|e| format!("{}: {e}", log.display()))?;
        linked(&text).ok_or_else(|| format!("{} has no end", log.display()))
    }
}

/// Where this command's files lie.
fn own_folder() -> PathBuf {
    sh::root().join("xtask/src/round_trip")
}

fn read(file: &PathBuf) -> Result<Vec<u8>> {
    fs::read(file).map_err(|e| format!("{}: {e}", file.display()))
}

/// What `LinkClasses` printed.
fn linked(text: &str) -> Option<(Vec<(String, String)>, u64)> {
    let mut rejected = Vec::new();
    for line in text.lines() {
        match line.split_once('\t') {
            Some(("end", count)) => return Some((rejected, count.parse().ok()?)),
            Some((class, error)) => rejected.push((class.to_owned(), error.to_owned())),
            None => {}
        }
    }
    None
}

/// A pattern that matches what `include` matches, of these classes and those within them; of all for none.
fn narrowed(include: &str, classes: &[&str]) -> String {
    if classes.is_empty() {
        return include.to_owned();
    }
    let top = |class: &&str| format!(r"\Q{}\E", class.split('$').next().unwrap_or(class));
    let names: Vec<String> = classes.iter().map(top).collect();
    format!(r"(?=(?:{include})$)(?:{})(\$.*)?", names.join("|"))
}

/// The files below a folder, each with its hash.
fn hashes(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).map_err(|e| format!("{}: {e}", next.display()))?;
        for entry in entries.filter_map(std::result::Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = read(&path)?;
            let name = path.strip_prefix(folder).unwrap_or(&path);
            all.push((name.display().to_string(), fingerprint(&[&bytes])));
        }
    }
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_trip::library;

    #[test]
    fn a_second_run_is_narrowed_to_top_level_classes() {
        assert_eq!(narrowed("^.*Test$", &[]), "^.*Test$");
        let narrow = narrowed("^.*Test$", &["a.BTest$Nested", "a.CTest"]);
        assert_eq!(
            narrow,
            r"(?=(?:^.*Test$)$)(?:\Qa.BTest\E|\Qa.CTest\E)(\$.*)?"
        );
    }

    #[test]
    fn the_files_of_a_program_are_hashed_with_their_paths() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        fs::write(folder.path().join("b/two"), "2").unwrap();
        fs::write(folder.path().join("one"), "1").unwrap();
        let before = hashes(folder.path()).unwrap();
        let names: Vec<&str> = before.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["b/two", "one"]);
        fs::write(folder.path().join("one"), "3").unwrap();
        let after = hashes(folder.path()).unwrap();
        assert_eq!(before[0], after[0]);
        assert_ne!(before[1], after[1]);
    }

    #[test]
    fn a_program_that_fails_is_no_reference() {
        let program = library::named(&["ecj"]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let tools = Tools {
            folder: file("."),
            classes: file("classes"),
            console: file("console"),
            r8: file("r8"),
            platform: file("platform"),
            java_home: String::new(),
        };
        let code = Code {
            library: file("library"),
            tests: None,
        };
        let inputs = Inputs {
            folder: file("."),
            original: code.clone(),
            code,
            class_path: Vec::new(),
        };
        let observer = Observer {
            tools: &tools,
            subject: &program[0],
            inputs: &inputs,
            only: None,
        };
        let outcomes = |status: &str| {
            let line = json!({"id": "x", "status": status});
            tools::write(&file("rows"), &format!("{line}\n{{\"end\":true}}\n")).unwrap();
            Outcomes::read(&file("rows")).unwrap()
        };
        assert_eq!(observer.usable(&outcomes(SUCCESSFUL)), Ok(()));
        assert_eq!(observer.usable(&outcomes("Code(1)")), Err("fails"));
    }

    #[test]
    fn a_list_of_rejected_classes_needs_its_end() {
        let text = "a.B\tVerifyError: Bad type\nend\t12\n";
        let (rejected, count) = linked(text).unwrap();
        let one = ("a.B".to_owned(), "VerifyError: Bad type".to_owned());
        assert_eq!((rejected, count), (vec![one], 12));
        assert!(linked("a.B\tVerifyError\n").is_none());
    }
}
