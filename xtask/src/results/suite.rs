//! The suite of one app and one seed.

use super::apps::Unit;
use super::{Contender, Stage};
use serde_json::Value;
use std::fmt::Write as _;

/// Every event costs 200 ms, Monkey's usual pace; the others' take 1.43 s, as DinoDroid's do in its paper: its hour is
/// 2,517 events of theirs against 18,000 of Monkey's.
const THINK: u64 = 1_230;
/// The kinds whose events are Monkey's: `timemachine` has `monkey` as its base, and its restores cost what their steps do.
const OF_MONKEY: [&str; 2] = ["kind = \"monkey\"", "kind = \"timemachine\""];

pub fn toml(unit: &Unit, stage: Stage, contenders: &[Contender], jobs: u64) -> String {
    let (budget, time) = match stage {
        Stage::Screening | Stage::Early => ("budget = { events = 300 }\n", ""),
        Stage::Confirmation => ("", "time = \"3600s\"\n"),
    };
    let mut toml = format!(
        "[suite]\nname = \"results\"\n{budget}seeds = [{}]\n\n[faults]\nrate = 0\n\n[minimize]\nenabled = false\n\n\
         [report]\nhtml = false\nscreenshots = \"none\"\n\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\ncount = {jobs}\n\n[bench]\n{time}at = {:?}\n\
         cost = {{ tap = \"200ms\", long-press = \"200ms\", gesture = \"200ms\", text = \"200ms\", \
         system = \"200ms\", start = \"200ms\" }}\n\n[bench.think]\n",
        unit.seed,
        stage.at(),
    );
    for (name, settings) in contenders {
        let of_monkey = OF_MONKEY.iter().any(|kind| settings.starts_with(kind));
        let think = if of_monkey { 0 } else { THINK };
        let _ = writeln!(toml, "{name} = \"{think}ms\"");
    }
    // A JSON string is a TOML basic string.
    let results = Value::from(super::folder().display().to_string()).to_string();
    let results = results.trim_matches('"');
    for (name, settings) in contenders {
        let settings = settings.replace("RESULTS", results);
        let _ = write!(toml, "\n[[strategy]]\nname = \"{name}\"\n{settings}\n");
    }
    let (name, file) = (unit.app.as_str(), unit.file.display().to_string());
    let (name, file) = (Value::from(name), Value::from(file));
    let _ = write!(toml, "\n[[app]]\nname = {name}\napk = {file}\n");
    toml
}
