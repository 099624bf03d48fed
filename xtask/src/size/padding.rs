//! Copies of an APK with more dex files in it.

use crate::Result;
use std::fs::{self, File};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Copies `apk` to `to` and appends `dex` as its next `classesN.dex` files. What was there stays where it is, and aligned;
/// the signature is of no use any more, which the jvm device does not mind.
pub fn pad(apk: &Path, dex: &[PathBuf], to: &Path) -> Result {
    let failed = |e: &dyn std::fmt::Display| format!("cannot write {}: {e}", to.display());
    // A copy that was cut off must not look like one.
    let half = to.with_extension("half");
    fs::copy(apk, &half).map_err(|e| failed(&e))?;
    let file = File::options().read(true).write(true).open(&half);
    let mut out = ZipWriter::new_append(file.map_err(|e| failed(&e))?).map_err(|e| failed(&e))?;
    let there = open(apk)?.file_names().filter_map(dex_number).max();
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .last_modified_time(DateTime::default());
    for (file, number) in dex.iter().zip(there.unwrap_or(0) + 1..) {
        let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        out.start_file(dex_name(number), options)
            .map_err(|e| failed(&e))?;
        out.write_all(&bytes).map_err(|e| failed(&e))?;
    }
    out.finish().map_err(|e| failed(&e))?;
    fs::rename(&half, to).map_err(|e| failed(&e))
}

fn open(apk: &Path) -> Result<ZipArchive<BufReader<File>>> {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", apk.display());
    let file = File::open(apk).map_err(|e| failed(&e))?;
    ZipArchive::new(BufReader::new(file)).map_err(|e| failed(&e))
}

/// Unpacks the dex files of an APK, in their order, into a folder as `classesN.dex`.
pub fn dex_files(apk: &Path, to: &Path) -> Result<Vec<PathBuf>> {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", apk.display());
    let mut zip = open(apk)?;
    let mut numbers: Vec<u32> = zip.file_names().filter_map(dex_number).collect();
    numbers.sort_unstable();
    fs::create_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    let mut files = Vec::new();
    for number in numbers {
        let path = to.join(dex_name(number));
        let mut entry = zip.by_name(&dex_name(number)).map_err(|e| failed(&e))?;
        let mut out = File::create(&path).map_err(|e| failed(&e))?;
        std::io::copy(&mut entry, &mut out).map_err(|e| failed(&e))?;
        files.push(path);
    }
    Ok(files)
}

/// Bytes of dex in an APK.
pub fn dex_bytes(apk: &Path) -> Result<u64> {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", apk.display());
    let mut zip = open(apk)?;
    let mut sum = 0;
    for ix in 0..zip.len() {
        let entry = zip.by_index_raw(ix).map_err(|e| failed(&e))?;
        sum += dex_number(entry.name()).map_or(0, |_| entry.size());
    }
    Ok(sum)
}

/// `classes.dex` is number 1.
fn dex_name(number: u32) -> String {
    match number {
        1 => "classes.dex".to_owned(),
        _ => format!("classes{number}.dex"),
    }
}

fn dex_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("classes")?.strip_suffix(".dex")?;
    if number.is_empty() {
        return Some(1);
    }
    let number = number.parse().ok().filter(|number| *number > 1)?;
    // Android does not look for `classes02.dex`.
    (dex_name(number) == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_follows_the_last_dex_file_and_leaves_the_rest_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (apk, to) = (folder.path().join("a.apk"), folder.path().join("b.apk"));
        let mut out = ZipWriter::new(File::create(&apk).unwrap());
        let stored = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .with_alignment(4);
        for (name, text) in [
            ("classes.dex", "one"),
            ("res/a", "stored"),
            ("classes2.dex", "two"),
            ("classes07.dex", "not one of Android's"),
        ] {
            out.start_file(name, stored).unwrap();
            out.write_all(text.as_bytes()).unwrap();
        }
        out.finish().unwrap();
        let dex = ["three", "four"].map(|text| {
            let path = folder.path().join(text);
            fs::write(&path, text).unwrap();
            path
        });
        pad(&apk, &dex, &to).unwrap();
        let files = dex_files(&to, &folder.path().join("dex")).unwrap();
        let texts: Vec<_> = files
            .iter()
            .map(|f| fs::read_to_string(f).unwrap())
            .collect();
        assert_eq!(texts, ["one", "two", "three", "four"]);
        assert_eq!(dex_bytes(&to).unwrap(), 15);
        let mut padded = ZipArchive::new(File::open(&to).unwrap()).unwrap();
        let kept = padded.by_name("res/a").unwrap();
        assert_eq!(kept.compression(), CompressionMethod::Stored);
        assert_eq!(kept.data_start().unwrap() % 4, 0);
    }
}
