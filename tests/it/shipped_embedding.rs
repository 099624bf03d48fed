//! The word vectors that ship with the crate: small, whole, and good enough for what they are for.

use crate::common::root;
use droidtest::embed::{pairs, shipped};

/// At most so many bytes may a clone carry for it.
const LARGEST: u64 = 2_000_000;

#[test]
fn it_is_small_and_knows_the_words_of_interfaces() {
    let size = std::fs::metadata(root().join("src/embed/words.bin"))
        .unwrap()
        .len();
    assert!(size <= LARGEST, "{size} bytes");
    let mut row = vec![0.0; shipped().dim()];
    for word in [
        "save", "Delete", "settings", "password", "opening", "<number>",
    ] {
        assert!(shipped().vector(word, &mut row), "{word}");
        assert!(row.iter().any(|x| *x != 0.0), "{word}");
    }
    assert!(!shipped().vector("qwzx", &mut row));
}

/// Pairs of `fixtures/embed/pairs.txt`, sixty in all, that must be in each other's ten nearest. The goal is 42;
/// docs/embeddings.md says how far it is and why.
const REACHED: usize = 42;

#[test]
fn it_knows_which_words_of_interfaces_say_the_same() {
    let pairs = pairs::read(&root().join("tests/fixtures/embed/pairs.txt")).unwrap();
    assert_eq!(pairs.len(), 60);
    let ranked = pairs::rank(shipped(), &pairs, 10);
    let missed: Vec<_> = ranked.iter().filter(|pair| !pair.mutual(10)).collect();
    assert!(ranked.len() - missed.len() >= REACHED, "{missed:?}");
}
