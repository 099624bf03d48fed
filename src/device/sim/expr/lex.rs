//! Tokens of an expression.

use super::super::fault::Fault;
use super::MAX_TOKENS;

/// One token and where it starts.
#[derive(Clone, PartialEq, Debug)]
pub struct Token<'a> {
    /// Byte offset.
    pub at: usize,
    /// What it is.
    pub kind: TokenKind<'a>,
}

/// Kinds of tokens.
#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind<'a> {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string, escapes resolved.
    Text(String),
    /// A name or a word of the language.
    Name(&'a str),
    /// Anything else that is written with signs, known to us or not.
    Symbol(&'static str),
    /// The end of a line outside parentheses.
    Newline,
    /// The end of the text.
    End,
}

/// Longest first. Those the parser does not know are here to be refused by name.
const SYMBOLS: [&str; 44] = [
    "**=", "//=", "<<=", ">>=", "==", "!=", "<=", ">=", "//", "**", "<<", ">>", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", ":=", "->", "<", ">", "=", "+", "-", "*", "/", "%", "&", "|",
    "^", "~", "(", ")", "[", "]", "{", "}", ".", ",", ":", ";",
];

/// Splits a text into tokens; the last one is always [`TokenKind::End`].
///
/// A line (or what is between two `;`) of more than [`MAX_TOKENS`] is refused: walking its tree could exhaust the stack.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut line = 0;
    let mut at = 0;
    let mut open = 0_usize;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = match c {
            ' ' | '\t' | '\r' => {
                at += 1;
                continue;
            }
            '\n' if open > 0 => {
                at += 1;
                continue;
            }
            '\n' => (TokenKind::Newline, 1),
            '\'' | '"' => {
                let (text, len) = string(rest, at)?;
                (TokenKind::Text(text), len)
            }
            '0'..='9' => number(rest, at)?,
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(rest, at)?,
            c if c.is_alphabetic() || c == '_' => {
                let len = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                (TokenKind::Name(&rest[..len]), len)
            }
            _ => match SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
                Some(symbol) => {
                    match *symbol {
                        "(" => open += 1,
                        ")" => open = open.saturating_sub(1),
                        _ => {}
                    }
                    (TokenKind::Symbol(symbol), symbol.len())
                }
                None => return Err(unknown(c, at)),
            },
        };
        let ends_line = matches!(kind, TokenKind::Newline | TokenKind::Symbol(";"));
        tokens.push(Token { at, kind });
        if ends_line {
            line = tokens.len();
        } else if tokens.len() - line > MAX_TOKENS {
            return Err(Fault::new(
                "expression-length",
                tokens[line].at,
                format!("an expression of more than {MAX_TOKENS} parts"),
                "split it over several transitions or globals",
            ));
        }
        at += len;
    }
    tokens.push(Token {
        at: text.len(),
        kind: TokenKind::End,
    });
    Ok(tokens)
}

fn unknown(c: char, at: usize) -> Fault {
    let fix = match c {
        '#' => "comments are not read here; put them in `meta`",
        '!' => "write `not`, or `!=`",
        _ => "remove it",
    };
    Fault::new(
        "expression-syntax",
        at,
        format!("`{}` has no meaning here", c.escape_debug()),
        fix,
    )
}

fn number(rest: &str, at: usize) -> Result<(TokenKind<'static>, usize), Fault> {
    let bytes = rest.as_bytes();
    let digits = |mut i: usize| {
        while bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        i
    };
    let mut len = digits(0);
    let mut float = false;
    if bytes.get(len) == Some(&b'.') {
        float = true;
        len = digits(len + 1);
    }
    if matches!(bytes.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        let end = digits(len + 1 + sign);
        if end > len + 1 + sign {
            float = true;
            len = end;
        }
    }
    let spelled = &rest[..len];
    let fault = |what: String, fix: &str| Err(Fault::new("expression-number", at, what, fix));
    if rest[len..].starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return fault(
            format!("`{spelled}` is not separated from the text that follows it"),
            "write decimal digits, and a space after the number",
        );
    }
    if float {
        return match spelled.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok((TokenKind::Float(value), len)),
            _ => fault(
                format!("`{spelled}` is too large for a float"),
                "use a number below 1.7e308",
            ),
        };
    }
    if len > 1 && bytes[0] == b'0' && bytes[..len].iter().any(|&b| b != b'0') {
        return fault(
            format!("`{spelled}` starts with a zero"),
            "Python refuses that too; remove the zeros",
        );
    }
    match spelled.parse() {
        Ok(value) => Ok((TokenKind::Int(value), len)),
        Err(_) => fault(
            format!("`{spelled}` does not fit 64 bits"),
            "use a number below 2^63",
        ),
    }
}

fn string(rest: &str, at: usize) -> Result<(String, usize), Fault> {
    let fault = |offset: usize, what: &str, fix: &str| {
        Err(Fault::new("expression-string", at + offset, what, fix))
    };
    let quote = rest.chars().next().unwrap_or('"');
    let triple = [quote; 3].iter().collect::<String>();
    if rest.starts_with(&triple) {
        return fault(
            0,
            "a string with triple quotes",
            "use single or double quotes",
        );
    }
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '\n' => break,
            '\\' => {
                let escaped = match rest[i + 1..].chars().next() {
                    Some(known @ ('\\' | '\'' | '"')) => Some((known, 1)),
                    Some('n') => Some(('\n', 1)),
                    Some('r') => Some(('\r', 1)),
                    Some('t') => Some(('\t', 1)),
                    Some(kind @ ('x' | 'u' | 'U')) => {
                        let digits = match kind {
                            'x' => 2,
                            'u' => 4,
                            _ => 8,
                        };
                        let mut hex = rest[i + 2..].chars();
                        let mut value = 0_u32;
                        let mut ok = true;
                        for _ in 0..digits {
                            match hex.next().and_then(|c| c.to_digit(16)) {
                                Some(digit) => value = value.wrapping_mul(16) + digit,
                                None => ok = false,
                            }
                        }
                        char::from_u32(value)
                            .filter(|_| ok)
                            .map(|c| (c, 1 + digits))
                    }
                    _ => None,
                };
                let Some((c, taken)) = escaped else {
                    return fault(
                        i,
                        "an unknown escape in a string",
                        "write \\\\ for a backslash; \\' \\\" \\n \\r \\t \\xNN \\uNNNN are the other escapes",
                    );
                };
                text.push(c);
                for _ in 0..taken {
                    chars.next();
                }
            }
            c if c == quote => return Ok((text, i + c.len_utf8())),
            c => text.push(c),
        }
    }
    fault(0, "a string without an end", "close it with its quote")
}
