//! What a flow types: the field, the text, the secrets in it.

use super::super::format::{Deed, Step, Typed};
use super::commands::Reader;
use super::variables::{Piece, pieces};
use super::yaml::{Mistake, Node, Value};
use std::ops::Range;

/// Characters that `eraseText` deletes unless it says how many.
const ERASED: u64 = 50;

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
            Value::Text(text) => Some(text.trim().parse().map_err(|_| {
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
            && !self.variables.has(name)
        {
            return Ok(Resolved::Secret(key.to_lowercase()));
        }
        let text = self.variables.fill(text, node, &mut self.work)?;
        Ok(Resolved::Text(text))
    }
}
