//! What the kept sessions show at their end, as `docs/results.md` has it: one table of all strategies, and the aims.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Percents that differ by less are as many.
const EQUAL: f64 = 0.05;
/// A portfolio this many percent behind its best member is as good.
const POINT: f64 = 1.0;

/// The study's portfolios and their members.
const PORTFOLIOS: [(&str, &[&str]); 2] = [
    (
        "portfolio",
        &["dinodroid", "fastbot", "frontier", "dynodroid"],
    ),
    ("portfolio-3", &["frontier", "fastbot-learned", "dinodroid"]),
];
/// The paper's selections of `dynodroid`, BiasedRandom first.
const SELECTIONS: [&str; 3] = ["dynodroid", "dynodroid-frequency", "dynodroid-uniform"];

struct Session {
    /// Percent of lines, if the app has line numbers.
    lines: Option<f64>,
    /// Code branches reached.
    probes: f64,
    /// Code branches that there are, of the classes that this session loaded.
    total: f64,
    /// Events, modelled milliseconds, and probes reached then.
    curve: Vec<(u64, f64, f64)>,
    /// Its findings: app and fingerprint.
    findings: BTreeSet<String>,
}

impl Session {
    fn of(row: &Value) -> Option<Self> {
        let curve: Vec<(u64, f64, f64)> = (row["curve"].as_array()?.iter())
            .filter_map(|point| Some((point[0].as_u64()?, point[1].as_f64()?, point[2].as_f64()?)))
            .collect();
        let part = |of: &Value| Some(100.0 * of["covered"].as_f64()? / of["total"].as_f64()?);
        let probes = curve.last()?.2;
        let app = row["planned"]["app"].as_str()?;
        let found = row["found"].as_array()?.iter();
        let found = found.filter_map(|finding| finding["fingerprint"].as_str());
        Some(Self {
            lines: part(&row["lines"]).filter(|percent| percent.is_finite()),
            probes,
            total: row["probes_total"].as_f64()?,
            curve,
            findings: found.map(|print| format!("{app} {print}")).collect(),
        })
    }

    /// Events until so many probes were reached.
    fn until(&self, probes: f64) -> Option<f64> {
        let point = self.curve.iter().find(|(.., there)| *there >= probes)?;
        Some(point.0 as f64)
    }

    /// Its modelled milliseconds.
    fn ms(&self) -> f64 {
        self.curve.last().map_or(0.0, |(_, ms, _)| *ms)
    }

    /// Probes reached after so many modelled milliseconds.
    fn after(&self, ms: f64) -> f64 {
        let reached = self.curve.iter().take_while(|(_, at, _)| *at <= ms);
        reached.last().map_or(0.0, |(.., probes)| *probes)
    }
}

/// The sessions of one app and seed, by strategy.
type Unit = BTreeMap<String, Session>;

/// Of the sessions in these rows.
pub fn text(rows: &[Value]) -> String {
    let mut apps: BTreeMap<String, BTreeMap<u64, Unit>> = BTreeMap::new();
    for row in rows {
        let planned = &row["planned"];
        let name = |key: &str| planned[key].as_str().unwrap_or_default().to_owned();
        if let Some(session) = Session::of(row) {
            let seed = planned["seed"].as_u64().unwrap_or_default();
            let units = apps.entry(name("app")).or_default();
            (units.entry(seed).or_default()).insert(name("strategy"), session);
        }
    }
    let apps = apps
        .into_iter()
        .map(|(app, units)| (app, units.into_values().collect::<Vec<Unit>>()));
    let apps: BTreeMap<String, Vec<Unit>> = apps.collect();
    let units: Vec<&Unit> = apps.values().flatten().collect();
    table(&units) + &union(&units) + &portfolios(&apps) + &timemachine(&units) + &selections(&units)
}

/// Each strategy on the units with line numbers where it and `random` were measured.
fn table(units: &[&Unit]) -> String {
    let names: BTreeSet<&String> = units.iter().flat_map(|unit| unit.keys()).collect();
    let mut rows = Vec::new();
    for name in names {
        let (mut all, mut of_best, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        let (mut more, mut equal, mut fewer) = (0, 0, 0);
        for unit in units {
            let lines = |name: &str| unit.get(name)?.lines;
            let (Some(percent), Some(random)) = (lines(name), lines("random")) else {
                continue;
            };
            let best = unit.values().filter_map(|s| s.lines).fold(0.0, f64::max);
            all.push(percent);
            of_best.push(100.0 * percent / best);
            findings.extend(&unit[name].findings);
            match percent - random {
                d if d.abs() < EQUAL => equal += 1,
                d if d > 0.0 => more += 1,
                _ => fewer += 1,
            }
        }
        if !all.is_empty() {
            let text = format!(
                "| `{name}` | {:.1} | {:.1} | {more}, {equal}, {fewer} | {}, {} | {} |\n",
                mean(&all),
                mean(&of_best),
                findings.len(),
                findings.iter().collect::<BTreeSet<_>>().len(),
                all.len(),
            );
            rows.push((mean(&all), text));
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let head = "| strategy | lines | of the best | against `random` | findings, distinct | units |\n|---|---|---|---|---|---|\n";
    let rows = rows.into_iter().map(|(_, text)| text);
    std::iter::once(head.to_owned()).chain(rows).collect()
}

/// The distinct findings of all units and strategies, and of the strategies with the most.
fn union(units: &[&Unit]) -> String {
    let mut by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, session) in units.iter().flat_map(|unit| unit.iter()) {
        let findings = session.findings.iter().map(String::as_str);
        by.entry(name).or_default().extend(findings);
    }
    let all: BTreeSet<&&str> = by.values().flatten().collect();
    let mut most: Vec<(usize, &str)> = by.iter().map(|(name, f)| (f.len(), *name)).collect();
    most.sort_by_key(|(count, name)| (std::cmp::Reverse(*count), *name));
    let most = most.iter().take(5).map(|(n, name)| format!("{name} {n}"));
    let most: Vec<String> = most.collect();
    format!(
        "distinct findings of all units: {} ({})\n",
        all.len(),
        most.join(", ")
    )
}

/// How often a portfolio is within a point of its best member: by units, and by apps with the means of their seeds. To
/// compare: how often the best member itself is, with another seed.
fn portfolios(apps: &BTreeMap<String, Vec<Unit>>) -> String {
    let mut text = String::new();
    for (name, members) in PORTFOLIOS {
        let (mut near, mut again, mut of_best, mut by_app) =
            (0, Vec::new(), Vec::new(), Vec::new());
        for units in apps.values() {
            let mut means = vec![0.0; members.len() + 1];
            let whole: Vec<Vec<&Session>> = (units.iter())
                .filter_map(|unit| {
                    let names = members.iter().copied().chain([name]);
                    names.map(|name| unit.get(name)).collect()
                })
                .collect();
            let whole = percents(&whole);
            for (at, reached) in whole.iter().enumerate() {
                let (best, most) = highest(&reached[..members.len()]);
                let portfolio = reached[members.len()];
                near += usize::from(portfolio >= most - POINT);
                of_best.push(100.0 * portfolio / most);
                let others = whole.iter().enumerate().filter(|(other, _)| *other != at);
                again.extend(others.map(|(_, other)| other[best] >= most - POINT));
                for (mean, reached) in means.iter_mut().zip(reached) {
                    *mean += reached / whole.len() as f64;
                }
            }
            if !whole.is_empty() {
                let (_, most) = highest(&means[..members.len()]);
                by_app.push(means[members.len()] >= most - POINT);
            }
        }
        if of_best.is_empty() {
            continue;
        }
        let count = |all: &[bool]| all.iter().filter(|near| **near).count();
        let (units, share) = (of_best.len(), mean(&of_best));
        let _ = writeln!(
            text,
            "{name}: within a point of its best member on {near} of {units} units, {share:.1} % of it in the mean; \
             by the means of its seeds on {} of {} apps; the best member with another seed: {} of {}",
            count(&by_app),
            by_app.len(),
            count(&again),
            again.len(),
        );
    }
    text
}

/// What the sessions of one app reached, all in percent of the same: of lines, if each has them, else of code branches.
fn percents(units: &[Vec<&Session>]) -> Vec<Vec<f64>> {
    let by_lines = units
        .iter()
        .flatten()
        .all(|session| session.lines.is_some());
    let totals = units.iter().flatten().map(|session| session.total);
    let total = totals.fold(0.0, f64::max);
    let percent = |session: &&Session| match session.lines {
        Some(lines) if by_lines => lines,
        _ => 100.0 * session.probes / total,
    };
    units
        .iter()
        .map(|unit| unit.iter().map(percent).collect())
        .collect()
}

/// Which of these numbers is the highest, and it; of equals the first.
fn highest(numbers: &[f64]) -> (usize, f64) {
    let first = (0, f64::NEG_INFINITY);
    let all = numbers.iter().copied().enumerate();
    all.fold(
        first,
        |best, next| if next.1 > best.1 { next } else { best },
    )
}

/// `timemachine` and its baselines, after as many events and after as much modelled time.
fn timemachine(units: &[&Unit]) -> String {
    let mut text = String::new();
    for baseline in ["monkey", "monkey-system", "timemachine-restart"] {
        let pairs: Vec<(&Session, &Session)> = (units.iter())
            .filter_map(|unit| Some((unit.get("timemachine")?, unit.get(baseline)?)))
            .collect();
        if pairs.is_empty() {
            continue;
        }
        let at_end: Vec<f64> = pairs.iter().map(|(a, b)| a.probes / b.probes).collect();
        let in_time = pairs.iter().map(|(a, b)| {
            let ms = a.ms().min(b.ms());
            a.after(ms) / b.after(ms)
        });
        let compared = |ratios: Vec<f64>| {
            let more = ratios.iter().filter(|ratio| **ratio > 1.0).count();
            (median(ratios), more)
        };
        let ((ratio, more), (timed, timed_more)) = (compared(at_end), compared(in_time.collect()));
        let _ = writeln!(
            text,
            "timemachine: {ratio:.2} times the code branches of {baseline} in the median, more on {more} of {} units; \
             in equal modelled time {timed:.2} times, {timed_more}",
            pairs.len()
        );
    }
    text
}

fn selections(units: &[&Unit]) -> String {
    let mut text = String::new();
    for name in SELECTIONS {
        let (mut own, mut biased, mut never) = (Vec::new(), Vec::new(), 0);
        for unit in units {
            let (Some(session), Some(first)) = (unit.get(name), unit.get(SELECTIONS[0])) else {
                continue;
            };
            own.extend(session.until(0.95 * session.probes));
            let until = session.until(0.95 * first.probes);
            never += usize::from(until.is_none());
            biased.push(until.unwrap_or(f64::INFINITY));
        }
        if own.is_empty() {
            continue;
        }
        let (own, biased) = (median(own), median(biased));
        let _ = writeln!(
            text,
            "{name}: {own:.0} events to 95 % of its peak, {biased:.0} to 95 % of {}'s, which {never} never reach; medians",
            SELECTIONS[0]
        );
    }
    text
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Of an even number, the mean of the two in the middle.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match numbers.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => numbers[half],
        _ => f64::midpoint(numbers[half - 1], numbers[half]),
    }
}
