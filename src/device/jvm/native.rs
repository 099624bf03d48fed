//! Unpacks Robolectric's native runtime once, so that a process start need not.
//!
//! Its jar packs 190 MB of fonts, which Robolectric copies to a temporary folder at every start (a
//! quarter of the time to the first page), and libraries for other systems. Here the fonts go into a
//! separate folder that a property names to Robolectric, and the rest into an uncompressed jar.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The start of the jar's name.
pub(super) const JAR: &str = "nativeruntime-dist-compat-";
/// The folder of fonts, in the jar and beside it.
pub const FONTS: &str = "fonts";

/// Unpacks the native runtime among these libraries, if there is one.
pub fn lay_out(libraries: &Path) -> io::Result<()> {
    let jar = fs::read_dir(libraries)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            name.is_some_and(|n| n.starts_with(JAR) && n.ends_with(".jar"))
        });
    match jar {
        Some(jar) => rewrite(&jar, &libraries.join(FONTS)),
        None => Ok(()),
    }
}

fn rewrite(jar: &Path, fonts: &Path) -> io::Result<()> {
    let slim = jar.with_extension("slim");
    let mut from = ZipArchive::new(File::open(jar)?)?;
    let mut to = ZipWriter::new(io::BufWriter::new(File::create(&slim)?));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    fs::create_dir_all(fonts)?;
    for ix in 0..from.len() {
        let mut entry = from.by_index(ix)?;
        let name = entry.name().to_owned();
        if entry.is_dir() || foreign(&name) {
            continue;
        }
        if let Some(font) = font_name(&name) {
            io::copy(&mut entry, &mut File::create(fonts.join(font))?)?;
        } else {
            to.start_file(name, stored)?;
            io::copy(&mut entry, &mut to)?;
        }
    }
    to.finish()?;
    fs::rename(slim, jar)
}

/// A font's file name.
fn font_name(entry: &str) -> Option<PathBuf> {
    let name = entry.strip_prefix(FONTS)?.strip_prefix('/')?;
    (!name.contains(['/', '\\']) && !name.contains("..")).then(|| name.into())
}

/// A library for another system?
fn foreign(entry: &str) -> bool {
    let os = match std::env::consts::OS {
        "macos" => "mac",
        other => other,
    };
    let here = format!("native/{os}/{}/", std::env::consts::ARCH);
    entry.starts_with("native/") && !entry.starts_with(&here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn fonts_go_into_a_folder_and_foreign_libraries_go() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("nativeruntime-dist-compat-1.jar");
        let mut zip = ZipWriter::new(File::create(&jar).unwrap());
        for name in ["fonts/a.ttf", "icu/i.dat", "native/beos/mips/x.so"] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(name.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        lay_out(folder.path()).unwrap();
        let font = fs::read(folder.path().join("fonts/a.ttf")).unwrap();
        assert_eq!(font, b"fonts/a.ttf");
        let slim = ZipArchive::new(File::open(&jar).unwrap()).unwrap();
        assert_eq!(slim.file_names().collect::<Vec<_>>(), ["icu/i.dat"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
