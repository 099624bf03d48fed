//! Plain text files.

use std::fs;
use std::path::Path;

/// Reads a text, without a byte order mark.
///
/// # Errors
/// The line of the first byte that is not UTF-8, from 1 (`None` if the file cannot be read at all), and the reason
/// with its fix.
pub(super) fn read(path: &Path) -> Result<String, (Option<usize>, String)> {
    let bytes = fs::read(path)
        .map_err(|e| (None, format!("cannot read it: {e}; name a UTF-8 text file")))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&b| b == b'\n').count();
        let reason = "not UTF-8; convert the file (`iconv -t UTF-8`) or fix the line";
        (Some(line), reason.to_owned())
    })?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}
