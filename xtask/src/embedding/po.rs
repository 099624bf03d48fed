//! gettext's .po files.

/// Texts and translations; of plural forms the singular. Fuzzy and untranslated entries are left out.
pub fn read(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in text.replace("\r\n", "\n").split("\n\n") {
        if entry
            .lines()
            .any(|line| line.starts_with("#,") && line.contains("fuzzy"))
        {
            continue;
        }
        let mut id = String::new();
        let mut translation = String::new();
        let mut now: Option<&mut String> = None;
        for line in entry.lines() {
            let value = if let Some(rest) = line.strip_prefix("msgid ") {
                now = Some(&mut id);
                rest
            } else if let Some(rest) = line
                .strip_prefix("msgstr ")
                .or_else(|| line.strip_prefix("msgstr[0] "))
            {
                now = Some(&mut translation);
                rest
            } else if line.starts_with('"') {
                line
            } else {
                now = None;
                continue;
            };
            if let Some(now) = now.as_deref_mut() {
                now.push_str(&unquoted(value));
            }
        }
        if !id.is_empty() && !translation.is_empty() {
            found.push((id, translation));
        }
    }
    found
}

/// A quoted string; its escapes are those of JSON where it has any that matter.
fn unquoted(text: &str) -> String {
    serde_json::from_str(text.trim()).unwrap_or_else(|_| text.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn singular_forms_are_read_and_fuzzy_ones_left_out() {
        let text = "msgid \"\"\nmsgstr \"Language: de\\n\"\n\n#: a.py\nmsgid \"Save\"\nmsgstr \"\"\n\"Spei\"\n\"chern\"\n\n\
                    #, fuzzy\nmsgid \"Open\"\nmsgstr \"Zu\"\n\n\
                    msgid \"file\"\nmsgid_plural \"files\"\nmsgstr[0] \"Datei\"\nmsgstr[1] \"Dateien\"\n\nmsgid \"New\"\nmsgstr \"\"\n";
        let pairs = super::read(text);
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(pairs, [("Save", "Speichern"), ("file", "Datei")]);
    }
}
