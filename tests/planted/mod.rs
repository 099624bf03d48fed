//! The crashes planted in the sample app, each with its witness as a trace.

#![allow(dead_code)] // each test binary uses a part

use droidtest::trace::{Trace, read};
use std::path::Path;

/// One planted crash.
pub struct Planted {
    /// Its name in `planted.toml`.
    pub id: String,
    /// The fewest events that cause it.
    pub least: usize,
    /// What is on the screen then.
    pub activity: String,
    /// `event` or `system`.
    pub trigger: String,
    /// The witness; its finding is known by exception and frame.
    pub witness: Trace,
}

/// All of them, in the file's order.
pub fn planted() -> Vec<Planted> {
    let text = include_str!("../apps/notes/planted.toml");
    let table: toml::Table = text.parse().unwrap();
    let crashes = table["crash"].as_array().unwrap();
    crashes
        .iter()
        .map(|crash| one(crash.as_table().unwrap()))
        .collect()
}

fn one(crash: &toml::Table) -> Planted {
    let field = |name: &str| crash[name].as_str().unwrap().to_owned();
    let (exception, frame) = (field("exception"), field("frame"));
    let kind = match exception.as_str() {
        "ANR" => "kind = \"anr\"\n".to_owned(),
        exception => format!("kind = \"java-crash\"\nexception = \"{exception}\"\n"),
    };
    let mut text = format!(
        "version = 1\n[app]\nname = \"notes\"\npackage = \"org.droidtest.notes\"\n[finding]\n{kind}frame = \"{frame}\"\n"
    );
    for step in crash["witness"].as_array().unwrap() {
        text += &format!("[[step]]\n{}", toml::to_string(step).unwrap());
    }
    Planted {
        id: field("id"),
        least: usize::try_from(crash["min_events"].as_integer().unwrap()).unwrap(),
        activity: field("activity"),
        trigger: field("trigger"),
        witness: read(&text, Path::new("planted.toml")).unwrap(),
    }
}
