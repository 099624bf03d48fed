//! What of an APK shows which `mapping.txt` belongs to it.

use super::super::archive::Archive;
use super::super::dex::{self, Budget, dotted};
use super::super::error::{ApkError, Problem};
use super::super::{Apk, code};
use rustc_hash::FxHashSet;

/// How R8 starts the text that it leaves in each dex file about itself.
const R8: &[u8] = b"~~R8{";

/// What shows which mapping belongs to an APK.
pub struct MappingMark {
    /// R8's id of the mapping, if R8 wrote the APK.
    pub id: Option<String>,
    /// Dotted names of its classes.
    pub classes: FxHashSet<String>,
}

/// Reads the marks of an APK.
///
/// # Errors
/// It cannot be read.
pub fn mapping_mark(apk: &Apk) -> Result<MappingMark, ApkError> {
    read(apk).map_err(|problem| ApkError::new(&apk.file, problem))
}

fn read(apk: &Apk) -> Result<MappingMark, Problem> {
    let mut archive = Archive::open(&apk.file)?;
    let mut mark = MappingMark {
        id: None,
        classes: FxHashSet::default(),
    };
    for file in code::read(apk, &mut archive) {
        let file = file?;
        let parts = file.parts()?;
        let mut budget = Budget::for_bytes(file.bytes.len() as u64);
        for dex in &parts {
            for class in dex::classes(dex, &mut budget) {
                let (_, name) = class.map_err(|why| file.bad(why))?;
                mark.classes.insert(dotted(name));
            }
        }
        let mut about = dex::strings(&parts).filter(|text| match text {
            Ok(text) => text.starts_with(R8),
            Err(_) => true,
        });
        let about = about.next().transpose().map_err(|why| file.bad(why))?;
        let about = about.and_then(|text| serde_json::from_slice(&text[R8.len() - 1..]).ok());
        let about: Option<serde_json::Value> = about;
        let id = about
            .as_ref()
            .and_then(|about| about.get("pg-map-id")?.as_str());
        mark.id = mark.id.or_else(|| id.map(str::to_owned));
    }
    Ok(mark)
}
