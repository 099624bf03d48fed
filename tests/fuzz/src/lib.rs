//! Good inputs, mutated by seeded chance, for every parser of the tool.
//!
//! An input is a function of (parser, seed, number), so that whatever goes wrong can be had again from three words.
//! `cargo xtask fuzz` runs millions in separate processes; a test runs a few of each.

mod corpus;
mod dex;
mod mutate;
mod packed;
mod targets;

pub use mutate::spoil;
pub use targets::all;

use droidtest::util::hash::mix;
use droidtest::util::seed::{Rng, generator};
use std::path::PathBuf;

/// What a parser did with an input: taken or refused in order. All else is a panic.
pub type Run = Box<dyn FnMut(&[u8]) -> bool>;

/// A parser with good inputs.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Good inputs.
    pub corpus: Vec<Vec<u8>>,
    /// Words of its language.
    pub words: &'static [&'static str],
    /// Reads an input, and does with the outcome what the tool does.
    pub run: Run,
}

/// Where inputs are taken from.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The repository.
    pub root: PathBuf,
    /// A folder with `fate` and `samples`; what is not there is done without.
    pub shared: PathBuf,
}

impl Sources {
    /// Those of this repository, and what may be next to it.
    pub fn here() -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        Self {
            shared: root.join("../shared"),
            root,
        }
    }
}

impl Target {
    /// The input of this number.
    pub fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut rng: Rng = generator(mix(seed, number), self.name, "fuzz", 0);
        let all = |is: fn(&[u8]) -> bool| {
            !self.corpus.is_empty() && self.corpus.iter().all(|input| is(input))
        };
        // Spoilt as bytes, an archive is seldom one any more; nor are a dex file and a class file.
        let spoil = match () {
            () if all(packed::is_archive) => packed::spoil,
            () if all(dex::is_dex) => dex::spoil,
            () if all(dex::is_class) => dex::spoil_in_place,
            () => spoil,
        };
        spoil(&self.corpus, self.words, &mut rng)
    }
}
