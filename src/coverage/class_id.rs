//! The ids by which JaCoCo knows classes: a CRC-64 of the class file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The largest class file allowed by its format is smaller.
const CLASS_LIMIT: u64 = 64 << 20;

const TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut value = i as u64;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 {
                (value >> 1) ^ 0xd800_0000_0000_0000
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[i] = value;
        i += 1;
    }
    table
};

fn update(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| {
        (sum >> 8) ^ TABLE[usize::from(sum as u8 ^ byte)]
    })
}

/// JaCoCo's id of a class file. (Java 9's version counts as Java 8's, as JaCoCo has it.)
pub fn class_id(class_file: &[u8]) -> u64 {
    match class_file.get(6..8) {
        Some([0x00, 0x35]) => {
            let sum = update(update(0, &class_file[..7]), &[0x34]);
            update(sum, &class_file[8..])
        }
        _ => update(0, class_file),
    }
}

/// The ids of all classes of an app, by internal name.
#[derive(Clone, Debug, Default)]
pub struct ClassIds(HashMap<String, u64>);

impl ClassIds {
    /// Those of a jar's or a class folder's class files. Of two files for one class the first counts.
    pub fn of(classes: &Path) -> io::Result<Self> {
        let mut ids = Self::default();
        if classes.is_dir() {
            ids.add_folder(classes, "")?;
        } else {
            ids.add_jar(classes)?;
        }
        Ok(ids)
    }

    /// The id of a class.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// Adds those of another jar or folder.
    pub fn extend(&mut self, other: Self) {
        for (name, id) in other.0 {
            self.0.entry(name).or_insert(id);
        }
    }

    fn add_jar(&mut self, jar: &Path) -> io::Result<()> {
        let mut zip = zip::ZipArchive::new(BufReader::new(File::open(jar)?))?;
        let mut bytes = Vec::new();
        for ix in 0..zip.len() {
            let entry = zip.by_index(ix)?;
            let Some(name) = entry.name().strip_suffix(".class").map(str::to_owned) else {
                continue;
            };
            bytes.clear();
            entry.take(CLASS_LIMIT).read_to_end(&mut bytes)?;
            self.0.entry(name).or_insert_with(|| class_id(&bytes));
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path, package: &str) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.add_folder(&entry.path(), &format!("{package}{name}/"))?;
            } else if let Some(name) = name.strip_suffix(".class").filter(|_| kind.is_file()) {
                let bytes = std::fs::read(entry.path())?;
                self.0
                    .entry(format!("{package}{name}"))
                    .or_insert_with(|| class_id(&bytes));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_jar_and_a_folder_give_the_same_ids() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("classes/a/b")).unwrap();
        std::fs::write(folder.path().join("classes/a/b/C.class"), b"class bytes").unwrap();
        let jar = folder.path().join("app.jar");
        let mut zip = zip::ZipWriter::new(File::create(&jar).unwrap());
        zip.start_file("a/b/C.class", zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(b"class bytes").unwrap();
        zip.finish().unwrap();
        let from_folder = ClassIds::of(&folder.path().join("classes")).unwrap();
        let from_jar = ClassIds::of(&jar).unwrap();
        assert_eq!(from_jar.get("a/b/C"), Some(class_id(b"class bytes")));
        assert_eq!(from_jar.get("a/b/C"), from_folder.get("a/b/C"));
        assert_eq!(from_jar.get("a.b.C"), None);
    }
}
