//! From a package's files to texts and translations.

use super::{LANGUAGES, Lines, add, arsc, clean, po};
use crate::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of one of the sources.
pub fn read(name: &str, folder: &Path) -> Result<Lines> {
    let mut lines = Lines::default();
    match name {
        "org.robolectric:android-all" => {
            for strings in arsc::read(&bytes(&folder.join("resources.arsc"))?).values() {
                let Some(english) = strings.get("") else {
                    continue;
                };
                add(
                    &mut lines,
                    english,
                    strings.iter().filter(|(language, _)| !language.is_empty()),
                );
            }
        }
        "home-assistant-frontend" => {
            let files = files(&folder.join("hass_frontend/static/translations"), "json");
            catalogues(files, hashed, json_catalogue, &mut lines)?;
        }
        "homeassistant" => {
            let mut own = Lines::default();
            let files = files(&folder.join("homeassistant/components"), "json");
            catalogues(files.clone(), plain, json_catalogue, &mut own)?;
            let shared = shared(&files)?;
            let wanted =
                |line: &String| shared.contains(line.split('\t').next().unwrap_or_default());
            lines.0.extend(own.0.into_iter().filter(wanted));
            lines.1.extend(own.1.into_iter().filter(wanted));
        }
        "kolibri" => {
            let files = files(&folder.join("kolibri/locale"), "json");
            catalogues(files, gettext, json_catalogue, &mut lines)?;
        }
        "org.keycloak:keycloak-themes" => {
            catalogues(
                files(folder, "properties"),
                properties_place,
                properties,
                &mut lines,
            )?;
        }
        "code-server" => {
            let file = folder.join("package/lib/vscode/out/nls.messages.json");
            for text in json(&file)?
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                add(&mut lines, text, std::iter::empty());
            }
        }
        _ => {
            for file in files(folder, "po") {
                let Some(language) = language_of(&file) else {
                    continue;
                };
                let text = String::from_utf8_lossy(&bytes(&file)?).into_owned();
                for (english, translation) in po::read(&text) {
                    add(
                        &mut lines,
                        &english,
                        [(&language, &translation)].into_iter(),
                    );
                }
            }
        }
    }
    Ok(lines)
}

/// Texts by key, in one language.
type Catalogue = BTreeMap<String, String>;

/// Adds catalogues: `place` tells of a file which part of the program and which language it is, `open` reads it.
fn catalogues(
    files: Vec<PathBuf>,
    place: impl Fn(&Path) -> Option<(String, String)>,
    open: impl Fn(&Path) -> Result<Catalogue>,
    lines: &mut Lines,
) -> Result {
    let mut parts: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
    for file in files {
        if let Some((part, language)) = place(&file) {
            let language = language.to_lowercase();
            let language = if language == "no" {
                "nb".to_owned()
            } else {
                language
            };
            parts.entry(part).or_default().push((language, file));
        }
    }
    for files in parts.values() {
        let Some((_, english)) = files.iter().find(|(language, _)| language == "en") else {
            continue;
        };
        let english = open(english)?;
        for (language, file) in files
            .iter()
            .filter(|(l, _)| LANGUAGES.contains(&l.as_str()))
        {
            let translated = open(file)?;
            for (key, text) in &english {
                add(
                    lines,
                    text,
                    translated.get(key).map(|t| (language, t)).into_iter(),
                );
            }
        }
    }
    Ok(())
}

fn text_of(path: &Path) -> Option<&str> {
    path.to_str()
}

/// `PART/LANGUAGE-HASH.json` (Home Assistant's front end).
fn hashed(file: &Path) -> Option<(String, String)> {
    let (language, _) = file.file_stem()?.to_str()?.rsplit_once('-')?;
    Some((text_of(file.parent()?)?.to_owned(), language.to_owned()))
}

/// `PART/LANGUAGE.json` (Home Assistant's core).
fn plain(file: &Path) -> Option<(String, String)> {
    let part = file.parent()?;
    (part.file_name()? == "translations").then_some(())?;
    Some((
        text_of(part)?.to_owned(),
        file.file_stem()?.to_str()?.to_owned(),
    ))
}

/// `LANGUAGE/LC_MESSAGES/PART.json` (Kolibri).
fn gettext(file: &Path) -> Option<(String, String)> {
    let part = file.file_name()?.to_str()?;
    let language = file.parent()?.parent()?.file_name()?.to_str()?;
    let language = language.split(['-', '_']).next()?;
    Some((part.to_owned(), language.to_owned()))
}

/// `PART/messages_LANGUAGE.properties` (Keycloak).
fn properties_place(file: &Path) -> Option<(String, String)> {
    let language = file.file_stem()?.to_str()?.strip_prefix("messages_")?;
    Some((text_of(file.parent()?)?.to_owned(), language.to_owned()))
}

/// The English texts that at least two integrations of Home Assistant show: the others speak of one product, by
/// names that are the same in every language.
fn shared(files: &[PathBuf]) -> Result<BTreeSet<String>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files
        .iter()
        .filter(|f| plain(f).is_some_and(|(_, language)| language == "en"))
    {
        let texts: BTreeSet<String> = json_catalogue(file)?
            .values()
            .filter_map(|text| clean(text))
            .collect();
        for text in texts {
            *counts.entry(text).or_default() += 1;
        }
    }
    Ok(counts
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(text, _)| text)
        .collect())
}

/// A JSON file of texts, however deep.
fn json_catalogue(file: &Path) -> Result<Catalogue> {
    fn walk(value: &Value, key: &str, into: &mut Catalogue) {
        match value {
            Value::String(text) => drop(into.insert(key.to_owned(), text.clone())),
            Value::Object(parts) => {
                for (name, part) in parts {
                    walk(part, &format!("{key}/{name}"), into);
                }
            }
            _ => {}
        }
    }
    let mut catalogue = Catalogue::new();
    walk(&json(file)?, "", &mut catalogue);
    Ok(catalogue)
}

/// Java's properties in UTF-8, `key=text` a line.
fn properties(file: &Path) -> Result<Catalogue> {
    let text = String::from_utf8_lossy(&bytes(file)?).into_owned();
    let entries = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='));
    Ok(entries
        .map(|(key, text)| (key.trim().to_owned(), text.replace("''", "'")))
        .collect())
}

/// `data.noun` and so on: `offset file type count word id ... | gloss`, the words of one meaning. Each is
/// "translated" by each, itself among them, into a language of its own; words no interface shows are left out.
fn wordnet(folder: &Path, known: &BTreeSet<String>) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for part in ["noun", "verb", "adj", "adv"] {
        let file = folder.join(format!("package/dict/data.{part}"));
        let text = String::from_utf8_lossy(&bytes(&file)?).into_owned();
        for line in text.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<_> = line.split(' ').collect();
            let count = fields
                .get(3)
                .and_then(|n| usize::from_str_radix(n, 16).ok());
            let words: Vec<_> = (0..count.unwrap_or(0))
                .filter_map(|n| fields.get(4 + 2 * n))
                // An adjective may say where it stands: `awake(p)`.
                .map(|word| word.split('(').next().unwrap_or(word).to_lowercase())
                .filter(|word| known.contains(word))
                .collect();
            if words.len() > 1 {
                let pairs = words.iter().flat_map(|a| words.iter().map(move |b| (a, b)));
                lines.extend(pairs.map(|(a, b)| format!("{a}\tsyn\t{b}")));
            }
        }
    }
    Ok(lines)
}

/// Words that at least two texts show.
fn known(running: &[String]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in running {
        for word in text
            .split(|c: char| !c.is_ascii_alphabetic())
            .filter(|w| !w.is_empty())
        {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(word, _)| word)
        .collect()
}

/// Synonyms count for so much more than one translation, which stands beside those of thirty other languages.
const SYNONYM_WEIGHT: usize = 8;

/// WordNet's synonyms, as parallel lines, for the words that the texts so far show.
pub fn synonyms(folder: &Path, running: &[String]) -> Result<Vec<String>> {
    let lines = wordnet(folder, &known(running))?;
    let count = SYNONYM_WEIGHT * lines.len();
    Ok(lines.into_iter().cycle().take(count).collect())
}

/// The language in `.../locale/pt_BR/LC_MESSAGES/django.po`.
fn language_of(file: &Path) -> Option<String> {
    let name = file.parent()?.parent()?.file_name()?.to_str()?;
    let language = name.split(['_', '-', '@']).next()?.to_lowercase();
    LANGUAGES.contains(&&*language).then_some(language)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|e| e.ok().map(|e| e.path()))
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

fn json(file: &Path) -> Result<Value> {
    serde_json::from_slice(&bytes(file)?).map_err(|e| format!("{}: {e}", file.display()))
}
