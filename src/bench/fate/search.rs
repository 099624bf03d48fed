//! A grid of parameters of one strategy, every combination run on the same models and seeds, the best first.
//!
//! A grid is a TOML file of `[[strategy]]` tables as a suite has them, but with a list wherever several values are to be
//! tried: `train-every = [1, 5, 10]`. (A setting that is a list itself, `strings`, is not for grids.)

use super::FateError;
use super::contender::Contender;
use super::row::Row;
use crate::config::check::check;
use crate::config::source::{self, Source};
use crate::config::{Strategy, StrategyKind};
use std::fmt::Write as _;
use toml::{Table, Value};

/// The most combinations.
const MOST: usize = 10_000;

/// One combination.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its settings, as they stand in a suite.
    pub table: Table,
    /// What runs.
    pub contender: Contender,
}

/// A candidate's place.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// Which candidate.
    pub candidate: usize,
    /// Mean over the models of its mean area, each as a share of the best mean area on that model, 0 to 1.
    pub score: f64,
    /// Standard error of the score over seeds.
    pub error: f64,
}

/// All combinations of a grid's text; `file` names it in errors.
///
/// # Errors
/// It is no TOML, holds no strategy, or one that a suite would not take.
pub fn candidates(text: &str, file: &str) -> Result<Vec<Candidate>, FateError> {
    let refused = |why: String| FateError::Contender(format!("{file}: {why}"));
    let root: Table = text
        .parse()
        .map_err(|e: toml::de::Error| refused(e.to_string()))?;
    let tables = root.get("strategy").and_then(Value::as_array);
    let tables =
        tables.ok_or_else(|| refused("no [[strategy]]; write one with lists of values".into()))?;
    let mut candidates: Vec<Candidate> = Vec::new();
    for table in tables {
        let table = table
            .as_table()
            .ok_or_else(|| refused("`strategy` is a list of tables".into()))?;
        if let Some((key, _)) = table
            .iter()
            .find(|(_, value)| value.as_array().is_some_and(Vec::is_empty))
        {
            return Err(refused(format!(
                "`{key}` is an empty list; write the values to try"
            )));
        }
        for combination in product(table) {
            if candidates.len() == MOST {
                return Err(refused(format!(
                    "more than {MOST} combinations; leave some values out"
                )));
            }
            proper(&combination).map_err(refused)?;
            let strategy: Strategy = Value::Table(combination.clone())
                .try_into()
                .map_err(|e: toml::de::Error| refused(e.message().to_owned()))?;
            let kind = super::contender::Kind::of(&strategy.kind).ok_or_else(|| {
                refused(format!(
                    "`{}` has no parameters to search",
                    strategy.kind_name()
                ))
            })?;
            candidates.push(Candidate {
                contender: Contender {
                    name: label(&strategy.kind, &combination),
                    kind,
                },
                table: combination,
            });
        }
    }
    Ok(candidates)
}

/// Would a suite take these settings? The grid's best is written as one.
fn proper(combination: &Table) -> Result<(), String> {
    let mut root = Table::new();
    let table = Value::Table(combination.clone());
    root.insert("strategy".to_owned(), Value::Array(vec![table]));
    let text = toml::to_string(&root).map_err(|e| e.to_string())?;
    let source = Source::new("the combination", text);
    let problems = match source::parse(&source) {
        Ok(root) => check(&source, &root),
        Err(problems) => problems,
    };
    let Some(problem) = problems.first() else {
        return Ok(());
    };
    let help = problem.help.as_deref().unwrap_or_default();
    let settings: Vec<_> = combination
        .iter()
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    Err(format!(
        "{}; {help} (in {})",
        problem.message,
        settings.join(", ")
    ))
}

/// Every choice of one value from each list.
fn product(table: &Table) -> Vec<Table> {
    let mut all = vec![Table::new()];
    for (key, value) in table {
        let values = match value {
            Value::Array(values) => values.clone(),
            other => vec![other.clone()],
        };
        all = all
            .iter()
            .flat_map(|chosen| {
                values.iter().map(move |value| {
                    let mut chosen = chosen.clone();
                    chosen.insert(key.clone(), value.clone());
                    chosen
                })
            })
            .collect();
    }
    all
}

fn label(kind: &StrategyKind, table: &Table) -> String {
    let strategy = Strategy {
        name: None,
        kind: kind.clone(),
    };
    let mut label = strategy.kind_name().to_owned();
    for (key, value) in table
        .iter()
        .filter(|(key, _)| *key != "kind" && *key != "name")
    {
        let _ = write!(label, " {key}={value}");
    }
    label
}

/// The candidates by their score, the best first. `rows`: model by model, in each the candidates in order.
pub fn rank(candidates: usize, rows: &[Row]) -> Vec<Ranked> {
    let models: Vec<&[Row]> = rows.chunks(candidates.max(1)).collect();
    let mut ranked: Vec<Ranked> = (0..candidates)
        .map(|candidate| {
            let (mut score, mut variance) = (0.0, 0.0);
            for rows in &models {
                let best = rows
                    .iter()
                    .map(|row| row.auc_mean)
                    .fold(f64::MIN_POSITIVE, f64::max);
                let Some(row) = rows.get(candidate) else {
                    continue;
                };
                score += row.auc_mean / best;
                variance += (row.auc_sd / best).powi(2) / row.seeds as f64;
            }
            let count = models.len().max(1) as f64;
            Ranked {
                candidate,
                score: score / count,
                error: variance.sqrt() / count,
            }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked
}

/// The ranking for a person: score, its standard error, and how far each is behind the first in combined errors.
pub fn text(candidates: &[Candidate], ranked: &[Ranked]) -> String {
    let mut out = "  score   error  behind the first  settings\n".to_owned();
    let Some(first) = ranked.first() else {
        return out;
    };
    for row in ranked {
        let errors = (first.error.powi(2) + row.error.powi(2)).sqrt().max(1e-9);
        let _ = writeln!(
            out,
            "{:>7.4}  {:>6.4}  {:>10.1} errors  {}",
            row.score,
            row.error,
            (first.score - row.score) / errors,
            candidates[row.candidate].contender.name
        );
    }
    out
}

/// A candidate as a suite's `[[strategy]]`.
pub fn winner(candidate: &Candidate) -> String {
    let mut out = "[[strategy]]\n".to_owned();
    for (key, value) in &candidate.table {
        let _ = writeln!(out, "{key} = {value}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "[[strategy]]\nkind = \"ares-sac\"\npreset = \"paper\"\ntrain-every = [1, 5]\nlearning-rate = [0.001, 0.0003]\n\
                        [[strategy]]\nkind = \"q-learning\"\nepsilon = [0.1, 0.5, 0.8]\npreset = \"paper\"\n";

    #[test]
    fn every_combination_stands_once_and_the_winner_is_a_suites_strategy() {
        let candidates = candidates(GRID, "grid.toml").unwrap();
        assert_eq!(candidates.len(), 7);
        let mut names: Vec<&str> = candidates
            .iter()
            .map(|c| c.contender.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 7);
        for candidate in &candidates {
            let suite: Table = winner(candidate).parse().unwrap();
            let strategy: Strategy = suite["strategy"][0].clone().try_into().unwrap();
            assert_eq!(
                super::super::contender::Kind::of(&strategy.kind).as_ref(),
                Some(&candidate.contender.kind)
            );
        }
    }

    #[test]
    fn the_ranking_is_by_the_mean_share_of_each_models_best() {
        let row = |mean| Row {
            model: String::new(),
            strategy: String::new(),
            strings: 1,
            seeds: 4,
            steps: 1,
            auc_mean: mean,
            auc_sd: 2.0,
            auc_median: mean,
            activities_mean: 1.0,
            steps_per_second: 1.0,
        };
        // Shares .5 and 1, 1 and .8, .9 and .9.
        let rows = [50.0, 100.0, 90.0, 10.0, 8.0, 9.0].map(row);
        let ranked = rank(3, &rows);
        let order: Vec<usize> = ranked.iter().map(|r| r.candidate).collect();
        assert_eq!(order[2], 0);
        assert!((ranked[0].score - 0.9).abs() < 1e-9 && (ranked[1].score - 0.9).abs() < 1e-9);
        assert!(ranked[0].error > 0.0);
    }

    #[test]
    fn what_a_suite_would_not_take_is_refused() {
        for (grid, word) in [
            ("[[strategy]]\nkind = \"ares-sac\"\nbatsh = [1]", "batsh"),
            ("[[strategy]]\nkind = \"random\"", "no parameters"),
            ("x = 1", "no [[strategy]]"),
            (
                "[[strategy]]\nkind = \"q-learning\"\nepsilon = [0.1, 5.0]",
                "`strategy.epsilon` is out of range",
            ),
            (
                "[[strategy]]\nkind = \"ares-sac\"\nreward-scale = nan",
                "reward-scale = nan",
            ),
            (
                "[[strategy]]\nkind = \"ares-sac\"\nbatch = 0",
                "between 1 and 4096",
            ),
            (
                "[[strategy]]\nkind = \"q-learning\"\nepsilon = []",
                "`epsilon` is an empty list",
            ),
            ("[[strategy", "grid.toml"),
        ] {
            let told = candidates(grid, "grid.toml").unwrap_err().to_string();
            assert!(told.contains(word), "{told}");
        }
    }
}
