//! The crashes planted in the sample apps, each with its witness as a trace, and what a witness has to keep.

use droidtest::outcome::Trigger;
use droidtest::repro::replay::Gone;
use droidtest::repro::{End, Runner};
use droidtest::trace::find::Fit;
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

/// All of the notes app, in the file's order.
pub fn planted() -> Vec<Planted> {
    of("notes")
}

/// All of this app, in the file's order.
pub fn of(app: &str) -> Vec<Planted> {
    let text = std::fs::read_to_string(super::app(app).join("planted.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let crashes = table["crash"].as_array().unwrap();
    crashes
        .iter()
        .map(|crash| one(app, crash.as_table().unwrap()))
        .collect()
}

fn one(app: &str, crash: &toml::Table) -> Planted {
    let field = |name: &str| crash[name].as_str().unwrap().to_owned();
    let (exception, frame) = (field("exception"), field("frame"));
    let kind = match exception.as_str() {
        "ANR" => "kind = \"anr\"\n".to_owned(),
        exception => format!("kind = \"java-crash\"\nexception = \"{exception}\"\n"),
    };
    let mut text = format!(
        "version = 1\n[app]\nname = \"{app}\"\npackage = \"org.droidtest.{app}\"\n[finding]\n{kind}frame = \"{frame}\"\n"
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

/// Replays the witness of each.
pub fn lead_to_their_crashes(runner: &mut Runner, all: &[Planted]) {
    let failures: Vec<String> = all
        .iter()
        .filter_map(|crash| replay(runner, crash).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a witness, if anything is.
fn replay(runner: &mut Runner, crash: &Planted) -> Result<(), String> {
    let witness = &crash.witness;
    let wrong = |what: String| Err(format!("{}: {what}", crash.id));
    let replay = runner
        .replay(
            &witness.steps,
            witness.finding.as_ref(),
            (Fit::Loose, Gone::Ends),
            None,
        )
        .map_err(|e| format!("{}: {e}", crash.id))?;
    let all = witness.steps.len();
    if replay.end != (End::Reproduced { after: all }) || all != crash.least {
        return wrong(format!(
            "{:?} of {} events, {all} in the witness",
            replay.end, crash.least
        ));
    }
    let (met, _) = replay.met.last().expect("a finding, as it was reproduced");
    let trigger = match crash.trigger.as_str() {
        "system" => Trigger::System,
        _ => Trigger::Event,
    };
    if met.activity != crash.activity || met.trigger != trigger {
        return wrong(format!("met in {} by {:?}", met.activity, met.trigger));
    }
    if met.environment.is_some() || replay.met.len() != 1 {
        return wrong(format!("met {:?}", replay.met));
    }
    Ok(())
}
