//! The languages that Android has in place of Java's list, which begins with one that has no name.
//!
//! Sees `getAvailableLocales()` of `Locale` and of the formats.

use super::call::{Call, Steps};

const LIST: &[u8] = b"()[Ljava/util/Locale;";

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    let java = call.owner.starts_with(b"java/");
    if !java || call.name != b"getAvailableLocales" || call.descriptor != LIST {
        return false;
    }
    to.original();
    to.boxed(
        b"Locales",
        b"named",
        b"([Ljava/util/Locale;)[Ljava/util/Locale;",
    );
    true
}
