//! Which words the names of a field consist of.
//!
//! Developers write `edit_user_age`, `userAge`, `etUserAge` and `edittextage`; a hint inside a longer word, as "age" in
//! "message", says nothing.

use super::{HINTS, RANGES};

/// Words that ids put together with the ones that say something, without a sign between them.
const FILLERS: [&str; 51] = [
    "add", "box", "confirm", "current", "default", "due", "e", "edit", "edt", "end", "enter", "et",
    "field", "file", "first", "full", "home", "id", "in", "info", "input", "item", "last", "login",
    "max", "min", "my", "new", "nick", "no", "number", "of", "old", "page", "profile", "repeat",
    "s", "search", "site", "start", "sub", "sur", "text", "tf", "the", "til", "total", "tv", "txt",
    "value", "view",
];
/// Longer words are not taken apart.
const LONGEST: usize = 40;

/// The words of a field's names, in lower case.
pub(super) struct FieldWords(Vec<String>);

impl FieldWords {
    /// Of the names as the app has them: the case of letters tells words apart.
    pub fn new(names: &[&str]) -> Self {
        let mut words = Vec::new();
        for name in names {
            split(name, &mut words);
        }
        words.sort();
        words.dedup();
        Self(words)
    }

    /// Whether the words of a key of `[app.text]` are all there.
    pub fn have_all(&self, key: &str) -> bool {
        let mut words = Vec::new();
        split(key, &mut words);
        !words.is_empty() && words.iter().all(|word| self.have(word))
    }

    /// Whether one of them is this word, or consists of it and other words that are known.
    pub fn have(&self, word: &str) -> bool {
        self.0.iter().any(|own| consists_of(own, word))
    }
}

/// Ends a word at each sign that is no letter, and before a capital after a small letter.
fn split(name: &str, words: &mut Vec<String>) {
    let mut word = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphabetic() || c.is_uppercase() && was_small {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
}

fn consists_of(own: &str, word: &str) -> bool {
    own.len() <= LONGEST
        && own
            .match_indices(word)
            .any(|(at, _)| is_known(&own[..at]) && is_known(&own[at + word.len()..]))
}

/// Whether a text is empty or consists of known words.
fn is_known(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut reached = vec![false; bytes.len() + 1];
    reached[0] = true;
    let hints = HINTS.iter().flat_map(|(words, _)| words.iter());
    let ranges = RANGES.iter().map(|(word, ..)| word);
    let known = FILLERS.iter().chain(hints).chain(ranges);
    for from in 0..bytes.len() {
        if !reached[from] {
            continue;
        }
        for word in known.clone() {
            if bytes[from..].starts_with(word.as_bytes()) {
                reached[from + word.len()] = true;
            }
        }
    }
    reached[bytes.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_however_names_are_written() {
        for (name, word) in [
            ("com.x:id/edit_user_age", "age"),
            ("com.x:id/userAge", "age"),
            ("com.x:id/edittextage", "age"),
            ("Age (years)", "age"),
            ("E-mail", "mail"),
            ("emailAddress", "mail"),
            ("etUsername", "name"),
            ("username", "user"),
            ("phone2", "phone"),
            ("Minutes", "minute"),
            ("URL", "url"),
            ("serverURL", "url"),
            ("birthdate", "date"),
        ] {
            assert!(FieldWords::new(&[name]).have(word), "{word} in {name}");
        }
    }

    #[test]
    fn a_part_of_another_word_is_none() {
        for (name, word) in [
            ("message", "age"),
            ("com.x:id/languageImage", "age"),
            ("Manage packages", "age"),
            ("update", "date"),
            ("timeout", "time"),
            ("support", "port"),
            ("com.airport:id/report", "port"),
            ("typing", "pin"),
            ("account", "count"),
            ("velocity", "city"),
            ("ghost", "host"),
            ("curls", "url"),
            ("today", "day"),
        ] {
            assert!(!FieldWords::new(&[name]).have(word), "{word} in {name}");
        }
        assert!(!FieldWords::new(&["\u{130}age".repeat(20).as_str()]).have("age"));
    }
}
