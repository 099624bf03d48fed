//! From text to [`Expr`] by precedence climbing.

use super::super::fault::Fault;
use super::lex::{TokenKind, tokens};
use super::{Binary, COMPARISON, Cursor, Expr, Kind, Literal, NOT, SIGN, Unary};

/// `name = value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    /// The global set.
    pub name: String,
    /// Byte offset of the name.
    pub at: usize,
    /// What it becomes.
    pub value: Expr,
}

/// Words of Python that cannot name a global.
const RESERVED: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Can this name a global?
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !RESERVED.contains(&text)
}

/// Reads one expression; `None` if there is only white space, which Ptolemy's converter writes for "no guard".
pub fn expression(text: &str) -> Result<Option<Expr>, Fault> {
    let mut parser = Parser::new(text)?;
    parser.newlines();
    if parser.cursor.kind() == &TokenKind::End {
        return Ok(None);
    }
    let expr = parser.level(1)?;
    parser.newlines();
    match parser.cursor.kind() {
        TokenKind::End => Ok(Some(expr)),
        _ => Err(parser.unexpected()),
    }
}

/// Reads assignments, one per line or several with `;` between them, as Python has it.
pub fn assignments(text: &str) -> Result<Vec<Assignment>, Fault> {
    let mut parser = Parser::new(text)?;
    let mut all = Vec::new();
    loop {
        parser.newlines();
        let at = parser.cursor.at();
        let name = match parser.cursor.kind() {
            TokenKind::End => return Ok(all),
            TokenKind::Name(name) if is_name(name) => (*name).to_owned(),
            _ => {
                return Err(parser.cursor.fault(
                    "a line of `set` starts with the name of a global",
                    "write `name = value`, one on each line or separated by `;`",
                ));
            }
        };
        parser.cursor.step();
        match parser.cursor.kind() {
            TokenKind::Symbol("=") => parser.cursor.step(),
            TokenKind::Symbol(op @ ("+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "&=" | "|=")) => {
                let op = op.trim_end_matches('=');
                let fix = format!("write `{name} = {name} {op} ..`");
                return Err(parser.cursor.fault("assignment in place", &fix));
            }
            TokenKind::Symbol("(" | "[" | ".") => return Err(parser.unexpected()),
            _ => {
                return Err(parser
                    .cursor
                    .fault("`=` is missing", "write `name = value`"));
            }
        }
        let value = parser.level(1)?;
        match parser.cursor.kind() {
            TokenKind::Newline | TokenKind::End => {}
            TokenKind::Symbol(";") => parser.cursor.step(),
            _ => return Err(parser.unexpected()),
        }
        all.push(Assignment { name, at, value });
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, Fault> {
        Ok(Self {
            cursor: Cursor::new(tokens(text)?),
        })
    }

    fn newlines(&mut self) {
        while self.cursor.kind() == &TokenKind::Newline {
            self.cursor.step();
        }
    }

    /// A token that cannot stand here; constructs of Python that models do not have are called by their names.
    fn unexpected(&self) -> Fault {
        let refuse = |what: &str, fix: &str| {
            Fault::new("expression-unsupported", self.cursor.at(), what, fix)
        };
        match self.cursor.kind() {
            TokenKind::Symbol("(") => refuse(
                "a call; guards and sets cannot call anything",
                "use operators over globals only",
            ),
            TokenKind::Symbol(".") => refuse(
                "access to an attribute; values have none here",
                "use a separate global for it",
            ),
            TokenKind::Symbol("[") => refuse("indexing or a list", "use a global for each item"),
            TokenKind::Symbol("{") => refuse("a dictionary or set", "use a global for each item"),
            TokenKind::Symbol(op @ ("**" | "<<" | ">>" | "^" | "~" | "@" | ":=" | "->")) => refuse(
                &format!("`{op}` is not part of the language of models"),
                "it has the operators or and not == != < <= > >= | & + - * / // %",
            ),
            TokenKind::Symbol("=") => refuse("a single `=`", "write `==` to compare"),
            TokenKind::Symbol(";") => refuse(
                "a second statement",
                "a guard is one expression; `;` separates assignments in `set` only",
            ),
            TokenKind::Symbol(",") => refuse("a tuple", "use a global for each item"),
            TokenKind::Name(word @ ("is" | "in")) => refuse(
                &format!("`{word}` is not part of the language of models"),
                "compare with `==`",
            ),
            TokenKind::Name(word @ ("if" | "else" | "lambda" | "for")) => refuse(
                &format!("`{word}` is not part of the language of models"),
                "use `and` and `or`, or several transitions",
            ),
            TokenKind::End | TokenKind::Newline => self
                .cursor
                .fault("the expression ends too early", "complete it"),
            TokenKind::Symbol(")") => self
                .cursor
                .fault("a `)` without its `(`", "remove it or open one"),
            TokenKind::Symbol(other) => self.cursor.fault(
                &format!("`{other}` is not allowed here"),
                "write a value or an operator",
            ),
            TokenKind::Name("not") => self.cursor.fault(
                "`not` is not allowed here",
                "put it and what it negates in parentheses",
            ),
            TokenKind::Name(_) | TokenKind::Int(_) | TokenKind::Float(_) | TokenKind::Text(_) => {
                self.cursor
                    .fault("two values in a row", "an operator is missing between them")
            }
        }
    }

    fn operator(&self) -> Option<Binary> {
        let spelled = match self.cursor.kind() {
            TokenKind::Symbol(symbol) => symbol,
            TokenKind::Name(word @ ("and" | "or")) => word,
            _ => return None,
        };
        Binary::ALL.into_iter().find(|op| op.symbol() == *spelled)
    }

    /// An expression whose operators bind at least as tightly as `least`.
    fn level(&mut self, least: u8) -> Result<Expr, Fault> {
        let mut left = self.prefix(least)?;
        let mut compared = false;
        while let Some(op) = self.operator().filter(|op| op.level() >= least) {
            let at = self.cursor.at();
            let comparison = op.level() == COMPARISON;
            if comparison && compared {
                return Err(Fault::new(
                    "expression-unsupported",
                    at,
                    "chained comparisons",
                    "write `a < b and b < c`; note that `&` binds tighter than `==`, so put each side in parentheses",
                ));
            }
            compared = comparison;
            self.cursor.step();
            let right = self.level(op.level() + 1)?;
            left = Expr {
                at,
                kind: Kind::Binary(op, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    fn prefix(&mut self, least: u8) -> Result<Expr, Fault> {
        let at = self.cursor.at();
        let (op, binds) = match self.cursor.kind() {
            TokenKind::Name("not") if least <= NOT => (Unary::Not, NOT),
            TokenKind::Symbol("-") => (Unary::Minus, SIGN),
            TokenKind::Symbol("+") => (Unary::Plus, SIGN),
            _ => return self.primary(),
        };
        self.cursor.step();
        let operand = self.level(binds)?;
        Ok(Expr {
            at,
            kind: Kind::Unary(op, Box::new(operand)),
        })
    }

    fn primary(&mut self) -> Result<Expr, Fault> {
        let at = self.cursor.at();
        let kind = match self.cursor.kind() {
            TokenKind::Int(value) => Kind::Literal(Literal::Int(*value)),
            TokenKind::Float(value) => Kind::Literal(Literal::Float(*value)),
            TokenKind::Text(text) => Kind::Literal(Literal::Text(text.clone())),
            TokenKind::Name("True") => Kind::Literal(Literal::Bool(true)),
            TokenKind::Name("False") => Kind::Literal(Literal::Bool(false)),
            TokenKind::Name("None") => Kind::Literal(Literal::None),
            TokenKind::Name(name) if is_name(name) => Kind::Name((*name).to_owned()),
            TokenKind::Name("and" | "or") => {
                return Err(self
                    .cursor
                    .fault("a value is missing before this", "write it"));
            }
            TokenKind::Symbol("(") => {
                self.cursor.step();
                let inner = self.level(1)?;
                if self.cursor.kind() != &TokenKind::Symbol(")") {
                    return Err(match self.cursor.kind() {
                        TokenKind::End | TokenKind::Newline => self
                            .cursor
                            .fault("a `(` is never closed", "close it with `)`"),
                        _ => self.unexpected(),
                    });
                }
                self.cursor.step();
                return self.nothing_after(inner);
            }
            _ => return Err(self.unexpected()),
        };
        self.cursor.step();
        self.nothing_after(Expr { at, kind })
    }

    /// A value is not called, indexed or requested attributes.
    fn nothing_after(&self, expr: Expr) -> Result<Expr, Fault> {
        match self.cursor.kind() {
            TokenKind::Symbol("(" | "[" | "." | "{") => Err(self.unexpected()),
            _ => Ok(expr),
        }
    }
}
