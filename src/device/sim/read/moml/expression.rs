//! Ptolemy's expressions as trees, read with Ptolemy's levels, and spelled in the language of models.
//!
//! The levels, loosest first: `||`, `&&`, `|`, `#`, `&`, `== !=`, `< <= > >=`, shifts, `+ -`, `* / %`, `^`; `!` and `-`
//! take the one element that follows. Python, whose levels the language of models has, orders several otherwise.

use super::tokens::tokens;
use crate::device::sim::expr::{
    Assignment, Binary, Code, Cursor, Expr, INPUT, Kind, Literal, Scope, Texts, TokenKind, Unary,
    compile, is_name,
};
use crate::device::sim::fault::Fault;
use rustc_hash::{FxHashMap, FxHashSet};

/// Levels whose operators do not follow one another: equality, relations.
const SINGLE: [u8; 2] = [6, 7];

/// Reads one expression; `None` if there is nothing but white space and comments. Names of `ports` are the text
/// typed.
///
/// # Errors
/// It is not Ptolemy's, or has what models have not; offsets are the text's own.
pub fn expression(text: &str, ports: &FxHashSet<&str>) -> Result<Option<Expr>, Fault> {
    let mut parser = Parser::new(text, ports)?;
    if parser.cursor.kind() == &TokenKind::End {
        return Ok(None);
    }
    let expr = parser.level(1)?;
    match parser.cursor.kind() {
        TokenKind::End => Ok(Some(expr)),
        _ => Err(parser.unexpected()),
    }
}

/// Reads a transition's actions, `name = value` with `;` between them.
///
/// # Errors
/// As [`expression`].
pub fn actions(text: &str, ports: &FxHashSet<&str>) -> Result<Vec<Assignment>, Fault> {
    let mut parser = Parser::new(text, ports)?;
    let mut all = Vec::new();
    loop {
        while parser.cursor.kind() == &TokenKind::Symbol(";") {
            parser.cursor.step();
        }
        let at = parser.cursor.at();
        let name = match parser.cursor.kind() {
            TokenKind::End => return Ok(all),
            TokenKind::Name(name) => (*name).to_owned(),
            _ => {
                let fix = "write `name = value`, separated by `;`";
                return Err(parser
                    .cursor
                    .fault("an action starts with the name of a parameter", fix));
            }
        };
        parser.cursor.step();
        match parser.cursor.kind() {
            TokenKind::Symbol("=") => parser.cursor.step(),
            TokenKind::Symbol("(" | "[" | ".") => return Err(parser.unexpected()),
            _ => {
                return Err(parser
                    .cursor
                    .fault("`=` is missing", "write `name = value`"));
            }
        }
        named(&name, at)?;
        let value = parser.level(1)?;
        if !matches!(
            parser.cursor.kind(),
            TokenKind::End | TokenKind::Symbol(";")
        ) {
            return Err(parser.unexpected());
        }
        all.push(Assignment { name, at, value });
    }
}

/// Does it read the text typed?
pub fn reads(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Literal(_) => false,
        Kind::Name(name) => name == INPUT,
        Kind::Unary(_, operand) => reads(operand),
        Kind::Binary(_, left, right) => reads(left) || reads(right),
    }
}

/// The value of an expression without names; `None` if it has names.
///
/// # Errors
/// It has no value, such as `1 / 0`.
pub fn constant(expr: &Expr) -> Result<Option<Literal>, Fault> {
    if named_part(expr).is_some() {
        return Ok(None);
    }
    let globals = FxHashMap::default();
    let scope = Scope {
        globals: &globals,
        input: false,
    };
    let mut texts = Texts::default();
    Ok(match compile(expr, scope, &mut texts)? {
        Code::Constant(value) => Some(value.literal(&texts)),
        _ => None,
    })
}

/// The first name in an expression.
pub fn named_part(expr: &Expr) -> Option<(&str, usize)> {
    match &expr.kind {
        Kind::Literal(_) => None,
        Kind::Name(name) => Some((name, expr.at)),
        Kind::Unary(_, operand) => named_part(operand),
        Kind::Binary(_, left, right) => named_part(left).or_else(|| named_part(right)),
    }
}

/// Refuses words that are no names in the language of models: they would be read as something else there.
fn named(word: &str, at: usize) -> Result<(), Fault> {
    if is_name(word) && word != INPUT {
        return Ok(());
    }
    Err(Fault::new(
        "unknown-name",
        at,
        format!("`{word}` cannot name a parameter: it is a keyword of the language of models"),
        "rename the parameter; the operators of drawings are `&&`, `||`, `!`",
    ))
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    ports: &'a FxHashSet<&'a str>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, ports: &'a FxHashSet<&'a str>) -> Result<Self, Fault> {
        Ok(Self {
            cursor: Cursor::new(tokens(text)?),
            ports,
        })
    }

    /// A token that cannot stand here; what Ptolemy has and models have not is called by its name.
    fn unexpected(&self) -> Fault {
        let refuse = |what: &str, fix: &str| {
            Fault::new("expression-unsupported", self.cursor.at(), what, fix)
        };
        match self.cursor.kind() {
            TokenKind::Symbol("(") => refuse(
                "a call; guards and actions cannot call anything",
                "use operators over parameters only",
            ),
            TokenKind::Symbol(".") => refuse(
                "access to an attribute or method; values have none here",
                "use a separate parameter for it",
            ),
            TokenKind::Symbol("[" | "{") => {
                refuse("a matrix, array or record", "use a parameter for each item")
            }
            TokenKind::Symbol("?") => refuse(
                "a choice by `?` is not part of the language of models",
                "use `&&` and `||`, or several transitions",
            ),
            TokenKind::Symbol(op @ ("~" | "#" | "^" | "<<" | ">>" | ">>>")) => refuse(
                &format!("`{op}` is not part of the language of models"),
                "it has the operators && || ! == != < <= > >= | & + - * / %",
            ),
            TokenKind::Symbol("=") => refuse("a single `=`", "write `==` to compare"),
            TokenKind::Symbol(";") => refuse(
                "a second statement",
                "a guard and a parameter are one expression; only actions can have `;`",
            ),
            TokenKind::Symbol(",") => refuse("a list", "actions are separated by `;`"),
            TokenKind::End => self
                .cursor
                .fault("the expression ends too early", "complete it"),
            TokenKind::Symbol(")") => self
                .cursor
                .fault("a `)` without its `(`", "remove it or open one"),
            TokenKind::Symbol(other) => self.cursor.fault(
                &format!("`{other}` is not allowed here"),
                "write a value or an operator",
            ),
            _ => self.cursor.fault(
                "two values in a row",
                "an operator is missing between them; between actions, `;`",
            ),
        }
    }

    /// The operator that stands here and its level; without one, it is Ptolemy's alone.
    fn operator(&self) -> Option<(u8, Option<Binary>)> {
        let TokenKind::Symbol(symbol) = self.cursor.kind() else {
            return None;
        };
        Some(match *symbol {
            "||" => (1, Some(Binary::Or)),
            "&&" => (2, Some(Binary::And)),
            "|" => (3, Some(Binary::BitOr)),
            "#" => (4, None),
            "&" => (5, Some(Binary::BitAnd)),
            "==" => (6, Some(Binary::Equal)),
            "!=" => (6, Some(Binary::NotEqual)),
            "<" => (7, Some(Binary::Less)),
            "<=" => (7, Some(Binary::LessEqual)),
            ">" => (7, Some(Binary::Greater)),
            ">=" => (7, Some(Binary::GreaterEqual)),
            "<<" | ">>" | ">>>" => (8, None),
            "+" => (9, Some(Binary::Add)),
            "-" => (9, Some(Binary::Subtract)),
            "*" => (10, Some(Binary::Multiply)),
            "/" => (10, Some(Binary::Divide)),
            "%" => (10, Some(Binary::Modulo)),
            "^" => (11, None),
            _ => return None,
        })
    }

    /// An expression whose operators bind at least as tightly as `least`.
    fn level(&mut self, least: u8) -> Result<Expr, Fault> {
        let mut left = self.unary()?;
        let mut before = 0;
        while let Some((level, op)) = self.operator().filter(|(level, _)| *level >= least) {
            let Some(op) = op else {
                return Err(self.unexpected());
            };
            if level == before && SINGLE.contains(&level) {
                return Err(self.cursor.fault(
                    "a comparison follows a comparison",
                    "put one of them in parentheses, or write `a < b && b < c`",
                ));
            }
            before = level;
            let at = self.cursor.at();
            self.cursor.step();
            let right = self.level(level + 1)?;
            left = binary(op, at, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Fault> {
        let at = self.cursor.at();
        let op = match self.cursor.kind() {
            TokenKind::Symbol("!") => Unary::Not,
            TokenKind::Symbol("-") => Unary::Minus,
            _ => return self.element(),
        };
        self.cursor.step();
        let kind = Kind::Unary(op, Box::new(self.unary()?));
        Ok(Expr { at, kind })
    }

    fn element(&mut self) -> Result<Expr, Fault> {
        let at = self.cursor.at();
        let kind = match self.cursor.kind() {
            TokenKind::Int(value) => Kind::Literal(Literal::Int(*value)),
            TokenKind::Float(value) => Kind::Literal(Literal::Float(*value)),
            TokenKind::Text(text) => Kind::Literal(Literal::Text(text.clone())),
            TokenKind::Name("true" | "True" | "TRUE") => Kind::Literal(Literal::Bool(true)),
            TokenKind::Name("false" | "False" | "FALSE") => Kind::Literal(Literal::Bool(false)),
            TokenKind::Name("nil") => Kind::Literal(Literal::None),
            TokenKind::Name(port) if self.ports.contains(port) => Kind::Name(INPUT.to_owned()),
            TokenKind::Name(name) => {
                named(name, at)?;
                Kind::Name((*name).to_owned())
            }
            TokenKind::Symbol("(") => {
                self.cursor.step();
                let inner = self.level(1)?;
                match self.cursor.kind() {
                    TokenKind::Symbol(")") => self.cursor.step(),
                    TokenKind::End => {
                        return Err(self
                            .cursor
                            .fault("a `(` is never closed", "close it with `)`"));
                    }
                    _ => return Err(self.unexpected()),
                }
                return self.nothing_after(inner);
            }
            _ => return Err(self.unexpected()),
        };
        self.cursor.step();
        self.nothing_after(Expr { at, kind })
    }

    /// A value is not called or requested attributes.
    fn nothing_after(&self, expr: Expr) -> Result<Expr, Fault> {
        match self.cursor.kind() {
            TokenKind::Symbol("(" | "." | "[" | "{") => Err(self.unexpected()),
            _ => Ok(expr),
        }
    }
}

/// Both sides and their operator. Whole numbers divide without a rest in Ptolemy, and not so in models: such divisions
/// of constants are computed here, and others refused unless one side is sure to be a float.
fn binary(op: Binary, at: usize, left: Expr, right: Expr) -> Result<Expr, Fault> {
    if matches!(op, Binary::Divide | Binary::Modulo) {
        let whole = match (constant(&left), constant(&right)) {
            (Ok(Some(Literal::Int(a))), Ok(Some(Literal::Int(b)))) => Some((a, b)),
            _ => None,
        };
        let quotient = whole.and_then(|(a, b)| match op {
            Binary::Divide => a.checked_div(b),
            _ => a.checked_rem(b),
        });
        if let Some(value) = quotient.filter(|value| *value != i64::MIN) {
            let kind = Kind::Literal(Literal::Int(value.abs()));
            let kind = match value {
                0.. => kind,
                _ => Kind::Unary(Unary::Minus, Box::new(Expr { at, kind })),
            };
            return Ok(Expr { at, kind });
        }
        let known = whole.is_some() || fractional(&left) || fractional(&right);
        if op == Binary::Divide && !known {
            return Err(Fault::new(
                "expression-unsupported",
                at,
                "a division of two whole numbers, which drops the remainder here but not in models",
                "write one side as a float, such as `x / 2.0`",
            ));
        }
    }
    let kind = Kind::Binary(op, Box::new(left), Box::new(right));
    Ok(Expr { at, kind })
}

/// Is its value a float, whatever its names mean?
fn fractional(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Literal(literal) => matches!(literal, Literal::Float(_)),
        Kind::Name(_) => false,
        Kind::Unary(op, operand) => *op != Unary::Not && fractional(operand),
        Kind::Binary(
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo,
            left,
            right,
        ) => fractional(left) || fractional(right),
        Kind::Binary(..) => false,
    }
}
