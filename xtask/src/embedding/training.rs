//! A training on each of the two bodies of text, and their join.

use crate::{Result, sh};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const RUNNING: &str = "running.txt";
pub const TRANSLATIONS: &str = "translations.tsv";
pub const SYNONYMS: &str = "synonyms.tsv";
pub const WIDE: &str = "wide.tsv";

/// Where the vectors go.
const OUT: &str = "src/embed/words.bin";
/// Pairs that were never trained on; how many are close is shown.
const PAIRS: &str = "tests/fixtures/embed/pairs.txt";
/// Numbers a word has in what ships.
const DIM: &str = "80";

/// One training: what it reads and its settings.
struct Training {
    corpus: Option<&'static str>,
    parallel: &'static [&'static str],
    settings: &'static [&'static str],
}

/// The first gives the words. docs/embeddings.md says what was tried.
const TRAININGS: [Training; 2] = [
    // Nothing but what translations, and the texts' own names, say.
    Training {
        corpus: None,
        parallel: &[WIDE],
        settings: &SETTINGS,
    },
    // Running text and synonyms with the translations.
    Training {
        corpus: Some(RUNNING),
        parallel: &[TRANSLATIONS, SYNONYMS],
        settings: &SETTINGS,
    },
];
/// Only words that are not too rare to be learned well.
const SETTINGS: [&str; 8] = [
    "--dim",
    "80",
    "--epochs",
    "10",
    "--rate",
    "0.05",
    "--min-count",
    "20",
];

impl Training {
    /// A file named after all that the vectors depend on, so that what is there is not trained again.
    fn out(&self, base: &Path) -> Result<PathBuf> {
        let mut digest = Sha256::new();
        for file in self.corpus.iter().chain(self.parallel) {
            digest.update(file);
            digest.update(digest_of(&base.join(file))?);
        }
        digest.update(self.settings.join(" "));
        let name = hex(&digest.finalize());
        Ok(base.join(format!("part-{}.bin", &name[..16])))
    }

    fn command(&self, base: &Path, out: &Path) -> Command {
        let mut train = tool();
        train.arg("--out").arg(out).args(self.settings);
        if let Some(corpus) = self.corpus {
            train.arg("--corpus").arg(base.join(corpus));
        }
        for file in self.parallel {
            train.arg("--parallel").arg(base.join(file));
        }
        train
    }
}

/// `train embeddings` of an optimised build.
fn tool() -> Command {
    let mut tool = sh::cargo();
    tool.args([
        "run",
        "--release",
        "--quiet",
        "--package",
        "cargo-droidtest",
        "--bin",
        "cargo-droidtest",
        "--",
    ])
    .args(["train", "embeddings", "--format", "compact"])
    .args(["--pairs", PAIRS]);
    tool
}

/// Trains what is not trained yet, one after the other, joins, and says what all was made of.
pub fn run(base: &Path) -> Result {
    let mut join = tool();
    join.args(["--dim", DIM, "--out", OUT]);
    for training in &TRAININGS {
        let part = training.out(base)?;
        if !part.is_file() {
            sh::show(&mut training.command(base, &part))?;
        }
        join.arg("--join").arg(part);
    }
    sh::show(&mut join)?;
    let texts = [RUNNING, TRANSLATIONS, SYNONYMS, WIDE].map(|name| base.join(name));
    for file in texts.iter().chain([&sh::root().join(OUT)]) {
        println!("SHA-256 {} {}", hex(&digest_of(file)?), file.display());
    }
    Ok(())
}

pub fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn digest_of(file: &Path) -> Result<[u8; 32]> {
    let bytes = fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    Ok(Sha256::digest(bytes).into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
