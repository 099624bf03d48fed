//! A grid of parameters of one strategy: every combination is a candidate.
//!
//! A grid is a TOML file of `[[strategy]]` tables as a suite has them, but with a list wherever several values are to
//! be tried: `train-every = [1, 5, 10]`. What no run of `bench fate` uses (`name`, `episode`, `strings`, `policy`) has
//! no lists.

#[cfg(test)]
mod tests;

use super::FateError;
use super::contender::{Contender, Runs};
use crate::config::Strategy;
use crate::config::check::check;
use crate::config::diagnose::{Code, Location, Problem};
use crate::config::renamed;
use crate::config::source::{self, Entry, Node, Source, Value};
use crate::strategy::definition::Key;
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
            let made = candidate(source, &combination);
            let made = made.map_err(|problems| of_lists(source, table, problems));
            candidates.push(made?);
        }
    }
    Ok(candidates)
}

/// The fix where the value of a key is a list itself: a grid takes it for the values to try.
fn of_lists(source: &Source, table: &Node, mut problems: Vec<Problem>) -> Vec<Problem> {
    for problem in &mut problems {
        let Some(place) = problem.places.first() else {
            continue;
        };
        let around = |entry: &&Entry| {
            let span = &entry.node.span;
            matches!(entry.node.value, Value::Array(_))
                && span.start <= place.span.start
                && place.span.end <= span.end
        };
        let is_list = problem.message.contains("must be an array");
        let list = table.entries().iter().find(around);
        if let Some(entry) = list.filter(|_| is_list) {
            let list = source.text.get(entry.node.span.clone()).unwrap_or("...");
            problem.help = Some(format!(
                "each of the values to try is a list: write {} = [{list}]",
                entry.key
            ));
        }
    }
    problems
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
    if let Some(found) = strategy.kind.conflict() {
        let entry = match found.keys.first() {
            Some(Key::Name(name)) => combination.entry(name),
            _ => None,
        };
        let span = entry.map_or(&combination.span, |entry| &entry.node.span);
        let problem = Problem::new(found.what.into(), found.message)
            .at(here(span))
            .help(found.fix.to_owned());
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
