use super::super::axml::tests::compile;
use super::super::{Apk, needs};
use super::*;
use std::io::Read as _;

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn apk(manifest: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let manifest = compile(manifest);
    let mut entries = vec![("AndroidManifest.xml", manifest.as_slice())];
    entries.extend_from_slice(files);
    archive(&entries)
}

const BASE: &str = r#"<manifest package="a.b" isSplitRequired="true"><application/></manifest>"#;

fn base() -> Vec<u8> {
    let files: [(&str, &[u8]); 4] = [
        ("classes.dex", b"base"),
        ("classes2.dex", b"more"),
        ("resources.arsc", b"table"),
        ("shared.properties", b"of the base"),
    ];
    apk(BASE, &files)
}

fn split(package: &str, name: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    apk(
        &format!(r#"<manifest package="{package}" split="{name}"/>"#),
        files,
    )
}

fn feature() -> Vec<u8> {
    let files: [(&str, &[u8]); 7] = [
        ("classes.dex", b"feature"),
        ("lib/arm64-v8a/libx.so", b"elf"),
        ("resources.arsc", b"its table"),
        ("res/a.xml", b"xml"),
        ("assets/a.txt", b"text"),
        ("shared.properties", b"of the feature"),
        ("META-INF/CERT.RSA", b"signature"),
    ];
    split("a.b", "feature", &files)
}

/// The set written into a folder, and what it is.
fn given(files: &[(&str, Vec<u8>)]) -> (tempfile::TempDir, Result<Option<Parts>, ApkError>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let parts = Parts::of(folder.path(), &[]);
    (folder, parts)
}

fn complaint(files: &[(&str, Vec<u8>)]) -> String {
    let (folder, parts) = given(files);
    let text = parts.err().expect("a complaint").to_string();
    text.replace(&folder.path().display().to_string(), "set")
}

#[test]
fn a_base_and_its_splits_become_one_file() {
    let config = split("a.b", "config.de", &[("resources.arsc", b"german")]);
    let native = split("a.b", "config.arm64", &[("lib/arm64-v8a/liby.so", b"elf")]);
    let (folder, parts) = given(&[
        ("feature.apk", feature()),
        ("base.apk", base()),
        ("de.apk", config),
        ("arm64.apk", native),
        ("notes.txt", b"no APK".to_vec()),
    ]);
    let to = folder.path().join("whole");
    parts.unwrap().unwrap().merge(&to).unwrap();
    let mut zip = ZipArchive::new(File::open(&to).unwrap()).unwrap();
    let mut names: Vec<_> = zip.file_names().map(str::to_owned).collect();
    names.sort();
    let expected = [
        "AndroidManifest.xml",
        "classes.dex",
        "classes2.dex",
        "classes3.dex",
        "droidtest-splits/config.de.apk",
        "droidtest-splits/feature.apk",
        "lib/arm64-v8a/libx.so",
        "lib/arm64-v8a/liby.so",
        "resources.arsc",
        "shared.properties",
    ];
    assert_eq!(names, expected);
    let mut text = |name: &str| {
        let mut text = String::new();
        zip.by_name(name)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    };
    assert_eq!(text("classes3.dex"), "feature");
    assert_eq!(text("shared.properties"), "of the base");
    let mut split = Vec::new();
    let mut entry = zip.by_name("droidtest-splits/feature.apk").unwrap();
    entry.read_to_end(&mut split).unwrap();
    let split = ZipArchive::new(io::Cursor::new(split)).unwrap();
    let mut names: Vec<_> = split.file_names().collect();
    names.sort_unstable();
    let expected = [
        "AndroidManifest.xml",
        "assets/a.txt",
        "res/a.xml",
        "resources.arsc",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_whole_app_lacks_no_splits() {
    let config = split("a.b", "config.de", &[("resources.arsc", b"german")]);
    let base = apk(
        BASE,
        &[("classes.dex", &super::super::dex::tests::write(&[]))],
    );
    let (folder, parts) = given(&[("base.apk", base), ("de.apk", config)]);
    let to = folder.path().join("whole.apk");
    parts.unwrap().unwrap().merge(&to).unwrap();
    let lacks = |file: &Path| needs(&Apk::open(file).unwrap()).unwrap().splits_required;
    assert!(lacks(&folder.path().join("base.apk")));
    assert!(!lacks(&to));
}

#[test]
fn sets_of_all_kinds_are_unpacked() {
    let config = || split("a.b", "config.de", &[("resources.arsc", b"german")]);
    let files = |entries: &[(&str, &[u8])]| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.apks");
        fs::write(&file, archive(entries)).unwrap();
        let parts = Parts::of(&file, &[]).unwrap().unwrap();
        let splits: Vec<_> = parts
            .splits
            .iter()
            .filter_map(|s| s.split.clone())
            .collect();
        let base = fs::read(&parts.base.file).unwrap();
        (base, splits)
    };
    let (base, config, newer) = (base(), config(), apk(BASE, &[("classes.dex", b"newer")]));
    let xapk: [(&str, &[u8]); 4] = [
        ("manifest.json", b"{}"),
        ("icon.png", b"png"),
        ("a.b.apk", &base),
        ("config.de.apk", &config),
    ];
    assert_eq!(files(&xapk), (base.clone(), vec!["config.de".to_owned()]));
    // As bundletool writes them, the second for newer versions of Android.
    let apks: [(&str, &[u8]); 5] = [
        ("toc.pb", b""),
        ("splits/base-master.apk", &base),
        ("splits/base-master_2.apk", &newer),
        ("splits/base-de.apk", &config),
        ("standalones/standalone-hdpi.apk", &base),
    ];
    assert_eq!(files(&apks), (newer, vec!["config.de".to_owned()]));
    let universal: [(&str, &[u8]); 2] = [("toc.pb", b""), ("universal.apk", &base)];
    assert_eq!(files(&universal), (base, Vec::new()));
}

#[test]
fn one_apk_needs_no_merging() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.apk");
    for bytes in [
        base(),
        feature(),
        b"no zip".to_vec(),
        archive(&[("BundleConfig.pb", b"x")]),
    ] {
        fs::write(&file, bytes).unwrap();
        assert!(Parts::of(&file, &[]).unwrap().is_none());
    }
}

#[test]
fn sets_that_are_no_app_say_what_to_do() {
    let of_another = split("x.y", "config.de", &[]);
    let complaints = [
        complaint(&[("f.apk", feature())]),
        complaint(&[("a.apk", base()), ("b.apk", base())]),
        complaint(&[("a.apk", base()), ("x.apk", of_another)]),
        complaint(&[("a.apk", base()), ("x.apk", b"no zip".to_vec())]),
    ];
    insta::assert_snapshot!(complaints.join("\n"), @r"
    set: has splits but no base APK; add the base APK (often `base.apk`), or name a universal one (`bundletool build-apks --mode=universal`)
    set: has two base APKs: `b.apk` is not a split either; keep the APKs of one app and one version in it
    set: `x.apk` is a split of x.y, and the base is a.b; name the splits that were built with the base
    set/x.apk: is not a zip archive; name the .apk that the build wrote
    ");
}
