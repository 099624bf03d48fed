//! Members of Android's framework that are no public API: the agent on a device reaches them by one table, which
//! `cargo xtask reflect` looks up in the frameworks of all levels. A member outside of it would show on a phone first.

use crate::common::root;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Words of Java that look a class or a member up by its name.
const LOOK_UPS: &str = r"\.(?:getMethods?|getDeclaredMethods?|getFields?|getDeclaredFields?|getConstructors?|getDeclaredConstructors?|forName|loadClass|findVirtual|findStatic|findConstructor|findVarHandle|setAccessible)\(";

fn sources() -> Vec<(String, String)> {
    let folder = root().join("src/device/agent/device/droidtest/device");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let java = files.filter(|file| file.extension().is_some_and(|e| e == "java"));
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    java.map(|file| (name(&file), fs::read_to_string(&file).unwrap()))
        .collect()
}

/// Names that the pattern's first group finds.
fn found(pattern: &str, text: &str) -> BTreeSet<String> {
    let pattern = Regex::new(pattern).unwrap();
    let all = pattern.captures_iter(text);
    all.map(|found| found[1].to_owned()).collect()
}

#[test]
fn members_are_looked_up_in_one_table_only() {
    let look_up = Regex::new(LOOK_UPS).unwrap();
    let mut complaints = Vec::new();
    for (name, text) in sources().iter().filter(|(name, _)| name != "Hidden.java") {
        for (at, line) in text
            .lines()
            .enumerate()
            .filter(|(_, l)| look_up.is_match(l))
        {
            complaints.push(format!("{name}:{}: {}", at + 1, line.trim()));
        }
    }
    assert!(
        complaints.is_empty(),
        "looked up beside Hidden.java, where `cargo xtask reflect` does not see it:\n{}",
        complaints.join("\n")
    );
}

#[test]
fn the_table_holds_each_member_that_is_declared_and_each_is_used() {
    let sources = sources();
    let (_, table) = sources
        .iter()
        .find(|(name, _)| name == "Hidden.java")
        .unwrap();
    let declared = found(r"static final Member (\w+)\s*=", table);
    assert!(declared.len() > 10, "{declared:?}");
    let list = Regex::new(r"(?s)Member\[\] ALL = \{(.*?)\};").unwrap();
    let listed = found(r"(\w+)", &list.captures(table).unwrap()[1]);
    assert_eq!(
        declared, listed,
        "`ALL` is what `cargo xtask reflect` looks up"
    );
    let others = sources.iter().filter(|(name, _)| name != "Hidden.java");
    let used: BTreeSet<_> = others
        .flat_map(|(_, text)| found(r"Hidden\.([A-Z][A-Z_]+)", text))
        .collect();
    assert_eq!(declared, used);
}
