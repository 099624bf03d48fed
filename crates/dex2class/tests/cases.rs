//! Hand-written dex code, translated and run: each folder of `cases` has the code as text (`case.smali`, assembled with
//! smali 2.5.2 and `--api 30`; of the largest ones the script that writes it), as a dex file, and what its methods return
//! on Android (`expected.txt`).

use std::path::{Path, PathBuf};
use std::process::Command;

/// Translates a case and runs it; gives what its methods returned. `more` are further arguments of the translator.
fn run(case: &Path, to: &Path, more: &[&str]) -> String {
    let name = case
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let jar = to.join(format!("{name}.jar"));
    let translated = Command::new(env!("CARGO_BIN_EXE_dex2class"))
        .arg("--libs")
        .arg(to.join("platform.jar"))
        .arg("--out")
        .arg(&jar)
        .args(more)
        .arg(case.join("classes.dex"))
        .output()
        .expect("the translator starts");
    let errors = String::from_utf8_lossy(&translated.stderr);
    assert!(translated.status.success(), "{name}: {errors}");
    let class = name[..1].to_uppercase() + &name[1..];
    let ran = Command::new("java")
        .args(["-XX:TieredStopAtLevel=1", "-cp"])
        .arg(format!("{}:{}", jar.display(), to.display()))
        .args(["Run", &class])
        .output()
        .expect("java starts");
    format!(
        "{}{}",
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr)
    )
}

#[test]
fn every_case_returns_what_it_returns_on_android() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cases");
    std::fs::create_dir_all(&to).expect("a folder");
    let compiled = Command::new("javac")
        .arg("-d")
        .arg(&to)
        .arg(cases.join("Run.java"))
        .status();
    assert!(compiled.expect("javac starts").success());
    let platform = Command::new("java")
        .arg("-cp")
        .arg(&to)
        .arg("Run")
        .arg(to.join("platform.jar"))
        .status();
    assert!(platform.expect("java starts").success());
    let entries = std::fs::read_dir(&cases).expect("cases");
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    assert!(folders.len() >= 9, "{folders:?}");
    for case in folders {
        let expected = std::fs::read_to_string(case.join("expected.txt")).expect("expected.txt");
        assert_eq!(run(&case, &to, &[]), expected, "{}", case.display());
        // In parts as small as can be, nearly every value is handed over.
        let cut = run(&case, &to, &["--part", "40"]);
        assert_eq!(cut, expected, "{} in parts", case.display());
    }
}
