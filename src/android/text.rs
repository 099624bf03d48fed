//! Bytes to text: what shells, editors and Windows consoles do to a file on its way.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What colours the lines of a terminal, and of `logcat -v color`.
static COLOUR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[\d;]*m").expect("a valid pattern"));

/// The text behind the bytes. UTF-16 is recognised by its mark, or by every other byte being 0 (a mark lost by
/// cutting); anything else is UTF-8, with U+FFFD where it is not. A declaration inside the text is not believed:
/// PowerShell writes UTF-16 around a header that says UTF-8. Colours are taken out.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = decode_coloured(bytes);
    if text.contains("\x1b[") {
        Cow::Owned(COLOUR.replace_all(&text, "").into_owned())
    } else {
        text
    }
}

fn decode_coloured(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ if zeros(bytes, 1) => Cow::Owned(utf16(bytes, u16::from_le_bytes)),
        _ if zeros(bytes, 0) => Cow::Owned(utf16(bytes, u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// Are the first characters' bytes at these places (0 or 1 of each pair) all 0, and the others not?
fn zeros(bytes: &[u8], place: usize) -> bool {
    let pairs: Vec<_> = bytes.chunks_exact(2).take(16).collect();
    pairs.len() >= 4 && pairs.iter().all(|p| p[place] == 0 && p[1 - place] != 0)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The lines with their numbers from 1, without line ends of any kind (`\r\r\n` comes from old `adb shell`).
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .enumerate()
        .map(|(ix, line)| (ix + 1, line.trim_end_matches('\r')))
}

/// How far a line is indented, in characters.
pub fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn utf16_is_read_with_and_without_its_mark() {
        let mut marked = vec![0xff, 0xfe];
        marked.extend(wide("<é😀>"));
        assert_eq!(decode(&marked), "<é😀>");
        assert_eq!(decode(&wide("<hierarchy/>")), "<hierarchy/>");
    }

    #[test]
    fn broken_text_is_read_as_far_as_it_goes() {
        assert_eq!(decode(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(decode(b"\xef\xbb\xbfa"), "a");
        assert_eq!(decode(b"\xff\xfea"), "");
    }

    #[test]
    fn colours_are_taken_out() {
        assert_eq!(decode(b"\x1b[38;5;196mE/a: b\x1b[0m\n"), "E/a: b\n");
    }

    #[test]
    fn every_kind_of_line_end_is_taken_off() {
        let found: Vec<_> = lines("a\r\r\nb\r\n\nc").collect();
        assert_eq!(found, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
    }
}
