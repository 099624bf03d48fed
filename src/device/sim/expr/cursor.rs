//! Where a parser stands among the tokens of an expression.

use super::{Token, TokenKind};
use crate::device::sim::fault::Fault;

/// Tokens, of which the last is [`TokenKind::End`], and the one that is looked at.
pub struct Cursor<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
}

impl<'a> Cursor<'a> {
    /// At the first of them.
    pub const fn new(tokens: Vec<Token<'a>>) -> Self {
        Self { tokens, next: 0 }
    }

    /// The token looked at.
    pub fn kind(&self) -> &TokenKind<'a> {
        // `End` is never stepped over.
        &self.tokens[self.next].kind
    }

    /// Its offset.
    pub fn at(&self) -> usize {
        self.tokens[self.next].at
    }

    /// Continues to the next one.
    pub const fn step(&mut self) {
        self.next += 1;
    }

    /// A mistake at this token.
    pub fn fault(&self, what: &str, fix: &str) -> Fault {
        Fault::new("expression-syntax", self.at(), what, fix)
    }
}
