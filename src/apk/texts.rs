//! The texts of an app's resources: its string pools, and those of its layouts and other XML files.

use super::ApkError;
use super::archive::{Archive, TABLE_LIMIT};
use super::strings;
use crate::util::hash::of_bytes;
use rustc_hash::FxHashSet;

/// The largest XML resource looked into, and all of them together.
const XML_LIMIT: u64 = 4 << 20;
const ALL_XML_LIMIT: usize = 64 << 20;

/// Hashes of all texts of an app's resources, in every language.
///
/// # Errors
/// The APK cannot be read any more.
pub fn resource_texts(apk: &std::path::Path) -> Result<FxHashSet<u64>, ApkError> {
    let mut archive = Archive::open(apk).map_err(|problem| ApkError::new(apk, problem))?;
    let mut texts = FxHashSet::default();
    each_text(&mut archive, |text| {
        texts.insert(of_bytes(text.as_bytes()));
    });
    Ok(texts)
}

/// Goes through the texts of the app's resources. Those that cannot be read name nothing.
pub(super) fn each_text(archive: &mut Archive, mut see: impl FnMut(&str)) {
    let mut size = 0;
    for name in archive.xml_names() {
        if let Ok(Some(bytes)) = archive.read(&name, XML_LIMIT) {
            size += bytes.len();
            if size > ALL_XML_LIMIT {
                break;
            }
            strings::each(&bytes, &mut see);
        }
    }
    if let Ok(Some(table)) = archive.read("resources.arsc", TABLE_LIMIT) {
        strings::each(&table, &mut see);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_resources_of_a_real_app_name_its_static_texts_and_no_others() {
        let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apps/notes");
        let read = |path: &str| fs::read_to_string(app.join(path)).unwrap();
        let texts = resource_texts(&app.join("notes.apk")).unwrap();
        let has = |text: &str| texts.contains(&of_bytes(text.as_bytes()));

        // The resource table.
        let strings = read("res/values/strings.xml");
        let declared = strings.lines().filter_map(|line| {
            let (_, text) = line.split_once("\">")?;
            Some(text.split_once("</string>")?.0)
        });
        let declared: Vec<_> = declared.collect();
        assert!(declared.len() > 80, "{declared:?}");
        for text in declared {
            assert!(has(text), "{text:?} is missing");
        }
        // A text that only a layout has.
        assert!(read("res/layout/wizard.xml").contains("android:text=\"1\""));
        assert!(has("1"));

        // Texts that the app stores, or makes of others.
        for (file, made, text) in [
            ("NoteStore", "\"Welcome\"", "Welcome"),
            ("WizardActivity", "R.string.step, step", "Step 1 of 5"),
            ("DetailActivity", "R.string.words, words", "3 words"),
            ("BoardsActivity", "R.string.app_name) + \": \"", "Notes: 2"),
        ] {
            let source = read(&format!("src/org/droidtest/notes/{file}.java"));
            assert!(source.contains(made), "{file} no longer makes {text:?}");
            assert!(!has(text), "{text:?} is in the resources");
        }
    }
}
