//! Curves over events, computed here and drawn by the template.

use super::super::session::Point;
use serde::Serialize;

/// Width of a chart in its units; narrow enough to be read on a phone without zooming.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 38.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;

/// A grid line or an axis label: where, and what it says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tick {
    /// Position along the axis.
    pub at: f64,
    /// Its number.
    pub label: String,
}

/// One curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Which of the colours, from 0.
    pub colour: usize,
    /// Path of the line.
    pub line: String,
    /// Path of the area under it.
    pub area: String,
    /// Where findings were observed for the first time: position and event.
    pub marks: Vec<(f64, f64, u64)>,
}

/// A chart ready to be drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// Size.
    pub width: f64,
    /// Size.
    pub height: f64,
    /// Left, right, top and bottom edge of the plot.
    pub frame: (f64, f64, f64, f64),
    /// Ticks along the bottom.
    pub x: Vec<Tick>,
    /// Ticks along the left.
    pub y: Vec<Tick>,
    /// The position of the line for the greatest possible value, if the chart shows it.
    pub limit: Option<Tick>,
    /// Are the places shown where findings were first observed?
    pub marked: bool,
    /// The curves.
    pub series: Vec<Series>,
    /// Colours with their names, when there are several.
    pub legend: Vec<(usize, String)>,
}

/// A curve to be drawn: name, colour, points.
pub type Curve<'a> = (String, usize, &'a [Point]);

/// A chart of one value of the curves; `limit` is the greatest possible, with its name.
pub fn chart(
    title: &str,
    curves: &[Curve<'_>],
    value: fn(&Point) -> u64,
    limit: Option<(u64, &str)>,
) -> Chart {
    let (left, right, top, bottom) = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM);
    let points = || curves.iter().flat_map(|(_, _, points)| points.iter());
    let most_events = points().map(|p| p.events).max().unwrap_or(0).max(1);
    let most = points().map(value).max().unwrap_or(0).max(1);
    // A limit far above the curves would press them flat.
    let limit = limit.filter(|(at, _)| *at > 0 && *at <= most * 3);
    let (y_step, y_end) = scale(limit.map_or(most, |(at, _)| at.max(most)), 4);
    let (x_step, _) = scale(most_events, 5);
    let x = |events: u64| left + (right - left) * events as f64 / most_events as f64;
    let y = |value: u64| bottom - (bottom - top) * value as f64 / y_end as f64;
    let ticks = |step: u64, end: u64, at: &dyn Fn(u64) -> f64| -> Vec<Tick> {
        (0..=end / step)
            .map(|n| Tick {
                at: round(at(n * step)),
                label: number(n * step),
            })
            .collect()
    };
    let series = curves
        .iter()
        .map(|(name, colour, points)| {
            let (line, area) = path(points, &|p| (x(p.events), y(value(p))), bottom);
            let rises = points.windows(2).filter(|w| w[1].findings > w[0].findings);
            let first = points.first().filter(|p| p.findings > 0);
            let marks = first
                .into_iter()
                .chain(rises.map(|w| &w[1]))
                .map(|p| (round(x(p.events)), round(y(value(p))), p.events))
                .collect();
            Series {
                name: name.clone(),
                colour: *colour,
                line,
                area,
                marks,
            }
        })
        .collect();
    let mut legend: Vec<(usize, String)> = Vec::new();
    for (name, colour, _) in curves {
        if !legend.iter().any(|(known, _)| known == colour) {
            legend.push((*colour, name.clone()));
        }
    }
    Chart {
        title: title.to_owned(),
        width: WIDTH,
        height: HEIGHT,
        frame: (left, right, top, bottom),
        x: ticks(x_step, most_events, &x),
        y: ticks(y_step, y_end, &y),
        limit: limit.map(|(at, name)| Tick {
            at: round(y(at)),
            label: format!("{} {name}", number(at)),
        }),
        marked: false,
        series,
        legend: if legend.len() > 1 { legend } else { Vec::new() },
    }
}

/// A curve without axes, for a card: the path of its line and of the area under it, in a box of 100 by 28.
pub fn sparkline(points: &[Point], value: fn(&Point) -> u64) -> (String, String) {
    let most_events = points.iter().map(|p| p.events).max().unwrap_or(0).max(1);
    let most = points.iter().map(value).max().unwrap_or(0).max(1);
    let at = |p: &Point| {
        let x = 100.0 * p.events as f64 / most_events as f64;
        (x, 26.5 - 25.0 * value(p) as f64 / most as f64)
    };
    path(points, &at, 28.0)
}

/// A step curve: a value is valid until the next point. At most a few points per unit are kept.
fn path(points: &[Point], at: &dyn Fn(&Point) -> (f64, f64), floor: f64) -> (String, String) {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for point in points {
        let (x, y) = at(point);
        let (x, y) = (round(x), round(y));
        // The first point stays at the start of the curve.
        match kept.get_mut(1..).and_then(<[_]>::last_mut) {
            Some(last) if x - last.0 < 0.4 => last.1 = y,
            _ => kept.push((x, y)),
        }
    }
    let Some(&(first_x, first_y)) = kept.first() else {
        return (String::new(), String::new());
    };
    let mut line = format!("M{first_x} {first_y}");
    for (x, y) in &kept[1..] {
        line += &format!("H{x}V{y}");
    }
    let area = format!("{line}V{floor}H{first_x}Z");
    (line, area)
}

/// A round step of the axis and the axis' end, so that about `wanted` steps reach `most`.
fn scale(most: u64, wanted: u64) -> (u64, u64) {
    let rough = most.div_ceil(wanted).max(1);
    let unit = 10_u64.pow(rough.ilog10());
    let step = [1, 2, 5, 10]
        .map(|n: u64| n.saturating_mul(unit))
        .into_iter()
        .find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    (step, most.div_ceil(step).saturating_mul(step))
}

/// A number with its thousands as `k` or `M` on an axis.
fn number(value: u64) -> String {
    match value {
        0..10_000 => value.to_string(),
        10_000..1_000_000 => format!("{}k", value as f64 / 1e3),
        _ => format!("{}M", value as f64 / 1e6),
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[(u64, u64)]) -> Vec<Point> {
        let point = |&(events, probes): &(u64, u64)| Point {
            events,
            probes,
            ..Point::default()
        };
        values.iter().map(point).collect()
    }

    #[test]
    fn axes_have_round_steps() {
        assert_eq!(scale(7, 4), (2, 8));
        assert_eq!(scale(1, 4), (1, 1));
        assert_eq!(scale(300, 5), (100, 300));
        assert_eq!(scale(41_000, 4), (20_000, 60_000));
    }

    #[test]
    fn a_curve_is_a_staircase_over_the_whole_width() {
        let points = points(&[(0, 0), (50, 10), (100, 20)]);
        let chart = chart("t", &[("a".into(), 0, &points)], |p| p.probes, None);
        assert_eq!(chart.series[0].line, "M38 166H234V88H430V10");
        assert!(chart.legend.is_empty());
        assert_eq!(chart.x.last().unwrap().label, "100");
    }

    #[test]
    fn a_curve_begins_with_its_first_point_however_soon_the_next_one_comes() {
        let points = points(&[(0, 0), (1, 1), (2, 2), (4000, 2)]);
        let chart = chart("t", &[("a".into(), 0, &points)], |p| p.probes, None);
        assert_eq!(chart.series[0].line, "M38 166H38.1V10H430V10");
        assert_eq!(sparkline(&points, |p| p.probes).0, "M0 26.5H0V1.5H100V1.5");
    }

    #[test]
    fn a_limit_far_above_is_left_out() {
        let points = points(&[(0, 1), (10, 5)]);
        let chart = |limit| {
            chart(
                "t",
                &[("a".into(), 0, &points)],
                |p| p.probes,
                Some((limit, "declared")),
            )
        };
        assert_eq!(chart(11).limit.unwrap().label, "11 declared");
        assert_eq!(chart(5000).limit, None);
    }

    #[test]
    fn a_million_points_make_a_short_path() {
        let many: Vec<_> = (0..100_000).map(|n| (n, n)).collect();
        let chart = chart("t", &[("a".into(), 0, &points(&many))], |p| p.probes, None);
        assert!(chart.series[0].line.len() < 20_000);
    }

    #[test]
    fn the_numbers_of_an_edited_journal_have_an_axis() {
        for most in [u64::MAX, u64::MAX / 3, 1 << 61] {
            let (step, end) = scale(most, 4);
            assert!(step <= end && end >= most / 2, "{most}: {step} {end}");
        }
        let points = points(&[(0, 1), (u64::MAX, 5)]);
        let chart = chart("t", &[("a".into(), 0, &points)], |p| p.probes, None);
        assert_eq!(chart.series.len(), 1);
    }

    #[test]
    fn nothing_to_draw_draws_nothing() {
        assert_eq!(chart("t", &[], |p| p.probes, None).series, []);
        assert_eq!(sparkline(&[], |p| p.probes).0, "");
    }
}
