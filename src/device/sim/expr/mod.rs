//! The language of guards and sets: Python's expressions over a model's globals, as far as models need them.
//!
//! `or and not`, one comparison (`== != < <= > >=`), `| & + - * / // %`, signs, parentheses,
//! integers (64 bits), floats, strings, `True False None`, names. Precedence and meaning are Python's.
//! Everything else Python has (calls, attributes, indexing, lambdas, chained comparisons) is refused by name.
//! Nothing is ever passed to an interpreter: an expression is parsed once and compiled to [`Code`] over slots.

mod code;
mod cursor;
mod lex;
mod number;
mod parse;
mod print;
#[cfg(test)]
mod python;
#[cfg(test)]
pub(in crate::device::sim) mod tests;
mod value;

pub use code::{Code, Scope, compile};
pub use cursor::Cursor;
pub use lex::{Token, TokenKind};
pub use parse::{Assignment, assignments, expression, is_name};
pub use value::{EvalError, Texts, Value};

/// The most tokens an expression may have; it bounds every recursion over one.
pub const MAX_TOKENS: usize = 200;

/// The name that stands for the text typed.
pub const INPUT: &str = "input_text";

/// A parsed expression. Two are equal when they mean the same; where they stand does not matter.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Byte offset in the text it was read from.
    pub at: usize,
    /// What it is.
    pub kind: Kind,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The forms an expression takes.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Literal(Literal),
    Name(String),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
}

/// A value written out.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Literal {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

/// Operators before one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Minus,
    Plus,
}

/// Operators between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    BitOr,
    BitAnd,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
}

impl Binary {
    /// All, loosest first.
    pub const ALL: [Self; 16] = [
        Self::Or,
        Self::And,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::BitOr,
        Self::BitAnd,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::FloorDivide,
        Self::Modulo,
    ];

    /// As it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::BitOr => "|",
            Self::BitAnd => "&",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::FloorDivide => "//",
            Self::Modulo => "%",
        }
    }

    /// How tightly it binds; `not` is 3, signs are 9.
    pub(super) const fn level(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessEqual
            | Self::Greater
            | Self::GreaterEqual => 4,
            Self::BitOr => 5,
            Self::BitAnd => 6,
            Self::Add | Self::Subtract => 7,
            Self::Multiply | Self::Divide | Self::FloorDivide | Self::Modulo => 8,
        }
    }
}

/// Level of a comparison.
const COMPARISON: u8 = 4;
/// Level of `not`.
const NOT: u8 = 3;
/// Level of signs.
const SIGN: u8 = 9;
