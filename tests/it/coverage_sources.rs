//! Which source files the coverage report shows: the app's class files name them.

use crate::common::root;
use crate::common::skip::skip;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const DRIVER: &str = r#"package droidtest.tool;

public final class Driver {
  public static void main(String[] args) throws Exception {
    SourceFolder folder = new SourceFolder(java.nio.file.Path.of(args[0]));
    for (int i = 1; i + 1 < args.length; i += 2) {
      System.out.println(args[i] + "|" + args[i + 1] + "|" + (folder.getSourceFile(args[i], args[i + 1]) != null));
    }
  }
}
"#;

#[test]
fn a_report_shows_source_files_below_the_folder_and_follows_no_link() {
    let jdk = match Jdk::locate() {
        Ok(jdk) => jdk,
        Err(error) => return skip(&error.to_string()),
    };
    let libraries = Cache::locate().unwrap().root().join("libraries");
    let jar = fs::read_dir(libraries)
        .into_iter()
        .flatten()
        .flatten()
        .flat_map(|entry| fs::read_dir(entry.path()).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("org.jacoco.report") && name.ends_with(".jar")
        });
    let Some(jar) = jar else {
        return skip("JaCoCo is not set up; `cargo droidtest setup` fetches it");
    };
    let base = tempfile::tempdir().unwrap();
    let at = |name: &str| base.path().join(name);
    for folder in ["home/keys", "src/a/b", "classes", "driver"] {
        fs::create_dir_all(at(folder)).unwrap();
    }
    for file in [
        "home/id_rsa",
        "home/keys/K.java",
        "src/id_rsa",
        "src/local.properties",
        "src/a/b/C.java",
        "src/D.kt",
    ] {
        fs::write(at(file), "secret").unwrap();
    }
    symlink(at("home/id_rsa"), at("src/a/L.java")).unwrap();
    symlink(at("home/keys"), at("src/keys")).unwrap();
    fs::write(at("driver/Driver.java"), DRIVER).unwrap();
    let source = root().join("src/device/agent/java/droidtest/tool/SourceFolder.java");
    let run = |command: &mut Command| {
        let done = command.output().unwrap();
        let complaint = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{complaint}");
        String::from_utf8(done.stdout).unwrap()
    };
    run(Command::new(jdk.javac())
        .arg("-cp")
        .arg(&jar)
        .arg("-d")
        .arg(at("classes"))
        .args([at("driver/Driver.java"), source]));
    let names = [
        ("a/b", "C.java", true),
        ("", "D.kt", true),
        ("", "id_rsa", false),
        ("", "./id_rsa", false),
        (".", "id_rsa", false),
        ("", "local.properties", false),
        ("a", "L.java", false),
        ("keys", "K.java", false),
        ("", "../home/keys/K.java", false),
        ("a/../../home/keys", "K.java", false),
        ("a/b", "None.java", false),
        ("", ".java", false),
    ];
    let class_path = format!("{}:{}", at("classes").display(), jar.display());
    let said = run(Command::new(jdk.java())
        .args(["-cp", &class_path, "droidtest.tool.Driver"])
        .arg(at("src"))
        .args(
            names
                .iter()
                .flat_map(|(package, file, _)| [*package, *file]),
        ));
    let expected: String = names
        .iter()
        .map(|(package, file, found)| format!("{package}|{file}|{found}\n"))
        .collect();
    assert_eq!(said, expected);
}
