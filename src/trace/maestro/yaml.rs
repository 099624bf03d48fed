//! YAML as a tree with places. A flow may be anybody's: its size, its depth and the number of its values have limits, and
//! aliases, by which a short file can stand for a very long one, are errors.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use std::collections::HashMap;
use std::ops::Range;

/// Values of a file at most.
const VALUES: usize = 100_000;
/// Values inside each other at most.
const DEPTH: usize = 32;

/// What is wrong with a file, and where, in characters.
#[derive(Debug)]
pub struct Mistake {
    /// In one sentence.
    pub message: String,
    /// The part of the file.
    pub at: Range<usize>,
    /// The fix.
    pub help: String,
}

impl Mistake {
    pub fn new(at: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at: at.clone(),
            help: help.into(),
        }
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    pub value: Value,
    /// In characters.
    pub at: Range<usize>,
    /// What reading it costs: the bytes of its texts and the number of its values, those inside it included.
    pub size: usize,
}

#[derive(Clone, Debug)]
pub enum Value {
    /// A text, a number, a boolean: as it is written.
    Text(String),
    /// Nothing, or `null`.
    Null,
    List(Vec<Node>),
    Map(Map),
}

/// Entries in their order, each found by its key at once, however many there are.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: Vec<(Node, Node)>,
    by_key: HashMap<String, usize>,
}

impl Map {
    /// Adds an entry whose key is new.
    pub fn add(&mut self, key: Node, value: Node) {
        self.has(&key);
        self.entries.push((key, value));
    }

    /// Is the key there already? It is from now on.
    fn has(&mut self, key: &Node) -> bool {
        let Some(name) = key.text() else {
            return false;
        };
        let next = self.entries.len();
        self.by_key.insert(name.to_owned(), next).is_some()
    }
}

impl Node {
    pub fn new(value: Value, at: Range<usize>) -> Self {
        let size = match &value {
            Value::Text(text) => 1 + text.len(),
            Value::Null => 1,
            Value::List(list) => 1 + list.iter().map(|one| one.size).sum::<usize>(),
            Value::Map(map) => {
                let sizes = map.entries.iter().map(|(key, value)| key.size + value.size);
                1 + sizes.sum::<usize>()
            }
        };
        Self { value, at, size }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text, which is required; `what`: what it is, for the error.
    pub fn need(&self, what: &str) -> Result<&str, Mistake> {
        let wrong = || Mistake::new(&self.at, format!("{what} is not a text"), "write a text");
        self.text().ok_or_else(wrong)
    }

    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(map) => {
                let at = *map.by_key.get(key)?;
                map.entries.get(at).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The entries of a map; none of another value.
    pub fn entries(&self) -> &[(Self, Self)] {
        match &self.value {
            Value::Map(map) => &map.entries,
            _ => &[],
        }
    }

    /// The text of a key, if it is there.
    pub fn text_of(&self, key: &str) -> Result<Option<&str>, Mistake> {
        let value = self.get(key);
        value
            .map(|value| value.need(&format!("`{key}`")))
            .transpose()
    }

    /// A whole number, if the key is there.
    pub fn number_of(&self, key: &str) -> Result<Option<u64>, Mistake> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let number = value.text().and_then(|text| text.trim().parse().ok());
        let wrong = || {
            let message = format!("`{key}` is not a whole number");
            Mistake::new(&value.at, message, "write digits only")
        };
        number.map(Some).ok_or_else(wrong)
    }

    /// A boolean, if the key is there.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Mistake> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.text().unwrap_or_default() {
            "true" | "True" | "TRUE" => Ok(Some(true)),
            "false" | "False" | "FALSE" => Ok(Some(false)),
            _ => {
                let message = format!("`{key}` is neither `true` nor `false`");
                Err(Mistake::new(&value.at, message, "write one of them"))
            }
        }
    }

    /// Refuses the first key that is not among these; `of` says what has it.
    pub fn only(&self, known: &[&str], of: &str, help: &'static str) -> Result<(), Mistake> {
        let mut keys = self.entries().iter().map(|(key, _)| key);
        let other = keys.find(|key| !key.text().is_some_and(|name| known.contains(&name)));
        other.map_or(Ok(()), |key| {
            let name = key.text().unwrap_or("?");
            Err(Mistake::new(
                &key.at,
                format!("`{name}` of {of} cannot be read"),
                help,
            ))
        })
    }
}

/// The documents of a file.
pub fn documents(text: &str) -> Result<Vec<Node>, Mistake> {
    let mut tree = Tree::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker().index();
            let message = format!("not YAML: {}", error.info());
            Mistake::new(&(at..at), message, "correct the YAML")
        })?;
        tree.take(event, &span)?;
    }
    Ok(tree.documents)
}

/// A list or a map that is not complete yet; of a map, the key whose value is next.
struct Open {
    node: Node,
    key: Option<Node>,
}

#[derive(Default)]
struct Tree {
    documents: Vec<Node>,
    open: Vec<Open>,
    values: usize,
}

impl Tree {
    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Mistake> {
        let at = span.start.index()..span.end.index();
        match event {
            Event::Alias(_) => {
                let help = "write out what it stands for";
                return Err(Mistake::new(&at, "an alias", help));
            }
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain;
                let value = match &*text {
                    "" | "~" | "null" if plain => Value::Null,
                    text => Value::Text(text.to_owned()),
                };
                self.add(Node::new(value, at))?;
            }
            Event::SequenceStart(..) => self.start(Value::List(Vec::new()), at)?,
            Event::MappingStart(..) => self.start(Value::Map(Map::default()), at)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(ended) = self.open.pop() {
                    self.add(ended.node)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, value: Value, at: Range<usize>) -> Result<(), Mistake> {
        if self.open.len() == DEPTH {
            let message = format!("more than {DEPTH} values inside each other");
            return Err(Mistake::new(&at, message, "a flow is flat: simplify it"));
        }
        self.open.push(Open {
            node: Node::new(value, at),
            key: None,
        });
        Ok(())
    }

    fn add(&mut self, node: Node) -> Result<(), Mistake> {
        self.values += 1;
        if self.values > VALUES {
            let message = format!("more than {VALUES} values");
            return Err(Mistake::new(&node.at, message, "split the flow"));
        }
        let Some(open) = self.open.last_mut() else {
            self.documents.push(node);
            return Ok(());
        };
        open.node.size += node.size;
        match &mut open.node.value {
            Value::List(list) => list.push(node),
            Value::Map(map) => match open.key.take() {
                None if map.has(&node) => {
                    let message = "a key that is there already";
                    return Err(Mistake::new(&node.at, message, "delete one of them"));
                }
                None => open.key = Some(node),
                Some(key) => map.entries.push((key, node)),
            },
            Value::Text(_) | Value::Null => {}
        }
        Ok(())
    }
}
