//! JSON that remembers where everything stood, so that a model's faults can name line and column.
//!
//! Nesting is bounded, so a hostile file cannot exhaust the stack; the rest is RFC 8259.

mod strings;

use super::fault::Fault;
use rustc_hash::FxHashSet;
use std::collections::HashSet;
use std::rc::Rc;

/// Deeper nesting than any model has.
pub const MAX_DEPTH: usize = 32;

/// A value and the offset of its first byte.
#[derive(Debug)]
pub struct Node {
    /// Byte offset.
    pub at: usize,
    /// The value.
    pub json: Json,
}

/// A JSON value; integers that fit 64 bits are kept apart from other numbers, as Python does.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// One member of an object.
#[derive(Debug)]
pub struct Member {
    /// Its key; members of the same key share it.
    pub key: Rc<str>,
    /// Where the key stands.
    pub key_at: usize,
    /// Its value.
    pub value: Node,
}

impl Json {
    /// The kind of value, with its article.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads one value and nothing after it.
pub fn parse(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader::new(text, 0);
    if text.starts_with('\u{feff}') {
        reader.at = 3;
    }
    reader.space();
    let node = reader.value(0)?;
    reader.space();
    if reader.at < text.len() {
        return Err(reader.syntax("there is text after the end of the model", "remove it"));
    }
    Ok(node)
}

/// Where byte `inner` of a decoded string is in the file; `at` is the string's opening quote.
pub fn offset_within(text: &str, at: usize, inner: usize) -> usize {
    let mut reader = Reader::new(text, at + 1);
    let mut decoded = 0;
    while decoded < inner {
        match reader.character() {
            Ok(Some(c)) => decoded += c.len_utf8(),
            _ => break,
        }
    }
    reader.at
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    keys: FxHashSet<Rc<str>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        let keys = FxHashSet::default();
        Self { text, at, keys }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn syntax(&self, what: &str, fix: &str) -> Fault {
        Fault::new("json-syntax", self.at.min(self.text.len()), what, fix)
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        let at = self.at;
        if depth > MAX_DEPTH {
            return Err(Fault::new(
                "json-depth",
                at,
                format!("nested more than {MAX_DEPTH} levels deep"),
                "models need about five levels; check that this is a model",
            ));
        }
        let json = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Json::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
            None => {
                return Err(self.syntax(
                    "the file ends where a value is expected",
                    "the file may be cut off: write or copy it again",
                ));
            }
        };
        Ok(Node { at, json })
    }

    fn word(&mut self) -> Result<Json, Fault> {
        let rest = &self.text[self.at..];
        for (word, json) in [
            ("null", Json::Null),
            ("true", Json::Bool(true)),
            ("false", Json::Bool(false)),
        ] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(json);
            }
        }
        let (what, fix) = match () {
            () if rest.starts_with("NaN") || rest.starts_with("Infinity") => (
                "NaN and Infinity are not JSON",
                "write a number; Python's json.dump(.., allow_nan=False) finds them",
            ),
            () if rest.starts_with("True") || rest.starts_with("False") => {
                ("Python's spelling of a boolean", "write true or false")
            }
            () if rest.starts_with("None") => ("Python's spelling of null", "write null"),
            () if rest.starts_with('\'') => (
                "a string in single quotes",
                "write JSON strings in double quotes",
            ),
            () if rest.starts_with(['}', ']']) => (
                "a value is missing here",
                "remove the comma before it, or write the value",
            ),
            () => (
                "this is not a JSON value",
                "write null, true, false, a number, a string, a list or an object",
            ),
        };
        Err(self.syntax(what, fix))
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let from = reader.at;
            while matches!(reader.peek(), Some(b'0'..=b'9')) {
                reader.at += 1;
            }
            reader.at > from
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let first = self.at;
        let mut whole = digits(self);
        whole &= !(leading_zero && self.at > first + 1);
        let mut integer = true;
        if self.peek() == Some(b'.') {
            self.at += 1;
            integer = false;
            whole &= digits(self);
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            integer = false;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            whole &= digits(self);
        }
        let spelled = &self.text[start..self.at];
        let fault = |what: String, fix: &str| Err(Fault::new("json-number", start, what, fix));
        if !whole {
            let (what, fix) = if self.text[start..].starts_with("-Infinity") {
                ("Infinity is not JSON".to_owned(), "write a number")
            } else {
                (
                    format!("`{spelled}` is not a JSON number"),
                    "write it like 12, -3 or 1.5",
                )
            };
            return fault(what, fix);
        }
        if integer {
            return match spelled.parse() {
                Ok(int) => Ok(Json::Int(int)),
                Err(_) => fault(
                    "an integer beyond 64 bits".into(),
                    "use an integer from -2^63 to 2^63 - 1",
                ),
            };
        }
        match spelled.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Json::Float(float)),
            _ => fault(
                "a number too large for a float".into(),
                "use a number below 1.7e308",
            ),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, Fault> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::List(items));
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            if self.closes(b']', "list")? {
                // Of a model of 100,000 screens half of the tree's memory was room for more.
                items.shrink_to_fit();
                return Ok(Json::List(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Fault> {
        let mut members: Vec<Member> = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.syntax(
                    "a member's name is missing here",
                    "write it in double quotes, or remove the comma before it",
                ));
            }
            let key_at = self.at;
            let key = self.key()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.syntax(
                    "a colon is missing",
                    "write `:` between the name and the value",
                ));
            }
            self.at += 1;
            self.space();
            let value = self.value(depth + 1)?;
            members.push(Member { key, key_at, value });
            if self.closes(b'}', "object")? {
                break;
            }
        }
        let mut seen = HashSet::with_capacity(members.len());
        if let Some(twice) = members.iter().find(|m| !seen.insert(&*m.key)) {
            return Err(Fault::new(
                "duplicate-key",
                twice.key_at,
                format!("`{}` is here twice", twice.key),
                "keep one of them",
            ));
        }
        members.shrink_to_fit();
        Ok(Json::Object(members))
    }

    fn closes(&mut self, end: u8, what: &str) -> Result<bool, Fault> {
        self.space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(b) if b == end => {
                self.at += 1;
                Ok(true)
            }
            Some(_) => Err(self.syntax(
                &format!("expected a comma or the end of the {what}"),
                "a comma may be missing before this",
            )),
            None => Err(self.syntax(
                &format!("the {what} has no end"),
                &format!("close it with {}", char::from(end)),
            )),
        }
    }
}

#[cfg(test)]
mod tests;
