//! What is compared, and where along a session.

use super::measure::{Measured, Point};
use crate::outcome::summary::Ratio;
use serde::Serialize;
use std::time::Duration;

/// What is compared: the more the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Lines of the app covered, in percent; no curve has them, for each place costs a report of JaCoCo.
    Lines,
    /// Probes hit: branches and straight pieces of code, or a model's blocks.
    Coverage,
    /// Activities reached.
    Activities,
    /// Page structures seen.
    Pages,
    /// Distinct findings of the app.
    Findings,
    /// Those of them that no system event set off.
    DirectFindings,
}

impl Metric {
    /// All, the most telling first.
    pub const ALL: [Self; 6] = [
        Self::Lines,
        Self::Coverage,
        Self::Activities,
        Self::Pages,
        Self::Findings,
        Self::DirectFindings,
    ];

    /// In one word, as in `bench.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Coverage => "coverage",
            Self::Activities => "activities",
            Self::Pages => "pages",
            Self::Findings => "findings",
            Self::DirectFindings => "direct-findings",
        }
    }

    /// In words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lines => "line coverage, %",
            Self::Coverage => "code branches reached",
            Self::Activities => "activities reached",
            Self::Pages => "pages seen",
            Self::Findings => "findings",
            Self::DirectFindings => "findings without a system event",
        }
    }

    /// At a point of a curve; `None` for what curves do not have.
    pub fn of(self, point: &Point) -> Option<f64> {
        Some(match self {
            Self::Lines => return None,
            Self::Coverage => point.probes,
            Self::Activities => point.activities,
            Self::Pages => point.pages,
            Self::Findings => point.findings,
            Self::DirectFindings => point.direct,
        } as f64)
    }
}

/// Where along their sessions strategies are compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "at")]
pub enum Cut {
    /// Each at its end.
    End,
    /// After equally many events.
    Events {
        /// The number of buttons.
        events: u64,
    },
    /// After equal modelled time.
    Time {
        /// Seconds.
        seconds: f64,
    },
}

impl Cut {
    /// In words.
    pub fn title(self) -> String {
        match self {
            Self::End => "at the end".to_owned(),
            Self::Events { events } => format!("after {events} events"),
            Self::Time { seconds } => format!("after {seconds:.0} s of modelled time"),
        }
    }

    /// Is it known what a session had there? Not of one that was cut off before; at the end it counts with what it
    /// reached.
    fn reached(self, session: &Measured) -> bool {
        let last = session.last();
        match self {
            Self::End => true,
            Self::Events { events } => !session.cut_off() || last.events >= events,
            Self::Time { seconds } => !session.cut_off() || last.time.as_secs_f64() >= seconds,
        }
    }

    /// A session's last point of what it had there; `None` if that is not known.
    pub fn point(self, session: &Measured) -> Option<Point> {
        if !self.reached(session) || session.curve.is_empty() {
            return None;
        }
        // Before the first start has completed nothing is reached.
        Some(self.curve(session).last().copied().unwrap_or_default())
    }

    /// A session's curve up to there.
    fn curve(self, session: &Measured) -> impl Iterator<Item = &Point> {
        let within = move |p: &&Point| match self {
            Self::End => true,
            Self::Events { events } => p.events <= events,
            Self::Time { seconds } => p.time <= Duration::from_secs_f64(seconds),
        };
        session.curve.iter().take_while(within)
    }

    /// A session's value there; `None` if it is not known.
    pub fn value(self, session: &Measured, metric: Metric) -> Option<f64> {
        if metric != Metric::Lines {
            return metric.of(&self.point(session)?);
        }
        match self.lines(session)? {
            Lines::Known(lines) => Some(lines.percent()),
            Lines::After(_) => None,
        }
    }

    /// The number of the event at which a session first had `level` or more of a metric; `None`: not up to there.
    pub fn events_to(self, session: &Measured, metric: Metric, level: f64) -> Option<u64> {
        let reached = |p: &&Point| metric.of(p).is_some_and(|value| value >= level);
        Some(self.curve(session).find(reached)?.events)
    }

    /// The lines that a session had covered there; `None` if the device does not measure them.
    pub fn lines(self, session: &Measured) -> Option<Lines> {
        let end = session.lines?;
        if self == Self::End {
            return Some(Lines::Known(end));
        }
        let (point, last) = (self.point(session)?, session.last());
        Some(match session.lines_at.get(&point.entries) {
            Some(lines) => Lines::Known(*lines),
            // A journal without probes, as of a phone whose coverage is read at the end, does not show the path there.
            None if last.probes == 0 => return None,
            None if point.probes == last.probes => Lines::Known(end),
            None if point.probes == 0 => Lines::Known(Ratio { covered: 0, ..end }),
            None => Lines::After(point.entries),
        })
    }
}

/// Lines covered at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lines {
    /// So many.
    Known(Ratio),
    /// JaCoCo must be asked what was covered after so many entries of the journal.
    After(u64),
}
