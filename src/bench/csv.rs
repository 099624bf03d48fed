//! The report as CSV, by RFC 4180: a table of sessions, one of strategies by app, one of pairs of strategies.

use super::Report;
use super::compare::{Comparison, LEVELS};
use super::metric::Cut;
use std::fmt::Write as _;

/// One line a session.
pub fn sessions(report: &Report) -> String {
    let mut out = String::from(
        "session,app,strategy,device,seed,ended,events,modelled_seconds,lines_percent,probes,activities,pages,findings\n",
    );
    for s in &report.sessions {
        let ended = s.ended.and_then(|end| serde_json::to_value(end).ok());
        let ended = ended.as_ref().and_then(|end| end.as_str()).unwrap_or("");
        let lines = s.lines.map_or(String::new(), |lines| format!("{lines:.3}"));
        let texts = [&s.session, &s.app, &s.strategy, &s.device].map(|text| quoted(text));
        let _ = writeln!(
            out,
            "{},{},{ended},{},{:.3},{lines},{},{},{},{}",
            texts.join(","),
            s.seed,
            s.events,
            s.modelled_seconds,
            s.probes,
            s.activities,
            s.pages,
            s.findings
        );
    }
    out
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
            let interval = row
                .interval
                .map_or([None; 3], |i| [Some(i.median), Some(i.low), Some(i.high)]);
            let numbers = interval
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
    let all = report
        .comparisons
        .iter()
        .map(|comparison| ("all", comparison));
    let groups = report
        .groups
        .iter()
        .map(|group| (group.group, &group.comparison));
    for (of, comparison) in all.chain(groups) {
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

/// Names hold no leading signs that a spreadsheet would take for a formula.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
