//! `list`: the plan, without carrying it out.

use serde_json::json;

use super::args::{Global, Selection, Sharding};
use super::capability::{self, Checked};
use super::shell::{MessageFormat, Shell};
use super::{Failure, load};
use crate::config::Suite;
use crate::exit_code::ExitCode;
use crate::report::console::plural;
use crate::run::{self, Plan, Slots, inputs};
use crate::strategy::ALL;
use crate::strategy::definition::Preset;
use crate::strategy::kind::Entry;
use std::collections::BTreeMap;

/// The version of the JSON.
const VERSION: u32 = 1;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    sharding: Sharding,

    /// List the strategies that a suite can name, with their presets, instead of the plan
    #[arg(long = "strategies", id = "known_strategies")]
    known: bool,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    if args.known {
        shell.print(&strategies(shell.format()))?;
        return Ok(ExitCode::Ok);
    }
    let suite = load(global, &args.selection)?;
    shell.notices(&suite.notices);
    let plan = args.sharding.apply(Plan::new(&suite)?, shell)?;
    plan.has_devices(&suite)?;
    let slots = Slots::new(global.jobs());
    let checked = capability::of_plan(&suite, &plan, shell);
    let text = match shell.format() {
        MessageFormat::Human => human(&suite, &plan, &slots, &checked),
        MessageFormat::Json => json(&suite, &plan, &slots, &checked),
    };
    shell.print(&text)?;
    let missing = inputs::missing(&suite, &plan);
    if missing.is_empty() {
        Ok(ExitCode::Ok)
    } else {
        Err(Failure::Suite(missing.into()))
    }
}

/// Every strategy: its name, its presets, what it does.
fn strategies(format: MessageFormat) -> String {
    let presets =
        |entry: &Entry| -> Vec<&str> { entry.presets().into_iter().map(Preset::name).collect() };
    match format {
        MessageFormat::Human => {
            let width = ALL.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
            let line = |entry: &Entry| {
                let presets = match presets(entry).as_slice() {
                    [] => String::new(),
                    presets => format!(" Presets: {}.", presets.join(", ")),
                };
                format!("{:width$}  {}{presets}\n", entry.name, entry.summary)
            };
            ALL.iter().map(line).collect()
        }
        MessageFormat::Json => {
            let row = |entry: &Entry| {
                json!({
                    "name": entry.name,
                    "summary": entry.summary,
                    "presets": presets(entry),
                })
            };
            let rows: Vec<_> = ALL.iter().map(row).collect();
            format!("{}\n", json!({ "version": VERSION, "strategies": rows }))
        }
    }
}

fn human(suite: &Suite, plan: &Plan, slots: &Slots, checked: &BTreeMap<&str, Checked>) -> String {
    let budget = suite.budget();
    let limits = [
        run::budget::max_events(suite).map(|events| format!("{events} events")),
        budget.time.map(|time| time.to_string()),
        budget
            .plateau
            .map(|events| format!("{events} events without new behaviour")),
    ];
    let mut limits: Vec<_> = limits.into_iter().flatten().collect();
    let total = suite.settings.suite.total;
    limits.extend(total.map(|total| format!("its part of {total} in total")));
    let header = ["SESSION", "APP", "DEVICE", "STRATEGY", "SEED"].map(str::to_owned);
    let rows = plan.entries.iter().map(|session| {
        [
            session.name.clone(),
            session.app.name.clone(),
            format!("{} ({})", session.device.name, session.device.kind_name()),
            session.strategy.name().to_owned(),
            session.seed.to_string(),
        ]
    });
    let rows: Vec<_> = std::iter::once(header).chain(rows).collect();
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<_> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text += &format!(
        "{}, each with at most {}; {} at a time\n",
        plural(plan.entries.len() as u64, "session"),
        limits.join(" or "),
        slots.at_once(&plan.entries),
    );
    if plan.entries.iter().any(|session| session.seat > 0) {
        text += "sessions of a group (-d1, -d2 and so on) share the events\n";
    }
    for (app, found) in checked {
        text += &format!("{app} on the jvm device: {found}\n");
    }
    text
}

fn json(suite: &Suite, plan: &Plan, slots: &Slots, checked: &BTreeMap<&str, Checked>) -> String {
    let budget = suite.budget();
    let sessions: Vec<_> = plan
        .entries
        .iter()
        .map(|session| {
            let mut entry = json!({
                "name": session.name,
                "app": session.app.name,
                "device": session.device.name,
                "device-kind": session.device.kind_name(),
                "strategy": session.strategy.name(),
                "strategy-kind": session.strategy.kind_name(),
                "seed": session.seed,
            });
            if let Some(found) = checked.get(session.app.name.as_str())
                && capability::on_jvm(session)
            {
                entry["capability"] = found.json();
            }
            entry
        })
        .collect();
    let plan = json!({
        "version": VERSION,
        "suite": suite.name(),
        "file": suite.file,
        "profile": suite.profile,
        "budget": {
            "events": run::budget::max_events(suite),
            "seconds": budget.max_time().map(|time| time.as_secs_f64()),
            "plateau": budget.plateau,
            "total-seconds": suite.settings.suite.total.map(|total| total.0.as_secs_f64()),
        },
        "at-once": slots.at_once(&plan.entries),
        "sessions": sessions,
    });
    format!("{plan}\n")
}
