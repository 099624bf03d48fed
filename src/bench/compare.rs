//! Strategies compared: by app, over all apps, pair by pair.

use super::measure::Measured;
use super::metric::{Cut, Metric};
use super::stats::{Interval, a12, holm, median, median_interval, wilcoxon};
use serde::Serialize;

/// Shares of the best value any session reached on an app up to the place compared, in percent, that sessions are timed
/// to.
pub const LEVELS: [u32; 3] = [50, 80, 95];

/// One metric at one place, compared.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What.
    pub metric: Metric,
    /// Where.
    pub cut: Cut,
    /// Each strategy on each app.
    pub apps: Vec<AppRow>,
    /// Each strategy over all apps, in the strategies' order.
    pub overall: Vec<Overall>,
    /// Each pair of strategies, over the apps.
    pub pairs: Vec<Pair>,
}

/// A strategy on an app.
#[derive(Clone, Debug, Serialize)]
pub struct AppRow {
    /// The app.
    pub app: String,
    /// The strategy.
    pub strategy: String,
    /// By seed, in the sessions' order.
    pub values: Vec<f64>,
    /// Over the seeds.
    pub interval: Option<Interval>,
    /// Median number of events to each of [`LEVELS`]; `None` if half of the sessions or more did not get there.
    pub events_to_level: Vec<Option<f64>>,
    /// Median number of events to a session's highest value up to the place compared.
    pub events_to_peak: Option<f64>,
}

/// A strategy over apps.
#[derive(Clone, Debug, Serialize)]
pub struct Overall {
    /// The strategy.
    pub strategy: String,
    /// Apps with a value.
    pub apps: usize,
    /// Of the medians by app.
    pub interval: Option<Interval>,
}

/// Two strategies on the same apps.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// Apps both have values on.
    pub apps: usize,
    /// Apps where the first's median is higher.
    pub wins: usize,
    /// Apps where the medians are equal.
    pub ties: usize,
    /// Median difference of the medians by app.
    pub difference: f64,
    /// Two-sided p-value of Wilcoxon's signed-rank test on the medians by app.
    pub p: f64,
    /// The same, corrected by Holm for all pairs of this comparison.
    pub p_holm: f64,
    /// A12 of the first over the second, mean over the apps.
    pub a12: f64,
    /// A12 by app.
    pub a12_by_app: Vec<(String, f64)>,
}

/// Compares all strategies of `sessions`; `None` if a metric is not known there.
pub fn compare(
    sessions: &[Measured],
    apps: &[String],
    strategies: &[String],
    metric: Metric,
    cut: Cut,
) -> Option<Comparison> {
    let mut rows = Vec::new();
    for app in apps {
        let of_app: Vec<&Measured> = sessions.iter().filter(|s| s.unit == *app).collect();
        let best = of_app
            .iter()
            .filter_map(|s| metric.of(&cut.point(s)?))
            .fold(0.0, f64::max);
        // Where no session hit a probe at all none were measured, and nothing is equal by that.
        let unmeasured = metric == Metric::Coverage && of_app.iter().all(|s| s.last().probes == 0);
        for strategy in strategies {
            let own: Vec<&Measured> = of_app
                .iter()
                .copied()
                .filter(|s| s.planned.strategy == *strategy && !unmeasured)
                .collect();
            rows.push(row(app, strategy, &own, metric, cut, best));
        }
    }
    if rows.iter().all(|row| row.values.is_empty()) {
        return None;
    }
    let overall = strategies
        .iter()
        .map(|strategy| overall(&rows, strategy))
        .collect();
    Some(Comparison {
        metric,
        cut,
        pairs: pairs(&rows, strategies),
        apps: rows,
        overall,
    })
}

fn row(
    app: &str,
    strategy: &str,
    sessions: &[&Measured],
    metric: Metric,
    cut: Cut,
    best: f64,
) -> AppRow {
    let values: Vec<f64> = sessions
        .iter()
        .filter_map(|s| cut.value(s, metric))
        .collect();
    // Of a session that was cut off before it is not known whether it would have come to a level.
    let known = || sessions.iter().filter(|s| cut.point(s).is_some());
    let level = |percent: u32| {
        let level = best * f64::from(percent) / 100.0;
        let reached = known()
            .filter(|_| level > 0.0)
            .map(|s| cut.events_to(s, metric, level));
        median_or_never(&reached.collect::<Vec<_>>())
    };
    let peak = |s: &&Measured| {
        let highest = metric.of(&cut.point(s)?)?;
        (highest > 0.0)
            .then(|| cut.events_to(s, metric, highest))
            .flatten()
            .map(|n| n as f64)
    };
    let peaks: Vec<f64> = sessions.iter().filter_map(peak).collect();
    AppRow {
        app: app.to_owned(),
        strategy: strategy.to_owned(),
        interval: median_interval(&values),
        values,
        events_to_level: LEVELS.map(level).to_vec(),
        events_to_peak: median(&peaks),
    }
}

/// The median where sessions that never got there count as infinitely slow; `None` if it is infinite.
fn median_or_never(reached: &[Option<u64>]) -> Option<f64> {
    let values: Vec<f64> = reached
        .iter()
        .map(|n| n.map_or(f64::INFINITY, |n| n as f64))
        .collect();
    median(&values).filter(|m| m.is_finite())
}

fn overall(rows: &[AppRow], strategy: &str) -> Overall {
    let own = rows.iter().filter(|row| row.strategy == strategy);
    let medians: Vec<f64> = own.filter_map(|row| median(&row.values)).collect();
    Overall {
        strategy: strategy.to_owned(),
        apps: medians.len(),
        interval: median_interval(&medians),
    }
}

fn pairs(rows: &[AppRow], strategies: &[String]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (at, a) in strategies.iter().enumerate() {
        for b in &strategies[at + 1..] {
            pairs.extend(pair(rows, a, b));
        }
    }
    let p: Vec<f64> = pairs.iter().map(|pair| pair.p).collect();
    for (pair, p) in pairs.iter_mut().zip(holm(&p)) {
        pair.p_holm = p;
    }
    pairs
}

fn pair(rows: &[AppRow], a: &str, b: &str) -> Option<Pair> {
    let mut medians = (Vec::new(), Vec::new());
    let mut sizes = Vec::new();
    for row in rows.iter().filter(|row| row.strategy == a) {
        let other = rows
            .iter()
            .find(|other| other.strategy == b && other.app == row.app)?;
        if let (Some(x), Some(y), Some(size)) = (
            median(&row.values),
            median(&other.values),
            a12(&row.values, &other.values),
        ) {
            medians.0.push(x);
            medians.1.push(y);
            sizes.push((row.app.clone(), size));
        }
    }
    let differences: Vec<f64> = medians
        .0
        .iter()
        .zip(&medians.1)
        .map(|(x, y)| x - y)
        .collect();
    Some(Pair {
        a: a.to_owned(),
        b: b.to_owned(),
        apps: sizes.len(),
        wins: differences.iter().filter(|d| **d > 0.0).count(),
        ties: differences.iter().filter(|d| **d == 0.0).count(),
        difference: median(&differences)?,
        p: wilcoxon(&medians.0, &medians.1).p,
        p_holm: 1.0,
        a12: sizes.iter().map(|(_, size)| size).sum::<f64>() / sizes.len() as f64,
        a12_by_app: sizes,
    })
}
