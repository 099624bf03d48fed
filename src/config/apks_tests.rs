//! What arguments that name apps find.

use super::*;
use std::fs;

#[test]
fn a_pattern_matches_within_names_and_across_folders() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap();
    for file in [
        "a.apk",
        "b1.apk",
        "b2.apk",
        "x/c.apk",
        "x/y/d.aab",
        "x/.e.apk",
        "n.txt",
    ] {
        fs::create_dir_all(base.join(file).parent().unwrap()).unwrap();
        fs::write(base.join(file), "x").unwrap();
    }
    let all = |pattern: &str| {
        let found = expand(base, &[pattern.into()]);
        found.map(|found| {
            found
                .files
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        })
    };
    for (pattern, files) in [
        ("*.apk", &["a.apk", "b1.apk", "b2.apk"][..]),
        ("b[2-9].apk", &["b2.apk"]),
        ("b[!2].apk", &["b1.apk"]),
        ("?.apk", &["a.apk"]),
        (
            "**/*",
            &["a.apk", "b1.apk", "b2.apk", "x/c.apk", "x/y/d.aab"],
        ),
        ("x/**/*.a*", &["x/c.apk", "x/y/d.aab"]),
        ("*/c.apk", &["x/c.apk"]),
        ("x/../b*.apk", &["x/../b1.apk", "x/../b2.apk"]),
        ("x/.*", &["x/.e.apk"]),
        ("**/**/y/*", &["x/y/d.aab"]),
    ] {
        assert_eq!(all(pattern).unwrap(), files, "{pattern}");
    }
    let files = expand(base, &["b1.apk".into(), "b*.apk".into()])
        .unwrap()
        .files;
    assert_eq!(files, ["b1.apk", "b2.apk"]);
    for wrong in ["*.zip", "n*", "[z-a].apk", "z.apk"] {
        assert!(all(wrong).is_err(), "{wrong}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_app_whose_name_is_not_utf_8_is_named_escaped() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap();
    fs::create_dir_all(base.join("x/y")).unwrap();
    for name in [&b"b\xff\x1b.apk"[..], b"c\xff.txt"] {
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(base.join("x/y").as_std_path().join(name), "x").unwrap();
    }
    let all = |argument: &str| expand(base, &[argument.into()]);
    for argument in ["x/y", "x/**/*.apk", "*/*/b?*"] {
        let problems = all(argument).unwrap_err();
        let help = problems.iter().next().unwrap().help.clone().unwrap();
        assert!(help.contains(r"y/b\xFF\u{1b}.apk"), "{argument}: {help}");
    }
    fs::write(base.join("x/y/a.apk"), "x").unwrap();
    for argument in ["x/y", "x/**/*.apk", "x/y/*"] {
        let found = all(argument).unwrap();
        assert_eq!(found.files, ["x/y/a.apk"], "{argument}");
        assert_eq!(found.notices.len(), 1, "{argument}: {:?}", found.notices);
    }
    // It does not match.
    assert_eq!(all("x/y/a*").unwrap().notices, [""; 0]);
}

#[test]
fn a_folder_is_its_apps_or_a_base_with_its_splits() {
    let base = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/apps"));
    // A package of the crate lacks these apps.
    if base.join("splits").exists() {
        assert_eq!(expand(base, &["splits".into()]).unwrap().files, ["splits"]);
    }
    assert_eq!(
        expand(base, &["notes".into()]).unwrap().files,
        ["notes/notes.apk"]
    );
}

#[test]
fn each_app_has_a_valid_name_of_its_own() {
    let none = |_: &str| false;
    assert_eq!(unused_name("x/app-debug.apk".into(), none), "app-debug");
    assert_eq!(unused_name("x/_my äpp (1).apk".into(), none), "my--pp--1-");
    assert_eq!(unused_name("x/….apk".into(), none), "app");
    assert_eq!(
        unused_name("a.apk".into(), |name| ["a", "a-2"].contains(&name)),
        "a-3"
    );
    let pattern = regex::Regex::new(crate::settings::NAME_PATTERN).unwrap();
    assert!(pattern.is_match(&unused_name(Utf8Path::new(&"x".repeat(300)), none)));
}
