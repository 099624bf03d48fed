//! The constants of a flow, `${NAME}`, and what their texts become. No script is run.

use super::work::Work;
use super::yaml::{Map, Mistake, Node, Value};
use std::collections::HashMap;

/// The constants of a flow, by name.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    values: HashMap<String, String>,
    /// Bytes of names and values.
    size: usize,
}

impl Variables {
    /// These, and those of the `env` of a flow or of a flow inside it. Maestro runs the scripts in them before any of
    /// them is known, so that none can name another.
    pub fn with(&self, flow: &Node, work: &mut Work) -> Result<Self, Mistake> {
        work.spend(0, self.size, &flow.at)?;
        let mut all = self.clone();
        let Some(env) = flow.get("env") else {
            return Ok(all);
        };
        if !matches!(env.value, Value::Map(_) | Value::Null) {
            let help = "write `NAME: text` on a line for each variable";
            return Err(Mistake::new(&env.at, "`env` has no variables", help));
        }
        for (key, value) in env.entries() {
            let name = key.need("a variable's name")?.to_owned();
            let text = match &value.value {
                Value::Null => "",
                _ => value.need(&format!("the variable `{name}`"))?,
            };
            let refused = |script: &str| {
                let message =
                    format!("the script `${{{script}}}` in the variable `{name}` is not run");
                let help = "write the text itself; a secret of the suite is typed by `inputText: ${TEXT_KEY}`";
                Mistake::new(&value.at, message, help)
            };
            let filled = self.filled(text, value, work, refused)?;
            all.size += name.len() + filled.len();
            all.values.insert(name, filled);
        }
        Ok(all)
    }

    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// A text with the values of its variables; the node is its place.
    pub fn fill(&self, text: &str, at: &Node, work: &mut Work) -> Result<String, Mistake> {
        let refused = |script: &str| {
            let message = format!("the script `${{{script}}}` is not run");
            let help = "write the text, add the variable to `env`, or name a key of the suite's `[app.text]` as ${TEXT_KEY}";
            Mistake::new(&at.at, message, help)
        };
        self.filled(text, at, work, refused)
    }

    /// The value of a command with those of its variables, except below these of its keys.
    pub fn fill_node(
        &self,
        node: &Node,
        except: &[&str],
        work: &mut Work,
    ) -> Result<Node, Mistake> {
        let value = match &node.value {
            Value::Null => Value::Null,
            Value::Text(text) => Value::Text(self.fill(text, node, work)?),
            Value::List(list) => {
                let filled = list.iter().map(|one| self.fill_node(one, &[], work));
                Value::List(filled.collect::<Result<_, _>>()?)
            }
            Value::Map(_) => {
                let mut map = Map::default();
                for (key, value) in node.entries() {
                    let keep = key.text().is_some_and(|key| except.contains(&key));
                    let value = match keep {
                        true => value.clone(),
                        false => self.fill_node(value, &[], work)?,
                    };
                    map.add(key.clone(), value);
                }
                Value::Map(map)
            }
        };
        Ok(Node::new(value, node.at.clone()))
    }

    /// The text, or an error at the first script that is none of a constant.
    fn filled(
        &self,
        text: &str,
        at: &Node,
        work: &mut Work,
        refused: impl Fn(&str) -> Mistake,
    ) -> Result<String, Mistake> {
        let mut out = String::new();
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out += text,
                Piece::Script(script) => {
                    let value = self.value(script).ok_or_else(|| refused(script))?;
                    work.spend(0, value.len(), &at.at)?;
                    out += value;
                }
            }
        }
        Ok(out)
    }

    /// What a script stands for: a constant, a text in quotes, or the first of several with `||` between them that is
    /// not empty (with `??`: that is known); `None`: it would have to be run.
    fn value<'v>(&'v self, script: &'v str) -> Option<&'v str> {
        let mut found = None;
        let (mut rest, mut between) = (script, "");
        loop {
            let (operand, after) = operand(rest)?;
            let value = match operand {
                Operand::Text(text) => Some(text),
                Operand::Name(name) => self.values.get(name).map(String::as_str),
            };
            let keeps = match between {
                "||" => found.is_some_and(|found: &str| !found.is_empty()),
                _ => found.is_some(),
            };
            found = if keeps { found } else { value };
            let after = after.trim_start();
            if after.is_empty() {
                return found;
            }
            let next = ["||", "??"]
                .into_iter()
                .find(|one| after.starts_with(one))?;
            // JavaScript takes the two together only with brackets.
            if !between.is_empty() && between != next {
                return None;
            }
            (rest, between) = (&after[2..], next);
        }
    }
}

/// A part of a script.
enum Operand<'s> {
    Name(&'s str),
    Text(&'s str),
}

/// The first operand of a script, and what is behind it.
fn operand(script: &str) -> Option<(Operand<'_>, &str)> {
    let script = script.trim_start();
    for quote in ['"', '\'', '`'] {
        if let Some(inside) = script.strip_prefix(quote) {
            let (text, rest) = inside.split_once(quote)?;
            return (!text.contains('\\')).then_some((Operand::Text(text), rest));
        }
    }
    let end = script
        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$'))
        .unwrap_or(script.len());
    let (name, rest) = script.split_at(end);
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => {
            let digits = name.chars().all(|c| c.is_ascii_digit()) && !rest.starts_with('.');
            digits.then_some((Operand::Text(name), rest))
        }
        false if matches!(name, "true" | "false") => Some((Operand::Text(name), rest)),
        false => (!name.is_empty()).then_some((Operand::Name(name), rest)),
    }
}

/// A part of a text with scripts.
pub enum Piece<'t> {
    Text(&'t str),
    /// Without its brackets.
    Script(&'t str),
}

/// The parts of a text; `\${...}` stands for itself.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut all, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find("${") {
        let (before, script) = rest.split_at(at);
        let inside = script[2..].split('$').next().unwrap_or_default();
        match (inside.find('}'), before.strip_suffix('\\')) {
            (None, _) => {
                all.push(Piece::Text(&rest[..at + 2]));
                rest = &rest[at + 2..];
            }
            (Some(_), Some(before)) => {
                all.push(Piece::Text(before));
                all.push(Piece::Text("${"));
                rest = &script[2..];
            }
            (Some(end), None) => {
                all.push(Piece::Text(before));
                all.push(Piece::Script(inside[..end].trim()));
                rest = &script[end + 3..];
            }
        }
    }
    all.push(Piece::Text(rest));
    all.retain(|piece| !matches!(piece, Piece::Text("")));
    all
}
