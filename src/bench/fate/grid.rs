//! All cells of a comparison: run by as many threads as wanted, each kept as soon as it is done.

use super::contender::{Contender, Player, Runs};
use super::{FateError, course, session};
use crate::device::sim::{Model, Semantics};
use crate::explore::Stop;
use crate::util::{cpu_time, seed, sha256};
use camino::Utf8PathBuf;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Raised when an algorithm changes, so that cells of before are run again.
const ALGORITHMS: u32 = 2;

/// A model with the strings that can be typed.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The model.
    pub model: Model,
    /// Strings, one more than the limit.
    pub strings: Vec<String>,
    /// SHA-256 of the model's text.
    pub content: String,
    /// What rows call it: its name, or what tells it from others of that name ([`super::label`]). Neither keys nor seeds
    /// hang on it.
    pub label: String,
}

/// A finished run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Hash of all that decides what comes out.
    pub key: String,
    /// What the model is called next to the others: see [`Setup::label`].
    pub model: String,
    /// The strategy as it was requested.
    pub strategy: String,
    /// The limit of string numbers.
    pub strings: usize,
    /// Seed.
    pub seed: u64,
    /// Steps.
    pub steps: u64,
    /// Area under the curve.
    pub auc: f64,
    /// Activities at the end.
    pub activities: u32,
    /// Processor time.
    pub seconds: f64,
}

/// What is to be run.
#[derive(Debug)]
pub struct Grid {
    /// Models.
    pub setups: Vec<Setup>,
    /// Strategies.
    pub contenders: Vec<Contender>,
    /// Seeds 0 to this, exclusive.
    pub seeds: u64,
    /// Steps of a run.
    pub steps: u64,
    /// What resets do.
    pub semantics: Semantics,
    /// Where finished cells are kept, one JSON object per line; `None`: nowhere.
    pub store: Option<Utf8PathBuf>,
    /// Is what is not kept run? If not, it is missing in the rows.
    pub run: bool,
}

impl Grid {
    /// Runs what is not there yet, and gives all cells, a row each: model by model, strategy by strategy, in a row seed
    /// by seed. `reported` receives the number of finished cells and the total. The user's interrupt ends runs under way, too; nothing of them
    /// is kept.
    ///
    /// # Errors
    /// A model has no value for an expression, the store cannot be read or written, the user stops it.
    pub fn run(
        &self,
        jobs: usize,
        stop: &Stop,
        reported: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Vec<Vec<Cell>>, FateError> {
        let kept = self.kept()?;
        let wanted: Vec<(usize, usize, u64)> = (0..self.setups.len())
            .flat_map(|setup| (0..self.contenders.len()).map(move |who| (setup, who)))
            .flat_map(|(setup, who)| (0..self.seeds).map(move |seed| (setup, who, seed)))
            .collect();
        let cells: Mutex<Vec<Option<Cell>>> = Mutex::new(
            wanted
                .iter()
                .map(|&(setup, who, seed)| {
                    let key = self.key(setup, who, seed);
                    kept.get(&key).map(|cell| self.named(cell, setup, who))
                })
                .collect(),
        );
        let store = Mutex::new(self.open()?);
        let failed: Mutex<Option<FateError>> = Mutex::new(None);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let jobs = if self.run { jobs.max(1) } else { 0 };
            for _ in 0..jobs {
                scope.spawn(|| {
                    loop {
                        let ix = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&(setup, who, seed)) = wanted.get(ix) else {
                            break;
                        };
                        if stop.requested() || matches!(failed.lock(), Ok(e) if e.is_some()) {
                            break;
                        }
                        if matches!(cells.lock(), Ok(cells) if cells[ix].is_some()) {
                            continue;
                        }
                        let done = self.cell(setup, who, seed, stop).and_then(|cell| {
                            self.keep(&store, &cell)?;
                            Ok(cell)
                        });
                        match done {
                            Ok(cell) => {
                                if let Ok(mut cells) = cells.lock() {
                                    cells[ix] = Some(cell);
                                    reported(cells.iter().flatten().count(), wanted.len());
                                }
                            }
                            Err(error) => {
                                if let Ok(mut failed) = failed.lock() {
                                    failed.get_or_insert(error);
                                }
                            }
                        }
                    }
                });
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_default() {
            return Err(error);
        }
        if stop.requested() {
            return Err(FateError::Interrupted);
        }
        let cells = cells.into_inner().unwrap_or_default();
        let rows = cells.chunks(usize::try_from(self.seeds).unwrap_or(usize::MAX).max(1));
        Ok(rows
            .map(|cells| cells.iter().flatten().cloned().collect())
            .collect())
    }

    /// A kept cell under the name it has now: a row may be requested by another.
    fn named(&self, cell: &Cell, setup: usize, who: usize) -> Cell {
        Cell {
            model: self.setups[setup].label.clone(),
            strategy: self.contenders[who].name.clone(),
            ..cell.clone()
        }
    }

    fn cell(&self, setup: usize, who: usize, seed: u64, stop: &Stop) -> Result<Cell, FateError> {
        let contender = &self.contenders[who];
        let semantics = self.semantics;
        let Setup {
            model,
            strings,
            label,
            ..
        } = &self.setups[setup];
        let pool: Vec<&str> = strings.iter().map(String::as_str).collect();
        // The name of the kind, not of the preset: presets meet the same chances where they draw alike.
        let mut rng = seed::generator(seed, &model.name, contender.runs.name(), 0);
        let started = cpu_time::of_thread();
        let outcome = match &contender.runs {
            Runs::RandomWalk => {
                course::random(model, semantics, &pool, self.steps, &mut rng, stop)?
            }
            Runs::Strategy(kind) => match Player::new(kind, &model.name, &mut rng)? {
                Player::Walk(mut learner) => {
                    let learner = learner.as_mut();
                    course::learn(model, semantics, &pool, self.steps, learner, &mut rng, stop)?
                }
                Player::Session(mut strategy) => {
                    let strategy = strategy.as_mut();
                    session::run(model, semantics, strings, self.steps, strategy, rng, stop)?
                }
            },
        };
        Ok(Cell {
            key: self.key(setup, who, seed),
            model: label.clone(),
            strategy: contender.name.clone(),
            strings: strings.len().saturating_sub(1),
            seed,
            steps: self.steps,
            auc: outcome.auc,
            activities: outcome.activities,
            seconds: cpu_time::of_thread().saturating_sub(started).as_secs_f64(),
        })
    }

    fn key(&self, setup: usize, who: usize, seed: u64) -> String {
        let setup = &self.setups[setup];
        let contender = &self.contenders[who].runs;
        let all = format!(
            "{ALGORITHMS} {} {} {:?} {contender:?} {:?} {} {seed}",
            setup.content, setup.model.name, setup.strings, self.semantics, self.steps
        );
        sha256::of_bytes(all.as_bytes())[..32].to_owned()
    }

    /// Finished cells by key. A line truncated, as a killed run leaves it, is a cell to run again.
    fn kept(&self) -> Result<FxHashMap<String, Cell>, FateError> {
        let Some(path) = &self.store else {
            return Ok(FxHashMap::default());
        };
        let refused = |e| FateError::Store(path.clone(), e);
        let file = match File::open(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(FxHashMap::default()),
            opened => opened.map_err(refused)?,
        };
        let mut kept = FxHashMap::default();
        for line in BufReader::new(file).split(b'\n') {
            // A line that is damaged, or of an older version, is as good as none.
            let line = line.map_err(refused)?;
            if let Ok(cell) = serde_json::from_slice::<Cell>(&line) {
                kept.insert(cell.key.clone(), cell);
            }
        }
        Ok(kept)
    }

    fn open(&self) -> Result<Option<File>, FateError> {
        let Some(path) = &self.store else {
            return Ok(None);
        };
        let refused = |e| FateError::Store(path.clone(), e);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(refused)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Some(file.map_err(refused)?))
    }

    fn keep(&self, store: &Mutex<Option<File>>, cell: &Cell) -> Result<(), FateError> {
        let Some(path) = &self.store else {
            return Ok(());
        };
        // A line break goes before: what a killed run left of a line must not swallow this one.
        let line = serde_json::to_string(cell).unwrap_or_default();
        let written = match store.lock() {
            Ok(mut store) => match store.as_mut() {
                Some(file) => file.write_all(format!("\n{line}").as_bytes()),
                None => Ok(()),
            },
            Err(_) => Ok(()),
        };
        written.map_err(|e| FateError::Store(path.clone(), e))
    }
}
