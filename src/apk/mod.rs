//! Reading an APK: what the app is, what it declares, what its code can reach.
//!
//! APKs are other people's files. Whatever their bytes say, reading ends in bounded time and memory with an
//! [`Apk`] or with one line that says what is wrong. (The `apk-info` crate was looked at and not taken: it follows
//! resource references and drops element trees by recursion of any depth, which a hostile file turns into an
//! abort, unpacks up to 4 GB, and gives neither launch modes nor the data of intent filters.)

mod api_level;
mod archive;
mod axml;
mod bytes;
mod changed;
mod code;
mod code_map;
mod components;
mod counted;
mod dex;
mod error;
pub mod layout;
mod links;
mod manifest;
mod needs;
mod own_code;
mod reachable;
mod resources;
mod sites;
pub mod splits;
mod strings;
mod system_events;
mod texts;

use crate::util::sha256;
pub use changed::{Build, Changed, ChangedMethod, MappingMark, Names, compare, mapping_mark};
pub use code_map::{Classes, CodeMap};
pub use components::{Activity, Alias, Component, Filter, LaunchMode, Provider};
pub use counted::Counted;
pub use error::{ApkError, Problem};
pub use links::deep_links;
pub use manifest::{Manifest, is_harness};
pub use needs::{Engine, NativeLibrary, Needs, Role, needs};
pub use reachable::reachable_activities;
pub use sites::{ClassSites, MethodSites, Site, SiteKind};
pub use system_events::system_events;
pub use texts::resource_texts;

use std::path::{Path, PathBuf};

/// An app's APK.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apk {
    /// The file.
    pub file: PathBuf,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub content: String,
    /// The file's length.
    pub bytes: u64,
    /// What the app declares.
    pub manifest: Manifest,
    /// Its dex files in the order Android loads them.
    pub dex_files: Vec<String>,
}

impl Apk {
    /// Reads an APK. An error names the file, what is wrong with it and what to do.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ApkError> {
        let path = path.as_ref();
        Self::read(path).map_err(|problem| ApkError::new(path, problem))
    }

    fn read(path: &Path) -> Result<Self, Problem> {
        let mut archive = archive::Archive::open(path)?;
        let name = "AndroidManifest.xml";
        let Some(bytes) = archive.read(name, archive::MANIFEST_LIMIT)? else {
            return Err(archive
                .bundle_kind()
                .map_or(Problem::NoManifest, Problem::Bundle));
        };
        let elements = axml::read(&bytes).map_err(Problem::BadManifest)?;
        // A table that cannot be read costs the app its label, nothing else.
        let table = archive.read("resources.arsc", archive::TABLE_LIMIT);
        let table = match table {
            Ok(table) => table.unwrap_or_default(),
            Err(too_large @ Problem::TooLarge { .. }) => return Err(too_large),
            Err(_) => Vec::new(),
        };
        let manifest = Manifest::read(&elements, &resources::Resources::read(&table))?;
        let dex_files = archive.dex_names();
        if dex_files.is_empty() {
            return Err(Problem::NoDex);
        }
        Ok(Self {
            file: path.to_owned(),
            content: sha256::of_file(path)?,
            bytes: path.metadata()?.len(),
            manifest,
            dex_files,
        })
    }
}

#[cfg(test)]
mod tests;
