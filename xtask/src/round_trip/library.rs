//! The libraries and programs of `libraries.toml`.

use crate::Result;
use toml::{Table, Value};

const LIST: &str = include_str!("libraries.toml");
/// Seconds for all tests of a library, where it names no other limit.
const LIMIT: u64 = 1800;
/// The names that Maven's Surefire looks for, and `TestCase`, which older libraries use.
const TEST_CLASSES: &str = r"^(.*[.$])?(Test[^.$]*|[^.$]*Tests?|[^.$]*TestCase)$";
/// A pattern that no name matches.
const NOTHING: &str = "^$";

/// An artifact on Maven Central.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coordinates {
    pub group: String,
    pub artifact: String,
    pub version: String,
}

impl Coordinates {
    pub fn parse(text: &str) -> Result<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let [group, artifact, version] = parts[..] else {
            return Err(format!("{text:?} must be group:artifact:version"));
        };
        Ok(Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
        })
    }

    /// As Maven's dependency plugin reads it: with a packaging, and a classifier unless that is empty.
    pub fn with(&self, packaging: &str, classifier: &str) -> String {
        let base = format!(
            "{}:{}:{}:{packaging}",
            self.group, self.artifact, self.version
        );
        match classifier {
            "" => base,
            _ => format!("{base}:{classifier}"),
        }
    }

    /// The name of the file that Maven copies for it.
    pub fn file(&self, packaging: &str, classifier: &str) -> String {
        let dash = if classifier.is_empty() { "" } else { "-" };
        format!(
            "{}-{}{dash}{classifier}.{packaging}",
            self.artifact, self.version
        )
    }
}

/// What must behave as before: a library, by its own tests, or a program, by the files that it writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    pub name: String,
    pub coordinates: Coordinates,
    /// More jars for its class path: what its POM leaves out.
    pub more: Vec<String>,
    /// Parts of the names of jars that its POM has and that are left out.
    pub less: Vec<String>,
    /// Whether D8 must desugar it: class files of Java 9 and later use what dex has no form for, such as nests.
    pub desugar: bool,
    /// A regular expression (Java's) of class files in its jars that are data of its tests, and stay what they are.
    pub data: String,
    /// Seconds for a run of all tests, or of the program.
    pub limit: u64,
    pub check: Check,
}

/// How its behaviour is observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    Tests(Tests),
    Runs(Vec<ProgramRun>),
}

/// The tests of a library: a jar of their classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tests {
    pub classifier: String,
    /// Regular expressions (Java's) of names of test classes.
    pub include: String,
    pub exclude: String,
}

/// One run of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramRun {
    /// The class with `main`.
    pub main: String,
    /// Replaced are `{input}`, `{libs}` (the program's other jars), `{jdk}` (Java's folder), `{folder}` (that of
    /// `libraries.toml`) and `{out}` (an empty folder).
    pub arguments: Vec<String>,
    /// What it reads: an artifact, or a file beside `libraries.toml`.
    pub input: Input,
}

/// What a program reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A jar, as it is.
    Jar(Coordinates),
    /// The files of a sources jar.
    Sources(Coordinates),
    /// A file of this folder of the repository.
    File(String),
}

/// All of them, in the file's order.
pub fn all() -> Result<Vec<Subject>> {
    parse(LIST).map_err(|e| format!("libraries.toml: {e}"))
}

/// Those with these names, in the file's order; all for no name.
pub fn named(names: &[&str]) -> Result<Vec<Subject>> {
    let all = all()?;
    if let Some(unknown) = names.iter().find(|n| all.iter().all(|s| s.name != **n)) {
        let known: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
        return Err(format!(
            "unknown library {unknown:?}; there are {}",
            known.join(", ")
        ));
    }
    let wanted = |s: &Subject| names.is_empty() || names.contains(&s.name.as_str());
    Ok(all.into_iter().filter(wanted).collect())
}

fn parse(text: &str) -> Result<Vec<Subject>> {
    let mut table: Table = text.parse().map_err(|e| format!("{e}"))?;
    let mut all = Vec::new();
    for (kind, read) in [
        ("library", tests as fn(&mut Table) -> Result<Check>),
        ("program", runs),
    ] {
        let Some(Value::Array(entries)) = table.remove(kind) else {
            continue;
        };
        for entry in entries {
            let Value::Table(entry) = entry else {
                return Err(format!("[[{kind}]] must be a table"));
            };
            all.push(subject(entry, read)?);
        }
    }
    none_left(&table)?;
    Ok(all)
}

fn subject(mut entry: Table, check: fn(&mut Table) -> Result<Check>) -> Result<Subject> {
    let coordinates = Coordinates::parse(&text(&mut entry, "artifact")?.ok_or("no artifact")?)?;
    let name = text(&mut entry, "name")?.unwrap_or_else(|| coordinates.artifact.clone());
    let read = |entry: &mut Table| -> Result<Subject> {
        Ok(Subject {
            name: name.clone(),
            coordinates,
            more: texts(entry, "more")?,
            less: texts(entry, "less")?,
            data: text(entry, "data")?.unwrap_or_else(|| NOTHING.to_owned()),
            desugar: match entry.remove("desugar") {
                None => false,
                Some(Value::Boolean(on)) => on,
                Some(_) => return Err("desugar must be true or false".to_owned()),
            },
            limit: match entry.remove("limit") {
                None => LIMIT,
                Some(value) => value
                    .as_integer()
                    .and_then(|n| u64::try_from(n).ok())
                    .ok_or("limit must be a number of seconds")?,
            },
            check: check(entry)?,
        })
    };
    let subject = read(&mut entry).and_then(|subject| none_left(&entry).map(|()| subject));
    subject.map_err(|e| format!("{name}: {e}"))
}

fn tests(entry: &mut Table) -> Result<Check> {
    Ok(Check::Tests(Tests {
        classifier: text(entry, "tests")?.unwrap_or_else(|| "tests".to_owned()),
        include: text(entry, "include")?.unwrap_or_else(|| TEST_CLASSES.to_owned()),
        exclude: text(entry, "exclude")?.unwrap_or_else(|| NOTHING.to_owned()),
    }))
}

fn runs(entry: &mut Table) -> Result<Check> {
    let Some(Value::Array(runs)) = entry.remove("run") else {
        return Err("a program needs [[program.run]]".to_owned());
    };
    let run = |run: Value| -> Result<ProgramRun> {
        let Value::Table(mut run) = run else {
            return Err("[[program.run]] must be a table".to_owned());
        };
        let read = ProgramRun {
            main: text(&mut run, "main")?.ok_or("a run needs the class main")?,
            arguments: texts(&mut run, "arguments")?,
            input: input(&mut run)?,
        };
        none_left(&run).map(|()| read)
    };
    Ok(Check::Runs(
        runs.into_iter().map(run).collect::<Result<_>>()?,
    ))
}

fn input(run: &mut Table) -> Result<Input> {
    let jar = text(run, "jar")?;
    let sources = text(run, "sources")?;
    let file = text(run, "file")?;
    match (jar, sources, file) {
        (Some(jar), None, None) => Ok(Input::Jar(Coordinates::parse(&jar)?)),
        (None, Some(sources), None) => Ok(Input::Sources(Coordinates::parse(&sources)?)),
        (None, None, Some(file)) => Ok(Input::File(file)),
        _ => Err("a run needs one of jar, sources and file".to_owned()),
    }
}

fn text(entry: &mut Table, key: &str) -> Result<Option<String>> {
    match entry.remove(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("{key} must be a text")),
    }
}

fn texts(entry: &mut Table, key: &str) -> Result<Vec<String>> {
    let wrong = || format!("{key} must be a list of texts");
    match entry.remove(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(values)) => values
            .iter()
            .map(|v| v.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect(),
        Some(_) => Err(wrong()),
    }
}

fn none_left(table: &Table) -> Result {
    match table.keys().next() {
        None => Ok(()),
        Some(key) => Err(format!("unknown key {key}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read_and_its_names_are_unique() {
        let all = all().unwrap();
        let libraries = all.iter().filter(|s| matches!(s.check, Check::Tests(_)));
        assert!(libraries.count() >= 15);
        for subject in &all {
            let same = all.iter().filter(|other| other.name == subject.name);
            assert_eq!(same.count(), 1, "{}", subject.name);
        }
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_it() {
        let error = parse("[[library]]\nartifact = \"g:a:1\"\nlimt = 3\n").unwrap_err();
        assert_eq!(error, "a: unknown key limt");
    }

    #[test]
    fn a_run_has_exactly_one_input() {
        let text = "[[program]]\nartifact = \"g:a:1\"\n[[program.run]]\nmain = \"M\"\n";
        assert!(parse(text).unwrap_err().contains("one of"));
        let file = format!("{text}file = \"a.kt\"\n");
        let parsed = parse(&file).unwrap();
        let Check::Runs(runs) = &parsed[0].check else {
            panic!("not a program");
        };
        assert_eq!(runs[0].input, Input::File("a.kt".to_owned()));
    }

    #[test]
    fn file_names_are_those_that_maven_copies() {
        let at = Coordinates::parse("g:a:1").unwrap();
        assert_eq!(at.file("jar", "tests"), "a-1-tests.jar");
        assert_eq!(at.file("pom", ""), "a-1.pom");
        assert_eq!(at.with("jar", "tests"), "g:a:1:jar:tests");
    }
}
