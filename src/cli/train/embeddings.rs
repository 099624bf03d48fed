//! `train embeddings`: word vectors from texts, or from other word vectors.

use camino::{Utf8Path, Utf8PathBuf};
use clap::{ValueEnum, ValueHint};
use std::io::IsTerminal as _;

use crate::cli::Failure;
use crate::cli::shell::{Shell, Verbosity};
use crate::embed::train::{Corpus, Parameters, join, train};
use crate::embed::{Embedding, Form, MOST_DIM, pairs};
use crate::exit_code::ExitCode;
use crate::outcome::folder::write_whole;
use indicatif::{ProgressBar, ProgressStyle};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source").args(["corpus", "parallel", "join"]).required(true).multiple(true))]
pub struct Args {
    /// Plain text, one sentence or label per line; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    corpus: Vec<Utf8PathBuf>,
    /// Texts with translations, one `TEXT<tab>LANGUAGE<tab>TRANSLATION` per line; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    parallel: Vec<Utf8PathBuf>,
    /// Train nothing: concatenate embeddings and reduce them to --dim principal components; the first gives the words
    #[arg(long, value_name = "FILE", conflicts_with_all = ["corpus", "parallel"], value_hint = ValueHint::FilePath)]
    join: Vec<Utf8PathBuf>,
    /// The output file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Utf8PathBuf,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "word2vec")]
    format: Format,
    /// Report how many of these pairs (two words per line) are in each other's ten nearest neighbours
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pairs: Option<Utf8PathBuf>,
    #[command(flatten)]
    numbers: Numbers,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// word2vec's binary format; no words with spaces
    Word2vec,
    /// word2vec's text format; no words with spaces
    Text,
    /// One byte per number, like the bundled embedding
    Compact,
}

impl From<Format> for Form {
    fn from(format: Format) -> Self {
        match format {
            Format::Word2vec => Self::Word2vec,
            Format::Text => Self::Text,
            Format::Compact => Self::Compact,
        }
    }
}

/// [`Parameters`] as arguments.
#[derive(Debug, clap::Args)]
struct Numbers {
    /// The vector size
    #[arg(long, value_name = "N", default_value_t = Parameters::default().dim, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=MOST_DIM as u64))]
    dim: usize,
    /// The context window size
    #[arg(long, value_name = "N", default_value_t = Parameters::default().window, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    window: usize,
    /// Negative samples for each positive one
    #[arg(long, value_name = "N", default_value_t = Parameters::default().negative, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    negative: usize,
    /// Subsample words more frequent than this share of the text; 0: none
    #[arg(long, value_name = "T", default_value_t = Parameters::default().subsample, value_parser = share)]
    subsample: f64,
    /// The number of passes over the texts
    #[arg(long, value_name = "N", default_value_t = Parameters::default().epochs, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    epochs: usize,
    /// The initial learning rate
    #[arg(long, value_name = "RATE", default_value_t = Parameters::default().rate, value_parser = rate)]
    rate: f32,
    /// Ignore words with fewer occurrences
    #[arg(long, value_name = "N", default_value_t = Parameters::default().min_count, value_parser = clap::value_parser!(u64).range(1..))]
    min_count: u64,
    /// Keep at most this many words, the most frequent; 0: all
    #[arg(long, value_name = "N", default_value_t = Parameters::default().max_words, value_parser = most_words)]
    max_words: usize,
    /// The random seed
    #[arg(long = "train-seed", value_name = "N", default_value_t = Parameters::default().seed)]
    seed: u64,
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let fits = (0.0..=1.0).contains(&value);
    fits.then_some(value)
        .ok_or_else(|| "a share is from 0 to 1".to_owned())
}

fn rate(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "not a number".to_owned())?;
    let fits = value > 0.0 && value <= 1.0;
    fits.then_some(value)
        .ok_or_else(|| "a learning rate is above 0 and at most 1".to_owned())
}

fn most_words(text: &str) -> Result<usize, String> {
    let value: usize = text.parse().map_err(|_| "not a whole number".to_owned())?;
    (value != 1)
        .then_some(value)
        .ok_or_else(|| "at least 2 words are needed; 0 means all".to_owned())
}

/// Checked before hours of training: why the output cannot be written, or what it would overwrite.
fn check_out(args: &Args) -> Result<(), Failure> {
    let out = &args.out;
    let cannot = |why: String| Err(refused(format!("cannot write {out}: {why}")));
    let parent = out.parent().filter(|parent| !parent.as_str().is_empty());
    let folder = parent.unwrap_or(Utf8Path::new("."));
    if !folder.is_dir() {
        return cannot(format!(
            "the folder {folder} does not exist; create it first"
        ));
    }
    if out.is_dir() {
        return cannot("it is a folder; choose a file in it".to_owned());
    }
    if out.exists() && !out.is_file() {
        return cannot("it is not a regular file; choose another".to_owned());
    }
    // The same method as the final write: a temporary file, then a rename.
    if let Err(e) = tempfile::tempfile_in(folder) {
        return cannot(format!(
            "cannot create a file in {folder}: {e}; choose another folder"
        ));
    }
    let inputs = args.corpus.iter().chain(&args.parallel).chain(&args.join);
    let written = out.canonicalize().ok();
    let same = |input: &&Utf8PathBuf| written.is_some() && input.canonicalize().ok() == written;
    if let Some(input) = inputs.chain(&args.pairs).find(same) {
        return cannot(format!(
            "it is the input {input}, which would be overwritten; choose another file with --out"
        ));
    }
    Ok(())
}

pub fn main(args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    check_out(args)?;
    let pairs = args
        .pairs
        .as_ref()
        .map(|file| pairs::read(file.as_std_path()));
    let pairs = pairs.transpose().map_err(refused)?;
    let (embedding, made) = if args.join.is_empty() {
        learned(args, shell)?
    } else {
        joined(args, shell)?
    };
    let mut row = vec![0.0; embedding.dim()];
    let runaway = embedding
        .words()
        .find(|word| embedding.vector(word, &mut row) && row.iter().any(|x| !x.is_finite()));
    if let Some(word) = runaway {
        return Err(refused(format!(
            "training diverged: the vector of {word:?} is not finite; lower --rate or --epochs, or raise --dim"
        )));
    }
    let mut bytes = Vec::new();
    let form = args.format.into();
    embedding
        .write(form, &mut bytes)
        .and_then(|()| write_whole(args.out.as_std_path(), &bytes))
        .map_err(|e| refused(format!("cannot write {}: {e}", args.out)))?;
    let said = format!(
        "{} ({} words of {} numbers from {made}, {} bytes)",
        args.out,
        embedding.len(),
        embedding.dim(),
        bytes.len()
    );
    shell.status("Wrote", &said);
    if let Some(pairs) = &pairs {
        // Read what was written, not what was trained: the compact format rounds.
        let written = Embedding::open(args.out.as_std_path())
            .map_err(|e| Failure::Other(ExitCode::Internal, e.to_string()))?;
        tell_pairs(&written, pairs, shell)?;
    }
    Ok(ExitCode::Ok)
}

fn refused(e: impl std::fmt::Display) -> Failure {
    Failure::Other(ExitCode::Config, e.to_string())
}

/// The joined embeddings of `--join`, and their sources.
fn joined(args: &Args, shell: &Shell) -> Result<(Embedding, String), Failure> {
    let mut parts = Vec::new();
    for file in &args.join {
        shell.status("Reading", file.as_str());
        let part = Embedding::open(file.as_std_path()).map_err(refused)?;
        // The result has its words.
        if parts.is_empty() {
            part.writable(args.format.into()).map_err(|e| {
                refused(format!(
                    "cannot write {} with the words of {file}: {e}",
                    args.out
                ))
            })?;
        }
        parts.push(part);
    }
    let embedding = join(&parts, args.numbers.dim).map_err(refused)?;
    let dims: Vec<_> = parts.iter().map(|part| part.dim().to_string()).collect();
    Ok((embedding, dims.join(" + ")))
}

/// An embedding trained on texts, and its sources.
fn learned(args: &Args, shell: &Shell) -> Result<(Embedding, String), Failure> {
    let mut corpus = Corpus::default();
    for file in &args.corpus {
        shell.status("Reading", file.as_str());
        corpus.add_file(file.as_std_path()).map_err(refused)?;
    }
    for file in &args.parallel {
        shell.status("Reading", file.as_str());
        corpus
            .add_parallel_file(file.as_std_path())
            .map_err(refused)?;
    }
    let n = &args.numbers;
    let parameters = Parameters {
        dim: n.dim,
        window: n.window,
        negative: n.negative,
        subsample: n.subsample,
        epochs: n.epochs,
        rate: n.rate,
        min_count: n.min_count,
        max_words: n.max_words,
        seed: n.seed,
    };
    let live = shell.verbosity() > Verbosity::Quiet && std::io::stderr().is_terminal();
    let bar = if live {
        ProgressBar::new(1000)
    } else {
        ProgressBar::hidden()
    };
    if let Ok(style) = ProgressStyle::with_template("    Training {wide_bar} {percent}% {eta}") {
        bar.set_style(style);
    }
    let trained = train(&corpus, &parameters, |done| {
        bar.set_position((done * 1000.0) as u64)
    });
    bar.finish_and_clear();
    let (embedding, seen) = trained.map_err(refused)?;
    if seen.alone > 0 {
        shell.warn(&format!(
            "nothing was learned about {} of the {} words, so their vectors are random: they never share a line with \
             another word; raise --min-count, or add lines that contain them",
            seen.alone, seen.words
        ));
    }
    let made = format!(
        "{} words in the texts, {} foreign contexts",
        seen.tokens, seen.foreign
    );
    Ok((embedding, made))
}

/// Places in each other's neighbourhood, a pair a line on standard output, and the share within the first ten.
fn tell_pairs(
    embedding: &Embedding,
    pairs: &[(String, String)],
    shell: &Shell,
) -> Result<(), Failure> {
    const TOP: usize = 10;
    let ranked = pairs::rank(embedding, pairs, 100);
    let shown = |place: Option<usize>| place.map_or("-".to_owned(), |place| place.to_string());
    for pair in &ranked {
        let mark = if pair.mutual(TOP) { "+" } else { " " };
        let (b, a) = (shown(pair.b_for_a), shown(pair.a_for_b));
        shell.print(&format!("{mark} {} {} {b} {a}\n", pair.a, pair.b))?;
    }
    let within = ranked.iter().filter(|pair| pair.mutual(TOP)).count();
    shell.status(
        "Pairs",
        &format!(
            "{within} of {} are in each other's ten nearest words",
            ranked.len()
        ),
    );
    Ok(())
}
