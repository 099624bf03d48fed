//! The table: what each build needs, from the measurements that are kept.

use serde_json::Value;
use std::fmt::Write as _;

/// Programs that are no translator, though their names begin like one: Linux keeps 15 characters.
const SANDBOX: &str = "droidtest-sandb";
/// The main class of a session.
const SESSION: &str = "droidtest.host.Main";

/// What a row shows of one build's measurements.
type Shown = fn(&Rows<'_>) -> Cell;

/// A value, or why there is none.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Number(f64),
    /// The tool failed: its words.
    Failed(String),
    /// Nobody measured it.
    Missing,
}

/// The measurements of one build.
pub struct Rows<'a> {
    rows: Vec<&'a Value>,
}

struct Line {
    what: &'static str,
    unit: &'static str,
    /// Highest or lowest value that is good, in words.
    aim: &'static str,
    shown: Shown,
}

const fn line(what: &'static str, unit: &'static str, aim: &'static str, shown: Shown) -> Line {
    Line {
        what,
        unit,
        aim,
        shown,
    }
}

const LINES: [Line; 28] = [
    line("unpadded: first run", "s", "", |r| r.wall("plain", "first")),
    line("unpadded: first run over a cached one", "s", "<= 3", |r| {
        r.more(("plain", "first"), ("plain", "cached"), wall)
    }),
    line("12 MB: first run over the unpadded", "s", "", |r| {
        r.over_plain("12")
    }),
    line("24 MB: first run over the unpadded", "s", "", |r| {
        r.over_plain("24")
    }),
    line("56 MB: first run over the unpadded", "s", "<= 10", |r| {
        r.over_plain("56")
    }),
    line("200 MB: first run over the unpadded", "s", "<= 20", |r| {
        r.over_plain("200")
    }),
    line("unpadded, cached: first page", "s", "", |r| {
        r.median("plain", "cached", first_page)
    }),
    line(
        "56 MB, cached: first page over the unpadded one's",
        "times",
        "<= 1.15",
        |r| r.page_ratio("56"),
    ),
    line(
        "200 MB, cached: first page over the unpadded one's",
        "times",
        "",
        |r| r.page_ratio("200"),
    ),
    line(
        "second build, one class changed in a dex file of its own",
        "s",
        "<= 2",
        |r| r.more(("edit-own", "second"), ("edit", "cached"), wall),
    ),
    line(
        "second build, one class changed in a large dex file",
        "s",
        "<= 2",
        |r| r.more(("edit-shared", "second"), ("edit", "cached"), wall),
    ),
    line("translator's memory at 56 MB", "MB", "<= 64 a core", |r| {
        r.median("56", "first", translator)
    }),
    line("translator's memory at 200 MB", "MB", "<= 64 a core", |r| {
        r.median("200", "first", translator)
    }),
    line(
        "session's memory at 56 MB over the unpadded one's",
        "MB",
        "<= 60",
        |r| r.more(("56", "cached"), ("plain", "cached"), session),
    ),
    line(
        "session's memory at 200 MB over the unpadded one's",
        "MB",
        "<= 60",
        |r| r.more(("200", "cached"), ("plain", "cached"), session),
    ),
    line(
        "all classes at once, unpadded: dex a second and core",
        "MB",
        ">= 15",
        |r| r.median("plain", "inspect", rate),
    ),
    line(
        "all classes at once, 56 MB: dex a second and core",
        "MB",
        ">= 15",
        |r| r.median("56", "inspect", rate),
    ),
    line(
        "names that occur twice: first run over a cached one",
        "s",
        "",
        |r| r.more(("duplicates", "first"), ("duplicates", "cached"), wall),
    ),
    line("toolbox: first run over a cached one", "s", "", |r| {
        r.more(("toolbox", "first"), ("toolbox", "cached"), wall)
    }),
    line("toolbox, cached: first page", "s", "", |r| {
        r.median("toolbox", "cached", first_page)
    }),
    line(
        "toolbox: second build, one class changed",
        "s",
        "<= 2",
        |r| r.more(("toolbox-edit", "second"), ("toolbox", "cached"), wall),
    ),
    line("toolbox: translator's memory", "MB", "<= 64 a core", |r| {
        r.median("toolbox", "first", translator)
    }),
    line("56 MB: what the cache keeps of the app", "MB", "", |r| {
        r.median("56", "first", cached)
    }),
    line("80 languages, 60 MB of texts: first run", "s", "", |r| {
        r.wall("languages", "first")
    }),
    line(
        "80 languages, cached: first page over one language's",
        "times",
        "",
        |r| {
            let (one, other) = (("languages", "cached"), ("large", "cached"));
            r.pairs(one, other, first_page, |one, other| one / other)
        },
    ),
    line(
        "80 languages: session's memory over one language's",
        "MB",
        "",
        |r| r.more(("languages", "cached"), ("large", "cached"), session),
    ),
    line("40 APKs: first run over one APK's", "s", "", |r| {
        r.more(("splits", "first"), ("large", "first"), wall)
    }),
    line(
        "40 APKs, cached: first page over one APK's",
        "times",
        "",
        |r| {
            let (one, other) = (("splits", "cached"), ("large", "cached"));
            r.pairs(one, other, first_page, |one, other| one / other)
        },
    ),
];

/// The table, with the build before beside the present one.
pub fn text(before: &Rows<'_>, now: &Rows<'_>) -> String {
    let mut out = "| | before | now | aim |\n|---|---|---|---|\n".to_owned();
    for line in &LINES {
        let cell = |rows: &Rows<'_>| match (line.shown)(rows) {
            Cell::Number(n) => format!("{n:.1} {}", line.unit),
            Cell::Failed(why) => format!("fails: {}", why.replace('|', "/")),
            Cell::Missing => "-".to_owned(),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            line.what,
            cell(before),
            cell(now),
            line.aim
        );
    }
    let loads: Vec<f64> = [before, now]
        .iter()
        .flat_map(|rows| &rows.rows)
        .filter_map(|row| row["load"].as_f64())
        .collect();
    if let Some(load) = median(loads) {
        let _ = writeln!(
            out,
            "\nMedian load of the machine before a measurement: {load:.1} (quiet: below 1)."
        );
    }
    out
}

impl<'a> Rows<'a> {
    pub fn new(rows: impl Iterator<Item = &'a Value>) -> Self {
        Self {
            rows: rows.collect(),
        }
    }

    fn all(&self, app: &str, kind: &str) -> impl Iterator<Item = &'a Value> {
        let wanted = move |row: &&Value| row["app"] == *app && row["kind"] == *kind;
        self.rows.iter().copied().filter(wanted)
    }

    fn median(&self, app: &str, kind: &str, field: fn(&Value) -> Option<f64>) -> Cell {
        if let Some(why) = self.failure(app, kind) {
            return why;
        }
        cell(self.all(app, kind).filter_map(field).collect())
    }

    fn wall(&self, app: &str, kind: &str) -> Cell {
        self.median(app, kind, wall)
    }

    /// The median of the differences within each round.
    fn more(
        &self,
        one: (&str, &str),
        other: (&str, &str),
        field: fn(&Value) -> Option<f64>,
    ) -> Cell {
        self.pairs(one, other, field, |one, other| one - other)
    }

    fn pairs(
        &self,
        one: (&str, &str),
        other: (&str, &str),
        field: fn(&Value) -> Option<f64>,
        join: fn(f64, f64) -> f64,
    ) -> Cell {
        for (app, kind) in [other, one] {
            if let Some(why) = self.failure(app, kind) {
                return why;
            }
        }
        let joined = self.all(one.0, one.1).filter_map(|row| {
            let mut same = self.all(other.0, other.1);
            let other = same.find(|other| other["number"] == row["number"])?;
            Some(join(field(row)?, field(other)?))
        });
        cell(joined.collect())
    }

    fn over_plain(&self, app: &str) -> Cell {
        self.more((app, "first"), ("plain", "first"), wall)
    }

    fn page_ratio(&self, app: &str) -> Cell {
        let (one, other) = ((app, "cached"), ("plain", "cached"));
        self.pairs(one, other, first_page, |one, other| one / other)
    }

    /// A failure of this measurement, or of the first run that comes before it.
    fn failure(&self, app: &str, kind: &str) -> Option<Cell> {
        let first = self.all(app, "first");
        let all = self
            .all(app, kind)
            .chain(first.filter(|_| kind != "inspect"));
        let why = all.filter_map(|row| row["failure"].as_str()).next()?;
        Some(Cell::Failed(why.chars().take(120).collect()))
    }
}

fn cell(values: Vec<f64>) -> Cell {
    median(values).map_or(Cell::Missing, Cell::Number)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    match values.len() % 2 {
        0 => Some(f64::midpoint(*values.get(middle.checked_sub(1)?)?, upper)),
        _ => Some(upper),
    }
}

fn wall(row: &Value) -> Option<f64> {
    row["wall"].as_f64()
}

fn first_page(row: &Value) -> Option<f64> {
    row["first_page"].as_f64()
}

fn cached(row: &Value) -> Option<f64> {
    Some(row["cache_bytes"].as_f64()? / 1e6)
}

/// Megabytes of the session's process, without the files that it maps.
fn session(row: &Value) -> Option<f64> {
    Some(row["costs"][SESSION]["memory_kb"].as_f64()? / 1e3)
}

/// The costs of the processes that translate.
fn translators(row: &Value) -> impl Iterator<Item = &Value> {
    let all = row["costs"].as_object().into_iter().flatten();
    all.filter(|(kind, _)| is_translator(kind))
        .map(|(_, cost)| cost)
}

fn is_translator(kind: &str) -> bool {
    let program = kind.starts_with("droidtest-") || kind.starts_with("dex2class");
    kind == "droidtest.tool.Translate" || program && kind != SANDBOX
}

/// Megabytes of the largest process that translates, without the files that it maps.
fn translator(row: &Value) -> Option<f64> {
    let all = translators(row).filter_map(|cost| cost["memory_kb"].as_f64());
    all.reduce(f64::max).map(|kb| kb / 1e3)
}

fn rate(row: &Value) -> Option<f64> {
    let seconds: f64 = translators(row)
        .filter_map(|cost| cost["cpu"].as_f64())
        .sum();
    (seconds > 0.0).then_some(row["dex_bytes"].as_f64()? / 1e6 / seconds)
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
