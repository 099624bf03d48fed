//! The report as a table for terminals.

use super::compare::{AppRow, Comparison, LEVELS, Pair};
use super::metric::Metric;
use super::stats::Interval;
use super::{Report, SessionRow};
use crate::util::text::shorten;
use std::fmt::Write as _;

/// What matters, for a terminal.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    for comparison in &report.comparisons {
        let _ = writeln!(
            out,
            "\n{} {}",
            comparison.metric.title(),
            comparison.cut.title()
        );
        strategies(&mut out, comparison);
        for pair in &comparison.pairs {
            let _ = writeln!(out, "  {}", pair_words(pair));
        }
    }
    groups(&mut out, report);
    if !report.unions.is_empty() {
        let _ = writeln!(out, "\nall sessions together");
        let mut rows = vec![
            [
                "strategy",
                "findings",
                "without system events",
                "only it",
                "probes",
                "activities",
            ]
            .map(str::to_owned),
        ];
        rows.extend(report.unions.iter().map(|u| {
            [
                u.strategy.clone(),
                u.findings.to_string(),
                u.without_system_events.to_string(),
                u.only.to_string(),
                u.probes.map_or_else(|| "-".to_owned(), |n| n.to_string()),
                u.activities.to_string(),
            ]
        }));
        aligned(&mut out, &rows);
    }
    for o in report
        .overlaps
        .iter()
        .filter(|o| o.both + o.only_a + o.only_b > 0)
    {
        let _ = writeln!(
            out,
            "  {} and {}: {} findings by both, {} by the first only, {} by the second only",
            o.a, o.b, o.both, o.only_a, o.only_b
        );
    }
    let cut_off: Vec<_> = report.sessions.iter().filter(|s| s.cut_off).collect();
    if !cut_off.is_empty() {
        let _ = writeln!(
            out,
            "\n{} of {} sessions did not complete: at the end they count with the values that they reached,\n\
             after equal events and equal time only if they got that far",
            cut_off.len(),
            report.sessions.len()
        );
    }
    let started = |s: &&&SessionRow| s.events > 0 || s.ended.is_some() || s.damage.is_some();
    let started = cut_off.iter().filter(started);
    for session in started.clone() {
        let why = session
            .damage
            .as_ref()
            .map(|why| format!(": {}", shorten(why, 160)));
        let why = why.unwrap_or_default();
        let _ = writeln!(out, "  {}, {} events{why}", session.session, session.events);
    }
    let never = cut_off.len() - started.count();
    if never > 0 {
        let _ = writeln!(out, "  {never} not started");
    }
    if let Some(beyond) = &report.beyond {
        let _ = writeln!(out, "\n{}", beyond.words());
    }
    out
}

fn strategies(out: &mut String, comparison: &Comparison) {
    let mut head = vec![
        "strategy".to_owned(),
        "apps".to_owned(),
        "median of apps".to_owned(),
        "95 %".to_owned(),
    ];
    head.extend(LEVELS.map(|level| format!("events to {level} %")));
    head.push("to its peak".to_owned());
    let mut rows = vec![head];
    // Where nobody reached anything, or nothing is known, there is no level to come to.
    let best = |app: &str| {
        let of_app = comparison.apps.iter().filter(|row| row.app == app);
        of_app
            .flat_map(|row| &row.values)
            .fold(0.0_f64, |a, b| a.max(*b))
    };
    let counts = |row: &AppRow| !row.values.is_empty() && best(&row.app) > 0.0;
    for overall in &comparison.overall {
        let own: Vec<_> = comparison
            .apps
            .iter()
            .filter(|row| row.strategy == overall.strategy)
            .collect();
        let mut row = vec![overall.strategy.clone(), overall.apps.to_string()];
        row.extend(interval(overall.interval));
        for level in 0..LEVELS.len() {
            let all = own.iter().filter(|r| counts(r));
            row.push(middle(all.map(|r| r.events_to_level[level])));
        }
        let own = own.iter().filter(|r| counts(r));
        row.push(middle(own.map(|r| r.events_to_peak)));
        rows.push(row);
    }
    aligned(out, &rows);
}

/// The medians by size of app: the most telling metric there is, and findings.
fn groups(out: &mut String, report: &Report) {
    let first = report.groups.first().map(|g| g.comparison.metric);
    for metric in first.into_iter().chain([Metric::Findings]) {
        let own = report
            .groups
            .iter()
            .filter(|g| g.comparison.metric == metric);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for group in own {
            let medians = group
                .comparison
                .overall
                .iter()
                .map(|o| interval(o.interval)[0].clone());
            let name = format!("{} ({} apps)", group.group, group.apps);
            rows.push(std::iter::once(name).chain(medians).collect());
        }
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{} by size of app, at the end", metric.title());
        let head = std::iter::once("apps".to_owned()).chain(report.strategies.iter().cloned());
        rows.insert(0, head.collect());
        aligned(out, &rows);
    }
    if !report.alone.is_empty() {
        let _ = writeln!(
            out,
            "\nby size of app, without {}: a size with only one app or an unknown size is not compared",
            report.alone.join(", ")
        );
    }
}

/// The median over apps where never counts as infinitely late.
fn middle(values: impl Iterator<Item = Option<f64>>) -> String {
    let values: Vec<f64> = values.map(|v| v.unwrap_or(f64::INFINITY)).collect();
    let median = super::stats::median(&values).filter(|m| m.is_finite());
    median.map_or("-".to_owned(), |m| format!("{m:.0}"))
}

fn interval(interval: Option<Interval>) -> [String; 2] {
    interval.map_or(["-".to_owned(), String::new()], |i| {
        [
            number(i.median),
            match (i.low, i.high) {
                (Some(low), Some(high)) => format!("{} to {}", number(low), number(high)),
                _ => "-".to_owned(),
            },
        ]
    })
}

fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// One pair in words.
pub fn pair_words(pair: &Pair) -> String {
    let losses = pair.apps - pair.wins - pair.ties;
    format!(
        "{} over {}: {:+.1} (median), better on {}, equal on {}, worse on {losses} of {} apps; A12 {:.2}; p {}, by Holm {}",
        pair.a,
        pair.b,
        pair.difference,
        pair.wins,
        pair.ties,
        pair.apps,
        pair.a12,
        probability(pair.p),
        probability(pair.p_holm)
    )
}

/// With three places, which none that is not zero rounds to.
pub fn probability(p: f64) -> String {
    if p < 0.001 {
        "<0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// Columns side by side, the first to the left, the others to the right.
fn aligned<R: AsRef<[String]>>(out: &mut String, rows: &[R]) {
    let columns = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        for (column, cell) in row.as_ref().iter().enumerate() {
            let _ = match column {
                0 => write!(out, "  {cell:<width$}", width = widths[0]),
                _ => write!(out, "  {cell:>width$}", width = widths[column]),
            };
        }
        out.push('\n');
    }
}
