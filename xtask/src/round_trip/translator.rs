//! The translator under test: a command with placeholders.

use super::process::{self, Ended};
use super::tools::{self, fingerprint};
use crate::{Result, sh};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The arguments of `dex2class`.
const ARGUMENTS: &str = "--libs {libs} --out {out} {in}";
/// The name of no translation: the harness then compares the reference with itself.
pub const IDENTITY: &str = "identity";
/// For the largest program.
const LIMIT: Duration = Duration::from_secs(1800);

/// Turns dex files into a jar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translator {
    /// Words, of which `{in}` becomes one for each dex file, `{out}` the jar to write, `{libs}` the class path.
    words: Vec<String>,
    /// The program's file name.
    pub name: String,
    /// Stands for the program's content, so that results of another build are not taken for its own.
    pub build: String,
}

impl Translator {
    /// The command of the option `--translator`; the workspace's `dex2class` for none, which is built first.
    pub fn new(template: Option<&str>) -> Result<Self> {
        match template {
            Some(IDENTITY) => Ok(Self {
                words: Vec::new(),
                name: IDENTITY.to_owned(),
                build: String::new(),
            }),
            Some(template) => Self::from_template(template),
            None => Self::from_template(&format!("{} {ARGUMENTS}", build()?.display())),
        }
    }

    fn from_template(template: &str) -> Result<Self> {
        let words: Vec<String> = template.split_whitespace().map(str::to_owned).collect();
        let program = words.first().ok_or("the translator's command is empty")?;
        for part in ["{in}", "{out}"] {
            if !template.contains(part) {
                return Err(format!("the translator's command needs {part}: {template}"));
            }
        }
        let content = fs::read(program).unwrap_or_default();
        Ok(Self {
            name: tools::file_name(Path::new(program)),
            build: fingerprint(&[template.as_bytes(), &content]),
            words,
        })
    }

    /// Whether nothing is translated.
    pub fn is_identity(&self) -> bool {
        self.words.is_empty()
    }

    /// Translates dex files; `libs` are the jars that hold what they refer to. False: it could not translate all of them,
    /// and says what in its output.
    pub fn translate(
        &self,
        dex: &[PathBuf],
        libs: &[&PathBuf],
        out: &Path,
        log: &Path,
    ) -> Result<bool> {
        let _ = fs::remove_file(out);
        let mut words = self.words.iter();
        let program = words.next().ok_or("nothing translates")?;
        let mut command = Command::new(program);
        let libs = tools::joined(libs.iter().copied())?;
        for word in words {
            if word == "{in}" {
                command.args(dex);
            } else {
                let word = word.replace("{out}", &out.display().to_string());
                command.arg(word.replace("{libs}", &libs));
            }
        }
        let ended = process::run(&mut command, LIMIT, log)?;
        match ended {
            Ended::Code(code @ (0 | 1)) if out.exists() => Ok(code == 0),
            Ended::Code(0) => Err(format!("{} did not write {}", self.name, out.display())),
            _ => Err(format!(
                "{} ended with {ended:?}; see {}",
                self.name,
                log.display()
            )),
        }
    }
}

/// Builds the workspace's translator, optimised, and gives the path of its binary.
pub fn build() -> Result<PathBuf> {
    sh::show(sh::cargo().args(["build", "--quiet", "--release", "--package", "dex2class"]))?;
    let name = format!("dex2class{}", env::consts::EXE_SUFFIX);
    let binary = sh::target().join("release").join(name);
    if binary.exists() {
        Ok(binary)
    } else {
        Err(format!("{} is missing after its build", binary.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_must_say_where_its_input_and_output_go() {
        let error = Translator::from_template("tool {in}").unwrap_err();
        assert!(error.contains("{out}"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn each_dex_file_is_a_word_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let script = file("tool.sh");
        fs::write(&script, "out=$1; shift; echo \"$#:$*\" > \"$out\"\n").unwrap();
        let template = format!("sh {} {{out}} --libs {{libs}} {{in}}", script.display());
        let translator = Translator::from_template(&template).unwrap();
        let dex = [PathBuf::from("/a b.dex"), PathBuf::from("/c.dex")];
        let libs = [PathBuf::from("/l.jar"), PathBuf::from("/m.jar")];
        let libs: Vec<&PathBuf> = libs.iter().collect();
        let (out, log) = (file("out.jar"), file("log"));
        assert_eq!(translator.translate(&dex, &libs, &out, &log), Ok(true));
        let said = fs::read_to_string(&out).unwrap();
        assert_eq!(said, "4:--libs /l.jar:/m.jar /a b.dex /c.dex\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_translator_that_writes_nothing_has_failed() {
        let folder = tempfile::tempdir().unwrap();
        let translator = Translator::from_template("true {in} {out}").unwrap();
        let (out, log) = (folder.path().join("out.jar"), folder.path().join("log"));
        let error = translator.translate(&[], &[], &out, &log).unwrap_err();
        assert!(error.contains("did not write"), "{error}");
    }
}
