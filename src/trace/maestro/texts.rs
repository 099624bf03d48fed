//! What a flow types: the field, the text, the variables and secrets in it.

use super::super::format::{Deed, Step, Typed};
use super::commands::Reader;
use super::yaml::{Mistake, Node, Value};
use std::collections::HashMap;
use std::ops::Range;

/// Characters that `eraseText` deletes unless it says how many.
const ERASED: u64 = 50;

/// The constants of a flow, by name.
pub type Variables = HashMap<String, String>;

/// The constants of the header. Maestro runs the scripts in them before any of them is known, so that none can name
/// another.
pub fn variables(header: &Node) -> Result<Variables, Mistake> {
    let Some(env) = header.get("env") else {
        return Ok(Variables::new());
    };
    if !matches!(env.value, Value::Map(_) | Value::Null) {
        let help = "write `NAME: text` on a line for each variable";
        return Err(Mistake::new(&env.at, "`env` has no variables", help));
    }
    let one = |(key, value): &(Node, Node)| {
        let name = key.need("a variable's name")?.to_owned();
        let text = match &value.value {
            Value::Null => "",
            _ => value.need(&format!("the variable `{name}`"))?,
        };
        let mut plain = String::new();
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => plain += text,
                Piece::Script(script) => {
                    let message =
                        format!("the script `${{{script}}}` in the variable `{name}` is not run");
                    let help = "write the text itself; a secret of the suite is typed by `inputText: ${TEXT_KEY}`";
                    return Err(Mistake::new(&value.at, message, help));
                }
            }
        }
        Ok((name, plain))
    };
    env.entries().iter().map(one).collect()
}

/// A part of a text with scripts.
enum Piece<'t> {
    Text(&'t str),
    /// Without its brackets.
    Script(&'t str),
}

/// The parts of a text; `\${...}` stands for itself.
fn pieces(text: &str) -> Vec<Piece<'_>> {
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

/// What a text stands for.
pub enum Resolved {
    Text(String),
    /// The key of a text of the suite, as `export` writes it: `${TEXT_KEY}`.
    Secret(String),
}

impl Reader<'_> {
    /// What is typed into the field that was tapped last, if nothing has happened since.
    fn typed(&mut self, at: &Range<usize>) -> Result<&mut Typed, Mistake> {
        let last = self.steps.len().checked_sub(1);
        let step = match self.field == last {
            true => self.steps.last_mut(),
            false => None,
        };
        if let Some(Step::On(_, deed)) = step {
            if *deed == Deed::Click {
                *deed = Deed::Type(Typed {
                    text: String::new(),
                    secret: None,
                    enter: false,
                });
            }
            if let Deed::Type(typed) = deed
                && !typed.enter
            {
                return Ok(typed);
            }
        }
        let message = "nothing says into which field this is typed";
        let help =
            "put a `tapOn` of the field right before it, with the field's `id`, text or hint";
        Err(Mistake::new(at, message, help))
    }

    pub(super) fn input(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let text = value.text().or(value.text_of("text")?).unwrap_or_default();
        let resolved = self.resolved(text, value)?;
        if matches!(&resolved, Resolved::Text(text) if text.is_empty()) {
            let help = "write the text, or delete the command; `eraseText` empties a field";
            return Err(Mistake::new(at, "no text to type", help));
        }
        let typed = self.typed(at)?;
        match resolved {
            Resolved::Text(text) if typed.secret.is_none() => typed.text += &text,
            Resolved::Secret(key) if typed.secret.is_none() && typed.text.is_empty() => {
                typed.secret = Some(key);
            }
            _ => {
                let message = "a secret with more text around it";
                let help = "type it into another field, or empty the field before with `eraseText`";
                return Err(Mistake::new(&value.at, message, help));
            }
        }
        Ok(())
    }

    /// The last characters are deleted. What the field held before the flow typed is not known, but a step that types
    /// replaces it.
    pub(super) fn erase(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let said = match &value.value {
            Value::Text(text) => Some(text.parse().map_err(|_| {
                let message = "`eraseText` without a whole number";
                Mistake::new(&value.at, message, "write digits only")
            })?),
            _ => value.number_of("charactersToErase")?,
        };
        let count: u64 = said.unwrap_or(ERASED);
        if count == 0 {
            let help = "write how many characters to delete, or delete the command";
            return Err(Mistake::new(at, "nothing to erase", help));
        }
        let typed = self.typed(at)?;
        if typed.secret.is_some() && count < ERASED {
            let message = "a part of a secret is deleted, which may be longer";
            let help = "write `eraseText` without a number";
            return Err(Mistake::new(at, message, help));
        }
        typed.secret = None;
        let last = usize::try_from(count - 1).unwrap_or(usize::MAX);
        let kept = typed.text.char_indices().rev().nth(last);
        typed.text.truncate(kept.map_or(0, |(at, _)| at));
        Ok(())
    }

    /// A text without scripts, or a secret.
    pub(super) fn resolved(&mut self, text: &str, node: &Node) -> Result<Resolved, Mistake> {
        let pieces = pieces(text);
        if let [Piece::Script(name)] = pieces[..]
            && let Some(key) = name.strip_prefix("TEXT_")
            && !key.is_empty()
            && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && !self.variables.contains_key(name)
        {
            return Ok(Resolved::Secret(key.to_lowercase()));
        }
        let mut out = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out += text,
                Piece::Script(name) => {
                    let Some(value) = self.variables.get(name) else {
                        let message = format!("the script `${{{name}}}` is not run");
                        let help = "write the text, add the variable to `env`, or name a key of the suite's `[app.text]` as ${TEXT_KEY}";
                        return Err(Mistake::new(&node.at, message, help));
                    };
                    self.work.spend(0, value.len(), &node.at)?;
                    out += value;
                }
            }
        }
        Ok(Resolved::Text(out))
    }
}
