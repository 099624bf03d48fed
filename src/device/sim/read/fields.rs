//! Members of a JSON object, requested by name and type.

use super::super::fault::{Fault, nearest};
use super::super::json::{Json, Member, Node};

/// An object whose keys are known.
pub struct Fields<'a> {
    members: &'a [Member],
    at: usize,
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// The members of an object; any key is allowed where none are `known`.
    pub fn of(node: &'a Node, what: &'static str, known: &[&str]) -> Result<Self, Fault> {
        let Json::Object(members) = &node.json else {
            return Err(wrong_type(node, what, "an object"));
        };
        let extra = members.iter().find(|m| !known.contains(&&*m.key));
        if let Some(extra) = extra.filter(|_| !known.is_empty()) {
            return Err(Fault::new(
                "unknown-key",
                extra.key_at,
                format!("{what} has no key `{}`", extra.key),
                nearest(&extra.key, known.iter().copied()),
            ));
        }
        Ok(Self {
            members,
            at: node.at,
            what,
        })
    }

    /// The member's value, unless it is missing or null.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.members
            .iter()
            .find(|m| &*m.key == key)
            .map(|m| &m.value)
            .filter(|v| !matches!(v.json, Json::Null))
    }

    /// The member's value, which must be there.
    pub fn need(&self, key: &str) -> Result<&'a Node, Fault> {
        self.get(key).ok_or_else(|| {
            let what = format!("{} has no `{key}`", self.what);
            Fault::new("missing-key", self.at, what, "add it")
        })
    }

    /// A string.
    pub fn text(&self, key: &'static str) -> Result<Option<&'a str>, Fault> {
        self.get(key)
            .map(|node| match &node.json {
                Json::Text(text) => Ok(text.as_str()),
                _ => Err(wrong_type(node, key, "a string")),
            })
            .transpose()
    }

    /// A boolean.
    pub fn flag(&self, key: &'static str) -> Result<Option<bool>, Fault> {
        self.get(key)
            .map(|node| match node.json {
                Json::Bool(flag) => Ok(flag),
                _ => Err(wrong_type(node, key, "true or false")),
            })
            .transpose()
    }

    /// A list, empty if there is none.
    pub fn list(&self, key: &'static str) -> Result<&'a [Node], Fault> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Node {
                json: Json::List(items),
                ..
            }) => Ok(items),
            Some(node) => Err(wrong_type(node, key, "a list")),
        }
    }

    /// A list of strings with their offsets.
    pub fn texts(&self, key: &'static str) -> Result<Vec<(usize, &'a str)>, Fault> {
        self.list(key)?
            .iter()
            .map(|node| match &node.json {
                Json::Text(text) => Ok((node.at, text.as_str())),
                _ => Err(wrong_type(node, "an item of this list", "a string")),
            })
            .collect()
    }
}

/// A value of another type than it should have.
pub fn wrong_type(node: &Node, what: &str, wanted: &str) -> Fault {
    Fault::new(
        "wrong-type",
        node.at,
        format!("{what} is {}", node.json.kind()),
        format!("write {wanted}"),
    )
}
