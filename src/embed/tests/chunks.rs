//! finalfusion's chunks: counts and lengths that do not fit each other.

use super::*;

/// The header, the vocabulary's chunk and the matrix's of [`finalfusion`].
fn parts() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let mut header = finalfusion();
    let mut vocabulary = header.split_off(20);
    let length = u64::from_le_bytes(vocabulary[4..12].try_into().unwrap()) as usize;
    let matrix = vocabulary.split_off(12 + length);
    (header, vocabulary, matrix)
}

/// A chunk whose length says that it is this much longer.
fn longer(chunk: &[u8], by: u64) -> Vec<u8> {
    let mut chunk = chunk.to_vec();
    let length = u64::from_le_bytes(chunk[4..12].try_into().unwrap());
    chunk[4..12].copy_from_slice(&length.wrapping_add(by).to_le_bytes());
    chunk
}

#[test]
fn the_parts_make_the_whole() {
    let (header, vocabulary, matrix) = parts();
    assert_eq!(
        open(&[header, vocabulary, matrix].concat()).unwrap().len(),
        3
    );
}

#[test]
fn counts_that_do_not_fit_the_chunk_are_refused() {
    let (header, vocabulary, matrix) = parts();
    let case = |vocabulary: &[u8], matrix: &[u8], why: &str| {
        let said = refused(&[&header, vocabulary, matrix].concat());
        assert!(
            said.starts_with(": byte ") && said.contains(why),
            "{why}: {said}"
        );
    };
    // The number of words stands first in the vocabulary, the number of rows first in the matrix.
    let with = |chunk: &[u8], count: u8| {
        let mut chunk = chunk.to_vec();
        chunk[12] = count;
        chunk
    };
    case(
        &with(&vocabulary, 4),
        &matrix,
        "4 bytes are expected here, but only 0 are left",
    );
    case(
        &with(&vocabulary, 2),
        &matrix,
        "12 extra bytes after the 2 words of the vocabulary",
    );
    case(
        &vocabulary,
        &with(&matrix, 2),
        "8 extra bytes after the 2 rows of the matrix",
    );
    case(
        &vocabulary,
        &with(&matrix, 4),
        "32 bytes are expected here, but only 24 are left",
    );
    case(
        &longer(&vocabulary, 4),
        &matrix,
        "4 extra bytes after the 3 words",
    );
    case(
        &longer(&vocabulary, 4_u64.wrapping_neg()),
        &matrix,
        "8 bytes are expected here, but only 4 are left",
    );
    case(&vocabulary, &longer(&matrix, 4), "are expected here, but");
    case(
        &vocabulary,
        &longer(&matrix, 4_u64.wrapping_neg()),
        "24 bytes are expected here, but only 20 are left",
    );
    case(
        &vocabulary,
        &[&longer(&matrix, 4)[..], &[0; 4]].concat(),
        "4 extra bytes after the 3 rows",
    );
    case(
        &vocabulary,
        &[&matrix[..], b"more"].concat(),
        "4 extra bytes after the last chunk",
    );
}

#[test]
fn a_simple_vocabulary_has_a_row_for_each_word_and_no_more() {
    let (header, vocabulary, matrix) = parts();
    // A row more than words, complete in itself.
    let mut more = longer(&matrix, 8);
    more[12] = 4;
    more.extend([0; 8]);
    let said = refused(&[&header[..], &vocabulary, &more].concat());
    assert!(said.contains("a matrix of 4 rows for 3 words"), "{said}");

    // Of a vocabulary with buckets of n-grams the rows behind the words' are theirs.
    let (mut header, mut buckets) = (header, longer(&vocabulary, 12));
    (header[12], buckets[0]) = (3, 3);
    buckets.splice(20..20, [0; 12]);
    let read = open(&[&header[..], &buckets, &more].concat()).unwrap();
    assert_eq!(read.words().collect::<Vec<_>>(), WORDS);
    assert_eq!(read.hash(), sample().hash());
    let mut fewer = longer(&matrix, 8_u64.wrapping_neg());
    fewer[12] = 2;
    fewer.truncate(fewer.len() - 8);
    let said = refused(&[&header[..], &buckets, &fewer].concat());
    assert!(said.contains("a matrix of 2 rows for 3 words"), "{said}");
}

#[test]
fn second_chunks_and_chunks_that_the_header_does_not_name_are_refused() {
    let (mut header, vocabulary, matrix) = parts();
    let other = [&header[..], &matrix, &vocabulary].concat();
    assert!(refused(&other).contains("a chunk of kind 2, but the header says 1"));
    header[8] = 3;
    let with = |kind: u8| [&header[..], &[kind, 0, 0, 0]].concat();
    let words = [&with(1)[..], &vocabulary, &matrix, &vocabulary].concat();
    assert!(
        refused(&words).contains("a second vocabulary"),
        "{}",
        refused(&words)
    );
    // Three numbers say of what size it is, and four bytes more align it.
    let rows = [&with(2)[..], &vocabulary, &matrix, &matrix].concat();
    assert!(
        refused(&rows).contains("a second matrix"),
        "{}",
        refused(&rows)
    );
    // What is not needed is passed over.
    let notes = [&[5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0], &b"{}"[..]].concat();
    let read = open(&[&with(5)[..], &vocabulary, &matrix, &notes].concat()).unwrap();
    assert_eq!(read.hash(), sample().hash());
}
