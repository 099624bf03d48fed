//! `bench fate`: strategies on FATE models, thousands of steps in milliseconds.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use crate::bench::fate::ranking::{self, Ranking, Searched};
use crate::bench::fate::row::{self, Row, Rows};
use crate::bench::fate::{Contender, FateError, Grid, Setup, label, pool, search};
use crate::cli::Failure;
use crate::cli::args::Global;
use crate::cli::shell::{MessageFormat, Shell};
use crate::device::sim::{Model, Semantics};
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::outcome::folder::{pretty, write_whole};

/// Whose figures are in the paper's table.
const USUAL: &str = "random,q-learning";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Models: JSON files in our format, FATE's or its paper's, Ptolemy II drawings (.xml), or `builtin:NAME`
    #[arg(required = true, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    models: Vec<Utf8PathBuf>,
    /// The number of strings for actions; FATE's sampling adds one. May be repeated
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "20", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(..=1_000_000))]
    strings: Vec<usize>,
    /// Strategies, each a NAME or NAME:PRESET
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = USUAL)]
    strategies: Vec<String>,
    /// Try every combination of a parameter grid instead of --strategies: `[[strategy]]` tables as in a suite, with
    /// lists of values
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "strategies")]
    grid: Option<Utf8PathBuf>,
    /// Write the best combination as a suite's [[strategy]] to this file; combinations that may be as good are comments
    /// [default: standard output]
    #[arg(long, value_name = "FILE", requires = "grid", value_hint = ValueHint::FilePath)]
    winner: Option<Utf8PathBuf>,
    /// The number of runs of each model and strategy
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// The number of steps of a run
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    steps: u64,
    /// Reset behaviour: `fate-compat` as in the published simulator, `clean` as in an app
    #[arg(long, value_name = "HOW", default_value = "fate-compat", value_parser = semantics)]
    semantics: Semantics,
    /// The strings: a JSON list, or one per line [default: strings.json next to the model, else the model's strings]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pool: Option<Utf8PathBuf>,
    /// Write the rows to this file; for a grid, with its ranking
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<Utf8PathBuf>,
    /// The folder of finished runs, which are not run again
    #[arg(long, value_name = "FILE", default_value = "target/droidtest/fate.jsonl", value_hint = ValueHint::FilePath)]
    store: Utf8PathBuf,
    /// Ignore finished runs, and run everything
    #[arg(long, conflicts_with = "store")]
    fresh: bool,
    /// Run nothing: compute the rows from finished runs
    #[arg(long, conflicts_with_all = ["fresh", "grid"])]
    no_run: bool,
}

fn semantics(text: &str) -> Result<Semantics, String> {
    match text {
        "fate-compat" => Ok(Semantics::FateCompat),
        "clean" => Ok(Semantics::Clean),
        _ => Err("expected fate-compat or clean".into()),
    }
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let candidates = args.grid.as_deref();
    let candidates = candidates
        .map(|path| self::candidates(path, shell))
        .transpose()?;
    let contenders: Vec<Contender> = match &candidates {
        Some(candidates) => candidates.iter().map(|c| c.contender.clone()).collect(),
        None => {
            let named = args.strategies.iter().map(|name| name.trim().parse());
            named.collect::<Result<_, FateError>>().map_err(refused)?
        }
    };
    let grid = Grid {
        setups: setups(args).map_err(refused)?,
        contenders,
        seeds: args.seeds,
        steps: args.steps,
        semantics: args.semantics,
        store: (!args.fresh).then(|| args.store.clone()),
        run: !args.no_run,
    };
    let stop = Stop::default();
    crate::cli::run::stop_on_ctrl_c(&stop)?;
    let jobs = global.jobs();
    let hundredth = |done: usize, all: usize| {
        if done == all || done.is_multiple_of(all.div_ceil(100)) {
            shell.status("Ran", &format!("{done} of {all} runs"));
        }
    };
    let cells = grid.run(jobs, &stop, &hundredth).map_err(refused)?;
    let rows: Vec<Row> = cells
        .iter()
        .filter_map(|cells| Row::of(&cells.iter().collect::<Vec<_>>()))
        .collect();
    let ranking = candidates.map(|candidates| ranking::rank(&candidates, &cells));
    let json = match &ranking {
        Some(ranking) => pretty(&Searched {
            rows: &rows,
            ranking,
        })?,
        None => pretty(&Rows { rows: rows.clone() })?,
    };
    if let Some(path) = &args.json {
        write_whole(path.as_std_path(), &json)?;
        shell.status("Wrote", path.as_str());
    }
    if let (Some(path), Some(ranking)) = (&args.winner, &ranking) {
        write_whole(path.as_std_path(), ranking.winner.as_bytes())?;
        shell.status("Wrote", path.as_str());
    }
    shell.print(&match shell.format() {
        MessageFormat::Json => String::from_utf8_lossy(&json).into_owned(),
        MessageFormat::Human => human(&rows, ranking.as_ref(), args),
    })?;
    Ok(ExitCode::Ok)
}

fn human(rows: &[Row], ranking: Option<&Ranking>, args: &Args) -> String {
    match ranking {
        None => row::text(rows),
        Some(ranking) if args.winner.is_some() => ranking::text(ranking),
        Some(ranking) => format!("{}\n{}", ranking::text(ranking), ranking.winner),
    }
}

fn candidates(path: &Utf8Path, shell: &Shell) -> Result<Vec<search::Candidate>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Other(ExitCode::Usage, format!("{path}: {e}")))?;
    let (candidates, notices) = search::candidates(&text, path.as_str()).map_err(refused)?;
    shell.notices(&notices);
    Ok(candidates)
}

fn refused(error: FateError) -> Failure {
    let code = match &error {
        FateError::Store(..) => ExitCode::OutputNotWritten,
        FateError::Interrupted => ExitCode::Interrupted,
        FateError::Contender(_) => ExitCode::Usage,
        _ => ExitCode::Config,
    };
    Failure::Other(code, error.to_string())
}

fn setups(args: &Args) -> Result<Vec<Setup>, FateError> {
    let mut setups = Vec::new();
    let mut files = Vec::new();
    for path in &args.models {
        for &strings in &args.strings {
            setups.push(setup(path, strings, args.pool.as_deref())?);
            files.push(path.as_path());
        }
    }
    let names = setups.iter().map(|setup| setup.model.name.as_str());
    let labels = label::labels(&names.zip(files).collect::<Vec<_>>());
    for (setup, label) in setups.iter_mut().zip(labels) {
        setup.label = label;
    }
    Ok(setups)
}

fn setup(path: &Utf8Path, limit: usize, named: Option<&Utf8Path>) -> Result<Setup, FateError> {
    let builtin = path.as_str().strip_prefix("builtin:");
    let (model, file) = match builtin {
        Some(name) => (Model::builtin(name)?, None),
        None => (Model::load(path.as_std_path())?, Some(path)),
    };
    let strings = pool::limited(pool::all(named, file, &model)?, limit, &model)?;
    Ok(Setup {
        content: model.content(),
        label: model.name.clone(),
        model,
        strings,
    })
}
