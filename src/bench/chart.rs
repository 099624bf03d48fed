//! Curves with bands, computed here and drawn by the template.

use super::measure::{Measured, Point};
use super::measures;
use super::metric::Metric;
use serde::Serialize;

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 432.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 164.0;
/// Those of the template; the next strategies have them again, dashed.
const COLOURS: usize = 8;
/// Places along a curve.
const STEPS: usize = 120;

/// What runs along the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Events.
    Events,
    /// Modelled seconds.
    Time,
}

impl Axis {
    fn of(self, point: &Point) -> f64 {
        match self {
            Self::Events => point.events as f64,
            Self::Time => point.time.as_secs_f64(),
        }
    }
}

/// A grid line's place and label.
#[derive(Clone, Debug, Serialize)]
pub struct Tick {
    at: f64,
    label: String,
}

/// One strategy's curve.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    name: String,
    colour: usize,
    /// Told apart from the strategy that has the colour already.
    dashed: bool,
    /// Path of the median.
    line: String,
    /// Path around the middle half of the sessions.
    band: String,
}

/// A chart ready to be drawn.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    title: String,
    axis: &'static str,
    width: f64,
    height: f64,
    frame: (f64, f64, f64, f64),
    x: Vec<Tick>,
    y: Vec<Tick>,
    series: Vec<Series>,
}

/// Median and middle half of each strategy's sessions on one app; `None` if there is nothing to draw.
pub fn chart(
    sessions: &[Measured],
    app: &str,
    strategies: &[String],
    metric: Metric,
    axis: Axis,
) -> Option<Chart> {
    let of_app: Vec<&Measured> = sessions
        .iter()
        .filter(|s| s.unit == app && !s.curve.is_empty())
        .collect();
    let most =
        |value: &dyn Fn(&Point) -> f64| of_app.iter().map(|s| value(&s.last())).fold(0.0, f64::max);
    let (far, high) = (
        most(&|p| axis.of(p)),
        most(&|p| metric.of(p).unwrap_or(0.0)),
    );
    if far <= 0.0 || high <= 0.0 {
        return None;
    }
    let x = |value: f64| LEFT + (RIGHT - LEFT) * value / far;
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * value / high;
    let series = strategies
        .iter()
        .enumerate()
        .filter_map(|(colour, strategy)| {
            let own: Vec<&Measured> = of_app
                .iter()
                .copied()
                .filter(|s| s.planned.strategy == *strategy)
                .collect();
            let far = |sessions: &[&Measured], choose: fn(f64, f64) -> f64| {
                let lasts = sessions.iter().map(|s| axis.of(&s.last()));
                lasts.reduce(choose).filter(|end| *end > 0.0)
            };
            let end = far(&measures(&own), f64::min).or_else(|| far(&own, f64::max))?;
            let (mut line, mut upper, mut lower) = (String::new(), String::new(), Vec::new());
            for step in 0..=STEPS {
                let at = end * step as f64 / STEPS as f64;
                let known = |s: &&&Measured| !s.cut_off() || axis.of(&s.last()) >= at;
                let mut values: Vec<f64> = own
                    .iter()
                    .filter(known)
                    .map(|s| value_at(s, axis, metric, at))
                    .collect();
                values.sort_by(f64::total_cmp);
                let quartile = |share: f64| {
                    let place = share * (values.len() - 1) as f64;
                    let below = values[place.floor() as usize];
                    below + (values[place.ceil() as usize] - below) * place.fract()
                };
                let pen = if step == 0 { 'M' } else { 'L' };
                line += &format!("{pen}{:.1} {:.1}", x(at), y(quartile(0.5)));
                upper += &format!("{pen}{:.1} {:.1}", x(at), y(quartile(0.75)));
                lower.push(format!("L{:.1} {:.1}", x(at), y(quartile(0.25))));
            }
            lower.reverse();
            Some(Series {
                name: strategy.clone(),
                colour: colour % COLOURS,
                dashed: colour >= COLOURS,
                line,
                band: format!("{upper}{}Z", lower.concat()),
            })
        });
    Some(Chart {
        title: format!("{app}: {}", metric.title()),
        axis: match axis {
            Axis::Events => "events",
            Axis::Time => "modelled seconds",
        },
        width: WIDTH,
        height: HEIGHT,
        frame: (LEFT, RIGHT, TOP, BOTTOM),
        series: series.collect(),
        x: ticks(far, &x),
        y: ticks(high, &y),
    })
}

fn value_at(session: &Measured, axis: Axis, metric: Metric, at: f64) -> f64 {
    let count = session.curve.partition_point(|p| axis.of(p) <= at);
    let point = session.curve[..count].last().copied().unwrap_or_default();
    metric.of(&point).unwrap_or(0.0)
}

/// At most six round places from 0 to `most`.
fn ticks(most: f64, place: &dyn Fn(f64) -> f64) -> Vec<Tick> {
    let rough = most / 5.0;
    let unit = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|n| n * unit)
        .into_iter()
        .find(|s| *s >= rough)
        .unwrap_or(rough);
    (0..=(most / step + 1e-9) as usize)
        .map(|n| {
            let value = n as f64 * step;
            let label = if value >= 10_000.0 {
                format!("{}k", value / 1000.0)
            } else {
                format!("{}", (value * 1000.0).round() / 1000.0)
            };
            Tick {
                at: place(value),
                label,
            }
        })
        .collect()
}
