//! All dex files of an app, unpacked and checked.

use super::Apk;
use super::archive::{Archive, DEX_LIMIT};
use super::dex_check;
use super::error::Problem;

/// All dex files together; an app of that size does not exist.
const ALL_DEX_LIMIT: u64 = 512 << 20;

/// One dex file of the app.
pub(super) struct DexFile<'a> {
    pub name: &'a str,
    pub version: u32,
    pub bytes: Vec<u8>,
}

/// The dex files in the order Android loads them, unpacked one at a time; an error where one is damaged.
pub(super) fn read<'a>(
    apk: &'a Apk,
    archive: &mut Archive,
) -> impl Iterator<Item = Result<DexFile<'a>, Problem>> {
    let mut size = 0;
    apk.dex_files.iter().map(move |name| {
        let bytes = archive.read(name, DEX_LIMIT)?.ok_or(Problem::NoDex)?;
        size += bytes.len() as u64;
        if size > ALL_DEX_LIMIT {
            return Err(Problem::TooLarge {
                entry: name.clone(),
                claimed: size,
                limit: ALL_DEX_LIMIT,
            });
        }
        Ok(DexFile {
            name,
            version: dex_check::check(name, &bytes)?,
            bytes,
        })
    })
}
