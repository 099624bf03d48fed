//! How programs spell a text: each letter as it is, in capitals or not, or as addresses, JSON, HTML, mails, programs or a
//! shell write it, and each of these within another. One text may mix them.

use std::sync::LazyLock;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// A text: in capitals or not.
    Text,
    /// Base64: letter by letter, and it may go on in the next line.
    Packed,
}

impl How {
    /// The letters that count as this one.
    fn variants(self, letter: char) -> impl Iterator<Item = char> {
        let one = |mut folded: Box<dyn Iterator<Item = char>>| {
            let first = folded.next().filter(|_| folded.next().is_none());
            first.filter(|c| *c != letter && self == Self::Text)
        };
        let lower = one(Box::new(letter.to_lowercase()));
        let upper = one(Box::new(letter.to_uppercase()));
        [Some(letter), lower, upper].into_iter().flatten()
    }

    /// Lengths of what may stand before a letter that is not the first.
    fn breaks(self, text: &[u8]) -> impl Iterator<Item = usize> {
        let breaks: &[&[u8]] = match self {
            Self::Text => &[],
            Self::Packed => &[b"\n", b"\r\n", b"\n ", b"\r\n ", b"\\n", b"\\r\\n"],
        };
        let there = breaks.iter().filter(move |it| text.starts_with(it));
        std::iter::once(0).chain(there.map(|it| it.len()))
    }
}

/// The length of what spells all of the secret at the start of the text, the longest where there are several.
pub fn whole(text: &[u8], secret: &[char], how: How) -> Option<usize> {
    let first = *text.first()?;
    let letter = *secret.first()?;
    let starts = |c: char| first == c.encode_utf8(&mut [0; 4]).as_bytes()[0];
    // Most of a text starts no secret, and a letter takes a byte at least.
    if text.len() < secret.len() {
        return None;
    }
    if !is_mark(first) && first != b'+' && !how.variants(letter).any(starts) {
        return None;
    }
    beginnings(text, secret, how)
        .nth(secret.len() - 1)?
        .into_iter()
        .max()
}

/// What an escape begins with.
const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'%' | b'\\' | b'&' | b'=' | b'\'')
}

/// After each letter of the secret, where in the text it may end. Ends with the letters that are there.
pub fn beginnings<'a>(
    text: &'a [u8],
    secret: &'a [char],
    how: How,
) -> impl Iterator<Item = Vec<usize>> + 'a {
    let mut places = vec![0];
    secret.iter().enumerate().map_while(move |(ix, &letter)| {
        let mut next = Vec::new();
        for &at in &places {
            for gap in how.breaks(&text[at..]).take(if ix == 0 { 1 } else { 9 }) {
                let at = at + gap;
                next.extend(spelled(&text[at..], letter, how).map(|length| at + length));
            }
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
    let inner = |c: char| c.is_ascii_alphanumeric() || "%\\&#'{=".contains(c);
    before.is_empty()
        || before.starts_with(['%', '\\', '&', '\'', '='])
            && before.len() < 12
            && before.chars().all(inner)
}

/// The lengths of what spells this letter at the start of the text.
fn spelled(text: &[u8], letter: char, how: How) -> impl Iterator<Item = usize> {
    let mut ends = Vec::new();
    for letter in how.variants(letter) {
        let mut own = [0; 4];
        let own = letter.encode_utf8(&mut own).as_bytes();
        ends.extend(text.starts_with(own).then_some(own.len()));
        escapes(text, letter, &mut ends);
    }
    ends.into_iter()
}

/// The same of what escapes it.
fn escapes(text: &[u8], letter: char, ends: &mut Vec<usize>) {
    let Some(&first) = text.first() else { return };
    if letter == ' ' {
        // In forms, and in Android's `input text`.
        ends.extend((first == b'+').then_some(1));
        ends.extend(text.starts_with(b"%s").then_some(2));
    }
    if !is_mark(first) {
        return;
    }
    if letter == '\'' {
        // A quote within quotes of a shell.
        ends.extend(text.starts_with(b"'\\''").then_some(4));
        ends.extend(text.starts_with(b"'\"'\"'").then_some(5));
    }
    let mut own = [0; 4];
    let own = letter.encode_utf8(&mut own).as_bytes();
    let mut units = [0; 2];
    let units = letter.encode_utf16(&mut units);
    let one = std::slice::from_ref(&letter);
    sequence(text, own, b'%', ends, &byte_hex);
    sequence(text, units, b'%', ends, &unit);
    sequence(text, own, b'=', ends, &byte_hex);
    sequence(text, own, b'\\', ends, &byte_x);
    sequence(text, own, b'\\', ends, &byte_octal);
    sequence(text, units, b'\\', ends, &unit);
    sequence(text, one, b'\\', ends, &short_escape);
    sequence(text, one, b'\\', ends, &long_escape);
    sequence(text, one, b'&', ends, &entity);
}

/// Lengths of a mark and what `read` takes behind it, for each of the parts of a letter.
fn sequence<P: Copy>(
    text: &[u8],
    parts: &[P],
    mark: u8,
    ends: &mut Vec<usize>,
    read: &dyn Fn(&[u8], P) -> Option<usize>,
) {
    let mut places = vec![0];
    for &part in parts {
        let mut next = Vec::new();
        for at in places {
            for length in marks(&text[at..], mark) {
                let behind = at + length;
                next.extend(read(&text[behind..], part).map(|length| behind + length));
            }
        }
        next.sort_unstable();
        next.dedup();
        places = next;
    }
    ends.extend(places);
}

/// How a mark may be written, as it is or escaped itself: a text in JSON in JSON in an address. The longest first.
static MARKS: LazyLock<[(u8, Vec<Vec<u8>>); 4]> = LazyLock::new(|| {
    [b'%', b'\\', b'&', b'='].map(|mark| {
        let once = escaped(mark);
        let own = once.iter().filter(|form| form[0] == mark);
        // Twice in one way, which is how it comes about.
        let twice = own.flat_map(|form| {
            let inner = escaped(mark).into_iter().filter(|inner| inner[0] == mark);
            let of_byte = |byte: &u8, inner: &[u8]| match *byte == mark {
                true => inner.to_vec(),
                false => vec![*byte],
            };
            inner.map(move |inner| form.iter().flat_map(|byte| of_byte(byte, &inner)).collect())
        });
        let twice: Vec<Vec<u8>> = twice.collect();
        let mut all: Vec<Vec<u8>> = std::iter::once(vec![mark])
            .chain(once)
            .chain(twice)
            .collect();
        all.sort();
        all.dedup();
        (mark, all)
    })
});

/// The ways to escape an ASCII sign.
fn escaped(sign: u8) -> Vec<Vec<u8>> {
    let mut all = vec![format!("\\{}", char::from(sign)), format!("&#{sign};")];
    for digits in [format!("{sign:02x}"), format!("{sign:02X}")] {
        for (before, after) in [
            ("%", ""),
            ("=", ""),
            ("\\u00", ""),
            ("\\x", ""),
            ("&#x", ";"),
        ] {
            all.push(format!("{before}{digits}{after}"));
        }
    }
    let named = ENTITIES.iter().filter(|(_, c)| *c == char::from(sign));
    all.extend(named.map(|(name, _)| format!("&{name};")));
    all.into_iter().map(String::into_bytes).collect()
}

/// Lengths of what writes a mark at the start of the text.
fn marks(text: &[u8], mark: u8) -> impl Iterator<Item = usize> {
    let known = MARKS.iter().find(|(known, _)| *known == mark);
    let forms = known.into_iter().flat_map(|(_, forms)| forms);
    forms
        .filter(move |form| text.starts_with(form))
        .map(Vec::len)
}

/// `C3` of `%C3%A9`, and of a mail's `=C3=A9`.
pub(super) fn byte_hex(text: &[u8], byte: u8) -> Option<usize> {
    (hex(text.get(..2)?) == Some(u32::from(byte))).then_some(2)
}

/// `xC3`.
fn byte_x(text: &[u8], byte: u8) -> Option<usize> {
    let rest = text.strip_prefix(b"x").or(text.strip_prefix(b"X"))?;
    byte_hex(rest, byte).map(|length| 1 + length)
}

/// `303`, as C and `printf` write a byte.
fn byte_octal(text: &[u8], byte: u8) -> Option<usize> {
    let digits = text.iter().take(3).take_while(|c| (b'0'..b'8').contains(c));
    let digits = std::str::from_utf8(&text[..digits.count()]).ok()?;
    (u32::from_str_radix(digits, 8).ok()? == u32::from(byte)).then_some(digits.len())
}

/// `u00e9`; two of them beyond the first 65,536 letters.
fn unit(text: &[u8], unit: u16) -> Option<usize> {
    let digits = text.strip_prefix(b"u")?.get(..4)?;
    (hex(digits) == Some(u32::from(unit))).then_some(5)
}

/// `"`, `n`.
fn short_escape(text: &[u8], letter: char) -> Option<usize> {
    let reported = match *text.first()? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        other if other.is_ascii_punctuation() || other == b' ' => char::from(other),
        _ => return None,
    };
    (reported == letter).then_some(1)
}

/// `u{1f600}`, `x{1f600}`, `U0001f600`, `xe9` for a letter below 256, and style sheets' `1f600 `.
fn long_escape(text: &[u8], letter: char) -> Option<usize> {
    let code = u32::from(letter);
    let braced = [&b"u{"[..], b"x{"].iter().find_map(|start| {
        let rest = text.strip_prefix(*start)?;
        let end = rest.iter().take(9).position(|byte| *byte == b'}')?;
        (hex(&rest[..end]) == Some(code)).then_some(end + 3)
    });
    let fixed = |start: u8, digits: usize| {
        let rest = text.strip_prefix(&[start])?;
        (hex(rest.get(..digits)?) == Some(code)).then_some(digits + 1)
    };
    let style = || {
        let digits = text.iter().take(6).take_while(|c| c.is_ascii_hexdigit());
        let digits = digits.count();
        let blank = text.get(digits) == Some(&b' ');
        (digits > 0 && hex(&text[..digits]) == Some(code)).then_some(digits + usize::from(blank))
    };
    braced
        .or_else(|| fixed(b'U', 8))
        .or_else(|| fixed(b'x', 2))
        .or_else(style)
}

/// Names of entities; letters need none.
const ENTITIES: [(&str, char); 42] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("excl", '!'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("UnderBar", '_'),
    ("grave", '`'),
    ("DiacriticalGrave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("VerticalLine", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
    ("Tab", '\t'),
    ("NewLine", '\n'),
];

/// `amp;`, `#38;`, `#x26;`, and numbers without the `;`, which browsers take too.
fn entity(text: &[u8], letter: char) -> Option<usize> {
    let named = |(name, c): &(&str, char)| {
        let rest = text.strip_prefix(name.as_bytes())?;
        (*c == letter && rest.first() == Some(&b';')).then_some(name.len() + 1)
    };
    let number = || {
        let digits = text.strip_prefix(b"#")?;
        let (digits, radix, start) = match digits.first()? {
            b'x' | b'X' => (&digits[1..], 16, 2),
            _ => (digits, 10, 1),
        };
        let is_digit = |c: &&u8| char::from(**c).is_digit(radix);
        let count = digits.iter().take(8).take_while(is_digit).count();
        let number = std::str::from_utf8(&digits[..count]).ok()?;
        let number = u32::from_str_radix(number, radix).ok()?;
        let closed = usize::from(digits.get(count) == Some(&b';'));
        (number == u32::from(letter)).then_some(start + count + closed)
    };
    ENTITIES.iter().find_map(named).or_else(number)
}

fn hex(digits: &[u8]) -> Option<u32> {
    let all = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| all)?;
    u32::from_str_radix(text, 16).ok()
}
