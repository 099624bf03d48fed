//! Expressions compiled over slots, and their evaluation.

use super::super::fault::{Fault, nearest};
use super::value::{EvalError, Texts, Value, binary, unary};
use super::{Binary, Expr, INPUT, Kind, Literal, Unary};
use rustc_hash::FxHashMap;

/// A compiled expression: names are slots, literals are values, constant parts are folded.
#[derive(Clone, PartialEq, Debug)]
pub enum Code {
    /// A value.
    Constant(Value),
    /// A global.
    Slot(u32),
    /// The text typed.
    Input,
    /// `not` and signs.
    Unary(Unary, Box<Code>),
    /// Both sides, then the operator.
    Binary(Binary, Box<(Code, Code)>),
    /// A global and a constant, the commonest form.
    WithConstant(Binary, u32, Value),
    /// Two globals.
    WithSlot(Binary, u32, u32),
    /// `and`, `or`: the right side only where the left does not decide.
    Lazy(Binary, Box<(Code, Code)>),
}

/// What names mean where an expression stands.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Slots of the globals by name.
    pub globals: &'a FxHashMap<String, u32>,
    /// Is there a text typed?
    pub input: bool,
}

impl Scope<'_> {
    /// The slot of a global.
    pub fn slot(&self, name: &str, at: usize) -> Result<u32, Fault> {
        self.globals.get(name).copied().ok_or_else(|| {
            let mut known: Vec<&str> = self.globals.keys().map(String::as_str).collect();
            known.sort_unstable();
            Fault::new(
                "unknown-name",
                at,
                format!("no global is named `{name}`"),
                nearest(name, known),
            )
        })
    }
}

/// Resolves names and folds constants; an error a constant part is sure to raise is raised now.
pub fn compile(expr: &Expr, scope: Scope<'_>, texts: &mut Texts) -> Result<Code, Fault> {
    let constant = |result: Result<Value, EvalError>| {
        result.map(Code::Constant).map_err(|error| {
            Fault::new(
                "constant-error",
                expr.at,
                format!("this never has a value: {error}"),
                "correct the constant",
            )
        })
    };
    match &expr.kind {
        Kind::Literal(literal) => Ok(Code::Constant(value(literal, texts))),
        Kind::Name(name) if name == INPUT => {
            if scope.input {
                Ok(Code::Input)
            } else {
                Err(Fault::new(
                    "input-of-a-button",
                    expr.at,
                    format!("`{INPUT}` has a value in transitions of type editText only"),
                    "change the transition to that type, or keep the text in a global",
                ))
            }
        }
        Kind::Name(name) => Ok(Code::Slot(scope.slot(name, expr.at)?)),
        Kind::Unary(op, operand) => match compile(operand, scope, texts)? {
            Code::Constant(operand) => constant(unary(*op, operand)),
            operand => Ok(Code::Unary(*op, Box::new(operand))),
        },
        Kind::Binary(op, left, right) => {
            let left = compile(left, scope, texts)?;
            let lazy = matches!(op, Binary::And | Binary::Or);
            if let (true, Code::Constant(left)) = (lazy, &left)
                && left.truth() == (*op == Binary::Or)
            {
                // The right side is never evaluated, but its names must still exist.
                unfolded(right, scope)?;
                return Ok(Code::Constant(*left));
            }
            if lazy && !matches!(left, Code::Constant(_)) {
                let right = compile(right, scope, texts)?;
                return Ok(Code::Lazy(*op, Box::new((left, right))));
            }
            match (left, compile(right, scope, texts)?) {
                (Code::Constant(left), Code::Constant(right)) => {
                    constant(binary(*op, left, right, texts))
                }
                // True and x: x.
                (Code::Constant(_), right) if lazy => Ok(right),
                (Code::Slot(left), Code::Constant(right)) => {
                    Ok(Code::WithConstant(*op, left, right))
                }
                (Code::Slot(left), Code::Slot(right)) => Ok(Code::WithSlot(*op, left, right)),
                both => Ok(Code::Binary(*op, Box::new(both))),
            }
        }
    }
}

/// Checks names only.
fn unfolded(expr: &Expr, scope: Scope<'_>) -> Result<(), Fault> {
    match &expr.kind {
        Kind::Literal(_) => Ok(()),
        Kind::Name(name) if name == INPUT && scope.input => Ok(()),
        Kind::Name(name) => scope.slot(name, expr.at).map(|_| ()),
        Kind::Unary(_, operand) => unfolded(operand, scope),
        Kind::Binary(_, left, right) => {
            unfolded(left, scope)?;
            unfolded(right, scope)
        }
    }
}

/// The value of a literal.
pub fn value(literal: &Literal, texts: &mut Texts) -> Value {
    match literal {
        Literal::None => Value::None,
        Literal::Bool(b) => Value::Bool(*b),
        Literal::Int(i) => Value::Int(*i),
        Literal::Float(f) => Value::Float(*f),
        Literal::Text(text) => Value::Text(texts.intern(text)),
    }
}

impl Code {
    /// The value over these globals.
    pub fn eval(
        &self,
        globals: &[Value],
        input: Value,
        texts: &mut Texts,
    ) -> Result<Value, EvalError> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Slot(slot) => Ok(globals[*slot as usize]),
            Self::Input => Ok(input),
            Self::Unary(op, operand) => unary(*op, operand.eval(globals, input, texts)?),
            Self::Binary(op, sides) => {
                let left = sides.0.eval(globals, input, texts)?;
                let right = sides.1.eval(globals, input, texts)?;
                binary(*op, left, right, texts)
            }
            Self::WithConstant(op, slot, right) => {
                binary(*op, globals[*slot as usize], *right, texts)
            }
            Self::WithSlot(op, left, right) => {
                let (left, right) = (globals[*left as usize], globals[*right as usize]);
                binary(*op, left, right, texts)
            }
            Self::Lazy(op, sides) => {
                let left = sides.0.eval(globals, input, texts)?;
                if left.truth() == (*op == Binary::Or) {
                    return Ok(left);
                }
                sides.1.eval(globals, input, texts)
            }
        }
    }
}
