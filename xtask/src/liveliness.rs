//! What a session's journal says of how far an app came alive: whether anything but Back had an effect, and whether
//! its first page was empty.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// How far an app came alive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Liveliness {
    /// Events with an effect that were done with a widget or at a point of the screen: neither keys such as Back and
    /// Menu nor system events, which have an effect on an app that shows nothing.
    pub effective: u64,
    /// Was the first page without a text and without anything to touch?
    pub first_page_blank: bool,
}

impl Liveliness {
    /// Of the run's only session. Lines that cannot be read say nothing.
    pub fn of_run(folder: &Path, session: &str) -> Self {
        let journal = folder.join("sessions").join(session).join("journal.jsonl");
        Self::of_journal(&fs::read_to_string(journal).unwrap_or_default())
    }

    fn of_journal(text: &str) -> Self {
        let mut found = Self::default();
        let mut keys = BTreeSet::new();
        let mut pages = BTreeMap::new();
        let mut first = None;
        let lines = text
            .lines()
            .filter_map(|l| serde_json::from_str::<Value>(l).ok());
        for line in lines {
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            match text("e").as_str() {
                "page" => {
                    let empty = text("label").is_empty() && line["events"].as_u64() <= Some(2);
                    pages.insert(text("id"), empty);
                }
                "launch" if first.is_none() => first = Some(text("page")),
                "event" if matches!(text("do").as_str(), "back" | "menu") => {
                    keys.insert(text("k"));
                }
                "step" if line["changed"] == true => {
                    found.effective += u64::from(match text("t").as_str() {
                        "event" => !keys.contains(&text("k")),
                        "raw" => !matches!(
                            line["action"]["do"].as_str(),
                            Some("key" | "rotate" | "app-switch" | "nothing" | "wait")
                        ),
                        _ => false,
                    });
                }
                _ => {}
            }
        }
        found.first_page_blank = first.is_some_and(|page| pages.get(&page) == Some(&true));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: &str = r#"{"e":"session","app":"a"}
{"e":"page","id":"p1","activity":"a.B","label":"","widgets":1,"events":1}
{"e":"launch","how":"clear-data","before":1,"page":"p1","exact":"x"}
{"e":"event","k":"k1","do":"back"}
{"e":"step","i":1,"t":"event","k":"k1","ix":0,"from":"p1","to":"p1","changed":true}
{"e":"step","i":2,"t":"system","event":"rotate","from":"p1","to":"p1","changed":true}
"#;

    #[test]
    fn back_and_system_events_alone_are_no_life() {
        let found = Liveliness::of_journal(BLANK);
        assert_eq!((found.effective, found.first_page_blank), (0, true));
    }

    #[test]
    fn a_click_with_an_effect_is() {
        let more = r#"{"e":"event","k":"k2","do":"click"}
{"e":"step","i":3,"t":"event","k":"k2","ix":1,"from":"p1","to":"p1","changed":false}
{"e":"step","i":4,"t":"event","k":"k2","ix":1,"from":"p1","to":"p1","changed":true}
not json
"#;
        assert_eq!(
            Liveliness::of_journal(&(BLANK.to_owned() + more)).effective,
            1
        );
    }

    #[test]
    fn a_first_page_with_a_text_is_not_blank() {
        let text = BLANK.replace(r#""label":"""#, r#""label":"Hello""#);
        assert!(!Liveliness::of_journal(&text).first_page_blank);
        assert!(!Liveliness::of_journal("").first_page_blank);
    }
}
