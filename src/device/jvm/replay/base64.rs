//! Base64 as HAR files use it: the standard alphabet, with or without padding.

/// The bytes of a text; `None`: it is no base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches(['=', '\n', '\r', ' ']);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.bytes().filter(|b| !b.is_ascii_whitespace()) {
        bits = bits << 6 | u32::from(value(letter)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    // A single letter of six bits is no byte.
    (count < 6).then_some(bytes)
}

const fn value(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn the_published_values_are_read() {
        let pairs = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9v\nYmFy\n", "foobar"),
        ];
        for (text, bytes) in pairs {
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode("Z"), None);
        assert_eq!(decode("Zm9v!"), None);
    }
}
