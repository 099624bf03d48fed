mod chunks;
mod first_line;
mod written;

use super::*;
use std::fs;
use std::path::PathBuf;

const WORDS: [&str; 3] = ["save", "удалить", "<number>"];
const ROWS: [f32; 6] = [1.0, 0.5, -1.0, 0.25, 0.0, -2.0];

fn sample() -> Embedding {
    Embedding::from_rows(WORDS, 2, ROWS.to_vec())
}

fn bytes_of(write: impl FnOnce(&Embedding, &mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&sample(), &mut bytes).unwrap();
    bytes
}

/// The form that `finalfusion` 0.18 writes.
fn finalfusion() -> Vec<u8> {
    let mut vocabulary = 3_u64.to_le_bytes().to_vec();
    for word in WORDS {
        vocabulary.extend((word.len() as u32).to_le_bytes());
        vocabulary.extend(word.as_bytes());
    }
    let mut out = b"FiFu".to_vec();
    for number in [0, 2, 1, 2, 1] {
        out.extend(u32::to_le_bytes(number));
    }
    out.extend((vocabulary.len() as u64).to_le_bytes());
    out.extend(vocabulary);
    out.extend(2_u32.to_le_bytes());
    let padding = 4 - (out.len() + 8 + 16) % 4;
    out.extend((16 + padding as u64 + 24).to_le_bytes());
    out.extend(3_u64.to_le_bytes());
    out.extend(2_u32.to_le_bytes());
    out.extend(10_u32.to_le_bytes());
    out.extend(vec![0; padding]);
    out.extend(ROWS.iter().flat_map(|x| x.to_le_bytes()));
    out
}

struct Saved {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn saved(bytes: &[u8]) -> Saved {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.bin");
    fs::write(&path, bytes).unwrap();
    Saved {
        _folder: folder,
        path,
    }
}

fn open(bytes: &[u8]) -> Result<Embedding, EmbedError> {
    Embedding::open(&saved(bytes).path)
}

fn refused(bytes: &[u8]) -> String {
    let error = open(bytes).unwrap_err();
    let said = error.to_string();
    let name = error.path.display().to_string();
    assert!(said.starts_with(&name), "{said}");
    said[name.len()..].to_owned()
}

#[test]
fn every_format_gives_the_same_words_numbers_and_digest() {
    let glove = b"save 1 0.5\n\xd1\x83\xd0\xb4\xd0\xb0\xd0\xbb\xd0\xb8\xd1\x82\xd1\x8c -1 .25\n<number> 0 -2e0\n";
    for (name, bytes) in [
        ("word2vec binary", bytes_of(|e, to| e.write_word2vec(to))),
        ("word2vec text", bytes_of(|e, to| e.write_text(to))),
        ("GloVe", glove.to_vec()),
        ("finalfusion", finalfusion()),
    ] {
        let read = open(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((read.dim(), read.len()), (2, 3), "{name}");
        let mut row = [0.0; 2];
        assert!(read.vector("удалить", &mut row), "{name}");
        assert_eq!(row, [-1.0, 0.25], "{name}");
        assert_eq!(read.hash(), sample().hash(), "{name}");
    }
}

#[test]
fn the_compact_form_is_exact_to_a_254th_of_the_greatest() {
    let read = open(&bytes_of(|e, to| e.write_compact(to))).unwrap();
    let mut row = [0.0; 2];
    for (word, wanted) in WORDS.iter().zip(ROWS.chunks(2)) {
        assert!(read.vector(word, &mut row));
        for (got, wanted) in row.iter().zip(wanted) {
            assert!((got - wanted).abs() <= 2.0 / 254.0, "{word}");
        }
    }
}

#[test]
fn digests_tell_words_and_numbers_apart() {
    let mut rows = ROWS;
    rows[5] = -2.5;
    assert_ne!(
        sample().hash(),
        Embedding::from_rows(WORDS, 2, rows.to_vec()).hash()
    );
    let words = ["save", "удалит", "<number>"];
    assert_ne!(
        sample().hash(),
        Embedding::from_rows(words, 2, ROWS.to_vec()).hash()
    );
}

#[test]
fn unknown_words_are_zero_and_forms_are_found() {
    let mut row = [9.0; 2];
    assert!(!sample().vector("load", &mut row));
    assert_eq!(row, [0.0, 0.0]);
    for form in ["SAVE", "Saved", "saving", "saves"] {
        assert!(sample().vector(form, &mut row), "{form}");
        assert_eq!(row, [1.0, 0.5], "{form}");
    }
}

#[test]
fn neighbours_come_by_cosine() {
    let words = ["a", "b", "c", "far"];
    let rows = vec![1.0, 0.0, 5.0, 1.0, 1.0, 1.0, -1.0, 0.0];
    let embedding = Embedding::from_rows(words, 2, rows);
    let near: Vec<_> = embedding
        .nearest("a", 2)
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    assert_eq!(near, ["b", "c"]);
    assert!(embedding.nearest("nowhere", 2).is_empty());
}

#[test]
fn every_truncation_is_refused_with_a_place() {
    for bytes in [
        bytes_of(|e, to| e.write_word2vec(to)),
        bytes_of(|e, to| e.write_compact(to)),
        finalfusion(),
    ] {
        // The line feed at the end of word2vec's is not needed.
        for length in 0..bytes.len() - 1 {
            let said = refused(&bytes[..length]);
            assert!(
                said.starts_with(':') && said.contains(';'),
                "{length}: {said}"
            );
        }
    }
    let text = bytes_of(|e, to| e.write_text(to));
    let lines: Vec<_> = text.split_inclusive(|&b| b == b'\n').collect();
    assert!(refused(&lines[..3].concat()).contains("2 words, but the first line says 3"));
}

#[test]
fn a_wrong_dimension_is_refused_where_it_shows() {
    let cut = refused(b"2 3\nsave 1 2 3\nload 1 2\n");
    assert!(cut.starts_with(":3: 2 numbers instead of 3"), "{cut}");
    let glove = refused(b"save 1 2 3\nload 1 2\n");
    assert!(glove.starts_with(":2: 2 numbers instead of 3"), "{glove}");
    let mut binary = bytes_of(|e, to| e.write_word2vec(to));
    binary[2] = b'3';
    assert!(
        refused(&binary).starts_with(": byte "),
        "{}",
        refused(&binary)
    );
    let mut array = finalfusion();
    let dim = [2, 0, 0, 0, 10, 0, 0, 0];
    let at = array.windows(8).position(|w| w == dim).unwrap();
    array[at] = 3;
    let said = refused(&array);
    assert!(said.contains("36 bytes are expected here"), "{said}");
}

#[test]
fn numbers_that_are_none_are_refused_where_they_stand() {
    let text = refused(b"save 1 2\nload NaN 2\n");
    assert!(
        text.starts_with(":2: the vector of `load` holds NaN in column 1"),
        "{text}"
    );
    for mut bytes in [bytes_of(|e, to| e.write_word2vec(to)), finalfusion()] {
        let two = (-2.0_f32).to_le_bytes();
        let at = bytes.windows(4).rposition(|w| w == two).unwrap();
        bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        let said = refused(&bytes);
        let place = format!(": byte {at}: the vector of `<number>` holds NaN in column 2");
        assert!(said.starts_with(&place), "{said}");
    }
    let word = refused(b"save 1 two\nload 1 2\n");
    assert!(
        word.contains("no word followed by numbers") || word.contains("not a number"),
        "{word}"
    );
}

#[test]
fn damage_and_other_versions_of_the_compact_form_are_refused() {
    let bytes = bytes_of(|e, to| e.write_compact(to));
    let mut damaged = bytes.clone();
    let last = bytes.len() - 40;
    damaged[last] ^= 1;
    assert!(refused(&damaged).contains("checksum"));
    let mut newer = bytes;
    newer[16] = b'2';
    assert!(refused(&newer).contains("version `2`"));
}

#[test]
fn a_file_that_is_no_embedding_is_refused() {
    assert!(refused(b"").contains("no words"));
    assert!(refused(b"hello\n").contains(":1: no word followed by numbers"));
    assert!(refused(b"\xff\xfe\x00\x01").contains("not UTF-8"));
    let error = Embedding::open(Path::new("no/such/file")).unwrap_err();
    assert!(
        error.to_string().contains("no/such/file: cannot read it"),
        "{error}"
    );
}
