//! The report as CSV, by RFC 4180: tables of sessions, of strategies, of strategies by app, of pairs of strategies, of
//! findings.

use super::Report;
use super::compare::{Comparison, LEVELS};
use super::metric::Cut;
use super::stats::Interval;
use crate::util::text::for_terminal;
use std::fmt::Write as _;

/// One line a session.
pub fn sessions(report: &Report) -> String {
    let mut out = String::from(
        "session,app,strategy,device,seed,ended,cut_off,events,modelled_seconds,lines_percent,probes,activities,pages,\
         findings,damage\n",
    );
    for s in &report.sessions {
        let ended = s.ended.and_then(|end| serde_json::to_value(end).ok());
        let ended = ended.as_ref().and_then(|end| end.as_str()).unwrap_or("");
        let lines = s.lines.map_or(String::new(), |lines| format!("{lines:.3}"));
        let texts = [&s.session, &s.app, &s.strategy, &s.device].map(|text| quoted(text));
        let _ = writeln!(
            out,
            "{},{},{ended},{},{},{:.3},{lines},{},{},{},{},{}",
            texts.join(","),
            s.seed,
            s.cut_off,
            s.events,
            s.modelled_seconds,
            s.probes,
            s.activities,
            s.pages,
            s.findings,
            quoted(s.damage.as_deref().unwrap_or_default())
        );
    }
    out
}

/// One line for each metric, place and strategy: over all apps, of each size (at the end); and what a strategy's
/// sessions came to together (`union`).
pub fn strategies(report: &Report) -> String {
    let mut out = String::from("metric,at,at_value,of,strategy,apps,median,low,high\n");
    for (of, comparison) in compared(report) {
        for overall in &comparison.overall {
            let numbers = bounds(overall.interval).map(number);
            let _ = writeln!(
                out,
                "{},{of},{},{},{}",
                place(comparison),
                quoted(&overall.strategy),
                overall.apps,
                numbers.join(",")
            );
        }
    }
    for union in &report.unions {
        for (metric, sum) in [
            ("findings", Some(union.findings)),
            ("direct-findings", Some(union.without_system_events)),
            ("findings-of-no-other", Some(union.only)),
            ("coverage", union.probes),
            ("activities", Some(union.activities)),
        ] {
            let strategy = quoted(&union.strategy);
            let sum = sum.map_or(String::new(), |sum| sum.to_string());
            let _ = writeln!(out, "{metric},union,,all,{strategy},,{sum},,");
        }
    }
    out
}

/// One line for each finding, with the number of each strategy's sessions that found it.
pub fn findings(report: &Report) -> String {
    let mut out = String::from("app,fingerprint,title,by_system_event");
    for strategy in &report.strategies {
        let _ = write!(out, ",{}", quoted(strategy));
    }
    out.push('\n');
    for cause in &report.causes {
        let texts = [&cause.app, &cause.fingerprint, &cause.title].map(|text| quoted(text));
        let sessions: Vec<String> = cause.sessions.iter().map(usize::to_string).collect();
        let _ = writeln!(
            out,
            "{},{},{}",
            texts.join(","),
            cause.by_system_event,
            sessions.join(",")
        );
    }
    out
}

/// All comparisons, with what they are of: all apps, or those of one size.
fn compared(report: &Report) -> impl Iterator<Item = (&'static str, &Comparison)> {
    let all = report.comparisons.iter().map(|c| ("all", c));
    all.chain(report.groups.iter().map(|g| (g.group, &g.comparison)))
}

fn bounds(interval: Option<Interval>) -> [Option<f64>; 3] {
    interval.map_or([None; 3], |i| [Some(i.median), i.low, i.high])
}

/// One line for each metric, place, app and strategy.
pub fn apps(report: &Report) -> String {
    let mut out =
        String::from("metric,at,at_value,app,size,size_in,group,strategy,sessions,median,low,high");
    for level in LEVELS {
        let _ = write!(out, ",events_to_{level}");
    }
    out += ",events_to_peak\n";
    for comparison in &report.comparisons {
        for row in &comparison.apps {
            let size = report.apps.iter().find(|size| size.app == row.app);
            let (size, unit, group) =
                size.map_or((0, "", ""), |size| (size.size, size.unit, size.group));
            let numbers = bounds(row.interval)
                .into_iter()
                .chain(row.events_to_level.iter().copied())
                .chain([row.events_to_peak]);
            let numbers: Vec<_> = numbers.map(number).collect();
            let _ = writeln!(
                out,
                "{},{},{size},{unit},{group},{},{},{}",
                place(comparison),
                quoted(&row.app),
                quoted(&row.strategy),
                row.values.len(),
                numbers.join(",")
            );
        }
    }
    out
}

/// One line for each metric, place and pair of strategies: over all apps, of each size (at the end), and A12 on each
/// app.
pub fn pairs(report: &Report) -> String {
    let mut out =
        String::from("metric,at,at_value,of,a,b,apps,wins,ties,median_difference,p,p_holm,a12\n");
    for (of, comparison) in compared(report) {
        for pair in &comparison.pairs {
            let names = format!("{},{}", quoted(&pair.a), quoted(&pair.b));
            let _ = writeln!(
                out,
                "{},{of},{names},{},{},{},{},{},{},{}",
                place(comparison),
                pair.apps,
                pair.wins,
                pair.ties,
                pair.difference,
                pair.p,
                pair.p_holm,
                pair.a12
            );
            // Of one app there is no test.
            for (app, a12) in pair.a12_by_app.iter().filter(|_| of == "all") {
                let _ = writeln!(
                    out,
                    "{},{},{names},1,,,,,,{a12}",
                    place(comparison),
                    quoted(&format!("app {app}"))
                );
            }
        }
    }
    out
}

/// Metric and place: `coverage,events,2000`.
fn place(comparison: &Comparison) -> String {
    let (at, value) = match comparison.cut {
        Cut::End => ("end", String::new()),
        Cut::Events { events } => ("events", events.to_string()),
        Cut::Time { seconds } => ("seconds", seconds.to_string()),
    };
    format!("{},{at},{value}", comparison.metric.name())
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// What a spreadsheet would take for a formula starts with an apostrophe: an app says what its crashes are called.
fn quoted(text: &str) -> String {
    let mut text = for_terminal(text).into_owned();
    if text.starts_with(['=', '+', '-', '@']) {
        text.insert(0, '\'');
    }
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
