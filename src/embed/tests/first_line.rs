//! Which format a file is of, and what its first line and its words may be.

use super::*;

fn binary(words: &[&[u8]], dim: usize, rows: &[f32]) -> Vec<u8> {
    let mut bytes = format!("{} {dim}\n", words.len()).into_bytes();
    for (word, row) in words.iter().zip(rows.chunks(dim)) {
        bytes.extend(*word);
        bytes.push(b' ');
        bytes.extend(row.iter().flat_map(|x| x.to_le_bytes()));
        bytes.push(b'\n');
    }
    bytes
}

fn vector(embedding: &Embedding, word: &str) -> Vec<f32> {
    let mut row = vec![0.0; embedding.dim()];
    assert!(embedding.vector(word, &mut row), "{word}");
    row
}

#[test]
fn binary_is_binary_whatever_byte_its_first_number_begins_with() {
    for first in 0..=u8::MAX {
        let number = f32::from_le_bytes([first, 0x12, 0x40, 0x3e]);
        let rows = [number, 0.1, 0.2, 0.3, -0.4, 0.5];
        let read =
            open(&binary(&[b"the", b"of"], 3, &rows)).unwrap_or_else(|e| panic!("{first}: {e}"));
        assert_eq!(vector(&read, "the"), rows[..3], "{first}");
        assert_eq!(vector(&read, "of"), rows[3..], "{first}");
    }
    // The first row up to a line feed is digits and spaces, but too few numbers.
    let number = f32::from_le_bytes(*b"1 2\n");
    let read = open(&binary(
        &[b"the", b"of"],
        3,
        &[number, 0.1, 0.2, 0.3, -0.4, 0.5],
    ))
    .unwrap();
    assert_eq!(vector(&read, "the"), [number, 0.1, 0.2]);
}

#[test]
fn text_is_text_whatever_its_words_are() {
    let read = open(b"4 2\nnew york 0.1 0.2\narea 51 0.3 0.4\nthe  .5\t.6\r\n7  8 9 \n").unwrap();
    let words: Vec<_> = read.words().collect();
    assert_eq!(words, ["new york", "area 51", "the", "7"]);
    assert_eq!(vector(&read, "area 51"), [0.3, 0.4]);
    assert_eq!(vector(&read, "the"), [0.5, 0.6]);
    let glove = open(b"the  0.1  0.2\nnew york 0.3 0.4\n").unwrap();
    assert_eq!(glove.words().collect::<Vec<_>>(), ["the", "new york"]);

    let latin = refused(b"2 2\ncaf\xe9 0.1 0.2\nof 0.2 0.3\n");
    assert!(
        latin.starts_with(":2: not UTF-8; convert the file to UTF-8"),
        "{latin}"
    );
    let wide: Vec<u8> = "2 2\nthe 0.1 0.2\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let wide = refused(&[b"\xff\xfe", &wide[..]].concat());
    assert!(wide.starts_with(":1: not UTF-8"), "{wide}");
    // As floats these would fit, too: four bytes per number.
    let comma = refused(format!("50 2\n{}", "the 0,1 0,2\n".repeat(50)).as_bytes());
    assert!(comma.starts_with(":2: `0,1` is not a number"), "{comma}");
}

#[test]
fn a_header_that_all_rows_contradict_is_refused() {
    let longer = refused(b"2 2\nsave 1 2 3\nload 4 5 6\n");
    assert!(longer.starts_with(":2: 3 numbers instead of 2"), "{longer}");
    let shorter = refused(b"2 4\nsave 1 2 3\nload 4 5 6\n");
    assert!(
        shorter.starts_with(":2: 3 numbers instead of 4"),
        "{shorter}"
    );
}

#[test]
fn impossible_counts_are_named() {
    for (line, why) in [
        ("-3 2", ":1: -3 words; 1 to 4294967295 can be read"),
        ("99999999999999999 2", ":1: 99999999999999999 words"),
        (
            "99999999999999999999999 2",
            ":1: 99999999999999999999999 words",
        ),
        ("2 0", ":1: vectors of 0 numbers; strategies need 1 to 4096"),
        ("2 -1", ":1: vectors of -1 numbers"),
        (
            "2 4611686018427387903",
            ":1: vectors of 4611686018427387903 numbers",
        ),
    ] {
        let said = refused(format!("{line}\nthe \0\0\0\0\0\0\0\0").as_bytes());
        assert!(
            said.starts_with(why) && said.contains("`WORDS DIM`: correct it"),
            "{said}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    for text in [
        "\u{feff}the 0.1 0.2\nof 0.2 0.3\n",
        "\u{feff}2 2\nthe 0.1 0.2\nof 0.2 0.3\n",
    ] {
        let read = open(text.as_bytes()).unwrap();
        assert_eq!(read.words().collect::<Vec<_>>(), ["the", "of"]);
    }
}

#[test]
fn of_words_listed_twice_the_first_counts() {
    let text = b"4 2\nthe 1 0\nof 0 1\nthe 0 -1\nto 1 1\n".to_vec();
    let rows = [1.0, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 1.0];
    let floats = binary(&[b"the", b"of", b"the", b"to"], 2, &rows);
    let mut compact = Vec::new();
    open(&text).unwrap().write_compact(&mut compact).unwrap();
    let made = Embedding::from_rows(["the", "of", "the", "to"], 2, rows.to_vec());
    for read in [open(&text).unwrap(), open(&floats).unwrap(), made] {
        assert_eq!(read.words().collect::<Vec<_>>(), ["the", "of", "to"]);
        assert_eq!(read.len(), 3);
        assert_eq!(vector(&read, "the"), [1.0, 0.0]);
        assert_eq!(vector(&read, "to"), [1.0, 1.0]);
        let near: Vec<_> = read.nearest("the", 9).into_iter().map(|(w, _)| w).collect();
        assert_eq!(near, ["to", "of"]);
        let joined = train::join(&[read], 2).unwrap();
        assert_eq!(joined.words().collect::<Vec<_>>(), ["the", "of", "to"]);
    }
    assert_eq!(vector(&open(&compact).unwrap(), "of"), [0.0, 1.0]);
    // The compact form, with a word listed twice.
    let place = compact.windows(4).position(|w| w == b"\nof\n").unwrap();
    compact[place + 1..place + 3].copy_from_slice(b"to");
    let end = compact.len() - 32;
    let digest = Sha256::digest(&compact[..end]);
    compact[end..].copy_from_slice(&digest);
    let twice = open(&compact).unwrap();
    assert_eq!(twice.words().collect::<Vec<_>>(), ["the", "to"]);
    assert_eq!(vector(&twice, "to"), [0.0, 1.0]);
}

#[test]
fn empty_words_and_words_that_are_no_utf_8_are_named() {
    let text = refused(b"2 2\nthe 0.2 0.3\n 0.1 0.2\n");
    assert!(
        text.starts_with(":3: no word before its 2 numbers; give it a word"),
        "{text}"
    );
    let first = refused(b"2 2\n 0.1 0.2\nthe 0.2 0.3\n");
    assert!(
        first.starts_with(":2: no word before its 2 numbers"),
        "{first}"
    );
    let glove = refused(b" 0.1 0.2\nthe 0.2 0.3\n");
    assert!(
        glove.starts_with(":1: no word before its 2 numbers"),
        "{glove}"
    );
    let rows = [0.1, 0.2, 0.3, 0.4];
    let empty = refused(&binary(&[b"the", b""], 2, &rows));
    assert!(
        empty.starts_with(": byte 17: word 2 of 2 is empty; give it a word"),
        "{empty}"
    );
    let latin = refused(&binary(&[b"the", b"caf\xe9"], 2, &rows));
    assert!(
        latin.starts_with(": byte 17: word 2 of 2, `caf\u{fffd}`, is not UTF-8"),
        "{latin}"
    );
}
