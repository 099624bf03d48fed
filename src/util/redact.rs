//! Secrets kept out of whatever is written or shown: as they are, in capitals, and as programs write them into addresses,
//! JSON, HTML, mails, source code, shell commands, base64 and numbers.
//!
//! A secret that is split (one letter a line, say), compressed or encrypted is not recognized.

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

mod numbers;
mod spelling;
mod stream;

use spelling::How;
pub use stream::Stream;

/// The fewest characters of a secret that are hidden: fewer are in ordinary text everywhere.
const FEWEST: usize = 4;
/// The fewest of a packed form that was cut off.
const FEWEST_PACKED: usize = 8;
/// What stands instead of a secret.
pub const REDACTED: &str = "***";

/// What became a secret while the program runs, such as a person's answer: every redactor hides it, also those in
/// threads that read a device's output.
static LATER: RwLock<Redactor> = RwLock::new(Redactor {
    secrets: Vec::new(),
    packed: Vec::new(),
    words: false,
});

/// From now on every redactor of the program hides this, too; what is under [`FEWEST`] characters is not recognized.
pub fn hide_from_now_on(secret: &str) {
    let mut later = LATER.write().unwrap_or_else(PoisonError::into_inner);
    later.hide(secret);
}

fn later() -> RwLockReadGuard<'static, Redactor> {
    LATER.read().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces secret values by [`REDACTED`] wherever they would be written out.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Redactor {
    /// The longest first: one secret may hold another.
    secrets: Vec<Vec<char>>,
    /// What they are in base64.
    packed: Vec<Vec<char>>,
    /// Is any word that a secret starts with hidden, too?
    words: bool,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor of {} secrets", self.secrets.len())
    }
}

impl Redactor {
    /// A redactor for these secrets; those under [`FEWEST`] characters are passed over.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut redactor = Self::default();
        for secret in secrets {
            // A secret of several lines is also matched line by line.
            secret.lines().for_each(|line| redactor.hide(line));
            redactor.hide(&secret);
        }
        redactor
    }

    /// Hides words that a secret starts with, too, as a field may have cut what was typed. Only for what nobody but a
    /// person reads: such a word may be there at random.
    pub fn and_words(self) -> Self {
        Self {
            words: true,
            ..self
        }
    }

    /// Hides what a field keeps of a secret; anything that no secret starts with is left alone.
    pub fn hide_cut(&mut self, kept: &str) {
        let begins = |secret: &Vec<char>| {
            let mut secret = secret.iter().copied();
            kept.chars().all(|c| secret.next() == Some(c))
        };
        let known = self.secrets.iter().any(begins) || later().secrets.iter().any(begins);
        if known {
            self.hide(kept);
        }
    }

    fn hide(&mut self, secret: &str) {
        let letters: Vec<char> = secret.chars().collect();
        if letters.len() >= FEWEST && !self.secrets.contains(&letters) {
            self.secrets.push(letters);
            self.secrets.sort_by_key(|s| std::cmp::Reverse(s.len()));
            self.packed.extend(packed(secret.as_bytes()));
            self.packed.sort_by_key(|s| std::cmp::Reverse(s.len()));
            self.packed.dedup();
        }
    }

    /// Is there nothing to hide?
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty() && later().secrets.is_empty()
    }

    /// Bytes of the longest secret as it may be spelled, if a letter takes at most `letter` bytes.
    fn reach(&self, letter: usize) -> usize {
        let later = later();
        let spelled = self.secrets.iter().chain(&later.secrets);
        let packed = self.packed.iter().chain(&later.packed);
        // A letter has up to four bytes, each of which may be written as a number.
        let letter = letter.max(4 * numbers::LONGEST);
        (spelled.map(|s| s.len() * letter))
            .chain(packed.map(|form| form.len() * letter))
            .max()
            .unwrap_or(0)
    }

    /// The text without any secret.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let places = self.places(text.as_bytes());
        let mut result = Cow::Borrowed(text);
        if !places.is_empty() {
            let bytes = without(text.as_bytes(), &places);
            // Secrets start and end where characters do.
            result = Cow::Owned(String::from_utf8_lossy(&bytes).into_owned());
        }
        if !self.is_empty() && (self.words || result.contains('…')) {
            result = Cow::Owned(self.without_beginnings(&result));
        }
        result
    }

    /// Redacts a text in its place.
    pub fn redact_in(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redact(text) {
            *text = redacted;
        }
    }

    /// Where secrets stand, in order, none within another.
    fn places(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        let later = later();
        let mut add = |length_at: &dyn Fn(&[u8]) -> Option<usize>| {
            let mut at = 0;
            while at < text.len() {
                let length = length_at(&text[at..]);
                all.extend(length.map(|length| at..at + length));
                at += length.unwrap_or(1);
            }
        };
        for secret in self.secrets.iter().chain(&later.secrets) {
            let bytes = secret.iter().collect::<String>().into_bytes();
            add(&|text| spelling::whole(text, secret, How::Text));
            add(&|text| numbers::whole(text, &bytes));
        }
        for form in self.packed.iter().chain(&later.packed) {
            add(&|text| spelling::whole(text, form, How::Packed));
        }
        all.sort_by_key(|place| (place.start, place.end));
        let mut merged: Vec<Range<usize>> = Vec::new();
        for place in all {
            match merged.last_mut().filter(|last| place.start < last.end) {
                Some(last) => last.end = last.end.max(place.end),
                None => merged.push(place),
            }
        }
        merged
    }

    /// The text without the starts of secrets that [`super::text::shorten`] left, and without words that a secret
    /// starts with where those are hidden.
    fn without_beginnings(&self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let starts = !result.ends_with(char::is_alphanumeric);
            match self.beginning(rest, starts) {
                Some(length) => {
                    result += REDACTED;
                    rest = &rest[length..];
                }
                None => {
                    result.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        result
    }

    /// The length of the start of a secret that the text starts with.
    fn beginning(&self, text: &str, word: bool) -> Option<usize> {
        let ends = |at: usize| {
            text.get(at..).is_some_and(|rest| {
                let next = rest.chars().next();
                let word = self.words && word && !next.is_some_and(char::is_alphanumeric);
                word || spelling::is_cut(rest)
            })
        };
        let later = later();
        let plain = self.secrets.iter().chain(&later.secrets);
        let plain = plain.filter_map(|secret| {
            let parts = spelling::beginnings(text.as_bytes(), secret, How::Text);
            parts
                .skip(FEWEST - 1)
                .flatten()
                .filter(|at| ends(*at))
                .max()
        });
        let packed = self.packed.iter().chain(&later.packed);
        let packed = packed.filter_map(|form| {
            let same = text.chars().zip(form);
            let length = same.take_while(|(a, b)| a == *b).count();
            let cut = text.get(length..)?.starts_with('…');
            (length >= FEWEST_PACKED && cut).then_some(length)
        });
        plain.chain(packed).max()
    }
}

/// The bytes with [`REDACTED`] in these places.
fn without(bytes: &[u8], places: &[Range<usize>]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for place in places {
        result.extend_from_slice(&bytes[at..place.start]);
        result.extend_from_slice(REDACTED.as_bytes());
        at = place.end;
    }
    result.extend_from_slice(&bytes[at..]);
    result
}

/// What these bytes are in base64, wherever they are in what was packed.
fn packed(secret: &[u8]) -> Vec<Vec<char>> {
    let mut all = vec![BASE64.encode(secret), BASE64URL.encode(secret)];
    for before in 0..3 {
        let bytes = [vec![0; before], secret.to_vec()].concat();
        // Six bits a letter; those at the edges hold bits of what is next to the secret.
        let own = (8 * before).div_ceil(6)..8 * bytes.len() / 6;
        for encoding in [BASE64_NOPAD, BASE64URL_NOPAD] {
            let letters = encoding.encode(&bytes);
            all.extend(letters.get(own.clone()).map(str::to_owned));
        }
    }
    all.retain(|form| form.len() >= FEWEST);
    all.sort();
    all.dedup();
    all.iter().map(|form| form.chars().collect()).collect()
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
