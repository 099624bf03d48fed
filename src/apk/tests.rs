//! Whole APKs: made here, broken here.

use super::*;
use proptest::prelude::*;
use std::io::{Cursor, Write as _};
use zip::write::{SimpleFileOptions, ZipWriter};

const MANIFEST: &str = r#"<manifest package="a.b"><uses-sdk minSdkVersion="21" targetSdkVersion="34"/>
  <application label="Notes"><activity name=".Main" exported="true"><intent-filter>
    <action name="android.intent.action.MAIN"/><category name="android.intent.category.LAUNCHER"/>
  </intent-filter></activity></application></manifest>"#;

pub fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub fn whole() -> Vec<u8> {
    let manifest = axml::tests::compile(MANIFEST);
    archive(&[
        ("AndroidManifest.xml", &manifest),
        ("classes.dex", b"dex\n035\0"),
    ])
}

/// The APK of these bytes, with the file that holds it.
pub fn open(bytes: &[u8]) -> (tempfile::NamedTempFile, Result<Apk, ApkError>) {
    let file = tempfile::Builder::new().suffix(".apk").tempfile().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let apk = Apk::open(file.path());
    (file, apk)
}

/// The one line a person reads, without the file's name.
fn complaint(bytes: &[u8]) -> String {
    let error = open(bytes).1.unwrap_err();
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text}");
    let (_, text) = text.split_once(".apk: ").unwrap();
    format!("[{}] {text}", error.problem.code())
}

#[test]
fn a_whole_apk_is_read() {
    let bytes = whole();
    let apk = open(&bytes).1.unwrap();
    assert_eq!(apk.manifest.package, "a.b");
    assert_eq!(apk.manifest.label, "Notes");
    assert_eq!(apk.manifest.launcher.as_deref(), Some("a.b.Main"));
    assert_eq!(apk.dex_files, ["classes.dex"]);
    assert_eq!(apk.bytes, bytes.len() as u64);
    assert_eq!(apk.content.len(), 64);
}

#[test]
fn every_kind_of_broken_apk_has_its_line() {
    let manifest = axml::tests::compile(MANIFEST);
    let dex: (&str, &[u8]) = ("classes.dex", b"dex\n035\0");
    let whole = whole();
    let lines = [
        complaint(b""),
        complaint(b"not an archive at all"),
        complaint(&whole[..whole.len() / 2]),
        complaint(&archive(&[dex])),
        complaint(&archive(&[("AndroidManifest.xml", &manifest)])),
        complaint(&archive(&[("AndroidManifest.xml", b"garbage"), dex])),
        complaint(&archive(&[
            ("AndroidManifest.xml", MANIFEST.as_bytes()),
            dex,
        ])),
        complaint(&archive(&[
            ("AndroidManifest.xml", &manifest),
            dex,
            ("../../etc/x", b""),
        ])),
        complaint(&archive(&[("BundleConfig.pb", b"")])),
        complaint(&archive(&[("base.apk", b"")])),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    [apk-empty] is an empty file; copy, download or build it again
    [apk-not-zip] is not a zip archive; name the .apk that the build wrote
    [apk-cut-off] is cut off: the zip archive has no end; copy, download or build it again
    [apk-no-manifest] has no AndroidManifest.xml; check that this is an app and not another archive
    [apk-no-dex] has no classes.dex, so there is no code to run; name an APK with code (the base of a set of splits)
    [apk-bad-manifest] its AndroidManifest.xml cannot be understood: it has no binary XML header; build it again, or get it from its publisher
    [apk-bad-manifest] its AndroidManifest.xml cannot be understood: it is XML as text, not as aapt compiles it; build it again, or get it from its publisher
    [apk-unsafe-name] holds an entry whose path leaves its folder: `../../etc/x`; do not trust this file; build the app from its source
    [apk-bundle] is an app bundle (.aab), not an APK; build one APK with Gradle's `assemble`, or with `bundletool build-apks --mode=universal` (its `universal.apk`), and name that
    [apk-bundle] is a set of APKs (.apks, .xapk or .apkm), not an APK; build one APK with Gradle's `assemble`, or with `bundletool build-apks --mode=universal` (its `universal.apk`), and name that
    ");
}

#[test]
fn a_missing_file_is_no_panic() {
    let error = Apk::open("no/such.apk").unwrap_err();
    assert_eq!(error.problem.code(), "apk-unreadable");
}

/// Offset of the field of the central directory's first entry.
fn central(bytes: &[u8], field: usize) -> usize {
    bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + field
}

#[test]
fn four_gigabytes_claimed_are_not_read() {
    let mut bytes = whole();
    let at = central(&bytes, 24);
    bytes[at..at + 4].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    assert!(complaint(&bytes).starts_with(
        "[apk-too-large] its AndroidManifest.xml claims 4294967280 bytes, but at most 8388608 can be read"
    ));
}

#[test]
fn more_unpacked_than_claimed_is_refused_too() {
    let bomb = vec![0; 9 << 20];
    let mut bytes = archive(&[("AndroidManifest.xml", &bomb)]);
    let at = central(&bytes, 24);
    bytes[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    let line = complaint(&bytes);
    assert!(
        line.starts_with("[apk-too-large]") || line.starts_with("[apk-damaged]"),
        "{line}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_archives_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        keep in any::<prop::sample::Index>(),
    ) {
        let mut bytes = whole();
        for (at, to) in changes {
            let at = at.index(bytes.len());
            bytes[at] = to;
        }
        let _ = open(&bytes);
        bytes.truncate(keep.index(bytes.len()));
        let _ = open(&bytes);
    }
}
