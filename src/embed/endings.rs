//! English endings: what a word that is not listed may be a form of.

/// Words shorter than this are left unchanged.
const SHORTEST_STEM: usize = 3;

/// The words of which `word` (lower case) may be a form, the likeliest first: `deletes`, `deleted` and
/// `deleting` give `delete`, `stopped` gives `stop`, `entries` gives `entry`.
pub(super) fn stems(word: &str) -> impl Iterator<Item = String> {
    let mut stems: Vec<String> = Vec::new();
    let mut add = |stem: &str, ending: &str| {
        if stem.len() >= SHORTEST_STEM && stem.bytes().all(|b| b.is_ascii_lowercase()) {
            stems.push(format!("{stem}{ending}"));
        }
    };
    if let Some(stem) = word.strip_suffix("'s").or_else(|| word.strip_suffix("s'")) {
        add(stem, "");
    } else if let Some(stem) = word.strip_suffix("ies") {
        add(stem, "y");
    } else if let Some(stem) = word.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        add(stem, "");
        if let Some(shorter) = stem.strip_suffix('e') {
            add(shorter, "");
        }
    }
    if let Some(stem) = word.strip_suffix("ied") {
        add(stem, "y");
    }
    for ending in ["ed", "ing"] {
        let Some(stem) = word.strip_suffix(ending) else {
            continue;
        };
        add(stem, "e");
        add(stem, "");
        // stopped, stopping
        let mut letters = stem.bytes().rev();
        if letters
            .next()
            .is_some_and(|last| letters.next() == Some(last))
        {
            add(&stem[..stem.len() - 1], "");
        }
    }
    stems.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_to_their_words() {
        for (form, word) in [
            ("deletes", "delete"),
            ("deleted", "delete"),
            ("deleting", "delete"),
            ("stopped", "stop"),
            ("entries", "entry"),
            ("boxes", "box"),
            ("copied", "copy"),
            ("opens", "open"),
            ("user's", "user"),
        ] {
            assert!(stems(form).any(|stem| stem == word), "{form}");
        }
    }

    #[test]
    fn short_and_foreign_words_have_no_stems() {
        for word in ["is", "red", "ss", "ключs", "ing", ""] {
            assert_eq!(stems(word).count(), 0, "{word}");
        }
    }
}
