//! Pictures inside the page: PNG files as data URIs.

use std::fs;
use std::path::Path;

/// A picture over this size is linked to instead, to keep the page light.
const LARGEST: u64 = 600_000;

/// What all pictures of a page may weigh together.
pub const ALL: u64 = 24_000_000;

/// A PNG as a data URI, when it is there, is one, and fits into what is left of the page's allowance.
pub fn data_uri(path: &Path, allowance: &mut u64) -> Option<String> {
    let size = fs::metadata(path).ok()?.len();
    if size > LARGEST.min(*allowance) {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return None;
    }
    *allowance -= size;
    Some(format!("data:image/png;base64,{}", base64(&bytes)))
}

/// Standard base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let get = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = get(0) << 16 | get(1) << 8 | get(2);
        for digit in 0..4 {
            text.push(if digit <= chunk.len() {
                DIGITS[(bits >> (18 - 6 * digit) & 63) as usize] as char
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_gives_its_published_values() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let expected = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        assert_eq!(texts.map(|text| base64(text.as_bytes())), expected);
    }

    #[test]
    fn only_pictures_that_fit_are_taken_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let mut allowance = 100_000;
        assert_eq!(data_uri(&path, &mut allowance), None);
        fs::write(&path, "<svg onload=alert(1)>").unwrap();
        assert_eq!(data_uri(&path, &mut allowance), None);
        fs::write(&path, super::super::super::fixture_png::screen(3)).unwrap();
        assert!(
            data_uri(&path, &mut allowance)
                .unwrap()
                .starts_with("data:image/png;base64,iVBOR")
        );
        assert_eq!(
            data_uri(&path, &mut allowance),
            None,
            "the allowance is spent"
        );
    }
}
