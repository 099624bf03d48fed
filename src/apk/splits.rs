//! An app in several APKs (a base and its splits), made one file that the jvm device reads.
//!
//! The file is the base with the splits' code, native libraries and other files in it. Resources and assets stay in
//! APKs of their own, below [`FOLDER`]: Android looks resources up in all of an app's APKs, and so does the device.

use super::archive::{Archive, MANIFEST_LIMIT};
use super::axml;
use super::error::{ApkError, Problem};
use super::manifest::Manifest;
use super::resources::Resources;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Where the splits' resources and assets are in the file.
pub const FOLDER: &str = "droidtest-splits/";
/// Bytes of all APKs taken out of a set.
const MOST: u64 = 2 << 30;
/// More splits than any app has.
const MOST_SPLITS: usize = 500;

/// One of an app's APKs.
struct Part {
    file: PathBuf,
    /// None for the base.
    split: Option<String>,
    package: String,
}

/// An app's APKs. Those of a set are unpacked into a folder that goes with this.
pub struct Parts {
    base: Part,
    splits: Vec<Part>,
    _unpacked: Option<tempfile::TempDir>,
}

impl Parts {
    /// What this names: nothing if it is one APK without splits, which needs no merging.
    ///
    /// # Errors
    /// A set or a folder without a base or with two, a split of another app, files that cannot be read.
    pub fn of(path: &Path, splits: &[PathBuf]) -> Result<Option<Self>, ApkError> {
        if path.is_dir() {
            let mut files = in_folder(path).map_err(|e| ApkError::new(path, e.into()))?;
            files.extend_from_slice(splits);
            return Self::sorted(path, files, None).map(Some);
        }
        if let Some((folder, mut files)) = unpack(path)? {
            files.extend_from_slice(splits);
            return Self::sorted(path, files, Some(folder)).map(Some);
        }
        if splits.is_empty() {
            return Ok(None);
        }
        let mut files = vec![path.to_owned()];
        files.extend_from_slice(splits);
        Self::sorted(path, files, None).map(Some)
    }

    fn sorted(
        path: &Path,
        files: Vec<PathBuf>,
        unpacked: Option<tempfile::TempDir>,
    ) -> Result<Self, ApkError> {
        let wrong = |problem| ApkError::new(path, problem);
        if files.len() > MOST_SPLITS {
            return Err(wrong(Problem::ManySplits(files.len())));
        }
        let (mut base, mut splits) = (None, BTreeMap::new());
        for file in files {
            let part = match (part(&file), &unpacked) {
                (Err(error), Some(_)) => {
                    return Err(wrong(Problem::InSet {
                        entry: name(&file),
                        problem: Box::new(error.problem),
                    }));
                }
                (part, _) => part?,
            };
            match &part.split {
                None if base.is_some() => return Err(wrong(Problem::TwoBases(name(&file)))),
                None => base = Some(part),
                // Of a split that a set has for several Android versions, the last is for the newest.
                Some(split) => drop(splits.insert(split.clone(), part)),
            }
        }
        let base = base.ok_or_else(|| wrong(Problem::NoBase))?;
        if let Some(other) = splits.values().find(|part| part.package != base.package) {
            return Err(wrong(Problem::OtherPackage {
                split: name(&other.file),
                package: other.package.clone(),
                base: base.package,
            }));
        }
        Ok(Self {
            base,
            splits: splits.into_values().collect(),
            _unpacked: unpacked,
        })
    }

    /// The APKs, the base first.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let parts = [&self.base].into_iter().chain(&self.splits);
        parts.map(|part| part.file.as_path())
    }

    /// Writes them as one file.
    ///
    /// # Errors
    /// One of them is damaged, or the file cannot be written.
    pub fn merge(&self, to: &Path) -> Result<(), ApkError> {
        let written = |e: ZipError| ApkError::new(to, io::Error::from(e).into());
        let file = File::create(to).map_err(|e| ApkError::new(to, e.into()))?;
        let mut out = Merged {
            zip: ZipWriter::new(BufWriter::new(file)),
            names: HashSet::new(),
            dexes: 0,
        };
        for part in [&self.base].into_iter().chain(&self.splits) {
            let damaged = |e: ZipError| {
                let why = e.to_string();
                let entry = "content".to_owned();
                ApkError::new(&part.file, Problem::Damaged { entry, why })
            };
            let mut zip = open(&part.file).map_err(damaged)?;
            out.add(part, &mut zip).map_err(damaged)?;
        }
        let mut file = out.zip.finish().map_err(written)?;
        file.flush().map_err(|e| ApkError::new(to, e.into()))
    }
}

struct Merged<W: Write + io::Seek> {
    zip: ZipWriter<W>,
    names: HashSet<String>,
    /// Dex files so far.
    dexes: usize,
}

impl<W: Write + io::Seek> Merged<W> {
    fn add(&mut self, part: &Part, zip: &mut ZipArchive<BufReader<File>>) -> Result<(), ZipError> {
        let mut own = ZipWriter::new(io::Cursor::new(Vec::new()));
        let mut resources = false;
        for dex in dexes(zip) {
            self.dexes += 1;
            let name = match self.dexes {
                1 => "classes.dex".to_owned(),
                n => format!("classes{n}.dex"),
            };
            self.names.insert(name.clone());
            self.zip.raw_copy_file_rename(zip.by_name(&dex)?, name)?;
        }
        for ix in 0..zip.len() {
            let entry = zip.by_index_raw(ix)?;
            let name = entry.name().to_owned();
            let is_dex = !name.contains('/') && name.ends_with(".dex");
            if entry.is_dir() || is_dex || part.split.is_some() && of_signature(&name) {
                continue;
            }
            let own_kind = ["AndroidManifest.xml", "resources.arsc"].contains(&name.as_str())
                || name.starts_with("res/")
                || name.starts_with("assets/");
            if part.split.is_some() && own_kind {
                resources |= name != "AndroidManifest.xml";
                own.raw_copy_file(entry)?;
            } else if self.names.insert(name) {
                self.zip.raw_copy_file(entry)?;
            }
        }
        if let (Some(split), true) = (&part.split, resources) {
            let stored = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .last_modified_time(zip::DateTime::default());
            let name = format!("{FOLDER}{}.apk", file_name(split));
            self.zip.start_file(name, stored)?;
            self.zip.write_all(&own.finish()?.into_inner())?;
        }
        Ok(())
    }
}

fn open(file: &Path) -> Result<ZipArchive<BufReader<File>>, ZipError> {
    ZipArchive::new(BufReader::new(File::open(file)?))
}

fn dexes(zip: &ZipArchive<BufReader<File>>) -> Vec<String> {
    let later = (2..).map(|n| format!("classes{n}.dex"));
    let all = std::iter::once("classes.dex".to_owned()).chain(later);
    all.take_while(|name| zip.index_for_name(name).is_some())
        .collect()
}

fn of_signature(name: &str) -> bool {
    let ending = |of: &[&str]| of.iter().any(|ending| name.ends_with(ending));
    name.starts_with("META-INF/") && ending(&[".SF", ".RSA", ".DSA", ".EC", ".MF"])
}

/// A split's name as one of a file: it is the app's text.
fn file_name(split: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name = split.chars().map(|c| if plain(c) { c } else { '_' });
    name.take(100).collect::<String>().replace("..", "_")
}

fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    crate::util::text::for_terminal(&name).into_owned()
}

fn in_folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "apk") && file.is_file());
    files.sort();
    Ok(files)
}

/// The APKs of a set (`.apks`, `.xapk`, `.apkm`), unpacked; nothing if the file is not a set.
fn unpack(path: &Path) -> Result<Option<(tempfile::TempDir, Vec<PathBuf>)>, ApkError> {
    let wrong = |problem| ApkError::new(path, problem);
    let mut archive = match Archive::open(path) {
        Ok(archive) => archive,
        // Whoever reads it as an APK says what is wrong.
        Err(_) => return Ok(None),
    };
    if archive.has("AndroidManifest.xml") || archive.has("BundleConfig.pb") {
        return Ok(None);
    }
    let mut names: Vec<String> = archive.names().map(str::to_owned).collect();
    names.retain(|name| name.ends_with(".apk"));
    // What `bundletool build-apks` writes: one APK for all devices, or splits next to APKs for old ones.
    let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    if let Some(universal) = names.iter().find(|name| last(name) == "universal.apk") {
        names = vec![universal.clone()];
    } else if names.iter().any(|name| name.starts_with("splits/")) {
        names.retain(|name| name.starts_with("splits/"));
        newest(&mut names);
    }
    if names.is_empty() {
        return Ok(None);
    }
    if names.len() > MOST_SPLITS {
        return Err(wrong(Problem::ManySplits(names.len())));
    }
    let folder = tempfile::tempdir().map_err(|e| wrong(e.into()))?;
    let mut files = Vec::new();
    let mut left = MOST;
    names.sort();
    for (ix, entry) in names.iter().enumerate() {
        let bytes = archive.read(entry, left).map_err(wrong)?;
        left -= bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        // Two of a set may have the same name, in separate folders.
        let own = folder.path().join(ix.to_string());
        fs::create_dir(&own).map_err(|e| wrong(e.into()))?;
        let file = own.join(file_name(&last(entry)));
        fs::write(&file, bytes.unwrap_or_default()).map_err(|e| wrong(e.into()))?;
        files.push(file);
    }
    Ok(Some((folder, files)))
}

/// `base-master_2.apk` is for newer versions of Android than `base-master.apk`: of each the highest number stays.
fn newest(names: &mut Vec<String>) {
    let mut best: BTreeMap<String, (u32, String)> = BTreeMap::new();
    for name in names.drain(..) {
        let stem = name.trim_end_matches(".apk");
        let (stem, number) = match stem.rsplit_once('_') {
            Some((stem, number)) if number.parse::<u32>().is_ok() => {
                (stem.to_owned(), number.parse().unwrap_or(1))
            }
            _ => (stem.to_owned(), 1),
        };
        if best.get(&stem).is_none_or(|(known, _)| *known < number) {
            best.insert(stem, (number, name));
        }
    }
    names.extend(best.into_values().map(|(_, name)| name));
}

/// Whether a file is the split of an app.
pub fn is_split(file: &Path) -> bool {
    part(file).is_ok_and(|part| part.split.is_some())
}

/// Whether a file is an app bundle (`.aab`).
pub fn is_bundle(file: &Path) -> bool {
    Archive::open(file)
        .is_ok_and(|archive| archive.has("BundleConfig.pb") && !archive.has("AndroidManifest.xml"))
}

fn part(file: &Path) -> Result<Part, ApkError> {
    let read = || {
        let mut archive = Archive::open(file)?;
        let bytes = archive
            .read("AndroidManifest.xml", MANIFEST_LIMIT)?
            .ok_or(Problem::NoManifest)?;
        let elements = axml::read(&bytes).map_err(Problem::BadManifest)?;
        let resources = Resources::read(&[]);
        let package = match elements[0].attribute(0, "package") {
            Some(axml::Value::Text(package)) => package.to_string(),
            _ => String::new(),
        };
        match Manifest::read(&elements, &resources) {
            Ok(_) => Ok((package, None)),
            Err(Problem::Split(split)) => Ok((package, Some(split))),
            Err(other) => Err(other),
        }
    };
    let (package, split) = read().map_err(|problem| ApkError::new(file, problem))?;
    Ok(Part {
        file: file.to_owned(),
        split,
        package,
    })
}

#[cfg(test)]
#[path = "splits_tests.rs"]
mod tests;
