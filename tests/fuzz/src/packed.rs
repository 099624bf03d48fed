//! How archives are spoilt: what is in them, and how they are put together, packed again so that reading gets that far.

use crate::{dex, mutate};
use droidtest::util::seed::Rng;
use rand::RngExt as _;
use std::io::{Cursor, Read as _, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Archives in archives: an APK in a set.
const DEEPEST: u32 = 2;
/// What is read first, and most of.
const READ: [&str; 5] = [
    "AndroidManifest.xml",
    "resources.arsc",
    "classes.dex",
    "base.apk",
    "base-master.apk",
];

/// A member of an archive, unpacked.
struct Member {
    name: String,
    bytes: Vec<u8>,
    packed: bool,
}

/// Whether this is an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// A good archive with a few things wrong in its members; one in ten is spoilt as the bytes that it is.
pub fn spoil(corpus: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    if rng.random_ratio(1, 10) {
        return mutate::spoil(corpus, words, rng);
    }
    within(corpus, words, 0, rng)
}

fn within(corpus: &[Vec<u8>], words: &[&str], depth: u32, rng: &mut Rng) -> Vec<u8> {
    let chosen = &corpus[rng.random_range(0..corpus.len())];
    let mut members = unpacked(chosen);
    if members.is_empty() {
        return mutate::spoil(corpus, words, rng);
    }
    let mut faults = 1;
    while faults < 4 && rng.random_ratio(1, 2) {
        faults += 1;
    }
    for _ in 0..faults {
        match rng.random_range(0..10) {
            0 => rearrange(&mut members, words, rng),
            _ => body(&mut members, words, depth, rng),
        }
    }
    packed(&members)
}

/// What is in a member is spoilt.
fn body(members: &mut [Member], words: &[&str], depth: u32, rng: &mut Rng) {
    let Some(at) = some(members, rng) else { return };
    let others: Vec<_> = members.iter().map(|m| m.bytes.clone()).collect();
    let member = &mut members[at];
    let own = vec![std::mem::take(&mut member.bytes)];
    member.bytes = if depth < DEEPEST && is_archive(&own[0]) && rng.random_ratio(7, 8) {
        within(&own, words, depth + 1, rng)
    } else if rng.random_ratio(1, 20) {
        // With pieces of the others.
        mutate::spoil(&others, words, rng)
    } else {
        mutate::spoil(&own, words, rng)
    };
    if member.name.to_ascii_lowercase().ends_with(".dex") && rng.random_ratio(3, 4) {
        member.bytes = sealed(&member.bytes);
    }
}

/// One that is read, every other time.
fn some(members: &[Member], rng: &mut Rng) -> Option<usize> {
    let is_read = |m: &Member| READ.iter().any(|name| m.name.ends_with(name));
    let read: Vec<usize> = (0..members.len())
        .filter(|&at| is_read(&members[at]))
        .collect();
    match read.is_empty() || rng.random() {
        true if members.is_empty() => None,
        true => Some(rng.random_range(0..members.len())),
        false => Some(read[rng.random_range(0..read.len())]),
    }
}

/// A member is left out, renamed, takes another's place, is there twice, or is packed in another way.
fn rearrange(members: &mut Vec<Member>, words: &[&str], rng: &mut Rng) {
    let Some(at) = some(members, rng) else { return };
    let other = rng.random_range(0..members.len());
    match rng.random_range(0..5) {
        0 => drop(members.remove(at)),
        1 => {
            let name = vec![members[at].name.clone().into_bytes()];
            let name = mutate::spoil(&name, words, rng);
            let name = String::from_utf8_lossy(&name).chars().take(200).collect();
            members[at].name = name;
        }
        2 => members.swap(at, other),
        3 => {
            let Member { bytes, packed, .. } = &members[at];
            let name = match rng.random() {
                true => format!("{}{}", members[other].name, rng.random_range(2..9)),
                false => members[at].name.replacen("classes", "classes2", 1),
            };
            let copy = Member {
                name,
                bytes: bytes.clone(),
                packed: *packed,
            };
            members.push(copy);
        }
        _ => members[at].packed = !members[at].packed,
    }
}

fn unpacked(archive: &[u8]) -> Vec<Member> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(archive)) else {
        return Vec::new();
    };
    let mut members = Vec::new();
    for at in 0..archive.len() {
        let Ok(mut file) = archive.by_index(at) else {
            continue;
        };
        let mut bytes = Vec::new();
        if file.read_to_end(&mut bytes).is_ok() {
            members.push(Member {
                name: file.name().to_owned(),
                packed: file.compression() == CompressionMethod::Deflated,
                bytes,
            });
        }
    }
    members
}

/// Without members of a name that is there already.
fn packed(members: &[Member]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for Member {
        name,
        bytes,
        packed,
    } in members
    {
        let method = match packed {
            true => CompressionMethod::Deflated,
            false => CompressionMethod::Stored,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        if archive.start_file(name.as_str(), options).is_ok() {
            archive.write_all(bytes).expect("memory takes an archive");
        }
    }
    let whole = archive.finish().expect("memory takes an archive");
    whole.into_inner()
}

/// A dex file with a length and a checksum that are right, so that what is behind them is read.
pub fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // A container's length is elsewhere, and its checksums are not looked at.
    let has_sum = bytes.len() >= 112 && !dex::is_container(&bytes);
    if let (true, Ok(length)) = (has_sum, u32::try_from(bytes.len())) {
        bytes[32..36].copy_from_slice(&length.to_le_bytes());
        let (mut a, mut b) = (1_u32, 0_u32);
        for byte in &bytes[12..] {
            a = (a + u32::from(*byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        bytes[8..12].copy_from_slice(&(b << 16 | a).to_le_bytes());
    }
    bytes
}
