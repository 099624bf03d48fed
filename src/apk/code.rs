//! All dex files of an app, unpacked and checked.

use super::Apk;
use super::archive::{Archive, DEX_LIMIT};
use super::dex;
use super::error::Problem;
use dex2class::dex::{Dex, DexError};

/// All dex files together; an app of that size does not exist.
const ALL_DEX_LIMIT: u64 = 512 << 20;

/// One dex file of the app.
pub(super) struct DexFile<'a> {
    pub name: &'a str,
    pub bytes: Vec<u8>,
}

impl DexFile<'_> {
    /// What it holds: itself, or the parts of a container.
    ///
    /// # Errors
    /// It is damaged, or of a future version.
    pub fn parts(&self) -> Result<Vec<Dex<'_>>, Problem> {
        dex::open(self.name, &self.bytes)
    }

    /// A problem of this file.
    pub fn bad(&self, why: DexError) -> Problem {
        dex::bad(self.name, why)
    }
}

/// The dex files in the order Android loads them, unpacked one at a time.
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
        Ok(DexFile { name, bytes })
    })
}
