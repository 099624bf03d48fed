//! Text as it is seen: nothing invisible in it, and each letter in one form.

use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// Characters without a visible shape: format characters (direction marks, soft hyphens, joiners), the
/// choice between picture and text, and the frame of a keycap.
static INVISIBLE: LazyLock<Regex> =
    LazyLock::new(|| super::pattern(r"[\p{Cf}\x{200b}\x{fe00}-\x{fe0f}\x{20e3}]"));

const ZERO_WIDTH_SPACE: &str = "\u{200b}";
const NON_JOINER: &str = "\u{200c}";
const JOINER: &str = "\u{200d}";

/// The text without what cannot be seen, in NFKC except for what [`stays`]. ASCII is as it should be and costs one
/// look.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let seen = INVISIBLE.replace_all(text, |found: &Captures<'_>| visible(text, found));
    if is_nfkc_quick(seen.chars()) == IsNormalized::Yes {
        return seen;
    }
    let mut parts = String::with_capacity(seen.len());
    for c in seen.chars() {
        if stays(c) {
            parts.push(c);
        } else {
            decompose_compatible(c, |part| parts.push(part));
        }
    }
    Cow::Owned(parts.nfc().collect())
}

/// What an invisible character is replaced by. A zero-width space parts words where Thai or Khmer is written
/// without spaces; joiners between letters belong to the spelling of Persian and of India's languages.
fn visible(text: &str, found: &Captures<'_>) -> &'static str {
    let place = found.get_match().range();
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() || is_combining_mark(c));
    let between = || {
        letter(text[..place.start].chars().next_back()) && letter(text[place.end..].chars().next())
    };
    match &text[place.clone()] {
        ZERO_WIDTH_SPACE => " ",
        NON_JOINER if between() => NON_JOINER,
        JOINER if between() => JOINER,
        _ => "",
    }
}

/// Characters whose compatible form would be another text: one-character numbers (`½` is not 1 and 2, and `m²` not
/// `m2`), `№` (not the word *no*), `™`, the ellipsis, `ª` and `º`, and letters that their languages write in just
/// this form (the micro sign, Armenian, Thai, Lao, single Korean letters).
fn stays(c: char) -> bool {
    let digit = matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{1d7ce}'..='\u{1d7ff}');
    let own = matches!(
        c,
        '№' | '™' | '…' | 'ª' | 'º' | 'µ' | 'և' | 'ำ' | 'ຳ' | 'ໜ' | 'ໝ' | '\u{3131}'..='\u{318e}'
    );
    own || (c.is_numeric() && !digit)
}
