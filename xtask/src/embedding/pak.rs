//! Chromium's packed resources (`.pak`, versions 4 and 5): texts by number, one file a language. What does not fit
//! is left out.

use std::collections::BTreeMap;
use std::path::Path;

/// How the texts are written: 1 for UTF-8, 2 for UTF-16.
const UTF8: u8 = 1;
const UTF16: u8 = 2;
/// A number of 16 bits and a place of 32.
const ENTRY: usize = 6;

fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let raw = bytes.get(at..at + size)?.iter().rev();
    Some(raw.fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
}

/// The texts of a pack by their numbers.
pub fn read(bytes: &[u8]) -> BTreeMap<String, String> {
    texts(bytes).unwrap_or_default()
}

fn texts(bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    // Version 4: version, count, encoding. Version 5: version, encoding, three bytes of nothing, count, aliases.
    let (count, encoding, start) = match number(bytes, 0, 4)? {
        4 => (number(bytes, 4, 4)?, *bytes.get(8)?, 9),
        5 => (number(bytes, 8, 2)?, *bytes.get(4)?, 12),
        _ => return None,
    };
    let mut found = BTreeMap::new();
    for n in 0..count {
        let entry = start + ENTRY * n;
        let (id, from) = (number(bytes, entry, 2)?, number(bytes, entry + 2, 4)?);
        // The table has one entry more, at whose place the last text ends.
        let raw = bytes.get(from..number(bytes, entry + ENTRY + 2, 4)?)?;
        if let Some(text) = decoded(raw, encoding).filter(|text| is_label(text)) {
            found.insert(id.to_string(), text);
        }
    }
    Some(found)
}

fn decoded(raw: &[u8], encoding: u8) -> Option<String> {
    match encoding {
        UTF8 => String::from_utf8(raw.to_vec()).ok(),
        UTF16 => {
            let (units, []) = raw.as_chunks::<2>() else {
                return None;
            };
            let units: Vec<u16> = units.iter().map(|u| u16::from_le_bytes(*u)).collect();
            String::from_utf16(&units).ok()
        }
        _ => None,
    }
}

/// Pages and formulas (ICU's plural and select) stand among the labels.
fn is_label(text: &str) -> bool {
    !text.contains(['{', '\n', '\r'])
}

/// The language in `.../locales/pt-BR.pak`, as the other sources name it. Of several countries' one is taken.
pub fn language(file: &Path) -> Option<String> {
    let language = match file.file_stem()?.to_str()? {
        "en-US" => "en",
        "pt-BR" => "pt",
        plain if !plain.contains('-') => plain,
        _ => return None,
    };
    Some(language.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pack of version 5 in UTF-8.
    fn pack(texts: &[(u16, &str)]) -> Vec<u8> {
        let mut out = vec![5, 0, 0, 0, UTF8, 0, 0, 0];
        out.extend(u16::try_from(texts.len()).unwrap().to_le_bytes());
        out.extend([0, 0]);
        let mut at = u32::try_from(12 + ENTRY * (texts.len() + 1)).unwrap();
        for (id, text) in texts.iter().chain([&(0, "")]) {
            out.extend(id.to_le_bytes());
            out.extend(at.to_le_bytes());
            at += u32::try_from(text.len()).unwrap();
        }
        out.extend(texts.iter().flat_map(|(_, text)| text.bytes()));
        out
    }

    #[test]
    fn labels_are_read_by_number() {
        let bytes = pack(&[(7, "Save"), (9, "{N, plural, one {a}}"), (300, "Über")]);
        let found = read(&bytes);
        let expected = [("300", "Über"), ("7", "Save")];
        let found: Vec<_> = found.iter().map(|(k, t)| (&**k, &**t)).collect();
        assert_eq!(found, expected);
        assert!(read(&bytes[..bytes.len() - 1]).is_empty());
        assert!(read(b"\x06\0\0\0").is_empty());
    }

    #[test]
    fn the_older_version_in_utf_16_is_read() {
        let mut bytes = vec![4, 0, 0, 0, 1, 0, 0, 0, UTF16];
        for (id, at) in [(5_u16, 21_u32), (0, 25)] {
            bytes.extend(id.to_le_bytes());
            bytes.extend(at.to_le_bytes());
        }
        bytes.extend([b'O', 0, b'K', 0]);
        assert_eq!(read(&bytes)["5"], "OK");
    }

    #[test]
    fn languages_are_named_as_elsewhere() {
        let of = |file: &str| language(Path::new(file));
        assert_eq!(of("locales/en-US.pak").as_deref(), Some("en"));
        assert_eq!(of("locales/pt-BR.pak").as_deref(), Some("pt"));
        assert_eq!(of("locales/de.pak").as_deref(), Some("de"));
        assert_eq!(of("locales/pt-PT.pak"), None);
    }
}
