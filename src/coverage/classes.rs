//! The class files that count, in a separate jar: what JaCoCo is to report on.

use crate::apk::Counted;
use crate::outcome::CountedCode;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Writes the classes of jars and folders that count to one jar; says how many count. Of two files for one class the
/// first is taken, as a class loader does (and JaCoCo refuses a second).
pub fn write_counted(
    from: &[impl AsRef<Path>],
    counted: &Counted,
    to: &Path,
) -> io::Result<CountedCode> {
    let mut jar = Jar {
        zip: ZipWriter::new(BufWriter::new(File::create(to)?)),
        counted,
        seen: HashSet::new(),
        classes: 0,
    };
    for classes in from {
        let classes = classes.as_ref();
        if classes.is_dir() {
            jar.add_folder(classes, "")?;
        } else {
            jar.add_jar(classes)?;
        }
    }
    jar.zip.finish()?.flush()?;
    Ok(CountedCode {
        packages: counted.packages().to_vec(),
        classes: jar.classes,
        others: jar.seen.len() as u64 - jar.classes,
    })
}

struct Jar<'a> {
    zip: ZipWriter<BufWriter<File>>,
    counted: &'a Counted,
    /// All classes, counted or not.
    seen: HashSet<String>,
    classes: u64,
}

impl Jar<'_> {
    /// Is this a class file that counts and was not observed before?
    fn wants(&mut self, name: &str) -> bool {
        let class = name.strip_suffix(".class");
        let Some(class) = class.filter(|_| self.seen.insert(name.to_owned())) else {
            return false;
        };
        let counts = self.counted.class(class);
        self.classes += u64::from(counts);
        counts
    }

    fn add_jar(&mut self, jar: &Path) -> io::Result<()> {
        let mut from = ZipArchive::new(BufReader::new(File::open(jar)?))?;
        for ix in 0..from.len() {
            let entry = from.by_index_raw(ix)?;
            if self.wants(entry.name()) {
                // As it is, packed: nothing is unpacked only to be packed again.
                self.zip.raw_copy_file(entry)?;
            }
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path, package: &str) -> io::Result<()> {
        let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = format!("{package}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.add_folder(&entry.path(), &format!("{name}/"))?;
            } else if kind.is_file() && self.wants(&name) {
                let stored =
                    SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
                self.zip.start_file(name, stored)?;
                io::copy(&mut File::open(entry.path())?, &mut self.zip)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ClassIds;
    use super::*;
    use crate::settings::Coverage;
    use std::path::PathBuf;

    fn fixture() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/coverage/shop.jar")
    }

    #[test]
    fn only_what_counts_is_written_and_each_class_once() {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        fs::create_dir_all(classes.join("shop/till")).unwrap();
        fs::write(classes.join("shop/till/Till.class"), "newer").unwrap();
        fs::write(classes.join("shop/R.class"), "generated").unwrap();
        fs::write(classes.join("shop/notes.txt"), "no class").unwrap();
        let own = ["shop.Basket".to_owned()];
        let counted = Counted::new(&Coverage::default(), Some(&own), None);
        let to = folder.path().join("counted.jar");
        let found = write_counted(&[classes, fixture()], &counted, &to).unwrap();
        // R and the two of the basket are left out.
        assert_eq!((found.classes, found.others), (1, 3));
        let ids = ClassIds::of(&to).unwrap();
        assert_eq!(
            ids.get("shop/till/Till"),
            Some(super::super::class_id(b"newer"))
        );
        assert_eq!(ids.get("shop/Basket"), None);
    }

    #[test]
    fn a_jars_classes_keep_their_ids() {
        let folder = tempfile::tempdir().unwrap();
        let counted = Counted::new(&Coverage::default(), None, None);
        let to = folder.path().join("counted.jar");
        assert_eq!(
            write_counted(&[fixture()], &counted, &to).unwrap().classes,
            3
        );
        let (before, after) = (
            ClassIds::of(&fixture()).unwrap(),
            ClassIds::of(&to).unwrap(),
        );
        assert_eq!(
            before.get("shop/Basket$Item"),
            after.get("shop/Basket$Item")
        );
    }
}
