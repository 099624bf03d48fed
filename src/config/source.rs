//! Source texts of settings (suite files, environment variables, flags), parsed so that every key and value has its
//! span.

use crate::strategy::definition::Key;
use std::ops::Range;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::diagnose::{Code, Location, Problem};
use super::syntax;

/// A text with a name: a file, a variable or a part of the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// A file's path as the user would write it; else a description.
    pub name: String,
    /// The complete text.
    pub text: String,
}

impl Source {
    /// A source of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            text: text.into(),
        })
    }

    /// The line that a byte offset is on, counted from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.position(offset).0
    }

    /// The line and the column, in characters, of a byte offset; both counted
    /// from 1.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (line + 1, before[start..].chars().count() + 1)
    }
}

/// A segment of the path to a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// A key of a table.
    Key(String),
    /// An index of an array.
    Index(usize),
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<Key> for Segment {
    fn from(key: Key) -> Self {
        match key {
            Key::Name(name) => name.into(),
            Key::Place(place) => place.into(),
        }
    }
}

/// A value with its span in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The span of the value.
    pub span: Range<usize>,
    /// The value.
    pub value: Value,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Value {
    String(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    Datetime(String),
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// One `key = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The span of the key.
    pub key_span: Range<usize>,
    /// The value.
    pub node: Node,
}

impl Value {
    /// The type, with its article.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::String(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::Datetime(_) => "a date",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
        }
    }
}

impl Node {
    /// The entries, if the value is a table.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The entry of this key, if the value is a table that has it.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The node at a path.
    pub fn node_at(&self, path: &[Segment]) -> Option<&Self> {
        path.iter()
            .try_fold(self, |node, step| match (step, &node.value) {
                (Segment::Key(key), Value::Table(_)) => node.entry(key).map(|entry| &entry.node),
                (Segment::Index(index), Value::Array(items)) => items.get(*index),
                _ => None,
            })
    }

    /// A node in nested tables, with the spans of the keys.
    pub fn nested(keys: &[(String, Range<usize>)], leaf: Self) -> Self {
        keys.iter().rev().fold(leaf, |node, (key, span)| Self {
            span: node.span.clone(),
            value: Value::Table(vec![Entry {
                key: key.clone(),
                key_span: span.clone(),
                node,
            }]),
        })
    }

    /// The same value, with one span for all of it.
    pub fn at(value: &toml::Value, span: Range<usize>) -> Self {
        let value = match value {
            toml::Value::String(text) => Value::String(text.clone()),
            toml::Value::Integer(number) => Value::Integer(*number),
            toml::Value::Float(number) => Value::Float(*number),
            toml::Value::Boolean(flag) => Value::Bool(*flag),
            toml::Value::Datetime(date) => Value::Datetime(date.to_string()),
            toml::Value::Array(items) => Value::Array(
                items
                    .iter()
                    .map(|item| Self::at(item, span.clone()))
                    .collect(),
            ),
            toml::Value::Table(table) => Value::Table(
                table
                    .iter()
                    .map(|(key, value)| Entry {
                        key: key.clone(),
                        key_span: span.clone(),
                        node: Self::at(value, span.clone()),
                    })
                    .collect(),
            ),
        };
        Self { span, value }
    }
}

/// Parses a source as a TOML document.
pub fn parse(source: &Arc<Source>) -> Result<Node, Vec<Problem>> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if !errors.is_empty() {
        return Err(syntax::problems(source, &errors));
    }
    let mut problems = Vec::new();
    let span = table.span();
    let node = Node {
        value: convert_table(source, table.get_ref(), &mut problems),
        span,
    };
    if problems.is_empty() {
        Ok(node)
    } else {
        Err(problems)
    }
}

fn convert_table(source: &Arc<Source>, table: &DeTable<'_>, problems: &mut Vec<Problem>) -> Value {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().clone().into_owned(),
            key_span: key.span(),
            node: convert(source, value.get_ref(), value.span(), problems),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    Value::Table(entries)
}

fn convert(
    source: &Arc<Source>,
    value: &DeValue<'_>,
    span: Range<usize>,
    problems: &mut Vec<Problem>,
) -> Node {
    let mut unreadable =
        |what: &str| {
            problems.push(
                Problem::new(Code::OutOfRange, format!("this {what} is too large")).at(
                    Location::new(source, span.clone(), "does not fit in 64 bits"),
                ),
            );
        };
    let value = match value {
        DeValue::String(text) => Value::String(text.clone().into_owned()),
        DeValue::Integer(number) => {
            let number =
                i64::from_str_radix(number.as_str(), number.radix()).unwrap_or_else(|_| {
                    unreadable("integer");
                    0
                });
            Value::Integer(number)
        }
        DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or_else(|_| {
            unreadable("number");
            0.0
        })),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(date) => Value::Datetime(date.to_string()),
        DeValue::Array(items) => Value::Array(
            items
                .iter()
                .map(|item| convert(source, item.get_ref(), item.span(), problems))
                .collect(),
        ),
        DeValue::Table(table) => convert_table(source, table, problems),
    };
    Node { span, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_place() {
        let source = Source::new("x.toml", "[a]\nb = [1, \"two\"]\nc.d = 3\n");
        let root = parse(&source).unwrap();
        let at = |path: &[Segment]| &source.text[root.node_at(path).unwrap().span.clone()];
        assert_eq!(at(&["a".into(), "b".into(), 1.into()]), "\"two\"");
        assert_eq!(at(&["a".into(), "c".into(), "d".into()]), "3");
        assert_eq!(
            source.line(
                root.node_at(&["a".into(), "c".into(), "d".into()])
                    .unwrap()
                    .span
                    .start
            ),
            3
        );
        assert_eq!(root.node_at(&["a".into(), "b".into(), 2.into()]), None);
    }
}
