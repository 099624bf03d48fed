//! A grid of parameters of one strategy: every combination is a candidate.
//!
//! A grid is a TOML file of `[[strategy]]` tables as a suite has them, but with a list wherever several values are to
//! be tried: `train-every = [1, 5, 10]`. What no run of `bench fate` uses (`name`, `episode`, `strings`, `policy`) has
//! no lists.

use super::FateError;
use super::contender::{Contender, Runs};
use crate::config::Strategy;
use crate::config::check::check;
use crate::config::diagnose::{Code, Location, Problem};
use crate::config::renamed;
use crate::config::source::{self, Entry, Node, Source, Value};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use toml::Table;

/// The most combinations.
const MOST: usize = 10_000;
/// Keys of a strategy that make no difference to a run here.
const UNUSED: [&str; 4] = ["name", "episode", "strings", "policy"];

/// One combination.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its settings, as they are in a suite.
    pub table: Table,
    /// What runs.
    pub contender: Contender,
}

/// All combinations of a grid's text, and notices about it; `file` names it in errors.
///
/// # Errors
/// It is no TOML, holds no strategy, something else, or a strategy that a suite would not accept: reported with file,
/// line and column.
pub fn candidates(text: &str, file: &str) -> Result<(Vec<Candidate>, Vec<String>), FateError> {
    let source = Source::new(file, text);
    let found = source::parse(&source).and_then(|mut root| {
        let notices = renamed::update(&source, &mut root);
        Ok((of_root(&source, &root)?, notices))
    });
    found.map_err(|problems| {
        let reported: Vec<String> = problems.iter().map(reported).collect();
        FateError::Contender(reported.join("\n"))
    })
}

/// `FILE:LINE:COLUMN: what is wrong; the fix`.
fn reported(problem: &Problem) -> String {
    let place = problem.places.first().map(|place| {
        let (line, column) = place.source.position(place.span.start);
        format!("{}:{line}:{column}: ", place.source.name)
    });
    let help = problem.help.as_ref().map(|help| format!("; {help}"));
    format!(
        "{}{}{}",
        place.unwrap_or_default(),
        problem.message,
        help.unwrap_or_default()
    )
}

fn of_root(source: &Arc<Source>, root: &Node) -> Result<Vec<Candidate>, Vec<Problem>> {
    let wrong = |span: &Range<usize>, code, message: String, help: &str| {
        let place = Location::new(source, span.clone(), "here");
        vec![Problem::new(code, message).at(place).help(help.to_owned())]
    };
    if let Some(other) = root.entries().iter().find(|entry| entry.key != "strategy") {
        return Err(wrong(
            &other.key_span,
            Code::UnknownKey,
            format!("a grid has no key `{}`", other.key),
            "a grid has only [[strategy]] tables; keep all other keys in the suite",
        ));
    }
    let Some(entry) = root.entry("strategy") else {
        return Err(wrong(
            &(0..0),
            Code::MissingKey,
            "no [[strategy]]".into(),
            "write one with lists of values",
        ));
    };
    let Value::Array(tables) = &entry.node.value else {
        return Err(wrong(
            &entry.key_span,
            Code::WrongType,
            "`strategy` is a list of tables".into(),
            "write [[strategy]]",
        ));
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    for table in tables {
        let mut count = 1_usize;
        for entry in table.entries() {
            let Value::Array(values) = &entry.node.value else {
                continue;
            };
            if UNUSED.contains(&entry.key.as_str()) {
                return Err(wrong(
                    &entry.key_span,
                    Code::WrongType,
                    format!("`{}` cannot be used in a grid", entry.key),
                    "no run of `bench fate` uses it: leave it out here, and write it into the suite",
                ));
            }
            if values.is_empty() {
                return Err(wrong(
                    &entry.node.span,
                    Code::OutOfRange,
                    format!("`{}` is an empty list", entry.key),
                    "write the values to try",
                ));
            }
            count = count.saturating_mul(values.len());
        }
        if candidates.len().saturating_add(count) > MOST {
            return Err(wrong(
                &table.span,
                Code::OutOfRange,
                format!("more than {MOST} combinations"),
                "leave some values out",
            ));
        }
        for combination in product(table) {
            candidates.push(candidate(source, &combination)?);
        }
    }
    Ok(candidates)
}

/// A combination that a suite would take: the grid's best is written as one.
fn candidate(source: &Arc<Source>, combination: &Node) -> Result<Candidate, Vec<Problem>> {
    let all = Node {
        span: combination.span.clone(),
        value: Value::Array(vec![combination.clone()]),
    };
    let root = Node::nested(&[("strategy".into(), combination.span.clone())], all);
    let problems = check(source, &root);
    if !problems.is_empty() {
        return Err(problems);
    }
    let here = |span: &Range<usize>| Location::new(source, span.clone(), "here");
    let table = match plain(combination) {
        toml::Value::Table(table) => table,
        _ => Table::new(),
    };
    let strategy: Strategy =
        toml::Value::Table(table.clone())
            .try_into()
            .map_err(|e: toml::de::Error| {
                let problem = Problem::new(Code::WrongType, e.message());
                vec![problem.at(here(&combination.span))]
            })?;
    for [first, second] in strategy.kind.entry().either {
        if let (Some(_), Some(second_node)) = (combination.entry(first), combination.entry(second))
        {
            let message = format!("a strategy has both `{first}` and `{second}`");
            let problem = Problem::new(Code::ConflictingKeys, message)
                .at(here(&second_node.key_span))
                .help("keep one of them".to_owned());
            return Err(vec![problem]);
        }
    }
    if let Some((message, fix)) = strategy.kind.conflict() {
        let problem = Problem::new(Code::BadShares, message)
            .at(here(&combination.span))
            .help(fix.to_owned());
        return Err(vec![problem]);
    }
    // `bench fate` has a random walk of that name.
    if strategy.kind_name() == "random" {
        let said = format!("`{}` has no parameters to search", strategy.kind_name());
        let problem = Problem::new(Code::UnknownValue, said)
            .at(here(&combination.span))
            .help("leave this [[strategy]] out".to_owned());
        return Err(vec![problem]);
    }
    Ok(Candidate {
        contender: Contender {
            name: label(strategy.kind_name(), &table),
            runs: Runs::Strategy(strategy.kind),
        },
        table,
    })
}

/// Every choice of one value from each list.
fn product(table: &Node) -> Vec<Node> {
    let mut all: Vec<Vec<Entry>> = vec![Vec::new()];
    for entry in table.entries() {
        let values = match &entry.node.value {
            Value::Array(values) => values.as_slice(),
            _ => std::slice::from_ref(&entry.node),
        };
        all = all
            .iter()
            .flat_map(|chosen| {
                values.iter().map(move |value| {
                    let mut chosen = chosen.clone();
                    chosen.push(Entry {
                        node: value.clone(),
                        ..entry.clone()
                    });
                    chosen
                })
            })
            .collect();
    }
    all.into_iter()
        .map(|entries| Node {
            span: table.span.clone(),
            value: Value::Table(entries),
        })
        .collect()
}

/// A value without its place.
fn plain(node: &Node) -> toml::Value {
    match &node.value {
        Value::String(text) | Value::Datetime(text) => text.clone().into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Bool(flag) => (*flag).into(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        Value::Table(entries) => {
            let entries = entries.iter();
            let table: Table = entries.map(|e| (e.key.clone(), plain(&e.node))).collect();
            table.into()
        }
    }
}

/// The combination in one line.
fn label(kind: &str, table: &Table) -> String {
    let mut label = kind.to_owned();
    for (key, value) in table
        .iter()
        .filter(|(key, _)| *key != "kind" && *key != "name")
    {
        let _ = write!(label, " {key}={value}");
    }
    label.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::fate::ranking::settings;

    const GRID: &str = "[[strategy]]\nkind = \"ares-sac\"\npreset = \"paper\"\ntrain-every = [1, 5]\nlearning-rate = [0.001, 0.0003]\n\
                        [[strategy]]\nkind = \"q-learning\"\nepsilon = [0.1, 0.5, 0.8]\npreset = \"paper\"\n";

    #[test]
    fn every_combination_stands_once_and_each_is_a_suites_strategy() {
        let (candidates, _) = candidates(GRID, "grid.toml").unwrap();
        assert_eq!(candidates.len(), 7);
        let mut names: Vec<&str> = candidates
            .iter()
            .map(|c| c.contender.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 7);
        for candidate in &candidates {
            let suite: Table = settings(candidate).parse().unwrap();
            let strategy: Strategy = suite["strategy"][0].clone().try_into().unwrap();
            assert_eq!(Runs::Strategy(strategy.kind), candidate.contender.runs);
        }
    }

    #[test]
    fn the_grid_of_the_paper_can_be_written() {
        let grid = "[[strategy]]\nkind = \"ares-sac\"\npreset = \"paper\"\ntrain-every = [1, 5]\ntarget-update = [1, 2, 5, 10]\n\
                    [[strategy]]\nkind = \"ares-sac\"\nentropy = [-1, 0.3]\ntau = [0.005, 1]\n\
                    [[strategy]]\nkind = \"ares-td3\"\npolicy-delay = [1, 2]\ntau = [0.005, 0.05]\n\
                    [[strategy]]\nkind = \"ares-ddpg\"\ntau = [0.001, 0.01]\n";
        let (candidates, _) = candidates(grid, "grid.toml").unwrap();
        let mut kinds: Vec<String> = candidates
            .iter()
            .map(|c| format!("{:?}", c.contender.runs))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!((candidates.len(), kinds.len()), (18, 18));
    }

    #[test]
    fn what_a_suite_would_not_take_is_refused_at_its_place() {
        for (grid, place, word) in [
            (
                "[[strategy]]\nkind = \"ares-sac\"\nbatsh = [1]",
                "3:1",
                "batsh",
            ),
            ("[[strategy]]\nkind = \"random\"", "1:1", "no parameters"),
            ("x = 1", "1:1", "a grid has no key `x`"),
            ("", "1:1", "no [[strategy]]"),
            (
                "[strategy]\nkind = \"ares-sac\"",
                "1:2",
                "write [[strategy]]",
            ),
            (
                "[[strategy]]\nkind = \"q-learning\"\nepsilon = [0.1, 5.0]",
                "3:17",
                "`strategy.epsilon` is out of range",
            ),
            (
                "[[strategy]]\nkind = \"ares-sac\"\nreward-scale = nan",
                "3:16",
                "`strategy.reward-scale` is out of range",
            ),
            (
                "[[strategy]]\nkind = \"ares-sac\"\nbatch = 0",
                "3:9",
                "between 1 and 4096",
            ),
            (
                "[[strategy]]\nkind = \"q-learning\"\nepsilon = []",
                "3:11",
                "`epsilon` is an empty list",
            ),
            (
                "[[strategy]]\nkind = \"q-learning\"\nepisode = [100, 250]",
                "3:1",
                "`episode` cannot be used in a grid",
            ),
            (
                "[[strategy]]\nkind = \"ares-td3\"\nentropy = [0, 0.3]",
                "3:1",
                "only `ares-sac` has it",
            ),
            (
                "[[strategy]]\nkind = \"dinodroid\"\nsystem-every = [5, 10]\nsystem-rate = 0.1",
                "3:1",
                "both `system-rate` and `system-every`; keep one",
            ),
            (
                "[[strategy]]\nkind = \"monkey\"\npct-touch = [10, 70]\npct-nav = 60",
                "1:1",
                "add up to 130 percent",
            ),
            (
                "[[strategy]]\nkind = \"ares-td3\"\ntarget-noise = [[0.2, -0.5]]",
                "3:23",
                "between 0 and 2",
            ),
            (
                "[[strategy]]\nkind = \"ares-sac\"\nhidden = [[8, 0]]",
                "3:15",
                "between 1 and 1024",
            ),
            ("[[strategy", "1:", "this is not valid TOML"),
        ] {
            let reported = candidates(grid, "grid.toml").unwrap_err().to_string();
            assert!(
                reported.contains(&format!("grid.toml:{place}")),
                "{reported}"
            );
            assert!(reported.contains(word), "{reported}");
        }
    }

    #[test]
    fn old_names_are_read_with_a_notice() {
        let grid = "[[strategy]]\nkind = \"dinodroid\"\nagain = [1.0, 2.0]\n";
        let (candidates, notices) = candidates(grid, "grid.toml").unwrap();
        assert_eq!(candidates.len(), 2);
        assert!(settings(&candidates[0]).contains("repeat-crash-penalty = 1.0"));
        assert!(
            notices[0].starts_with("grid.toml:3: `again` is now"),
            "{notices:?}"
        );
    }

    #[test]
    fn a_grid_beyond_all_reason_is_refused_before_it_is_built() {
        let list: Vec<String> = (1..=1000).map(|n| n.to_string()).collect();
        let list = list.join(", ");
        let grid = format!(
            "[[strategy]]\nkind = \"ares-sac\"\nbatch = [{list}]\nmemory = [{list}]\ntrain-every = [{list}]\n"
        );
        let reported = candidates(&grid, "grid.toml").unwrap_err().to_string();
        assert!(
            reported.contains("more than 10000 combinations"),
            "{reported}"
        );
    }
}
