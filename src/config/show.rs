//! The effective settings as a suite file, and their origins.

use serde_json::{Value as Json, json};

use super::layer::Origin;
use super::source::{self, Node, Segment, Source, Value};
use super::{Problem, Suite};
use crate::config::diagnose::Code;

/// Version of the JSON.
const VERSION: u32 = 1;
/// The rightmost column of aligned comments.
const COLUMN: usize = 48;

/// The settings as a suite file that gives the same settings in the same folder. With `origin`, each value has a
/// comment with its origin.
pub fn toml(suite: &Suite, origin: bool) -> Result<String, Problem> {
    let text = serialized(suite)?;
    let header = format!("# {}, profile {}\n\n", suite.file, suite.profile);
    if !origin {
        return Ok(header + &text);
    }
    let source = Source::new("settings", text);
    let mut comments: Vec<Option<String>> = vec![None; source.text.lines().count()];
    for (path, node) in leaves(&source)? {
        let line = source.line(node.span.start) - 1;
        if let Some(comment) = comments.get_mut(line) {
            *comment = Some(suite.origin(&path).to_string());
        }
    }
    let mut out = header;
    for (line, comment) in source.text.lines().zip(comments) {
        match comment {
            Some(comment) => out += &format!("{line:COLUMN$}  # {comment}\n"),
            None => out += &format!("{line}\n"),
        }
    }
    Ok(out)
}

/// The settings and all origins as JSON.
pub fn json(suite: &Suite) -> Result<Json, Problem> {
    let source = Source::new("settings", serialized(suite)?);
    let origins: serde_json::Map<String, Json> = leaves(&source)?
        .iter()
        .map(|(path, _)| (dotted(path), origin_json(&suite.origin(path))))
        .collect();
    Ok(json!({
        "version": VERSION,
        "file": suite.file,
        "profile": suite.profile,
        "profiles": suite.profiles,
        "settings": suite.settings,
        "origins": origins,
    }))
}

fn serialized(suite: &Suite) -> Result<String, Problem> {
    toml::to_string(&suite.settings).map_err(|error| internal(&error.to_string()))
}

fn internal(message: &str) -> Problem {
    Problem::new(
        Code::Internal,
        format!("cannot show the settings: {message}"),
    )
}

fn origin_json(origin: &Origin) -> Json {
    match origin {
        Origin::Default => json!({ "from": "default" }),
        Origin::File {
            file,
            line,
            profile: None,
        } => json!({ "from": "suite", "file": file, "line": line }),
        Origin::File {
            file,
            line,
            profile: Some(profile),
        } => {
            json!({ "from": "profile", "file": file, "line": line, "profile": profile })
        }
        Origin::Env(name) => json!({ "from": "environment", "variable": name }),
        Origin::Flag(flag) => json!({ "from": "flag", "flag": flag }),
    }
}

/// Every value that is not a table, and its path.
fn leaves(source: &std::sync::Arc<Source>) -> Result<Vec<(Vec<Segment>, Node)>, Problem> {
    fn walk(node: Node, path: &mut Vec<Segment>, found: &mut Vec<(Vec<Segment>, Node)>) {
        match node.value {
            Value::Table(entries) => {
                for entry in entries {
                    path.push(Segment::Key(entry.key));
                    walk(entry.node, path, found);
                    path.pop();
                }
            }
            Value::Array(items)
                if items
                    .iter()
                    .any(|item| matches!(item.value, Value::Table(_))) =>
            {
                for (index, item) in items.into_iter().enumerate() {
                    path.push(Segment::Index(index));
                    walk(item, path, found);
                    path.pop();
                }
            }
            _ => found.push((path.clone(), node)),
        }
    }
    let root = source::parse(source).map_err(|_| internal("they do not parse"))?;
    let mut found = Vec::new();
    walk(root, &mut Vec::new(), &mut found);
    Ok(found)
}

fn dotted(path: &[Segment]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Segment::Key(key) if text.is_empty() => text += key,
            Segment::Key(key) => text += &format!(".{key}"),
            Segment::Index(index) => text += &format!("[{index}]"),
        }
    }
    text
}
