//! Tokens of Ptolemy's expressions: its numbers, texts with their escapes, comments, signs.

use crate::device::sim::expr::{MAX_TOKENS, Token, TokenKind};
use crate::device::sim::fault::Fault;

/// Longest first.
const SYMBOLS: [&str; 34] = [
    ">>>", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "^", "&", "|",
    "#", "<", ">", "=", "!", "~", "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", ";",
];

/// Splits a text into tokens; the last one is always [`TokenKind::End`], and there is no [`TokenKind::Newline`].
///
/// # Errors
/// What is between two `;` is longer than [`MAX_TOKENS`] (walking its tree could exhaust the stack), or a number,
/// text or sign is none of Ptolemy's. Offsets are the text's own.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let (mut statement, mut at) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = match c {
            ' ' | '\t' | '\r' | '\n' => {
                at += 1;
                continue;
            }
            '/' if rest.starts_with("//") => {
                at += rest.find(['\n', '\r']).unwrap_or(rest.len());
                continue;
            }
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").ok_or_else(|| {
                    let what = "a comment without an end";
                    Fault::new("expression-syntax", at, what, "close it with `*/`")
                })?;
                at += end + 4;
                continue;
            }
            '"' | '\'' => string(rest, c, at)?,
            '0'..='9' => number(rest, at)?,
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(rest, at)?,
            c if c.is_alphabetic() || c == '_' => {
                let word = word(rest);
                (TokenKind::Name(word), word.len())
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (TokenKind::Symbol(symbol), symbol.len()),
                None => {
                    let what = format!("`{}` has no meaning here", c.escape_debug());
                    return Err(Fault::new("expression-syntax", at, what, "remove it"));
                }
            },
        };
        let ends = kind == TokenKind::Symbol(";");
        tokens.push(Token { at, kind });
        if ends {
            statement = tokens.len();
        } else if tokens.len() - statement > MAX_TOKENS {
            return Err(Fault::new(
                "expression-length",
                tokens[statement].at,
                format!("an expression of more than {MAX_TOKENS} parts"),
                "split it over several transitions or parameters",
            ));
        }
        at += len;
    }
    let kind = TokenKind::End;
    let at = text.len();
    tokens.push(Token { at, kind });
    Ok(tokens)
}

/// The letters, digits and `_` that a text starts with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}

/// `012` is octal, `0xa` hexadecimal, `3L` an integer, `3d` and `3f` are floats.
fn number(rest: &str, at: usize) -> Result<(TokenKind<'static>, usize), Fault> {
    let bytes = rest.as_bytes();
    let run = |from: usize, radix: u32| {
        let digits = bytes.iter().skip(from);
        from + digits
            .take_while(|b| char::from(**b).is_digit(radix))
            .count()
    };
    let fault =
        |what: String, fix: &str| Err(Fault::new("expression-number", at, what, fix.to_owned()));
    let hex = bytes[0] == b'0' && matches!(bytes.get(1), Some(b'x' | b'X'));
    let mut end = if hex { run(2, 16) } else { run(0, 10) };
    let mut float = false;
    if !hex && bytes.get(end) == Some(&b'.') && run(end + 1, 10) > end + 1 {
        float = true;
        end = run(end + 1, 10);
    }
    if !hex && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let digits = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if run(digits, 10) > digits {
            float = true;
            end = run(digits, 10);
        }
    }
    let spelled = &rest[..end];
    let suffix = word(&rest[end..]);
    let len = end + suffix.len();
    match suffix {
        "" => {}
        "l" | "L" if !float => {}
        "f" | "F" | "d" | "D" if !hex => float = true,
        _ => {
            let what = format!("`{}` is not a number that models can have", &rest[..len]);
            return fault(
                what,
                "write a whole number, or a number with a decimal point",
            );
        }
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
    let (digits, radix) = match spelled.strip_prefix('0') {
        Some(_) if hex => (&spelled[2..], 16),
        Some(digits) if !digits.is_empty() => (digits, 8),
        _ => (spelled, 10),
    };
    match i64::from_str_radix(digits, radix) {
        Ok(value) => Ok((TokenKind::Int(value), len)),
        Err(_) if digits.chars().any(|c| !c.is_digit(radix)) => fault(
            format!("`{spelled}` begins with a zero, which makes it octal"),
            "remove the zeros, or use the digits 0 to 7",
        ),
        Err(_) => fault(
            format!("`{spelled}` is not an integer of 64 bits"),
            "use a number below 2^63",
        ),
    }
}

/// A text in its quotes, escapes resolved.
fn string(rest: &str, quote: char, at: usize) -> Result<(TokenKind<'static>, usize), Fault> {
    let fault = |offset: usize, what: &str, fix: &str| {
        Err(Fault::new("expression-string", at + offset, what, fix))
    };
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((ix, c)) = chars.next() {
        if c == quote {
            return Ok((TokenKind::Text(text), ix + 1));
        }
        if c != '\\' {
            text.push(c);
            continue;
        }
        let resolved = match chars.next().map(|(_, escaped)| escaped) {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some(same @ ('\\' | '\'' | '"')) => Some(same),
            Some(first @ '0'..='7') => {
                let mut code = first.to_digit(8).unwrap_or_default();
                while let Some(digit) = chars.peek().and_then(|(_, next)| next.to_digit(8)) {
                    code = code.saturating_mul(8).saturating_add(digit);
                    chars.next();
                }
                char::from_u32(code)
            }
            _ => None,
        };
        match resolved {
            Some(c) => text.push(c),
            None => {
                return fault(
                    ix,
                    "an unknown escape in a text",
                    "write \\\\ for a backslash; \\\" \\' \\n \\t \\r \\b \\f and octal \\101 are the other escapes",
                );
            }
        }
    }
    fault(0, "a text without an end", "close it with its quote")
}
