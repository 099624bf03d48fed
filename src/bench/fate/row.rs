//! A row of the result: one model, strategy and number of strings over all seeds.

use super::Cell;
use crate::bench::stats::median;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// One row, as `--json` writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The model's name, or what tells it from others of that name.
    pub model: String,
    /// The strategy as it was requested.
    pub strategy: String,
    /// The limit of string numbers: one more can be reached by sampling.
    pub strings: usize,
    /// Runs.
    pub seeds: usize,
    /// Steps of a run.
    pub steps: u64,
    /// Mean area under the curve of activities.
    pub auc_mean: f64,
    /// Its standard deviation over seeds (n - 1), 0 for one seed.
    pub auc_sd: f64,
    /// Its median.
    pub auc_median: f64,
    /// Mean number of activities at the end.
    pub activities_mean: f64,
    /// Steps by processor time spent in them.
    pub steps_per_second: f64,
}

/// What `--json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    /// All rows, model by model.
    pub rows: Vec<Row>,
}

impl Row {
    /// Of these cells, which must be of one row; `None` of none.
    pub fn of(cells: &[&Cell]) -> Option<Self> {
        let first = cells.first()?;
        let areas: Vec<f64> = cells.iter().map(|cell| cell.auc).collect();
        let count = areas.len() as f64;
        let (mean, sd) = mean_and_sd(&areas);
        let seconds: f64 = cells.iter().map(|cell| cell.seconds).sum();
        let steps: f64 = cells.iter().map(|cell| cell.steps as f64).sum();
        Some(Self {
            model: first.model.clone(),
            strategy: first.strategy.clone(),
            strings: first.strings,
            seeds: cells.len(),
            steps: first.steps,
            auc_mean: mean,
            auc_sd: sd,
            auc_median: median(&areas)?,
            activities_mean: cells.iter().map(|c| f64::from(c.activities)).sum::<f64>() / count,
            steps_per_second: steps / seconds.max(1e-9),
        })
    }
}

/// Mean and standard deviation (n - 1; 0 of one value).
pub fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

/// The rows as a table for a person.
pub fn text(rows: &[Row]) -> String {
    let widest = |name: fn(&Row) -> &str, title: &str| {
        let longest = rows.iter().map(|row| name(row).chars().count()).max();
        longest.unwrap_or(0).max(title.len())
    };
    let model = widest(|row| &row.model, "model");
    let strategy = widest(|row| &row.strategy, "strategy");
    let mut out = format!(
        "{:model$}  {:strategy$}  strings  seeds  steps    AUC mean          sd      median  activities     steps/s\n",
        "model", "strategy"
    );
    for row in rows {
        let _ = writeln!(
            out,
            "{:model$}  {:strategy$}  {:>7}  {:>5}  {:>5}  {:>10.0}  {:>10.0}  {:>10.0}  {:>10.2}  {:>10.0}",
            row.model,
            row.strategy,
            row.strings,
            row.seeds,
            row.steps,
            row.auc_mean,
            row.auc_sd,
            row.auc_median,
            row.activities_mean,
            row.steps_per_second
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_are_those_of_a_sample() {
        let cell = |auc| Cell {
            auc,
            steps: 10,
            seconds: 0.5,
            ..Cell::default()
        };
        let cells = [cell(1.0), cell(2.0), cell(6.0)];
        let row = Row::of(&cells.iter().collect::<Vec<_>>()).unwrap();
        assert!((row.auc_mean - 3.0).abs() < 1e-12);
        assert!((row.auc_sd - 7.0_f64.sqrt()).abs() < 1e-12);
        assert!((row.auc_median - 2.0).abs() < 1e-12);
        assert!((row.steps_per_second - 20.0).abs() < 1e-9);
        assert!(text(&[row]).contains("20"));
        assert!(Row::of(&[]).is_none());
    }
}
