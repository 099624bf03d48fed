//! From a package's files to texts and translations.

use super::catalogue::{self, Catalogue, json_catalogue, properties, script};
use super::{LANGUAGES, Lines, NAME, add, arsc, clean, pak, po, sources, vscode};
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
        "@strapi/admin" => {
            let folder = folder.join("package/dist/admin/admin/src/translations");
            catalogues(files(&folder, "js"), stem, script, &mut lines)?;
        }
        "code-server" => {
            for (key, text) in &vscode::english(folder)? {
                named(&mut lines, key, text);
            }
        }
        sources::CHROMIUM => {
            let files = files(&folder.join("locales"), "pak");
            let place = |file: &Path| Some((String::new(), pak::language(file)?));
            let open = |file: &Path| Ok(pak::read(&bytes(file)?));
            // Its texts have numbers where others have names, which `add` leaves out as it does all without letters.
            catalogues(files, place, open, &mut lines)?;
        }
        pack if pack.starts_with(vscode::PACK) => {
            let english = vscode::english(&sources::folder_of("code-server", folder)?)?;
            let language = pack.trim_start_matches(vscode::PACK).split('-').next();
            let language = language.unwrap_or_default().to_owned();
            for (key, text) in &vscode::pack(folder)? {
                if let Some(english) = english.get(key) {
                    add(&mut lines, english, [(&language, text)].into_iter());
                }
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

/// Adds catalogues: `place` reports a file which part of the program and which language it is, `open` reads it.
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
        for (key, text) in &english {
            named(lines, key, text);
        }
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

/// Adds an English text and the name that its key gives it.
fn named(lines: &mut Lines, key: &str, text: &str) {
    let name = catalogue::name(key);
    add(lines, text, [(&NAME.to_owned(), &name)].into_iter());
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

/// `PART/LANGUAGE.json.js` and `PART/LANGUAGE-COUNTRY.json.js` (Strapi).
fn stem(file: &Path) -> Option<(String, String)> {
    let language = file.file_name()?.to_str()?.strip_suffix(".json.js")?;
    let language = language.split('-').next()?;
    Some((text_of(file.parent()?)?.to_owned(), language.to_owned()))
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

pub fn bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

pub fn json(file: &Path) -> Result<Value> {
    serde_json::from_slice(&bytes(file)?).map_err(|e| format!("{}: {e}", file.display()))
}
