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
