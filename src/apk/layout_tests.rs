//! Archives that hold less than they unpack to, or not what they say.

use super::*;
use std::io::{Cursor, Write as _};
use zip::write::{SimpleFileOptions, ZipWriter};

fn archive(entries: usize) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for ix in 0..entries {
        let name = format!("res/{ix}");
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&[7; 300]).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn verdict(bytes: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    check(file.path()).map_or_else(|why| why, |()| "good".to_owned())
}

fn end_in(bytes: &[u8]) -> usize {
    end(bytes).unwrap()
}

/// The archive with its first entry named `times` times more, each time by another name.
fn named_again(bytes: &[u8], times: u16) -> Vec<u8> {
    let at = end_in(bytes);
    let start = long(bytes, at + 16) as usize;
    let first = &bytes[start..start + 46 + usize::from(short(bytes, start + 28))];
    let mut whole = bytes[..at].to_vec();
    for ix in 0..times {
        let mut entry = first.to_vec();
        let name = format!("{ix:05}");
        entry[46..51].copy_from_slice(name.as_bytes());
        whole.extend(entry);
    }
    let mut end = bytes[at..].to_vec();
    let count = short(&end, 10) + times;
    for place in [8, 10] {
        end[place..place + 2].copy_from_slice(&count.to_le_bytes());
    }
    let size = (whole.len() - start) as u32;
    end[12..16].copy_from_slice(&size.to_le_bytes());
    [whole, end].concat()
}

#[test]
fn an_archive_passes_also_behind_something_else() {
    let whole = archive(5);
    assert_eq!(verdict(&whole), "good");
    assert_eq!(verdict(&archive(0)), "good");
    assert_eq!(
        verdict(&[b"#!/bin/sh\n", whole.as_slice()].concat()),
        "good"
    );
}

#[test]
fn entries_that_share_bytes_are_refused() {
    let bomb = named_again(&archive(1), 400);
    // Any reader takes it for a good archive.
    let read = zip::ZipArchive::new(Cursor::new(bomb.clone())).unwrap();
    assert_eq!(read.len(), 401);
    assert!(
        verdict(&bomb).contains("overlapping entries"),
        "{}",
        verdict(&bomb)
    );
}

#[test]
fn two_entries_of_one_name_are_refused() {
    let mut bytes = archive(2);
    let second = bytes.windows(5).rposition(|w| w == b"res/1").unwrap();
    bytes[second..second + 5].copy_from_slice(b"res/0");
    assert!(verdict(&bytes).contains("two entries named res/0"));
}

#[test]
fn a_count_that_is_not_so_is_refused() {
    let whole = archive(3);
    let with = |count: u16| {
        let mut bytes = whole.clone();
        let at = end_in(&bytes);
        bytes[at + 10..at + 12].copy_from_slice(&count.to_le_bytes());
        verdict(&bytes)
    };
    assert!(with(2).contains("more entries than the 2"), "{}", with(2));
    assert!(with(9).contains("has 3 entries but claims 9"));
}

#[test]
fn more_entries_than_an_apk_can_have_are_refused_and_as_many_pass() {
    assert_eq!(verdict(&archive(65_535)), "good");
    let more = verdict(&archive(65_536));
    assert!(more.contains("has 65536 entries"), "{more}");
}

#[test]
fn whatever_is_cut_or_changed_it_ends_in_words() {
    let whole = archive(3);
    for end in 0..whole.len() {
        assert_ne!(verdict(&whole[..end]), "good");
    }
    let mut lost = whole.clone();
    lost[0] = b'X';
    assert!(
        verdict(&lost).contains("no res/0 at the position"),
        "{}",
        verdict(&lost)
    );
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        verdict(&bytes);
    }
}
