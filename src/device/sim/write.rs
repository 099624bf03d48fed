//! A model's tree written out as JSON, our form: how models are made, changed and converted.

use super::json::{Json, Node};
use std::fmt::Write as _;

/// The tree as JSON, two spaces a level; short objects and lists of plain values are on one line.
pub fn to_text(root: &Node) -> String {
    let mut out = String::new();
    value(&root.json, 0, &mut out);
    out.push('\n');
    out
}

fn value(json: &Json, depth: usize, out: &mut String) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(flag) => {
            let _ = write!(out, "{flag}");
        }
        Json::Int(int) => {
            let _ = write!(out, "{int}");
        }
        Json::Float(float) => {
            // Debug keeps the point, so that it is read as a float again.
            let _ = write!(out, "{float:?}");
        }
        Json::Text(text) => string(text, out),
        Json::List(items) => {
            let items: Vec<(Option<&str>, &Json)> = items.iter().map(|i| (None, &i.json)).collect();
            all(('[', ']'), &items, depth, out);
        }
        Json::Object(members) => {
            let items: Vec<(Option<&str>, &Json)> = members
                .iter()
                .map(|m| (Some(&*m.key), &m.value.json))
                .collect();
            all(('{', '}'), &items, depth, out);
        }
    }
}

fn all(brackets: (char, char), items: &[(Option<&str>, &Json)], depth: usize, out: &mut String) {
    let plain = |json: &Json| !matches!(json, Json::List(_) | Json::Object(_));
    let short = items.iter().all(|(_, json)| plain(json));
    out.push(brackets.0);
    for (ix, (key, json)) in items.iter().enumerate() {
        if ix > 0 {
            out.push(',');
        }
        if short {
            out.push_str(if ix > 0 || brackets.0 == '{' { " " } else { "" });
        } else {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth + 1));
        }
        if let Some(key) = key {
            string(key, out);
            out.push_str(": ");
        }
        value(json, depth + 1, out);
    }
    if !items.is_empty() && !short {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    } else if !items.is_empty() && brackets.0 == '{' {
        out.push(' ');
    }
    out.push(brackets.1);
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A string.
pub fn text(text: impl Into<String>) -> Node {
    Node {
        at: 0,
        json: Json::Text(text.into()),
    }
}

/// An object of these members.
pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    let members = members.into_iter().map(|(key, value)| super::json::Member {
        key: key.into(),
        key_at: 0,
        value,
    });
    Node {
        at: 0,
        json: Json::Object(members.collect()),
    }
}

/// A list of these.
pub fn list(items: Vec<Node>) -> Node {
    Node {
        at: 0,
        json: Json::List(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::sim::json::parse;
    use proptest::prelude::*;

    fn same(a: &Json, b: &Json) -> bool {
        match (a, b) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Int(a), Json::Int(b)) => a == b,
            (Json::Float(a), Json::Float(b)) => a.to_bits() == b.to_bits(),
            (Json::Text(a), Json::Text(b)) => a == b,
            (Json::List(a), Json::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.json, &b.json))
            }
            (Json::Object(a), Json::Object(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(a, b)| a.key == b.key && same(&a.value.json, &b.value.json))
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_it_was(words in proptest::collection::vec(".{0,12}", 1..6), number in any::<i64>(), float in -1e300..1e300_f64) {
            let mut inner: Vec<Node> = words.iter().map(text).collect();
            inner.push(Node { at: 0, json: Json::Int(number) });
            inner.push(Node { at: 0, json: Json::Float(float) });
            inner.push(Node { at: 0, json: Json::Null });
            let tree = object([("a", list(inner)), ("b \"", object([("c", list(vec![]))]))]);
            let again = parse(&to_text(&tree)).unwrap();
            prop_assert!(same(&tree.json, &again.json), "{}", to_text(&tree));
        }
    }
}
