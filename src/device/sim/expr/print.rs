//! From [`Expr`] back to text, with as few parentheses as keep its meaning.

use super::{COMPARISON, Expr, Kind, Literal, NOT, SIGN, Unary};
use std::fmt;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, 0, f)
    }
}

/// `least` is the level the surroundings ask for.
fn write(expr: &Expr, least: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let level = match &expr.kind {
        Kind::Literal(_) | Kind::Name(_) => u8::MAX,
        Kind::Unary(Unary::Not, _) => NOT,
        Kind::Unary(..) => SIGN,
        Kind::Binary(op, ..) => op.level(),
    };
    if level < least {
        f.write_str("(")?;
    }
    match &expr.kind {
        Kind::Literal(literal) => write!(f, "{literal}")?,
        Kind::Name(name) => f.write_str(name)?,
        Kind::Unary(op, operand) => {
            f.write_str(match op {
                Unary::Not => "not ",
                Unary::Minus => "-",
                Unary::Plus => "+",
            })?;
            write(operand, level, f)?;
        }
        Kind::Binary(op, left, right) => {
            // Comparisons do not associate; the others group from the left.
            let left_least = if level == COMPARISON {
                level + 1
            } else {
                level
            };
            write(left, left_least, f)?;
            write!(f, " {} ", op.symbol())?;
            write(right, level + 1, f)?;
        }
    }
    if level < least {
        f.write_str(")")?;
    }
    Ok(())
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
