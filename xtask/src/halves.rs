//! The two halves of a folder of APKs: what the shipped policy is trained on, and what it is measured on.

use crate::Result;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// One app of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apk {
    pub file: PathBuf,
    pub package: String,
}

impl Apk {
    /// Its name in suites: the file's, without `.apk`.
    pub fn name(&self) -> String {
        let name = self.file.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The app that a package is a build of: debug builds of an app have a separate package.
pub fn app(package: &str) -> &str {
    package.strip_suffix(".debug").unwrap_or(package)
}

/// Is this package's app trained on? When the first byte of its SHA-256 is below 128, so about half are; all builds
/// of an app are in the same half.
pub fn is_trained_on(package: &str) -> bool {
    Sha256::digest(app(package).as_bytes())[0] < 128
}

/// The folder's apps by its `INDEX.tsv`, whose first line names the columns; `file` and `package` are used.
pub fn apks(folder: &str) -> Result<Vec<Apk>> {
    let index = Path::new(folder).join("INDEX.tsv");
    let text = fs::read_to_string(&index).map_err(|e| {
        format!(
            "cannot read {}: {e}; it lists files and packages",
            index.display()
        )
    })?;
    let all = parse(&text).map_err(|e| format!("{}: {e}", index.display()))?;
    all.into_iter()
        .map(|(file, package)| {
            let file = Path::new(folder).join(file);
            let file = fs::canonicalize(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            Ok(Apk { file, package })
        })
        .collect()
}

fn parse(text: &str) -> Result<Vec<(String, String)>> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let at = head.iter().position(|column| *column == name);
        at.ok_or_else(|| format!("no column `{name}` in the first line"))
    };
    let (file, package) = (column("file")?, column("package")?);
    let mut all = Vec::new();
    for (ix, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        match (cells.get(file), cells.get(package)) {
            (Some(file), Some(package)) => all.push(((*file).to_owned(), (*package).to_owned())),
            _ => return Err(format!("line {}: too few columns", ix + 2)),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_read_by_its_columns() {
        let text = "version\tfile\tpackage\n1\ta.apk\torg.a\n\n2\tb.apk\torg.b\n";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            parse(text).unwrap(),
            [pair("a.apk", "org.a"), pair("b.apk", "org.b")]
        );
        assert!(parse("file\tname\n").unwrap_err().contains("`package`"));
        assert!(parse("file\tpackage\nx\n").unwrap_err().contains("line 2"));
    }

    #[test]
    fn the_halves_stay_what_they_are() {
        assert!(is_trained_on("org.liberty.android.fantastischmemo"));
        assert!(!is_trained_on("net.mandaria.tippytipper"));
    }

    #[test]
    fn a_debug_build_is_in_the_half_of_its_app() {
        for package in [
            "de.rampro.activitydiary",
            "fr.neamar.kiss",
            "org.a",
            "org.b",
        ] {
            let debug = format!("{package}.debug");
            assert_eq!(is_trained_on(&debug), is_trained_on(package), "{package}");
        }
    }
}
