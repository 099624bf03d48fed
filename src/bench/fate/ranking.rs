//! The combinations of a grid, the best first, and which of the others may be as good.

use super::row::Row;
use super::search::Candidate;
use super::{Cell, row};
use crate::bench::stats::wilcoxon;
use serde::Serialize;
use std::fmt::Write as _;
use toml::Table;

/// A difference is significant where its adjusted p-value is at most this.
pub const LEVEL: f64 = 0.05;

/// The test, in words.
const TEST: &str =
    "Wilcoxon's signed-rank test over seeds, corrected for all pairs of combinations, 5 %";

/// The complete ranking, as `--json` writes it.
#[derive(Clone, Debug, Serialize)]
pub struct Ranking {
    /// Runs of each combination on each model.
    pub seeds: usize,
    /// With fewer seeds the test could not tell any combination from the first, however far it is behind. Where runs of
    /// both are equal it takes more.
    pub least_seeds: usize,
    /// The level of the test.
    pub level: f64,
    /// The combinations, the best first.
    pub places: Vec<Ranked>,
    /// The first as a suite's `[[strategy]]`.
    pub winner: String,
}

/// A combination's place.
#[derive(Clone, Debug, Serialize)]
pub struct Ranked {
    /// Its number among the candidates.
    #[serde(skip)]
    pub candidate: usize,
    /// The combination in one line.
    pub strategy: String,
    /// Its settings.
    pub settings: Table,
    /// Mean over models and seeds of its area, as a share of the best combination's mean area on the model, 0 to 1.
    pub score: f64,
    /// Standard error of the score over seeds.
    pub error: f64,
    /// The signed-rank test's p-value of the difference from the first over seeds; 1 for the first itself.
    pub p: f64,
    /// The same times the number of pairs of combinations (Bonferroni), at most 1.
    pub p_corrected: f64,
    /// Is it not significantly behind the first? So is the first itself.
    pub tied: bool,
}

/// What `--json` holds of a grid.
#[derive(Debug, Serialize)]
pub struct Searched<'a> {
    /// All rows, model by model.
    pub rows: &'a [Row],
    /// The combinations, ranked.
    pub ranking: &'a Ranking,
}

/// The candidates by their score, the best first. `rows`: model by model, in each the candidates in order, of each its
/// cells seed by seed, as [`super::Grid::run`] gives them.
///
/// Each combination but the first is compared with the first: for each seed the mean over models of its shares. The
/// first is chosen by the same seeds, so any two of the combinations could have been held against each other: the test
/// is corrected for all pairs, not only for those that it is made of.
pub fn rank(candidates: &[Candidate], rows: &[Vec<Cell>]) -> Ranking {
    let seeds = rows.iter().map(Vec::len).min().unwrap_or(0);
    let mut scores = vec![vec![0.0; seeds]; candidates.len()];
    let models: Vec<&[Vec<Cell>]> = rows.chunks(candidates.len().max(1)).collect();
    for model in &models {
        let means = model
            .iter()
            .map(|cells| cells.iter().map(|c| c.auc).sum::<f64>() / cells.len().max(1) as f64);
        let best = means.fold(f64::MIN_POSITIVE, f64::max);
        for (scores, cells) in scores.iter_mut().zip(*model) {
            for (score, cell) in scores.iter_mut().zip(cells) {
                *score += cell.auc / best / models.len() as f64;
            }
        }
    }
    let mut places: Vec<Ranked> = candidates
        .iter()
        .zip(&scores)
        .enumerate()
        .map(|(ix, (candidate, scores))| {
            let (score, sd) = row::mean_and_sd(scores);
            Ranked {
                candidate: ix,
                strategy: candidate.contender.name.clone(),
                settings: candidate.table.clone(),
                score,
                error: sd / (scores.len() as f64).max(1.0).sqrt(),
                p: 1.0,
                p_corrected: 1.0,
                tied: true,
            }
        })
        .collect();
    places.sort_by(|a, b| b.score.total_cmp(&a.score));
    if let Some((first, others)) = places.split_first_mut() {
        let first = &scores[first.candidate];
        for other in others {
            let test = wilcoxon(first, &scores[other.candidate]);
            other.p = test.p;
            other.p_corrected = (test.p * pairs(candidates.len())).min(1.0);
            // One whose mean is lower though it is ahead on most seeds is not behind.
            other.tied = other.p_corrected > LEVEL || test.above <= test.below;
        }
    }
    let mut ranking = Ranking {
        seeds,
        least_seeds: least_seeds(places.len()),
        level: LEVEL,
        places,
        winner: String::new(),
    };
    ranking.winner = winner(&ranking, candidates);
    ranking
}

/// How many pairs of so many combinations there are.
fn pairs(combinations: usize) -> f64 {
    combinations as f64 * combinations.saturating_sub(1) as f64 / 2.0
}

/// The fewest seeds with which the smallest p-value that there is, 2 / 2^seeds, is below the level when corrected.
fn least_seeds(combinations: usize) -> usize {
    let mut seeds = 1;
    let mut p = pairs(combinations);
    while p > LEVEL {
        seeds += 1;
        p /= 2.0;
    }
    seeds
}

impl Ranking {
    /// In one sentence, how reliable the order is.
    fn verdict(&self) -> String {
        let others = self.places.len().saturating_sub(1);
        let ties = self.places.iter().skip(1).filter(|p| p.tied).count();
        if others == 0 {
            "There is no other combination to compare the first with.".to_owned()
        } else if self.seeds < self.least_seeds {
            format!(
                "{} are too few to tell {} combinations apart; use at least {} (--seeds), and more if runs are equal.",
                seeds(self.seeds),
                others + 1,
                self.least_seeds
            )
        } else if ties == 0 {
            format!("All others are significantly behind the first ({TEST}).")
        } else {
            format!("{ties} of {others} are not significantly behind the first ({TEST}).")
        }
    }
}

fn seeds(count: usize) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}

/// The ranking for a person: score, its standard error, and the test against the first.
pub fn text(ranking: &Ranking) -> String {
    let mut out = "  score   error       p  corrected         settings\n".to_owned();
    for (ix, place) in ranking.places.iter().enumerate() {
        let _ = write!(out, "{:>7.4}  {:>6.4}  ", place.score, place.error);
        let _ = match (ix, place.tied) {
            (0, _) => write!(out, "{:>6}  {:>8}  first ", "", ""),
            (_, true) => write!(out, "{:>6.4}  {:>8.4}  tie   ", place.p, place.p_corrected),
            (_, false) => write!(out, "{:>6.4}  {:>8.4}  behind", place.p, place.p_corrected),
        };
        let _ = writeln!(out, "  {}", place.strategy);
    }
    let _ = writeln!(out, "{}", ranking.verdict());
    out
}

/// The first as a suite's `[[strategy]]`, with what may be as good.
fn winner(ranking: &Ranking, candidates: &[Candidate]) -> String {
    let Some(first) = ranking.places.first() else {
        return String::new();
    };
    let mut out = format!(
        "# The first of {} combinations: {:.4} of the best mean area, standard error {:.4}, {} a model.\n# {}\n",
        ranking.places.len(),
        first.score,
        first.error,
        seeds(ranking.seeds),
        ranking.verdict()
    );
    for tied in ranking.places.iter().skip(1).filter(|place| place.tied) {
        let _ = writeln!(out, "#   {}", tied.strategy);
    }
    out + &settings(&candidates[first.candidate])
}

/// A candidate as a suite's `[[strategy]]`.
pub fn settings(candidate: &Candidate) -> String {
    let mut out = "[[strategy]]\n".to_owned();
    for (key, value) in &candidate.table {
        let _ = writeln!(out, "{key} = {value}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::fate::search::candidates;

    fn three() -> Vec<Candidate> {
        let grid =
            "[[strategy]]\nkind = \"q-learning\"\npreset = \"paper\"\nepsilon = [0.1, 0.5, 0.8]\n";
        candidates(grid, "grid.toml").unwrap().0
    }

    fn cells(areas: impl IntoIterator<Item = f64>) -> Vec<Cell> {
        let cell = |auc| Cell {
            auc,
            ..Cell::default()
        };
        areas.into_iter().map(cell).collect()
    }

    #[test]
    fn the_ranking_is_by_the_mean_share_of_each_models_best() {
        // Shares .5 and 1, 1 and .8, .9 and .9.
        let rows = [50.0, 100.0, 90.0, 10.0, 8.0, 9.0].map(|mean| cells([mean - 2.0, mean + 2.0]));
        let ranking = rank(&three(), &rows);
        let places = &ranking.places;
        assert_eq!(places[2].candidate, 0);
        for place in &places[..2] {
            assert!((place.score - 0.9).abs() < 1e-9, "{place:?}");
        }
        assert!(places[0].error > 0.0);
        assert_eq!(ranking.seeds, 2);
    }

    #[test]
    fn what_is_not_significantly_behind_the_first_is_a_tie_and_named() {
        // The second is behind by about 1 on every seed, the third sometimes ahead.
        let first = (0..20).map(f64::from);
        let second = (0..20).map(|n| f64::from(n) - 1.0 - f64::from(n) / 100.0);
        let swing = |n: i32| (1.0 + f64::from(n) / 10.0) * if n % 2 == 0 { 1.0 } else { -1.0 };
        let third = (0..20).map(|n| f64::from(n) + swing(n));
        let rows = [cells(first), cells(second), cells(third)];
        let all = three();
        let ranking = rank(&all, &rows);
        let order: Vec<usize> = ranking.places.iter().map(|p| p.candidate).collect();
        assert_eq!(order, [0, 2, 1]);
        let tied: Vec<bool> = ranking.places.iter().map(|p| p.tied).collect();
        assert_eq!(tied, [true, true, false]);
        // 20 differences of one sign: p = 2 / 2^20, and three pairs of combinations.
        let last = &ranking.places[2];
        assert!((last.p - 2.0_f64.powi(-19)).abs() < 1e-12, "{}", last.p);
        assert!((last.p_corrected - 3.0 * 2.0_f64.powi(-19)).abs() < 1e-12);
        let table = text(&ranking);
        assert!(
            table.contains("1 of 2 are not significantly behind"),
            "{table}"
        );
        assert!(table.contains("tie     q-learning epsilon=0.8"), "{table}");
        assert!(table.contains("behind  q-learning epsilon=0.5"), "{table}");
        let file = &ranking.winner;
        assert!(file.contains("#   q-learning epsilon=0.8"), "{file}");
        assert!(!file.contains("epsilon=0.5"), "{file}");
        let suite: Table = file.parse().unwrap();
        assert_eq!(suite["strategy"][0]["epsilon"].as_float(), Some(0.1));
    }

    #[test]
    fn too_few_seeds_are_said() {
        assert_eq!((least_seeds(1), least_seeds(2), least_seeds(8)), (1, 6, 11));
        let rows = [3.0, 2.0, 1.0].map(|mean| cells([mean; 5]));
        let ranking = rank(&three(), &rows);
        assert!(ranking.places.iter().all(|place| place.tied));
        assert!(
            ranking.winner.contains("5 seeds are too few"),
            "{}",
            ranking.winner
        );
        assert!(ranking.winner.contains("at least 7"), "{}", ranking.winner);
    }
}
