//! What counts as the same: texts, and the events of two pages.

use crate::util::hash::of_bytes;

/// Which texts are the same although their numbers are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// None: texts are compared as they are, as in the paper.
    Apart,
    /// All, so that a counter or a clock makes no new event; but one or two digits alone are what their widget says (a
    /// key of a keypad, a day, a level).
    Merged,
}

impl Numbers {
    /// Hash of a text, which those that are the same share.
    pub fn hash(self, text: &str) -> u64 {
        let alone = text.chars().count() <= 2 && text.chars().all(char::is_numeric);
        if self == Self::Apart || alone {
            return of_bytes(text.as_bytes());
        }
        let mut plain = String::new();
        for c in text.chars() {
            if !c.is_numeric() {
                plain.extend(c.to_lowercase());
            } else if !plain.ends_with('0') {
                plain.push('0');
            }
        }
        of_bytes(plain.as_bytes())
    }
}

/// Share of common members of two sorted lists; 1 for two empty ones.
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    let all = a.len() + b.len() - common;
    if all == 0 {
        1.0
    } else {
        common as f64 / all as f64
    }
}
