//! How programs spell a text: each letter as it is, or as addresses, JSON, HTML or a shell write it. One text may mix
//! them.

/// The length of what spells all of the secret at the start of the text, the longest where there are several.
pub fn whole(text: &[u8], secret: &[char]) -> Option<usize> {
    let first = *text.first()?;
    let letter = secret.first()?;
    let plain = letter.encode_utf8(&mut [0; 4]).as_bytes()[0];
    // Most of a text starts no secret.
    if first != plain && !matches!(first, b'%' | b'\\' | b'&' | b'+') {
        return None;
    }
    beginnings(text, secret)
        .nth(secret.len() - 1)?
        .into_iter()
        .max()
}

/// After each letter of the secret, where in the text it may end. Ends with the letters that are there.
pub fn beginnings<'a>(text: &'a [u8], secret: &'a [char]) -> impl Iterator<Item = Vec<usize>> + 'a {
    let mut places = vec![0];
    secret.iter().map_while(move |&letter| {
        let mut next = Vec::new();
        for &at in &places {
            next.extend(spelled(&text[at..], letter).map(|length| at + length));
        }
        next.sort_unstable();
        next.dedup();
        places.clone_from(&next);
        (!next.is_empty()).then_some(next)
    })
}

/// Was the text cut off here, perhaps within a letter?
pub fn is_cut(rest: &str) -> bool {
    let Some((before, _)) = rest.split_once('…') else {
        return false;
    };
    let inner = |c: char| c.is_ascii_alphanumeric() || "%\\&#'".contains(c);
    before.is_empty()
        || before.starts_with(['%', '\\', '&', '\''])
            && before.len() < 12
            && before.chars().all(inner)
}

/// The lengths of what spells this letter at the start of the text.
fn spelled(text: &[u8], letter: char) -> impl Iterator<Item = usize> {
    let mut own = [0; 4];
    let own = letter.encode_utf8(&mut own).as_bytes();
    let plain = text.starts_with(own).then_some(own.len());
    let others = match text.first() {
        Some(b'%') => [percent(text, own), blank(text, letter)],
        Some(b'+') => [blank(text, letter), None],
        Some(b'\\') => [short_escape(text, letter), long_escape(text, letter)],
        Some(b'&') => [entity(text, letter), None],
        Some(b'\'') => [
            // A quote within quotes of a shell.
            (letter == '\'' && text.starts_with(b"'\\''")).then_some(4),
            None,
        ],
        _ => [None, None],
    };
    others.into_iter().chain([plain]).flatten()
}

/// `%C3%A9`.
fn percent(text: &[u8], own: &[u8]) -> Option<usize> {
    for (ix, byte) in own.iter().enumerate() {
        let part = text.get(3 * ix..3 * ix + 3)?;
        (part[0] == b'%' && hex(&part[1..]) == Some(u32::from(*byte))).then_some(())?;
    }
    Some(3 * own.len())
}

/// `+` in forms, `%s` for `input text`.
fn blank(text: &[u8], letter: char) -> Option<usize> {
    match text {
        _ if letter != ' ' => None,
        [b'+', ..] => Some(1),
        [b'%', b's', ..] => Some(2),
        _ => None,
    }
}

/// `\"`, `\n`.
fn short_escape(text: &[u8], letter: char) -> Option<usize> {
    let reported = match text.get(1)? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        &other if other.is_ascii_punctuation() || other == b' ' => char::from(other),
        _ => return None,
    };
    (reported == letter).then_some(2)
}

/// `\u00e9`, two of them beyond the first 65,536 letters.
fn long_escape(text: &[u8], letter: char) -> Option<usize> {
    let mut units = [0; 2];
    let units = letter.encode_utf16(&mut units);
    for (ix, unit) in units.iter().enumerate() {
        let part = text.get(6 * ix..6 * ix + 6)?;
        (part.starts_with(b"\\u") && hex(&part[2..]) == Some(u32::from(*unit))).then_some(())?;
    }
    Some(6 * units.len())
}

/// `&amp;`, `&#38;`, `&#x26;`.
fn entity(text: &[u8], letter: char) -> Option<usize> {
    let end = text.iter().take(12).position(|byte| *byte == b';')?;
    let reported = match &text[1..end] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        b"nbsp" => ' ',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(hex(digits)?)?,
        [b'#', digits @ ..] => {
            let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
            char::from_u32(number)?
        }
        _ => return None,
    };
    (reported == letter).then_some(end + 1)
}

fn hex(digits: &[u8]) -> Option<u32> {
    let all = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| all)?;
    u32::from_str_radix(text, 16).ok()
}
