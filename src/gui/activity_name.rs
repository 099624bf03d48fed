//! Activities by name, as a suite names them.

/// Is this the activity? A pattern with a dot is compared with the class in full, one without with its last
/// part; `*` stands for any letters, dots among them.
pub fn matches(pattern: &str, class: &str) -> bool {
    if class.is_empty() {
        return false;
    }
    if let Some(end) = pattern.strip_prefix('.') {
        // As in a manifest: below the app's package.
        return class.ends_with(end) && fits(pattern, &class[class.len() - end.len() - 1..]);
    }
    if pattern.contains('.') {
        return fits(pattern, class);
    }
    fits(pattern, class.rsplit('.').next().unwrap_or(class))
}

/// Glob with `*` only.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn activities_are_known_by_their_last_part_in_full_or_by_stars() {
        let class = "org.example.settings.SettingsActivity";
        for pattern in [
            "SettingsActivity",
            "Settings*",
            "*Activity",
            "*",
            "org.example.settings.SettingsActivity",
            "org.example.*",
            "org.*.Settings*ty",
            ".SettingsActivity",
            ".settings.SettingsActivity",
        ] {
            assert!(matches(pattern, class), "{pattern}");
        }
        for pattern in [
            "Activity",
            "settings",
            "org.example",
            "example.*",
            ".Activity",
            "*Settings",
            "org.*.settings.*.x",
        ] {
            assert!(!matches(pattern, class), "{pattern}");
        }
        assert!(!matches("*", ""), "nothing is in front");
        assert!(!matches("aba*ba", "x.aba"), "parts do not overlap");
    }
}
