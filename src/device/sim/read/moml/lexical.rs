//! A drawing's text below its elements: nesting, places of attributes' bytes.

use crate::device::sim::fault::Fault;

/// Elements nested deeper are no drawing; it bounds the parser's recursion.
const DEEPEST: usize = 64;
/// `=` in an element at most, those in its values included: the parser holds each attribute against all others.
const MOST_ATTRIBUTES: usize = 1_000;

/// Refuses nesting that a recursive parser could not bear, and elements with more attributes than it can read in time.
pub fn shallow(text: &str) -> Result<(), Fault> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(found) = bytes[at..].iter().position(|&b| b == b'<') {
        let open = at + found;
        let rest = &text[open..];
        let end = |mark: &str| {
            rest.find(mark)
                .map_or(text.len(), |n| open + n + mark.len())
        };
        at = match rest.as_bytes().get(1) {
            Some(b'!') if rest.starts_with("<!--") => end("-->"),
            Some(b'!') if rest.starts_with("<![CDATA[") => end("]]>"),
            Some(b'!' | b'?') => end(">"),
            Some(b'/') => {
                depth = depth.saturating_sub(1);
                end(">")
            }
            _ => {
                let close = tag_end(bytes, open);
                if bytes[open..close].iter().filter(|&&b| b == b'=').count() > MOST_ATTRIBUTES {
                    return Err(Fault::new(
                        "xml-attributes",
                        open,
                        format!("an element with more than {MOST_ATTRIBUTES} attributes"),
                        "a drawing's elements have about five; check that this is one",
                    ));
                }
                depth += usize::from(close < 2 || bytes.get(close - 2) != Some(&b'/'));
                close
            }
        };
        if depth > DEEPEST {
            return Err(Fault::new(
                "xml-depth",
                open,
                format!("nested more than {DEEPEST} levels deep"),
                "drawings need about ten levels; check that this is one",
            ));
        }
    }
    Ok(())
}

/// Behind the `>` of the tag that opens here, `>` in quotes left aside.
fn tag_end(bytes: &[u8], open: usize) -> usize {
    let mut quote = None;
    for (ix, &byte) in bytes.iter().enumerate().skip(open) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(q), b) if q == b => quote = None,
            (None, b'>') => return ix + 1,
            _ => {}
        }
    }
    bytes.len()
}

/// The offset of a row and column, both from 1.
pub fn offset(text: &str, row: u32, column: u32) -> usize {
    let line = text
        .split_inclusive('\n')
        .take(row.saturating_sub(1) as usize)
        .map(str::len)
        .sum::<usize>();
    let rest = text.get(line..).unwrap_or_default();
    let within = rest
        .chars()
        .take(column.saturating_sub(1) as usize)
        .map(char::len_utf8);
    line + within.sum::<usize>()
}

/// Where each byte of a decoded attribute is in the file, and behind them its end.
pub fn places(text: &str, at: usize, decoded: &str) -> Vec<usize> {
    let mut places = Vec::with_capacity(decoded.len() + 1);
    let mut from = at;
    for c in decoded.chars() {
        places.extend(std::iter::repeat_n(from, c.len_utf8()));
        let raw = text.get(from..).unwrap_or_default();
        from += match raw.as_bytes().first() {
            Some(b'&') => raw.find(';').map_or(1, |end| end + 1),
            // A carriage return and its line feed are read as one character.
            Some(b'\r') if raw.as_bytes().get(1) == Some(&b'\n') => 2,
            _ => raw.chars().next().map_or(1, char::len_utf8),
        };
    }
    places.push(from);
    places
}
