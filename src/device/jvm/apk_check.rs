//! Validates an APK before a Java process is started for it, with readable errors.

use crate::apk::layout;
use crate::device::DeviceError;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;
use zip::ZipArchive;

/// Limit on one file in an app.
const ENTRY_LIMIT: u64 = 1 << 30;
/// Limit on all of them together.
const TOTAL_LIMIT: u64 = 4 << 30;
/// Limit on the compression ratio; text compresses 1000 to 1.
const RATIO_LIMIT: u64 = 1500;
/// Required entries.
const NEEDED: [&str; 2] = ["AndroidManifest.xml", "classes.dex"];
/// Sizes below this are harmless.
const RATIO_FROM: u64 = 64 << 20;

/// Rejects a file that is not an app, or would fill disk or memory.
pub fn check(apk: &Path) -> Result<(), DeviceError> {
    examine(apk)
        .map_err(|why| DeviceError::Launch(format!("{} is not a usable APK: {why}", apk.display())))
}

fn examine(apk: &Path) -> Result<(), String> {
    let file = File::open(apk).map_err(|e| e.to_string())?;
    let length = file.metadata().map_err(|e| e.to_string())?.len();
    if length == 0 {
        return Err("it is empty".to_owned());
    }
    let mut zip = ZipArchive::new(BufReader::new(file))
        .map_err(|e| format!("it cannot be read as a zip file, or its end is missing ({e})"))?;
    layout::check(apk).map_err(|why| format!("it {why}"))?;
    let mut names = HashSet::new();
    let mut total = 0_u64;
    for ix in 0..zip.len() {
        let entry = zip
            .by_index_raw(ix)
            .map_err(|e| format!("entry {ix} cannot be read ({e})"))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let shown = crate::util::text::for_terminal(&name).into_owned();
        if climbs(&name) {
            return Err(format!("an entry's path leaves its folder: {shown}"));
        }
        let (size, packed) = (entry.size(), entry.compressed_size());
        let lies = size > RATIO_FROM && size / packed.max(1) > RATIO_LIMIT;
        if size > ENTRY_LIMIT || lies {
            return Err(format!("{shown} claims {size} bytes"));
        }
        if packed > length {
            return Err(format!("{shown} claims more bytes than the file has"));
        }
        total = total.saturating_add(size);
        names.insert(name);
    }
    if total > TOTAL_LIMIT {
        return Err(format!("its files claim {total} bytes together"));
    }
    for needed in NEEDED {
        if !names.contains(needed) {
            return Err(format!("it contains no {needed}"));
        }
    }
    let mut left = TOTAL_LIMIT;
    for ix in 0..zip.len() {
        left = unpack(&mut zip, ix, left)?;
    }
    Ok(())
}

/// Unpacks an entry without storing it, as its declared size may be false. Returns the rest of the byte limit.
fn unpack(zip: &mut ZipArchive<BufReader<File>>, ix: usize, left: u64) -> Result<u64, String> {
    let entry = zip.by_index_raw(ix);
    let entry = entry.map_err(|e| format!("entry {ix} cannot be read ({e})"))?;
    let needed = NEEDED.contains(&entry.name());
    let shown = crate::util::text::for_terminal(entry.name()).into_owned();
    let claimed = entry.size();
    drop(entry);
    let limit = claimed.min(left);
    let unpacked = zip.by_index(ix).map_err(io::Error::from).and_then(|entry| {
        let mut entry = entry.take(limit.saturating_add(1));
        io::copy(&mut entry, &mut io::sink())
    });
    match unpacked {
        Ok(bytes) if bytes > left => Err(format!(
            "its files have more than {TOTAL_LIMIT} bytes together"
        )),
        Ok(bytes) if bytes > claimed => Err(format!(
            "{shown} unpacks to more than the {claimed} bytes it claims"
        )),
        Ok(bytes) => Ok(left - bytes),
        // Other damaged entries are ignored, as nothing can unpack them.
        Err(e) if needed => Err(format!("{shown} is damaged ({e})")),
        Err(_) => Ok(left.saturating_sub(limit)),
    }
}

/// Would unpacking this name leave the target folder?
fn climbs(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    name.starts_with(['/', '\\']) || drive || name.split(['/', '\\']).any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::write::{SimpleFileOptions, ZipWriter};

    fn apk(names: &[&str]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&[7; 3000]).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn verdict(bytes: &[u8]) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        check(file.path()).map_or_else(|e| e.to_string(), |()| "good".to_owned())
    }

    const WHOLE: [&str; 3] = ["AndroidManifest.xml", "classes.dex", "res/a.xml"];

    #[test]
    fn an_app_passes() {
        assert_eq!(verdict(&apk(&WHOLE)), "good");
    }

    #[test]
    fn each_kind_of_broken_file_says_what_is_wrong() {
        let whole = apk(&WHOLE);
        assert!(verdict(b"").contains("empty"));
        assert!(verdict(b"no zip at all").contains("zip file"));
        assert!(verdict(&whole[..whole.len() - 30]).contains("end is missing"));
        assert!(verdict(&apk(&WHOLE[1..])).contains("no AndroidManifest.xml"));
        assert!(verdict(&apk(&WHOLE[..1])).contains("no classes.dex"));
        let mut slip = WHOLE.to_vec();
        slip.push("../../etc/cron.d/x");
        assert!(verdict(&apk(&slip)).contains("leaves its folder"));
    }

    #[test]
    fn a_claim_of_four_gigabytes_is_refused() {
        let mut bytes = apk(&WHOLE);
        let directory = bytes
            .windows(4)
            .position(|w| w == b"PK\x01\x02")
            .expect("a central directory");
        bytes[directory + 24..directory + 28].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
        assert!(
            verdict(&bytes).contains("claims 4294967280 bytes"),
            "{}",
            verdict(&bytes)
        );
    }

    #[test]
    fn what_unpacks_to_more_than_it_claims_is_refused() {
        let mut bytes = apk(&WHOLE);
        // The third entry, whose content is not needed here: in both headers 3000 becomes 30.
        for (mark, at) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
            let header = bytes.windows(4).rposition(|w| w == mark).unwrap();
            bytes[header + at..header + at + 4].copy_from_slice(&30_u32.to_le_bytes());
        }
        let why = verdict(&bytes);
        assert!(
            why.contains("res/a.xml unpacks to more than the 30 bytes"),
            "{why}"
        );
    }

    #[test]
    fn entries_that_share_bytes_are_refused_and_the_cache_keeps_nothing() {
        use crate::device::jvm::cache::Cache;
        use crate::device::progress::Watch;
        let mut bytes = apk(&WHOLE);
        // The third entry's place becomes the second's.
        let places: Vec<_> = (0..bytes.len() - 4)
            .filter(|&at| bytes[at..].starts_with(b"PK\x01\x02"))
            .map(|at| at + 42)
            .collect();
        bytes.copy_within(places[1]..places[1] + 4, places[2]);
        let why = verdict(&bytes);
        assert!(
            why.contains("overlapping entries (classes.dex and res/a.xml)"),
            "{why}"
        );
        let folder = tempfile::tempdir().unwrap();
        let (file, cache) = (
            folder.path().join("a.apk"),
            Cache::at(folder.path().join("c")),
        );
        std::fs::write(&file, bytes).unwrap();
        let kept = cache.ensure("apps/a", &Watch::silent(), |to| {
            std::fs::write(to.join("app.jar"), "half")?;
            check(&file)
        });
        assert!(kept.is_err() && cache.find("apps/a").is_none());
        let left = std::fs::read_dir(folder.path().join("c/apps")).unwrap();
        assert_eq!(left.count(), 0);
    }

    /// Set `DROIDTEST_APKS` to a folder of real apps.
    #[test]
    fn real_apps_pass() {
        let Some(folder) = std::env::var_os("DROIDTEST_APKS") else {
            return;
        };
        let refused: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|file| file.extension().is_some_and(|e| e == "apk"))
            .filter_map(|file| check(&file).err())
            .map(|error| error.to_string())
            .collect();
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }

    #[test]
    fn a_damaged_entry_is_noticed() {
        let mut bytes = apk(&WHOLE);
        // Inside the first entry's packed bytes.
        bytes[52] ^= 0xff;
        assert!(verdict(&bytes).contains("AndroidManifest.xml is damaged"));
    }
}
