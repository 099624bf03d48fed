//! Strings, their escapes, and the keys of objects.

use super::Reader;
use crate::device::sim::fault::Fault;
use std::rc::Rc;

impl Reader<'_> {
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut decoded = String::new();
        while let Some(c) = self.character()? {
            decoded.push(c);
        }
        decoded.shrink_to_fit();
        Ok(decoded)
    }

    pub(super) fn key(&mut self) -> Result<Rc<str>, Fault> {
        let key = self.string()?;
        if let Some(known) = self.keys.get(key.as_str()) {
            return Ok(known.clone());
        }
        let key = Rc::<str>::from(key);
        self.keys.insert(key.clone());
        Ok(key)
    }

    /// The next character of a string, or `None` at its closing quote.
    pub(super) fn character(&mut self) -> Result<Option<char>, Fault> {
        let Some(c) = self.text[self.at..].chars().next() else {
            return Err(self.syntax("a string without an end", "close it with \""));
        };
        if (c as u32) < 0x20 {
            return Err(self.syntax(
                "a control character (a line break?) inside a string",
                "write \\n for a line break, \\t for a tab",
            ));
        }
        self.at += c.len_utf8();
        if c == '"' {
            return Ok(None);
        }
        if c != '\\' {
            return Ok(Some(c));
        }
        let escape = self.peek().unwrap_or(0);
        self.at += 1;
        Ok(Some(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode_escape()?,
            _ => {
                self.at -= 2;
                return Err(self.syntax(
                    "an unknown escape",
                    "write \\\\ for a backslash; \\\" \\/ \\b \\f \\n \\r \\t \\uXXXX are the other escapes",
                ));
            }
        }))
    }

    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let high = self.hex4()?;
        if !(0xd800..0xe000).contains(&high) {
            return Ok(char::from_u32(high).unwrap_or('\u{fffd}'));
        }
        // A pair makes one character; an unpaired half is replaced, as everywhere in this tool.
        if high < 0xdc00 && self.text[self.at..].starts_with("\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            self.at = back;
        }
        Ok('\u{fffd}')
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let code = digits
            .filter(|d| d.iter().all(u8::is_ascii_hexdigit))
            .and_then(|d| std::str::from_utf8(d).ok())
            .and_then(|d| u32::from_str_radix(d, 16).ok());
        match code {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.syntax("\\u without four hexadecimal digits", "write \\u00e4, say")),
        }
    }
}
