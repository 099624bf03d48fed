//! Old names of keys, accepted for one version with a notice.

use super::source::{Entry, Node, Source, Value};
use crate::strategy;

/// Replaces old keys of a suite and its profiles by the new ones; returns a notice for each.
pub fn update(source: &Source, root: &mut Node) -> Vec<String> {
    let mut notices = Vec::new();
    for entry in entries(root) {
        match entry.key.as_str() {
            "strategy" => strategies(source, &mut entry.node, &mut notices),
            "profile" => {
                for profile in entries(&mut entry.node) {
                    for entry in entries(&mut profile.node) {
                        if entry.key == "strategy" {
                            strategies(source, &mut entry.node, &mut notices);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    notices
}

fn strategies(source: &Source, list: &mut Node, notices: &mut Vec<String>) {
    let Value::Array(tables) = &mut list.value else {
        return;
    };
    for table in tables {
        let kind = table.entry("kind").map(|kind| &kind.node.value);
        let Some(Value::String(kind)) = kind else {
            continue;
        };
        let renamed = strategy::entry(kind).map_or(&[][..], |entry| entry.renamed);
        for (old, new) in renamed {
            // If both names are present, the old one is an unknown key.
            if table.entry(new).is_some() {
                continue;
            }
            for entry in entries(table).filter(|entry| entry.key == *old) {
                let line = source.line(entry.key_span.start);
                notices.push(format!(
                    "{}:{line}: `{old}` is now `{new}`; the old name is read for one more version",
                    source.name
                ));
                (*new).clone_into(&mut entry.key);
            }
        }
    }
}

fn entries(node: &mut Node) -> impl Iterator<Item = &mut Entry> {
    match &mut node.value {
        Value::Table(entries) => entries.iter_mut(),
        _ => [].iter_mut(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::source::parse;

    #[test]
    fn old_names_are_read_with_a_notice_and_never_beside_the_new_one() {
        let text = "[[strategy]]\nkind = \"dinodroid\"\nagain = 2.0\n\
                    [[profile.night.strategy]]\nkind = \"dinodroid\"\nbarren = 3\n\
                    [[strategy]]\nkind = \"dinodroid\"\nname = \"two\"\nagain = 1.0\nrepeat-crash-penalty = 2.0\n\
                    [[strategy]]\nkind = \"random\"\nagain = 1.0\n";
        let source = Source::new("s.toml", text);
        let mut root = parse(&source).unwrap();
        let notices = update(&source, &mut root);
        assert_eq!(notices.len(), 2, "{notices:?}");
        assert!(notices[0].starts_with("s.toml:3: `again` is now `repeat-crash-penalty`"));
        assert!(notices[1].starts_with("s.toml:6: `barren` is now `novelty-patience`"));
        let shown = format!("{root:?}");
        assert_eq!(shown.matches("\"again\"").count(), 2);
        assert_eq!(shown.matches("\"barren\"").count(), 0);
    }
}
