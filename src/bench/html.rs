//! The report as one page that needs nothing else.

use super::chart::{Axis, Chart, chart};
use super::measure::Measured;
use super::metric::Metric;
use super::table::probability;
use super::{Beyond, Report};
use crate::util::text::for_terminal;
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;

const TEMPLATE: &str = include_str!("../../templates/bench.html");

#[derive(Serialize)]
struct View<'a> {
    report: &'a Report,
    charts: Vec<Chart>,
    /// Titles of the comparisons, in their order.
    titles: Vec<String>,
    groups: Vec<String>,
    apps: usize,
    finished: usize,
    beyond: Option<String>,
}

/// The page.
///
/// # Errors
/// The template's, which a test rules out.
pub fn html(report: &Report, sessions: &[Measured]) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    // The name's ending turns escaping on.
    environment.add_template("bench.html", TEMPLATE)?;
    environment.add_filter("p", probability);
    environment.add_filter("plain", |text: &str| for_terminal(text).into_owned());
    let mut charts = Vec::new();
    for app in &report.apps {
        for metric in [Metric::Coverage, Metric::Findings] {
            for axis in [Axis::Events, Axis::Time] {
                charts.extend(chart(sessions, &app.app, &report.strategies, metric, axis));
            }
        }
    }
    let view = View {
        report,
        charts,
        titles: (report.comparisons.iter())
            .map(|c| format!("{}, {}", c.metric.title(), c.cut.title()))
            .collect(),
        groups: (report.groups.iter())
            .map(|g| {
                format!(
                    "{} apps ({}), {}",
                    g.group,
                    g.apps,
                    g.comparison.metric.title()
                )
            })
            .collect(),
        apps: report.apps.len(),
        finished: report.sessions.iter().filter(|s| !s.cut_off).count(),
        beyond: report.beyond.as_ref().map(Beyond::words),
    };
    environment.get_template("bench.html")?.render(Serde(view))
}
