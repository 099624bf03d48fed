//! From [`Expr`] back to text, with as few parentheses as keep its meaning.

use super::{COMPARISON, Expr, Kind, Literal, NOT, SIGN, Unary};
use std::fmt;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.spell(&mut |piece, _| text.push_str(piece));
        f.write_str(&text)
    }
}

impl Expr {
    /// Its text piece by piece, each with the offset (`at`) of the part of the expression that it spells.
    pub fn spell(&self, put: &mut dyn FnMut(&str, usize)) {
        write(self, 0, put);
    }
}

/// `least` is the level the surroundings request.
fn write(expr: &Expr, least: u8, put: &mut dyn FnMut(&str, usize)) {
    let level = match &expr.kind {
        Kind::Literal(_) | Kind::Name(_) => u8::MAX,
        Kind::Unary(Unary::Not, _) => NOT,
        Kind::Unary(..) => SIGN,
        Kind::Binary(op, ..) => op.level(),
    };
    if level < least {
        put("(", expr.at);
    }
    match &expr.kind {
        Kind::Literal(literal) => put(&literal.to_string(), expr.at),
        Kind::Name(name) => put(name, expr.at),
        Kind::Unary(op, operand) => {
            let sign = match op {
                Unary::Not => "not ",
                Unary::Minus => "-",
                Unary::Plus => "+",
            };
            put(sign, expr.at);
            write(operand, level, put);
        }
        Kind::Binary(op, left, right) => {
            // Comparisons do not associate; the others group from the left.
            let left_least = if level == COMPARISON {
                level + 1
            } else {
                level
            };
            write(left, left_least, put);
            put(" ", expr.at);
            put(op.symbol(), expr.at);
            put(" ", expr.at);
            write(right, level + 1, put);
        }
    }
    if level < least {
        put(")", expr.at);
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Bool(true) => f.write_str("True"),
            Self::Bool(false) => f.write_str("False"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    match c {
                        '\\' => f.write_str("\\\\")?,
                        '"' => f.write_str("\\\"")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        c if c.is_control() => write!(f, "\\u{:04x}", c as u32)?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}
