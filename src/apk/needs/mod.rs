//! What an app needs of the device that runs it, read from its APK: native libraries, engines, web pages, Compose,
//! Play services, hardware, SDK levels. [`Needs::on_jvm`] judges it against what the jvm device offers.
//!
//! Everything comes from tables (the archive's, the manifest's, the dex files'), none from code paths: what is found
//! is what the app *can* use. It costs little, and it cannot run in circles.

mod code;
mod declared;
mod judge;
mod native;

use super::archive::{Archive, MANIFEST_LIMIT, TABLE_LIMIT};
use super::error::{ApkError, Problem};
use super::{Apk, axml, resources};
pub use native::{Engine, NativeLibrary, Role};
use serde::Serialize;

/// What an app needs. The JSON of `inspect --kind apk`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Needs {
    /// `minSdkVersion`.
    pub min_sdk: Option<u32>,
    /// `targetSdkVersion`.
    pub target_sdk: Option<u32>,
    /// The code name of a preview in place of one of them, if its API level is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Has it an activity that the home screen starts?
    pub launcher: bool,
    /// How many activities it declares.
    pub activities: usize,
    /// Versions of its dex files, each once.
    pub dex_versions: Vec<u32>,
    /// Native libraries, by name.
    pub native: Vec<NativeLibrary>,
    /// Does its code load native libraries?
    pub loads_libraries: bool,
    /// Frameworks that draw the app on their own.
    pub engines: Vec<Engine>,
    /// Does it draw with Jetpack Compose?
    pub compose: bool,
    /// Does it load pages into a `WebView`?
    pub web_view: bool,
    /// Does it take pictures with the camera itself?
    pub camera: bool,
    /// Does it draw with OpenGL?
    pub open_gl: bool,
    /// Does it compute with RenderScript?
    pub render_script: bool,
    /// Parts of Google Play services that it talks to.
    pub play_services: Vec<String>,
    /// Shared libraries without which Android does not install it (`uses-library`).
    pub libraries: Vec<String>,
    /// Hardware without which a store does not offer it (`uses-feature`).
    pub features: Vec<String>,
    /// Is it one part of an app whose other parts (splits) must be installed with it?
    pub splits_required: bool,
}

/// What the app needs.
///
/// # Errors
/// The APK cannot be read any more, or a dex file is damaged.
pub fn needs(apk: &Apk) -> Result<Needs, ApkError> {
    read(apk).map_err(|problem| ApkError::new(&apk.file, problem))
}

fn read(apk: &Apk) -> Result<Needs, Problem> {
    let mut archive = Archive::open(&apk.file)?;
    let mut needs = Needs {
        min_sdk: apk.manifest.min_sdk,
        target_sdk: apk.manifest.target_sdk,
        preview: apk.manifest.preview.clone(),
        launcher: apk.manifest.launcher.is_some(),
        activities: apk.manifest.activities.len(),
        native: native::packed(archive.names()),
        ..Needs::default()
    };
    let manifest = archive.read("AndroidManifest.xml", MANIFEST_LIMIT)?;
    let manifest = axml::read(&manifest.unwrap_or_default()).map_err(Problem::BadManifest)?;
    // Without its table only what the manifest writes out is known.
    let table = archive.read("resources.arsc", TABLE_LIMIT);
    let table = table.ok().flatten().unwrap_or_default();
    declared::add(&mut needs, &manifest, &resources::Resources::read(&table));
    // One file made of all of an app's APKs lacks nothing.
    let merged = archive
        .names()
        .any(|name| name.starts_with(super::splits::FOLDER));
    needs.splits_required &= !merged;
    for file in super::code::read(apk, &mut archive) {
        code::add(&mut needs, &file?)?;
    }
    needs.settle();
    Ok(needs)
}

impl Needs {
    /// Sorted lists, each thing once, whatever the order in the files.
    fn settle(&mut self) {
        let of_libraries = self.native.iter().filter_map(NativeLibrary::engine);
        self.engines.extend(of_libraries);
        self.engines.sort_unstable();
        self.engines.dedup();
        self.dex_versions.sort_unstable();
        self.dex_versions.dedup();
        for list in [
            &mut self.play_services,
            &mut self.libraries,
            &mut self.features,
        ] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

#[cfg(test)]
mod tests;
