//! Words for the device's shell. Nothing that a suite or an app names reaches it unquoted.

/// One word, whatever is in it: in single quotes, with each quote of its own set apart.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:=+-@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        // A NUL cannot be in any argument.
        format!("'{}'", word.replace('\0', "").replace('\'', "'\\''"))
    }
}

/// A command of these words.
pub fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = words.into_iter().map(quote).collect();
    quoted.join(" ")
}

/// Is this a package's name, as Android allows them: at least two parts of letters, digits and `_`?
pub fn is_package(name: &str) -> bool {
    let part = |p: &str| {
        p.starts_with(|c: char| c.is_ascii_alphabetic())
            && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.len() <= 255 && name.contains('.') && name.split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn packages_are_checked() {
        assert!(is_package("com.x.notes_1"));
        for wrong in [
            "",
            "x",
            "com..x",
            "com.x;reboot",
            "com.x ",
            "1com.x",
            "com.é",
        ] {
            assert!(!is_package(wrong), "{wrong}");
        }
    }

    #[cfg(unix)]
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn a_shell_gives_every_word_back(words in proptest::collection::vec("[^\\x00]{0,12}", 1..4)) {
            let line = command(std::iter::once("printf").chain(std::iter::once("%s\\0")).chain(words.iter().map(String::as_str)));
            let out = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
            let expected: String = words.iter().map(|w| format!("{w}\0")).collect();
            prop_assert_eq!(String::from_utf8_lossy(&out.stdout), expected);
        }
    }
}
