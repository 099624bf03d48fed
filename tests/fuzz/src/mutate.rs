//! How good inputs are mutated: bits, bytes, numbers at their limits, pieces left out, repeated, exchanged, nested.

use droidtest::util::seed::Rng;
use rand::RngExt as _;
use std::ops::Range;

/// The longest input made.
const LONGEST: usize = 256 << 10;
/// Most inputs stay below this: a thousand small ones find more than a large one.
const USUAL: usize = 32 << 10;
/// Numbers that are at limits.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "1e309",
];

/// A good input with a few things wrong; one in fifty is left unchanged.
pub fn spoil(corpus: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    if corpus.is_empty() {
        return Vec::new();
    }
    let mut input = corpus[rng.random_range(0..corpus.len())].clone();
    if rng.random_ratio(1, 50) {
        return input;
    }
    let mut faults = 1;
    while faults < 12 && rng.random_ratio(3, 5) {
        faults += 1;
    }
    for _ in 0..faults {
        spoil_once(&mut input, corpus, words, rng);
        let longest = if rng.random_ratio(1, 500) {
            LONGEST
        } else {
            USUAL.max(corpus[0].len() * 2)
        };
        input.truncate(longest.min(LONGEST));
    }
    input
}

fn spoil_once(input: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[&str], rng: &mut Rng) {
    match rng.random_range(0..14) {
        0 => {
            if let Some(byte) = any(input, rng) {
                *byte ^= 1 << rng.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = any(input, rng) {
                *byte = [
                    0,
                    1,
                    0x7f,
                    0x80,
                    0xff,
                    b' ',
                    b'\n',
                    b'"',
                    b'<',
                    rng.random(),
                ][rng.random_range(0..10)];
            }
        }
        2 => number_of_bytes(input, rng),
        3 => {
            let gone = range(input.len(), 64, rng);
            input.drain(gone);
        }
        4 => {
            // Cut short.
            let end = rng.random_range(0..=input.len());
            input.truncate(end);
        }
        5 => {
            let piece = input[range(input.len(), 128, rng)].to_vec();
            insert(input, &piece, rng);
        }
        6 => repeat(input, rng),
        7 => {
            // A piece of another good input.
            let other = &corpus[rng.random_range(0..corpus.len())];
            let piece = other[range(other.len(), 512, rng)].to_vec();
            insert(input, &piece, rng);
        }
        8 => {
            let other = &corpus[rng.random_range(0..corpus.len())];
            let keep = rng.random_range(0..=input.len());
            input.truncate(keep);
            input.extend_from_slice(&other[rng.random_range(0..=other.len())..]);
        }
        9 if !words.is_empty() => {
            let word = words[rng.random_range(0..words.len())];
            insert(input, word.as_bytes(), rng);
        }
        10 => number_of_digits(input, rng),
        11 => line(input, rng),
        12 => {
            let odd: &[&[u8]] = &[
                b"\xef\xbb\xbf",
                b"\xff\xfe",
                b"\xc0\x80",
                b"\xed\xa0\x80",
                "\u{202e}".as_bytes(),
                b"\0",
                "\u{1f600}".as_bytes(),
                b"\r\n",
                b"]]>",
                b"&#0;",
            ];
            insert(input, odd[rng.random_range(0..odd.len())], rng);
        }
        _ => {
            // Two pieces change places.
            let (a, b) = (range(input.len(), 32, rng), range(input.len(), 32, rng));
            let size = a.len().min(b.len());
            for at in 0..size {
                input.swap(a.start + at, b.start + at);
            }
        }
    }
}

fn any<'i>(input: &'i mut [u8], rng: &mut Rng) -> Option<&'i mut u8> {
    let at = rng.random_range(0..input.len().max(1));
    input.get_mut(at)
}

fn range(length: usize, most: usize, rng: &mut Rng) -> Range<usize> {
    let start = rng.random_range(0..=length);
    let end = length.min(start + rng.random_range(0..=most));
    start..end
}

fn insert(input: &mut Vec<u8>, piece: &[u8], rng: &mut Rng) {
    let at = rng.random_range(0..=input.len());
    input.splice(at..at, piece.iter().copied());
}

/// Lengths and offsets of binary formats, at their limits or off by a little.
fn number_of_bytes(input: &mut [u8], rng: &mut Rng) {
    let size = [2, 4, 8][rng.random_range(0..3)];
    if input.len() < size {
        return;
    }
    let at = rng.random_range(0..=input.len() - size);
    let place = &mut input[at..at + size];
    let mut bytes = [0; 8];
    bytes[..size].copy_from_slice(place);
    let now = u64::from_le_bytes(bytes);
    let next = match rng.random_range(0..6) {
        0 => 0,
        1 => u64::MAX,
        2 => u64::MAX >> (65 - 8 * size),
        3 => now.wrapping_add(1),
        4 => now.wrapping_sub(1),
        _ => now.wrapping_mul(rng.random_range(0..300)),
    };
    place.copy_from_slice(&next.to_le_bytes()[..size]);
}

/// A number written out becomes another.
fn number_of_digits(input: &mut Vec<u8>, rng: &mut Rng) {
    let from = rng.random_range(0..=input.len());
    let Some(start) = input[from..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = from + start;
    let digits = input[start..].iter().take_while(|b| b.is_ascii_digit());
    let end = start + digits.count();
    let number = NUMBERS[rng.random_range(0..NUMBERS.len())];
    input.splice(start..end, number.bytes());
}

/// A line is left out, doubled, or moved.
fn line(input: &mut Vec<u8>, rng: &mut Rng) {
    let ends: Vec<usize> = input
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    if ends.len() < 2 {
        return;
    }
    let at = rng.random_range(1..ends.len());
    let line = ends[at - 1]..ends[at];
    let text = input[line.clone()].to_vec();
    if rng.random() {
        input.drain(line);
    }
    if rng.random() {
        let to = ends[rng.random_range(0..ends.len())].min(input.len());
        input.splice(to..to, text);
    }
}

/// A short piece many times over: depth, width, long names.
fn repeat(input: &mut Vec<u8>, rng: &mut Rng) {
    let piece = range(input.len(), 24, rng);
    if piece.is_empty() {
        return;
    }
    let text = input[piece.clone()].to_vec();
    // Now and then really many.
    let most = if rng.random_ratio(1, 200) {
        LONGEST
    } else {
        4096
    };
    let times = rng.random_range(1..=(most / text.len()).max(1));
    input.splice(piece, text.repeat(times));
}
