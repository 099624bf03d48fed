//! A text as the numbers of its bytes.

use super::spelling::byte_hex;

/// The length of what writes these bytes as numbers at the start of the text: in hexadecimal with any sign between them
/// (`68:75`, `0x68, 0x75`), or in decimal as Java shows an array (`104, 117`).
pub fn whole(text: &[u8], bytes: &[u8]) -> Option<usize> {
    // Most of a text is no number.
    if !text.first()?.is_ascii_hexdigit() && text[0] != b'-' {
        return None;
    }
    in_hex(text, bytes).or_else(|| in_decimal(text, bytes))
}

/// Bytes of the longest form of a number, with what stands before it.
pub const LONGEST: usize = 8;

fn in_hex(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for (ix, byte) in bytes.iter().enumerate() {
        if ix > 0 {
            at += between(&text[at..]);
        }
        let marked = text[at..].starts_with(b"0x") || text[at..].starts_with(b"0X");
        at += 2 * usize::from(marked);
        at += byte_hex(&text[at..], *byte)?;
    }
    Some(at)
}

/// How much of a text separates two numbers.
fn between(text: &[u8]) -> usize {
    let is_sign = |c: &&u8| b" ,:;-_|\t\r\n".contains(c);
    text.iter().take(3).take_while(is_sign).count()
}

fn in_decimal(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for (ix, byte) in bytes.iter().enumerate() {
        if ix > 0 {
            let sign = text[at..]
                .iter()
                .position(|c| c.is_ascii_digit() || *c == b'-')?;
            at += (1..=3).contains(&sign).then_some(sign)?;
        }
        let signed = usize::from(text.get(at) == Some(&b'-'));
        let digits = text[at + signed..].iter().take(4);
        let digits = digits.take_while(|c| c.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[at..at + signed + digits]).ok()?;
        let number: i32 = number.parse().ok()?;
        #[allow(clippy::cast_possible_wrap)] // Java's bytes have a sign.
        let is_same = number == i32::from(*byte) || number == i32::from(*byte as i8);
        at += is_same.then_some(signed + digits)?;
    }
    Some(at)
}
