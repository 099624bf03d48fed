//! Files that are no usable app: each is refused in a line that names it, says what is wrong and what to do, before
//! anything is started.

use crate::common::app;
use crate::common::program::Desk;
use std::io::{Cursor, Read as _, Write as _};
use zip::ZipArchive;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The sample app with its code changed.
fn with_code(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let file = app("notes/notes.apk");
    let mut from = ZipArchive::new(Cursor::new(std::fs::read(file).unwrap())).unwrap();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for ix in 0..from.len() {
        let mut entry = from.by_index(ix).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        if entry.name() == "classes.dex" {
            change(&mut bytes);
        }
        zip.start_file(entry.name(), SimpleFileOptions::default())
            .unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn split() -> Vec<u8> {
    let file = app("splits/config.de.apk");
    std::fs::read(file).unwrap()
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The APK with the encryption flag of its code set, in both of the archive's places.
fn encrypted() -> Vec<u8> {
    let mut bytes = with_code(|_| ());
    for (magic, flags, name) in [(b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)] {
        let of_code = |at: &usize| {
            bytes[*at..].starts_with(magic) && bytes[at + name..].starts_with(b"classes.dex")
        };
        let at = (0..bytes.len() - 64).find(of_code).unwrap();
        bytes[at + flags] |= 1;
    }
    bytes
}

#[test]
fn each_kind_of_bad_app_says_what_to_do() {
    let desk = Desk::new("[[app]]\nname = \"shop\"\napk = \"shop.apk\"\n");
    let cases: [(&str, Vec<u8>, [&str; 2]); 8] = [
        (
            "a truncated dex",
            with_code(|dex| dex.truncate(dex.len() - 100)),
            [
                "its classes.dex cannot be understood: it is cut off",
                "build it again",
            ],
        ),
        (
            "a dex with a bad checksum",
            with_code(|dex| dex[8] ^= 1),
            ["its checksum is wrong", "build it again"],
        ),
        (
            "a dex of the future",
            with_code(|dex| dex[4..7].copy_from_slice(b"042")),
            ["has dex version 42", "update this tool"],
        ),
        (
            "an encrypted APK",
            encrypted(),
            ["its classes.dex is encrypted", "without encryption"],
        ),
        (
            "a set of splits",
            archive(&[("base.apk", b"x"), ("split_config.en.apk", b"x")]),
            [
                "its base.apk: is not a zip archive",
                "name the .apk that the build wrote",
            ],
        ),
        (
            "a split without its base",
            split(),
            [
                "is only the split `config.de` of an app",
                "name the base APK",
            ],
        ),
        (
            "a set of splits without their base",
            archive(&[("config.de.apk", &split())]),
            ["has splits but no base APK", "add the base APK"],
        ),
        (
            "a download that broke off",
            with_code(|_| ())[..3000].to_vec(),
            ["is cut off", "download"],
        ),
    ];
    for (what, bytes, words) in cases {
        desk.write("shop.apk", bytes);
        for command in [
            "doctor shop.apk",
            "inspect --kind apk shop.apk",
            "run --out out",
        ] {
            let said = desk.tool(command);
            let all = format!("{}{}", said.out, said.err);
            assert_ne!(said.code, 0, "{what}, {command}: {all:.2000}");
            assert!(all.len() < 2000, "{what}, {command}: {} bytes", all.len());
            assert!(!all.contains("panicked"), "{what}, {command}: {all}");
            let plain = all.split_whitespace().collect::<Vec<_>>().join(" ");
            for word in words.iter().chain(&["shop.apk"]) {
                assert!(
                    plain.contains(word),
                    "{what}, {command}: no `{word}` in\n{all}"
                );
            }
        }
        let listed = desk.tool("list");
        assert_eq!(listed.code, 0, "{what}: a plan is shown all the same");
        assert!(listed.out.contains(words[0]), "{what}: {}", listed.out);
    }
}

#[test]
fn a_good_app_is_judged_and_not_run() {
    let desk = Desk::new("[[app]]\nname = \"shop\"\napk = \"shop.apk\"\n");
    desk.write("shop.apk", with_code(|_| ()));
    let said = desk.tool("doctor shop.apk");
    assert_eq!((said.code, said.out.as_str()), (0, "shop.apk: supported\n"));
    let said = desk.tool("inspect --kind apk shop.apk");
    let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(found["capability"]["verdict"], "supported");
    assert_eq!(found["needs"]["launcher"], true);
    let said = desk.tool("list");
    assert!(
        said.out.ends_with("shop on the jvm device: supported\n"),
        "{}",
        said.out
    );
    let said = desk.tool("list --message-format json");
    let listed: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(listed["sessions"][0]["capability"]["verdict"], "supported");
}
