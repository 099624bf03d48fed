//! Validates a parsed text against the schema: unknown keys and values, wrong types, ranges and formats, each reported
//! at its location.
//!
//! The schema is the one that `cargo droidtest schema` prints. The validator covers what schemars writes for the
//! settings' types; `serde` reports the rest when it reads the settings.

use std::sync::Arc;

use serde_json::Value as Json;

use super::diagnose::{Code, Location, Problem, listed, name_help, nearest};
use super::hints::{
    bracketing, home_of, kinds_named, kinds_with, retype, short, uncapitalised, values_help,
};
use super::schema::{self, branches, kind, resolve, strings, words};
use super::source::{Entry, Node, Source, Value};

/// All problems of a text whose root is `node`.
pub fn check(source: &Arc<Source>, node: &Node) -> Vec<Problem> {
    let root = schema::document();
    let mut checker = Checker {
        root,
        source,
        path: Vec::new(),
        kinds: &[],
        problems: Vec::new(),
    };
    checker.node(root, node);
    checker.problems
}

struct Checker<'a> {
    root: &'a Json,
    source: &'a Arc<Source>,
    path: Vec<String>,
    /// The alternatives of the current tagged table.
    kinds: &'a [Json],
    problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    fn node(&mut self, schema: &'a Json, node: &Node) {
        let schema = self.resolve(schema);
        if schema["x-tag"].is_string() {
            return self.tagged(schema, node);
        }
        if let Some(branches) = branches(schema) {
            return self.any_of(schema, branches, node);
        }
        let kind = kind(schema);
        if !type_fits(kind, &node.value) {
            let has_form = schema["pattern"].is_string();
            let help = retype(&[kind], &words(schema), &node.value, has_form);
            return self.wrong_type(&[kind], node, help);
        }
        match &node.value {
            Value::Table(entries) => self.table(schema, entries, node),
            Value::Array(items) => self.array(schema, items, node),
            Value::String(text) => self.string(schema, text, node),
            Value::Integer(number) => self.number(schema, *number as f64, node),
            Value::Float(number) => self.number(schema, *number, node),
            Value::Bool(_) | Value::Datetime(_) => {}
        }
    }

    fn resolve(&self, schema: &'a Json) -> &'a Json {
        resolve(self.root, schema)
    }

    /// One of several objects, distinguished by the value of `kind`.
    fn tagged(&mut self, schema: &'a Json, node: &Node) {
        let Value::Table(_) = node.value else {
            return self.wrong_type(&["object"], node, "write a table".to_owned());
        };
        let branches = schema["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
        let tag_of = |branch: &'a Json| branch["properties"]["kind"]["const"].as_str();
        let kinds: Vec<_> = branches.iter().filter_map(tag_of).collect();
        let Some(entry) = node.entry("kind") else {
            let problem = Problem::new(Code::MissingKey, format!("{} has no `kind`", self.here()))
                .at(self.place(node, "`kind` is missing here"))
                .help(format!("the kinds are {}", listed(&kinds)));
            return self.problems.push(problem);
        };
        let Value::String(kind) = &entry.node.value else {
            return self.wrong_type(
                &["string"],
                &entry.node,
                format!("the kinds are {}", listed(&kinds)),
            );
        };
        if let Some(branch) = branches.iter().find(|branch| tag_of(branch) == Some(kind)) {
            let around = std::mem::replace(&mut self.kinds, branches);
            self.node(branch, node);
            return self.kinds = around;
        }
        let mut nested = strings(&schema["x-not-inside"]);
        let what = self.path.first().map_or("", String::as_str).to_owned();
        let problem = if nested.any(|name| name == kind) {
            let message = format!(
                "`{kind}` cannot be {}: it contains a {what} itself",
                self.here()
            );
            Problem::new(Code::UnknownValue, message)
                .at(self.place(&entry.node, "cannot be inside another one"))
                .help(format!("the kinds here are {}", listed(&kinds)))
        } else {
            Problem::new(
                Code::UnknownValue,
                format!("there is no {what} kind `{kind}`"),
            )
            .at(self.place(&entry.node, "not a kind"))
            .help(name_help(kind, kinds.iter().copied(), "kinds"))
        };
        self.problems.push(problem);
    }

    /// A value of one of several types, or one of several words.
    fn any_of(&mut self, schema: &Json, branches: &'a [Json], node: &Node) {
        let resolved = branches.iter().map(|branch| self.resolve(branch));
        let resolved: Vec<_> = resolved.collect();
        let mut kinds: Vec<_> = resolved.iter().map(|branch| kind(branch)).collect();
        kinds.dedup();
        let words: Vec<_> = resolved.iter().flat_map(|branch| words(branch)).collect();
        let fitting = resolved
            .iter()
            .find(|branch| type_fits(kind(branch), &node.value));
        match (fitting, &node.value) {
            (None, _) => {
                let help = retype(&kinds, &words, &node.value, false);
                self.wrong_type(&kinds, node, help);
            }
            (Some(_), Value::String(text)) if !words.is_empty() => {
                let before = self.problems.len();
                self.word(&words, kinds.contains(&"boolean"), text, node);
                if let (Some(instead), Some(problem)) = (
                    schema["x-instead"][text].as_str(),
                    self.problems.get_mut(before),
                ) {
                    problem.help = Some(instead.to_owned());
                }
            }
            (Some(branch), _) => self.node(branch, node),
        }
    }

    fn word(&mut self, words: &[&str], or_bool: bool, text: &str, node: &Node) {
        if words.contains(&text) {
            return;
        }
        let help = match nearest(text, words.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => values_help(words, or_bool),
        };
        let message = format!("`{text}` is not a value of {}", self.here());
        let problem = Problem::new(Code::UnknownValue, message)
            .at(self.place(node, "not one of the values"))
            .help(help);
        self.problems.push(problem);
    }

    fn table(&mut self, schema: &'a Json, entries: &[Entry], node: &Node) {
        for entry in entries {
            let known = schema["properties"].get(&entry.key);
            let other = &schema["additionalProperties"];
            match known.or_else(|| other.is_object().then_some(other)) {
                Some(inner) => {
                    self.path.push(entry.key.clone());
                    self.table_or_array(inner, entry);
                    self.path.pop();
                }
                None => self.unknown_key(schema, entry),
            }
        }
        self.required(schema, node);
    }

    /// Checks a nested value, and first whether `[x]` and `[[x]]` were confused.
    fn table_or_array(&mut self, schema: &'a Json, entry: &Entry) {
        let kind = kind(self.resolve(schema));
        let hint = bracketing(kind, &self.path, &entry.node, self.source);
        let before = self.problems.len();
        self.node(schema, &entry.node);
        if let (Some(hint), Some(problem)) = (hint, self.problems.get_mut(before)) {
            problem.help = Some(hint);
        }
    }

    fn required(&mut self, schema: &Json, node: &Node) {
        for key in strings(&schema["required"]) {
            if node.entry(key).is_some() || misspelt(key, schema, node) {
                continue;
            }
            let about = schema["properties"][key]["description"].as_str();
            let message = format!("{} has no `{key}`", self.here());
            let problem = Problem::new(Code::MissingKey, message)
                .at(self.place(node, format!("`{key}` is missing here")))
                .help(about.map(|about| format!("add `{key}`: {}", uncapitalised(about))));
            self.problems.push(problem);
        }
        let either = schema["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
        let keys: Vec<_> = either
            .iter()
            .flat_map(|branch| strings(&branch["required"]))
            .collect();
        let present: Vec<_> = keys.iter().filter_map(|key| node.entry(key)).collect();
        let here = self.here();
        let problem = match present.as_slice() {
            [] if keys.is_empty() || keys.iter().any(|key| misspelt(key, schema, node)) => return,
            [_] => return,
            [] => {
                let message = format!("{here} needs one of {}", listed(&keys));
                Problem::new(Code::MissingKey, message)
                    .at(self.place(node, "one of them is missing here"))
                    .help(format!("add exactly one of {}", listed(&keys)))
            }
            [first, second, ..] => {
                let place = |entry: &Entry, label| {
                    Location::new(self.source, entry.key_span.clone(), label)
                };
                let message = format!("{here} has both `{}` and `{}`", first.key, second.key);
                Problem::new(Code::ConflictingKeys, message)
                    .at(place(second, "this one"))
                    .at(place(first, "and this one"))
                    .help("keep one of them".to_owned())
            }
        };
        self.problems.push(problem);
    }

    fn unknown_key(&mut self, schema: &Json, entry: &Entry) {
        let key = &entry.key;
        let keys: Vec<&str> = schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.as_str())
            .collect();
        let help = match kinds_with(self.kinds, key) {
            Some(kinds) => format!("delete it: only {kinds}"),
            // Most tables with a name are no home of this one's.
            None if key == "name" && !self.kinds.is_empty() => {
                format!("delete it: {} has no name", self.here())
            }
            None => match nearest(key, keys.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => match home_of(self.root, schema, &self.path.join("."), key) {
                    Some(home) => format!("`{key}` is a key of {home}"),
                    None => format!("the keys here are {}", listed(&keys)),
                },
            },
        };
        let problem = Problem::new(
            Code::UnknownKey,
            format!("{} has no key `{key}`", self.here()),
        )
        .at(Location::new(
            self.source,
            entry.key_span.clone(),
            "unknown key",
        ))
        .help(help);
        self.problems.push(problem);
    }

    fn array(&mut self, schema: &'a Json, items: &[Node], node: &Node) {
        let bound = |key: &str| schema[key].as_u64().map(|bound| bound as usize);
        let (least, most) = (bound("minItems"), bound("maxItems"));
        let count = items.len();
        if least.is_some_and(|least| count < least) || most.is_some_and(|most| count > most) {
            let here = self.here();
            let (message, label, help) = match (least, most) {
                (Some(least), Some(most)) if least == most => (
                    format!("{here} has a length of {count} instead of {most}"),
                    format!("exactly {most} are needed"),
                    format!("list {most}, or delete the key"),
                ),
                (Some(least), _) if least > 1 && count < least => (
                    format!("{here} has {count} of at least {least}"),
                    format!("at least {least} are needed"),
                    format!("list at least {least}, or delete the key"),
                ),
                (_, Some(most)) if count > most => (
                    format!("{here} has {count} of at most {most}"),
                    format!("at most {most} are possible"),
                    format!("list at most {most}"),
                ),
                _ => (
                    format!("{here} is empty"),
                    "at least one is needed".to_owned(),
                    "list at least one, or delete the key".to_owned(),
                ),
            };
            let problem = Problem::new(Code::OutOfRange, message)
                .at(self.place(node, label))
                .help(help);
            self.problems.push(problem);
        }
        if let Some(inner) = schema.get("items") {
            for item in items {
                self.node(inner, item);
            }
        }
    }

    fn string(&mut self, schema: &Json, text: &str, node: &Node) {
        let words = words(schema);
        if !words.is_empty() {
            return self.word(&words, false, text, node);
        }
        if schema["minLength"].as_u64().is_some() && text.is_empty() {
            let problem = Problem::new(Code::BadFormat, format!("{} is empty", self.here()))
                .at(self.place(node, "empty"))
                .help("write a text, or delete the key".to_owned());
            return self.problems.push(problem);
        }
        let Some(pattern) = schema["pattern"].as_str() else {
            return;
        };
        if !schema::fits(pattern, text) {
            let expected = schema["x-expects"].as_str().unwrap_or("something else");
            let problem = Problem::new(
                Code::BadFormat,
                format!("{text:?} is not {}", short(expected)),
            )
            .at(self.place(node, "not in the expected form"))
            .help(format!("write {expected}"));
            self.problems.push(problem);
        }
    }

    fn number(&mut self, schema: &Json, number: f64, node: &Node) {
        let bound = |key: &str| schema[key].as_f64();
        let (least, most) = (bound("minimum"), bound("maximum"));
        if number.is_finite()
            && least.is_none_or(|least| number >= least)
            && most.is_none_or(|most| number <= most)
        {
            return;
        }
        let range = match (least, most.filter(|most| *most < 1e15)) {
            _ if !number.is_finite() => "finite".to_owned(),
            (Some(least), Some(most)) if least == most => format!("{least}"),
            (Some(least), Some(most)) => format!("between {least} and {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => "a number".to_owned(),
        };
        let problem = Problem::new(Code::OutOfRange, format!("{} is out of range", self.here()))
            .at(self.place(node, format!("must be {range}")))
            .help(format!("make it {range}"));
        self.problems.push(problem);
    }

    fn wrong_type(&mut self, kinds: &[&str], node: &Node, help: String) {
        let expected = kinds_named(kinds);
        let found = node.value.type_name();
        let message = format!("{} must be {expected}, not {found}", self.here());
        let problem = Problem::new(Code::WrongType, message)
            .at(self.place(node, format!("expected {expected}")))
            .help(help);
        self.problems.push(problem);
    }

    fn place(&self, node: &Node, label: impl Into<String>) -> Location {
        Location::new(self.source, node.span.clone(), label)
    }

    /// The name of the current value.
    fn here(&self) -> String {
        if self.path.is_empty() {
            "the suite".to_owned()
        } else {
            format!("`{}`", self.path.join("."))
        }
    }
}

/// Whether a key is present under a misspelt name, which is reported already.
fn misspelt(key: &str, schema: &Json, node: &Node) -> bool {
    let unknown = |entry: &&Entry| schema["properties"].get(&entry.key).is_none();
    let mut unknown = node.entries().iter().filter(unknown);
    unknown.any(|entry| nearest(&entry.key, [key]).is_some())
}

fn type_fits(kind: &str, value: &Value) -> bool {
    match value {
        Value::String(_) => kind == "string",
        Value::Integer(_) => kind == "integer" || kind == "number",
        Value::Float(_) => kind == "number",
        Value::Bool(_) => kind == "boolean",
        Value::Array(_) => kind == "array",
        Value::Table(_) => kind == "object",
        Value::Datetime(_) => false,
    }
}
