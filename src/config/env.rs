//! Settings from the environment: `DROIDTEST_SUITE__BUDGET__EVENTS=1000`.
//!
//! Two underscores separate tables, one means a dash. The value is read as TOML, or as plain text if it is not TOML. A
//! variable with our prefix that is neither a setting nor one of [`PROCESS_VARIABLES`] is an error, so that a typo is
//! not ignored silently.

use std::collections::BTreeMap;

use std::sync::Arc;

use super::diagnose::{Code, Location, Problem, nearest};
use super::layer::{Layer, Rank};
use super::schema;
use super::source::{Node, Source, Value};

const PREFIX: &str = "DROIDTEST_";

/// Variables with our prefix that are not settings: those that flags of the command line read, and folders
/// (`DROIDTEST_APKS` is for the repository's tests).
pub const PROCESS_VARIABLES: &[&str] = &[
    "DROIDTEST_APKS",
    "DROIDTEST_CACHE",
    "DROIDTEST_JOBS",
    "DROIDTEST_MESSAGE_FORMAT",
    "DROIDTEST_OFFLINE",
    "DROIDTEST_OUT",
    "DROIDTEST_PARTITION",
    "DROIDTEST_PROFILE",
    "DROIDTEST_RUN_ID",
    "DROIDTEST_SHARDS",
    "DROIDTEST_SUITE",
];

/// One layer per variable.
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
        let mut start = PREFIX.len();
        let keys = path.split("__").map(|part| {
            let span = start..start + part.len();
            start = span.end + 2;
            (part.to_lowercase().replace('_', "-"), span)
        });
        let keys: Vec<_> = keys.collect();
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

fn unknown(source: &Arc<Source>, name: &str) -> Problem {
    let settings: Vec<String> = settings().collect();
    let known = settings.iter().map(String::as_str);
    let known = known.chain(PROCESS_VARIABLES.iter().copied());
    let help = match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "two underscores separate tables and keys, as in `{}`",
            settings[0]
        ),
    };
    let message = format!("`{name}` is not a variable of droidtest");
    Problem::new(Code::UnknownVariable, message)
        .at(Location::new(source, 0..name.len(), "unknown variable"))
        .help(help)
}

/// The variables of all settings that are not in arrays.
fn settings() -> impl Iterator<Item = String> {
    schema::paths().into_iter().map(|path| {
        let name = path.join("__").replace('-', "_").to_uppercase();
        format!("{PREFIX}{name}")
    })
}
