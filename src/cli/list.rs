//! `list`: the plan, without carrying it out.

use serde_json::json;

use super::args::{Global, Selection};
use super::shell::{MessageFormat, Shell};
use super::{Failure, capability, load};
use crate::config::Suite;
use crate::exit_code::ExitCode;
use crate::run::Plan;

/// The version of the JSON.
const VERSION: u32 = 1;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let suite = load(global, &args.selection)?;
    let plan = Plan::new(&suite)?;
    let text = match shell.format() {
        MessageFormat::Human => human(&suite, &plan),
        MessageFormat::Json => json(&suite, &plan),
    };
    shell.print(&text)?;
    Ok(ExitCode::Ok)
}

fn human(suite: &Suite, plan: &Plan) -> String {
    let budget = suite.budget();
    let limits = [
        budget.max_events().map(|events| format!("{events} events")),
        budget.time.map(|time| time.to_string()),
        budget
            .plateau
            .map(|events| format!("{events} events without new behaviour")),
    ];
    let limits: Vec<_> = limits.into_iter().flatten().collect();
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
    let sessions = if plan.entries.len() == 1 {
        "session"
    } else {
        "sessions"
    };
    text += &format!(
        "{} {sessions}, each with at most {}\n",
        plan.entries.len(),
        limits.join(" or ")
    );
    for (app, found) in capability::of_plan(suite, plan) {
        text += &format!("{app} on the jvm device: {found}\n");
    }
    text
}

fn json(suite: &Suite, plan: &Plan) -> String {
    let budget = suite.budget();
    let checked = capability::of_plan(suite, plan);
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
            "events": budget.max_events(),
            "seconds": budget.max_time().map(|time| time.as_secs_f64()),
            "plateau": budget.plateau,
        },
        "sessions": sessions,
    });
    format!("{plan}\n")
}
