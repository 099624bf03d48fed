//! Is this file an app at all? Checked before a Java process is started over it, with words a person understands.

use crate::device::DeviceError;
use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use zip::ZipArchive;

/// No single file in an app is larger.
const ENTRY_LIMIT: u64 = 1 << 30;
/// Nor all of them together.
const TOTAL_LIMIT: u64 = 4 << 30;
/// Text packs 1000 to 1; what claims more lies.
const RATIO_LIMIT: u64 = 1500;
/// Below this size a claim is harmless.
const RATIO_FROM: u64 = 64 << 20;
/// More files than any app has.
const COUNT_LIMIT: usize = 500_000;

/// Refuses what is no app, or what would fill disk or memory.
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
    let mut zip = ZipArchive::new(std::io::BufReader::new(file))
        .map_err(|e| format!("it cannot be read as a zip file, or its end is missing ({e})"))?;
    if zip.len() > COUNT_LIMIT {
        return Err(format!("it claims {} files", zip.len()));
    }
    let mut names = HashSet::new();
    let mut total = 0_u64;
    for ix in 0..zip.len() {
        let entry = zip
            .by_index_raw(ix)
            .map_err(|e| format!("entry {ix} cannot be read ({e})"))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let shown = crate::util::text::for_terminal(&name).into_owned();
        if climbs(&name) {
            return Err(format!("an entry's name leads out of the folder: {shown}"));
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
    for needed in ["AndroidManifest.xml", "classes.dex"] {
        if !names.contains(needed) {
            return Err(format!("there is no {needed} inside"));
        }
    }
    for needed in ["AndroidManifest.xml", "classes.dex"] {
        let mut entry = zip
            .by_name(needed)
            .map_err(|e| format!("{needed} cannot be read ({e})"))?;
        std::io::copy(&mut entry, &mut std::io::sink())
            .map_err(|e| format!("{needed} is damaged ({e})"))?;
    }
    Ok(())
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
        assert!(verdict(&apk(&slip)).contains("leads out"));
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
    fn a_damaged_entry_is_noticed() {
        let mut bytes = apk(&WHOLE);
        // Inside the first entry's packed bytes.
        bytes[52] ^= 0xff;
        assert!(verdict(&bytes).contains("AndroidManifest.xml is damaged"));
    }
}
