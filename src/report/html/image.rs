//! Pictures inside the page: PNG files as data URIs.

use crate::util::foreign;
use data_encoding::BASE64;
use std::io::Read as _;
use std::path::Path;

/// A picture over this size is linked to instead, to keep the page light.
const LARGEST: u64 = 600_000;

/// The size limit for all screenshots of a page together. In the page each byte takes four thirds: with all texts it stays
/// below the 20 MB that a browser opens and a mail server passes.
pub const ALL: u64 = 9_000_000;

/// A PNG as a data URI, if it exists, is valid, and fits into the rest of the page's allowance.
pub fn data_uri(path: &Path, allowance: &mut u64) -> Option<String> {
    let file = foreign::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    if size > LARGEST.min(*allowance) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes).ok()?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return None;
    }
    *allowance -= size;
    Some(format!("data:image/png;base64,{}", BASE64.encode(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
