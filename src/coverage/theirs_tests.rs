//! Tests of the comparison with an app's own tests.

use super::super::jacoco::tests::fixture;
use super::super::lcov;
use super::super::sources::Sources;
use super::*;

fn file(folder: &tempfile::TempDir, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    file
}

fn tracefile(report: &Report) -> Vec<u8> {
    let mut out = Vec::new();
    lcov::write(report, &Sources::default(), &mut out).unwrap();
    out
}

#[test]
fn a_report_beside_itself_is_covered_by_both_in_each_format() {
    let folder = tempfile::tempdir().unwrap();
    let ours = fixture();
    let mut theirs = Theirs {
        names_methods: true,
        ..Theirs::default()
    };
    theirs.add(&ours);
    let same = theirs.beside(&ours).unwrap();
    let code = ours.total.code;
    assert_eq!(
        (same.lines.both, same.lines.total),
        (code.line.covered, code.line.total)
    );
    assert_eq!(
        (same.methods.both, same.methods.total),
        (code.method.covered, code.method.total)
    );
    assert_eq!(
        (same.lines.only_tests, same.lines.only_run, same.elsewhere),
        (0, 0, 0)
    );
    assert_eq!(same.lines.degree(), Some(100.0));
    let traced = Theirs::load(&[file(&folder, "lcov.info", tracefile(&ours))]).unwrap();
    assert_eq!(traced.beside(&ours).unwrap().lines, same.lines);
}

#[test]
fn a_tracefile_is_matched_by_the_package_below_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let ours = fixture();
    let (package, source) = (ours.packages.iter())
        .find_map(|package| {
            Some((
                package,
                package.sources.iter().find(|s| !s.lines.is_empty())?,
            ))
        })
        .unwrap();
    let all: String = source
        .lines
        .iter()
        .map(|l| format!("DA:{},3\n", l.number))
        .collect();
    for (path, fits) in [
        (
            format!("/ci/app/src/main/java/{}/{}", package.name, source.name),
            true,
        ),
        (
            format!(
                "C:\\ci\\{}\\{}",
                package.name.replace('/', "\\"),
                source.name
            ),
            true,
        ),
        (format!("src/{}", source.name), true),
        (format!("src/Other{}", source.name), false),
    ] {
        let text = format!("TN:\nSF:{path}\n{all}DA:99999,1\nend_of_record\n");
        let theirs = Theirs::load(&[file(&folder, "lcov.info", text)]).unwrap();
        let found = theirs.beside(&ours);
        assert_eq!(found.is_some(), fits, "{path}");
        let Some(found) = found else { continue };
        let lines = source.lines.len() as u64;
        assert_eq!(found.lines.both + found.lines.only_tests, lines, "{path}");
        assert_eq!(found.elsewhere, 1, "{path}");
    }
}

#[test]
fn what_is_no_report_is_refused_with_its_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, why) in [
        (
            "a.info",
            "SF:A.java\nDA:x,1\nend_of_record\n",
            "line 2: not `DA:LINE,COUNT`",
        ),
        ("b.info", "DA:1,1\n", "line 1: `DA` before `SF`"),
        ("c.info", "SF:A.java\nDA:1,1\n", "cut off"),
        (
            "d.info",
            "{\"a\": 1}\n",
            "line 1: not a record of a tracefile",
        ),
        (
            "e.info",
            "SF:A.java\nDA:1,0\nend_of_record\n",
            "covers no line",
        ),
        ("f.info", "", "covers no line"),
        ("g.xml", "<html></html>", "not a JaCoCo report"),
        ("h.xml", "<report name=\"x\"><package", "h.xml: "),
    ] {
        let error = Theirs::load(&[file(&folder, name, text)]).expect_err(name);
        let text = error.to_string();
        assert!(text.contains(name) && text.contains(why), "{name}: {text}");
    }
    let missing = Theirs::load(&[folder.path().join("none.xml")]).expect_err("missing");
    assert!(missing.to_string().contains("none.xml"), "{missing}");
}

/// A report with these source files, by package; each has the covered lines 1 to 3.
fn report(sources: &[(&str, &str)]) -> Report {
    let line = |number| format!("<line nr=\"{number}\" mi=\"0\" ci=\"1\" mb=\"0\" cb=\"0\"/>");
    let lines: String = (1..4).map(line).collect();
    let package = |(package, source): &(&str, &str)| {
        format!(
            "<package name=\"{package}\"><sourcefile name=\"{source}\">{lines}</sourcefile></package>"
        )
    };
    let packages: String = sources.iter().map(package).collect();
    let text = format!("<report name=\"x\">{packages}</report>");
    Report::read(text.as_bytes()).unwrap()
}

/// A tracefile with these paths; each has the covered lines 1 to 3.
fn traced(paths: &[&str]) -> Theirs {
    let record = |path: &&str| format!("SF:{path}\nDA:1,1\nDA:2,1\nDA:3,1\nend_of_record\n");
    let text: String = paths.iter().map(record).collect();
    let mut theirs = Theirs::default();
    theirs.trace(text.as_bytes()).unwrap();
    theirs
}

/// The lines that the tests cover, and those that are elsewhere; `None`: nothing is in common.
fn compared(theirs: &Theirs, ours: &Report) -> Option<(u64, u64)> {
    let found = theirs.beside(ours)?;
    Some((found.lines.both + found.lines.only_tests, found.elsewhere))
}

#[test]
fn the_packages_of_an_xml_report_are_compared_as_they_are() {
    let ours = report(&[("a", "Utils.kt"), ("b", "Utils.kt"), ("c/a", "Utils.kt")]);
    for (theirs, expected) in [
        (&[("a", "Utils.kt")][..], Some((3, 0))),
        (&[("a", "Utils.kt"), ("b", "Utils.kt")], Some((6, 0))),
        (&[("a", "Utils.kt"), ("d", "Utils.kt")], Some((3, 3))),
        (&[("d", "Utils.kt")], None),
        (&[("", "Utils.kt")], None),
    ] {
        let mut all = Theirs::default();
        all.add(&report(theirs));
        assert_eq!(compared(&all, &ours), expected, "{theirs:?}");
    }
    let foreign = report(&[("org/other", "MainActivity.kt")]);
    let mut all = Theirs::default();
    all.add(&foreign);
    let ours = report(&[("org/ours", "MainActivity.kt")]);
    assert_eq!(compared(&all, &ours), None);
    let nameless = report(&[("", "MainActivity.kt")]);
    assert_eq!(compared(&all, &nameless), None);
    assert_eq!(compared(&all, &foreign), Some((3, 0)));
}

#[test]
fn each_file_of_a_tracefile_is_of_one_source_file() {
    let two = [("util", "A.kt"), ("com/a/util", "A.kt")];
    for (paths, sources, expected) in [
        // The longest package, not each that the path ends with.
        (&["src/com/a/util/A.kt"][..], &two[..], Some((3, 0))),
        (&["src/util/A.kt"], &two, Some((3, 0))),
        (
            &["src/com/a/util/A.kt", "src/util/A.kt"],
            &two,
            Some((6, 0)),
        ),
        // One file from two machines.
        (
            &["/x/com/a/util/A.kt", "/y/com/a/util/A.kt"],
            &two,
            Some((3, 0)),
        ),
        // Without the package in its path only where nothing else has the name.
        (&["src/A.kt"], &two, None),
        (&["src/A.kt"], &two[1..], Some((3, 0))),
        (&["src/A.kt", "other/A.kt"], &two[1..], None),
        // No folder says that a file is of no package.
        (&["src/A.kt"], &[("", "A.kt")], None),
        (&["A.kt"], &[("", "A.kt")], Some((3, 0))),
    ] {
        let found = compared(&traced(paths), &report(sources));
        assert_eq!(found, expected, "{paths:?} {sources:?}");
    }
}
