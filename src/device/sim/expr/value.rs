//! Values of globals and what operators do with them.

use super::number::{self, Number};
use super::{Binary, Literal, Unary};
use crate::util::intern::{Interner, Sym};
use std::cmp::Ordering;
use std::fmt;

/// The longest text an expression may make.
pub const MAX_TEXT: usize = 1 << 16;

/// After so many bytes of new texts those no longer in use are dropped.
const FULL: usize = 8 << 20;

/// The value of a global. Texts are numbers of the [`Texts`] they were made in, so values copy and compare in no time.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Sym),
}

/// Types of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Type {
    None,
    Bool,
    Int,
    Float,
    Text,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Text => "str",
        })
    }
}

/// Why an expression has no value. It fits a register, for the sake of the results that are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EvalError {
    /// Operand types the operator does not take.
    #[error("`{}` cannot be applied to {left} and {right}", .op.symbol())]
    Types {
        /// The operator.
        op: Binary,
        /// The left operand's type.
        left: Type,
        /// The right one's.
        right: Type,
    },
    /// A sign before something that is not a number.
    #[error("a sign cannot be applied to {0}")]
    Sign(Type),
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A result beyond 64 bits (or a division of integers beyond 2^53).
    #[error("a number that does not fit in 64 bits")]
    TooBig,
    /// A text over 64 KiB.
    #[error("a text of more than 64 KiB")]
    TooLong,
}

impl Value {
    /// Python's truth of a value.
    #[inline]
    pub fn truth(self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(b) => b,
            Self::Int(i) => i != 0,
            Self::Float(f) => f != 0.0,
            Self::Text(t) => !t.is_empty(),
        }
    }

    fn number(self) -> Option<Number> {
        match self {
            Self::Bool(b) => Some(Number::Int(i64::from(b))),
            Self::Int(i) => Some(Number::Int(i)),
            Self::Float(f) => Some(Number::Float(f)),
            Self::None | Self::Text(_) => None,
        }
    }

    /// Its type; Python's names are what it displays as.
    pub const fn kind(self) -> Type {
        match self {
            Self::None => Type::None,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Float(_) => Type::Float,
            Self::Text(_) => Type::Text,
        }
    }

    /// The value written out.
    pub fn literal(self, texts: &Texts) -> Literal {
        match self {
            Self::None => Literal::None,
            Self::Bool(b) => Literal::Bool(b),
            Self::Int(i) => Literal::Int(i),
            Self::Float(f) => Literal::Float(f),
            Self::Text(t) => Literal::Text(texts.get(t).to_owned()),
        }
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        match number {
            Number::Int(i) => Self::Int(i),
            Number::Float(f) => Self::Float(f),
        }
    }
}

/// Python's `==`.
#[inline]
fn equal(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::None, Value::None) => true,
        _ => match (a.number(), b.number()) {
            (Some(a), Some(b)) => number::order(a, b) == Some(Ordering::Equal),
            _ => false,
        },
    }
}

/// `a op b`, both evaluated; `and` and `or` give what Python's give.
#[inline]
pub fn binary(op: Binary, a: Value, b: Value, texts: &mut Texts) -> Result<Value, EvalError> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        // What nearly every guard and set of a model does.
        match op {
            Binary::Equal => return Ok(Value::Bool(a == b)),
            Binary::Less => return Ok(Value::Bool(a < b)),
            Binary::LessEqual => return Ok(Value::Bool(a <= b)),
            Binary::Greater => return Ok(Value::Bool(a > b)),
            Binary::GreaterEqual => return Ok(Value::Bool(a >= b)),
            Binary::Add => return a.checked_add(b).map(Value::Int).ok_or(EvalError::TooBig),
            Binary::Subtract => return a.checked_sub(b).map(Value::Int).ok_or(EvalError::TooBig),
            _ => {}
        }
    }
    match op {
        Binary::Equal => Ok(Value::Bool(equal(a, b))),
        Binary::NotEqual => Ok(Value::Bool(!equal(a, b))),
        Binary::BitAnd | Binary::BitOr => bits(op, a, b),
        Binary::And => Ok(if a.truth() { b } else { a }),
        Binary::Or => Ok(if a.truth() { a } else { b }),
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
            compare(op, a, b, texts)
        }
        _ => arithmetic(op, a, b, texts),
    }
}

/// A sign or `not`.
pub fn unary(op: Unary, a: Value) -> Result<Value, EvalError> {
    match (op, a.number()) {
        (Unary::Not, _) => Ok(Value::Bool(!a.truth())),
        (Unary::Plus, Some(number)) => Ok(number.into()),
        (Unary::Minus, Some(Number::Int(i))) => {
            i.checked_neg().map(Value::Int).ok_or(EvalError::TooBig)
        }
        (Unary::Minus, Some(Number::Float(f))) => Ok(Value::Float(-f)),
        (_, None) => Err(EvalError::Sign(a.kind())),
    }
}

fn types(op: Binary, a: Value, b: Value) -> EvalError {
    EvalError::Types {
        op,
        left: a.kind(),
        right: b.kind(),
    }
}

fn bits(op: Binary, a: Value, b: Value) -> Result<Value, EvalError> {
    let and = op == Binary::BitAnd;
    if let (Value::Bool(a), Value::Bool(b)) = (a, b) {
        return Ok(Value::Bool(if and { a & b } else { a | b }));
    }
    match (a.number(), b.number()) {
        (Some(Number::Int(a)), Some(Number::Int(b))) => {
            Ok(Value::Int(if and { a & b } else { a | b }))
        }
        _ => Err(types(op, a, b)),
    }
}

fn compare(op: Binary, a: Value, b: Value, texts: &Texts) -> Result<Value, EvalError> {
    let order = match (a, b) {
        // Bytes of UTF-8 are in the order of code points, which is Python's.
        (Value::Text(a), Value::Text(b)) => Some(texts.get(a).cmp(texts.get(b))),
        _ => match (a.number(), b.number()) {
            (Some(a), Some(b)) => number::order(a, b),
            _ => return Err(types(op, a, b)),
        },
    };
    Ok(Value::Bool(order.is_some_and(|order| match op {
        Binary::Less => order.is_lt(),
        Binary::LessEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        _ => order.is_ge(),
    })))
}

fn arithmetic(op: Binary, a: Value, b: Value, texts: &mut Texts) -> Result<Value, EvalError> {
    if let (Some(a), Some(b)) = (a.number(), b.number()) {
        return number::arithmetic(op, a, b).map(Value::from);
    }
    match (op, a, b) {
        (Binary::Add, Value::Text(left), Value::Text(right)) => {
            let both = [texts.get(left), texts.get(right)];
            if both[0].len() + both[1].len() > MAX_TEXT {
                return Err(EvalError::TooLong);
            }
            let joined = both.concat();
            Ok(Value::Text(texts.intern(&joined)))
        }
        (Binary::Multiply, Value::Text(text), times @ (Value::Int(_) | Value::Bool(_)))
        | (Binary::Multiply, times @ (Value::Int(_) | Value::Bool(_)), Value::Text(text)) => {
            let times = match times {
                Value::Int(times) => usize::try_from(times.max(0)).unwrap_or(usize::MAX),
                other => usize::from(other.truth()),
            };
            if texts.get(text).len().saturating_mul(times) > MAX_TEXT {
                return Err(EvalError::TooLong);
            }
            let repeated = texts.get(text).repeat(times);
            Ok(Value::Text(texts.intern(&repeated)))
        }
        _ => Err(types(op, a, b)),
    }
}

/// The texts behind [`Value::Text`]: first those of the model, then those typed and made.
#[derive(Debug, Default)]
pub struct Texts {
    interner: Interner,
    newest: Sym,
    grown: usize,
}

impl Texts {
    /// Holds exactly these, in this order.
    pub fn new<'a>(first: impl IntoIterator<Item = &'a str>) -> Self {
        let mut texts = Self::default();
        for text in first {
            texts.intern(text);
        }
        texts.grown = 0;
        texts
    }

    /// The number of `text`.
    pub fn intern(&mut self, text: &str) -> Sym {
        let sym = self.interner.intern(text);
        if sym > self.newest {
            self.newest = sym;
            self.grown += text.len() + 64;
        }
        sym
    }

    /// The text behind a number.
    pub fn get(&self, sym: Sym) -> &str {
        self.interner.get(sym)
    }

    /// All texts in the order of their numbers, the empty one left out.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        (1..=self.newest.0).map(|n| self.interner.get(Sym(n)))
    }

    /// Is it time to drop texts no longer in use?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.grown > FULL
    }

    /// Starts over with the model's texts and those of the values still in use, whose numbers are put right.
    pub fn compact<'a, 'v>(
        &mut self,
        first: impl IntoIterator<Item = &'a str>,
        in_use: impl IntoIterator<Item = &'v mut Value>,
    ) {
        let mut fresh = Self::new(first);
        for value in in_use {
            if let Value::Text(sym) = value {
                *sym = fresh.intern(self.get(*sym));
            }
        }
        fresh.grown = 0;
        *self = fresh;
    }
}
