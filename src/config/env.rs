//! Settings from the environment: `DROIDTEST_SUITE__BUDGET__EVENTS=1000`.
//!
//! Two underscores part the tables, one stands for a dash. The value is read
//! as TOML, and as plain text where it is none. A variable with our prefix that
//! is neither a setting nor one of [`PROCESS_VARIABLES`] is an error: a typo
//! must not silently change nothing.

use std::collections::BTreeMap;

use super::diagnose::{Code, Place, Problem, name_help};
use super::layer::{Layer, Rank};
use super::source::{Node, Source, Value};

const PREFIX: &str = "DROIDTEST_";

/// Variables with our prefix that are no settings of a suite: those that the
/// flags of the command line read, and those that say where things are kept.
pub const PROCESS_VARIABLES: &[&str] = &[
    "DROIDTEST_CACHE",
    "DROIDTEST_JOBS",
    "DROIDTEST_LOG",
    "DROIDTEST_MESSAGE_FORMAT",
    "DROIDTEST_OFFLINE",
    "DROIDTEST_OUT",
    "DROIDTEST_PROFILE",
    "DROIDTEST_RUN_ID",
    "DROIDTEST_SUITE",
];

/// One layer a variable.
pub fn layers(vars: &BTreeMap<String, String>) -> Result<Vec<Layer>, Vec<Problem>> {
    let mut layers = Vec::new();
    let mut problems = Vec::new();
    for (name, text) in vars {
        let Some(path) = name.strip_prefix(PREFIX) else {
            continue;
        };
        if PROCESS_VARIABLES.contains(&name.as_str()) {
            continue;
        }
        let source = Source::new("environment", format!("{name}={text}"));
        if !path.contains("__") {
            problems.push(unknown(&source, name));
            continue;
        }
        let keys: Vec<String> = path
            .split("__")
            .map(|key| key.to_lowercase().replace('_', "-"))
            .collect();
        let span = name.len() + 1..source.text.len();
        let leaf = match toml::from_str::<toml::Table>(&format!("value = {text}")) {
            Ok(table) if table.len() == 1 => Node::at(&table["value"], span),
            _ => Node {
                span,
                value: Value::String(text.clone()),
            },
        };
        layers.push(Layer {
            rank: Rank::Env(name.clone()),
            node: Node::nested(&keys, leaf),
            source,
        });
    }
    if problems.is_empty() {
        Ok(layers)
    } else {
        Err(problems)
    }
}

fn unknown(source: &std::sync::Arc<Source>, name: &str) -> Problem {
    let help = if name.matches('_').count() > 1
        && super::diagnose::nearest(name, PROCESS_VARIABLES.iter().copied()).is_none()
    {
        format!("a setting has two underscores between tables: `{PREFIX}SUITE__BUDGET__EVENTS`")
    } else {
        name_help(name, PROCESS_VARIABLES.iter().copied(), "variables")
    };
    Problem::new(
        Code::UnknownVariable,
        format!("`{name}` is not a variable of droidtest"),
    )
    .at(Place::new(source, 0..name.len(), "unknown variable"))
    .help(help)
}
